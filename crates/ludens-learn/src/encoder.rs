//! Positions of a game as inputs of a network.

use ludens_core::{Game, Move, PerRole, Role, Vocabulary};

use crate::batch::Batch;

/// Encodes the facts of a state as inputs, and moves as outputs of the policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoder {
    n_facts: usize,
    /// For each role, its moves in ascending order; the index of a move is its output.
    moves: Vec<Vec<Move>>,
    /// For each role, the output of each move by its number.
    outputs: Vec<Vec<u32>>,
}

/// The output of a move that the role does not have.
const NONE: u32 = u32::MAX;

impl Encoder {
    /// The encoder of a game; `None` if its facts or moves are not known in advance.
    pub fn new<G: Game>(game: &G) -> Option<Self> {
        let vocabulary = game.vocabulary()?;
        let moves = |role| vocabulary.moves(role).map(<[Move]>::to_vec);
        let moves: Vec<Vec<Move>> =
            Role::all(game.roles().len()).map(moves).collect::<Option<_>>()?;
        Some(Encoder {
            n_facts: vocabulary.n_facts()?,
            outputs: moves.iter().map(|moves| outputs(moves)).collect(),
            moves,
        })
    }

    /// The number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.n_facts
    }

    /// The number of moves of each role.
    pub fn n_moves(&self) -> Vec<usize> {
        self.moves.iter().map(Vec::len).collect()
    }

    /// The move of a role's output.
    pub fn move_of(&self, role: Role, output: u32) -> Move {
        self.moves[role.index()][output as usize]
    }

    /// Adds a position to a batch; `facts` is a buffer.
    pub fn encode<S>(
        &self,
        vocabulary: &dyn Vocabulary<S>,
        (state, legal): (&S, &PerRole<Vec<Move>>),
        facts: &mut Vec<u32>,
        batch: &mut Batch,
    ) {
        facts.clear();
        vocabulary.fact_ids(state, facts);
        batch.inputs.push(facts.iter().copied());
        for ((moves, outputs), lists) in legal.iter().zip(&self.outputs).zip(&mut batch.legal) {
            lists.push(moves.iter().map(|m| outputs[m.0 as usize]));
        }
    }
}

/// The output of each move by its number.
fn outputs(moves: &[Move]) -> Vec<u32> {
    let len = moves.last().map_or(0, |last| last.0 as usize + 1);
    let mut outputs = vec![NONE; len];
    for (output, m) in moves.iter().enumerate() {
        outputs[m.0 as usize] = output as u32;
    }
    outputs
}
