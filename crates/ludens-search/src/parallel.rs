//! Parallel search.
//!
//! *Root parallelisation*: each thread has its own tree, and the results are summed at the end. *Tree
//! parallelisation*: all threads share one tree with a lock; evaluations, which take most of the time, run
//! outside the lock, and visits in progress are virtual losses (Chaslot, Winands and van den Herik 2008).
//! With a shared tree the result depends on how the threads are scheduled.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens_core::{Budget, Game, Move, PerRole, Rng, Role};

use crate::agent::{Agent, Line, MoveStats, Report};
use crate::drive::{Access, Contexts, Driver, Progress, lock};
use crate::evaluator::Evaluator;
use crate::mcts::{MakeEvaluator, usual_evaluator};
use crate::searcher::Searcher;
use crate::watch::Watch;

/// A search with less time uses one thread: to start others would take too much of it.
const MIN_TIME: Duration = Duration::from_millis(20);

/// What the threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Nothing: results are summed.
    Root,
    /// The tree.
    Tree,
}

/// A search with several threads.
pub struct Parallel<G: Game> {
    sharing: Sharing,
    /// One for each thread; a shared tree is that of the first one.
    searchers: Vec<Searcher<G>>,
    workers: Vec<Worker<G>>,
}

/// The evaluator and the driver of a thread.
struct Worker<G: Game> {
    evaluator: Box<dyn Evaluator<G>>,
    driver: Driver<G>,
}

impl<G: Game> Parallel<G> {
    /// A search with `threads` threads and the game's default evaluator.
    pub fn new(
        game: &Arc<G>,
        make: impl Fn() -> Searcher<G>,
        threads: usize,
        sharing: Sharing,
    ) -> Self {
        let game = Arc::clone(game);
        let evaluator: MakeEvaluator<G> = Arc::new(move || usual_evaluator(Arc::clone(&game)));
        Parallel::with_evaluator(make, &evaluator, threads, sharing)
    }

    /// A search with `threads` threads, each with its own evaluator.
    pub fn with_evaluator(
        make: impl Fn() -> Searcher<G>,
        evaluator: &MakeEvaluator<G>,
        threads: usize,
        sharing: Sharing,
    ) -> Self {
        let worker = |_| Worker { evaluator: evaluator(), driver: Driver::default() };
        let workers: Vec<_> = (0..threads.max(1)).map(worker).collect();
        let capacity = workers[0].evaluator.capacity();
        let searchers = workers.iter().map(|_| make().suited_to(capacity)).collect();
        Parallel { sharing, searchers, workers }
    }

    /// The number of trees.
    fn n_trees(&self) -> usize {
        if self.sharing == Sharing::Tree { 1 } else { self.searchers.len() }
    }

    /// The number of simulations for each tree.
    fn simulations_per_tree(&self, budget: &Budget) -> Vec<u64> {
        let n = self.n_trees() as u64;
        let own = self.searchers[0].search.settings().max_simulations;
        let limit = budget.iterations.unwrap_or(u64::MAX).min(own);
        let share = |i: u64| match limit {
            u64::MAX => u64::MAX,
            // A search runs at least one simulation, however small the budget.
            limit if n == 1 => limit.max(1),
            limit => limit / n + u64::from(i < limit % n),
        };
        (0..n).map(share).collect()
    }

    /// Runs all threads, each in its own tree or all in the first one, each with its own playout policies.
    /// The calling thread shows reports, if there is a watcher.
    fn search(&mut self, budget: &Budget, watch: &mut Watch<'_>) -> u64 {
        let (sharing, shares, n_trees) =
            (self.sharing, self.simulations_per_tree(budget), self.n_trees());
        let left: Vec<_> = shares.iter().copied().map(AtomicU64::new).collect();
        let (mut trees, mut own) = (Vec::new(), Vec::new());
        for searcher in &mut self.searchers {
            let (search, policies, batch) = searcher.split();
            trees.push(search);
            own.push((policies, batch));
        }
        trees.truncate(n_trees);
        if budget.time_left().is_some_and(|left| left < MIN_TIME) {
            own.truncate(1);
        }
        trees.iter_mut().zip(&shares).for_each(|(search, &share)| search.begin(share));
        let trees: Vec<_> = trees.into_iter().map(Mutex::new).collect();
        std::thread::scope(|scope| {
            // Nothing is sent: the channel is closed when the last thread ends.
            let (running, ended) = channel::<()>();
            let mut jobs = Vec::with_capacity(own.len());
            let workers = own.into_iter().zip(&mut self.workers);
            for (i, ((policies, batch), worker)) in workers.enumerate() {
                let (search, left) = (&trees[i % n_trees], &left[i % n_trees]);
                let running = running.clone();
                jobs.push(scope.spawn(move || {
                    let _running = running;
                    let mut access = Access::Shared { search, thread: i as u32 };
                    let mut progress = [Progress::new(batch, left)];
                    if progress[0].n_left() == 0 {
                        return 0;
                    }
                    let contexts =
                        &mut Contexts { policies: &mut [policies], progress: &mut progress };
                    let Worker { evaluator, driver } = worker;
                    driver.run(
                        &mut access,
                        contexts,
                        &mut **evaluator,
                        (budget, &mut Watch::none()),
                    );
                    progress[0].n_done
                }));
            }
            drop(running);
            while watch.is_on()
                && ended.recv_timeout(watch.interval()) == Err(RecvTimeoutError::Timeout)
            {
                let started =
                    |(share, left): (&u64, &AtomicU64)| share - left.load(Ordering::Relaxed);
                let iterations: u64 = shares.iter().zip(&left).map(started).sum();
                if iterations == 0 {
                    continue;
                }
                let reports = trees.iter().map(|tree| lock(tree).report_in_full(0));
                if !watch.show(&merge(sharing, reports, iterations)) {
                    for left in &left {
                        left.store(0, Ordering::Relaxed);
                    }
                    break;
                }
            }
            join(jobs)
        })
    }

    /// Sets the roots of all threads. Returns whether there is anything to search.
    fn set_root(&mut self, state: &G::State, budget: &Budget) -> bool {
        let (mut open, n_trees) = (false, self.n_trees());
        for searcher in &mut self.searchers[..n_trees] {
            open |= searcher.set_root_within(state, budget);
        }
        for searcher in &mut self.searchers[n_trees..] {
            searcher.next_move(state);
        }
        open
    }

    fn plies(&self) -> u64 {
        self.searchers.iter().map(|searcher| searcher.search.plies()).sum()
    }
}

/// The merged report of all threads.
fn merge(sharing: Sharing, mut reports: impl Iterator<Item = Report>, iterations: u64) -> Report {
    let report = match sharing {
        Sharing::Root => sum_reports(reports),
        Sharing::Tree => reports.next().expect("there is at least one thread"),
    };
    Report { iterations, ..report }
}

/// The sum of the reports of threads with separate trees. Of several lines that begin with the same move,
/// the longest is kept.
fn sum_reports(reports: impl Iterator<Item = Report>) -> Report {
    let reports: Vec<_> = reports.collect();
    let (first, others) = reports.split_first().expect("there is at least one thread");
    let mut sum = first.clone();
    for report in others {
        for (moves, others) in sum.moves.iter_mut().zip(&report.moves) {
            for other in others {
                add(moves, other);
            }
        }
        sum.nodes += report.nodes;
        sum.bytes += report.bytes;
        if sum.proven.is_none() && report.proven.is_some() {
            (sum.proven, sum.moves) = (report.proven.clone(), report.moves.clone());
        }
    }
    // If the value is proven, the move that proves it stays first.
    if sum.proven.is_none() {
        sum.moves = Report::sorted(0, std::mem::take(&mut sum.moves)).moves;
    }
    sum.worth = (0..first.worth.len()).map(|role_idx| mean_worth(&reports, role_idx)).collect();
    if first.lines.n_roles() > 0 {
        let lines = |(role, moves): (Role, &Vec<MoveStats>)| {
            moves.iter().map(|stats| longest_line(&reports, role, stats.mv)).collect()
        };
        sum.lines = PerRole::from(sum.moves.entries().map(lines).collect::<Vec<_>>());
    }
    sum
}

/// The mean payoff of a role over the reports that have it.
fn mean_worth(reports: &[Report], role_idx: usize) -> Option<f64> {
    let known = reports.iter().filter_map(|report| report.worth.get(role_idx).copied().flatten());
    let (sum, n) = known.fold((0.0, 0), |(sum, n), worth| (sum + worth, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

fn longest_line(reports: &[Report], role: Role, mv: Move) -> Line {
    let mut longest: &[Vec<Move>] = &[];
    for report in reports.iter().filter(|report| report.lines.n_roles() > role.index()) {
        let place = report.moves[role].iter().position(|stats| stats.mv == mv);
        let line = place.and_then(|place| report.lines[role].get(place));
        if let Some(line) = line.filter(|line| line.len() > longest.len()) {
            longest = line;
        }
    }
    longest.to_vec()
}

/// Adds another thread's statistics of a move.
fn add(moves: &mut [MoveStats], other: &MoveStats) {
    if let Some(stats) = moves.iter_mut().find(|stats| stats.mv == other.mv) {
        let visits = stats.visits + other.visits;
        if visits > 0 {
            let sum = stats.mean * stats.visits as f64 + other.mean * other.visits as f64;
            stats.mean = sum / visits as f64;
        }
        stats.visits = visits;
    }
}

fn join(jobs: Vec<std::thread::ScopedJoinHandle<'_, u64>>) -> u64 {
    let counted = jobs.into_iter().map(|job| match job.join() {
        Ok(counted) => counted,
        Err(panic) => std::panic::resume_unwind(panic),
    });
    counted.sum()
}

impl<G: Game> Agent<G> for Parallel<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let (open, before) = (self.set_root(state, budget), self.plies());
        let iterations = if open { self.search(budget, watch) } else { 0 };
        let reports = self.searchers.iter().map(|searcher| searcher.report_to(watch, 0));
        let report = merge(self.sharing, reports, iterations);
        Report { plies: self.plies() - before, ..report }
    }

    /// Searches on, so that trees are larger when the others have moved.
    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        let (mut open, n_trees) = (false, self.n_trees());
        for searcher in &mut self.searchers[..n_trees] {
            open |= searcher.set_root_between_moves(state, budget);
        }
        if open {
            self.search(budget, &mut Watch::none());
        }
    }

    fn begin(&mut self, seed: u64) {
        for (i, searcher) in self.searchers.iter_mut().enumerate() {
            // With one thread, the search is the same as without threads.
            searcher.begin(if i == 0 { seed } else { Rng::stream(seed, &[i as u64]).next_u64() });
        }
    }

    fn searchers(&mut self) -> &mut [Searcher<G>] {
        &mut self.searchers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(stats: &[(u32, u64, f64)], worth: f64) -> Report {
        let stats =
            stats.iter().map(|&(mv, visits, mean)| MoveStats { mv: Move(mv), visits, mean });
        let moves = PerRole::from(vec![stats.collect()]);
        Report { nodes: 10, bytes: 100, worth: vec![Some(worth)], ..Report::sorted(0, moves) }
    }

    #[test]
    fn means_of_threads_are_weighted_by_their_visits() {
        let first = found(&[(1, 30, 0.5), (2, 10, 0.25), (3, 0, 0.0)], 0.4);
        let second = found(&[(1, 10, 0.9), (2, 30, 0.75), (3, 0, 0.0)], 0.6);
        let sum = merge(Sharing::Root, [first, second].into_iter(), 80);
        let stats = sum.moves[Role(0)].iter().map(|stats| (stats.mv.0, stats.visits, stats.mean));
        // (30 · 0.5 + 10 · 0.9) / 40 and (10 · 0.25 + 30 · 0.75) / 40; the higher mean comes first.
        let expected = [(2, 40, 0.625), (1, 40, 0.6), (3, 0, 0.0)];
        for ((mv, visits, mean), expected) in stats.zip(expected) {
            assert_eq!((mv, visits), (expected.0, expected.1));
            assert!((mean - expected.2).abs() < 1e-12, "{mv}: {mean}");
        }
        assert_eq!((sum.iterations, sum.nodes, sum.bytes), (80, 20, 200));
        assert!((sum.worth[0].expect("both have it") - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_proof_of_one_thread_holds_for_all() {
        let open = found(&[(1, 50, 0.9), (2, 10, 0.1)], 0.5);
        let proof = Report { proven: Some(vec![1.0]), ..found(&[(2, 5, 1.0), (1, 2, 0.5)], 1.0) };
        let sum = merge(Sharing::Root, [open, proof].into_iter(), 67);
        assert_eq!((sum.best(Role(0)), sum.proven), (Some(Move(2)), Some(vec![1.0])));
    }
}
