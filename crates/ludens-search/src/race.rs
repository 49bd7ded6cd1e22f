//! Which agent plays? Before a game begins, candidates race against each other on the game itself, and
//! the winner plays: the outlook of Mańdziuk and Świechowski 2012, section 5.
//!
//! The first candidate is the measure. In a race game a challenger has one role and the measure has all
//! others, so that games of any number of roles, and those that are not won against an opponent,
//! are judged in the same way: by what the challenger got, less what the measure gets in its place. That
//! is found in games in which the measure has all roles; where all games are worth the same to all roles
//! together, it is known without them. A candidate that is clearly behind leaves the race, and when the
//! winner is clear, it prepares with the rest of the clock. Where there is no time for a race that
//! would tell anything, the measure plays and has all of the clock.

mod pace;
mod standings;

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Payoffs, Rng, Role, View};

use pace::{Expected, Pace};
pub use standings::Score;
use standings::Standings;

use crate::agent::{Agent, Report};
use crate::heuristic::Lesson;
use crate::watch::Watch;

/// An agent that may play.
pub struct Candidate<G: Game> {
    /// By which users know it.
    pub name: String,
    /// The agent.
    pub agent: Box<dyn Agent<G>>,
}

/// Lets candidates race, and plays as the winner does.
pub struct Race<G: Game> {
    game: Arc<G>,
    candidates: Vec<Candidate<G>>,
    /// The evaluation function that candidates share.
    lesson: Lesson<G>,
    chosen: usize,
    /// What was found in the last race.
    standings: Standings,
    /// What a move of a match may take.
    expected: Expected,
    rng: Rng,
    seed: u64,
}

/// This part of the clock goes into the evaluation function, the next into race games, and the rest into
/// preparing the winner.
const LEARNING: f64 = 0.3;
const RACING: f64 = 0.4;

/// An evaluation function that rests on so many games is good enough to race with; if it wins, it learns more.
const LESSON: u64 = 12_000;

/// A race game that is longer than this is abandoned.
const LONGEST: usize = 2_000;

impl<G: Game> Race<G> {
    /// A race of some candidates, of which the first one is the measure; there must be one.
    pub fn new(game: Arc<G>, lesson: Lesson<G>, candidates: Vec<Candidate<G>>) -> Self {
        assert!(!candidates.is_empty(), "somebody has to play");
        let standings = Standings::new(candidates.len(), game.roles().len());
        let (expected, rng, seed) = (Expected::default(), Rng::new(0), 0);
        Race { game, candidates, lesson, chosen: 0, standings, expected, rng, seed }
    }

    /// The name of the candidate that plays.
    pub fn chosen(&self) -> &str {
        &self.candidates[self.chosen].name
    }

    /// What was found in the last race, in the order of the candidates.
    pub fn scores(&self) -> &[Score] {
        self.standings.scores()
    }

    /// Lets challengers play in turn until the winner is clear, or the budget is spent. Returns how many
    /// units of work are left, if they are limited.
    fn race(&mut self, start: &G::State, pace: &Pace, budget: &Budget) -> Option<u64> {
        let mut left = budget.iterations;
        while let Some((challenger, role)) = self.standings.next() {
            let game = self.play(start, (challenger, role), pace, budget);
            let spent = game.as_ref().map_or(0, |(_, spent)| *spent);
            left = left.map(|left| left.saturating_sub(spent));
            let Some((payoffs, _)) = game else { break };
            self.standings.note(challenger, role, &payoffs);
            self.standings.drop_those_behind();
            if self.standings.is_decided() || budget.is_over() || left == Some(0) {
                break;
            }
        }
        left
    }

    /// A race game: what it was worth, and how many units of work it took. `None` if it could not be
    /// ended.
    fn play(
        &mut self,
        start: &G::State,
        (challenger, role): (usize, Role),
        pace: &Pace,
        budget: &Budget,
    ) -> Option<(Payoffs, u64)> {
        for who in [0, challenger] {
            let seed = self.rng.next_u64();
            self.candidates[who].agent.begin(seed);
        }
        let (mut state, mut view, mut spent) = (start.clone(), View::default(), 0);
        for _ in 0..LONGEST {
            self.game.look(&state, &mut view);
            if view.terminal {
                return Some((view.payoffs, spent));
            }
            if budget.is_over() || view.legal.iter().any(Vec::is_empty) {
                return None;
            }
            let a_move = pace.of_a_move(budget);
            let joint = self.decide(&state, &view, (challenger, role), &a_move, &mut spent);
            self.game.play(&mut state, &joint);
            self.candidates[0].agent.advance(&joint);
            if challenger != 0 {
                self.candidates[challenger].agent.advance(&joint);
            }
        }
        None
    }

    /// The moves of all roles. A candidate that decides for several roles thinks once.
    fn decide(
        &mut self,
        state: &G::State,
        view: &View,
        (challenger, role): (usize, Role),
        budget: &Budget,
        spent: &mut u64,
    ) -> Vec<Move> {
        let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        let sitting = |of: Role| if of == role { challenger } else { 0 };
        let deciders = Role::all(joint.len()).filter(|&of| view.legal[of].len() > 1);
        let deciders: Vec<(usize, Role)> = deciders.map(|of| (sitting(of), of)).collect();
        for who in 0..self.candidates.len() {
            let own = deciders.iter().filter(|(sits, _)| *sits == who).map(|&(_, of)| of);
            let mut own = own.peekable();
            if own.peek().is_none() {
                continue;
            }
            let report = self.candidates[who].agent.think(state, budget, &mut Watch::none());
            *spent += budget.iterations.unwrap_or(report.iterations);
            for of in own {
                joint[of.index()] = report.best(of).unwrap_or(joint[of.index()]);
            }
        }
        joint
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
        let measure = &mut *self.candidates[0].agent;
        let mut pace = Pace::of(measure, state, budget);
        if !pace.allows(&budget.part(RACING), n_challengers * n_roles) || n_challengers == 0 {
            self.chosen = 0;
            measure.begin(self.seed);
            return measure.prepare(state, budget);
        }
        let (whole, mut learning) = (budget.time_left(), budget.part(LEARNING));
        let games = learning.iterations;
        learning.iterations = Some(games.map_or(LESSON, |games| games.min(LESSON)));
        let spared = games.map_or(0, |games| games.saturating_sub(LESSON));
        let evaluator = self.lesson.learn(&self.game, state, &learning, self.seed);
        let left = whole.zip(budget.time_left());
        let left = left.map_or(1.0, |(whole, left)| left.as_secs_f64() / whole.as_secs_f64());
        let mut race = budget.part((RACING / left).min(1.0));
        race.iterations = budget.part(RACING).iterations;
        pace.share(&race, evaluator.heuristic().mean_plies, n_challengers, self.expected);
        self.standings.head_start = pace.head_start(self.expected);
        let unspent = self.race(state, &pace, &race);
        self.chosen = self.standings.choose();
        let chosen = &mut self.candidates[self.chosen].agent;
        chosen.begin(self.seed);
        let mut rest = budget.clone();
        rest.iterations = budget.part(1.0 - LEARNING - RACING).iterations;
        let unspent = rest.iterations.zip(unspent);
        rest.iterations = unspent.map(|(rest, unspent)| rest + unspent + spared);
        let report = chosen.prepare(state, &rest);
        self.lesson.conclude();
        report
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
