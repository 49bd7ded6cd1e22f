//! A network as an evaluator of leaves: one call for a batch, from one search or from hundreds.

use std::sync::Arc;

use ludens_core::Game;
use ludens_search::{Demand, Evaluated, Evaluation, Evaluator, Leaf, Policies};

use crate::batch::Lists;
use crate::encoder::Encoder;
use crate::first_layer::FirstLayer;
use crate::inputs::{InputScratch, Inputs};
use crate::network::{Estimates, Network};
use crate::playout_mix::{Mix, PlayoutMix};
use crate::published::Published;
use crate::weights::Weights;

/// Evaluates leaves by a network.
pub struct NetworkEvaluator<G: Game> {
    game: Arc<G>,
    encoder: Arc<Encoder>,
    network: Network,
    capacity: usize,
    tags: Vec<u32>,
    waiting: Waiting,
    /// For each role, its legal moves in each leaf.
    legal: Vec<Lists>,
    estimates: Estimates,
    scratch: InputScratch,
    priors: Vec<f32>,
    mix: Mix,
    playouts: Option<PlayoutMix<G>>,
    published: Option<Published>,
}

/// Leaves that wait for their evaluation.
enum Waiting {
    /// The units of the first layer, which is updated from leaf to leaf; leaf after leaf.
    Units(FirstLayer, Vec<f32>),
    /// The true inputs of each leaf, for convolutions.
    Inputs(Lists),
}

impl Waiting {
    fn new(weights: &Weights) -> Self {
        match weights.shape.front.convolutions() {
            None => Waiting::Units(FirstLayer::new(weights), Vec::new()),
            Some(_) => Waiting::Inputs(Lists::default()),
        }
    }

    fn set_weights(&mut self, weights: &Weights) {
        match self {
            Waiting::Units(first_layer, _) => first_layer.set_weights(weights),
            Waiting::Inputs(_) => {}
        }
    }

    /// Adds a leaf of a search that has the facts in `scratch`.
    fn push(&mut self, search_idx: usize, inputs: &Inputs, scratch: &mut InputScratch) {
        match self {
            Waiting::Units(first_layer, units) => {
                first_layer.push(search_idx, inputs, scratch, units);
            }
            Waiting::Inputs(lists) => inputs.push(scratch, lists),
        }
    }

    fn evaluate(
        &mut self,
        network: &mut Network,
        positions: (usize, &[Lists]),
        out: &mut Estimates,
    ) {
        match self {
            Waiting::Units(_, units) => network.evaluate_from(units, positions, out),
            Waiting::Inputs(lists) => network.evaluate_inputs(lists, positions.1, out),
        }
    }

    fn clear(&mut self) {
        match self {
            Waiting::Units(_, units) => units.clear(),
            Waiting::Inputs(lists) => lists.clear(),
        }
    }
}

impl<G: Game> NetworkEvaluator<G> {
    /// An evaluator of at most `capacity` leaves at once. The network must have the inputs and outputs of
    /// the encoder, which must be that of the game.
    pub fn new(game: Arc<G>, encoder: Arc<Encoder>, network: Network, capacity: usize) -> Self {
        let shape = &network.weights.shape;
        assert_eq!(shape.n_inputs, encoder.n_inputs(), "the inputs of the encoder");
        let n_moves: Vec<usize> = shape.branches.iter().map(|branch| branch.n_moves).collect();
        assert_eq!(n_moves, encoder.n_moves(), "an output for each move");
        game.expect_batches();
        NetworkEvaluator {
            waiting: Waiting::new(&network.weights),
            legal: vec![Lists::default(); n_moves.len()],
            game,
            encoder,
            network,
            capacity: capacity.max(1),
            tags: Vec::new(),
            estimates: Estimates::default(),
            scratch: InputScratch::default(),
            priors: Vec::new(),
            mix: Mix { share: Some(0.0), n_playouts: 1 },
            playouts: None,
            published: None,
        }
    }

    /// The same, with playouts blended into its values.
    #[must_use]
    pub fn with_playouts(mut self, mix: Mix) -> Self {
        self.mix = mix;
        self.set_share(mix.share.unwrap_or(0.0));
        self
    }

    /// The same, with the newest of these weights in each search.
    #[must_use]
    pub fn with_newest(mut self, published: Published) -> Self {
        self.published = Some(published);
        self
    }

    /// Changes the weight of playouts.
    pub(crate) fn set_share(&mut self, share: f32) {
        if share > 0.0 && self.playouts.is_none() {
            self.playouts = Some(PlayoutMix::new(self.mix.n_playouts, &self.game));
        }
        if let Some(playouts) = &mut self.playouts {
            playouts.share = share;
        }
    }

    /// Evaluates with these parameters from now on.
    pub fn set_weights(&mut self, weights: &Arc<Weights>) {
        self.waiting.set_weights(weights);
        self.network.weights = Arc::clone(weights);
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<G> {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn room(&self) -> usize {
        self.capacity - self.tags.len()
    }

    fn wants_views(&self) -> bool {
        true
    }

    fn begin(&mut self, _: &Demand) {
        let Some(published) = self.published.clone() else { return };
        self.set_share(self.mix.share_beside(published.worth().playouts));
        let newest = published.newest();
        if !Arc::ptr_eq(&newest, &self.network.weights) {
            self.set_weights(&newest);
        }
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, _: &mut Policies<'_, G>) {
        let vocabulary = self.game.vocabulary().expect("a game with an encoder has a vocabulary");
        let legal = leaf.legal.expect("this evaluator wants views");
        self.tags.push(tag);
        if let Some(playouts) = &mut self.playouts {
            playouts.offer(leaf.state);
        }
        self.encoder.read_facts(vocabulary, leaf.state, &mut self.scratch);
        self.waiting.push(leaf.search_idx, self.encoder.inputs(), &mut self.scratch);
        self.encoder.push_legal(legal, &mut self.legal);
    }

    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated) {
        if self.tags.is_empty() {
            return;
        }
        let positions = (self.tags.len(), &self.legal[..]);
        self.waiting.evaluate(&mut self.network, positions, &mut self.estimates);
        if let Some(playouts) = &mut self.playouts {
            playouts.blend(&mut self.estimates.payoffs, policies[0].rng);
        }
        let Estimates { payoffs, priors } = &self.estimates;
        let n_roles = priors.len();
        for (b, (&tag, payoffs)) in self.tags.iter().zip(payoffs.chunks_exact(n_roles)).enumerate()
        {
            self.priors.clear();
            for (priors, legal) in priors.iter().zip(&self.legal) {
                self.priors.extend_from_slice(&priors[legal.range(b)]);
            }
            out.add(tag, &Evaluation { priors: &self.priors, ..Evaluation::of(payoffs) });
        }
        self.abandon();
    }

    fn abandon(&mut self) {
        self.tags.clear();
        self.waiting.clear();
        self.legal.iter_mut().for_each(Lists::clear);
        if let Some(playouts) = &mut self.playouts {
            playouts.clear();
        }
    }
}
