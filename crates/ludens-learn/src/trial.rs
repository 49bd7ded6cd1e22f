//! Trial games: a search with a network against one with playouts, with the same time a move.
//!
//! What [`crate::evidence`] measures, how well values predict results, is not how well a search plays with them: one
//! with playouts may have many times the leaves, and the other has priors. Games decide, as far as there are
//! enough of them.

use std::fmt;
use std::time::Duration;

use ludens_core::{Budget, Game, Rng};
use ludens_search::{Agent, Duel};
use serde::{Deserialize, Serialize};

use crate::playout_mix::OUTWEIGHED;
use crate::random_games::visit_positions;

/// The result of trial games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// The number of games in which the search with the network had a role.
    pub games: u32,
    /// Its mean payoff, minus that of the search with playouts in its place.
    pub lead: f64,
    /// The seconds that each of both had for a move.
    pub seconds: f64,
}

/// The most games of a trial.
const MAX_GAMES: u32 = 24;

/// Moves have the time with which this many games would fit.
const TARGET_GAMES: f64 = 12.0;

/// From these positions of random games the length of a game is estimated.
const N_POSITIONS: usize = 2_000;

/// The searches of a trial.
pub struct Sides<'a, G: Game> {
    /// With the network.
    pub network: &'a mut dyn Agent<G>,
    /// With playouts.
    pub playouts: &'a mut dyn Agent<G>,
}

impl Trial {
    /// Plays trial games from a state until the time is over, with at most this time for a move; `None` if not time
    /// alone is limited, or if there is none for a game in every role.
    pub fn play<G: Game>(
        game: &G,
        start: &G::State,
        sides: Sides<'_, G>,
        max_move_time: Option<Duration>,
        seed: u64,
        budget: &Budget,
    ) -> Option<Trial> {
        let time = budget.time_left().filter(|_| budget.iterations.is_none())?;
        let mut n_over = 0;
        visit_positions(game, N_POSITIONS, &mut Rng::new(seed), |_, view| {
            n_over += usize::from(view.is_over());
        });
        let plies = N_POSITIONS as f64 / n_over.max(1) as f64;
        let fitting = time.div_f64(TARGET_GAMES * plies);
        let move_time = max_move_time.map_or(fitting, |max| max.min(fitting));
        let duel = Duel { game, start, move_time, max_games: MAX_GAMES, seed };
        let shown = duel.play(sides.playouts, sides.network, budget)?;
        let seconds = move_time.as_secs_f64().max(f64::MIN_POSITIVE);
        Some(Trial { games: shown.games, lead: shown.lead, seconds })
    }

    /// Both trials of a network together.
    #[must_use]
    pub fn and(self, other: Trial) -> Trial {
        let games = self.games + other.games;
        let share = f64::from(other.games) / f64::from(games.max(1));
        let mean = |own: f64, other: f64| own + share * (other - own);
        Trial {
            games,
            lead: mean(self.lead, other.lead),
            seconds: mean(self.seconds, other.seconds),
        }
    }

    /// Whether the numbers are possible.
    pub(crate) fn is_valid(&self) -> bool {
        (-1.0..=1.0).contains(&self.lead) && self.seconds.is_finite() && self.seconds > 0.0
    }
}

/// In words for users.
impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.lead < 0.0 { "behind" } else { "ahead of" };
        let (points, millis) = (100.0 * self.lead.abs(), 1000.0 * self.seconds);
        write!(
            f,
            "{relation} a search with playouts by {points:.0} points in {} games with {millis:.1} ms a move",
            self.games
        )
    }
}

/// What is known about how well a network plays.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Worth {
    /// The weight of random playouts beside its values that results suggest, from 0 to 1.
    pub playouts: f32,
    /// Trial games, if there were any.
    pub trial: Option<Trial>,
}

/// Without trial games, the lead that is expected of a network beside which playouts are worth nothing.
const MAX_EXPECTED_LEAD: f64 = 0.5;

/// The number of trial games that count as much as this expectation.
const EXPECTATION_GAMES: f64 = 4.0;

/// The lead that a search with playouts gains with each doubling of the time, if they are worth as much as the network:
/// systematic errors of a network stay, those of playouts become smaller. A network of connect four beside which
/// they were worth 0.67 had 83.8, 63.8 and 50.0 % against `uct` with 10 ms, 0.1 s and 1 s a move.
const GAIN_PER_DOUBLING: f64 = 0.06;

/// The time of a move for which the expectation without trial games was found.
const EXPECTATION_SECONDS: f64 = 0.1;

impl Worth {
    /// The lead of a search with the network over one with playouts that is expected with this time for a move; if it is
    /// not limited, with that of the trial.
    pub fn lead(&self, move_time: Option<Duration>) -> f64 {
        let playouts = f64::from(self.playouts);
        let prior = MAX_EXPECTED_LEAD * (1.0 - playouts / f64::from(OUTWEIGHED));
        let later = |seconds: f64| {
            let Some(time) = move_time else { return 0.0 };
            let doublings = (time.as_secs_f64() / seconds).max(1.0).log2();
            GAIN_PER_DOUBLING * playouts * doublings
        };
        let Some(Trial { games, lead, seconds }) = self.trial else { return prior };
        let (prior, lead) = (prior - later(EXPECTATION_SECONDS), lead - later(seconds));
        let games = f64::from(games);
        (EXPECTATION_GAMES * prior + games * lead) / (EXPECTATION_GAMES + games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(playouts: f32, trial: Option<(u32, f64)>) -> Worth {
        let trial = trial.map(|(games, lead)| Trial { games, lead, seconds: 0.01 });
        Worth { playouts, trial }
    }

    #[test]
    fn playouts_lead_where_results_or_games_say_so() {
        for (playouts, trial, leads) in [
            (0.0, None, true),
            (0.8, None, true),
            (0.9, None, false),
            (0.9, Some((8, 0.4)), true),
            (0.3, Some((8, -0.4)), false),
            // Few games against a clear expectation.
            (0.0, Some((2, -0.5)), true),
        ] {
            let lead = worth(playouts, trial).lead(None);
            assert_eq!(lead > 0.0, leads, "{playouts} {trial:?}: {lead}");
        }
    }

    #[test]
    fn playouts_gain_from_time_as_far_as_they_are_worth_something() {
        let lead = |playouts, seconds| {
            let time = Duration::from_secs_f64(seconds);
            worth(playouts, Some((1000, 0.2))).lead(Some(time))
        };
        assert!((lead(0.7, 0.01) - 0.2).abs() < 0.01);
        assert!((lead(0.7, 0.001) - 0.2).abs() < 0.01, "less time is not extrapolated");
        assert!(lead(0.7, 10.0) < -0.1);
        assert!((lead(0.0, 10.0) - 0.2).abs() < 0.01);
    }

    #[test]
    fn trials_add_up_by_their_games() {
        let trial = |games, lead, seconds| Trial { games, lead, seconds };
        let both = trial(6, 0.5, 0.01).and(trial(2, -0.5, 0.05));
        assert!(both.games == 8 && (both.lead - 0.25).abs() < 1e-9);
        assert!((both.seconds - 0.02).abs() < 1e-9);
        assert_eq!(
            trial(8, -0.25, 0.02).to_string(),
            "behind a search with playouts by 25 points in 8 games with 20.0 ms a move"
        );
    }
}
