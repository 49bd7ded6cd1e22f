//! Counting visits during selection, and adding payoffs during backup.

use ludens_core::Role;

use super::{Chosen, NodeId, SEVERAL, Tree};

impl Tree {
    /// Counts a visit of the selected edges. Its payoff is 0 until it is backed up, so that other visits
    /// spread meanwhile (virtual loss, Chaslot et al. 2008).
    #[inline]
    pub fn begin_visit<'a>(&mut self, id: NodeId, chosen: impl Into<Chosen<'a>>) {
        let node = &mut self.nodes[id.index()];
        node.visits += 1;
        match chosen.into() {
            Chosen::Each(edges) if !node.has_one_decider() => {
                for &edge in edges {
                    self.edges[edge as usize].visits += 1;
                }
            }
            chosen => self.edges[chosen.by(Role(node.decider()))].visits += 1,
        }
    }

    /// Counts a visit of an edge in a node in which one role decides. Returns the child, if it is linked.
    #[inline]
    pub(crate) fn visit_edge(&mut self, id: NodeId, edge: u32) -> Option<NodeId> {
        self.nodes[id.index()].visits += 1;
        let edge = &mut self.edges[edge as usize];
        edge.visits += 1;
        edge.child()
    }

    /// Cancels an abandoned visit.
    pub fn cancel_visit<'a>(&mut self, id: NodeId, chosen: impl Into<Chosen<'a>>) {
        let node = &mut self.nodes[id.index()];
        node.visits -= 1;
        match chosen.into() {
            Chosen::Each(edges) if !node.has_one_decider() => {
                for &edge in edges {
                    self.edges[edge as usize].visits -= 1;
                }
            }
            chosen => self.edges[chosen.by(Role(node.decider()))].visits -= 1,
        }
    }

    /// Adds the payoffs of a visit to the selected edges.
    #[expect(clippy::inline_always, reason = "measured: called at every step of every visit")]
    #[inline(always)]
    pub fn end_visit<'a>(&mut self, id: NodeId, chosen: impl Into<Chosen<'a>>, payoffs: &[f32]) {
        let decider = self.nodes[id.index()].decider();
        match chosen.into() {
            Chosen::Each(edges) if decider == SEVERAL => {
                for (&edge, &payoff) in edges.iter().zip(payoffs) {
                    self.edges[edge as usize].value += f64::from(payoff);
                }
            }
            chosen => {
                let payoff = payoffs[decider as usize];
                self.edges[chosen.by(Role(decider))].value += f64::from(payoff);
            }
        }
    }

    /// Prefetches memory for selection in a node.
    #[inline]
    pub(crate) fn prefetch_edges(&self, id: NodeId) -> u32 {
        /// The number of edges in a cache line.
        const EDGES_PER_LINE: usize = 4;
        let node = self.node(id);
        if !node.has_one_decider() {
            return node.first;
        }
        let edges = &self.edges[node.first as usize..][..node.n_moves()];
        edges.iter().step_by(EDGES_PER_LINE).fold(0, |sum, edge| sum ^ edge.visits)
    }

    /// Prefetches memory for the backup of a step.
    #[inline]
    pub(crate) fn prefetch_step(&self, id: NodeId, chosen: Chosen<'_>) -> u32 {
        let edge = match chosen {
            Chosen::Alone(edge) => edge,
            Chosen::Each(edges) => edges.first().copied().unwrap_or(0),
        };
        self.node(id).visits ^ self.edges[edge as usize].visits
    }
}
