//! How playouts are run. A backend needs to know no more than this.

use std::sync::Arc;

use crate::game::{Game, View};
use crate::rng::Rng;
use crate::role::{Move, Payoffs, Role};

/// A decision in a playout.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Who decides.
    pub role: Role,
    /// Between what; never empty.
    pub legal: &'a [Move],
    /// The joint move made just before, if the playout has one.
    pub previous: Option<&'a [Move]>,
}

/// Chooses moves in playouts.
pub trait Chooser {
    /// Index of the chosen move in `turn.legal`.
    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize;
}

/// Every legal move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl Chooser for Uniform {
    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize {
        rng.below(turn.legal.len())
    }
}

/// A game played to its end, or to the simulator's limit.
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

/// Runs playouts from given states.
pub trait Simulator<G: Game>: Send {
    /// How many games run side by side.
    fn lanes(&self) -> usize;

    /// Plays one game from each start and appends what happened to `out`, in the same order.
    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    );
}

/// Plays one game after the other with the game's own `look` and `play`.
pub struct ScalarSimulator<G> {
    game: Arc<G>,
    view: View,
    joint: Vec<Move>,
    /// A playout is cut after so many joint moves.
    pub max_plies: u32,
}

impl<G: Game> ScalarSimulator<G> {
    /// GDL games must end; one that has not by then is broken.
    const MAX_PLIES: u32 = 100_000;

    /// A simulator for a game.
    pub fn new(game: Arc<G>) -> Self {
        ScalarSimulator {
            game,
            view: View::default(),
            joint: Vec::new(),
            max_plies: Self::MAX_PLIES,
        }
    }

    fn playout(&mut self, start: &G::State, chooser: &mut dyn Chooser, rng: &mut Rng) -> Playout {
        let mut state = start.clone();
        let mut playout = Playout::default();
        loop {
            self.game.look(&state, &mut self.view);
            let stuck = self.view.legal.iter().any(Vec::is_empty);
            if self.view.terminal || stuck || playout.plies == self.max_plies {
                playout.finished = self.view.terminal;
                playout.payoffs = self.view.payoffs.clone();
                return playout;
            }
            // The last joint move stands at the end of the record until the new one is complete.
            let previous = playout.moves.len().checked_sub(self.game.roles().len());
            self.joint.clear();
            for (role, legal) in self.view.legal.entries() {
                let previous = previous.map(|start| &playout.moves[start..]);
                let turn = Turn { role, legal, previous };
                // A forced move is not a decision: policies are not asked.
                let chosen = if legal.len() == 1 { 0 } else { chooser.choose(&turn, rng) };
                self.joint.push(legal[chosen]);
            }
            self.game.play(&mut state, &self.joint);
            playout.moves.extend_from_slice(&self.joint);
            playout.plies += 1;
        }
    }
}

impl<G: Game> Simulator<G> for ScalarSimulator<G> {
    fn lanes(&self) -> usize {
        1
    }

    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        for start in starts {
            let playout = self.playout(start, chooser, rng);
            out.push(playout);
        }
    }
}
