//! Agents that use an evaluation function. They construct it during the start clock; without one, they spend half
//! of the budget of the first move on it.

mod greedy;
mod guided;
mod minimax;

pub use greedy::Greedy;
pub use guided::{Guidance, Guided};
pub use minimax::HeuristicMinimax;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludens_core::{Budget, Game};

use super::construct::{Construction, Trainer};
use super::function::HeuristicFunction;

/// An evaluation function that is learnt once, by one agent or by several that share it.
pub struct Lesson<G: Game> {
    construction: Construction,
    learnt: Arc<Mutex<Learnt<G>>>,
    /// Whether it belongs to another agent, which alone forgets it.
    shared: bool,
}

/// An evaluation function, and its trainer if learning may be resumed.
struct Learnt<G: Game> {
    evaluator: Option<HeuristicFunction<G>>,
    trainer: Option<Trainer<G>>,
}

/// Without a start clock, the share of the budget of the first move for the evaluation function.
const FIRST_MOVE_SHARE: f64 = 0.5;

impl<G: Game> Lesson<G> {
    /// A lesson without an evaluation function yet.
    pub fn new(construction: Construction) -> Self {
        let empty = Learnt { evaluator: None, trainer: None };
        Lesson { construction, learnt: Arc::new(Mutex::new(empty)), shared: false }
    }

    /// The same lesson for another agent; only the original forgets it.
    #[must_use]
    pub fn share(&self) -> Self {
        let (construction, learnt) = (self.construction, Arc::clone(&self.learnt));
        Lesson { construction, learnt, shared: true }
    }

    fn lock(&self) -> MutexGuard<'_, Learnt<G>> {
        // A thread that panicked during learning has changed nothing.
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The evaluation function, which is learnt now unless it already was.
    pub fn recall(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> HeuristicFunction<G> {
        let known = self.lock().evaluator.clone();
        known.unwrap_or_else(|| self.learn(game, start, budget, seed))
    }

    /// Learns the evaluation function from as many simulations as the budget allows, in addition to earlier ones.
    pub fn learn(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> HeuristicFunction<G> {
        let mut learnt = self.lock();
        let trainer = match learnt.trainer.take() {
            Some(mut trainer) => {
                trainer.resume(budget);
                trainer
            }
            None => self.construction.begin(game, start, budget, seed),
        };
        let evaluator = trainer.function();
        // Only a shared lesson is resumed.
        let may_resume = Arc::strong_count(&self.learnt) > 1;
        *learnt =
            Learnt { evaluator: Some(evaluator.clone()), trainer: may_resume.then_some(trainer) };
        evaluator
    }

    /// Ends the learning: keeps the function and drops the trainer.
    pub fn conclude(&self) {
        self.lock().trainer = None;
    }

    /// Forgets the function before another match, unless the lesson belongs to another agent.
    pub fn forget(&self) {
        if !self.shared {
            *self.lock() = Learnt { evaluator: None, trainer: None };
        }
    }
}

/// The remarks of an agent on its evaluation function.
fn remark<G: Game>(game: &G, evaluator: &HeuristicFunction<G>) -> Vec<String> {
    let heuristic = evaluator.heuristic();
    let mut remarks = vec![heuristic.summary(game.roles())];
    if heuristic.is_blank() {
        remarks.push("it is constant: no game was decided, or nothing depends on the moves".into());
    }
    remarks
}
