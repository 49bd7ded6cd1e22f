//! The best of two evaluators: single states by the scalar one, playouts by lanes of machine code.
//!
//! A tree search asks for both. Machine code computes 256 lanes even for one state, and compiling a
//! very large network takes longer than playing with it; the scalar evaluator is better at both.

mod simulator;

use std::sync::{Arc, OnceLock};

use ludens_core::Simulator;

use crate::Jit;
use crate::engine::Engine;
use crate::game::PropGame;
use crate::network::Network;
use crate::scalar::{Scalar, ScalarPlayouts};
use simulator::MixedSimulator;

/// Networks of more gates are not compiled: it would take a minute.
const MOST_GATES: usize = 400_000;

/// Evaluates single states one by one, and playouts 256 at once.
pub struct Mixed {
    network: Arc<Network>,
    scalar: Arc<PropGame<Scalar>>,
    /// Made when playouts are first asked for.
    lanes: OnceLock<Arc<Jit>>,
}

impl From<Arc<Network>> for Mixed {
    fn from(network: Arc<Network>) -> Self {
        let scalar = Arc::new(PropGame::new(Arc::clone(&network)));
        Mixed { network, scalar, lanes: OnceLock::new() }
    }
}

impl Mixed {
    fn lanes(&self) -> &Arc<Jit> {
        self.lanes.get_or_init(|| Arc::new(Arc::clone(&self.network).into()))
    }
}

impl Engine for Mixed {
    type Scratch = <Scalar as Engine>::Scratch;

    const NAME: &'static str = "mixed";

    fn scratch(&self) -> Self::Scratch {
        self.scalar.engine.scratch()
    }

    fn look(&self, scratch: &mut Self::Scratch, state: &[u64], legal: &mut [u64]) -> bool {
        self.scalar.engine.look(scratch, state, legal)
    }

    fn goals(&self, scratch: &mut Self::Scratch, state: &[u64], goals: &mut [u64]) {
        self.scalar.engine.goals(scratch, state, goals);
    }

    fn next(&self, scratch: &mut Self::Scratch, state: &[u64], does: &[u32], next: &mut [u64]) {
        self.scalar.engine.next(scratch, state, does, next);
    }

    fn simulator(game: Arc<PropGame<Self>>) -> Box<dyn Simulator<PropGame<Self>>> {
        let engine = &game.engine;
        if engine.network.net.gates.len() > MOST_GATES {
            return Box::new(ScalarPlayouts::new(Arc::clone(&engine.scalar)));
        }
        Box::new(MixedSimulator::new(game))
    }
}
