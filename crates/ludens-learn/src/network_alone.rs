//! The agent `nn`: the move with the highest prior of a network, without search (NN of Gunawan et al. 2020).

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, PerRole, Role, View};
use ludens_search::{Agent, MoveStats, Report, Watch};

use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::inputs::InputScratch;
use crate::network::{Estimates, Network};
use crate::published::Published;

/// Plays by a network alone.
pub struct NetworkAlone<G: Game> {
    game: Arc<G>,
    encoder: Arc<Encoder>,
    network: Network,
    published: Published,
}

impl<G: Game> NetworkAlone<G> {
    /// An agent with the newest weights of a network, whose inputs and outputs are those of the encoder.
    pub fn new(game: Arc<G>, encoder: Arc<Encoder>, published: impl Into<Published>) -> Self {
        let published = published.into();
        NetworkAlone { game, encoder, network: Network::new(published.newest()), published }
    }
}

impl<G: Game> Agent<G> for NetworkAlone<G> {
    fn think(&mut self, state: &G::State, _: &Budget, _: &mut Watch<'_>) -> Report {
        self.network.weights = self.published.newest();
        let (mut view, mut batch) = (View::default(), Batch::new(self.game.roles().len()));
        self.game.look(state, &mut view);
        let vocabulary = self.game.vocabulary().expect("a game with an encoder has a vocabulary");
        let scratch = &mut InputScratch::default();
        self.encoder.encode(vocabulary, (state, &view.legal), scratch, &mut batch);
        let mut estimates = Estimates::default();
        self.network.evaluate(&batch, &mut estimates);
        let of_role = |(role, legal): (Role, &Vec<Move>)| {
            let mean = f64::from(estimates.payoffs[role.index()]);
            let priors = &estimates.priors[role.index()];
            let mut places: Vec<usize> = (0..legal.len()).collect();
            places.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]));
            places.iter().map(|&i| MoveStats { mv: legal[i], visits: 0, mean }).collect()
        };
        let moves: Vec<Vec<MoveStats>> = view.legal.entries().map(of_role).collect();
        Report { iterations: 1, moves: PerRole::from(moves), ..Report::default() }
    }

    fn begin(&mut self, _: u64) {}
}
