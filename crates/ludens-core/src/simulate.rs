//! How playouts are run. A backend needs to know no more than this.

mod census;
mod choose;
mod limit;
mod scalar;
mod weights;

pub use census::{Census, RowGroups};
pub use choose::{Chooser, Features, Turn, Uniform};
pub use limit::{Cut, Limit};
pub use scalar::{ScalarSimulator, StateFeatures};
pub use weights::{Drawn, Version, Weighing};

use crate::game::Game;
use crate::rng::Rng;
use crate::role::{Move, Payoffs, PerRole};

/// A game played to its end, or to the limit of playouts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playout {
    /// What it was worth to each role.
    pub payoffs: Payoffs,
    /// The joint moves one after the other, one move for each role.
    pub moves: Vec<Move>,
    /// How many joint moves were made.
    pub plies: u32,
    /// Whether the game ended by its own rules, not by the limit or for want of a legal move.
    pub finished: bool,
}

/// Sums over playouts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// How many playouts.
    pub playouts: u64,
    /// How many of them ended by the rules of the game.
    pub finished: u64,
    /// How many joint moves were made in all.
    pub plies: u64,
    /// The payoffs of each role, summed up.
    pub payoffs: PerRole<f64>,
}

impl Tally {
    /// Adds what one playout was worth.
    pub fn add(&mut self, payoffs: &[f32], plies: u32, finished: bool) {
        self.playouts += 1;
        self.finished += u64::from(finished);
        self.plies += u64::from(plies);
        self.payoffs.resize(payoffs.len(), 0.0);
        self.payoffs.iter_mut().zip(payoffs).for_each(|(sum, &payoff)| *sum += f64::from(payoff));
    }
}

/// Playouts that have ended, in the order in which they ended. A buffer, filled again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcomes {
    /// Under which number each was offered.
    pub tags: Vec<u32>,
    /// How many joint moves each took.
    pub plies: Vec<u32>,
    /// Whether each ended by the rules of the game.
    pub finished: Vec<bool>,
    /// What each was worth: one payoff for each role, playout after playout.
    pub payoffs: Vec<f32>,
}

impl Outcomes {
    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.plies.clear();
        self.finished.clear();
        self.payoffs.clear();
    }

    /// Adds a playout; its payoffs follow one by one.
    pub fn add(&mut self, tag: u32, plies: u32, finished: bool, payoffs: &[f32]) {
        self.tags.push(tag);
        self.plies.push(plies);
        self.finished.push(finished);
        self.payoffs.extend_from_slice(payoffs);
    }
}

/// Runs playouts from given states.
///
/// There are three ways to ask. `run` plays one game from each start by a policy and records the
/// moves. `tally` plays uniformly random games and only adds up what they were worth. `offer` and
/// `advance` do the same as a stream: playouts of many leaves are under way, and those that end
/// make room for others, so that no lane waits for the longest game.
pub trait Simulator<G: Game>: Send {
    /// How many games run side by side.
    fn lanes(&self) -> usize;

    /// Sets how long playouts may go on from now on; none may be under way.
    fn limit(&mut self, limit: Limit);

    /// Plays one game from each start and appends what happened to `out`, in the same order.
    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    );

    /// Plays `playouts` uniformly random games from each start and adds them to the start's tally.
    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]);

    /// Plays one uniformly random game from each start and counts groups of facts in its states; `out` is
    /// emptied first. Says whether it can; if not, whoever asks has to count by themselves.
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

    /// How many more starts can be taken up now.
    fn room(&self) -> usize;

    /// Takes up a start for one uniformly random playout; there must be room.
    fn offer(&mut self, tag: u32, start: &G::State);

    /// Plays on until at least one of the playouts under way has ended, and appends all that have;
    /// does nothing if none is under way.
    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes);

    /// Forgets the starts that were offered and the playouts under way.
    fn abandon(&mut self);
}
