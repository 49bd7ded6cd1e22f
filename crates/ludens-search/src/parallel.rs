//! Searching with several threads.
//!
//! *Root*: each thread has a mind of its own, and what they found is added up at the end. *Tree*: all
//! threads share one tree and take turns at it; playouts, which take most of the time, run outside,
//! and visits under way count as lost (Chaslot, Winands and van den Herik 2008). With a shared tree
//! the result depends on how the threads are scheduled.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ludens_core::{Budget, Game, Move, PerRole, Rng, Role};

use crate::agent::{Agent, Line, MoveStats, Report, Watch};
use crate::mcts::Mind;
use crate::playouts::{Desk, Hand, Playouts};
use crate::search::Search;
use crate::watch::Watcher;

/// What threads have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Nothing: results are added up.
    Root,
    /// The tree.
    Tree,
}

/// A search by several threads.
pub struct Parallel<G: Game> {
    sharing: Sharing,
    /// One for each thread; where the tree is shared, that of the first one.
    minds: Vec<Mind<G>>,
    playouts: Vec<Playouts<G>>,
}

impl<G: Game> Parallel<G> {
    /// A search by so many threads, whose minds are made one by one.
    pub fn new(
        game: &Arc<G>,
        make: impl Fn() -> Mind<G>,
        threads: usize,
        sharing: Sharing,
    ) -> Self {
        let threads = threads.max(1);
        let playouts = |_| Playouts::new(Arc::clone(game).simulator());
        let playouts: Vec<_> = (0..threads).map(playouts).collect();
        let minds = (0..threads).map(|_| make().suited_to(playouts[0].lanes())).collect();
        Parallel { sharing, minds, playouts }
    }

    /// How many trees there are.
    fn n_trees(&self) -> usize {
        if self.sharing == Sharing::Tree { 1 } else { self.minds.len() }
    }

    /// How many simulations are to be made in each tree.
    fn shares(&self, budget: &Budget) -> Vec<u64> {
        let n = self.n_trees() as u64;
        let share = |i: u64| match budget.iterations {
            // A search makes one round at least, however little it is allowed.
            Some(limit) if n == 1 => limit.max(1),
            Some(limit) => limit / n + u64::from(i < limit % n),
            None => u64::MAX,
        };
        (0..n).map(share).collect()
    }

    /// Lets all threads search, each in its own tree or all in the first one, each with playout
    /// policies of its own. The thread that asks looks on, if anybody watches.
    fn search(&mut self, budget: &Budget, mut watcher: Option<&mut Watcher<'_, '_>>) -> u64 {
        let (sharing, shares, n_trees) = (self.sharing, self.shares(budget), self.n_trees());
        let left: Vec<_> = shares.iter().copied().map(AtomicU64::new).collect();
        let (batch, grows) = (self.minds[0].batch.max(1), self.minds[0].grows);
        // Playouts need the policies while others look at the mind.
        let hand = |mind: &mut Mind<G>| (std::mem::take(&mut mind.chain), mind.rng.clone());
        let mut hands: Vec<_> = self.minds.iter_mut().map(hand).collect();
        let trees: Vec<_> = self.minds[..n_trees].iter_mut().map(Mutex::new).collect();
        let counted = std::thread::scope(|scope| {
            // Nothing is sent: the channel is closed when the last thread has ended.
            let (running, ended) = channel::<()>();
            let mut jobs = Vec::with_capacity(hands.len());
            for (i, ((chain, rng), playouts)) in
                hands.iter_mut().zip(&mut self.playouts).enumerate()
            {
                let (mind, left) = (&trees[i % n_trees], &left[i % n_trees]);
                let (mut desk, running) = (Shared { mind, thread: i as u32 }, running.clone());
                let mut hand = Hand { chain, rng, batch, grows };
                jobs.push(scope.spawn(move || {
                    let _running = running;
                    let nothing = left.load(Ordering::Relaxed) == 0;
                    if nothing { 0 } else { playouts.run_with(&mut desk, &mut hand, left, budget) }
                }));
            }
            drop(running);
            while let Some(watcher) = &mut watcher
                && ended.recv_timeout(watcher.every()) == Err(RecvTimeoutError::Timeout)
            {
                let made = |(share, left): (&u64, &AtomicU64)| share - left.load(Ordering::Relaxed);
                let iterations: u64 = shares.iter().zip(&left).map(made).sum();
                if iterations == 0 {
                    continue;
                }
                let reports = trees.iter().map(|tree| lock(tree).report_in_full(0));
                if !watcher.look(&together(sharing, reports, iterations)) {
                    for left in &left {
                        left.store(0, Ordering::Relaxed);
                    }
                    break;
                }
            }
            join(jobs)
        });
        for (mind, hand) in self.minds.iter_mut().zip(hands) {
            (mind.chain, mind.rng) = hand;
        }
        counted
    }

    /// Thinking about a position begins in all threads; whether there is anything to think about.
    fn set_root(&mut self, state: &G::State, budget: &Budget) -> bool {
        let (mut open, n_trees) = (false, self.n_trees());
        for mind in &mut self.minds[..n_trees] {
            open |= mind.set_root_within(state, budget);
        }
        for mind in &mut self.minds[n_trees..] {
            let game = Arc::clone(mind.search.game());
            mind.chain.next_move(&|| game.facts(state).join(" "));
        }
        open
    }

    fn plies(&self) -> u64 {
        self.minds.iter().map(|mind| mind.search.plies()).sum()
    }
}

/// What all threads found.
fn together(
    sharing: Sharing,
    mut reports: impl Iterator<Item = Report>,
    iterations: u64,
) -> Report {
    let report = match sharing {
        Sharing::Root => added_up(reports),
        Sharing::Tree => reports.next().expect("there is a thread at least"),
    };
    Report { iterations, ..report }
}

/// What threads with trees of their own found, added up. Of several lines that begin with the same move
/// the longest is told.
fn added_up(reports: impl Iterator<Item = Report>) -> Report {
    let reports: Vec<_> = reports.collect();
    let (first, others) = reports.split_first().expect("there is a thread at least");
    let mut sum = first.clone();
    for report in others {
        for (moves, others) in sum.moves.iter_mut().zip(&report.moves) {
            for other in others {
                add(moves, other);
            }
        }
        sum.nodes += report.nodes;
        sum.bytes += report.bytes;
        if sum.settled.is_none() && report.settled.is_some() {
            (sum.settled, sum.moves) = (report.settled.clone(), report.moves.clone());
        }
    }
    // Where the value is proven, the move that proves it stays first.
    if sum.settled.is_none() {
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

/// What threads found a role to get, in the mean of those that know.
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

/// Adds what another thread found out about a move.
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

/// A mind that several threads work on or look at. A thread that panicked takes the whole search with
/// it when the threads are joined.
fn lock<'a, 'b, G: Game>(mind: &'a Mutex<&'b mut Mind<G>>) -> MutexGuard<'a, &'b mut Mind<G>> {
    mind.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A search that a thread works on.
struct Shared<'a, 'b, G: Game> {
    mind: &'a Mutex<&'b mut Mind<G>>,
    /// The number of the thread.
    thread: u32,
}

impl<G: Game> Desk<G> for Shared<'_, '_, G> {
    fn open<T>(&mut self, work: impl FnOnce(&mut Search<G>) -> T) -> T {
        let mut mind = lock(self.mind);
        mind.search.owner = self.thread;
        work(&mut mind.search)
    }
}

impl<G: Game> Agent<G> for Parallel<G> {
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report {
        let (open, before) = (self.set_root(state, budget), self.plies());
        let iterations = if open { self.search(budget, None) } else { 0 };
        let reports = self.minds.iter().map(|mind| mind.report(0));
        let report = together(self.sharing, reports, iterations);
        Report { plies: self.plies() - before, ..report }
    }

    fn think_watched(
        &mut self,
        state: &G::State,
        budget: &Budget,
        every: Duration,
        watch: &mut Watch<'_>,
    ) -> Report {
        let (open, before) = (self.set_root(state, budget), self.plies());
        let mut watcher = Watcher::new(every, watch);
        let iterations = if open { self.search(budget, Some(&mut watcher)) } else { 0 };
        let reports = self.minds.iter().map(|mind| mind.report_in_full(0));
        let report = together(self.sharing, reports, iterations);
        Report { plies: self.plies() - before, ..report }
    }

    fn begin(&mut self, seed: u64) {
        for (i, mind) in self.minds.iter_mut().enumerate() {
            // The first thread alone plays as a search without threads does.
            mind.begin(if i == 0 { seed } else { Rng::stream(seed, &[i as u64]).next_u64() });
        }
    }
}
