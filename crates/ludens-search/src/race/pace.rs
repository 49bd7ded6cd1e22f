//! How long the moves of race games may take, and how many games that makes.

use std::time::Duration;

use ludens_core::{Budget, Game};

use crate::agent::Agent;
use crate::watch::Watch;

/// What a move of a match may take, as far as it is limited and known.
#[derive(Clone, Copy, Default)]
pub(super) struct Expected {
    pub time: Option<Duration>,
    pub units: Option<u64>,
}

/// How race games are played.
#[derive(Default)]
pub(super) struct Pace {
    /// What a move takes at least, if there is a clock.
    least: Option<Duration>,
    /// How long games are.
    plies: f64,
    /// Units of work a move, if they are limited.
    units: Option<u64>,
    /// Time a move, if it is limited.
    time: Option<Duration>,
}

/// The budget of a move is such that each challenger has about so many games…
const GAMES: f64 = 6.0;

/// …but at least what the measure needs for so many simulations: which candidate is better with fewer says
/// little about which is better in a match.
const LEAST: u64 = 16;

/// How often the measure thinks to find out how long that takes.
const THOUGHTS: u64 = 3;

/// A race is worth its time if each challenger can have each role so often.
const ROUNDS: usize = 1;

/// With each doubling of the time a move the measure gains so much, since the more simulations it makes the faster
/// they are, and with each doubling of the simulations this; it has a head start of so much in any case, since the
/// best of several looks better than it is, and not more than this.
const EACH_DOUBLING_OF_TIME: f64 = 0.05;
const EACH_DOUBLING_OF_UNITS: f64 = 0.02;
const FEWEST: f64 = 0.02;
const MOST: f64 = 0.25;

/// Simulations become shorter as a game progresses: those of a game take this part of what they would take if all
/// began where it begins.
const SHORTER: f64 = 0.5;

impl Pace {
    /// Finds out how long the measure takes at the beginning of a game, and how long its simulations are. The
    /// first thought of all takes longer than others, and what else a machine does adds to each: the shortest of
    /// some counts.
    pub(super) fn of<G: Game>(
        measure: &mut dyn Agent<G>,
        start: &G::State,
        budget: &Budget,
    ) -> Self {
        let mut pace = Pace { plies: 1.0, ..Pace::default() };
        for thought in 0..THOUGHTS {
            measure.begin(thought);
            let few = budget.clone().with_iterations(LEAST);
            let (report, took) = budget.timed(|| measure.think(start, &few, &mut Watch::none()));
            pace.least = pace.least.map_or(took, |least| took.map(|took| took.min(least)));
            pace.plies = pace.plies.max(report.plies as f64 / report.iterations.max(1) as f64);
        }
        pace
    }

    /// How many games there can be in a race.
    fn games_in(&self, race: &Budget) -> f64 {
        let by_time = race.time_left().zip(self.least).map(|(time, least)| {
            let game = least.as_secs_f64() * self.plies * SHORTER;
            time.as_secs_f64() / game.max(f64::MIN_POSITIVE)
        });
        let by_units = race.iterations.map(|units| units as f64 / (LEAST as f64 * self.plies));
        by_time.into_iter().chain(by_units).fold(f64::INFINITY, f64::min)
    }

    /// Whether there is time for a race in which so many pairs of a challenger and a role are tried.
    pub(super) fn allows(&self, race: &Budget, n_pairs: usize) -> bool {
        self.games_in(race) >= (ROUNDS * n_pairs) as f64
    }

    /// Shares a race among games of so many plies. No move has more than one of the match.
    pub(super) fn share(
        &mut self,
        race: &Budget,
        plies: f64,
        n_challengers: usize,
        expected: Expected,
    ) {
        let part = race.part(1.0 / (GAMES * n_challengers.max(1) as f64 * plies.max(1.0)));
        let most = |units: u64| expected.units.map_or(units, |most| units.min(most));
        self.units = part.iterations.map(|units| most(units.max(LEAST)).max(1));
        let most = |time: Duration| expected.time.map_or(time, |most| time.min(most));
        self.time = part.time_left().max(self.least).map(most);
    }

    /// By how much a challenger must be ahead. Tree searches gain from time, and a race says the less about who
    /// is ahead in the match the more time the moves of the match have beside those of the race.
    pub(super) fn head_start(&self, expected: Expected) -> f64 {
        let gain = |each: f64, more: f64, race: f64| each * (more / race).max(1.0).log2();
        let by_time = expected.time.zip(self.time).map(|(more, race)| {
            gain(EACH_DOUBLING_OF_TIME, more.as_secs_f64(), race.as_secs_f64())
        });
        let by_units = expected.units.zip(self.units);
        let by_units =
            by_units.map(|(more, race)| gain(EACH_DOUBLING_OF_UNITS, more as f64, race as f64));
        let gain = by_time.into_iter().chain(by_units).reduce(f64::min);
        gain.map_or(MOST, |gain| gain.clamp(FEWEST, MOST))
    }

    /// What a move may cost.
    pub(super) fn of_a_move(&self, race: &Budget) -> Budget {
        let mut a_move = race.clone();
        a_move.iterations = self.units;
        match self.time {
            Some(time) => a_move.with_time(time),
            None => a_move,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of 10 plies in which a move takes so long at least, shared among three challengers.
    fn pace(least: Option<Duration>, race: &Budget) -> Pace {
        let mut pace = Pace { least, plies: 10.0, ..Pace::default() };
        pace.share(race, 10.0, 3, Expected::default());
        pace
    }

    #[test]
    fn a_race_wants_every_role_once_for_each_challenger() {
        // A game of 10 plies takes 160 simulations at least.
        for (units, pairs, allowed) in
            [(6 * 160 - 1, 6, false), (6 * 160, 6, true), (6 * 160, 9, false)]
        {
            let race = Budget::unlimited().with_iterations(units);
            assert_eq!(pace(None, &race).allows(&race, pairs), allowed, "{units} {pairs}");
        }
        // With more, moves have more: 18 games of 10 plies.
        let units = |n| pace(None, &Budget::unlimited().with_iterations(n)).units;
        assert_eq!((units(12 * 160), units(180 * 100)), (Some(16), Some(100)));
    }

    #[test]
    fn no_move_has_more_than_in_the_match_and_less_than_there_needs_a_head_start() {
        let race = Budget::unlimited().with_iterations(180 * 100);
        let shared = |units| {
            let expected = Expected { units: Some(units), time: None };
            let mut pace = Pace::default();
            pace.share(&race, 10.0, 3, expected);
            (pace.units, pace.head_start(expected))
        };
        assert_eq!(shared(10), (Some(10), FEWEST));
        assert_eq!(shared(800), (Some(100), 3.0 * EACH_DOUBLING_OF_UNITS));
        assert_eq!(shared(100 << 20), (Some(100), MOST));
        let quarter = Pace { time: Some(Duration::from_millis(250)), ..Pace::default() };
        let second = Expected { time: Some(Duration::from_secs(1)), units: None };
        assert!((quarter.head_start(second) - 2.0 * EACH_DOUBLING_OF_TIME).abs() < 1e-12);
        let unknown = Expected::default();
        assert_eq!((Pace::default().units, Pace::default().head_start(unknown)), (None, MOST));
    }

    #[test]
    fn time_counts_as_well() {
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
