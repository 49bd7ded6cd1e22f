//! A network evaluates leaves of searches, alone and for many searches at once.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng, Role, View};
use ludens_games::breakthrough;
use ludens_learn::{
    Architecture, Batch, Encoder, Estimates, InputScratch, Mix, Network, NetworkEvaluator, Shape,
    Weights,
};
use ludens_search::{Chain, FirstPlay, Growth, Job, Puct, Searcher, Settings, Watch, drive};

fn network(encoder: &Encoder) -> Network {
    network_of(&Shape::shared(encoder.n_inputs(), &[32, 24], &encoder.n_moves()))
}

fn network_of(shape: &Shape) -> Network {
    let mut weights = Weights::random(shape, 20.0, &mut Rng::new(7));
    // Priors that differ clearly.
    for role in weights.roles.clone() {
        let rows = role.policy.weights..role.policy.biases;
        weights.values[rows].iter_mut().for_each(|weight| *weight *= 100.0);
    }
    Network::new(weights)
}

fn searcher<G: Game>(game: &Arc<G>) -> Searcher<G> {
    let puct =
        Puct { exploration: 1.0, growth: Growth::SquareRoot, first: FirstPlay::Constant(0.5) };
    let settings = Settings::default();
    let mut searcher =
        Searcher::new(Arc::clone(game), Box::new(puct), Chain::new(Vec::new()), settings, 1);
    searcher.begin(1);
    assert!(searcher.set_root(&game.initial()));
    searcher
}

#[test]
fn the_moves_of_every_position_have_outputs() {
    let game = breakthrough::game(5);
    let encoder = Encoder::new(&game).unwrap();
    let (mut state, mut view, mut rng) = (game.initial(), View::default(), Rng::new(3));
    let vocabulary = game.vocabulary().unwrap();
    let (mut batch, mut scratch) = (Batch::new(2), InputScratch::default());
    let mut n = 0;
    loop {
        game.look(&state, &mut view);
        if view.terminal {
            break;
        }
        encoder.encode(vocabulary, (&state, &view.legal), &mut scratch, &mut batch);
        for role in Role::all(2) {
            let outputs = batch.legal[role.index()].get(n).iter();
            let name = |&output: &u32| &encoder.names().moves[role.index()][output as usize];
            let legal = view.legal[role].iter().map(|&m| game.move_name(role, m));
            assert!(legal.eq(outputs.map(name).cloned()));
        }
        let joint = view.random_joint(&mut rng);
        game.play(&mut state, &joint);
        n += 1;
    }
    assert_eq!(batch.len(), n);
    assert!(n > 5);
}

#[test]
fn priors_of_the_network_reach_the_root_and_searches_share_batches() {
    let game = Arc::new(breakthrough::game(5));
    let encoder = Arc::new(Encoder::new(&*game).unwrap());
    check_searches(&game, &encoder, &network(&encoder));
    let convolutional: Architecture = "ggpzero(conv, depth=2, filters=9)".parse().unwrap();
    let board = convolutional.board(&*game, &encoder, &mut Rng::new(1));
    let shape = convolutional.shape_on(board, encoder.n_inputs(), &encoder.n_moves());
    assert!(shape.front.convolutions().is_some());
    check_searches(&game, &encoder, &network_of(&shape));
}

fn check_searches<G: Game>(game: &Arc<G>, encoder: &Arc<Encoder>, network: &Network) {
    let (mut view, mut batch) = (View::default(), Batch::new(2));
    let mut scratch = InputScratch::default();
    game.look(&game.initial(), &mut view);
    let vocabulary = game.vocabulary().unwrap();
    encoder.encode(vocabulary, (&game.initial(), &view.legal), &mut scratch, &mut batch);
    let mut expected = Estimates::default();
    network.clone().evaluate(&batch, &mut expected);

    let evaluator =
        || NetworkEvaluator::new(Arc::clone(game), Arc::clone(encoder), network.clone(), 64);
    let visits = |n_searches: usize| -> Vec<Vec<(u32, u32)>> {
        let mut searchers: Vec<_> = (0..n_searches).map(|_| searcher(game)).collect();
        let budget = Budget::unlimited().with_iterations(50);
        let mut jobs: Vec<_> = searchers.iter_mut().map(|s| Job::new(s, &budget)).collect();
        drive(&mut jobs, &mut evaluator(), &budget, &mut Watch::none());
        let report = |searcher: &Searcher<_>| {
            let moves = searcher.report(50).moves;
            let mut moves: Vec<_> =
                moves[Role(0)].iter().map(|m| (m.mv.0, m.visits as u32)).collect();
            moves.sort_unstable();
            moves
        };
        searchers.iter().map(report).collect()
    };
    let alone = visits(1).remove(0);
    assert_eq!(alone.iter().map(|(_, visits)| visits).sum::<u32>(), 50);
    // Every search of a pool computes what it computes alone.
    assert!(visits(40).into_iter().all(|together| together == alone));
    // With this exploration, visits follow priors.
    let best = |weights: &[f32]| {
        let largest = |a: &usize, b: &usize| weights[*a].total_cmp(&weights[*b]);
        (0..weights.len()).max_by(largest).unwrap()
    };
    let most: Vec<f32> = alone.iter().map(|&(_, visits)| visits as f32).collect();
    assert_eq!(best(&most), best(&expected.priors[0]), "{alone:?} {:?}", expected.priors[0]);
}

#[test]
fn playouts_are_blended_into_values() {
    let game = Arc::new(breakthrough::game(5));
    let encoder = Arc::new(Encoder::new(&*game).unwrap());
    // A network that believes in the first role.
    let mut network = network(&encoder);
    let bias = network.weights.roles[0].payoff.biases;
    Arc::make_mut(&mut network.weights).values[bias] = 2.0;
    let root_value = |share: f32, n_playouts: u64| {
        let (game, encoder) = (Arc::clone(&game), Arc::clone(&encoder));
        let evaluator = NetworkEvaluator::new(Arc::clone(&game), encoder, network.clone(), 1);
        let mut evaluator = evaluator.with_playouts(Mix { share: Some(share), n_playouts });
        let mut searcher = searcher(&game);
        let mut jobs = [Job { searcher: &mut searcher, simulations: 1, n_done: 0 }];
        drive(&mut jobs, &mut evaluator, &Budget::unlimited(), &mut Watch::none());
        searcher.search.value(Role(0)).unwrap()
    };
    let (network, playouts) = (root_value(0.0, 1), root_value(1.0, 4000));
    // Breakthrough is even at random, within four standard errors of 4000 playouts.
    assert!((playouts - 0.5).abs() < 0.04, "{playouts}");
    assert!((network - playouts).abs() > 0.05, "the network is not even: {network}");
    let half = root_value(0.5, 4000);
    assert!((half - f64::midpoint(network, playouts)).abs() < 0.04, "{half}");
}
