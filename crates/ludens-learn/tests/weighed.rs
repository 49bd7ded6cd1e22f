//! Search with a network or with playouts, by what playouts are worth.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Rng};
use ludens_games::breakthrough;
use ludens_learn::{OUTWEIGHED, Published, Searches, Shape, Trials, Weighed, Weights, Worth};
use ludens_search::{Agent, Flat, Random, Report, Watch};

/// Reports a number of iterations, by which it is recognised.
struct Known(u64);

impl<G: Game> Agent<G> for Known {
    fn think(&mut self, _: &G::State, _: &Budget, _: &mut Watch<'_>) -> Report {
        Report { iterations: self.0, ..Report::default() }
    }

    fn begin(&mut self, _: u64) {}
}

fn weighed<G: Game>(game: &Arc<G>, published: Published) -> Weighed<G> {
    let known = |number| Box::new(Known(number));
    let searches = Searches { network: known(1), blend: known(3), playouts: known(2) };
    Weighed::new(Arc::clone(game), searches, published)
}

fn worth(playouts: f32) -> Worth {
    Worth { playouts, ..Worth::default() }
}

#[test]
fn the_network_plays_unless_playouts_outweigh_it() {
    let game = Arc::new(breakthrough::game(5));
    let weights =
        || Arc::new(Weights::random(&Shape::shared(3, &[2], &[1]), 1.0, &mut Rng::new(1)));
    let published = Published::new(weights(), worth(OUTWEIGHED));
    let mut agent = weighed(&game, published.clone());
    let mut check = |expected, n_remarks, share: f32| {
        let (budget, mut watch) = (Budget::unlimited(), Watch::none());
        let report = agent.think(&game.initial(), &budget, &mut watch);
        assert_eq!(report.iterations, expected);
        assert_eq!(agent.remarks().len(), n_remarks);
        assert!((agent.handicap() - f64::from(share).powi(2)).abs() < 1e-9);
    };
    check(1, 0, OUTWEIGHED);
    published.replace(weights(), worth(0.99));
    check(2, 1, 0.99);
    published.replace(weights(), worth(0.0));
    check(1, 0, 0.0);
}

/// The start clock has room for games in which each side has each role, and what they show decides.
#[test]
fn trial_games_in_the_start_clock_decide() {
    let game = Arc::new(breakthrough::game(5));
    let weights = Arc::new(Weights::random(&Shape::shared(3, &[2], &[1]), 1.0, &mut Rng::new(1)));
    let published = Published::new(weights, worth(0.1));
    let agent = |flat: bool| -> Box<dyn Agent<_>> {
        if flat {
            return Box::new(Flat::new(Arc::clone(&game), 0.7, 1));
        }
        Box::new(Random::new(Arc::clone(&game), 1))
    };
    for (network, playouts, sign) in [(true, false, 1.0), (false, true, -1.0)] {
        published.replace(published.newest(), worth(0.1));
        let (network, playouts, blend) = (agent(network), agent(playouts), agent(playouts));
        let searches = Searches { network, blend, playouts };
        let mut weighed = Weighed::new(Arc::clone(&game), searches, published.clone());
        weighed.begin(1);
        weighed.expect(Some(Duration::from_millis(2)), None);
        let budget = Budget::unlimited().with_time(Duration::from_mins(1));
        weighed.prepare(&game.initial(), &budget);
        let Some(trial) = published.worth().trials.network else { panic!("no trial") };
        assert!(trial.games == 24 && sign * trial.lead > 0.2, "{trial}");
        assert_eq!(weighed.remarks().len() == 1, sign > 0.0, "who leads plays: {trial}");
        // It is not repeated, and without a clock there is none.
        weighed.prepare(&game.initial(), &budget);
        assert_eq!(published.worth().trials.network, Some(trial));
        published.replace(published.newest(), worth(0.1));
        weighed.prepare(&game.initial(), &Budget::unlimited().with_iterations(9));
        assert_eq!(published.worth().trials, Trials::default());
    }
}
