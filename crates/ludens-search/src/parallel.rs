//! Searching with several threads.
//!
//! *Root*: each thread has a mind of its own, and what they found is added up at the end. *Tree*: all
//! threads share one tree and take turns at it; playouts, which take most of the time, run outside,
//! and visits under way count as lost (Chaslot, Winands and van den Herik 2008). With a shared tree
//! the result depends on how the threads are scheduled.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::{Budget, Game, Rng};

use crate::agent::{Agent, MoveStats, Report};
use crate::mcts::Mind;
use crate::playouts::{Desk, Hand, Playouts};
use crate::search::Search;

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

    /// Each thread searches on its own, with its share of the simulations.
    fn search_apart(&mut self, budget: &Budget) -> u64 {
        let threads = self.minds.len() as u64;
        let share = |i: u64| budget.iterations.map(|n| n / threads + u64::from(i < n % threads));
        let jobs = self.minds.iter_mut().zip(&mut self.playouts);
        std::thread::scope(|scope| {
            let jobs = jobs.enumerate().map(|(i, (mind, playouts))| {
                let mut budget = budget.clone();
                budget.iterations = share(i as u64);
                scope.spawn(move || match budget.iterations {
                    Some(0) => 0,
                    _ => playouts.run(mind, &budget),
                })
            });
            join(jobs.collect())
        })
    }

    /// All threads search the first one's tree, each with playout policies of its own.
    fn search_together(&mut self, budget: &Budget) -> u64 {
        let left = AtomicU64::new(budget.iterations.unwrap_or(u64::MAX).max(1));
        let (first, others) = self.minds.split_first_mut().expect("there is a thread at least");
        let Mind { search, chain, rng, batch } = first;
        let (shared, batch) = (Mutex::new(search), (*batch).max(1));
        let mut hands = vec![(chain, rng)];
        hands.extend(others.iter_mut().map(|mind| (&mut mind.chain, &mut mind.rng)));
        std::thread::scope(|scope| {
            let (shared, left) = (&shared, &left);
            let mut jobs = Vec::with_capacity(hands.len());
            for ((chain, rng), playouts) in hands.into_iter().zip(&mut self.playouts) {
                let mut desk = Shared { search: shared, thread: jobs.len() as u32 };
                let mut hand = Hand { chain, rng, batch };
                let job = move || playouts.run_with(&mut desk, &mut hand, left, budget);
                jobs.push(scope.spawn(job));
            }
            join(jobs)
        })
    }

    /// What all threads found, added up.
    fn added_up(&self, iterations: u64) -> Report {
        let mut reports = self.minds.iter().map(|mind| mind.report(0));
        let mut sum = reports.next().expect("there is a thread at least");
        for report in reports {
            for (moves, others) in sum.moves.iter_mut().zip(&report.moves) {
                for other in others {
                    add(moves, other);
                }
            }
            sum.nodes += report.nodes;
            sum.bytes += report.bytes;
            if sum.settled.is_none() && report.settled.is_some() {
                (sum.settled, sum.moves) = (report.settled, report.moves);
            }
        }
        // Where the value is proven, the move that proves it stays first.
        if sum.settled.is_none() {
            sum.moves = Report::sorted(0, std::mem::take(&mut sum.moves)).moves;
        }
        Report { iterations, ..sum }
    }
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

/// A search that several threads work on.
struct Shared<'a, 'b, G: Game> {
    search: &'a Mutex<&'b mut Search<G>>,
    /// The number of the thread.
    thread: u32,
}

impl<G: Game> Desk<G> for Shared<'_, '_, G> {
    fn open<T>(&mut self, work: impl FnOnce(&mut Search<G>) -> T) -> T {
        // A thread that panicked takes the whole search with it when the threads are joined.
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        search.owner = self.thread;
        work(&mut search)
    }
}

impl<G: Game> Agent<G> for Parallel<G> {
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report {
        let n = if self.sharing == Sharing::Tree { 1 } else { self.minds.len() };
        let mut open = false;
        for mind in &mut self.minds[..n] {
            open |= mind.set_root(state);
        }
        for mind in &mut self.minds[n..] {
            let game = Arc::clone(mind.search.game());
            mind.chain.next_move(&|| game.facts(state).join(" "));
        }
        let before: u64 = self.minds.iter().map(|mind| mind.search.plies()).sum();
        let iterations = match (open, self.sharing) {
            (false, _) => 0,
            (true, Sharing::Root) => self.search_apart(budget),
            (true, Sharing::Tree) => self.search_together(budget),
        };
        let after: u64 = self.minds.iter().map(|mind| mind.search.plies()).sum();
        let report = match self.sharing {
            Sharing::Root => self.added_up(iterations),
            Sharing::Tree => self.minds[0].report(iterations),
        };
        Report { plies: after - before, ..report }
    }

    fn begin(&mut self, seed: u64) {
        for (i, mind) in self.minds.iter_mut().enumerate() {
            // The first thread alone plays as a search without threads does.
            mind.begin(if i == 0 { seed } else { Rng::stream(seed, &[i as u64]).next_u64() });
        }
    }
}
