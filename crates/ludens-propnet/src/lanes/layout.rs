//! The layout of the frame of lane programs.

use super::base::n_loops;
use super::leaves::Leaves;
use crate::network::Network;
use crate::select::{ATTEMPTS, Choice};

/// The first slots of the contents of the frame.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The moves made, one slot for each of the network's `does`.
    pub does: u32,
    /// The legal moves, likewise.
    pub legal: u32,
    /// The payoffs, one slot for each of the network's `goals`.
    pub goals: u32,
    /// Where the state is terminal.
    pub terminal: u32,
    /// Where a role has no legal move.
    pub stuck: u32,
    /// Where a random number is still to be drawn.
    pub open: u32,
    /// Where a finished playout is frozen.
    pub frozen: u32,
    /// Where an exclusion behind shared leaves is wrong.
    pub refuted: u32,
    /// Random bits for the choices.
    pub random: std::ops::Range<u32>,
    /// The choices that are made at every step.
    pub choices: Vec<Choice>,
    /// The length of the frame.
    pub len: u32,
}

impl Layout {
    /// The layout for a network, and the first slot of its loops.
    pub(super) fn new(network: &Network, leaves: &Leaves) -> (Self, u32) {
        let n_does = network.does.len() as u32;
        let mut layout = Layout::default();
        let mut len = 0;
        let mut take = |n: u32| {
            len += n;
            len - n
        };
        layout.does = take(n_does);
        layout.legal = take(n_does);
        layout.goals = take(network.goals.len() as u32);
        layout.terminal = take(1);
        layout.stuck = take(1);
        layout.open = take(1);
        layout.frozen = take(1);
        layout.refuted = take(1);
        let loops = take(2 * n_loops(network));
        let random =
            take(leaves.choices.iter().map(|leaves| ATTEMPTS * Choice::width(leaves.len())).sum());
        layout.random = random..len;
        let mut random = random;
        for leaves in &leaves.choices {
            let choice = Choice::new(leaves.len(), random, &mut len);
            random += ATTEMPTS * choice.width;
            layout.choices.push(choice);
        }
        layout.len = len;
        (layout, loops)
    }
}
