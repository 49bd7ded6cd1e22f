//! Tree search that an evaluation function guides (Mańdziuk and Świechowski 2012, section 3.3, third and
//! fourth use).

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move};

use super::{FIRST_THOUGHT, Lesson, remark};
use crate::agent::{Agent, Report, Watch};
use crate::heuristic::function::Evaluator;
use crate::heuristic::judge::Judge;
use crate::mcts::{Mcts, Mind};

/// What the evaluation function is used for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guidance {
    /// Whether it says in which order moves are tried. The tree policy must try them in order.
    pub ordered: bool,
    /// The share of playouts in whose place it says what a leaf is worth.
    pub replaced: f64,
    /// This part of the start clock goes into it, and the rest into the tree.
    pub learning: f64,
}

/// A tree search with an evaluation function.
pub struct Guided<G: Game> {
    game: Arc<G>,
    mcts: Mcts<G>,
    lesson: Lesson<G>,
    guidance: Guidance,
    seed: u64,
    ready: Option<Evaluator<G>>,
}

impl<G: Game> Guided<G> {
    /// Guides a search.
    pub fn new(game: Arc<G>, mcts: Mcts<G>, lesson: Lesson<G>, guidance: Guidance) -> Self {
        Guided { game, mcts, lesson, guidance, seed: 0, ready: None }
    }

    fn get_ready(&mut self, evaluator: Evaluator<G>) {
        // A function that tells nothing would only add noise.
        let useful = !evaluator.heuristic().is_blank();
        let Guidance { ordered, replaced, .. } = self.guidance;
        let judge = (useful && replaced > 0.0).then(|| Judge::new(evaluator.clone(), replaced));
        let asked = useful && (ordered || self.mcts.mind().search.needs().estimates);
        self.mcts.guide(asked.then(|| evaluator.clone()), judge);
        self.ready = Some(evaluator);
    }

    /// What is left for thinking after the first thought went into the evaluation function.
    fn ready_by(&mut self, state: &G::State, budget: &Budget) -> Budget {
        let mut rest = budget.clone();
        if self.ready.is_none() {
            let part = budget.part(FIRST_THOUGHT);
            self.get_ready(self.lesson.recall(&self.game, state, &part, self.seed));
            rest.iterations = budget.part(1.0 - FIRST_THOUGHT).iterations;
        }
        rest
    }
}

impl<G: Game> Agent<G> for Guided<G> {
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.think_watched(state, budget, Duration::MAX, &mut |_| ControlFlow::Continue(()))
    }

    fn think_watched(
        &mut self,
        state: &G::State,
        budget: &Budget,
        every: Duration,
        watch: &mut Watch<'_>,
    ) -> Report {
        let rest = self.ready_by(state, budget);
        self.mcts.think_watched(state, &rest, every, watch)
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        let learning = self.guidance.learning;
        let part = budget.part(learning);
        self.get_ready(self.lesson.learn(&self.game, state, &part, self.seed));
        let mut rest = budget.clone();
        rest.iterations = budget.part(1.0 - learning).iterations;
        let learnt = self.ready.as_ref().map_or(0, |known| known.heuristic().n_games);
        let mut report = self.mcts.think(state, &rest);
        report.iterations += learnt;
        report
    }

    fn remarks(&self) -> Vec<String> {
        self.ready.as_ref().map_or(Vec::new(), |known| remark(&*self.game, known))
    }

    fn advance(&mut self, joint: &[Move]) {
        self.mcts.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.lesson.forget();
        (self.seed, self.ready) = (seed, None);
        self.mcts.guide(None, None);
        self.mcts.begin(seed);
    }

    fn mind(&mut self) -> Option<&mut Mind<G>> {
        // Others know nothing of its evaluation function.
        None
    }
}
