//! States of a few random playouts.

use std::sync::Arc;

use ludens_core::Rng;

use crate::bits::ones;
use crate::network::Network;
use crate::scalar::Scalar;

/// The approximate number of gates that may be evaluated.
const GATE_BUDGET: usize = 10_000_000;
/// More states than this are not needed.
const MAX_STATES: usize = 1500;
/// At least this many are sampled, even in the largest games.
const MIN_STATES: usize = 60;

/// States of random playouts that are not terminal and in which every role has a legal move.
pub(crate) fn sample(network: &Arc<Network>) -> Vec<Vec<u64>> {
    let scalar = Scalar::from(Arc::clone(network));
    let n = (GATE_BUDGET / network.net.gates.len().max(1)).clamp(MIN_STATES, MAX_STATES);
    let mut rng = Rng::new(0);
    let mut scratch = scalar.scratch();
    let mut legal = vec![0; network.does.len().div_ceil(64)];
    let mut start = vec![0; network.fluents.len().div_ceil(64)];
    for &fluent in &network.initial {
        start[fluent as usize / 64] |= 1 << (fluent % 64);
    }
    let roles = network.does_of_roles();
    let mut states = Vec::with_capacity(n);
    let mut state = start.clone();
    while states.len() < n {
        let is_terminal = scalar.look(&mut scratch, &state, &mut legal);
        let mut joint = Vec::with_capacity(roles.len());
        for range in &roles {
            let own: Vec<usize> = ones(&legal).filter(|does| range.contains(does)).collect();
            if !own.is_empty() {
                joint.push(own[rng.below(own.len())] as u32);
            }
        }
        if is_terminal || joint.len() < roles.len() {
            if state == start {
                break;
            }
            state.clone_from(&start);
            continue;
        }
        states.push(state.clone());
        let mut next = vec![0; state.len()];
        scalar.next(&mut scratch, &state, &joint, &mut next);
        state = next;
    }
    states
}
