//! Agents that play by an evaluation function. They make it while they get ready; one that is asked for a
//! move before takes half of its first thought for it.

mod greedy;
mod guided;
mod minimax;

pub use greedy::Greedy;
pub use guided::{Guidance, Guided};
pub use minimax::HeuristicMinimax;

use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::{Budget, Game};

use super::construct::Construction;
use super::function::Evaluator;

/// Where an evaluation function is kept, by one agent or by several that share it.
pub struct Lesson<G: Game> {
    construction: Construction,
    learnt: Arc<Mutex<Option<Evaluator<G>>>>,
    /// Whether others decide when it is forgotten.
    shared: bool,
}

/// If nobody has prepared, this part of the first thought goes into the evaluation function.
const FIRST_THOUGHT: f64 = 0.5;

impl<G: Game> Lesson<G> {
    /// Nothing is learnt yet.
    pub fn new(construction: Construction) -> Self {
        Lesson { construction, learnt: Arc::default(), shared: false }
    }

    /// The same lesson for another agent; only this one forgets it.
    #[must_use]
    pub fn share(&self) -> Self {
        let (construction, learnt) = (self.construction, Arc::clone(&self.learnt));
        Lesson { construction, learnt, shared: true }
    }

    /// What is learnt so far.
    pub fn learnt(&self) -> Option<Evaluator<G>> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The evaluation function, which is made now unless it was before.
    pub fn learn(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> Evaluator<G> {
        self.learnt().unwrap_or_else(|| {
            let evaluator = self.construction.build(game, start, budget, seed);
            let mut place = self.learnt.lock().unwrap_or_else(PoisonError::into_inner);
            place.insert(evaluator).clone()
        })
    }

    /// Another game begins.
    pub fn forget(&self) {
        if !self.shared {
            *self.learnt.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// What an agent has to say about its evaluation function.
fn remark<G: Game>(game: &G, evaluator: &Evaluator<G>) -> Vec<String> {
    let heuristic = evaluator.heuristic();
    let mut remarks = vec![heuristic.summary(game.roles())];
    if heuristic.is_blank() {
        remarks.push("it tells nothing: no games were decided, or nothing depends on moves".into());
    }
    remarks
}
