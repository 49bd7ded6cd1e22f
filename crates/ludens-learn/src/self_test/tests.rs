//! Sound networks pass, and planted errors are named.

use ludens_games::{Duel, PieceRace, breakthrough};

use super::*;
use crate::architecture::Architecture;
use crate::batch::Lists;

type Breakthrough = Duel<PieceRace>;

fn setup() -> (Arc<Breakthrough>, Encoder, Weights) {
    let game = Arc::new(breakthrough::game(4));
    let encoder = Encoder::new(&*game).unwrap();
    let shape = Shape::shared(encoder.n_inputs(), &[64, 32], &encoder.n_moves());
    let weights = Weights::random(&shape, 16.0, &mut Rng::new(5));
    (game, encoder, weights)
}

fn format(encoder: &Encoder) -> Format {
    Format::new(encoder.n_inputs(), &encoder.n_moves())
}

/// Runs the test with an error in the records.
fn with_error(plant: impl Fn(&mut Batch, &mut Targets)) -> String {
    let (game, encoder, weights) = setup();
    let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed: 1 };
    let record = |positions: &Positions| {
        let (mut batch, mut targets) = recorded(positions, &encoder, format(&encoder));
        plant(&mut batch, &mut targets);
        (batch, targets)
    };
    let error = test.run_with(&record, &Budget::unlimited()).unwrap_err();
    assert!(error.hint.contains("report"), "{error:?}");
    error.to_string()
}

#[test]
fn a_sound_network_passes() {
    let (game, encoder, weights) = setup();
    for seed in 0..3 {
        let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed };
        let tested = test.run(&Budget::unlimited()).unwrap();
        assert_eq!((tested.n_positions, tested.n_endings), (N_POSITIONS, N_POSITIONS));
        assert!(tested.n_steps < MAX_STEPS && !tested.cut, "{tested:?}");
    }
}

/// Deep networks learn slowly: that is no error of the program.
#[test]
fn deep_networks_pass() {
    let (game, encoder, _) = setup();
    for text in ["ggpzero(depth=50)", "gaz", "ggpzero(conv)", "ggpzero(conv, depth=2, filters=8)"] {
        let architecture: Architecture = text.parse().unwrap();
        let board = architecture.board(&*game, &encoder, &mut Rng::new(1));
        let shape = architecture.shape_on(board, encoder.n_inputs(), &encoder.n_moves());
        assert_eq!(shape.front.convolutions().is_some(), text.contains("conv"));
        let weights = Weights::random(&shape, 16.0, &mut Rng::new(5));
        let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed: 1 };
        assert_eq!(test.run(&Budget::unlimited()).unwrap().n_positions, N_POSITIONS);
    }
}

#[test]
fn exchanged_payoffs_are_noticed() {
    let error = with_error(|_, targets| {
        targets.payoffs.chunks_exact_mut(2).for_each(|payoffs| payoffs.swap(0, 1));
    });
    assert!(error.contains("learns the payoff of `black` instead of its own"), "{error}");
    let error = with_error(|_, targets| {
        // Every role learns the payoff of the first.
        targets.payoffs.chunks_exact_mut(2).for_each(|payoffs| payoffs[1] = payoffs[0]);
    });
    assert!(error.contains("`black` learns the payoff of `white`"), "{error}");
}

#[test]
fn payoffs_without_relation_to_the_game_are_noticed() {
    let error = with_error(|_, targets| {
        let payoffs = targets.payoffs.iter_mut().enumerate();
        payoffs.for_each(|(i, payoff)| *payoff = f32::from(u8::from(i / 2 % 3 == 0)));
    });
    assert!(error.contains("does not learn its payoff"), "{error}");
}

#[test]
fn shuffled_moves_of_records_are_noticed() {
    let error = with_error(|batch, _| {
        for lists in &mut batch.legal {
            let mut shuffled = Lists::default();
            for b in 0..lists.len() {
                let mut moves = lists.get(b).to_vec();
                moves.rotate_left(1);
                shuffled.push(moves);
            }
            *lists = shuffled;
        }
    });
    assert!(error.contains("does not learn the moves that it made"), "{error}");
}

#[test]
fn outputs_of_other_moves_are_noticed() {
    let (game, encoder, _) = setup();
    let (mut positions, _) = gather(&*game, &encoder, 8, 1, &Budget::unlimited());
    let subject = Subject { roles: game.roles(), names: encoder.names() };
    assert_eq!(subject.check_names(&positions), Ok(()));
    let sound = positions.clone();
    let name = positions.moves[0][0][0].clone();
    positions.moves[0][0].swap(0, 1);
    let error = subject.check_names(&positions).unwrap_err().what;
    assert!(error.contains("has the output of") && error.contains(&name), "{error}");
    let mut names = encoder.names().clone();
    names.facts.rotate_left(1);
    let subject = Subject { roles: game.roles(), names: &names };
    let error = subject.check_names(&sound).unwrap_err().what;
    assert!(error.contains("no input with its name"), "{error}");
}

#[test]
fn outputs_that_are_no_probabilities_are_noticed() {
    let (game, encoder, mut weights) = setup();
    let bias = weights.roles[1].policy.biases;
    weights.values[bias..bias + 8].fill(f32::INFINITY);
    let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed: 1 };
    let error = test.run(&Budget::unlimited()).unwrap_err().to_string();
    assert!(error.contains("the priors of `black`") && error.contains("not to 1"), "{error}");
}

#[test]
fn a_network_that_cannot_learn_is_noticed() {
    let (game, encoder, weights) = setup();
    // Without weights no unit is ever active, and nothing but biases can change.
    let weights = Weights::zeros(&weights.shape);
    let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed: 1 };
    let error = test.run(&Budget::unlimited()).unwrap_err();
    assert!(error.what.contains("not learnt by heart"), "{error}");
    assert!(error.hint.contains("--no-self-test"), "{error:?}");
}

#[test]
fn a_budget_that_is_over_ends_the_test() {
    let (game, encoder, weights) = setup();
    let test = SelfTest { game: &game, encoder: &encoder, weights: &weights, seed: 1 };
    let over = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert_eq!(test.run(&over).unwrap().n_positions, 0);
}
