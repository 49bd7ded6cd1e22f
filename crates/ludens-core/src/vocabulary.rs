//! Numbered facts and moves, by which tables of policies, evaluation functions and networks are
//! indexed.

use crate::role::{Move, Role};

/// The facts and moves of a game with states `S`: counts and names. Moves are named by
/// [`Game::move_name`](crate::Game::move_name).
pub trait Vocabulary<S>: Send + Sync {
    /// The number of facts; `None` if facts are numbered as they appear.
    fn n_facts(&self) -> Option<usize>;

    /// Appends the numbers of the facts that hold in a state, in ascending order. A fact has the same
    /// number in all states.
    fn fact_ids(&self, state: &S, out: &mut Vec<u32>);

    /// The fact with a number, as text.
    fn fact_name(&self, fact: u32) -> String;

    /// The moves that a role can ever have, in ascending order; `None` if moves are numbered as
    /// they appear.
    fn moves(&self, role: Role) -> Option<&[Move]>;
}
