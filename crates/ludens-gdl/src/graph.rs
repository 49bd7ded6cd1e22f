//! Directed graphs over small numbers, and their strongly connected components.
//!
//! The components are found by the algorithm of R. Tarjan (1972) with an explicit stack: rules that
//! form a chain of a million relations must not overflow the call stack.

/// A directed graph with the nodes `0..n`.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The start of each node's edges in `targets`, and one more entry.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph with `n` nodes and these edges.
    pub fn new(n: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; n + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut targets = vec![0; edges.len()];
        let mut at = starts.clone();
        for &(from, to) in edges {
            let slot = &mut at[from as usize];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Graph { starts, targets }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The targets of a node's edges.
    pub fn targets(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The strongly connected components.
    pub fn components(&self) -> Components {
        let n = self.len();
        let mut search = Search {
            graph: self,
            discovered: vec![0; n],
            low: vec![0; n],
            count: 0,
            open: Vec::new(),
            calls: Vec::new(),
            components: Components { of: vec![UNKNOWN; n], members: Vec::new(), starts: vec![0] },
        };
        for node in 0..n as u32 {
            if search.discovered[node as usize] == 0 {
                search.run(node);
            }
        }
        search.components
    }

    /// For each node, the next one on a shortest path to `target`: the target itself for the target,
    /// `None` for nodes without a path.
    pub fn hops_to(&self, target: u32) -> Vec<Option<u32>> {
        let backwards: Vec<_> = (0..self.len() as u32)
            .flat_map(|from| self.targets(from).iter().map(move |&to| (to, from)))
            .collect();
        let backwards = Graph::new(self.len(), &backwards);
        let mut hops = vec![None; self.len()];
        hops[target as usize] = Some(target);
        let mut queue = std::collections::VecDeque::from([target]);
        while let Some(node) = queue.pop_front() {
            for &from in backwards.targets(node) {
                if hops[from as usize].is_none() {
                    hops[from as usize] = Some(node);
                    queue.push_back(from);
                }
            }
        }
        hops
    }

    /// A shortest path from `from` to `to` over nodes that `allowed` admits, both ends included.
    pub fn path(&self, from: u32, to: u32, allowed: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        let mut previous = rustc_hash::FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                let mut path = vec![to];
                while path.last() != Some(&from) {
                    path.push(previous[path.last()?]);
                }
                path.reverse();
                return Some(path);
            }
            for &next in self.targets(node) {
                if next != from && allowed(next) && !previous.contains_key(&next) {
                    previous.insert(next, node);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

const UNKNOWN: u32 = u32::MAX;

/// The strongly connected components of a graph in reverse topological order: targets of edges first.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each node.
    pub of: Vec<u32>,
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Components {
    /// Number of components.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no component.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes of a component.
    pub fn members(&self, component: usize) -> &[u32] {
        &self.members[self.starts[component] as usize..self.starts[component + 1] as usize]
    }
}

struct Search<'a> {
    graph: &'a Graph,
    /// The discovery index of each node, from 1; 0 if undiscovered.
    discovered: Vec<u32>,
    low: Vec<u32>,
    count: u32,
    open: Vec<u32>,
    /// The explicit call stack: nodes, with the number of their edges examined.
    calls: Vec<(u32, u32)>,
    components: Components,
}

impl Search<'_> {
    fn run(&mut self, root: u32) {
        self.enter(root);
        while let Some((node, done)) = self.calls.last_mut() {
            let (node, edge) = (*node, *done as usize);
            *done += 1;
            match self.graph.targets(node).get(edge) {
                None => self.leave(node),
                Some(&next) if self.discovered[next as usize] == 0 => self.enter(next),
                Some(&next) if self.components.of[next as usize] == UNKNOWN => {
                    self.lower(node, self.discovered[next as usize]);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.count += 1;
        self.discovered[node as usize] = self.count;
        self.low[node as usize] = self.count;
        self.open.push(node);
        self.calls.push((node, 0));
    }

    fn lower(&mut self, node: u32, value: u32) {
        let low = &mut self.low[node as usize];
        *low = value.min(*low);
    }

    fn leave(&mut self, node: u32) {
        self.calls.pop();
        let low = self.low[node as usize];
        if let Some(&(caller, _)) = self.calls.last() {
            self.lower(caller, low);
        }
        if low == self.discovered[node as usize] {
            self.close_component(node);
        }
    }

    fn close_component(&mut self, first: u32) {
        let at = self.open.iter().rposition(|&n| n == first).expect("an open node is on the stack");
        let index = self.components.len() as u32;
        for node in self.open.drain(at..) {
            self.components.of[node as usize] = index;
            self.components.members.push(node);
        }
        self.components.starts.push(self.components.members.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_edges_come_first() {
        let graph = Graph::new(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 4)]);
        let components = graph.components();
        let all: Vec<_> = (0..components.len()).map(|c| components.members(c)).collect();
        assert_eq!(all, [&[3][..], &[1, 2], &[0], &[4]]);
        assert_eq!(components.of, [2, 1, 1, 0, 3]);
    }

    #[test]
    fn paths_are_shortest() {
        let graph = Graph::new(4, &[(0, 1), (1, 2), (0, 2), (2, 3), (3, 0)]);
        assert_eq!(graph.path(0, 3, |_| true), Some(vec![0, 2, 3]));
        assert_eq!(graph.path(0, 3, |n| n != 2), None);
        assert_eq!(graph.path(1, 1, |_| true), Some(vec![1]));
    }

    #[test]
    fn hops_lead_to_the_target() {
        let graph = Graph::new(5, &[(0, 1), (1, 2), (0, 2), (3, 0), (2, 4)]);
        assert_eq!(graph.hops_to(2), [Some(2), Some(2), Some(2), Some(0), None]);
    }

    #[test]
    fn long_chains_do_not_exhaust_the_stack() {
        let n = 300_000;
        let mut edges: Vec<_> = (0..n - 1).map(|i| (i, i + 1)).collect();
        assert_eq!(Graph::new(n as usize, &edges).components().len(), n as usize);
        edges.push((n - 1, 0));
        assert_eq!(Graph::new(n as usize, &edges).components().len(), 1);
    }
}
