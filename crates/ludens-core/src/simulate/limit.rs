//! Limits on the length of playouts. A truncated playout carries little information but is cheap: where
//! random play lasts for hundreds of moves, many short playouts carry more than a few long ones.

use crate::game::{Game, View};
use crate::role::Role;

/// After how many joint moves a playout is truncated, and the payoffs it then gets.
///
/// A terminal state at the limit is a regular end; in any other state the playout is truncated, whether
/// it could continue or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The maximum number of joint moves; at least one.
    pub plies: u32,
    /// The payoffs of a truncated playout.
    pub cut: Cut,
}

impl Limit {
    /// GDL games must end; the rules of one that has not ended by then are broken.
    pub const LONGEST: u32 = 100_000;
}

impl Default for Limit {
    fn default() -> Self {
        Limit { plies: Limit::LONGEST, cut: Cut::Nothing }
    }
}

/// The payoffs of a truncated playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// 0 for every role.
    Nothing,
    /// A draw: 0.5 for every role.
    Draw,
    /// The goal values of the last state, and 0.5 for each role that has none there.
    Goal,
}

impl Cut {
    /// The payoff of a role for which nothing else is known.
    pub const HALF: f32 = 0.5;

    /// Writes the payoffs of a playout that was truncated in a state to `view`; the rest of `view` is
    /// meaningless.
    pub fn judge<G: Game>(self, game: &G, state: &G::State, view: &mut View) {
        match self {
            Cut::Goal => game.look_all(state, view),
            Cut::Nothing | Cut::Draw => view.clear(game.roles().len()),
        }
        self.fill(view);
    }

    /// Adds [`Cut::HALF`] to a view for the roles without a payoff.
    pub fn fill(self, view: &mut View) {
        if self == Cut::Nothing {
            return;
        }
        for role in Role::all(view.payoffs.n_roles()) {
            if !view.scored.contains(role) {
                view.pay(role, Cut::HALF);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The payoffs of two roles if the rules give the first of them 0.25.
    fn filled(cut: Cut) -> Vec<f32> {
        let mut view = View::default();
        view.clear(2);
        view.pay(Role(0), 0.25);
        cut.fill(&mut view);
        view.payoffs.as_slice().to_vec()
    }

    #[test]
    fn roles_without_a_goal_value_get_half() {
        assert_eq!(filled(Cut::Goal), [0.25, 0.5]);
        assert_eq!(filled(Cut::Nothing), [0.25, 0.0]);
    }
}
