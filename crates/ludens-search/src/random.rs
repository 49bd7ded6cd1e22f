//! The weakest opponent: uniformly random legal moves.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng, View};

use crate::agent::{Agent, MoveStats, Report};
use crate::watch::Watch;

/// Chooses uniformly among the legal moves.
pub struct Random<G> {
    game: Arc<G>,
    rng: Rng,
}

impl<G: Game> Random<G> {
    /// An agent with its own random number generator.
    pub fn new(game: Arc<G>, seed: u64) -> Self {
        Random { game, rng: Rng::new(seed) }
    }
}

impl<G: Game> Agent<G> for Random<G> {
    fn think(&mut self, state: &G::State, _: &Budget, watch: &mut Watch<'_>) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        let moves = view.legal.iter().map(|legal| {
            let chosen = if legal.is_empty() { 0 } else { self.rng.below(legal.len()) };
            let stats = |(i, &mv)| MoveStats { mv, visits: u64::from(i == chosen), mean: 0.0 };
            legal.iter().enumerate().map(stats).collect()
        });
        let moves: Vec<_> = moves.collect();
        watch.shown(Report::sorted(0, moves.into()))
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::Bid;
    use ludens_core::Role;

    #[test]
    fn every_move_is_chosen_and_a_seed_is_reproducible() {
        let choose = |seed| {
            let mut agent = Random::new(Arc::new(Bid), seed);
            let think = |_| {
                agent.think(&None, &Budget::unlimited(), &mut Watch::none()).best(Role(0)).unwrap()
            };
            (0..50).map(think).collect::<Vec<_>>()
        };
        let moves = choose(1);
        assert!((0..3).all(|m| moves.iter().any(|chosen| chosen.0 == m)));
        assert_eq!(moves, choose(1));
        assert_ne!(moves, choose(2));
    }
}
