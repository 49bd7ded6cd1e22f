//! How many visits are under way at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ludens_core::{Budget, Chooser, Game, Limit, Outcomes, Playout, Rng, Simulator, Tally};
use ludens_games::breakthrough;
use ludens_search::{Chain, Playouts, Searcher, Settings};

use crate::policies::uct;
use crate::thinker::run;

/// How many lanes it seems to have.
const LANES: usize = 64;

/// Seems to have many lanes, of which one playout ends at a time, and notes how many are under way.
struct Slow<G: Game> {
    inner: Box<dyn Simulator<G>>,
    waiting: Vec<(u32, G::State)>,
    ended: Arc<AtomicU64>,
    /// For each leaf that was offered: how many had ended, and how many were under way.
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
        4 * LANES - self.waiting.len()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        self.waiting.push((tag, start.clone()));
        let noted = (self.ended.load(Ordering::Relaxed), self.waiting.len());
        self.log.lock().expect("nobody panicked").push(noted);
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        let (tag, start) = self.waiting.remove(0);
        self.inner.offer(tag, &start);
        self.inner.advance(rng, out);
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    fn abandon(&mut self) {
        self.waiting.clear();
    }
}

/// What was under way while a searcher made some simulations with a batch, where 0 leaves it to the searcher.
fn under_way(batch: usize, simulations: u64) -> Vec<(u64, usize)> {
    let game = Arc::new(breakthrough::game(6));
    let inner = Arc::clone(&game).simulator();
    let (ended, log) = (Arc::default(), Arc::<Mutex<Vec<_>>>::default());
    let slow = Slow { inner, waiting: Vec::new(), ended, log: Arc::clone(&log) };
    let mut searcher =
        Searcher::new(Arc::clone(&game), uct(), Chain::default(), Settings::default(), batch)
            .suited_to(LANES);
    searcher.begin(1);
    assert!(searcher.set_root(&game.initial()));
    let budget = Budget::unlimited().with_iterations(simulations);
    assert_eq!(run(&mut Playouts::new(Box::new(slow)), &mut searcher, &budget), simulations);
    let log = log.lock().expect("nobody panicked");
    log.clone()
}

#[test]
fn few_visits_are_under_way_in_a_young_tree() {
    let log = under_way(0, 3000);
    for &(ended, under_way) in &log {
        let visits = ended as usize + under_way;
        assert!(under_way <= 16.max(visits / 4), "{under_way} after {ended}");
    }
    let most = log.iter().map(|(_, under_way)| *under_way).max();
    assert_eq!(most, Some(LANES), "an old tree keeps all lanes busy");
}

#[test]
fn a_batch_that_was_asked_for_is_kept() {
    for batch in [1, 5, 100] {
        let log = under_way(batch, 500);
        assert_eq!(log.iter().map(|(_, under_way)| *under_way).max(), Some(batch));
        assert_eq!(log[..batch].last(), Some(&(0, batch)), "it is full from the beginning");
    }
}
