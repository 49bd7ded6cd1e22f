//! Selection: from a node down to the frontier of the tree.

use ludens_core::{Game, Rng, Role};

use super::Search;
use crate::episode::Path;
use crate::tree::{Chosen, NodeId, Tree};
use crate::tree_policy::{Choice, TreePolicy};

/// Where selection stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    /// An inner node, after as many steps as were allowed.
    Inner(NodeId),
    /// A node whose value is proven, or that is not expanded.
    Closed(NodeId),
    /// A node that is already on the path. Rules may repeat positions, and a descent that continued
    /// from there might never leave the tree.
    Cycle(NodeId),
    /// The frontier of the tree: the child of this node by the selected moves is not linked yet.
    Frontier(NodeId),
}

impl<G: Game> Search<G> {
    /// Selects moves from a node on, for at most `max_steps` steps. In every node each role selects
    /// independently; a role with one legal move has no choice.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call per visit: 2 % of all instructions of UCT")]
    pub(crate) fn select(
        &mut self,
        visit: u32,
        from: NodeId,
        max_steps: usize,
        rng: &mut Rng,
    ) -> Reached {
        let Search { tree, visits, policy, chosen, .. } = self;
        let path = &mut visits[visit as usize].path;
        let mut id = from;
        for _ in 0..max_steps {
            if !tree.is_open(id) {
                return Reached::Closed(id);
            }
            let child = match tree.decision(id) {
                Some((decider, range)) => {
                    let (first, decides) = (range.start as u32, range.len() > 1);
                    let choice = Choice::among(tree, path, id, (decider, range));
                    let place = if decides { policy.select(&choice, rng) as u32 } else { 0 };
                    path.push(id, Chosen::Alone(first + place));
                    tree.visit_edge(id, first + place)
                }
                None => select_jointly(tree, path, &mut **policy, chosen, id, rng),
            };
            match child {
                Some(child) if path.contains(child) => return Reached::Cycle(child),
                Some(child) => id = child,
                None => return Reached::Frontier(id),
            }
        }
        Reached::Inner(id)
    }
}

/// Selects for several roles in a node. Returns the child, if it is linked.
fn select_jointly(
    tree: &mut Tree,
    path: &mut Path,
    policy: &mut dyn TreePolicy,
    chosen: &mut Vec<u32>,
    node: NodeId,
    rng: &mut Rng,
) -> Option<NodeId> {
    let select = |role| {
        let choice = Choice::new(tree, path, node, role);
        let place = if choice.edges.len() > 1 { policy.select(&choice, rng) } else { 0 };
        (choice.first + place) as u32
    };
    chosen.clear();
    chosen.extend(Role::all(tree.n_roles()).map(select));
    path.push(node, &*chosen);
    tree.begin_visit(node, &*chosen);
    tree.child(node, &*chosen)
}
