//! How often agents make a move that keeps the game-theoretic value, in positions that are solved exactly.
//!
//! Positions are those after a random number of random moves. Positions in which all moves have the same
//! value are left out, since nothing can be wrong there, and so are those that cannot be solved within a
//! budget: how many, is part of the result, because solved positions may be the easier ones.

mod choose;
mod draw;
mod file;
mod position;
mod tactics;
mod workers;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use ludens_arena::clock::Allowance;
use ludens_arena::stats::{Interval, wilson};
use ludens_catalog::{AgentSpec, LoadedGame};
use serde::{Deserialize, Serialize};

use crate::hinted::Hinted;
use crate::stop::Stop;

pub use position::{MoveValue, SolvedPosition};

/// Which positions are drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many.
    pub positions: usize,
    /// The number of random moves before them.
    pub plies: RangeInclusive<usize>,
    /// The seed: the same seed gives the same positions, on any number of threads.
    pub seed: u64,
    /// The states that may be searched to solve a position.
    pub budget: u64,
    /// Only tactical positions: those in which a win, or that every move but one loses value, shows within a number of
    /// joint moves that is in this range.
    pub tactics: Option<RangeInclusive<u32>>,
}

impl Sample {
    /// Usual numbers of positions and states.
    pub const POSITIONS: usize = 1_000;
    /// See `POSITIONS`.
    pub const BUDGET: u64 = 20_000_000;
}

/// Solved positions, and what was left out.
#[derive(Clone, PartialEq, Debug)]
pub struct Positions {
    /// The positions.
    pub list: Vec<SolvedPosition>,
    /// How they were drawn.
    pub drawn: Drawn,
}

/// How positions were drawn, and how many were left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// The range of the number of moves before them.
    pub plies: [usize; 2],
    /// The seed.
    pub seed: u64,
    /// The states that could be searched to solve a position.
    pub budget: u64,
    /// Positions that were not solved within the budget, or whose value depends on a cycle.
    pub unsolved: usize,
    /// Positions in which all moves have the same value.
    pub even: usize,
    /// Positions that are not tactical, if only such are wanted.
    #[serde(default)]
    pub strategic: usize,
    /// Positions that were drawn before.
    pub repeated: usize,
    /// Random games that were over before.
    pub over: usize,
    /// States searched, those of unsolved positions included.
    pub states: u64,
}

/// How far a command has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// So many positions are solved.
    Solved(usize),
    /// The number of moves that agents have made.
    Moved(usize),
}

/// How agents are asked.
pub struct Questions<'a> {
    /// The agents.
    pub agents: &'a [AgentSpec],
    /// The limits of each move.
    pub allowance: Allowance,
    /// The seed of their random numbers.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Ends the work early, without a result.
    pub stop: &'a Stop,
}

/// The accuracy of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Accuracy {
    /// The agent.
    pub agent: String,
    /// In all positions.
    pub all: Share,
    /// In quiet positions ([`SolvedPosition::quiet`]).
    pub quiet: Share,
    /// In tactical positions, by the number of joint moves that show the right one; empty for other samples.
    pub by_plies: BTreeMap<u32, Share>,
}

/// A share of positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    /// Positions in which the move kept the value.
    pub kept: usize,
    /// All positions.
    pub positions: usize,
    /// The share.
    pub share: f64,
    /// Its 95 % interval (Wilson 1927).
    pub interval: Interval,
}

impl Share {
    fn of(answers: impl Iterator<Item = bool> + Clone) -> Self {
        let (kept, positions) = (answers.clone().filter(|&kept| kept).count(), answers.count());
        let share = kept as f64 / positions.max(1) as f64;
        Share { kept, positions, share, interval: wilson(kept as f64, positions as f64) }
    }
}

/// Draws and solves positions.
pub fn draw(
    game: &LoadedGame,
    sample: &Sample,
    (threads, stop): (usize, &Stop),
    show: &mut dyn FnMut(Step),
) -> anyhow::Result<Positions> {
    let drawing = draw::Drawing { sample, threads, stop, show };
    let positions = game.game.with(drawing).map_err(|why| {
        let message = format!("{} cannot be solved: {why}", game.source.name);
        Hinted::new(message, "games of one role, or of two with a constant sum, can be")
    })?;
    anyhow::ensure!(!stop.is_raised(), "interrupted");
    if positions.list.is_empty() {
        let left_out = &positions.drawn;
        let message = format!(
            "no position to measure: {} unsolved, {} with moves of equal value, {} not tactical, {} games over before",
            left_out.unsolved, left_out.even, left_out.strategic, left_out.over
        );
        let hint = "try other `--plies`, a larger `--budget`, or a wider range of `--tactics` if there is one";
        return Err(Hinted::new(message, hint).into());
    }
    Ok(positions)
}

/// Lets each agent choose a move in each position.
pub fn measure(
    game: &LoadedGame,
    positions: &[SolvedPosition],
    questions: &Questions<'_>,
    show: &mut dyn FnMut(Step),
) -> anyhow::Result<Vec<Accuracy>> {
    questions.agents.iter().try_for_each(|agent| agent.check_game(&game.game))?;
    game.game.with(choose::Choosing { positions, questions, show })
}

pub use file::{load, save};
