//! How a role selects among its moves in the tree. One policy is one file.

mod counts;
mod grave;
mod progressive_bias;
mod puct;
mod rave;
mod ucb;
mod ucb_tuned;
mod unpruning;

pub use grave::Grave;
pub use progressive_bias::ProgressiveBias;
pub use puct::Puct;
pub use rave::Rave;
pub use ucb::Ucb;
pub use ucb_tuned::UcbTuned;
pub use unpruning::Unpruning;

use std::ops::Range;

use ludens_core::{Rng, Role};

use crate::episode::{Episode, Path};
use crate::reuse::Kept;
use crate::tree::{Edge, NodeId, Tree};

/// A role's turn in a node.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The path to the node.
    pub path: &'a Path,
    /// The node.
    pub node: NodeId,
    /// The role that selects; it has at least two moves.
    pub role: Role,
    /// How often a move was selected here, including visits under way.
    pub visits: u32,
    /// Where its moves stand among all edges of the tree.
    pub first: usize,
    /// What is known about them.
    pub edges: &'a [Edge],
}

impl<'a> Choice<'a> {
    /// The turn of a role.
    #[inline]
    pub fn new(tree: &'a Tree, path: &'a Path, node: NodeId, role: Role) -> Self {
        Choice::among(tree, path, node, (role, tree.range(node, role)))
    }

    /// The turn of a role whose moves stand at known places.
    #[inline]
    pub(crate) fn among(
        tree: &'a Tree,
        path: &'a Path,
        node: NodeId,
        (role, range): (Role, Range<usize>),
    ) -> Self {
        let visits = tree.node(node).visits;
        Choice { tree, path, node, role, visits, first: range.start, edges: &tree.all()[range] }
    }
}

/// Chooses moves in the tree.
pub trait TreePolicy: Send {
    /// Which of the role's edges is followed, counted from its first one.
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize;

    /// Tells the tree what to keep for it.
    fn subscribe(&self, tree: &mut Tree) {
        let _ = tree;
    }

    /// A simulation has ended. Tables must not take more memory if there is none left.
    fn learn(&mut self, episode: &Episode<'_>, full: bool) {
        let (_, _) = (episode, full);
    }

    /// Whether tables that do not grow in step with the tree may allocate more memory soon.
    fn grows(&self) -> bool {
        false
    }

    /// The tree was pruned: tables by node or edge follow.
    fn retain(&mut self, kept: &Kept) {
        let _ = kept;
    }

    /// The tree was emptied.
    fn clear(&mut self) {}

    /// How many bytes its tables take.
    fn bytes(&self) -> usize {
        0
    }

    /// The same policy with empty tables.
    fn fresh(&self) -> Box<dyn TreePolicy>;
}

/// What a move that was never chosen is taken to be worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Unvisited {
    /// More than any other: each move is tried once first, in random order.
    First,
    /// More than any other: each move is tried once first, in the order in which the node has them.
    InOrder,
    /// So much, in place of a score (first-play urgency, Gelly and Wang 2006).
    Worth(f64),
    /// What the policy itself says.
    Scored,
}

/// An untried move, if such come first and the visits of the node show that there is one. Policies ask
/// this before they compute anything.
#[expect(clippy::inline_always, reason = "measured: it is asked several times in every simulation")]
#[inline(always)]
fn untried(choice: &Choice<'_>, unvisited: Unvisited, rng: &mut Rng) -> Option<usize> {
    let n_tried = choice.visits as usize;
    if n_tried >= choice.edges.len() {
        return None;
    }
    one_untried(choice.edges, n_tried, unvisited, rng)
}

/// The same, where not all moves were tried.
#[inline(never)]
fn one_untried(
    edges: &[Edge],
    n_tried: usize,
    unvisited: Unvisited,
    rng: &mut Rng,
) -> Option<usize> {
    match unvisited {
        Unvisited::First if n_tried == 0 => Some(rng.below(edges.len())),
        Unvisited::First => Some(any_untried(edges, edges.len() - n_tried, rng)),
        Unvisited::InOrder => edges.iter().position(|edge| edge.visits == 0),
        Unvisited::Worth(_) | Unvisited::Scored => None,
    }
}

/// The edge with the highest score; the first one of several. Moves that are proven to be lost are
/// left aside as long as there is another.
#[inline]
fn highest(
    choice: &Choice<'_>,
    unvisited: Unvisited,
    rng: &mut Rng,
    mut score: impl FnMut(usize, &Edge) -> f64,
) -> usize {
    let edges = choice.edges;
    // Nearly always every move was tried and none is proven to be lost. Then only the scores count, without
    // unpredictable branches.
    if unvisited != Unvisited::Scored && choice.visits >= edges.len() as u32 {
        let (mut best, mut highest, mut special) = (0, f64::MIN, 0);
        for (i, edge) in edges.iter().enumerate() {
            let score = score(i, edge);
            (best, highest) = if score > highest { (i, score) } else { (best, highest) };
            special |= edge.special();
        }
        if special & Edge::SPECIAL == 0 {
            return best;
        }
    }
    highest_of_special(edges, unvisited, rng, score)
}

/// The same, where some moves were never chosen or are lost.
#[inline(never)]
fn highest_of_special(
    edges: &[Edge],
    unvisited: Unvisited,
    rng: &mut Rng,
    mut score: impl FnMut(usize, &Edge) -> f64,
) -> usize {
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for (i, edge) in edges.iter().enumerate() {
        // Abandoned visits leave untried moves that the visits of the node do not show.
        if edge.visits == 0 && unvisited == Unvisited::InOrder {
            return i;
        }
        if edge.visits == 0 && unvisited == Unvisited::First {
            let n_untried = edges.iter().filter(|edge| edge.visits == 0).count();
            return any_untried(edges, n_untried, rng);
        }
        let score = match unvisited {
            _ if edge.is_lost() => f64::MIN,
            Unvisited::Worth(worth) if edge.visits == 0 => worth,
            _ => score(i, edge),
        };
        if score > highest {
            (best, highest) = (i, score);
        }
    }
    best
}

/// A move that was never chosen, each of `n_untried` with the same probability. Abandoned
/// visits may have left more of them.
fn any_untried(edges: &[Edge], n_untried: usize, rng: &mut Rng) -> usize {
    let wanted = rng.below(n_untried);
    let (mut place, mut n_passed) = (0, 0);
    // Without branches: which moves were tried is unpredictable.
    for (i, edge) in edges.iter().enumerate() {
        let untried = edge.visits == 0;
        place = if untried && n_passed == wanted { i } else { place };
        n_passed += usize::from(untried);
    }
    place
}

/// Natural logarithm of the number of times that a move was chosen in a node.
#[inline]
fn log_visits(choice: &Choice<'_>) -> f64 {
    f64::from(choice.visits).max(1.0).ln()
}
