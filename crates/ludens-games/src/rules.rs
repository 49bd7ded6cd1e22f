//! What a game for two says for itself; [`Duel`](crate::Duel) makes a `Game` of it.

use std::hash::Hash;

use ludens_core::{Drawn, Move, Rng, Role, Version};

use crate::text::Words;

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// One role wins, the other one loses.
    Win(Role),
    /// Nobody wins.
    Draw,
}

impl Outcome {
    /// The role with this index wins.
    pub fn win(role_idx: usize) -> Self {
        Outcome::Win(Role(role_idx as u8))
    }

    /// What it is worth to each role.
    pub fn payoffs(self) -> [f32; 2] {
        match self {
            Outcome::Win(Role(0)) => [1.0, 0.0],
            Outcome::Win(_) => [0.0, 1.0],
            Outcome::Draw => [0.5, 0.5],
        }
    }
}

/// The rules of a game for two who take turns. Moves are numbers below [`Rules::n_moves`]; the
/// role not to move has nothing to say, and what it does meanwhile is not the rules' business.
///
/// A state is small, since trees hold millions of them. A board is the same position in the form
/// that is fastest to play on, and never leaves a playout.
pub trait Rules: Send + Sync + 'static {
    /// A position, as small as it can be.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// A position that playouts work on.
    type Board: Clone + Send;
    /// What playouts need whose moves are drawn by weights, used again and again.
    type Desk: Default + Send;

    /// The roles; the first one begins.
    const ROLES: [&'static str; 2];
    /// What a state is worth to both while nothing is decided.
    const UNDECIDED: f32;
    /// How many playouts take turns. Where each step of a playout waits for the one before, a
    /// machine works on several at the same time.
    const AT_ONCE: usize;

    /// Where the game begins.
    fn initial(&self) -> Self::State;

    /// Index of the role whose turn it is.
    fn mover(&self, state: &Self::State) -> usize;

    /// Appends the moves of the role whose turn it is, in ascending order, and says how the game
    /// has ended, if it has. In a state where it has, the moves are those that the rules would
    /// allow if it had not.
    fn look(&self, state: &Self::State, legal: &mut Vec<Move>) -> Option<Outcome>;

    /// Makes a move of the role whose turn it is; the caller guarantees that it is legal.
    fn make(&self, state: &mut Self::State, m: Move);

    /// A bound of the numbers of moves.
    fn n_moves(&self) -> u32;

    /// How many different surroundings a move can have in the eyes of [`Rules::code`].
    fn n_features(&self) -> u32;

    /// The key under which policies keep what they learn about a move of a role: the move, and
    /// what is around it. It is below the product of `n_moves` and `n_features`.
    fn code(&self, state: &Self::State, role: Role, m: Move) -> u32;

    /// Appends the keys of several moves; rules whose keys share work do it here.
    fn codes(&self, state: &Self::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.code(state, role, m)));
    }

    /// A move as text.
    fn move_name(&self, role: Role, m: Move) -> String;

    /// The move that a term means.
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

    /// The state in which these facts hold and it is the turn of the role with the index `mover`,
    /// if there is one.
    fn parse_state(&self, facts: &[Words<'_>], mover: usize) -> Option<Self::State>;

    /// A board that shows a state.
    fn board(&self, state: &Self::State) -> Self::Board;

    /// Makes a move, every legal one with the same probability, and hands it to `record`; or says
    /// how the game has ended, if it has.
    fn random_ply(
        &self,
        board: &mut Self::Board,
        rng: &mut Rng,
        record: &mut impl FnMut(Move),
    ) -> Option<Outcome>;

    /// Plays on to the end from a state, drawing every legal move with probability in proportion to
    /// the weight of its key, and hands the moves to `record`. The weights are those of each role
    /// by key. What was drawn is written to `drawn` for each role to which the end is worth
    /// something; it is empty before.
    fn draw_playout(
        &self,
        start: &Self::State,
        weights: [&[f32]; 2],
        guide: Guide<'_, Self::Desk>,
        record: impl FnMut(Move),
    ) -> Outcome;
}

/// What a playout by weights works with.
pub struct Guide<'a, D> {
    /// The buffers of the rules.
    pub desk: &'a mut D,
    /// Random numbers.
    pub rng: &'a mut Rng,
    /// What each role has drawn.
    pub drawn: &'a mut [Drawn; 2],
    /// What stands for the weights of each role.
    pub versions: [Version; 2],
}
