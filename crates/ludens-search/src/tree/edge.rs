//! Edges: the statistics of moves.

use super::NodeId;

/// The statistics of a move of a role in a node. Selection reads all edges of a node, so they are small: the
/// moves are stored separately.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge {
    /// The sum of the role's payoffs.
    pub value: f64,
    /// The number of visits, including those in progress.
    pub visits: u32,
    /// The child, and in the highest bit whether the move is a proven loss.
    link: u32,
}

const LOST: u32 = 1 << 31;

impl Edge {
    /// An edge without visits.
    pub(super) const NEW: Edge = Edge { value: 0.0, visits: 0, link: NodeId::NONE.0 };

    /// Mean payoff; visits in progress count with payoff 0.
    pub fn mean(&self) -> f64 {
        self.value / f64::from(self.visits.max(1))
    }

    /// Whether the move is a proven loss: its role gets payoff 0.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.link & LOST != 0
    }

    /// A number with the bit `SPECIAL` if the move has no visits or is a proven loss. The numbers of many
    /// edges are combined before the bit is tested.
    #[inline]
    pub(crate) fn special(&self) -> u32 {
        self.link | self.visits.wrapping_sub(1)
    }

    /// See `special`.
    pub(crate) const SPECIAL: u32 = LOST;

    /// The child, if it is linked.
    #[inline]
    pub(super) fn child(&self) -> Option<NodeId> {
        let child = NodeId(self.link & !LOST);
        (child != NodeId::NONE).then_some(child)
    }

    /// Marks the move as a proven loss.
    pub(super) fn lose(&mut self) {
        self.link |= LOST;
    }

    /// Sets the child.
    pub(super) fn set_child(&mut self, child: NodeId) {
        self.link = self.link & LOST | child.0;
    }
}
