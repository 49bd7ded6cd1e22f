//! What all searches have in common: a state and a budget in, a report out.

use std::ops::ControlFlow;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, PerRole, Role};

use crate::mcts::Mind;

/// What is known about one move of one role.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u64,
    /// Mean payoff of the role after it, in `0.0..=1.0`; 0 if it was never tried.
    pub mean: f64,
}

/// Joint moves, one after the other.
pub type Line = Vec<Vec<Move>>;

/// Looks at what an agent thinks so far; `Break` ends the thinking early.
pub type Watch<'a> = dyn FnMut(&Report) -> ControlFlow<()> + 'a;

/// What thinking led to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// How many playouts were run.
    pub iterations: u64,
    /// Moves of each role, the best one first.
    pub moves: PerRole<Vec<MoveStats>>,
    /// The joint moves that are expected, from the first on.
    pub variation: Line,
    /// What the position is worth to each role, if that is proven.
    pub settled: Option<Vec<f32>>,
    /// How many joint moves were made, in the tree and in playouts.
    pub plies: u64,
    /// How many positions are remembered.
    pub nodes: u64,
    /// How many bytes that takes.
    pub bytes: u64,
    /// The line that each move begins, in the order of `moves`. Only those who watch are told, and
    /// only by agents that know.
    pub lines: PerRole<Vec<Line>>,
    /// Mean payoff of each role in all that was tried, in `0.0..=1.0`. Only those who watch are
    /// told, and only by agents that know.
    pub worth: Vec<Option<f64>>,
}

impl Report {
    /// A report with the moves of each role sorted: many visits first, then high means; ties
    /// keep the order of the legal moves.
    pub fn sorted(iterations: u64, mut moves: PerRole<Vec<MoveStats>>) -> Self {
        for stats in &mut moves {
            stats.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.mean.total_cmp(&a.mean)));
        }
        Report { iterations, moves, ..Report::default() }
    }

    /// The best move of a role; `None` if it has no legal move.
    pub fn best(&self, role: Role) -> Option<Move> {
        self.moves[role].first().map(|stats| stats.mv)
    }
}

/// Thinks about states of one game.
pub trait Agent<G: Game>: Send {
    /// Thinks about a state for all roles at once.
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report;

    /// The same as `think`, with somebody who looks at what is known so far about every so often. With
    /// the same seed and number of iterations the result is that of `think`: looking changes nothing
    /// unless it ends the thinking. Agents that search deeper and deeper are seen after each depth, and
    /// those that cannot be looked into once, at their end.
    fn think_watched(
        &mut self,
        state: &G::State,
        budget: &Budget,
        every: Duration,
        watch: &mut Watch<'_>,
    ) -> Report {
        let _ = every;
        let report = self.think(state, budget);
        // There is nothing left to end.
        let _ = watch(&report);
        report
    }

    /// Is told before it gets ready what a move of the game may take: time and units of work, as far as they are
    /// limited. Most agents need not know.
    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        let _ = (time, units);
    }

    /// Gets ready for a game that begins with a state, before its first move is asked for: the start
    /// clock of the competition. Most agents think about the state and keep what they find.
    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.think(state, budget)
    }

    /// What was found while getting ready, in sentences for people.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The game went on with a joint move from the state last thought about, or from the beginning.
    fn advance(&mut self, joint: &[Move]) {
        let _ = joint;
    }

    /// A new game begins: what was learnt in the last one is forgotten, and random numbers start
    /// again from a seed, so that a game can be repeated whatever was played before it.
    fn begin(&mut self, seed: u64);

    /// The mind of a tree search, so that many of them can share one evaluator.
    fn mind(&mut self) -> Option<&mut Mind<G>> {
        None
    }
}
