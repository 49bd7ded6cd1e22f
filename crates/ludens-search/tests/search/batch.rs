//! The number of pending visits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ludens_core::{Budget, Chooser, Game, Limit, Outcomes, Playout, Rng, Simulator, Tally};
use ludens_games::breakthrough;
use ludens_search::{Chain, Playouts, Searcher, Settings};
use ludens_testkit::hash_game::{HashGame, Shape};

use crate::policies::uct;
use crate::thinker::run;

/// The number of lanes that the simulator reports.
const LANES: usize = 64;

/// Reports many lanes, finishes one playout at a time, and logs the number of pending ones.
struct Slow<G: Game> {
    inner: Box<dyn Simulator<G>>,
    pending: Vec<(u32, G::State)>,
    finished: Arc<AtomicU64>,
    /// For each leaf that was offered: the numbers of finished and of pending playouts.
    log: Arc<Mutex<Vec<(u64, usize)>>>,
}

impl<G: Game> Simulator<G> for Slow<G> {
    fn lanes(&self) -> usize {
        LANES
    }

    fn limit(&mut self, limit: Limit) {
        self.inner.limit(limit);
    }

    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        self.inner.run(starts, chooser, rng, out);
    }

    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        self.inner.tally(starts, playouts, rng, out);
    }

    fn room(&self) -> usize {
        4 * LANES - self.pending.len()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        self.pending.push((tag, start.clone()));
        let entry = (self.finished.load(Ordering::Relaxed), self.pending.len());
        self.log.lock().expect("no thread panicked").push(entry);
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        let (tag, start) = self.pending.remove(0);
        self.inner.offer(tag, &start);
        self.inner.advance(rng, out);
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    fn abandon(&mut self) {
        self.pending.clear();
    }
}

/// The log of a search with a batch, where 0 leaves the size to the searcher.
fn pending_log(batch: usize, simulations: u64) -> Vec<(u64, usize)> {
    pending_log_in(&Arc::new(breakthrough::game(6)), batch, simulations)
}

fn pending_log_in<G: Game>(game: &Arc<G>, batch: usize, simulations: u64) -> Vec<(u64, usize)> {
    let inner = Arc::clone(game).simulator();
    let (finished, log) = (Arc::default(), Arc::<Mutex<Vec<_>>>::default());
    let slow = Slow { inner, pending: Vec::new(), finished, log: Arc::clone(&log) };
    let mut searcher =
        Searcher::new(Arc::clone(game), uct(), Chain::default(), Settings::default(), batch)
            .suited_to(LANES);
    searcher.begin(1);
    assert!(searcher.set_root(&game.initial()));
    let budget = Budget::unlimited().with_iterations(simulations);
    assert_eq!(run(&mut Playouts::new(Box::new(slow)), &mut searcher, &budget), simulations);
    let log = log.lock().expect("no thread panicked");
    log.clone()
}

#[test]
fn few_visits_are_pending_in_a_small_tree() {
    let log = pending_log(0, 3000);
    for &(finished, pending) in &log {
        let visits = finished as usize + pending;
        assert!(pending <= 16.max(visits / 4), "{pending} after {finished}");
    }
    let max = log.iter().map(|(_, pending)| *pending).max();
    assert_eq!(max, Some(LANES), "a large tree keeps all lanes busy");
}

#[test]
fn few_visits_are_pending_where_several_roles_decide() {
    let shape = Shape { simultaneous: true, early_end: 0, ..Shape::turn_taking(8) };
    let max = |game, batch| {
        let log = pending_log_in(&Arc::new(game), batch, 2000);
        log.iter().map(|(_, pending)| *pending).max()
    };
    assert_eq!(max(HashGame::new(shape, 1), 0), Some(4));
    assert_eq!(max(HashGame::new(shape, 1), 32), Some(32), "a given size is kept");
    let in_turn = Shape { simultaneous: false, ..shape };
    assert!(max(HashGame::new(in_turn, 1), 0) > Some(16));
}

#[test]
fn a_given_batch_size_is_kept() {
    for batch in [1, 5, 100] {
        let log = pending_log(batch, 500);
        assert_eq!(log.iter().map(|(_, pending)| *pending).max(), Some(batch));
        assert_eq!(log[..batch].last(), Some(&(0, batch)), "it is full from the start");
    }
}
