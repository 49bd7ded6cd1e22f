//! Learning by Descent: the same network on any number of threads and after an interruption.

use std::sync::Arc;

use ludens_core::{Budget, Game, Rng, Role, View};
use ludens_games::{breakthrough, domineering};
use ludens_learn::{
    AnyLearner, Architecture, BestFirst, DescentLearner, DescentLearning, Iteration, NetworkValues,
    TreeLimits, Weights,
};
use ludens_search::{Agent, Watch};

fn settings() -> DescentLearning {
    let mut settings = DescentLearning {
        architecture: Architecture::Compact(vec![32, 16]),
        n_groups: 3,
        games_per_group: 4,
        steps: 40,
        n_threads: 1,
        ..DescentLearning::default()
    };
    (settings.training.batch, settings.training.averaging) = (128, 0.99);
    settings
}

fn learner<G: Game>(game: &Arc<G>, settings: DescentLearning) -> DescentLearner<G> {
    DescentLearner::new(game, settings).expect("the game can be learnt")
}

/// Iterations of a training of `n` in all, from where it is.
fn iterate(learner: &mut dyn AnyLearner, to: u64, n: u64) -> Vec<Iteration> {
    let mut iterations = Vec::new();
    while learner.state().n_iterations < to {
        let progress = learner.state().n_iterations as f64 / n as f64;
        iterations.push(learner.iterate(progress, &Budget::unlimited()));
    }
    iterations
}

#[test]
fn the_same_seed_gives_the_same_network_on_any_number_of_threads() {
    let game = Arc::new(breakthrough::game(5));
    let train = |n_threads, seed| {
        let mut learner = learner(&game, DescentLearning { n_threads, seed, ..settings() });
        let last = *iterate(&mut learner, 12, 12).last().unwrap();
        assert!(last.n_steps > 0 && last.played.games > 0, "{last:?}");
        (learner.weights(), last.n_made)
    };
    let one = train(1, 7);
    assert!(one == train(2, 7) && one == train(5, 7));
    assert!(one != train(1, 8));
}

#[test]
fn an_interrupted_training_ends_with_the_same_network() {
    let game = Arc::new(breakthrough::game(5));
    let (mut whole, mut resumed) = (learner(&game, settings()), learner(&game, settings()));
    iterate(&mut whole, 8, 16);
    let checkpoint = whole.checkpoint().unwrap();
    resumed.restore(&checkpoint).unwrap();
    let (a, b) = (iterate(&mut whole, 16, 16), iterate(&mut resumed, 16, 16));
    let counts = |iterations: &[Iteration]| -> Vec<_> {
        iterations.iter().map(|i| (i.n_made, i.n_steps, i.played, i.losses)).collect()
    };
    assert_eq!(counts(&a), counts(&b));
    assert!(a.last().unwrap().n_steps > a[0].n_steps);
    assert_eq!(whole.weights(), resumed.weights());
    let mut other = learner(&game, DescentLearning { seed: 9, ..settings() });
    let error = other.restore(&checkpoint).unwrap_err().to_string();
    assert!(error.contains("other settings"), "{error}");
    let error = resumed.restore(&checkpoint[..checkpoint.len() - 2]).unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
}

#[test]
fn only_payoffs_are_learnt() {
    let game = Arc::new(domineering::game(4));
    let mut learner = learner(&game, settings());
    let before = learner.weights();
    let iterations = iterate(&mut learner, 20, 20);
    let losses: Vec<_> = iterations.iter().filter_map(|i| i.losses).collect();
    assert!(losses.iter().all(|losses| losses.policy == 0.0 && losses.payoff > 0.0));
    let after = learner.weights();
    let head = |weights: &Weights, payoff: bool| {
        let role = &weights.roles[0];
        weights.row(if payoff { &role.payoff } else { &role.policy }, 0).to_vec()
    };
    assert_ne!(head(&before, true), head(&after, true));
    // Only the decay of weights changes policies.
    let ratios = head(&after, false).into_iter().zip(head(&before, false));
    assert!(ratios.filter(|(_, b)| *b != 0.0).all(|(a, b)| (0.99..=1.0).contains(&(a / b))));
}

/// The network learns who wins: with one evaluation of each move it beats the untrained network.
#[test]
fn a_short_training_beats_the_untrained_network() {
    let game = Arc::new(breakthrough::game(5));
    let mut learner = learner(&game, settings());
    let encoder = Arc::clone(learner.encoder());
    let agent = |weights: Arc<Weights>| {
        let values = NetworkValues::new(Arc::clone(&game), Arc::clone(&encoder), weights);
        BestFirst::new(Arc::clone(&game), Box::new(values), TreeLimits::default())
    };
    let mut untrained = agent(learner.weights());
    let iterations = iterate(&mut learner, 60, 60);
    let mut trained = agent(learner.weights());
    let won = |seed: &u64| wins(&*game, [&mut trained, &mut untrained], *seed);
    let n_won = (0..60).filter(won).count();
    assert!(n_won >= 50, "{n_won} of 60");
    let losses: Vec<f64> =
        iterations.iter().filter_map(|i| i.losses).map(|losses| losses.payoff).collect();
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    let (first, last) = (mean(&losses[..5]), mean(&losses[losses.len() - 5..]));
    assert!(last < 0.7 * first, "{first} {last}");
}

/// Whether the first of two agents that evaluate each move once wins after four random moves.
fn wins<G: Game>(game: &G, mut agents: [&mut dyn Agent<G>; 2], seed: u64) -> bool {
    let own = (seed % 2) as usize;
    let (mut state, mut view, mut rng) = (game.initial(), View::default(), Rng::new(seed / 2));
    for agent in &mut agents {
        agent.begin(seed);
    }
    for ply in 0.. {
        game.look(&state, &mut view);
        if view.terminal {
            break;
        }
        let mut joint: Vec<_> =
            view.legal.iter().map(|legal| legal[rng.below(legal.len())]).collect();
        for (agent, role_idx) in agents.iter_mut().zip([own, 1 - own]).filter(|_| ply >= 4) {
            let budget = Budget::unlimited().with_iterations(1);
            let report = agent.think(&state, &budget, &mut Watch::none());
            joint[role_idx] = report.best(Role(role_idx as u8)).expect("a legal move");
        }
        for agent in &mut agents {
            agent.advance(&joint);
        }
        game.play(&mut state, &joint);
    }
    view.payoffs[Role(own as u8)] > 0.5
}
