//! What an evaluator of a network must be able to do with one state.

use std::sync::Arc;

use ludens_core::{Move, Simulator, Views};

use crate::bits::Bits;
use crate::game::PropGame;

/// Evaluates a network.
pub trait Engine: Sized + Send + Sync + 'static {
    /// The memory that it works in.
    type Scratch: Send;

    /// The name by which users know it.
    const NAME: &'static str;

    /// Memory to work in.
    fn scratch(&self) -> Self::Scratch;

    /// Whether a state is terminal; fills in which of the network's `does` are legal there.
    fn look(&self, scratch: &mut Self::Scratch, state: &[u64], legal: &mut [u64]) -> bool;

    /// Fills in which of the network's `goals` hold in a state.
    fn goals(&self, scratch: &mut Self::Scratch, state: &[u64], goals: &mut [u64]);

    /// The state after some of the network's `does`, one of each role.
    fn next(&self, scratch: &mut Self::Scratch, state: &[u64], does: &[u32], next: &mut [u64]);

    /// Says what there is to see in several states if it is faster with all of them at once; else it
    /// is asked one by one.
    fn look_many(&self, states: &[&Bits], views: &mut Views) -> bool {
        let (_, _) = (states, views);
        false
    }

    /// Makes a joint move in each of several states if it is faster with all of them at once.
    fn play_many(&self, states: &mut [Bits], joints: &[Move]) -> bool {
        let (_, _) = (states, joints);
        false
    }

    /// The fastest way it knows to run playouts of a game. The game is evaluated by it, or by an
    /// evaluator that contains it.
    fn simulator<E: Engine>(
        self: &Arc<Self>,
        game: Arc<PropGame<E>>,
    ) -> Box<dyn Simulator<PropGame<E>>>;
}

/// The numbers of the bits that are set, in ascending order.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors((word != 0).then_some(word), |rest| {
            let rest = rest & (rest - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |rest| i * 64 + rest.trailing_zeros() as usize)
    })
}
