//! Games of Descent side by side, whose states are expanded together.
//!
//! A walk down the tree always goes to the end of the game, so that every value is soon a result rather than an
//! estimate. All states of the tree become records when the game is over, with the values that were backed
//! up to them (tree learning, Cohen-Solal 2020).

use std::sync::Arc;

use ludens_core::{Game, Rng, View};

use super::expander::{Expander, NetworkValues};
use super::search::Search;
use super::tree::{EdgeId, NodeId, Status};
use super::{Descent, ordinal};
use crate::encoder::Encoder;
use crate::replay::Format;
use crate::self_play::Played;
use crate::weights::Weights;

/// The largest number of joint moves in the tree of a game: a longer game continues with a new tree.
const MAX_EDGES: usize = 1 << 16;

/// Games that are played side by side by one thread at a time. They do not depend on the thread.
pub struct Group<G: Game> {
    game: Arc<G>,
    settings: Descent,
    values: NetworkValues<G>,
    expander: Expander<G>,
    tables: Vec<Table<G>>,
    /// Of the ordinal distribution, see [`ordinal::draw`].
    exploitation: f64,
    output: Output,
}

/// A game in progress.
struct Table<G: Game> {
    search: Search<G>,
    rng: Rng,
    /// States expanded since the last move.
    n_expanded: u64,
    n_plies: u64,
}

/// What games have made since it was last taken.
struct Output {
    format: Format,
    played: Played,
    records: Vec<Vec<u16>>,
}

impl<G: Game> Group<G> {
    /// Games that begin with the random numbers of a seed.
    pub fn new(
        game: &Arc<G>,
        encoder: &Arc<Encoder>,
        weights: &Arc<Weights>,
        settings: &Descent,
        n_games: usize,
        seed: u64,
    ) -> Self {
        let format = Format::of(encoder);
        let table = |_| Table {
            search: Search::new(&**game, settings.haste, settings.max_plies),
            rng: Rng::new(0),
            n_expanded: 0,
            n_plies: 0,
        };
        let mut group = Group {
            values: NetworkValues::new(Arc::clone(game), Arc::clone(encoder), Arc::clone(weights)),
            expander: Expander::new(Arc::clone(game)),
            tables: (0..n_games).map(table).collect(),
            exploitation: settings.exploitation.0,
            output: Output { format, played: Played::default(), records: Vec::new() },
            game: Arc::clone(game),
            settings: settings.clone(),
        };
        group.restart(seed);
        group
    }

    /// Plays with these weights from now on.
    pub fn set_weights(&mut self, weights: &Arc<Weights>) {
        self.values.set_weights(weights);
    }

    /// Explores as is due after this share of the training.
    pub fn set_progress(&mut self, progress: f64) {
        let (first, last) = self.settings.exploitation;
        self.exploitation = first + (last - first) * progress.clamp(0.0, 1.0);
    }

    /// Expands one state in each game.
    pub fn step(&mut self) {
        for i in 0..self.tables.len() {
            self.prepare(i);
        }
        let searches = self.tables.iter_mut().map(|table| &mut table.search);
        let n_evaluated = self.expander.expand(searches, &mut self.values);
        self.output.played.simulations += n_evaluated;
    }

    /// Continues a game until a state must be expanded.
    fn prepare(&mut self, i: usize) {
        loop {
            let table = &mut self.tables[i];
            if table.search.walk(&self.game) {
                table.n_expanded += 1;
                return;
            }
            table.search.end_walk();
            if table.search.status() != Status::Open {
                let cut = table.search.status() == Status::Closed;
                self.finish(i, cut);
            } else if table.n_expanded >= self.settings.expansions {
                self.make_move(i);
            }
        }
    }

    /// Chooses a move by the ordinal distribution.
    fn make_move(&mut self, i: usize) {
        let table = &mut self.tables[i];
        let edge = table.choose(self.exploitation);
        table.n_expanded = 0;
        table.n_plies += 1;
        let tree = table.search.tree();
        let status = tree.edge_status(edge);
        if tree.child(edge).is_none() && status != Status::Open {
            return self.finish(i, status == Status::Closed);
        }
        table.search.make(&self.game, edge);
        if self.tables[i].search.tree().n_edges() > MAX_EDGES {
            self.record(i);
            self.tables[i].search.forget();
        }
    }

    /// The game is over: its tree becomes records, and another game begins.
    fn finish(&mut self, i: usize, cut: bool) {
        self.record(i);
        self.output.played.games += 1;
        self.output.played.cut += u64::from(cut);
        self.output.played.plies += self.tables[i].n_plies;
        self.tables[i].begin(&self.game, self.settings.max_opening);
    }

    /// Writes all states of a tree with their values.
    fn record(&mut self, i: usize) {
        let tree = self.tables[i].search.tree();
        let batch = self.values.encode_facts(tree.ids().map(|id: NodeId| &tree.node(id).state));
        for id in tree.ids() {
            let mut record = Vec::new();
            self.output.format.write(batch, id as usize, &[], &mut record);
            self.output.format.write_payoffs(tree.target(id), &mut record);
            self.output.records.push(record);
        }
    }

    /// Ends all games where they are: their trees become records. [`Group::restart`] must follow.
    pub fn end_games(&mut self) {
        for i in 0..self.tables.len() {
            self.tables[i].search.end_walk();
            self.record(i);
        }
    }

    /// Begins all games anew with the random numbers of a seed.
    pub fn restart(&mut self, seed: u64) {
        for (i, table) in self.tables.iter_mut().enumerate() {
            table.rng = Rng::stream(seed, &[i as u64]);
            table.begin(&self.game, self.settings.max_opening);
        }
    }

    /// The bytes of the trees.
    pub fn bytes(&self) -> usize {
        let state_bytes = self.game.state_bytes(&self.game.initial());
        self.tables.iter().map(|table| table.search.tree().bytes(state_bytes)).sum()
    }

    /// Takes the records and the statistics since the last time.
    pub fn take(&mut self) -> (Vec<Vec<u16>>, Played) {
        (std::mem::take(&mut self.output.records), std::mem::take(&mut self.output.played))
    }
}

impl<G: Game> Table<G> {
    /// Begins a game with some random moves.
    fn begin(&mut self, game: &G, max_opening: usize) {
        let (state, ply) = random_opening(game, max_opening, &mut self.rng);
        self.n_plies = u64::from(ply);
        self.n_expanded = 0;
        self.search.begin(state, ply);
    }

    /// A random edge of the root. Where several roles decide, all are alike.
    fn choose(&mut self, exploitation: f64) -> EdgeId {
        let (tree, root) = (self.search.tree(), self.search.root().expect("a walk has ended"));
        let mut edges: Vec<EdgeId> = tree.edges(root).collect();
        let Some(role) = tree.node(root).decider else { return edges[self.rng.below(edges.len())] };
        edges.sort_by(|&a, &b| tree.compare(role, b, a));
        edges[ordinal::draw(edges.len(), exploitation, &mut self.rng)]
    }
}

/// A state after at most this many random moves, and their number. If the game is over by then, the initial
/// state.
fn random_opening<G: Game>(game: &G, max_opening: usize, rng: &mut Rng) -> (G::State, u32) {
    let (mut state, mut view) = (game.initial(), View::default());
    let n_moves = rng.below(max_opening + 1) as u32;
    for ply in 0..=n_moves {
        game.look(&state, &mut view);
        if view.is_over() {
            break;
        }
        if ply == n_moves {
            return (state, n_moves);
        }
        let joint = view.random_joint(rng);
        game.play(&mut state, &joint);
    }
    (game.initial(), 0)
}
