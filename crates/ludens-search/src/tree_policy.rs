//! Tree policies: how a role selects among its moves in a node. Each policy is one file.

mod counts;
mod exploring_puct;
mod grave;
mod gumbel;
mod progressive_bias;
mod puct;
mod rave;
mod ucb;
mod ucb_tuned;
mod unpruning;

pub use exploring_puct::{ExploringPuct, RootNoise};
pub use grave::Grave;
pub use gumbel::{Gumbel, Improvement};
pub use progressive_bias::ProgressiveBias;
pub use puct::{FirstPlay, Growth, Puct};
pub use rave::Rave;
pub use ucb::Ucb;
pub use ucb_tuned::UcbTuned;
pub use unpruning::Unpruning;

use std::ops::Range;

use ludens_core::{Rng, Role};

use crate::episode::{Episode, Path};
use crate::reuse::Kept;
use crate::tree::{Edge, NodeId, Tree};

/// A decision of a role in a node.
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
    /// The visits of the node, including those in progress.
    pub visits: u32,
    /// The index of the role's first edge among all edges of the tree.
    pub first: usize,
    /// The role's edges.
    pub edges: &'a [Edge],
}

impl<'a> Choice<'a> {
    /// The decision of a role.
    #[inline]
    pub fn new(tree: &'a Tree, path: &'a Path, node: NodeId, role: Role) -> Self {
        Choice::among(tree, path, node, (role, tree.range(node, role)))
    }

    /// The decision of a role with a known range of edges.
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

/// Selects moves in the tree.
pub trait TreePolicy: Send {
    /// Index of the selected edge in `choice.edges`.
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize;

    /// A search of at most this many simulations begins.
    fn begin(&mut self, simulations: u64) {
        let _ = simulations;
    }

    /// Index in `choice.edges` of the move to play, where `choice` is the root; `None` if it is the move
    /// with the most visits.
    fn recommend(&self, choice: &Choice<'_>) -> Option<usize> {
        let _ = choice;
        None
    }

    /// Writes the weight of each move in the policy that a network is to learn from a search, where `choice`
    /// is the root: how often it was visited.
    fn learnt_visits(&self, choice: &Choice<'_>, visits: &mut Vec<f64>) {
        visits.clear();
        visits.extend(choice.edges.iter().map(|edge| f64::from(edge.visits)));
    }

    /// Subscribes to the data that the tree keeps for it.
    fn subscribe(&self, tree: &mut Tree) {
        let _ = tree;
    }

    /// A simulation has ended. If the memory is `full`, tables must not allocate more.
    fn learn(&mut self, episode: &Episode<'_>, full: bool) {
        let (_, _) = (episode, full);
    }

    /// Whether tables that do not grow in step with the tree may allocate more memory soon.
    fn grows(&self) -> bool {
        false
    }

    /// The tree was pruned: renumbers tables indexed by node or edge.
    fn retain(&mut self, kept: &Kept) {
        let _ = kept;
    }

    /// The tree was emptied.
    fn clear(&mut self) {}

    /// How many bytes its tables hold.
    fn bytes(&self) -> usize {
        0
    }

    /// The same policy with empty tables.
    fn fresh(&self) -> Box<dyn TreePolicy>;
}

/// The score of a move without visits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Unvisited {
    /// Infinite: each move is tried once first, in random order.
    First,
    /// Infinite: each move is tried once first, in the order of the node's edges.
    InOrder,
    /// A constant (first-play urgency, Gelly and Wang 2006).
    Worth(f64),
    /// The score that the policy computes.
    Scored,
}

/// An untried move, if untried moves come first and the visits of the node show that there is one. Policies
/// check this before they compute anything.
#[expect(clippy::inline_always, reason = "measured: called several times in every simulation")]
#[inline(always)]
fn untried(choice: &Choice<'_>, unvisited: Unvisited, rng: &mut Rng) -> Option<usize> {
    let n_tried = choice.visits as usize;
    if n_tried >= choice.edges.len() {
        return None;
    }
    one_untried(choice.edges, n_tried, unvisited, rng)
}

/// The same if not all moves were tried.
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

/// The edge with the highest score, the first of several. Proven losses are skipped as long as there is
/// another move.
#[inline]
fn highest(
    choice: &Choice<'_>,
    unvisited: Unvisited,
    rng: &mut Rng,
    mut score: impl FnMut(usize, &Edge) -> f64,
) -> usize {
    let edges = choice.edges;
    // Nearly always every move was tried and none is a proven loss. Then only the scores count, without
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

/// The same if some moves are untried or proven losses.
#[inline(never)]
fn highest_of_special(
    edges: &[Edge],
    unvisited: Unvisited,
    rng: &mut Rng,
    mut score: impl FnMut(usize, &Edge) -> f64,
) -> usize {
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for (i, edge) in edges.iter().enumerate() {
        // After abandoned visits, the visits of the node do not show all untried moves.
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

/// An untried move, each of the first `n_untried` with the same probability. Abandoned visits may have left
/// more of them.
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

/// Natural logarithm of the visits of a node.
#[inline]
fn log_visits(choice: &Choice<'_>) -> f64 {
    f64::from(choice.visits).max(1.0).ln()
}
