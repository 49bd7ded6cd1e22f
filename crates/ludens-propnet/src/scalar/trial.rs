//! Whether a game is better evaluated by changes or gate after gate, found by trying.
//!
//! Work is counted, not timed, so that the same rules are always evaluated in the same way.

use ludens_core::Rng;

use super::draw::draw;
use super::incremental::Incremental;
use super::plain::Plain;
use crate::game::Bits;
use crate::network::Network;

/// So many joint moves of random games show enough.
const PLIES: u64 = 100;

/// So much work shows enough: a fraction of a millisecond.
const MAX_WORK: u64 = 100_000;

/// Whether evaluating by changes is less work than gate after gate in random games.
pub fn is_worth_it(incremental: &Incremental, network: &Network) -> bool {
    let mut memory = incremental.memory();
    let ranges = network.does_of_roles();
    let mut start = Bits::empty(network.fluents.len());
    network.initial.iter().for_each(|&fluent| start.set(fluent as usize));
    let (mut state, mut next) = (start.clone(), start.clone());
    let mut legal = vec![0; network.does.len().div_ceil(64)];
    let (mut does, mut rng, mut plies) = (Vec::new(), Rng::new(1), 0);
    incremental.prepare(&mut memory, start.words());
    let begin = memory.work;
    while plies < PLIES && memory.work - begin < MAX_WORK {
        let over = incremental.look(&mut memory, state.words(), &mut legal);
        if over || !draw(&legal, &ranges, &mut rng, &mut does) {
            state.words_mut().copy_from_slice(start.words());
        } else {
            incremental.next(&mut memory, state.words(), &does, next.words_mut());
            std::mem::swap(&mut state, &mut next);
        }
        plies += 1;
    }
    memory.work - begin < plies * Plain::work(network)
}
