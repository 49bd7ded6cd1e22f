//! The search loop: gather leaves, evaluate them, back up.
//!
//! A single search with a batch of leaves, many searches with one leaf each, and the threads of a
//! parallel search all use this loop, with any evaluator.

mod access;
mod batch;
mod descents;
mod gather;

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Budget, Game, Rng, View};

pub(crate) use access::{Access, lock};
pub use batch::Batch;
pub(crate) use batch::Progress;
use descents::{Descents, LeafVisit};

use crate::evaluator::{Demand, Evaluated, Evaluator, Policies};
use crate::search::Search;
use crate::searcher::Searcher;
use crate::watch::Watch;

/// A search to be driven, and the number of simulations.
pub struct Job<'a, G: Game> {
    /// The search, whose root is set.
    pub searcher: &'a mut Searcher<G>,
    /// The number of simulations to run.
    pub simulations: u64,
    /// The number of finished units of work, simulations and others.
    pub n_done: u64,
}

impl<'a, G: Game> Job<'a, G> {
    /// A search with a budget, but at least one simulation.
    pub fn new(searcher: &'a mut Searcher<G>, budget: &Budget) -> Self {
        let limit = searcher.search.settings().max_simulations;
        let simulations = budget.iterations.unwrap_or(u64::MAX).min(limit).max(1);
        Job { searcher, simulations, n_done: 0 }
    }
}

/// Drives searches: see [`Driver::drive`].
pub fn drive<G: Game>(
    jobs: &mut [Job<'_, G>],
    evaluator: &mut dyn Evaluator<G>,
    budget: &Budget,
    watch: &mut Watch<'_>,
) {
    Driver::default().drive(jobs, evaluator, budget, watch);
}

/// Drives searches. It owns only buffers, which later drives reuse.
pub struct Driver<G: Game> {
    descents: Descents<G::State>,
    evaluated: Evaluated,
    slots: Slots,
    /// Searches that may start a visit, those that have been idle longest first.
    idle: Vec<u32>,
    requests: Vec<u32>,
    view: View,
    /// Whether uniform playouts draw from a random stream common to all searches.
    pooled: bool,
}

/// A leaf in evaluation.
#[derive(Clone, Copy)]
struct Slot {
    leaf: LeafVisit,
    /// The number by which the playout policies of its search identify it.
    game: usize,
}

/// The leaves in evaluation, by their tags.
#[derive(Default)]
struct Slots {
    all: Vec<Slot>,
    free: Vec<u32>,
}

impl Slots {
    /// The number of leaves in evaluation.
    fn len(&self) -> usize {
        self.all.len() - self.free.len()
    }

    fn clear(&mut self) {
        self.all.clear();
        self.free.clear();
    }

    /// Adds a leaf and returns its tag.
    fn insert(&mut self, slot: Slot) -> u32 {
        if let Some(tag) = self.free.pop() {
            self.all[tag as usize] = slot;
            return tag;
        }
        self.all.push(slot);
        self.all.len() as u32 - 1
    }

    /// Removes the leaf with a tag.
    fn remove(&mut self, tag: u32) -> Slot {
        self.free.push(tag);
        self.all[tag as usize]
    }
}

/// The policies and the progress of the driven searches, both by the index of the search.
pub(crate) struct Contexts<'a, 'p, G: Game> {
    pub policies: &'a mut [Policies<'p, G>],
    pub progress: &'a mut [Progress<'p>],
}

impl<G: Game> Default for Driver<G> {
    fn default() -> Self {
        Driver {
            descents: Descents::default(),
            evaluated: Evaluated::default(),
            slots: Slots::default(),
            idle: Vec::new(),
            requests: Vec::new(),
            view: View::default(),
            pooled: false,
        }
    }
}

impl<G: Game> Driver<G> {
    /// A driver for changing sets of searches. Uniform playouts of all searches share one random stream,
    /// a different one for each drive.
    pub fn pooled() -> Self {
        Driver { pooled: true, ..Driver::default() }
    }

    /// Drives searches until each has finished its simulations or is proven, or the budget is over. The
    /// leaves of a batch may come from one search or from several; every search computes what it would
    /// compute alone. All must have the same limit of playouts. A watcher gets reports of the first search
    /// between two iterations of the loop, which does not affect the search.
    pub fn drive(
        &mut self,
        jobs: &mut [Job<'_, G>],
        evaluator: &mut dyn Evaluator<G>,
        budget: &Budget,
        watch: &mut Watch<'_>,
    ) {
        let left: Vec<_> = jobs.iter().map(|job| AtomicU64::new(job.simulations)).collect();
        let mut searches = Vec::with_capacity(jobs.len());
        let mut policies = Vec::with_capacity(jobs.len());
        let mut progress = Vec::with_capacity(jobs.len());
        // A search with no simulations to run takes no part, and draws no random numbers.
        let active = |job: &Job<'_, G>| job.simulations > 0;
        for (job, left) in jobs.iter_mut().zip(&left).filter(|(job, _)| active(job)) {
            let (search, own, batch) = job.searcher.split();
            search.begin(job.simulations);
            searches.push(search);
            policies.push(own);
            progress.push(Progress::new(batch, left));
        }
        let mut contexts = Contexts { policies: &mut policies, progress: &mut progress };
        self.run(&mut Access::Exclusive(searches), &mut contexts, evaluator, (budget, watch));
        let n_done: Vec<_> = progress.iter().map(|progress| progress.n_done).collect();
        let active = jobs.iter_mut().filter(|job| active(job));
        active.zip(n_done).for_each(|(job, n_done)| job.n_done += n_done);
    }

    /// The loop.
    pub(crate) fn run(
        &mut self,
        access: &mut Access<'_, '_, G>,
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &mut dyn Evaluator<G>,
        (budget, watch): (&Budget, &mut Watch<'_>),
    ) {
        let Some(limit) = contexts.progress.first().map(Progress::n_left) else { return };
        self.begin(access, contexts, evaluator);
        if evaluator.wants_views() {
            self.evaluate_roots(access, contexts, evaluator, budget);
        }
        while access.with(|searches| self.gather(searches, contexts, evaluator, budget)) {
            self.evaluated.clear();
            evaluator.collect(contexts.policies, &mut self.evaluated);
            access.with(|searches| self.back_up(searches, contexts));
            if watch.is_due() {
                let n_started = limit - contexts.progress[0].n_left();
                let report = access.with(|searches| searches[0].report_in_full(n_started));
                if !watch.show(&report) {
                    contexts.progress.iter().for_each(|own| own.left.store(0, Ordering::Relaxed));
                }
            }
            if budget.is_over() {
                break;
            }
        }
        if contexts.progress.iter().any(|progress| progress.n_active > 0) || self.slots.len() > 0 {
            evaluator.abandon();
            self.descents.clear();
            access.with(|searches| searches.iter_mut().for_each(|search| search.abandon()));
        }
    }

    fn begin(
        &mut self,
        access: &mut Access<'_, '_, G>,
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &mut dyn Evaluator<G>,
    ) {
        self.idle.clear();
        self.idle.extend(0..contexts.progress.len() as u32);
        self.slots.clear();
        self.descents.expands_leaves = evaluator.wants_views();
        let (limit, uniform) = access.with(|searches| {
            let limit = searches[0].settings().limit;
            let same = searches.iter().all(|search| search.settings().limit == limit);
            assert!(same, "all playouts have the same limit");
            let mut plain = searches.iter().zip(&*contexts.policies);
            (limit, plain.all(|(search, own)| search.is_plain(own.chain)))
        });
        let shared = || Rng::new(contexts.policies[0].rng.next_u64());
        let rng = (self.pooled && uniform).then(shared);
        evaluator.begin(&Demand { limit, uniform, rng });
    }

    /// Evaluates the roots that lack priors.
    fn evaluate_roots(
        &mut self,
        access: &mut Access<'_, '_, G>,
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &mut dyn Evaluator<G>,
        budget: &Budget,
    ) {
        let mut next = 0;
        while next < contexts.progress.len() && !budget.is_over() {
            access.with(|searches| {
                while next < searches.len() && evaluator.room() > 0 {
                    if searches[next].lacks_root_priors() {
                        let visit = searches[next].visit_root();
                        let leaf = LeafVisit { search_idx: next as u32, visit };
                        self.offer(leaf, searches, contexts, evaluator);
                    }
                    next += 1;
                }
            });
            while self.slots.len() > 0 {
                self.evaluated.clear();
                evaluator.collect(contexts.policies, &mut self.evaluated);
                access.with(|searches| self.accept_roots(searches, contexts));
            }
        }
    }

    fn accept_roots(
        &mut self,
        searches: &mut [&mut Search<G>],
        contexts: &mut Contexts<'_, '_, G>,
    ) {
        for (tag, evaluation) in self.evaluated.iter() {
            let LeafVisit { search_idx, visit } = self.slots.remove(tag).leaf;
            contexts.progress[search_idx as usize].n_offered -= 1;
            searches[search_idx as usize].accept_root(visit, &evaluation);
        }
    }

    /// A visit has ended, and its search may start another one.
    fn finish(&mut self, search_idx: u32, contexts: &mut Contexts<'_, '_, G>) {
        if contexts.progress[search_idx as usize].finish() {
            self.idle.push(search_idx);
        }
    }

    /// Backs up all evaluations that are ready.
    fn back_up(&mut self, searches: &mut [&mut Search<G>], contexts: &mut Contexts<'_, '_, G>) {
        if searches.len() > 1 {
            self.prefetch_paths(searches);
        }
        for (tag, evaluation) in self.evaluated.iter() {
            let Slot { leaf: LeafVisit { search_idx, visit }, game } = self.slots.remove(tag);
            let i = search_idx as usize;
            searches[i].back_up(visit, &evaluation, game, contexts.policies[i].chain);
            contexts.progress[i].n_offered -= 1;
            if contexts.progress[i].finish() {
                self.idle.push(search_idx);
            }
        }
    }

    /// Prefetches memory that backup will read in many trees, so that cache misses overlap.
    fn prefetch_paths(&self, searches: &[&mut Search<G>]) {
        let prefetch = |&tag: &u32| {
            let LeafVisit { search_idx, visit } = self.slots.all[tag as usize].leaf;
            searches[search_idx as usize].prefetch_path(visit)
        };
        let reads = self.evaluated.tags().iter().map(prefetch);
        std::hint::black_box(reads.fold(0, |sum, read| sum ^ read));
    }
}
