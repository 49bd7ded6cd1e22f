//! Expands states of many searches together: the children of all of them are computed and evaluated at once.

use std::sync::Arc;

use ludens_core::{Game, Move, PerRole, Views};

use super::joints::Joints;
use super::search::Search;
use super::tree::{Expansion, Status};
use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::inputs::InputScratch;
use crate::network::{Estimates, Network};
use crate::published::Published;
use crate::trial::Worth;
use crate::weights::Weights;

/// Estimates the payoffs of states.
pub trait StateValues<G: Game>: Send {
    /// A search begins.
    fn begin(&mut self) {}

    /// Writes the payoffs of each role, state after state.
    fn evaluate(&mut self, states: &[&G::State], out: &mut Vec<f32>);
}

/// The payoffs that a network estimates. Its policies are not evaluated.
pub struct NetworkValues<G: Game> {
    game: Arc<G>,
    encoder: Arc<Encoder>,
    network: Network,
    published: Published,
    /// No legal moves, so that no move is scored.
    no_moves: PerRole<Vec<Move>>,
    batch: Batch,
    estimates: Estimates,
    scratch: InputScratch,
}

impl<G: Game> NetworkValues<G> {
    /// The network must have the inputs of the encoder, which must be that of the game.
    pub fn new(game: Arc<G>, encoder: Arc<Encoder>, published: impl Into<Published>) -> Self {
        let published = published.into();
        let weights = published.newest();
        let n_roles = game.roles().len();
        assert_eq!(weights.shape.n_inputs, encoder.n_inputs(), "an input for each fact");
        assert_eq!(weights.roles.len(), n_roles, "a payoff for each role");
        game.expect_batches();
        NetworkValues {
            game,
            encoder,
            network: Network::new(weights),
            published,
            no_moves: PerRole::filled(n_roles, Vec::new()),
            batch: Batch::new(n_roles),
            estimates: Estimates::default(),
            scratch: InputScratch::default(),
        }
    }

    /// Evaluates with these weights from now on.
    pub fn set_weights(&mut self, weights: &Arc<Weights>) {
        self.published.replace(Arc::clone(weights), Worth::default());
        self.begin();
    }

    /// The facts of states without legal moves, for records.
    pub fn encode_facts<'a>(&mut self, states: impl Iterator<Item = &'a G::State>) -> &Batch {
        let vocabulary = self.game.vocabulary().expect("a game with an encoder has a vocabulary");
        self.batch.clear();
        for state in states {
            let position = (state, &self.no_moves);
            self.encoder.encode_facts(vocabulary, position, &mut self.scratch, &mut self.batch);
        }
        &self.batch
    }
}

impl<G: Game> StateValues<G> for NetworkValues<G> {
    fn begin(&mut self) {
        self.network.weights = self.published.newest();
    }

    fn evaluate(&mut self, states: &[&G::State], out: &mut Vec<f32>) {
        let vocabulary = self.game.vocabulary().expect("a game with an encoder has a vocabulary");
        self.batch.clear();
        for state in states {
            let position = (*state, &self.no_moves);
            self.encoder.encode(vocabulary, position, &mut self.scratch, &mut self.batch);
        }
        self.network.evaluate(&self.batch, &mut self.estimates);
        out.clear();
        out.extend_from_slice(&self.estimates.payoffs);
    }
}

/// Expands leaves. A reusable buffer.
pub struct Expander<G: Game> {
    game: Arc<G>,
    views: Views,
    joints: Vec<Move>,
    children: Vec<G::State>,
    estimates: Vec<f32>,
    statuses: Vec<Status>,
    values: Vec<f32>,
}

impl<G: Game> Expander<G> {
    /// For searches of a game.
    pub fn new(game: Arc<G>) -> Self {
        Expander {
            game,
            views: Views::default(),
            joints: Vec::new(),
            children: Vec::new(),
            estimates: Vec::new(),
            statuses: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Expands the leaves of searches that have one. Returns the number of children.
    pub fn expand<'a>(
        &mut self,
        searches: impl Iterator<Item = &'a mut Search<G>>,
        values: &mut dyn StateValues<G>,
    ) -> u64 {
        let mut searches: Vec<_> = searches.filter(|search| search.leaf().is_some()).collect();
        let expanded = self.play_joints(&searches);
        self.evaluate(values, &searches, &expanded);
        let (n_roles, mut first) = (self.game.roles().len(), 0);
        for (search, &Joints { decider, count }) in searches.iter_mut().zip(&expanded) {
            let (all, payoffs) = (first..first + count, first * n_roles..(first + count) * n_roles);
            search.expand(Expansion {
                decider,
                joints: &self.joints[payoffs.clone()],
                statuses: &self.statuses[all],
                values: &self.values[payoffs],
            });
            first += count;
        }
        first as u64
    }

    /// Computes the children of all leaves.
    fn play_joints(&mut self, searches: &[&mut Search<G>]) -> Vec<Joints> {
        let leaf = |i: usize| searches[i].leaf().expect("searches without a leaf were left out");
        let leaves: Vec<&G::State> = (0..searches.len()).map(leaf).collect();
        self.game.look_many(&leaves, &mut self.views);
        self.joints.clear();
        self.children.clear();
        let mut expanded = Vec::with_capacity(leaves.len());
        for (i, leaf) in leaves.iter().enumerate() {
            let joints = Joints::write(&self.views.legal(i), &mut self.joints);
            self.children.extend(std::iter::repeat_n(leaf, joints.count).map(|&leaf| leaf.clone()));
            expanded.push(joints);
        }
        self.game.play_many(&mut self.children, &self.joints);
        expanded
    }

    /// Computes status and payoffs of all children: those of the rules where the game is over, estimates
    /// otherwise.
    fn evaluate(
        &mut self,
        values: &mut dyn StateValues<G>,
        searches: &[&mut Search<G>],
        expanded: &[Joints],
    ) {
        let children: Vec<&G::State> = self.children.iter().collect();
        self.game.look_many(&children, &mut self.views);
        let views = &self.views;
        let is_terminal = |i: usize| views.is_terminal(i);
        let live: Vec<&G::State> =
            (0..children.len()).filter(|&i| !is_terminal(i)).map(|i| children[i]).collect();
        values.evaluate(&live, &mut self.estimates);
        let mut estimates = self.estimates.chunks_exact(self.game.roles().len());
        let cut = searches.iter().zip(expanded);
        let cut =
            cut.flat_map(|(search, joints)| std::iter::repeat_n(search.is_last(), joints.count));
        self.statuses.clear();
        self.values.clear();
        for (i, cut) in cut.enumerate() {
            let stuck = || views.legal(i).any(<[Move]>::is_empty);
            let (status, payoffs) = if is_terminal(i) {
                (Status::Proven, views.payoffs(i))
            } else {
                let estimate = estimates.next().expect("an estimate for each live state");
                (if cut || stuck() { Status::Closed } else { Status::Open }, estimate)
            };
            self.statuses.push(status);
            self.values.extend_from_slice(payoffs);
        }
    }
}
