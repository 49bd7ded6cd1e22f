//! PPA, playout policy adaptation (Cazenave 2015), with move features (PPAF, Cazenave 2016) and memory
//! from one move of the game to the next (PPAFM, Cazenave and Diemert 2017, algorithms 1 to 3 and 5).
//!
//! A move is drawn with probability in proportion to exp(k·weight\[code\]). After each simulation the
//! weights of a role that won are moved towards what it played: the code of the move gets +α, and the
//! code of every legal move −α times the probability with which it would have been drawn. For
//! payoffs between 0 and 1, α is multiplied by the role's payoff.

mod table;
#[cfg(test)]
mod tests;
mod trace;

use std::sync::Arc;

use ludens_core::{Move, Rng, Role, Turn};

pub use table::InitialPolicy;
use table::{Sum, Table};
use trace::Trace;

use super::sample::spin;
use super::{PlayoutPolicy, Position};
use crate::episode::{Episode, Path};
use crate::tree::{Needs, Tree};

/// A playout policy that is adapted to what wins.
#[derive(Clone, Debug)]
pub struct Ppa {
    /// Step of the adaptation (α).
    pub rate: f32,
    /// How much weights matter (k).
    pub sharpness: f32,
    /// Whether moves are known by the game's codes, not by their numbers.
    pub features: bool,
    /// Whether weights are kept from one move of the game to the next.
    pub memorize: bool,
    /// The weights with which a game begins; none are all zero.
    pub initial: Option<Arc<InitialPolicy>>,
    /// Weights by role.
    tables: Vec<Table>,
    traces: Vec<Trace>,
    weights: Vec<f32>,
    codes: Vec<u32>,
    /// The sum of the weights that were looked at last.
    sum: Sum,
    begun: bool,
}

impl Ppa {
    /// A policy without experience.
    pub fn new(rate: f32, sharpness: f32, features: bool, memorize: bool) -> Self {
        Ppa {
            rate,
            sharpness,
            features,
            memorize,
            initial: None,
            tables: Vec::new(),
            traces: Vec::new(),
            weights: Vec::new(),
            codes: Vec::new(),
            sum: Sum::default(),
            begun: false,
        }
    }

    /// Begins games with given weights.
    #[must_use]
    pub fn with_initial(mut self, initial: Arc<InitialPolicy>) -> Self {
        self.initial = Some(initial);
        self
    }

    /// The weight of a code.
    pub fn weight(&self, role: Role, code: u32) -> f32 {
        self.tables.get(role.index()).map_or(0.0, |table| table.weight(code))
    }

    /// The weights of each role that are not 0.
    pub fn learnt(&self) -> Vec<Vec<(u32, f32)>> {
        self.tables.iter().map(Table::learnt).collect()
    }

    fn table(&mut self, role: Role) -> &mut Table {
        if self.tables.len() <= role.index() {
            let sharpness = self.sharpness;
            self.tables.resize_with(role.index() + 1, || Table::new(sharpness));
        }
        &mut self.tables[role.index()]
    }

    fn trace(&mut self, game: usize) -> &mut Trace {
        if self.traces.len() <= game {
            self.traces.resize(game + 1, Trace::default());
        }
        &mut self.traces[game]
    }

    /// Puts the codes of the legal moves of a turn into its playout's trace.
    fn find_codes(&mut self, turn: &Turn<'_>) {
        let features = self.features;
        let codes = self.trace(turn.game).open();
        if features {
            turn.features.codes(turn.legal, codes);
        } else {
            codes.extend(turn.legal.iter().map(|mv| mv.0));
        }
    }

    /// Adapts the weights to what was chosen in the tree.
    fn adapt_to_tree(&mut self, episode: &Episode<'_>) {
        let tree = episode.tree;
        for (node, chosen) in episode.path.steps() {
            for (role, &edge) in Role::all(tree.n_roles()).zip(chosen) {
                let range = tree.range(node, role);
                let rate = self.rate * episode.payoffs[role.index()];
                if range.len() < 2 || rate <= 0.0 {
                    continue;
                }
                let place = edge as usize - range.start;
                let mut codes = std::mem::take(&mut self.codes);
                codes.clear();
                if self.features {
                    codes.extend_from_slice(tree.codes(range));
                } else {
                    codes.extend(tree.edges(node, role).iter().map(|edge| edge.mv.0));
                }
                self.table(role).adapt(&codes, place, rate, Sum::default());
                self.codes = codes;
            }
        }
    }

    /// Adapts the weights to what was chosen in the playout.
    fn adapt_to_playout(&mut self, episode: &Episode<'_>) {
        let trace = std::mem::take(self.trace(episode.game));
        for (role, codes, chosen, sum) in trace.decisions() {
            let rate = self.rate * episode.payoffs[role.index()];
            if rate > 0.0 {
                self.table(role).adapt(codes, chosen, rate, sum);
            }
        }
        *self.trace(episode.game) = trace;
    }
}

impl PlayoutPolicy for Ppa {
    fn begin(&mut self, _tree: &Tree, _path: &Path, game: usize) {
        self.trace(game).clear();
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        self.find_codes(turn);
        self.table(turn.role);
        let codes = self.traces[turn.game].open_codes();
        let (total, sum) = self.tables[turn.role.index()].exps(codes, &mut self.weights);
        self.sum = sum;
        Some(spin(&self.weights, total, rng))
    }

    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, asked: bool) {
        if !asked {
            self.find_codes(turn);
            self.sum = Sum::default();
        }
        self.traces[turn.game].decide(turn.role, chosen, self.sum);
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        // Probabilities are those before this simulation: changes are collected, then applied.
        self.adapt_to_tree(episode);
        self.adapt_to_playout(episode);
        self.tables.iter_mut().for_each(Table::apply);
    }

    fn next_move(&mut self, position: &Position<'_>) {
        if std::mem::replace(&mut self.begun, true) && self.memorize {
            return;
        }
        self.tables.iter_mut().for_each(Table::clear);
        let initial = self.initial.clone();
        let weights = initial.as_ref().and_then(|initial| initial.of(&position()));
        for (role_idx, weights) in weights.into_iter().flatten().enumerate() {
            self.table(Role(role_idx as u8)).load(weights);
        }
    }

    fn new_game(&mut self) {
        self.begun = false;
        self.tables.iter_mut().for_each(Table::clear);
    }

    fn needs(&self) -> Needs {
        Needs { codes: self.features, moves: true, amaf: false }
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    fn learnt_weights(&self) -> Option<Vec<Vec<(u32, f32)>>> {
        Some(self.learnt())
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        let fresh = Ppa::new(self.rate, self.sharpness, self.features, self.memorize);
        Box::new(Ppa { initial: self.initial.clone(), ..fresh })
    }
}
