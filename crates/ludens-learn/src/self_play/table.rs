//! A game of self-play in progress.

use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View};
use ludens_search::{NodeId, Path, Search, Searcher};
use serde::{Deserialize, Serialize};

use super::{SelfPlay, proof};
use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::evidence::Outcome;
use crate::inputs::InputScratch;
use crate::replay::Format;

/// A game in progress, with the positions that were searched.
pub(super) struct Table<G: Game> {
    state: G::State,
    rng: Rng,
    /// The joint moves from the state in which the game began.
    moves: Vec<Move>,
    n_plies: usize,
    /// How many of them were random.
    n_opening: usize,
    /// Whether the game is over, and its records are complete.
    over: bool,
    /// Whether the position that is searched becomes a record.
    recorded: bool,
    /// Records without payoffs, one after the other, and their ends.
    words: Vec<u16>,
    ends: Vec<usize>,
    /// The value of each role that the search found in each position; `NAN` if it found none.
    values: Vec<f32>,
}

/// A game in progress, as checkpoints have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTable {
    rng: [u64; 4],
    /// The joint moves, one after the other.
    moves: Vec<u32>,
    n_opening: usize,
    over: bool,
    words: Vec<u16>,
    ends: Vec<usize>,
    /// As bits, since some are not numbers.
    values: Vec<u32>,
}

/// How a game ends.
pub(super) enum End {
    /// With the payoffs of a terminal or proven position.
    Result(Vec<f32>),
    /// Without a result, after too many moves.
    Cut,
}

impl End {
    /// The payoffs, unless the game was cut.
    pub(super) fn payoffs(&self) -> Option<Vec<f32>> {
        match self {
            End::Result(payoffs) => Some(payoffs.clone()),
            End::Cut => None,
        }
    }

    fn result(payoffs: &[f32]) -> Self {
        End::Result(payoffs.to_vec())
    }
}

/// Buffers for writing records.
pub(super) struct Scratch {
    encoder: Arc<Encoder>,
    format: Format,
    batch: Batch,
    inputs: InputScratch,
    view: View,
    policy: Vec<f64>,
    of_role: Vec<f64>,
    /// Where the policy of each role ends.
    ends: Vec<usize>,
    path: Path,
}

impl Scratch {
    pub(super) fn new(encoder: Arc<Encoder>, format: Format, n_roles: usize) -> Self {
        Scratch {
            encoder,
            format,
            batch: Batch::new(n_roles),
            inputs: InputScratch::default(),
            view: View::default(),
            policy: Vec::new(),
            of_role: Vec::new(),
            ends: Vec::new(),
            path: Path::new(n_roles),
        }
    }
}

impl<G: Game> Table<G> {
    pub(super) fn new(game: &Arc<G>, rng: Rng, settings: &SelfPlay) -> Self {
        let mut table = Table {
            state: game.initial(),
            rng,
            moves: Vec::new(),
            n_plies: 0,
            n_opening: 0,
            over: false,
            recorded: true,
            words: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
        };
        table.restart(game, &game.initial(), settings);
        table
    }

    /// The joint moves, one after the other.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many joint moves were made.
    pub(super) fn n_plies(&self) -> usize {
        self.n_plies
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Begins another game in a state, with some random moves.
    pub(super) fn restart(&mut self, game: &Arc<G>, start: &G::State, settings: &SelfPlay) {
        self.over = false;
        self.state = start.clone();
        self.moves.clear();
        (self.n_plies, self.n_opening) = (0, 0);
        self.words.clear();
        self.ends.clear();
        self.values.clear();
        let mut view = View::default();
        for _ in 0..self.rng.below(settings.max_opening + 1) {
            game.look(&self.state, &mut view);
            if view.is_over() {
                // The opening was the whole game.
                self.state = start.clone();
                self.moves.clear();
                (self.n_plies, self.n_opening) = (0, 0);
                return;
            }
            let joint = view.random_joint(&mut self.rng);
            self.advance(game, &joint);
            self.n_opening += 1;
        }
    }

    /// Sets the root of the search. Returns the number of simulations: none if there is nothing to search.
    pub(super) fn set_root(&mut self, searcher: &mut Searcher<G>, settings: &SelfPlay) -> u64 {
        self.recorded = true;
        if !searcher.set_root(&self.state) {
            return 0;
        }
        let length = settings.choosing.length(settings.simulations, &mut self.rng);
        self.recorded = length.recorded;
        length.simulations
    }

    /// Records the searched position and makes a move. Returns the end if the game is over.
    pub(super) fn play(
        &mut self,
        game: &Arc<G>,
        searcher: &mut Searcher<G>,
        settings: &SelfPlay,
        scratch: &mut Scratch,
    ) -> Option<End> {
        let search = &searcher.search;
        let (tree, root) = (search.tree(), search.root());
        if !tree.is_expanded(root) {
            // Terminal, or some role has no legal move.
            return Some(tree.proven(root).map_or(End::Cut, End::result));
        }
        if let Some(payoffs) = tree.proven(root) {
            self.record_proof(game, search, settings, scratch);
            return Some(End::result(payoffs));
        }
        let roles = || Role::all(tree.n_roles());
        if self.recorded && roles().any(|role| tree.range(root, role).len() > 1) {
            self.record_root(game, search, settings, scratch);
        }
        if self.n_plies >= settings.max_plies {
            return Some(End::Cut);
        }
        let choose = |role| settings.choosing.choose(search, role, self.n_plies, &mut self.rng);
        let joint: Vec<Move> = roles().map(choose).collect();
        self.advance(game, &joint);
        None
    }

    fn advance(&mut self, game: &Arc<G>, joint: &[Move]) {
        game.play(&mut self.state, joint);
        self.moves.extend_from_slice(joint);
        self.n_plies += 1;
    }

    /// A random position that was searched in the finished game, with the result; `None` if it was cut.
    pub(super) fn outcome(
        &mut self,
        game: &Arc<G>,
        start: &G::State,
        end: &End,
    ) -> Option<Outcome<G>> {
        let payoffs = end.payoffs()?;
        let ply = self.n_opening + self.rng.below((self.n_plies - self.n_opening).max(1));
        let mut state = start.clone();
        let joints = self.moves.chunks(game.roles().len());
        joints.take(ply).for_each(|joint| game.play(&mut state, joint));
        Some((state, payoffs))
    }

    /// What continues the game later.
    pub(super) fn save(&self) -> SavedTable {
        SavedTable {
            rng: self.rng.state(),
            moves: self.moves.iter().map(|m| m.0).collect(),
            n_opening: self.n_opening,
            over: self.over,
            words: self.words.clone(),
            ends: self.ends.clone(),
            values: self.values.iter().map(|value| value.to_bits()).collect(),
        }
    }

    /// Continues a game; `None` if its moves are not legal.
    pub(super) fn restore(game: &Arc<G>, saved: SavedTable) -> Option<Self> {
        let SavedTable { rng, moves, n_opening, over, words, ends, values } = saved;
        let mut table = Table {
            state: game.initial(),
            rng: Rng::from_state(rng),
            moves: Vec::new(),
            n_plies: 0,
            n_opening,
            over,
            recorded: true,
            words,
            ends,
            values: values.into_iter().map(f32::from_bits).collect(),
        };
        let moves: Vec<Move> = moves.into_iter().map(Move).collect();
        let mut view = View::default();
        for joint in moves.chunks(game.roles().len()) {
            game.look(&table.state, &mut view);
            let legal = view.legal.iter().zip(joint).filter(|(legal, m)| legal.contains(m)).count();
            if view.terminal || legal != game.roles().len() {
                return None;
            }
            table.advance(game, joint);
        }
        table.ends.last().is_none_or(|&end| end == table.words.len()).then_some(table)
    }

    /// Writes the root with the policy that it teaches, and the values that the search found.
    fn record_root(
        &mut self,
        game: &Arc<G>,
        search: &Search<G>,
        settings: &SelfPlay,
        scratch: &mut Scratch,
    ) {
        let Scratch { policy, of_role, ends, path, .. } = scratch;
        let (tree, root) = (search.tree(), search.root());
        policy.clear();
        ends.clear();
        for role in Role::all(tree.n_roles()) {
            settings.choosing.policy(search, path, role, of_role);
            policy.extend_from_slice(of_role);
            ends.push(policy.len());
        }
        for role in Role::all(tree.n_roles()) {
            let decider = tree.decider(root).unwrap_or(role).index();
            let start = if decider == 0 { 0 } else { ends[decider - 1] };
            let value = search.value_by(&policy[start..ends[decider]], role);
            self.values.push(value.map_or(f32::NAN, |value| value as f32));
        }
        self.record(game, search, root, scratch);
    }

    /// Writes the proven root, and the positions of a line to the end of the game.
    fn record_proof(
        &mut self,
        game: &Arc<G>,
        search: &Search<G>,
        settings: &SelfPlay,
        scratch: &mut Scratch,
    ) {
        let tree = search.tree();
        let n_recorded = if settings.proven_lines { usize::MAX } else { 1 };
        for node in proof::line(search, &mut self.rng).into_iter().take(n_recorded) {
            scratch.policy.clear();
            for role in Role::all(tree.n_roles()) {
                proof::append_policy(search, node, role, &mut scratch.policy);
            }
            self.values.extend_from_slice(tree.proven(node).expect("the line is proven"));
            self.record(game, search, node, scratch);
        }
    }

    /// Writes the position of a node, with the policies in `scratch`.
    fn record(&mut self, game: &Arc<G>, search: &Search<G>, node: NodeId, scratch: &mut Scratch) {
        let Scratch { encoder, format, batch, inputs, view, policy, .. } = scratch;
        let tree = search.tree();
        view.clear(tree.n_roles());
        for role in Role::all(tree.n_roles()) {
            view.legal[role].extend_from_slice(tree.moves(node, role));
        }
        let vocabulary = game.vocabulary().expect("a game with an encoder has a vocabulary");
        batch.clear();
        let position = (search.state(node), &view.legal);
        encoder.encode_facts(vocabulary, position, inputs, batch);
        format.write(batch, 0, policy, &mut self.words);
        self.ends.push(self.words.len());
    }

    /// Completes the records by the result: the game is over.
    pub(super) fn finish(
        &mut self,
        end: &End,
        settings: &SelfPlay,
        scratch: &Scratch,
        records: &mut Vec<Vec<u16>>,
    ) {
        self.over = true;
        let result = match end {
            End::Result(payoffs) => Some(payoffs),
            End::Cut => None,
        };
        let n_roles = self.values.len() / self.ends.len().max(1);
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let positions = starts.zip(&self.ends).zip(self.values.chunks_exact(n_roles.max(1)));
        for ((start, &end), values) in positions {
            let mut record = Vec::with_capacity(end - start + n_roles);
            record.extend_from_slice(&self.words[start..end]);
            let target = |(role, &value): (usize, &f32)| match result.map(|result| result[role]) {
                Some(result) if value.is_nan() => result,
                Some(result) => settings.result * result + (1.0 - settings.result) * value,
                None if value.is_nan() => 0.5,
                None => value,
            };
            scratch.format.write_payoffs(values.iter().enumerate().map(target), &mut record);
            records.push(record);
        }
        self.words.clear();
        self.ends.clear();
        self.values.clear();
    }
}
