//! Chooses between incremental and plain evaluation by a trial.
//!
//! Work is counted, not timed, so that the choice depends on the rules only.

use ludens_core::Rng;

use super::Scalar;
use super::draw::draw;
use crate::bits::Bits;
use crate::network::Network;

/// The number of joint moves of random playouts in a trial.
const PLIES: u64 = 100;

/// The maximum work of a trial: a fraction of a millisecond.
const MAX_WORK: u64 = 100_000;

/// The incremental evaluator, or a plain one if that is less work.
pub fn better(incremental: Scalar, network: &Network) -> Scalar {
    let (work, plies) = work(&incremental, network, PLIES);
    let once: u64 = network.net.gates.iter().map(|gate| 1 + gate.fan_in().len() as u64).sum();
    // Plain evaluation visits every gate, those of blocks several times: it need not be tried if
    // one visit of each is already more work, as in all but small games.
    if work < plies * once {
        return incremental;
    }
    let plain = Scalar::plain(network);
    let (plain_work, plain_plies) = self::work(&plain, network, plies);
    // Trials end at a maximum of work, so work per joint move is compared.
    if plain_work * plies < work * plain_plies { plain } else { incremental }
}

/// The work of random playouts, and their number of joint moves.
fn work(scalar: &Scalar, network: &Network, max_plies: u64) -> (u64, u64) {
    let mut scratch = scalar.scratch();
    let ranges = network.does_of_roles();
    let mut start = Bits::empty(network.fluents.len());
    network.initial.iter().for_each(|&fluent| start.set(fluent as usize));
    let (mut state, mut next) = (start.clone(), start.clone());
    let mut legal = vec![0; network.does.len().div_ceil(64)];
    let (mut does, mut rng, mut plies) = (Vec::new(), Rng::new(1), 0);
    scalar.prepare(&mut scratch, start.words());
    let before = scratch.work();
    while plies < max_plies && scratch.work() - before < MAX_WORK {
        let is_terminal = scalar.look(&mut scratch, state.words(), &mut legal);
        if is_terminal || !draw(&legal, &ranges, &mut rng, &mut does) {
            state.words_mut().copy_from_slice(start.words());
        } else {
            scalar.next(&mut scratch, state.words(), &does, next.words_mut());
            std::mem::swap(&mut state, &mut next);
        }
        plies += 1;
    }
    (scratch.work() - before, plies)
}
