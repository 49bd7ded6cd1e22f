//! A test before training that finds what would otherwise be noticed hours later, if ever: whether the
//! network can learn at all, whether each role learns its own payoff, and whether moves are the moves of the
//! game.
//!
//! A copy of the network learns a few positions of random games by heart, and a few positions one move before
//! the end with the payoffs of that end. Everything goes the way that training goes: the encoder, records of
//! the replay buffer, gradients, Adam. What the network says then is compared with what the game says.

mod compare;
mod positions;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use ludens_core::{Budget, Game, Rng};

use crate::adam::Adam;
use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::gradient::{Backward, Losses, Targets};
use crate::inputs::InputScratch;
use crate::network::Network;
use crate::replay::Format;
use crate::shape::Shape;
use crate::weights::Weights;
use compare::Subject;
use positions::{Positions, gather};

/// How many positions are learnt by heart, and how many endings.
const N_POSITIONS: usize = 24;

/// The most steps of learning by heart.
const MAX_STEPS: usize = 2000;

/// The learning rate, and the steps in which it rises to that. The first steps all go in one direction where all payoffs are
/// far from one half, and sigmoids that were pushed too far learn no more.
const RATE: f32 = 0.002;
const WARM_UP: usize = 100;

/// Losses of a role at which a batch is learnt by heart.
const LEARNT: Losses = Losses { policy: 0.05, payoff: 0.003 };

/// A test of a new network and of everything that it learns by.
pub struct SelfTest<'a, G: Game> {
    /// The game.
    pub game: &'a Arc<G>,
    /// Facts as inputs and moves as outputs.
    pub encoder: &'a Encoder,
    /// The network, which is not changed.
    pub weights: &'a Weights,
    /// The seed of the random games.
    pub seed: u64,
}

/// What was tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelfTested {
    /// The positions that were learnt by heart.
    pub n_positions: usize,
    /// The endings whose payoffs were learnt.
    pub n_endings: usize,
    /// The steps that this took.
    pub n_steps: usize,
    /// Whether the budget was over before everything was tested.
    pub cut: bool,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfTestError {
    /// In words.
    pub what: String,
    /// What can be done about it.
    pub hint: String,
}

impl fmt::Display for SelfTestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the self-test of the network failed: {}", self.what)
    }
}

impl std::error::Error for SelfTestError {}

/// A network with more hidden layers on the way to a head does not learn by heart itself.
const MAX_LAYERS: usize = 3;

/// The width of the network in its place.
const PUPIL_WIDTH: usize = 128;

/// Writes positions with their targets and reads them back, as training does.
type Record<'a> = dyn Fn(&Positions) -> (Batch, Targets) + 'a;

impl<G: Game> SelfTest<'_, G> {
    /// Runs the test. When the budget is over, what is left is not tested.
    pub fn run(&self, budget: &Budget) -> Result<SelfTested, SelfTestError> {
        let format = Format::of(self.encoder);
        self.run_with(&|positions| recorded(positions, self.encoder, format), budget)
    }

    fn run_with(&self, record: &Record<'_>, budget: &Budget) -> Result<SelfTested, SelfTestError> {
        let (any, endings) = gather(&**self.game, self.encoder, N_POSITIONS, self.seed, budget);
        let subject = Subject { roles: self.game.roles(), names: self.encoder.names() };
        let mut network = Network::new(self.weights.clone());
        for positions in [&any, &endings] {
            subject.check_names(positions)?;
            subject.check_outputs(&mut network, positions)?;
        }
        let mut tested = SelfTested::default();
        for (positions, n_tested) in
            [(&any, &mut tested.n_positions), (&endings, &mut tested.n_endings)]
        {
            if positions.batch.is_empty() {
                continue;
            }
            let lesson = record(positions);
            let Some((mut network, n_steps)) = self.learn(&subject, &lesson, budget)? else {
                tested.cut = true;
                break;
            };
            subject.check_payoffs(&mut network, positions)?;
            subject.check_policies(&mut network, positions)?;
            *n_tested = positions.batch.len();
            tested.n_steps += n_steps;
        }
        Ok(tested)
    }

    /// The network that learns by heart: a copy, or a shallow one in its place if it is deep. Deep networks
    /// may take thousands of steps, which is no error.
    fn pupil(&self) -> Weights {
        let shape = &self.weights.shape;
        let n_hidden = shape.branches.iter().map(|branch| branch.hidden.len()).max();
        let n_layers = self.weights.board.len() + shape.trunk.len() + n_hidden.unwrap_or(0);
        if n_layers <= MAX_LAYERS {
            return self.weights.clone();
        }
        let shallow = Shape::shared(shape.n_inputs, &[PUPIL_WIDTH], &self.encoder.n_moves());
        let shallow = Shape { front: shape.front.shallow(), ..shallow };
        let mut rng = Rng::stream(self.seed, &[u64::MAX]);
        Weights::random(&shallow, (shape.n_inputs as f64).sqrt(), &mut rng)
    }

    /// The pupil that has learnt a batch by heart, and the steps that this took; `None` if the
    /// budget was over before.
    fn learn(
        &self,
        subject: &Subject<'_>,
        (batch, targets): &(Batch, Targets),
        budget: &Budget,
    ) -> Result<Option<(Network, usize)>, SelfTestError> {
        let weights = self.pupil();
        let mut backward = Backward::new(&weights);
        let mut adam = Adam::new(weights.values.len(), 0.0);
        let mut network = Network::new(weights);
        let n_roles = self.game.roles().len() as f64;
        let mut first = None;
        for step in 0..=MAX_STEPS {
            let losses = backward.run(&mut network, batch, targets);
            let first = *first.get_or_insert(losses);
            if losses.policy <= LEARNT.policy * n_roles && losses.payoff <= LEARNT.payoff * n_roles
            {
                return Ok(Some((network, step)));
            }
            if budget.is_over() {
                return Ok(None);
            }
            if step == MAX_STEPS {
                subject.check_fall(first, losses, step)?;
            }
            let weights = Arc::make_mut(&mut network.weights);
            let warm = (step + 1).min(WARM_UP) as f32 / WARM_UP as f32;
            adam.step(&mut weights.values, &backward.gradient, RATE * warm);
        }
        Ok(Some((network, MAX_STEPS)))
    }
}

/// The batch and the targets of positions, by way of records as the replay buffer has them. The policy is
/// the move that was made, the payoffs are those of the end.
fn recorded(positions: &Positions, encoder: &Encoder, format: Format) -> (Batch, Targets) {
    let mut scratch = InputScratch::default();
    let n_roles = positions.moves.len();
    let policies = vec![Vec::new(); n_roles];
    let (mut batch, mut targets) = (Batch::new(n_roles), Targets { payoffs: Vec::new(), policies });
    for b in 0..positions.batch.len() {
        let of_role = |(made, moves): (&Vec<usize>, &Vec<Vec<String>>)| {
            let place = made[b];
            (0..moves[b].len()).map(move |i| f64::from(u8::from(i == place))).collect::<Vec<_>>()
        };
        let policy: Vec<f64> =
            positions.made.iter().zip(&positions.moves).flat_map(of_role).collect();
        let mut words = Vec::new();
        format.write(&positions.stored, b, &policy, &mut words);
        let payoffs = positions.payoffs[b * n_roles..][..n_roles].iter().copied();
        format.write_payoffs(payoffs, &mut words);
        format.read(&words, None, (encoder.inputs(), &mut scratch), &mut batch, &mut targets);
    }
    (batch, targets)
}
