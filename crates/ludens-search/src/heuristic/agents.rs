//! Agents that play by an evaluation function. They make it in the start clock; one that is asked for a move
//! before takes half of its first thought for it.

mod greedy;
mod guided;
mod minimax;

pub use greedy::Greedy;
pub use guided::{Guidance, Guided};
pub use minimax::HeuristicMinimax;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludens_core::{Budget, Game};

use super::construct::{Construction, Site};
use super::function::HeuristicFunction;

/// Where an evaluation function is kept, by one agent or by several that share it.
pub struct Lesson<G: Game> {
    construction: Construction,
    learnt: Arc<Mutex<Learnt<G>>>,
    /// Whether another agent decides when it is forgotten.
    shared: bool,
}

/// An evaluation function, and where it can be made better.
struct Learnt<G: Game> {
    evaluator: Option<HeuristicFunction<G>>,
    site: Option<Site<G>>,
}

/// Without a start clock, this part of the first thought goes into the evaluation function.
const FIRST_THOUGHT: f64 = 0.5;

impl<G: Game> Lesson<G> {
    /// Nothing is learnt yet.
    pub fn new(construction: Construction) -> Self {
        let nothing = Learnt { evaluator: None, site: None };
        Lesson { construction, learnt: Arc::new(Mutex::new(nothing)), shared: false }
    }

    /// The same lesson for another agent; only this one forgets it.
    #[must_use]
    pub fn share(&self) -> Self {
        let (construction, learnt) = (self.construction, Arc::clone(&self.learnt));
        Lesson { construction, learnt, shared: true }
    }

    fn open(&self) -> MutexGuard<'_, Learnt<G>> {
        // A thread that panicked while it learnt has changed nothing.
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The evaluation function, which is made now unless it was before.
    pub fn recall(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> HeuristicFunction<G> {
        let known = self.open().evaluator.clone();
        known.unwrap_or_else(|| self.learn(game, start, budget, seed))
    }

    /// The evaluation function from as many games as the budget allows, besides those that were played for it
    /// before.
    pub fn learn(
        &self,
        game: &Arc<G>,
        start: &G::State,
        budget: &Budget,
        seed: u64,
    ) -> HeuristicFunction<G> {
        let mut learnt = self.open();
        let site = match learnt.site.take() {
            Some(mut site) => {
                site.resume(budget);
                site
            }
            None => self.construction.begin(game, start, budget, seed),
        };
        let evaluator = site.function();
        // Only a shared lesson is resumed.
        let resumes = Arc::strong_count(&self.learnt) > 1;
        *learnt = Learnt { evaluator: Some(evaluator.clone()), site: resumes.then_some(site) };
        evaluator
    }

    /// Ends the learning: the function is kept, and what learning needs is not.
    pub fn conclude(&self) {
        self.open().site = None;
    }

    /// Another game begins.
    pub fn forget(&self) {
        if !self.shared {
            *self.open() = Learnt { evaluator: None, site: None };
        }
    }
}

/// What an agent reports about its evaluation function.
fn remark<G: Game>(game: &G, evaluator: &HeuristicFunction<G>) -> Vec<String> {
    let heuristic = evaluator.heuristic();
    let mut remarks = vec![heuristic.summary(game.roles())];
    if heuristic.is_blank() {
        remarks.push("it tells nothing: no games were decided, or nothing depends on moves".into());
    }
    remarks
}
