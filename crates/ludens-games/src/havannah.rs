//! Havannah (Christian Freeling, 1979): players place stones on a hexagonal board in turn. The first
//! ring around at least one cell, empty or not, bridge between two corners or fork between three edges
//! wins; corners belong to no edge. A full board without any of these is a draw.
//!
//! A new stone can only win by connecting. If two of its neighbours are not adjacent but belong to one
//! group, they close a ring through it; otherwise the groups it connects combine their edges and
//! corners. Playouts keep groups in a union-find forest ([`board`]); single states recompute them
//! ([`state`]).

pub mod board;
mod draw;
pub mod pattern;
mod roulette;
mod scaled;
pub mod state;

use ludens_core::{Move, Rng, Role};

use crate::bits::append_members;
use crate::duel::Duel;
use crate::hexagon::Hexagon;
use crate::rules::{Outcome, PlayoutContext, Rules};
use crate::text::{Words, role_idx};

use board::Board;
pub use draw::Buffers;
use state::{Cells, State, wins};

/// The rules, for boards whose cells fit into `WORDS` words of 64 bits. `CELLS` is the number of bits
/// of all words, and larger than the number of cells.
#[derive(Clone, Debug)]
pub struct HavannahRules<const WORDS: usize, const CELLS: usize> {
    board: Hexagon,
    /// All cells.
    all: Cells<WORDS>,
}

/// Havannah on a board with 2 to 8 cells along a side.
pub fn game(size: u32) -> Duel<HavannahRules<3, 192>> {
    Duel::new(HavannahRules::new(size))
}

/// Havannah on a board with 2 to 15 cells along a side.
pub fn large_game(size: u32) -> Duel<HavannahRules<10, 640>> {
    Duel::new(HavannahRules::new(size))
}

impl<const WORDS: usize, const CELLS: usize> HavannahRules<WORDS, CELLS> {
    /// The rules for a board with `size` cells along a side, at least 2.
    pub fn new(size: u32) -> Self {
        let board = Hexagon::new(size);
        assert!(size > 1 && board.n_cells() < CELLS && CELLS == 64 * WORDS, "the board fits");
        let mut all = Cells::NONE;
        (0..board.n_cells()).for_each(|cell| all.insert(cell));
        HavannahRules { board, all }
    }
}

/// The marks that a stone of each role sets in the keys of the adjacent cells.
const MARKS: [u32; 2] = [1, 2];

/// The number of sets of marks.
const SURROUNDINGS: u32 = 4;

impl<const WORDS: usize, const CELLS: usize> Rules for HavannahRules<WORDS, CELLS> {
    type State = State<WORDS>;
    type Board = Board<CELLS>;
    type Buffers = Buffers<WORDS, CELLS>;

    const ROLES: [&'static str; 2] = ["red", "blue"];
    const UNDECIDED: f32 = 0.5;
    const INTERLEAVED: usize = 1;

    fn initial(&self) -> State<WORDS> {
        State::empty()
    }

    fn mover(&self, state: &State<WORDS>) -> usize {
        usize::from(state.mover)
    }

    fn look(&self, state: &State<WORDS>, legal: &mut Vec<Move>) -> Option<Outcome> {
        let [red, blue] = &state.stones;
        let words = red.0.iter().zip(&blue.0).zip(&self.all.0);
        let mut empty = [0; WORDS];
        empty.iter_mut().zip(words).for_each(|(to, ((red, blue), all))| *to = all & !(red | blue));
        for (words, base) in empty.chunks(4).zip((0..).step_by(4 * 64)) {
            append_members(words, base, 64, legal);
        }
        let won = state.won.then(|| Outcome::win(1 - usize::from(state.mover)));
        won.or((empty == [0; WORDS]).then_some(Outcome::Draw))
    }

    fn make(&self, state: &mut State<WORDS>, m: Move) {
        let stones = &mut state.stones[usize::from(state.mover)];
        stones.insert(m.index());
        state.won = wins(&self.board, stones, m.index());
        state.last = m.0 as u16;
        state.mover ^= 1;
    }

    fn n_moves(&self) -> u32 {
        self.board.n_cells() as u32
    }

    fn n_features(&self) -> u32 {
        SURROUNDINGS
    }

    /// The cell, and whether stones of each role are adjacent. Distinguishing their places would give
    /// 729 keys per cell, more than a search can learn.
    fn code(&self, state: &State<WORDS>, _role: Role, m: Move) -> u32 {
        let beside = |stones| state::pattern_at(&self.board, stones, m.index()) != 0;
        let marks = state.stones.iter().zip(MARKS).filter(|(stones, _)| beside(stones));
        m.0 * SURROUNDINGS + marks.map(|(_, mark)| mark).sum::<u32>()
    }

    fn codes(&self, state: &State<WORDS>, _role: Role, moves: &[Move], out: &mut Vec<u32>) {
        let mut held = [0; CELLS];
        for (stones, mark) in state.stones.iter().zip(MARKS) {
            stones.iter().for_each(|cell| held[cell] = mark);
        }
        out.extend(moves.iter().map(|m| {
            let around = self.board.cells[m.index()].around.iter();
            m.0 * SURROUNDINGS + around.fold(0, |marks, &cell| marks | held[usize::from(cell)])
        }));
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        format!("(place {})", self.board.name(m.index()))
    }

    fn parse_move(&self, _role: Role, words: &Words<'_>) -> Option<Move> {
        let [x, y] = words.after("place")?;
        self.board.parse(x, y).map(|cell| Move(cell as u32))
    }

    /// The stones of each role, and the cell of the newest one.
    fn n_facts(&self) -> u32 {
        3 * self.n_moves()
    }

    fn fact_name(&self, fact: u32) -> String {
        let cell = self.board.name((fact % self.n_moves()) as usize);
        match Self::ROLES.get((fact / self.n_moves()) as usize) {
            Some(role) => format!("(cell {cell} {role})"),
            None => format!("(last {cell})"),
        }
    }

    fn facts(&self, state: &State<WORDS>) -> impl Iterator<Item = u32> {
        let n_cells = self.n_moves();
        let [red, blue] = state.stones.map(|stones| stones.iter().map(|cell| cell as u32));
        let last = u32::from(state.last);
        let last = (last < n_cells).then_some(2 * n_cells + last);
        red.chain(blue.map(move |cell| n_cells + cell)).chain(last)
    }

    fn parse_state(&self, facts: &[Words<'_>], mover: usize) -> Option<State<WORDS>> {
        let mut state = State { mover: mover as u8, ..State::empty() };
        for fact in facts {
            if let Some([x, y]) = fact.after("last") {
                let is_first = state.last == State::<WORDS>::NO_CELL;
                state.last = is_first.then_some(self.board.parse(x, y)? as u16)?;
            } else {
                let [x, y, role] = fact.after("cell")?;
                state.stones[role_idx(Self::ROLES, role)?].insert(self.board.parse(x, y)?);
            }
        }
        let [red, blue] = &state.stones;
        let is_apart = red.iter().all(|cell| !blue.contains(cell));
        let is_turn = red.count() == blue.count() + mover as u32;
        let newest = &state.stones[1 - mover];
        let last = usize::from(state.last);
        let is_newest = newest.contains(last) || newest.count() == 0 && mover == 0;
        state.won = newest.contains(last) && wins(&self.board, newest, last);
        (is_apart && is_turn && is_newest).then_some(state)
    }

    fn board(&self, state: &State<WORDS>) -> Board<CELLS> {
        Board::new(&self.board, state)
    }

    #[inline]
    fn random_ply(
        &self,
        board: &mut Board<CELLS>,
        rng: &mut Rng,
        record: &mut impl FnMut(Move),
    ) -> Option<Outcome> {
        if board.outcome().is_some() {
            return board.outcome();
        }
        let at = rng.below(board.n_empty());
        let cell = board.place(&self.board, at);
        record(Move(cell as u32));
        None
    }

    fn draw_playout(
        &self,
        start: &State<WORDS>,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Buffers<WORDS, CELLS>>,
        record: impl FnMut(Move),
    ) -> Outcome {
        self.draw_stones(start, weights, context, record)
    }
}
