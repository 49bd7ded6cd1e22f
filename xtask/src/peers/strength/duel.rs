//! One match between one of our agents and the other program.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ludens_catalog::{AgentSpec, WithGame};
use ludens_core::{Budget, Game, Move, Role, View};
use serde::{Deserialize, Serialize};

use super::bot::Bot;
use super::lockstep::{Agreed, agree};
use super::notation::Notation;

/// A match to be played.
pub struct Duel<'a> {
    /// The other program, in the initial state.
    pub bot: &'a mut Bot,
    /// Its notation.
    pub notation: Notation,
    /// Our agent.
    pub agent: &'a AgentSpec,
    /// Its role.
    pub role: Role,
    /// Wall-clock time per move for both.
    pub time: Duration,
    /// Our seed.
    pub seed: u64,
}

/// A match that was played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Played {
    /// The payoff of our agent, from 0 to 1.
    pub payoff: f64,
    /// All moves in the notation of the other program.
    pub moves: Vec<String>,
    /// Our effort.
    pub ours: Effort,
    /// Their effort.
    pub theirs: Effort,
}

/// The effort of one side in a match.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// The number of moves.
    pub moves: u64,
    /// The number of simulations.
    pub simulations: u64,
    /// The wall-clock time.
    pub seconds: f64,
}

impl Effort {
    /// Adds a move.
    fn add(&mut self, simulations: u64, seconds: f64) {
        self.moves += 1;
        self.simulations += simulations;
        self.seconds += seconds;
    }
}

impl WithGame for Duel<'_> {
    type Out = Result<Played>;

    fn call<G: Game>(self, game: Arc<G>) -> Result<Played> {
        let Duel { bot, notation, agent, role, time, seed } = self;
        let mut agent = agent.build(Arc::clone(&game), seed);
        let (mut state, mut view, mut played) =
            (game.initial(), View::default(), Played::default());
        let mut look = bot.look()?;
        loop {
            game.look(&state, &mut view);
            let agreed = agree(&*game, &view, &look, notation)
                .with_context(|| format!("after {}", played.moves.join(" ")))?;
            let (mover, moves) = match agreed {
                Agreed::Over(payoffs) => {
                    played.payoff = payoffs[role.index()];
                    return Ok(played);
                }
                Agreed::Turn(mover, moves) => (mover, moves),
            };
            let (mv, name) = if mover == role {
                let start = Instant::now();
                let report = agent.think(
                    &state,
                    &Budget::unlimited().with_time(time),
                    &mut ludens_search::Watch::none(),
                );
                played.ours.add(report.iterations, start.elapsed().as_secs_f64());
                let best = report.best(role).context("our agent has no move")?;
                named(&moves, |(mv, _)| *mv == best).context("our agent's move is not legal")?
            } else {
                let result = bot.think(time)?;
                played.theirs.add(result.simulations, result.seconds);
                named(&moves, |(_, name)| *name == result.choice)
                    .with_context(|| format!("OpenSpiel's `{}` is not legal", result.choice))?
            };
            let joint = joint(&view, mover, mv);
            game.play(&mut state, &joint);
            agent.advance(&joint);
            look = bot.play(&name)?;
            played.moves.push(name);
        }
    }
}

/// The first matching move.
fn named(
    moves: &[(Move, String)],
    matches: impl Fn(&(Move, String)) -> bool,
) -> Option<(Move, String)> {
    moves.iter().find(|pair| matches(pair)).cloned()
}

/// The joint move in which the other roles make their first legal move.
fn joint(view: &View, mover: Role, mv: Move) -> Vec<Move> {
    let of = |role: Role| if role == mover { mv } else { view.legal[role][0] };
    Role::all(view.legal.as_slice().len()).map(of).collect()
}
