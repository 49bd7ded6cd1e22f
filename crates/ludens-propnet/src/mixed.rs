//! Two evaluators combined: single states by the scalar one, playouts by lanes of machine code.
//!
//! A tree search needs both. Machine code computes 256 lanes even for one state, and compiling a
//! very large network takes longer than playing with it; the scalar evaluator is better at both.

mod simulator;

use std::sync::{Arc, OnceLock};

use ludens_core::{Move, Simulator, Views};

use crate::bits::Bits;
use crate::game::PropGame;
use crate::lanes::Jit;
use crate::network::Network;
use crate::scalar::{Scalar, ScalarPlayouts};
use simulator::MixedSimulator;

/// With fewer playouts at a time the scalar evaluator is faster on most networks, since lanes
/// compute as much for one state as for 256.
const MIN_LANE_PLAYOUTS: usize = 16;
/// With fewer states at a time, evaluating or advancing them one by one is faster.
const MIN_LANE_STATES: usize = 5;
/// Larger networks are not compiled: it would take a minute.
const MAX_COMPILED_GATES: usize = 400_000;

/// Evaluates single states one by one, and playouts 256 at once.
pub struct Mixed {
    network: Arc<Network>,
    pub(crate) scalar: Arc<Scalar>,
    /// Compiled when playouts are first requested, or batches announced.
    lanes: OnceLock<Arc<Jit>>,
}

impl From<Arc<Network>> for Mixed {
    fn from(network: Arc<Network>) -> Self {
        let scalar = Arc::new(Scalar::from(Arc::clone(&network)));
        Mixed { network, scalar, lanes: OnceLock::new() }
    }
}

impl Mixed {
    fn lanes(&self) -> &Arc<Jit> {
        self.lanes.get_or_init(|| Arc::new(Arc::clone(&self.network).into()))
    }

    /// The lanes, if they pay off for `n` states and are compiled already: a caller that wants
    /// neither playouts nor batches does not wait for the compiler.
    fn ready_lanes(&self, n: usize) -> Option<&Arc<Jit>> {
        self.lanes.get().filter(|_| n >= MIN_LANE_STATES)
    }

    /// Compiles the lanes, unless the network is too large.
    pub(crate) fn expect_batches(&self) {
        if self.network.net.gates.len() <= MAX_COMPILED_GATES {
            self.lanes();
        }
    }

    pub(crate) fn look_many(&self, states: &[&Bits], views: &mut Views) -> bool {
        self.ready_lanes(states.len()).is_some_and(|lanes| lanes.look_many(states, views))
    }

    pub(crate) fn play_many(&self, states: &mut [Bits], joints: &[Move]) -> bool {
        self.ready_lanes(states.len()).is_some_and(|lanes| lanes.play_many(states, joints))
    }
}

/// The fastest simulator for a game: scalar if the network is too large to compile.
pub(crate) fn simulator(engine: &Arc<Mixed>, game: Arc<PropGame>) -> Box<dyn Simulator<PropGame>> {
    if engine.network.net.gates.len() > MAX_COMPILED_GATES {
        return Box::new(ScalarPlayouts::new(Arc::clone(&engine.scalar), game));
    }
    Box::new(MixedSimulator::new(Arc::clone(engine), game))
}
