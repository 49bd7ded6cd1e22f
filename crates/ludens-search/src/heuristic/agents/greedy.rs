//! One-ply search with the evaluation function (Mańdziuk and Świechowski 2012, section 3.3, first use): the move
//! whose successor has the highest value.

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, PerRole, Role, View};

use super::{FIRST_MOVE_SHARE, Lesson, remark};
use crate::agent::{Agent, MoveStats, Report};
use crate::heuristic::function::HeuristicFunction;
use crate::watch::Watch;

/// Plays the move whose successor has the highest value.
pub struct Greedy<G: Game> {
    game: Arc<G>,
    lesson: Lesson<G>,
    seed: u64,
    evaluator: Option<HeuristicFunction<G>>,
    view: View,
}

impl<G: Game> Greedy<G> {
    /// An agent without an evaluation function yet.
    pub fn new(game: Arc<G>, lesson: Lesson<G>) -> Self {
        Greedy { game, lesson, seed: 0, evaluator: None, view: View::default() }
    }

    /// The moves of a role with the estimated payoff after each. The simultaneous moves of the others are not
    /// known; their first legal moves are assumed.
    fn evaluate_moves(&mut self, state: &G::State, role: Role) -> Vec<MoveStats> {
        let evaluator = self.evaluator.as_mut().expect("it was learnt before");
        let mut after = View::default();
        let mut estimates = vec![0.0; self.view.legal.n_roles()];
        let mut stats = Vec::new();
        for &mv in &self.view.legal[role] {
            let others = self.view.legal.entries();
            let joint: Vec<Move> =
                others.map(|(of, legal)| if of == role { mv } else { legal[0] }).collect();
            let mut next = state.clone();
            self.game.play(&mut next, &joint);
            self.game.look(&next, &mut after);
            let mean = if after.terminal {
                after.payoffs[role]
            } else {
                evaluator.estimate(&next, estimates.iter_mut());
                estimates[role.index()]
            };
            stats.push(MoveStats { mv, visits: 1, mean: f64::from(mean) });
        }
        stats
    }
}

impl<G: Game> Agent<G> for Greedy<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        if self.evaluator.is_none() {
            self.prepare(state, &budget.part(FIRST_MOVE_SHARE));
        }
        self.game.look(state, &mut self.view);
        let n_roles = self.view.legal.n_roles();
        if self.view.is_over() {
            let moves = PerRole::filled(n_roles, Vec::new());
            return watch.shown(Report { moves, ..Report::default() });
        }
        let moves: Vec<_> =
            Role::all(n_roles).map(|role| self.evaluate_moves(state, role)).collect();
        let iterations = moves.iter().map(|stats| stats.len() as u64).sum();
        let sorted = Report::sorted(iterations, PerRole::from(moves));
        watch.shown(Report { plies: iterations, ..sorted })
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        let evaluator = self.lesson.learn(&self.game, state, budget, self.seed);
        let iterations = evaluator.heuristic().n_games;
        self.evaluator = Some(evaluator);
        Report { iterations, ..Report::default() }
    }

    fn remarks(&self) -> Vec<String> {
        self.evaluator.as_ref().map_or(Vec::new(), |evaluator| remark(&*self.game, evaluator))
    }

    fn begin(&mut self, seed: u64) {
        self.lesson.forget();
        (self.seed, self.evaluator) = (seed, None);
    }
}
