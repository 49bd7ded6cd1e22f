//! What is known about a move.

use super::NodeId;

/// What is known about a move of a role in a node. Selection reads all edges of a node, so that they
/// are kept small: which moves they stand for is kept apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge {
    /// The role's payoffs, summed up.
    pub value: f64,
    /// How often it was selected, including visits under way.
    pub visits: u32,
    /// The node it leads to, and in the highest bit whether it is lost.
    link: u32,
}

const LOST: u32 = 1 << 31;

impl Edge {
    /// Nothing is known yet.
    pub(super) const NEW: Edge = Edge { value: 0.0, visits: 0, link: NodeId::NONE.0 };

    /// Mean payoff; visits under way count as if they paid nothing.
    pub fn mean(&self) -> f64 {
        self.value / f64::from(self.visits.max(1))
    }

    /// Whether it is proven that it gives the role nothing.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.link & LOST != 0
    }

    /// A number with the bit `SPECIAL` if it was never chosen or is proven to be lost. The numbers of
    /// many edges are combined before the bit is tested.
    #[inline]
    pub(crate) fn special(&self) -> u32 {
        self.link | self.visits.wrapping_sub(1)
    }

    /// See `special`.
    pub(crate) const SPECIAL: u32 = LOST;

    /// The node it leads to, if that is known.
    #[inline]
    pub(super) fn child(&self) -> Option<NodeId> {
        let child = NodeId(self.link & !LOST);
        (child != NodeId::NONE).then_some(child)
    }

    /// Notes that it is proven to give the role nothing.
    pub(super) fn lose(&mut self) {
        self.link |= LOST;
    }

    /// Notes the node it leads to.
    pub(super) fn lead_to(&mut self, child: NodeId) {
        self.link = self.link & LOST | child.0;
    }
}
