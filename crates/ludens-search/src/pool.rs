//! Many searches that share one evaluator, each with one leaf at a time, as if it were alone.
//!
//! Where evaluations run in parallel lanes, a search with one leaf at a time, as in the textbook, would
//! leave most lanes empty. The searches of many matches fill them together. A search that learns from its
//! playouts has its own random numbers, so that its results do not depend on the other searches. Uniform
//! playouts are a stream with shared random numbers: the playouts of a search depend on the others, and
//! only their distribution is the same.

use std::sync::Arc;

use ludens_core::{Budget, Game, Limit};

use crate::agent::{Agent, Report};
use crate::drive::{Driver, Job};
use crate::evaluator::Evaluator;
use crate::mcts::{MakeEvaluator, usual_evaluator};
use crate::searcher::Searcher;
use crate::watch::Watch;

/// Which searches share batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pooling {
    /// With those that need uniform playouts of the same limit.
    Uniform(Limit),
    /// With those whose playouts have policies and the same limit.
    Policies(Limit),
    /// With none.
    Alone,
}

impl Pooling {
    /// The pooling of a search.
    pub fn of<G: Game>(searcher: &Searcher<G>) -> Self {
        let limit = searcher.search.settings().limit;
        // A search with a batch chosen by the user differs from one with a single leaf. And the features of
        // moves are known only where states are evaluated one by one.
        let is_alone = searcher.has_own_evaluator
            || searcher.batch.is_none_or(|batch| batch.max > 1)
            || searcher.search.tree().keeps_codes();
        if is_alone {
            Pooling::Alone
        } else if searcher.is_plain() {
            Pooling::Uniform(limit)
        } else {
            Pooling::Policies(limit)
        }
    }

    /// The pooling of an agent; agents without a tree, or with several, are not pooled.
    pub fn of_agent<G: Game>(agent: &mut dyn Agent<G>) -> Self {
        match agent.searchers() {
            [searcher] => Pooling::of(searcher),
            _ => Pooling::Alone,
        }
    }
}

/// A pooled agent, and the state it searches.
pub struct Member<'a, G: Game> {
    /// The agent.
    pub agent: &'a mut dyn Agent<G>,
    /// The state.
    pub state: &'a G::State,
}

/// An evaluator for the searches of many agents.
pub struct Pool<G: Game> {
    make: MakeEvaluator<G>,
    /// Absent at first, and after a panic that may have left it in an undefined state.
    inner: Option<(Box<dyn Evaluator<G>>, Driver<G>)>,
}

impl<G: Game> Pool<G> {
    /// A pool with the game's default evaluator.
    pub fn new(game: Arc<G>) -> Self {
        Pool::with_evaluator(Arc::new(move || usual_evaluator(Arc::clone(&game))))
    }

    /// A pool with another evaluator.
    pub fn with_evaluator(make: MakeEvaluator<G>) -> Self {
        Pool { make, inner: None }
    }

    /// Runs the searches of several agents concurrently, each of which has one tree. Their playouts must
    /// have the same limit; those of agents with equal [`Pooling`] do.
    pub fn think(&mut self, members: &mut [Member<'_, G>], budget: &Budget) -> Vec<Report> {
        self.run(members, budget, |member| member.agent.join(member.state, budget))
    }

    /// Prepares several agents concurrently, under the same condition.
    pub fn prepare(&mut self, members: &mut [Member<'_, G>], budget: &Budget) -> Vec<Report> {
        self.run(members, budget, |member| member.agent.join_to_prepare(member.state, budget))
    }

    fn run<'a>(
        &mut self,
        members: &mut [Member<'a, G>],
        budget: &Budget,
        join: impl for<'m> Fn(&'m mut Member<'a, G>) -> Option<Job<'m, G>>,
    ) -> Vec<Report> {
        let before: Vec<u64> = members.iter_mut().map(plies).collect();
        let (mut evaluator, mut driver) =
            self.inner.take().unwrap_or_else(|| ((self.make)(), Driver::pooled()));
        let join = |member| join(member).expect("agents of a pool can be pooled");
        let mut jobs: Vec<Job<'_, G>> = members.iter_mut().map(join).collect();
        driver.drive(&mut jobs, &mut *evaluator, budget, &mut Watch::none());
        let iterations: Vec<u64> = jobs.iter().map(|job| job.n_done).collect();
        drop(jobs);
        self.inner = Some((evaluator, driver));
        let reports = members.iter_mut().zip(before).zip(iterations);
        let report = |((member, before), iterations): ((&mut Member<'_, G>, u64), u64)| {
            let plies = plies(member) - before;
            Report { plies, ..member.agent.searchers()[0].report(iterations) }
        };
        reports.map(report).collect()
    }
}

/// The joint moves that an agent has made in its tree and in playouts so far.
fn plies<G: Game>(member: &mut Member<'_, G>) -> u64 {
    member.agent.searchers().iter().map(|searcher| searcher.search.plies()).sum()
}
