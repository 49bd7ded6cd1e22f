//! Online selection of an agent: before a match, candidates race against each other on the game itself,
//! and the winner plays the match: the outlook of Mańdziuk and Świechowski 2012, section 5.
//!
//! The first candidate is the baseline. In a race game a challenger has one role and the baseline has all
//! others, so that games of any number of roles, and those without opponents, are scored in the same way:
//! by the payoff of the challenger minus that of the baseline in the same role. The latter is estimated by
//! race games in which the baseline has all roles; if the payoffs of all race games have the same sum, it is
//! known without them. A candidate that is clearly behind is eliminated, and when the winner is clear, it
//! prepares with the rest of the clock. Candidates that must learn before they can race have a share of the
//! clock for it. If there is no time for a meaningful race, the baseline plays and has the whole clock.

mod duel;
mod game;
mod pace;
mod standings;

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Payoffs, Rng, Role};

pub use duel::{Duel, Lead};
use game::Seating;
use pace::{Expected, Pace};
pub use standings::Score;
use standings::Standings;

use crate::agent::{Agent, Report};
use crate::heuristic::Lesson;
use crate::watch::Watch;

/// An agent that takes part in a race.
pub struct Candidate<G: Game> {
    /// The name in reports.
    pub name: String,
    /// The agent.
    pub agent: Box<dyn Agent<G>>,
    /// The share of the start clock in which it prepares before the race.
    pub learning: f64,
}

/// Runs a race of candidates and plays as the winner.
pub struct Race<G: Game> {
    game: Arc<G>,
    candidates: Vec<Candidate<G>>,
    /// The evaluation function that candidates share.
    lesson: Lesson<G>,
    chosen: usize,
    /// The standings of the last race.
    standings: Standings,
    /// The budget of a move of the match.
    expected: Expected,
    rng: Rng,
    seed: u64,
}

/// The shares of the start clock for the evaluation function and for race games. The rest prepares the
/// winner, after candidates that learn have had their shares.
const LESSON_SHARE: f64 = 0.1;
const RACING_SHARE: f64 = 0.3;

/// An evaluation function from this many simulations is good enough to race with; if it wins, it learns more.
const LESSON_SIMULATIONS: u64 = 12_000;

/// A start clock that is divided into shares.
struct StartClock<'a> {
    budget: &'a Budget,
    whole: Option<Duration>,
}

impl<'a> StartClock<'a> {
    fn new(budget: &'a Budget) -> Self {
        StartClock { budget, whole: budget.time_left() }
    }

    /// This share of the whole clock, beginning now.
    fn share(&self, share: f64) -> Budget {
        let left = self.whole.zip(self.budget.time_left());
        let left = left.map_or(1.0, |(whole, left)| left.as_secs_f64() / whole.as_secs_f64());
        let mut budget = self.budget.part((share / left.max(share)).min(1.0));
        budget.iterations = self.budget.part(share).iterations;
        budget
    }
}

impl<G: Game> Race<G> {
    /// A race of candidates, of which the first one is the baseline; there must be at least one.
    pub fn new(game: Arc<G>, lesson: Lesson<G>, candidates: Vec<Candidate<G>>) -> Self {
        assert!(!candidates.is_empty(), "a race needs a candidate");
        let standings = Standings::new(candidates.len(), game.roles().len());
        let (expected, rng, seed) = (Expected::default(), Rng::new(0), 0);
        Race { game, candidates, lesson, chosen: 0, standings, expected, rng, seed }
    }

    /// The name of the candidate that plays the match.
    pub fn chosen(&self) -> &str {
        &self.candidates[self.chosen].name
    }

    /// The scores of the last race, in the order of the candidates.
    pub fn scores(&self) -> &[Score] {
        self.standings.scores()
    }

    /// Learns the evaluation function, and lets candidates learn. Returns the mean length of a game in plies,
    /// and the units of work that the function did not need.
    fn learn(&mut self, start: &G::State, clock: &StartClock<'_>) -> (f64, u64) {
        let mut lesson = clock.share(LESSON_SHARE);
        let games = lesson.iterations;
        lesson.iterations =
            Some(games.map_or(LESSON_SIMULATIONS, |games| games.min(LESSON_SIMULATIONS)));
        let evaluator = self.lesson.learn(&self.game, start, &lesson, self.seed);
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.learning > 0.0) {
            candidate.agent.begin(self.seed);
            candidate.agent.prepare(start, &clock.share(candidate.learning));
        }
        let unspent = games.map_or(0, |games| games.saturating_sub(LESSON_SIMULATIONS));
        (evaluator.heuristic().mean_plies, unspent)
    }

    /// Plays race games until the winner is clear or the budget is spent. Returns the units of work that
    /// are left, if they are limited.
    fn race(&mut self, start: &G::State, pace: &Pace, budget: &Budget) -> Option<u64> {
        let mut left = budget.iterations;
        while let Some((challenger, role)) = self.standings.next() {
            let game = self.play(start, (challenger, role), pace, budget);
            let spent = game.as_ref().map_or(0, |(_, spent)| *spent);
            left = left.map(|left| left.saturating_sub(spent));
            let Some((payoffs, _)) = game else { break };
            self.standings.record(challenger, role, &payoffs);
            self.standings.eliminate_clearly_behind();
            if self.standings.is_decided() || budget.is_over() || left == Some(0) {
                break;
            }
        }
        left
    }

    /// Plays a race game; returns its payoffs and the units of work spent, or `None` if it did not end.
    fn play(
        &mut self,
        start: &G::State,
        (challenger, role): (usize, Role),
        pace: &Pace,
        budget: &Budget,
    ) -> Option<(Payoffs, u64)> {
        for candidate in [0, challenger] {
            let seed = self.rng.next_u64();
            self.candidates[candidate].agent.begin_again(seed);
        }
        let mut seats = vec![0; self.game.roles().len()];
        seats[role.index()] = usize::from(challenger > 0);
        let seating = Seating { seats: &seats, move_budget: &|| pace.move_budget(budget), budget };
        let (baseline, challengers) = self.candidates.split_first_mut()?;
        let mut agents: Vec<&mut dyn Agent<G>> = vec![&mut *baseline.agent];
        if challenger > 0 {
            agents.push(&mut *challengers[challenger - 1].agent);
        }
        seating.play(&*self.game, start, &mut agents)
    }
}

impl<G: Game> Agent<G> for Race<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.candidates[self.chosen].agent.think(state, budget, watch)
    }

    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        self.expected = Expected { time, units };
        for candidate in &mut self.candidates {
            candidate.agent.expect(time, units);
        }
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        let (n_challengers, n_roles) = (self.candidates.len() - 1, self.game.roles().len());
        self.standings = Standings::new(self.candidates.len(), n_roles);
        let clock = StartClock::new(budget);
        let baseline = &mut *self.candidates[0].agent;
        let mut pace = Pace::measure(baseline, state, budget);
        if !pace.allows(&budget.part(RACING_SHARE), n_challengers * n_roles) || n_challengers == 0 {
            self.chosen = 0;
            baseline.begin(self.seed);
            return baseline.prepare(state, budget);
        }
        let (plies, unspent_lesson) = self.learn(state, &clock);
        let race = clock.share(RACING_SHARE);
        pace.share(&race, plies, n_challengers, self.expected);
        let handicaps = self.candidates.iter().map(|candidate| candidate.agent.handicap());
        self.standings.head_starts =
            handicaps.map(|handicap| pace.head_start(handicap, self.expected)).collect();
        let unspent = self.race(state, &pace, &race);
        self.chosen = self.standings.choose();
        let learning: f64 = self.candidates.iter().map(|candidate| candidate.learning).sum();
        let mut rest = budget.clone();
        rest.iterations = budget.part(1.0 - LESSON_SHARE - RACING_SHARE - learning).iterations;
        let unspent = rest.iterations.zip(unspent);
        rest.iterations = unspent.map(|(rest, unspent)| rest + unspent + unspent_lesson);
        for (i, candidate) in self.candidates.iter_mut().enumerate() {
            if i == self.chosen {
                candidate.agent.begin_again(self.seed);
            } else {
                // Its memory is free for the winner.
                candidate.agent.begin(self.seed);
            }
        }
        let report = self.candidates[self.chosen].agent.prepare(state, &rest);
        self.lesson.conclude();
        report
    }

    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        self.candidates[self.chosen].agent.ponder(state, budget);
    }

    fn remarks(&self) -> Vec<String> {
        let scores = self.candidates.iter().zip(self.scores());
        let shown = scores.map(|(candidate, score)| {
            format!("`{}` {:.2} in {} games", candidate.name, score.mean(), score.games)
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        let raced = self.scores().iter().any(|score| score.games > 0);
        let race = if raced { format!("the race: {shown}") } else { "no time for a race".into() };
        let mut remarks = vec![format!("`{}` plays; {race}", self.chosen())];
        remarks.extend(self.candidates[self.chosen].agent.remarks());
        remarks
    }

    fn advance(&mut self, joint: &[Move]) {
        self.candidates[self.chosen].agent.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        (self.seed, self.chosen, self.rng) = (seed, 0, Rng::new(seed));
        self.lesson.forget();
        for candidate in &mut self.candidates {
            candidate.agent.begin(seed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::heuristic::Construction;
    use crate::testgames::Nim;

    /// Plays the first legal moves, and notes the units of work that it is given.
    #[derive(Clone, Default)]
    struct Noting {
        searches: Arc<Mutex<Vec<u64>>>,
        preparations: Arc<Mutex<Vec<u64>>>,
    }

    impl Agent<Nim> for Noting {
        fn think(&mut self, _: &(u32, usize), budget: &Budget, _: &mut Watch<'_>) -> Report {
            self.searches.lock().unwrap().extend(budget.iterations);
            Report { moves: vec![Vec::new(); 2].into(), ..Report::default() }
        }

        fn prepare(&mut self, _: &(u32, usize), budget: &Budget) -> Report {
            self.preparations.lock().unwrap().extend(budget.iterations);
            Report::default()
        }

        fn begin(&mut self, _seed: u64) {}
    }

    #[test]
    fn the_winner_prepares_with_what_learning_and_the_race_have_left() {
        let (game, noting) = (Arc::new(Nim(9)), Noting::default());
        let candidate = |name: &str| Candidate::<Nim> {
            name: name.into(),
            agent: Box::new(noting.clone()),
            learning: 0.0,
        };
        let candidates = vec![candidate("baseline"), candidate("challenger")];
        let mut race =
            Race::new(Arc::clone(&game), Lesson::new(Construction::default()), candidates);
        race.prepare(&game.initial(), &Budget::unlimited().with_iterations(200_000));
        // The first three searches measure the pace.
        let raced: u64 = noting.searches.lock().unwrap()[3..].iter().sum();
        assert!(raced > 0);
        // The function takes 12,000 of its share of 20,000. The last game may exceed the share of the race, 60,000.
        let left = 8_000 + 60_000u64.saturating_sub(raced);
        assert_eq!(*noting.preparations.lock().unwrap(), [120_000 + left]);
    }
}
