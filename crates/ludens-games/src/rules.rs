//! The rules of a two-player game; [`Duel`](crate::Duel) makes a `Game` of them.

use std::hash::Hash;

use ludens_core::{DrawStats, Move, Rng, Role, WeightsVersion};

use crate::text::Words;

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// One role wins.
    Win(Role),
    /// Neither role wins.
    Draw,
}

impl Outcome {
    /// The role with this index wins.
    pub fn win(role_idx: usize) -> Self {
        Outcome::Win(Role(role_idx as u8))
    }

    /// The payoff of each role.
    pub fn payoffs(self) -> [f32; 2] {
        match self {
            Outcome::Win(Role(0)) => [1.0, 0.0],
            Outcome::Win(_) => [0.0, 1.0],
            Outcome::Draw => [0.5, 0.5],
        }
    }
}

/// The rules of a two-player game with alternating moves. Moves are numbers below
/// [`Rules::n_moves`]; the `noop` of the other role is not part of the rules.
///
/// A state is compact, since trees hold millions of them. A board is the same position in the form
/// that is fastest for playouts.
pub trait Rules: Send + Sync + 'static {
    /// A compact position.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// A position for playouts.
    type Board: Clone + Send;
    /// Reusable buffers of weighted playouts.
    type Buffers: Default + Send;

    /// The roles; the first one begins.
    const ROLES: [&'static str; 2];
    /// The payoff of both roles in states that are not terminal.
    const UNDECIDED: f32;
    /// How many playouts are interleaved, so that the processor overlaps their latencies.
    const INTERLEAVED: usize;

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// Index of the role to move.
    fn mover(&self, state: &Self::State) -> usize;

    /// Appends the moves of the role to move in ascending order, and returns the outcome of a terminal
    /// state. There, the moves are those that would be legal if it were not terminal.
    fn look(&self, state: &Self::State, legal: &mut Vec<Move>) -> Option<Outcome>;

    /// Makes a move of the role to move; the caller guarantees that it is legal.
    fn make(&self, state: &mut Self::State, m: Move);

    /// An upper bound of move numbers.
    fn n_moves(&self) -> u32;

    /// The number of features that [`Rules::code`] distinguishes.
    fn n_features(&self) -> u32;

    /// The key of a move for learning policies: the move and its feature, below the product of
    /// `n_moves` and `n_features`.
    fn code(&self, state: &Self::State, role: Role, m: Move) -> u32;

    /// Appends the keys of several moves; an implementation can share work between them.
    fn codes(&self, state: &Self::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.code(state, role, m)));
    }

    /// A move as text.
    fn move_name(&self, role: Role, m: Move) -> String;

    /// Parses a move.
    fn parse_move(&self, role: Role, words: &Words<'_>) -> Option<Move>;

    /// Whether a role can ever have a move, in any state.
    fn can_have(&self, role: Role, m: Move) -> bool {
        let (_, _) = (role, m);
        true
    }

    /// How many facts there are besides whose turn it is.
    fn n_facts(&self) -> u32;

    /// A fact as text.
    fn fact_name(&self, fact: u32) -> String;

    /// The facts that hold in a state besides whose turn it is, in ascending order.
    fn facts(&self, state: &Self::State) -> impl Iterator<Item = u32>;

    /// The state with these facts in which the role with the index `mover` is to move, if it exists.
    fn parse_state(&self, facts: &[Words<'_>], mover: usize) -> Option<Self::State>;

    /// The board of a state.
    fn board(&self, state: &Self::State) -> Self::Board;

    /// Makes a uniformly random move and passes it to `record`, or returns the outcome of a terminal
    /// position.
    fn random_ply(
        &self,
        board: &mut Self::Board,
        rng: &mut Rng,
        record: &mut impl FnMut(Move),
    ) -> Option<Outcome>;

    /// Plays to the end from a state and passes the moves to `record`. Each legal move is drawn with a
    /// probability proportional to the weight of its key; `weights` has those of each role by key. The
    /// statistics of each role with a positive payoff are written to `stats`, which is empty before.
    fn draw_playout(
        &self,
        start: &Self::State,
        weights: [&[f32]; 2],
        context: PlayoutContext<'_, Self::Buffers>,
        record: impl FnMut(Move),
    ) -> Outcome;
}

/// The context of a weighted playout.
pub struct PlayoutContext<'a, D> {
    /// The buffers of the rules.
    pub buffers: &'a mut D,
    /// Random numbers.
    pub rng: &'a mut Rng,
    /// Statistics of the draws of each role.
    pub stats: &'a mut [DrawStats; 2],
    /// Identifies the weights of each role.
    pub versions: [WeightsVersion; 2],
}
