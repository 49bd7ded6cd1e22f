//! The best line of play that a search has found, kept from move to move.

use ludens_core::{Game, Move};

/// A line of joint moves from a state to the end of the game.
pub(super) struct Plan<G: Game> {
    start: Option<G::State>,
    joints: Vec<Move>,
    payoff: f32,
}

impl<G: Game> Plan<G> {
    /// No line is known.
    pub fn empty() -> Self {
        Plan { start: None, joints: Vec::new(), payoff: f32::NEG_INFINITY }
    }

    /// Starts a search at a state and drops a line from another state.
    pub fn begin_at(&mut self, state: &G::State) {
        if self.start.as_ref() != Some(state) {
            self.start = Some(state.clone());
            self.forget();
        }
    }

    /// The payoff of the line for the planning role.
    pub fn payoff(&self) -> f32 {
        self.payoff
    }

    /// Replaces the line by another one, given in two parts, if that is better.
    pub fn offer(&mut self, payoff: f32, head: &[Move], tail: &[Move]) {
        if payoff > self.payoff {
            self.payoff = payoff;
            self.joints.clear();
            self.joints.extend_from_slice(head);
            self.joints.extend_from_slice(tail);
        }
    }

    /// The first joint move of the line.
    pub fn next(&self, n_roles: usize) -> Option<&[Move]> {
        self.joints.get(..n_roles)
    }

    /// The whole line, one vector for each joint move.
    pub fn line(&self, n_roles: usize) -> Vec<Vec<Move>> {
        self.joints.chunks_exact(n_roles).map(<[Move]>::to_vec).collect()
    }

    /// Advances by a joint move of the match; drops the line if it starts with another move.
    pub fn advance(&mut self, game: &G, joint: &[Move]) {
        let Some(start) = &mut self.start else { return };
        game.play(start, joint);
        if self.joints.starts_with(joint) {
            self.joints.drain(..joint.len());
        } else {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.joints.clear();
        self.payoff = f32::NEG_INFINITY;
    }
}
