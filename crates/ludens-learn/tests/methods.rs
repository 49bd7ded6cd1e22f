//! The methods of the papers learn small games of all kinds.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Role, View};
use ludens_learn::{
    AnyLearner, Choosing, Gate, Gating, Iteration, Learner, Learning, Losses, Method, NetworkAlone,
    PlayoutCap, Schedule, VisitCounts, Weights,
};
use ludens_propnet::PropGame;
use ludens_search::{Agent, Random, Watch};

/// Rules of the library, with some text replaced.
fn load(name: &str, changes: &[(&str, &str)]) -> Arc<PropGame> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut text = std::fs::read_to_string(folder.join(name)).expect("the library has the game");
    for (old, new) in changes {
        assert!(text.contains(old), "{name} does not contain {old}");
        text = text.replace(old, new);
    }
    let rules = ludens_gdl::load(&text).0.expect("the rules load");
    Arc::new(PropGame::load(&rules, &Budget::unlimited()).expect("it is grounded"))
}

fn tictactoe() -> Arc<PropGame> {
    load("tictactoe.kif", &[])
}

/// A method with few games, a small network and short searches.
fn small(method: Method) -> Learning {
    let mut learning = method.settings();
    (learning.n_groups, learning.games_per_group, learning.n_threads) = (2, 8, 2);
    (learning.self_play.simulations, learning.seed) = (24, 2);
    if let Schedule::Gated(gating) = &mut learning.schedule {
        *gating = Gating { n_games: 16, ..*gating };
        learning.architecture = "ggpzero(depth=3)".parse().unwrap();
        learning.games_per_group = 16;
    }
    learning
}

fn learner(game: &Arc<PropGame>, learning: Learning) -> Learner<PropGame> {
    Learner::new(game, learning).expect("a grounded game knows its facts and moves")
}

/// The mean payoff of a network without search against random players, over all roles.
fn score_against_random(learner: &Learner<PropGame>, game: &Arc<PropGame>, n_games: usize) -> f64 {
    let (encoder, weights) = (Arc::clone(learner.encoder()), learner.weights());
    let mut network = NetworkAlone::new(Arc::clone(game), encoder, weights);
    let mut random = Random::new(Arc::clone(game), 5);
    let (n_roles, mut view, mut sum) = (game.roles().len(), View::default(), 0.0);
    for own in (0..n_games).map(|i| Role((i % n_roles) as u8)) {
        let mut state = game.initial();
        loop {
            game.look(&state, &mut view);
            if view.terminal {
                break;
            }
            let mut best = |role| {
                let agent: &mut dyn Agent<PropGame> =
                    if role == own { &mut network } else { &mut random };
                let report = agent.think(&state, &Budget::unlimited(), &mut Watch::none());
                report.best(role).expect("every role has a move")
            };
            let joint: Vec<Move> = Role::all(n_roles).map(&mut best).collect();
            game.play(&mut state, &joint);
        }
        sum += f64::from(view.payoffs[own]);
    }
    sum / n_games as f64
}

/// Two random players share a point, so that 0.5 is no success; a perfect player has about 0.95.
#[test]
fn the_methods_of_the_papers_learn_tictactoe() {
    for (method, n) in [(Method::GgpZero, 30), (Method::Gaz, 30)] {
        let game = tictactoe();
        let mut learner = learner(&game, small(method));
        let states: Vec<Iteration> =
            (0..n).map(|i| learner.iterate(i as f64 / n as f64, &Budget::unlimited())).collect();
        let loss = |state: &Iteration| {
            let Losses { policy, payoff } = state.losses.expect("each iteration trains");
            policy + payoff
        };
        let mean = |states: &[Iteration]| states.iter().map(loss).sum::<f64>() / 4.0;
        let (first, last) = (mean(&states[..4]), mean(&states[states.len() - 4..]));
        assert!(last < 0.9 * first, "{method}: {first} to {last}");
        let score = score_against_random(&learner, &game, 200);
        assert!(score > 0.8, "{method}: {score}");
        let gates: Vec<Gate> = states.iter().filter_map(|state| state.gate).collect();
        assert_eq!(gates.len(), if method == Method::GgpZero { n } else { 0 });
        assert!(gates.iter().all(|gate| gate.accepted == (gate.new > gate.best)), "{gates:?}");
        if method == Method::GgpZero {
            let n_accepted = gates.iter().filter(|gate| gate.accepted).count();
            assert!((1..n).contains(&n_accepted), "some are accepted and some are not: {gates:?}");
        }
    }
}

/// The convolutional form, also from a checkpoint on another number of threads.
#[test]
fn convolutions_learn_tictactoe() {
    let game = tictactoe();
    let n = 20;
    let settings = |n_threads| {
        let architecture = "ggpzero(conv, depth=2, filters=16)".parse().unwrap();
        Learning { architecture, n_threads, ..small(Method::GgpZero) }
    };
    let mut whole = learner(&game, settings(2));
    assert!(whole.weights().shape.front.convolutions().is_some());
    let losses: Vec<f64> = (0..n)
        .map(|i| {
            let state = whole.iterate(f64::from(i) / f64::from(n), &Budget::unlimited());
            state.losses.map_or(0.0, |losses| losses.policy + losses.payoff)
        })
        .collect();
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    let (first, last) = (mean(&losses[..4]), mean(&losses[losses.len() - 4..]));
    assert!(last < 0.9 * first, "{losses:?}");
    let score = score_against_random(&whole, &game, 200);
    assert!(score > 0.8, "{score}");
    let mut killed = learner(&game, settings(1));
    network(&mut killed, 0..2);
    let checkpoint = killed.checkpoint().unwrap();
    let mut resumed = learner(&game, settings(2));
    resumed.restore(&checkpoint).unwrap();
    assert_eq!(*network(&mut resumed, 2..4), *network(&mut killed, 2..4));
}

/// The network of a learner after some iterations.
fn network(learner: &mut dyn AnyLearner, iterations: std::ops::Range<u64>) -> Arc<Weights> {
    for _ in iterations {
        learner.iterate(0.5, &Budget::unlimited());
    }
    learner.weights()
}

#[test]
fn all_methods_continue_from_checkpoints_on_any_number_of_threads() {
    let game = tictactoe();
    for method in [Method::GgpZero, Method::Gaz] {
        let mut whole = learner(&game, Learning { n_threads: 1, ..small(method) });
        let expected = network(&mut whole, 0..4);
        let mut killed = learner(&game, small(method));
        network(&mut killed, 0..2);
        let checkpoint = killed.checkpoint().unwrap();
        network(&mut killed, 2..3);
        let mut resumed = learner(&game, small(method));
        resumed.restore(&checkpoint).unwrap();
        assert_eq!(*network(&mut resumed, 2..4), *expected, "{method}: resumed");
        assert_eq!(*network(&mut killed, 3..4), *expected, "{method}: not interrupted");
        let (state, other) = (whole.state(), resumed.state());
        assert_eq!(
            (state.n_made, state.n_steps, state.played),
            (other.n_made, other.n_steps, other.played)
        );
        let error = learner(&game, Learning::default()).restore(&checkpoint).unwrap_err();
        assert!(error.to_string().contains("other settings"), "{error}");
    }
}

/// Simultaneous moves, three roles, a common payoff, one role.
#[test]
fn the_methods_train_for_any_number_of_roles() {
    let three_roles = [("(columns 8)", "(columns 4)"), ("(rows 6)", "(rows 4)")];
    for (name, changes) in [
        ("rockpaperscissors.kif", &[("(rounds 9)", "(rounds 3)")][..]),
        ("connectfour_3p.kif", &three_roles),
        ("babel.kif", &[]),
        ("eight_puzzle.kif", &[("(true (step 50))", "(true (step 10))")]),
    ] {
        let game = load(name, changes);
        for method in [Method::GgpZero, Method::Gaz] {
            let mut learning = small(method);
            (learning.n_groups, learning.games_per_group) = (1, 4);
            learning.self_play.simulations = 4;
            learning.architecture = "compact(widths=16)".parse().unwrap();
            let mut learner = learner(&game, learning);
            for i in 1..=2 {
                let iteration = learner.iterate(0.0, &Budget::unlimited());
                assert_eq!(iteration.played.games, 4 * i, "{name}, {method}");
                assert_eq!(iteration.n_iterations, i, "{name}, {method}");
                let Losses { policy, payoff } = iteration.losses.unwrap();
                assert!(policy.is_finite() && payoff.is_finite(), "{name}, {method}");
                let n_roles = game.roles().len() as u64;
                let n_games = iteration.gate.map(|gate| gate.n_games);
                let fair = n_games.is_none_or(|n| n >= 16 && n % (2 * n_roles) == 0);
                assert!(fair && n_games.is_some() == (method == Method::GgpZero), "{n_games:?}");
            }
        }
    }
}

/// A hundred layers of Gunawan et al. 2020, figure 2.
#[test]
fn a_network_of_a_hundred_layers_stays_finite() {
    let game = tictactoe();
    for method in [Method::GgpZero, Method::Gaz] {
        let mut learning = small(method);
        learning.architecture = "ggpzero(depth=100)".parse().unwrap();
        learning.self_play.simulations = 8;
        let mut learner = learner(&game, learning);
        for _ in 0..3 {
            let iteration = learner.iterate(0.0, &Budget::unlimited());
            let Losses { policy, payoff } = iteration.losses.unwrap();
            assert!(policy.is_finite() && payoff.is_finite(), "{method}: {policy}, {payoff}");
        }
        assert!(learner.weights().is_finite(), "{method}");
    }
}

#[test]
fn short_searches_are_not_recorded_and_forced_playouts_are_played() {
    let game = tictactoe();
    let positions = |change: &dyn Fn(&mut VisitCounts)| {
        let mut learning = small(Method::Gaz);
        if let Choosing::Visits(counts) = &mut learning.self_play.choosing {
            change(counts);
        }
        let mut learner = learner(&game, learning);
        let state = learner.iterate(0.0, &Budget::unlimited());
        (state.n_made as f64 / state.played.plies as f64, learner.weights())
    };
    let (all, plain) = positions(&|_| {});
    // Of a full board, the last move is no decision.
    assert!(all > 0.85, "{all}");
    let (some, _) = positions(&|counts| {
        counts.cap = Some(PlayoutCap { full: 0.25, simulations: 4 });
    });
    assert!((0.1..0.45).contains(&some), "{some}");
    let (_, forced) = positions(&|counts| counts.forced = 2.0);
    assert_ne!(*forced, *plain);
}
