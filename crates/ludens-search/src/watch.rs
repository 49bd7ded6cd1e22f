//! Looking on while a search runs.
//!
//! A tree search opens its tree whenever it gathers leaves or counts results. Whoever watches looks at
//! the tree there, between two steps of the loop, if it is time to: the loop itself is the same, with
//! the same batches and the same random numbers, so that a search with a seed and a number of
//! simulations comes to the same result whether it is watched or not.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ludens_core::{Budget, Game, PerRole, Role};

use crate::agent::{MoveStats, Report, Watch};
use crate::line::{favourites, line};
use crate::mcts::Mind;
use crate::playouts::{Desk, Hand, Playouts};
use crate::search::Search;
use crate::tree::{Chosen, NodeId, Tree};

/// How many joint moves a line has at most that is told beside the main one.
const LINE: usize = 32;

/// How far down a role is followed that has no choice at the root.
const FOLLOWED: usize = 64;

/// Somebody who looks on, and when they look next.
pub(crate) struct Watcher<'a, 'w> {
    every: Duration,
    alarm: Budget,
    watch: &'a mut Watch<'w>,
    /// Whether they have seen enough.
    gone: bool,
}

impl<'a, 'w> Watcher<'a, 'w> {
    /// Somebody who looks on from now on.
    pub fn new(every: Duration, watch: &'a mut Watch<'w>) -> Self {
        Watcher { every, alarm: Budget::unlimited().with_time(every), watch, gone: false }
    }

    /// How long nobody looks in between.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Whether it is time to look.
    pub fn is_due(&self) -> bool {
        !self.gone && self.alarm.is_over()
    }

    /// Shows a report; whether the search is to go on.
    pub fn look(&mut self, report: &Report) -> bool {
        self.gone = (self.watch)(report) == ControlFlow::Break(());
        self.alarm = Budget::unlimited().with_time(self.every);
        !self.gone
    }
}

/// A search with one thread that somebody watches.
struct Watched<'a, 'w, 'v, G: Game> {
    mind: &'a mut Mind<G>,
    /// Simulations that are left, and how many there were.
    left: &'a AtomicU64,
    limit: u64,
    watcher: &'a mut Watcher<'w, 'v>,
}

impl<G: Game> Desk<G> for Watched<'_, '_, '_, G> {
    fn open<T>(&mut self, work: impl FnOnce(&mut Search<G>) -> T) -> T {
        let out = work(&mut self.mind.search);
        if self.watcher.is_due() {
            let iterations = self.limit - self.left.load(Ordering::Relaxed);
            if !self.watcher.look(&self.mind.report_in_full(iterations)) {
                self.left.store(0, Ordering::Relaxed);
            }
        }
        out
    }
}

impl<G: Game> Playouts<G> {
    /// The same as `run`, and somebody looks on.
    pub(crate) fn run_watched(
        &mut self,
        mind: &mut Mind<G>,
        budget: &Budget,
        watcher: &mut Watcher<'_, '_>,
    ) -> u64 {
        let limit = budget.iterations.unwrap_or(u64::MAX).max(1);
        let left = AtomicU64::new(limit);
        let (batch, grows) = (mind.batch.max(1), mind.grows);
        // Playouts need the policies while the watcher looks at the mind.
        let (mut chain, mut rng) = (std::mem::take(&mut mind.chain), mind.rng.clone());
        let mut desk = Watched { mind: &mut *mind, left: &left, limit, watcher };
        let mut hand = Hand { chain: &mut chain, rng: &mut rng, batch, grows };
        let counted = self.run_with(&mut desk, &mut hand, &left, budget);
        (mind.chain, mind.rng) = (chain, rng);
        counted
    }
}

impl<G: Game> Mind<G> {
    /// What thinking led to, with what only those who watch want to know.
    pub fn report_in_full(&self, iterations: u64) -> Report {
        let mut report = self.report(iterations);
        let (tree, root) = (self.search.tree(), self.search.root());
        if tree.is_expanded(root) {
            let lines = |(role, moves): (Role, &Vec<MoveStats>)| {
                let line = |stats: &MoveStats| line(tree, root, Some((role, stats.mv)), LINE);
                moves.iter().map(line).collect()
            };
            report.lines = PerRole::from(report.moves.entries().map(lines).collect::<Vec<_>>());
            report.worth = Role::all(tree.n_roles()).map(|role| worth(tree, root, role)).collect();
        }
        report
    }
}

/// The mean payoff of a role below the root. Where one role decides, only its payoffs are kept; for
/// the others each move counts by what it led to where they first had a choice themselves.
fn worth(tree: &Tree, root: NodeId, role: Role) -> Option<f64> {
    if let Some(payoffs) = tree.settled(root) {
        return Some(f64::from(payoffs[role.index()]));
    }
    let Some(decider) = tree.decider(root).filter(|&decider| decider != role) else {
        return mean(tree, root, role);
    };
    let (mut sum, mut weight) = (0.0, 0.0);
    for place in tree.range(root, decider) {
        let child = tree.child(root, Chosen::Alone(place as u32));
        if let Some(mean) = child.and_then(|child| worth_along(tree, child, role)) {
            let visits = f64::from(tree.edge(place).visits);
            sum += visits * mean;
            weight += visits;
        }
    }
    (weight > 0.0).then(|| sum / weight)
}

/// What a role got where it first had a choice, on the way that was gone most often from a node.
fn worth_along(tree: &Tree, from: NodeId, role: Role) -> Option<f64> {
    let mut id = from;
    for _ in 0..FOLLOWED {
        if let Some(payoffs) = tree.settled(id) {
            return Some(f64::from(payoffs[role.index()]));
        }
        if !tree.is_expanded(id) {
            return None;
        }
        if tree.decider(id).is_none_or(|decider| decider == role) {
            return mean(tree, id, role);
        }
        id = tree.child(id, &favourites(tree, id))?;
    }
    None
}

/// The mean payoff of a role in a node in which its payoffs are kept.
fn mean(tree: &Tree, id: NodeId, role: Role) -> Option<f64> {
    let edges = tree.edges(id, role);
    let visits: f64 = edges.iter().map(|edge| f64::from(edge.visits)).sum();
    (visits > 0.0).then(|| edges.iter().map(|edge| edge.value).sum::<f64>() / visits)
}
