//! Which agent plays? Before a game begins, candidates race against each other on the game itself, and
//! the winner plays: the outlook of Mańdziuk and Świechowski 2012, section 5.
//!
//! The first candidate is the measure. In a race game a challenger has one role and the measure has all
//! others, so that games of any number of roles, and those that are not about winning against somebody,
//! are judged in the same way: by what the challenger got, less what the measure gets in its place. That
//! is found in games in which the measure has all roles; where all games are worth the same to all roles
//! together, it is known without them.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Payoffs, Rng, Role, View};

use crate::agent::{Agent, Report, Watch};
use crate::heuristic::Lesson;

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
    /// What was found in the last race; one entry for each candidate.
    scores: Vec<Score>,
    /// What games were worth to their roles on average.
    worth: Worth,
    mean_plies: f64,
    rng: Rng,
    seed: u64,
}

/// What a candidate got in race games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    /// How many games it has played in.
    pub games: u32,
    /// What they were worth to it, in all.
    pub sum: f64,
}

impl Score {
    fn add(&mut self, payoff: f64) {
        self.games += 1;
        self.sum += payoff;
    }

    /// What it got on average.
    pub fn mean(self) -> f64 {
        self.sum / f64::from(self.games.max(1))
    }
}

/// What games are worth to their roles on average, whoever plays.
#[derive(Clone, Copy, Default)]
struct Worth {
    games: u32,
    /// The mean payoff of the first game, as long as all others had the same.
    each: Option<f64>,
}

/// After so many games of the same worth, all others are taken to have it too.
const ENOUGH: u32 = 4;

impl Worth {
    fn note(&mut self, mean: f64) {
        let same = self.each.is_some_and(|each| (each - mean).abs() < 1e-6);
        self.each = (self.games == 0 || same).then_some(mean);
        self.games += 1;
    }

    /// What every game is worth, if that is known.
    fn known(&self) -> Option<f64> {
        self.each.filter(|_| self.games >= ENOUGH)
    }
}

/// This part of the clock goes into the evaluation function, the next into race games, and the rest into
/// getting the winner ready.
const LEARNING: f64 = 0.25;
const RACING: f64 = 0.6;

/// The budget of a move in a race game is such that each challenger has about so many games…
const GAMES: f64 = 12.0;

/// …but at least what the measure needs for so many simulations: who is better with fewer says little about
/// who is better in earnest.
const LEAST: u64 = 32;

/// An advantage that was seen in so many games counts for half.
const HALF_TRUSTED: f64 = 6.0;

/// A race game that has gone on for so long is given up.
const LONGEST: usize = 2_000;

impl<G: Game> Race<G> {
    /// A race of some candidates, of which the first one is the measure; there must be one.
    pub fn new(game: Arc<G>, lesson: Lesson<G>, candidates: Vec<Candidate<G>>) -> Self {
        assert!(!candidates.is_empty(), "somebody has to play");
        let scores = vec![Score::default(); candidates.len()];
        let (rng, seed) = (Rng::new(0), 0);
        let worth = Worth::default();
        Race { game, candidates, lesson, chosen: 0, scores, worth, mean_plies: 1.0, rng, seed }
    }

    /// Who plays.
    pub fn chosen(&self) -> &str {
        &self.candidates[self.chosen].name
    }

    /// What was found in the last race, in the order of the candidates.
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// What a move of a race game may cost: units of work and time, as far as they are limited.
    fn pace(&mut self, start: &G::State, budget: &Budget) -> (Option<u64>, Option<Duration>) {
        let n_challengers = (self.candidates.len() - 1).max(1) as f64;
        let part = budget.part(1.0 / (GAMES * n_challengers * self.mean_plies.max(1.0)));
        let before = budget.time_left();
        self.candidates[0].agent.think(start, &budget.clone().with_iterations(LEAST));
        let least =
            before.zip(budget.time_left()).map(|(before, after)| before.saturating_sub(after));
        (part.iterations.map(|units| units.max(LEAST)), part.time_left().max(least))
    }

    /// Lets all challengers play in turn until the budget is spent.
    fn race(&mut self, start: &G::State, budget: &Budget) {
        let (n_roles, n) = (self.game.roles().len(), self.candidates.len());
        if n == 1 {
            return;
        }
        let pace = self.pace(start, budget);
        let mut left = budget.iterations;
        for round in 0.. {
            let (challenger, role) = (round % n, Role((round / n % n_roles) as u8));
            if challenger == 0 && self.worth.known().is_some() {
                continue;
            }
            let Some((payoffs, spent)) = self.play(start, (challenger, role), pace, budget) else {
                return;
            };
            self.note(challenger, role, &payoffs);
            left = left.map(|left| left.saturating_sub(spent));
            if budget.is_over() || left == Some(0) {
                return;
            }
        }
    }

    /// The measure sits at every role at once, so that all of them count.
    fn note(&mut self, challenger: usize, role: Role, payoffs: &Payoffs) {
        let sum: f64 = payoffs.iter().map(|&payoff| f64::from(payoff)).sum();
        let mean = sum / payoffs.n_roles() as f64;
        self.worth.note(mean);
        self.scores[challenger].add(if challenger == 0 { mean } else { payoffs[role].into() });
    }

    /// A race game: what it was worth, and how many units of work it took. `None` if it could not be
    /// ended.
    fn play(
        &mut self,
        start: &G::State,
        (challenger, role): (usize, Role),
        (units, time): (Option<u64>, Option<Duration>),
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
            let mut a_move = budget.clone();
            a_move.iterations = units;
            if let Some(time) = time {
                a_move = a_move.with_time(time);
            }
            let joint = self.decide(&state, &view, (challenger, role), &a_move, &mut spent);
            self.game.play(&mut state, &joint);
            self.candidates[0].agent.advance(&joint);
            if challenger != 0 {
                self.candidates[challenger].agent.advance(&joint);
            }
        }
        None
    }

    /// The moves of all roles. Whoever decides for several roles thinks once.
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
            let report = self.candidates[who].agent.think(state, budget);
            *spent += budget.iterations.unwrap_or(report.iterations);
            for of in own {
                joint[of.index()] = report.best(of).unwrap_or(joint[of.index()]);
            }
        }
        joint
    }

    /// The candidate with the largest advantage over the measure, as far as it can be trusted.
    fn choose(&self) -> usize {
        let measure = self.worth.known().unwrap_or_else(|| self.scores[0].mean());
        let trusted = |score: &Score| {
            let games = f64::from(score.games);
            (score.mean() - measure) * games / (games + HALF_TRUSTED)
        };
        let mut best = (0, 0.0);
        for (challenger, score) in self.scores.iter().enumerate().skip(1) {
            let advantage = if self.scores[0].games == 0 { 0.0 } else { trusted(score) };
            if advantage > best.1 {
                best = (challenger, advantage);
            }
        }
        best.0
    }
}

/// A share of the whole budget, of which another share is left.
fn portion(budget: &Budget, share: f64, left: f64) -> Budget {
    let mut portion = budget.part(share / left);
    portion.iterations = budget.part(share).iterations;
    portion
}

impl<G: Game> Agent<G> for Race<G> {
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.candidates[self.chosen].agent.think(state, budget)
    }

    fn think_watched(
        &mut self,
        state: &G::State,
        budget: &Budget,
        every: Duration,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.candidates[self.chosen].agent.think_watched(state, budget, every, watch)
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.worth = Worth::default();
        self.scores.fill(Score::default());
        let learning = portion(budget, LEARNING, 1.0);
        let evaluator = self.lesson.learn(&self.game, state, &learning, self.seed);
        self.mean_plies = evaluator.heuristic().mean_plies;
        self.race(state, &portion(budget, RACING, 1.0 - LEARNING));
        self.chosen = self.choose();
        let chosen = &mut self.candidates[self.chosen].agent;
        chosen.begin(self.seed);
        let rest = 1.0 - LEARNING - RACING;
        chosen.prepare(state, &portion(budget, rest, rest))
    }

    fn remarks(&self) -> Vec<String> {
        let scores = self.candidates.iter().zip(&self.scores);
        let shown = scores.map(|(candidate, score)| {
            format!("`{}` {:.2} in {} games", candidate.name, score.mean(), score.games)
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        let mut remarks = vec![format!("`{}` plays; the race: {shown}", self.chosen())];
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
