//! What a network has learnt: its estimates on a position, what facts are worth to it, and games that it plays
//! against itself by its priors alone.

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, Role, View};

use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::inputs::InputScratch;
use crate::network::{Estimates, Network};
use crate::weights::Weights;

/// Asks a network about positions of a game.
pub struct Probe<'a, G: Game> {
    game: &'a G,
    encoder: &'a Encoder,
    network: Network,
    batch: Batch,
    estimates: Estimates,
    scratch: InputScratch,
}

/// What a network says about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Opinion {
    /// The payoff of each role.
    pub payoffs: Vec<f32>,
    /// The legal moves of each role with their probabilities, the most probable first.
    pub moves: Vec<Vec<(String, f32)>>,
}

/// One position of a game that the network played against itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampled {
    /// The true inputs.
    pub inputs: Vec<u32>,
    /// The estimated payoffs.
    pub estimated: Vec<f32>,
    /// The payoffs at the end of the game; `None` if it was cut.
    pub result: Option<Vec<f32>>,
}

/// What an input is worth, as the network sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct InputValue {
    /// The input.
    pub input: usize,
    /// For each role, the mean change of the estimated payoff when the input is true instead of false.
    pub changes: Vec<f64>,
    /// In how many positions it was true.
    pub n_true: usize,
}

/// Games that are played side by side, and the largest batch of other evaluations.
const SIDE_BY_SIDE: usize = 64;
const BATCH: usize = 256;

/// Games are cut after this many joint moves.
const MAX_PLIES: usize = 500;

impl<'a, G: Game> Probe<'a, G> {
    /// The network must have the inputs and outputs of the encoder, which must be that of the game.
    pub fn new(game: &'a G, encoder: &'a Encoder, weights: &Arc<Weights>) -> Self {
        let network = Network::new(Arc::clone(weights));
        let batch = Batch::new(game.roles().len());
        let (estimates, scratch) = (Estimates::default(), InputScratch::default());
        Probe { game, encoder, network, batch, estimates, scratch }
    }

    /// What the network says about a position that is not terminal.
    pub fn opinion(&mut self, state: &G::State) -> Opinion {
        let mut view = View::default();
        self.game.look(state, &mut view);
        self.batch.clear();
        self.encode(state, &view);
        self.network.evaluate(&self.batch, &mut self.estimates);
        let of_role = |(role, legal): (Role, &Vec<Move>)| {
            let names = legal.iter().map(|&m| self.game.move_name(role, m));
            let priors = self.estimates.priors[role.index()].iter().copied();
            let mut moves: Vec<(String, f32)> = names.zip(priors).collect();
            moves.sort_by(|a, b| b.1.total_cmp(&a.1));
            moves
        };
        let moves = view.legal.entries().map(of_role).collect();
        Opinion { payoffs: self.estimates.payoffs.clone(), moves }
    }

    fn encode(&mut self, state: &G::State, view: &View) {
        let vocabulary = self.game.vocabulary().expect("a game with an encoder has a vocabulary");
        let position = (state, &view.legal);
        self.encoder.encode(vocabulary, position, &mut self.scratch, &mut self.batch);
    }

    /// Plays games in which every role draws its moves by the priors; returns one random position of each.
    /// Games that are not over when the budget is, are left out.
    pub fn play(&mut self, n_games: usize, seed: u64, budget: &Budget) -> Vec<Sampled> {
        let mut done = Vec::new();
        let mut numbers = 0..n_games as u64;
        let mut tables: Vec<Table<G>> = Vec::new();
        while !budget.is_over() {
            let free = SIDE_BY_SIDE - tables.len();
            let new = numbers.by_ref().take(free);
            tables.extend(new.map(|number| Table::new(self.game, Rng::stream(seed, &[number]))));
            tables.retain_mut(|table| match table.look(self.game) {
                None => true,
                Some(result) => {
                    let sample = table.sample.take();
                    done.extend(sample.map(|sample| Sampled { result, ..sample }));
                    false
                }
            });
            if tables.is_empty() && numbers.is_empty() {
                break;
            }
            self.move_all(&mut tables);
        }
        done
    }

    /// One joint move in each game.
    fn move_all(&mut self, tables: &mut [Table<G>]) {
        self.batch.clear();
        for table in &*tables {
            self.encode(&table.state, &table.view);
        }
        self.network.evaluate(&self.batch, &mut self.estimates);
        let n_roles = self.game.roles().len();
        for (b, table) in tables.iter_mut().enumerate() {
            let estimated = &self.estimates.payoffs[b * n_roles..][..n_roles];
            table.keep(self.batch.inputs.get(b), estimated);
            let roles = self.estimates.priors.iter().zip(&self.batch.legal);
            let priors = roles.map(|(priors, legal)| &priors[legal.range(b)]);
            table.play(self.game, priors);
        }
    }

    /// What each input is worth, averaged over positions: the estimate with it minus the estimate without it.
    /// Inputs that were always true or never are left out, since the network cannot know what they are worth.
    /// Others are sorted by their largest change.
    pub fn input_values(&mut self, samples: &[Sampled]) -> Vec<InputValue> {
        let (n_inputs, n_roles) = (self.encoder.n_inputs(), self.game.roles().len());
        let mut n_true = vec![0; n_inputs];
        for &input in samples.iter().flat_map(|sample| &sample.inputs) {
            n_true[input as usize] += 1;
        }
        let known: Vec<usize> =
            (0..n_inputs).filter(|&input| (1..samples.len()).contains(&n_true[input])).collect();
        let mut changes = vec![vec![0.0; n_roles]; n_inputs];
        for sample in samples {
            for inputs in known.chunks(BATCH) {
                self.add_changes(sample, inputs, &mut changes);
            }
        }
        let value = |&input: &usize| {
            let mean = changes[input].iter().map(|sum| sum / samples.len() as f64).collect();
            InputValue { input, changes: mean, n_true: n_true[input] }
        };
        let mut values: Vec<InputValue> = known.iter().map(value).collect();
        let largest =
            |value: &InputValue| value.changes.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        values.sort_by(|a, b| largest(b).total_cmp(&largest(a)));
        values
    }

    /// Adds what each of some inputs changes in a position.
    fn add_changes(&mut self, sample: &Sampled, inputs: &[usize], changes: &mut [Vec<f64>]) {
        self.batch.clear();
        for &input in inputs {
            let input = input as u32;
            let others = sample.inputs.iter().copied().filter(|&other| other != input);
            let added = (!sample.inputs.contains(&input)).then_some(input);
            self.batch.inputs.push(others.chain(added));
            self.batch.legal.iter_mut().for_each(|legal| legal.push([]));
        }
        self.network.evaluate(&self.batch, &mut self.estimates);
        let n_roles = sample.estimated.len();
        for (&input, changed) in inputs.iter().zip(self.estimates.payoffs.chunks_exact(n_roles)) {
            let was_true = sample.inputs.contains(&(input as u32));
            let roles = changed.iter().zip(&sample.estimated).zip(&mut changes[input]);
            for ((&changed, &estimated), sum) in roles {
                let change = f64::from(changed - estimated);
                *sum += if was_true { -change } else { change };
            }
        }
    }
}

/// A game in progress.
struct Table<G: Game> {
    state: G::State,
    view: View,
    rng: Rng,
    n_plies: usize,
    sample: Option<Sampled>,
}

impl<G: Game> Table<G> {
    fn new(game: &G, rng: Rng) -> Self {
        Table { state: game.initial(), view: View::default(), rng, n_plies: 0, sample: None }
    }

    /// Looks at the position; returns the result if the game is over, or that it was cut.
    #[expect(clippy::option_option, reason = "a game that is over may have no result")]
    fn look(&mut self, game: &G) -> Option<Option<Vec<f32>>> {
        game.look(&self.state, &mut self.view);
        if self.view.terminal {
            return Some(Some(self.view.payoffs.as_slice().to_vec()));
        }
        let cut = self.n_plies >= MAX_PLIES || self.view.legal.iter().any(Vec::is_empty);
        cut.then_some(None)
    }

    /// Keeps one of all positions so far, each with the same probability (Vitter 1985).
    fn keep(&mut self, inputs: &[u32], estimated: &[f32]) {
        if self.rng.below(self.n_plies + 1) == 0 {
            let (inputs, estimated) = (inputs.to_vec(), estimated.to_vec());
            self.sample = Some(Sampled { inputs, estimated, result: None });
        }
    }

    /// Makes a move of each role, drawn by its priors.
    fn play<'p>(&mut self, game: &G, priors: impl Iterator<Item = &'p [f32]>) {
        let Table { state, view, rng, .. } = self;
        let choose = |(legal, priors): (&Vec<Move>, &[f32])| {
            let mut left = rng.unit() as f32;
            let within = |prior: &f32| {
                left -= prior;
                left < 0.0
            };
            // Rounding may leave a little behind the last move.
            legal[priors.iter().position(within).unwrap_or(legal.len() - 1)]
        };
        let joint: Vec<Move> = view.legal.iter().zip(priors).map(choose).collect();
        game.play(state, &joint);
        self.n_plies += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use ludens_games::{Duel, PieceRace, breakthrough};

    fn setup() -> (Duel<PieceRace>, Encoder, Weights) {
        let game = breakthrough::game(4);
        let encoder = Encoder::new(&game).unwrap();
        let shape = Shape::shared(encoder.n_inputs(), &[16], &encoder.n_moves());
        let weights = Weights::random(&shape, 16.0, &mut Rng::new(5));
        (game, encoder, weights)
    }

    #[test]
    fn an_opinion_has_all_moves_the_most_probable_first() {
        let (game, encoder, weights) = setup();
        let opinion = Probe::new(&game, &encoder, &Arc::new(weights)).opinion(&game.initial());
        let mut view = View::default();
        game.look(&game.initial(), &mut view);
        let n_moves: Vec<_> = opinion.moves.iter().map(Vec::len).collect();
        assert_eq!(n_moves, view.legal.iter().map(Vec::len).collect::<Vec<_>>());
        assert!(opinion.moves[0].is_sorted_by(|a, b| a.1 >= b.1));
        let sum: f32 = opinion.moves[0].iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-4 && opinion.payoffs.len() == 2);
    }

    #[test]
    fn games_end_with_results_and_are_reproducible() {
        let (game, encoder, weights) = setup();
        let weights = Arc::new(weights);
        let play = |n| {
            let mut probe = Probe::new(&game, &encoder, &weights);
            probe.play(n, 3, &Budget::unlimited())
        };
        let mut samples = play(100);
        assert_eq!(samples.len(), 100);
        for sample in &samples {
            let result = sample.result.as_ref().expect("breakthrough ends");
            assert!((result.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{result:?}");
        }
        let lens: std::collections::BTreeSet<_> =
            samples.iter().map(|sample| sample.inputs.len()).collect();
        assert!(lens.len() > 2, "positions are from all parts of a game: {lens:?}");
        let mut again = play(100);
        let key = |sample: &Sampled| format!("{sample:?}");
        samples.sort_by_key(key);
        again.sort_by_key(key);
        assert_eq!(samples, again);
        let over = Budget::unlimited().with_time(std::time::Duration::ZERO);
        assert!(Probe::new(&game, &encoder, &weights).play(5, 3, &over).is_empty());
    }

    /// With one layer of known weights, a change is the difference of two sigmoids.
    #[test]
    fn values_of_inputs_are_differences_of_estimates() {
        let (game, encoder, weights) = setup();
        let mut weights = Weights::zeros(&weights.shape);
        let (first, payoff) = (weights.trunk[0], weights.roles[0].payoff);
        // The first unit counts input 3 twice, and the first role's payoff is its sigmoid.
        weights.values[first.weights + 3 * first.stride] = 2.0;
        weights.values[payoff.weights] = 1.0;
        let mut probe = Probe::new(&game, &encoder, &Arc::new(weights));
        let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
        let sample = |inputs: &[u32]| {
            let estimated = vec![sigmoid(if inputs.contains(&3) { 2.0 } else { 0.0 }), 0.5];
            Sampled { inputs: inputs.to_vec(), estimated, result: None }
        };
        let values = probe.input_values(&[sample(&[3, 5]), sample(&[5, 7]), sample(&[5])]);
        let inputs: Vec<_> = values.iter().map(|value| (value.input, value.n_true)).collect();
        assert_eq!(inputs, [(3, 1), (7, 1)], "5 was always true");
        let expected = f64::from(sigmoid(2.0) - 0.5);
        assert!((values[0].changes[0] - expected).abs() < 1e-6, "{values:?}");
        assert!(values[0].changes[1].abs() < 1e-6 && values[1].changes[0].abs() < 1e-6);
    }
}
