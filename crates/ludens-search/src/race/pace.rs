//! The budget of a move in race games, and the number of games that it allows.

use std::time::Duration;

use ludens_core::{Budget, Game};

use crate::agent::Agent;
use crate::watch::Watch;

/// The budget of a move of the match, as far as it is limited and known.
#[derive(Clone, Copy, Default)]
pub(super) struct Expected {
    pub time: Option<Duration>,
    pub units: Option<u64>,
}

/// The time control of race games.
#[derive(Default)]
pub(super) struct Pace {
    /// The minimum time for a move, if there is a clock.
    min_time: Option<Duration>,
    /// The length of a game in joint moves.
    plies: f64,
    /// Units of work per move, if they are limited.
    units: Option<u64>,
    /// Time per move, if it is limited.
    time: Option<Duration>,
}

/// The budget of a move allows about this many games for each challenger…
const TARGET_GAMES: f64 = 6.0;

/// …but is at least what the baseline needs for this many simulations: which candidate is better with fewer
/// says little about which is better in a match.
const MIN_SIMULATIONS: u64 = 16;

/// How often the time for these simulations is measured.
const N_MEASUREMENTS: u64 = 3;

/// A race takes place if each challenger can play each role at least this often.
const MIN_ROUNDS: usize = 1;

/// The payoff that the baseline gains with each doubling of the time per move, since more simulations are also
/// faster ones, and with each doubling of the simulations; its minimum head start, since the best of several
/// candidates looks better than it is; and its maximum head start.
const GAIN_PER_TIME_DOUBLING: f64 = 0.05;
const GAIN_PER_UNIT_DOUBLING: f64 = 0.02;
const MIN_HEAD_START: f64 = 0.02;
const MAX_HEAD_START: f64 = 0.25;

/// Simulations become shorter as a game progresses: the mean length of the simulations of a game, relative to those
/// from its initial state.
const RELATIVE_LENGTH: f64 = 0.5;

impl Pace {
    /// Measures the time that the baseline takes in the initial state, and the length of its simulations. The
    /// first search takes longer than others, and other load on the machine adds to each, so the shortest time
    /// counts.
    pub(super) fn measure<G: Game>(
        baseline: &mut dyn Agent<G>,
        start: &G::State,
        budget: &Budget,
    ) -> Self {
        let mut pace = Pace { plies: 1.0, ..Pace::default() };
        for seed in 0..N_MEASUREMENTS {
            baseline.begin(seed);
            let minimal = budget.clone().with_iterations(MIN_SIMULATIONS);
            let (report, took) =
                budget.timed(|| baseline.think(start, &minimal, &mut Watch::none()));
            pace.min_time =
                pace.min_time.map_or(took, |min_time| took.map(|took| took.min(min_time)));
            pace.plies = pace.plies.max(report.plies as f64 / report.iterations.max(1) as f64);
        }
        pace
    }

    /// The number of games that fit into a race.
    fn games_in(&self, race: &Budget) -> f64 {
        let by_time = race.time_left().zip(self.min_time).map(|(time, min_time)| {
            let game = min_time.as_secs_f64() * self.plies * RELATIVE_LENGTH;
            time.as_secs_f64() / game.max(f64::MIN_POSITIVE)
        });
        let by_units =
            race.iterations.map(|units| units as f64 / (MIN_SIMULATIONS as f64 * self.plies));
        by_time.into_iter().chain(by_units).fold(f64::INFINITY, f64::min)
    }

    /// Whether there is time for a race with `n_pairs` pairs of a challenger and a role.
    pub(super) fn allows(&self, race: &Budget, n_pairs: usize) -> bool {
        self.games_in(race) >= (MIN_ROUNDS * n_pairs) as f64
    }

    /// Divides the budget of a race among games of `plies` plies. No move has more than a move of the match.
    pub(super) fn share(
        &mut self,
        race: &Budget,
        plies: f64,
        n_challengers: usize,
        expected: Expected,
    ) {
        let part = race.part(1.0 / (TARGET_GAMES * n_challengers.max(1) as f64 * plies.max(1.0)));
        let capped = |units: u64| expected.units.map_or(units, |max| units.min(max));
        self.units = part.iterations.map(|units| capped(units.max(MIN_SIMULATIONS)).max(1));
        let capped = |time: Duration| expected.time.map_or(time, |max| time.min(max));
        self.time = part.time_left().max(self.min_time).map(capped);
    }

    /// By how much a challenger with this handicap must be ahead. Tree searches gain from time, and a race is the
    /// less predictive of the match the more time the moves of the match have compared with those of the race.
    pub(super) fn head_start(&self, handicap: f64, expected: Expected) -> f64 {
        let gain =
            |each: f64, more: f64, race: f64| handicap * each * (more / race).max(1.0).log2();
        let by_time = expected.time.zip(self.time).map(|(more, race)| {
            gain(GAIN_PER_TIME_DOUBLING, more.as_secs_f64(), race.as_secs_f64())
        });
        let by_units = expected.units.zip(self.units);
        let by_units =
            by_units.map(|(more, race)| gain(GAIN_PER_UNIT_DOUBLING, more as f64, race as f64));
        let gain = by_time.into_iter().chain(by_units).reduce(f64::min);
        gain.unwrap_or(f64::INFINITY).min(handicap * MAX_HEAD_START).max(MIN_HEAD_START)
    }

    /// The budget of a move.
    pub(super) fn move_budget(&self, race: &Budget) -> Budget {
        let mut move_budget = race.clone();
        move_budget.iterations = self.units;
        match self.time {
            Some(time) => move_budget.with_time(time),
            None => move_budget,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of 10 plies with a minimum time per move, for three challengers.
    fn pace(min_time: Option<Duration>, race: &Budget) -> Pace {
        let mut pace = Pace { min_time, plies: 10.0, ..Pace::default() };
        pace.share(race, 10.0, 3, Expected::default());
        pace
    }

    #[test]
    fn a_race_needs_a_game_of_each_challenger_in_each_role() {
        // A game of 10 plies takes at least 160 simulations.
        for (units, pairs, allowed) in
            [(6 * 160 - 1, 6, false), (6 * 160, 6, true), (6 * 160, 9, false)]
        {
            let race = Budget::unlimited().with_iterations(units);
            assert_eq!(pace(None, &race).allows(&race, pairs), allowed, "{units} {pairs}");
        }
        // A larger budget is divided among 18 games of 10 plies.
        let units = |n| pace(None, &Budget::unlimited().with_iterations(n)).units;
        assert_eq!((units(12 * 160), units(180 * 100)), (Some(16), Some(100)));
    }

    #[test]
    fn moves_have_at_most_the_budget_of_the_match_and_less_requires_a_head_start() {
        let race = Budget::unlimited().with_iterations(180 * 100);
        let shared = |units| {
            let expected = Expected { units: Some(units), time: None };
            let mut pace = Pace::default();
            pace.share(&race, 10.0, 3, expected);
            (pace.units, pace.head_start(1.0, expected))
        };
        assert_eq!(shared(10), (Some(10), MIN_HEAD_START));
        assert_eq!(shared(800), (Some(100), 3.0 * GAIN_PER_UNIT_DOUBLING));
        assert_eq!(shared(100 << 20), (Some(100), MAX_HEAD_START));
        let quarter = Pace { time: Some(Duration::from_millis(250)), ..Pace::default() };
        let second = Expected { time: Some(Duration::from_secs(1)), units: None };
        assert!((quarter.head_start(1.0, second) - 2.0 * GAIN_PER_TIME_DOUBLING).abs() < 1e-12);
        let unknown = Expected::default();
        assert_eq!(
            (Pace::default().units, Pace::default().head_start(1.0, unknown)),
            (None, MAX_HEAD_START)
        );
        // Who has a smaller handicap needs less, but the minimum at least.
        assert!((quarter.head_start(0.0, second) - MIN_HEAD_START).abs() < 1e-12);
        assert!((quarter.head_start(0.5, second) - GAIN_PER_TIME_DOUBLING).abs() < 1e-12);
    }

    #[test]
    fn time_limits_the_race_as_well() {
        let race = Budget::unlimited().with_time(Duration::from_secs(1000));
        let pace = |millis| pace(Some(Duration::from_millis(millis)), &race);
        // A game takes half of 10 plies at a second each: there is time for 200 of them.
        assert!((pace(1000).games_in(&race) - 200.0).abs() < 10.0);
        assert_eq!((pace(1000).units, pace(9000).time), (None, Some(Duration::from_secs(9))));
        // 18 games of 10 plies in 1000 s.
        let time = pace(1).time.expect("there is a clock");
        assert!((5.0..6.0).contains(&time.as_secs_f64()), "{time:?}");
    }
}
