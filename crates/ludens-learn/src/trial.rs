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

/// How to search with what a training has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// With the network alone.
    Network,
    /// With the network, and playouts blended into its values.
    Blend,
    /// With playouts alone.
    Playouts,
}

/// A search for each way.
pub struct Searches<G: Game> {
    /// With the network alone.
    pub network: Box<dyn Agent<G>>,
    /// With the network, and playouts blended into its values.
    pub blend: Box<dyn Agent<G>>,
    /// With playouts alone.
    pub playouts: Box<dyn Agent<G>>,
}

impl<G: Game> Searches<G> {
    /// The search for a way.
    pub fn by(&mut self, way: Way) -> &mut dyn Agent<G> {
        match way {
            Way::Network => &mut *self.network,
            Way::Blend => &mut *self.blend,
            Way::Playouts => &mut *self.playouts,
        }
    }

    /// All of them.
    pub(crate) fn each(&mut self) -> [&mut dyn Agent<G>; 3] {
        [&mut *self.network, &mut *self.blend, &mut *self.playouts]
    }
}

/// Trial games of both ways that use the network.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Trials {
    /// Of the network alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Trial>,
    /// Of the network with playouts blended into its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<Trial>,
}

/// A blend is tried if playouts are worth at least this and at most that: else it is nearly the same as one of the other
/// ways, but slower.
const BLENDED: std::ops::RangeInclusive<f32> = 0.4..=0.97;

/// Where trial games begin, and how much time there is.
pub struct TrialTerms<'a, G: Game> {
    /// Where games begin.
    pub start: &'a G::State,
    /// The maximum time of a move.
    pub max_move_time: Option<Duration>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The time of all games.
    pub budget: &'a Budget,
}

impl Trials {
    /// Plays trial games with a network beside which playouts are worth this; none if not time alone is limited.
    pub fn play<G: Game>(
        game: &G,
        searches: &mut Searches<G>,
        playouts: f32,
        terms: &TrialTerms<'_, G>,
    ) -> Trials {
        if terms.budget.time_left().is_none() || terms.budget.iterations.is_some() {
            return Trials::default();
        }
        let mut n_over = 0;
        visit_positions(game, N_POSITIONS, &mut Rng::new(terms.seed), |_, view| {
            n_over += usize::from(view.is_over());
        });
        let plies = N_POSITIONS as f64 / n_over.max(1) as f64;
        let Searches { network, blend, playouts: baseline } = searches;
        let tries_blend = BLENDED.contains(&playouts);
        let first = terms.budget.part(if tries_blend { 0.5 } else { 1.0 });
        let network = terms.play(game, plies, [&mut **baseline, &mut **network], &first);
        let blend = tries_blend
            .then(|| terms.play(game, plies, [&mut **baseline, &mut **blend], terms.budget));
        Trials { network, blend: blend.flatten() }
    }

    /// These and others of the same network.
    #[must_use]
    pub fn and(self, other: Trials) -> Trials {
        let both = |own: Option<Trial>, other: Option<Trial>| match (own, other) {
            (Some(own), Some(other)) => Some(own.and(other)),
            (own, other) => own.or(other),
        };
        Trials { network: both(self.network, other.network), blend: both(self.blend, other.blend) }
    }

    /// Whether the numbers are possible.
    pub(crate) fn are_valid(&self) -> bool {
        self.network.iter().chain(&self.blend).all(Trial::is_valid)
    }

    /// What they have shown, in words for users.
    pub fn remarks(&self) -> Vec<String> {
        let network = self.network.map(|trial| format!("the network was {trial}"));
        let blend = self.blend.map(|trial| format!("blended with playouts it was {trial}"));
        network.into_iter().chain(blend).collect()
    }
}

impl<G: Game> TrialTerms<'_, G> {
    /// Plays until the time is over; `None` if there is none for a game in every role.
    fn play(
        &self,
        game: &G,
        plies: f64,
        [baseline, challenger]: [&mut dyn Agent<G>; 2],
        budget: &Budget,
    ) -> Option<Trial> {
        let fitting = budget.time_left()?.div_f64(TARGET_GAMES * plies);
        let move_time = self.max_move_time.map_or(fitting, |max| max.min(fitting));
        let (start, max_games, seed) = (self.start, MAX_GAMES, self.seed);
        let duel = Duel { game, start, move_time, max_games, seed };
        let shown = duel.play(baseline, challenger, budget)?;
        let seconds = move_time.as_secs_f64().max(f64::MIN_POSITIVE);
        Some(Trial { games: shown.games, lead: shown.lead, seconds })
    }
}

impl Trial {
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
    pub trials: Trials,
}

/// Without trial games, the lead that is expected of a network beside which playouts are worth nothing.
const MAX_EXPECTED_LEAD: f64 = 0.5;

/// The same of a blend: it was behind in most games ([`OUTWEIGHED`]).
const EXPECTED_BLEND_LEAD: f64 = -0.1;

/// The number of trial games that count as much as this expectation.
const EXPECTATION_GAMES: f64 = 4.0;

/// How much of its lead a network loses with each doubling of the time, if playouts are worth as much: its systematic errors
/// stay. On hex (0.68) one had 82.5, 60.0 and 37.5 % against `uct` with 32 ms, 128 ms and 0.5 s a move, on connect four
/// (0.67) another 83.8, 63.8 and 50.0 % with 10 ms, 0.1 s and 1 s.
const LOSS_OF_NETWORK: f64 = 0.16;

/// The same of a blend: that of hex had 95.0, 60.0 and 77.5 %.
const LOSS_OF_BLEND: f64 = 0.06;

/// The time of a move for which the expectation without trial games was found.
const EXPECTATION_SECONDS: f64 = 0.1;

impl Worth {
    /// The best way to search with this time for a move; if it is not limited, with that of the trials.
    pub fn best(&self, move_time: Option<Duration>) -> Way {
        let leads = [Way::Network, Way::Blend].map(|way| (way, self.lead(way, move_time)));
        let best = leads.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.filter(|&(_, lead)| lead >= 0.0).map_or(Way::Playouts, |(way, _)| way)
    }

    /// The lead over a search with playouts that is expected.
    fn lead(&self, way: Way, move_time: Option<Duration>) -> f64 {
        let playouts = f64::from(self.playouts);
        let (prior, trial, loss) = match way {
            Way::Network => {
                let prior = MAX_EXPECTED_LEAD * (1.0 - playouts / f64::from(OUTWEIGHED));
                (prior, self.trials.network, LOSS_OF_NETWORK)
            }
            Way::Blend => (EXPECTED_BLEND_LEAD, self.trials.blend, LOSS_OF_BLEND),
            Way::Playouts => return 0.0,
        };
        let later = |seconds: f64| {
            let Some(time) = move_time else { return 0.0 };
            let doublings = (time.as_secs_f64() / seconds).max(1.0).log2();
            loss * playouts * doublings
        };
        let Some(Trial { games, lead, seconds }) = trial else { return prior };
        let (prior, lead) = (prior - later(EXPECTATION_SECONDS), lead - later(seconds));
        let games = f64::from(games);
        (EXPECTATION_GAMES * prior + games * lead) / (EXPECTATION_GAMES + games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(games: u32, lead: f64, seconds: f64) -> Trial {
        Trial { games, lead, seconds }
    }

    fn worth(playouts: f32, network: Option<(u32, f64)>, blend: Option<(u32, f64)>) -> Worth {
        let [network, blend] =
            [network, blend].map(|shown| shown.map(|(games, lead)| trial(games, lead, 0.01)));
        Worth { playouts, trials: Trials { network, blend } }
    }

    #[test]
    fn results_and_games_decide() {
        for (playouts, network, blend, best) in [
            (0.0, None, None, Way::Network),
            (0.8, None, None, Way::Network),
            (0.9, None, None, Way::Playouts),
            (0.9, Some((8, 0.4)), None, Way::Network),
            (0.3, Some((8, -0.4)), None, Way::Playouts),
            // Few games against a clear expectation.
            (0.0, Some((2, -0.5)), None, Way::Network),
            (0.8, Some((8, 0.1)), Some((8, 0.4)), Way::Blend),
            (0.8, Some((8, -0.4)), Some((8, -0.2)), Way::Playouts),
        ] {
            let worth = worth(playouts, network, blend);
            assert_eq!(worth.best(None), best, "{worth:?}");
        }
    }

    /// A network of hex: with more time the blend is better, and with still more time playouts are.
    #[test]
    fn playouts_gain_from_time_as_far_as_they_are_worth_something() {
        let best = |playouts, seconds| {
            let worth = worth(playouts, Some((1000, 0.4)), Some((1000, 0.3)));
            worth.best(Some(Duration::from_secs_f64(seconds)))
        };
        let ways = [0.001, 0.01, 0.1, 1000.0].map(|seconds| best(0.7, seconds));
        assert_eq!(ways, [Way::Network, Way::Network, Way::Blend, Way::Playouts]);
        assert_eq!(best(0.0, 1000.0), Way::Network);
    }

    #[test]
    fn trials_add_up_by_their_games() {
        let both = trial(6, 0.5, 0.01).and(trial(2, -0.5, 0.05));
        assert!(both.games == 8 && (both.lead - 0.25).abs() < 1e-9);
        assert!((both.seconds - 0.02).abs() < 1e-9);
        let one = Trials { network: Some(trial(6, 0.5, 0.01)), blend: None };
        let other = Trials { network: Some(trial(2, -0.5, 0.05)), blend: Some(both) };
        assert_eq!(one.and(other), Trials { network: Some(both), blend: Some(both) });
        let remark = "the network was ahead of a search with playouts by 25 points in 8 games with 20.0 ms a move";
        assert_eq!(one.and(other).remarks()[0], remark);
        assert!(trial(8, -0.25, 0.02).to_string().starts_with("behind a search with playouts"));
    }
}
