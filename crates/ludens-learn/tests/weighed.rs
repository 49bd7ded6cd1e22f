//! Search with a network or with playouts, by what playouts are worth.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng};
use ludens_games::breakthrough;
use ludens_learn::{OUTWEIGHED, Published, Shape, Weighed, Weights};
use ludens_search::{Agent, Report, Watch};

/// Reports a number of iterations, by which it is recognised.
struct Known(u64);

impl<G: Game> Agent<G> for Known {
    fn think(&mut self, _: &G::State, _: &Budget, _: &mut Watch<'_>) -> Report {
        Report { iterations: self.0, ..Report::default() }
    }

    fn begin(&mut self, _: u64) {}
}

fn weighed<G: Game>(_: &G, published: Published) -> Weighed<G> {
    Weighed { network: Box::new(Known(1)), playouts: Box::new(Known(2)), published }
}

#[test]
fn the_network_plays_unless_playouts_outweigh_it() {
    let game = breakthrough::game(5);
    let weights =
        || Arc::new(Weights::random(&Shape::shared(3, &[2], &[1]), 1.0, &mut Rng::new(1)));
    let published = Published::new(weights(), OUTWEIGHED);
    let mut agent = weighed(&game, published.clone());
    let mut check = |expected, n_remarks, share: f32| {
        let (budget, mut watch) = (Budget::unlimited(), Watch::none());
        let report = agent.think(&game.initial(), &budget, &mut watch);
        assert_eq!(report.iterations, expected);
        assert_eq!(agent.remarks().len(), n_remarks);
        assert!((agent.handicap() - f64::from(share).powi(2)).abs() < 1e-9);
    };
    check(1, 0, OUTWEIGHED);
    published.replace(weights(), 0.99);
    check(2, 1, 0.99);
    published.replace(weights(), 0.0);
    check(1, 0, 0.0);
}
