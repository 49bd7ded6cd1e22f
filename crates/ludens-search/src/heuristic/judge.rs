//! An evaluation function in place of playouts (Mańdziuk and Świechowski 2012, section 3.3, fourth use).

use ludens_core::{Game, Views};

use super::function::Evaluator;
use crate::gather::Walks;
use crate::playouts::Hand;
use crate::search::{Evaluation, Search};

/// Says what some leaves are worth.
pub(crate) struct Judge<G: Game> {
    evaluator: Evaluator<G>,
    /// The probability with which a leaf is judged.
    share: f64,
    views: Views,
    payoffs: Vec<f32>,
    judged: Vec<u32>,
}

impl<G: Game> Judge<G> {
    /// Judges a share of the leaves.
    pub fn new(evaluator: Evaluator<G>, share: f64) -> Self {
        let (views, payoffs, judged) = (Views::default(), Vec::new(), Vec::new());
        Judge { evaluator, share, views, payoffs, judged }
    }

    /// Takes some leaves away and counts what they are worth at once.
    pub fn judge(
        &mut self,
        walks: &mut Walks<G::State>,
        search: &mut Search<G>,
        hand: &mut Hand<'_>,
    ) {
        self.judged.clear();
        walks.leaves.retain(|leaf| {
            let judged = hand.rng.unit() < self.share;
            self.judged.extend(judged.then_some(leaf.ticket));
            !judged
        });
        let states: Vec<_> = self.judged.iter().map(|&ticket| search.leaf(ticket)).collect();
        search.game().look_many(&states, &mut self.views);
        for (i, &ticket) in self.judged.iter().enumerate() {
            let terminal = self.views.is_terminal(i);
            self.payoffs.clear();
            self.payoffs.extend_from_slice(self.views.payoffs(i));
            if !terminal {
                self.evaluator.estimate(search.leaf(ticket), self.payoffs.iter_mut());
            }
            hand.chain.begin(search.tree(), search.path(ticket), 0);
            let payoffs = &self.payoffs;
            let evaluation = Evaluation { payoffs, moves: &[], terminal, plies: 0, game: 0 };
            search.apply(ticket, &evaluation, hand.chain);
        }
        walks.n_settled += self.judged.len();
    }
}
