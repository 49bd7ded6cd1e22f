//! How playouts are run: the interface of simulation backends.

mod census;
mod choose;
mod limit;
mod scalar;
mod weights;

pub use census::{Census, RowGroups};
pub use choose::{Chooser, Features, Turn, Uniform};
pub use limit::{Cut, Limit};
pub use scalar::{ScalarSimulator, StateFeatures};
pub use weights::{DrawStats, FixedWeights, WeightsVersion};

use crate::game::Game;
use crate::rng::Rng;
use crate::role::{Move, Payoffs, PerRole};

/// A playout, to a terminal state or to the limit.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playout {
    /// The payoff of each role.
    pub payoffs: Payoffs,
    /// The joint moves one after the other, one move for each role.
    pub moves: Vec<Move>,
    /// How many joint moves were made.
    pub plies: u32,
    /// Whether it ended in a terminal state, not by the limit or for want of a legal move.
    pub finished: bool,
}

/// Sums over playouts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// The number of playouts.
    pub playouts: u64,
    /// How many of them ended in a terminal state.
    pub finished: u64,
    /// The total number of joint moves.
    pub plies: u64,
    /// The sum of the payoffs of each role.
    pub payoffs: PerRole<f64>,
}

impl Tally {
    /// Adds a playout.
    pub fn add(&mut self, payoffs: &[f32], plies: u32, finished: bool) {
        self.playouts += 1;
        self.finished += u64::from(finished);
        self.plies += u64::from(plies);
        self.payoffs.resize(payoffs.len(), 0.0);
        self.payoffs.iter_mut().zip(payoffs).for_each(|(sum, &payoff)| *sum += f64::from(payoff));
    }
}

/// Finished playouts, in the order in which they finished. A reusable buffer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcomes {
    /// The tag with which each was offered.
    pub tags: Vec<u32>,
    /// The number of joint moves of each.
    pub plies: Vec<u32>,
    /// Whether each ended in a terminal state.
    pub finished: Vec<bool>,
    /// The payoffs of each: one for each role, playout after playout.
    pub payoffs: Vec<f32>,
}

impl Outcomes {
    /// Removes all playouts, keeping the allocations.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.plies.clear();
        self.finished.clear();
        self.payoffs.clear();
    }

    /// Adds a playout.
    pub fn add(&mut self, tag: u32, plies: u32, finished: bool, payoffs: &[f32]) {
        self.tags.push(tag);
        self.plies.push(plies);
        self.finished.push(finished);
        self.payoffs.extend_from_slice(payoffs);
    }
}

/// Runs playouts from given states.
///
/// There are three modes. `run` runs one playout from each start by a policy and records the moves.
/// `tally` runs uniformly random playouts and only sums their payoffs. `offer` and `advance` run
/// uniformly random playouts as a stream: playouts of many leaves are in progress, and those that end
/// make room for others, so that no lane waits for the longest playout.
pub trait Simulator<G: Game>: Send {
    /// How many playouts run in parallel lanes.
    fn lanes(&self) -> usize;

    /// Sets the limit of the following playouts; none may be in progress.
    fn limit(&mut self, limit: Limit);

    /// Runs one playout from each start and appends them to `out`, in the same order.
    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    );

    /// Runs `playouts` uniformly random playouts from each start and adds them to the start's tally.
    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]);

    /// Runs one uniformly random playout from each start and counts groups of facts in its states; `out` is
    /// cleared first. Returns whether the simulator supports this; if not, the caller has to count.
    fn census(
        &mut self,
        starts: &[&G::State],
        groups: &RowGroups,
        rng: &mut Rng,
        out: &mut Census,
    ) -> bool {
        let (_, _, _, _) = (starts, groups, rng, out);
        false
    }

    /// How many more starts it accepts now.
    fn room(&self) -> usize;

    /// Queues a start for one uniformly random playout; there must be room.
    fn offer(&mut self, tag: u32, start: &G::State);

    /// Continues until at least one of the playouts in progress has ended, and appends all that have;
    /// does nothing if none is in progress.
    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes);

    /// Discards the queued starts and the playouts in progress.
    fn abandon(&mut self);
}
