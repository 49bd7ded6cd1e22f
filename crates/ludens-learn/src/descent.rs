//! Descent: learning to play from values alone (Cohen-Solal 2020, "Learning to play two-player
//! perfect-information games without knowledge").
//!
//! From the state of the game, walks go down the tree best-first, always to the end of the game; every state
//! on the way is expanded, and all its children are evaluated by the network. Minimax values and proofs are
//! backed up after each walk. When a game is over, every state of its tree is a training sample with its
//! backed-up value. No policy is learnt: records have no legal moves, so that the loss has no policy term.
//!
//! For play, best-first minimax expands one state at a time (Korf and Chickering 1996) with the same tree.
//!
//! - `tree`: values, proofs, and which move a role prefers; `joints`: the moves that are searched.
//! - `search`: walks down a tree; `expander`: states of many searches, expanded together.
//! - `group`: games side by side; `ordinal`: how they choose moves; `learner`: play and training in turn.
//! - `turns`: which games are refused; `agent`: play.
//!
//! Any number of roles may play, but one at a time may decide: the learner refuses other games. If several
//! roles decide in a state that is met later, its value is the mean over joint moves.

mod agent;
mod expander;
mod group;
mod joints;
mod learner;
mod ordinal;
mod search;
mod tree;
mod turns;

#[cfg(test)]
mod tests;

pub use agent::{BestFirst, TreeLimits};
pub use expander::{NetworkValues, StateValues};
pub use learner::{DescentLearner, DescentLearning};
pub use turns::Refusal;

/// How games of Descent are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Descent {
    /// A move is made after the first walk that ends with this many states expanded since the last move.
    pub expansions: u64,
    /// The exploitation of the ordinal distribution of moves at the beginning and at the end of the training:
    /// 0 makes random moves, 1 always the best one.
    pub exploitation: (f64, f64),
    /// The maximum number of random moves at the beginning of a game.
    pub max_opening: usize,
    /// The largest bonus for a quick win, in payoff; the same delays losses.
    pub haste: f32,
    /// A game without an end is cut after this many joint moves.
    pub max_plies: u32,
}

impl Default for Descent {
    fn default() -> Self {
        Descent {
            expansions: 4,
            exploitation: (0.5, 1.0),
            max_opening: 6,
            haste: 0.0,
            max_plies: 1000,
        }
    }
}
