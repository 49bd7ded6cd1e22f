//! The numbers of facts and moves: what tables of policies, evaluation functions and networks are
//! indexed by.

use crate::role::{Move, Role};

/// The facts and moves of a game with states `S`: how many there are, and their names. The names of
/// moves are [`Game::move_name`](crate::Game::move_name).
pub trait Vocabulary<S>: Send + Sync {
    /// How many facts there are, numbered from 0; `None` if facts get their numbers as they are met.
    fn n_facts(&self) -> Option<usize>;

    /// Appends the numbers of the facts that hold in a state, in ascending order. A fact has the same
    /// number in all states.
    fn fact_ids(&self, state: &S, out: &mut Vec<u32>);

    /// The fact with a number, as text.
    fn fact_name(&self, fact: u32) -> String;

    /// The moves that a role can ever have, in ascending order; `None` if moves get their numbers as
    /// they are met.
    fn moves(&self, role: Role) -> Option<&[Move]>;
}
