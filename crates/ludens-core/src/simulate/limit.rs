//! How long playouts may go on. A playout that is cut says little, but says it soon: where random play
//! wanders about for hundreds of moves, many short playouts tell more than a few long ones.

use crate::game::{Game, View};
use crate::role::Role;

/// After how many joint moves a playout is cut, and what it is worth then.
///
/// A state in which the game is over by its rules is an end, however late it comes; in all others the
/// playout is cut, whether it could go on or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// How many joint moves are made at most; one at least.
    pub plies: u32,
    /// What a playout is worth that was cut.
    pub cut: Cut,
}

impl Limit {
    /// GDL games must end; one that has not by then is broken.
    pub const LONGEST: u32 = 100_000;
}

impl Default for Limit {
    fn default() -> Self {
        Limit { plies: Limit::LONGEST, cut: Cut::Nothing }
    }
}

/// What a playout is worth that was cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Nothing to anybody.
    Nothing,
    /// A draw: half to each role.
    Draw,
    /// To each role what the rules give it in the state in which the playout was cut, and half where they
    /// give nothing.
    Goal,
}

impl Cut {
    /// What a role gets where nothing else is known.
    pub const HALF: f32 = 0.5;

    /// Fills in what a playout is worth that was cut in a state; nothing else in `view` means anything.
    pub fn judge<G: Game>(self, game: &G, state: &G::State, view: &mut View) {
        match self {
            Cut::Goal => game.look_all(state, view),
            Cut::Nothing | Cut::Draw => view.clear(game.roles().len()),
        }
        self.fill(view);
    }

    /// Adds the halves to a view that has the payoffs of the rules as far as they count.
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

    /// What two roles get if the rules give the first of them 0.25.
    fn filled(cut: Cut) -> Vec<f32> {
        let mut view = View::default();
        view.clear(2);
        view.pay(Role(0), 0.25);
        cut.fill(&mut view);
        view.payoffs.as_slice().to_vec()
    }

    #[test]
    fn halves_go_where_rules_say_nothing() {
        assert_eq!(filled(Cut::Goal), [0.25, 0.5]);
        assert_eq!(filled(Cut::Nothing), [0.25, 0.0]);
    }
}
