//! PPA, playout policy adaptation (Cazenave 2015), with move features (PPAF, Cazenave 2016) and memory
//! from one move of the match to the next (PPAFM, Cazenave and Diemert 2017, algorithms 1 to 3 and 5).
//!
//! A move is drawn with probability proportional to exp(k·weight\[code\]). After each simulation the
//! weights of a role that won are adapted to the moves it played: the code of the move gets +α, and the
//! code of every legal move −α times the probability with which it would have been drawn. For
//! payoffs between 0 and 1, α is multiplied by the role's payoff.

mod change;
mod exponential;
mod table;
#[cfg(test)]
mod tests;
mod trace;

use std::sync::Arc;

use ludens_core::{DrawStats, FixedWeights, Move, Rng, Role, Turn, WeightsVersion};

pub use table::InitialPolicy;
use table::{Table, is_plain};
use trace::Trace;

use super::sample::{roulette_with_total, sum};
use super::{PlayoutPolicy, Position};
use crate::episode::{Episode, Path};
use crate::tree::Tree;

/// A playout policy that is adapted to winning moves.
#[derive(Clone, Debug)]
pub struct Ppa {
    /// Learning rate of the adaptation (α).
    pub rate: f32,
    /// Inverse temperature of the softmax (k).
    pub sharpness: f32,
    /// Whether weights are indexed by the game's codes of moves, not by their numbers.
    pub features: bool,
    /// Whether weights are kept from one move of the match to the next.
    pub memorize: bool,
    /// The initial weights of a match; all are 0 if there are none.
    pub initial: Option<Arc<InitialPolicy>>,
    /// Weights by role.
    tables: Vec<Table>,
    traces: Vec<Trace>,
    codes: Vec<u32>,
    weights: Vec<f32>,
    /// The sum of the exponentials at the last draw; 0 if the adaptation needs a different sum.
    total: f32,
    /// The number of updates of the weights.
    version: u64,
    recording: Recording,
    begun: bool,
}

/// Which data of a playout other policies need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recording {
    Payoffs,
    Moves,
}

impl Ppa {
    /// A policy that has learnt nothing.
    pub fn new(rate: f32, sharpness: f32, features: bool, memorize: bool) -> Self {
        Ppa {
            rate,
            sharpness,
            features,
            memorize,
            initial: None,
            tables: Vec::new(),
            traces: Vec::new(),
            codes: Vec::new(),
            weights: Vec::new(),
            total: 0.0,
            version: 0,
            recording: Recording::Payoffs,
            begun: false,
        }
    }

    /// Sets the initial weights of matches.
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

    /// Adapts the weights to the moves chosen in the tree.
    fn adapt_to_tree(&mut self, episode: &Episode<'_>) {
        let tree = episode.tree;
        for (node, chosen) in episode.path.steps() {
            for (role, edge) in tree.each_chosen(node, chosen) {
                let range = tree.range(node, role);
                let rate = self.rate * episode.payoffs[role.index()];
                if range.len() < 2 || rate <= 0.0 {
                    continue;
                }
                let place = edge - range.start;
                let mut numbers = std::mem::take(&mut self.codes);
                numbers.clear();
                let codes = if self.features {
                    tree.codes(range)
                } else {
                    numbers.extend(tree.moves(node, role).iter().map(|mv| mv.0));
                    &numbers
                };
                let table = self.table(role);
                table.cover_all(codes);
                table.adapt(codes, codes[place], rate, 0.0);
                self.codes = numbers;
            }
        }
    }

    /// Adapts the weights to the moves chosen in the playout, and applies all changes.
    fn adapt_to_playout(&mut self, episode: &Episode<'_>) {
        let trace = std::mem::take(self.trace(episode.game));
        let version = self.version;
        for (role, payoff) in Role::all(episode.payoffs.len()).zip(episode.payoffs) {
            let rate = self.rate * payoff;
            // A role with payoff 0 learns nothing, neither here nor in the tree.
            if rate > 0.0 {
                let table = self.table(role);
                trace.adapt(table, role, rate, version);
                table.apply(trace.dense_shares(role), rate);
            }
        }
        *self.trace(episode.game) = trace;
    }
}

impl FixedWeights for Ppa {
    fn weights(&self, role: Role) -> &[f32] {
        self.tables.get(role.index()).map_or(&[], Table::exps)
    }

    fn version(&self, role: Role) -> WeightsVersion {
        self.tables.get(role.index()).map_or_else(WeightsVersion::fresh, Table::version)
    }

    fn wants_moves(&self) -> bool {
        self.recording == Recording::Moves
    }

    fn record_draws(&mut self, game: usize, stats: &[DrawStats]) {
        self.trace(game).set_draw_stats(stats);
    }
}

impl PlayoutPolicy for Ppa {
    fn begin(&mut self, tree: &Tree, _path: &Path, game: usize) {
        let records_moves = tree.records_moves();
        self.recording = if records_moves { Recording::Moves } else { Recording::Payoffs };
        let version = self.version;
        self.trace(game).begin(version);
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        let features = self.features;
        self.trace(turn.game).open(turn, features);
        self.table(turn.role);
        let codes = self.traces[turn.game].open_codes();
        let table = &mut self.tables[turn.role.index()];
        table.cover_all(codes);
        self.weights.clear();
        self.weights.extend(codes.iter().map(|&code| table.exps()[code as usize]));
        let total = sum(&self.weights);
        // The probabilities of the adaptation have k = 1, unlike those of the playout.
        self.total = if is_plain(self.sharpness) { total } else { 0.0 };
        Some(roulette_with_total(&self.weights, total, rng))
    }

    fn fixed_weights(&mut self, n_roles: usize, n_codes: usize) -> Option<&mut dyn FixedWeights> {
        // The statistics of a simulator are those of its own draws, so k must be that of the adaptation.
        if !self.features || !is_plain(self.sharpness) {
            return None;
        }
        Role::all(n_roles).for_each(|role| self.table(role).cover(n_codes));
        Some(self)
    }

    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, asked: bool) {
        let features = self.features;
        if !asked {
            self.trace(turn.game).open(turn, features);
            self.table(turn.role);
            self.tables[turn.role.index()].cover_all(self.traces[turn.game].open_codes());
            self.total = 0.0;
        }
        self.traces[turn.game].decide(turn.role, chosen, self.total);
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        if let Some(trace) = self.traces.get(episode.game) {
            for (role, table) in Role::all(self.tables.len()).zip(&mut self.tables) {
                table.expect_dense(!trace.dense_shares(role).is_empty());
            }
        }
        // Probabilities are those before this simulation: changes are accumulated, then applied.
        self.adapt_to_tree(episode);
        self.adapt_to_playout(episode);
        self.version += 1;
    }

    fn next_move(&mut self, position: &Position<'_>) {
        if std::mem::replace(&mut self.begun, true) && self.memorize {
            return;
        }
        self.tables.iter_mut().for_each(Table::clear);
        self.version += 1;
        let initial = self.initial.clone();
        let weights = initial.as_ref().and_then(|initial| initial.of(&position()));
        for (role_idx, weights) in weights.into_iter().flatten().enumerate() {
            self.table(Role(role_idx as u8)).load(weights);
        }
    }

    fn new_game(&mut self) {
        self.begun = false;
        self.tables.iter_mut().for_each(Table::clear);
        self.version += 1;
    }

    fn subscribe(&self, tree: &mut Tree) {
        if self.features {
            tree.keep_codes();
        }
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
