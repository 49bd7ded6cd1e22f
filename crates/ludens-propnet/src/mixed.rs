//! The best of two evaluators: single states by the scalar one, playouts by lanes of machine code.
//!
//! A tree search asks for both. Machine code computes 256 lanes even for one state, and compiling a
//! very large network takes longer than playing with it; the scalar evaluator is better at both.

mod simulator;

use std::sync::{Arc, Mutex, OnceLock};

use ludens_core::{Move, Simulator, Views};

use crate::Jit;
use crate::bits::Bits;
use crate::engine::Engine;
use crate::game::PropGame;
use crate::lanes::{Compiled, Expansion};
use crate::network::Network;
use crate::scalar::Scalar;
use simulator::MixedSimulator;

/// Lanes compute as much for one state as for 256; with fewer at a time the scalar evaluator is
/// faster, on most networks.
const WORTH_LANES: usize = 16;
/// So many states are worth a look in lanes, or a move.
const WORTH_A_STEP: usize = 5;
/// Networks of more gates are not compiled: it would take a minute.
const MOST_GATES: usize = 400_000;

/// Evaluates single states one by one, and playouts 256 at once.
pub struct Mixed {
    network: Arc<Network>,
    scalar: Arc<Scalar>,
    /// Made when playouts are first asked for.
    lanes: OnceLock<Arc<Jit>>,
    /// What many states at once are worked out on.
    pool: Mutex<Vec<Expansion<Compiled>>>,
}

impl From<Arc<Network>> for Mixed {
    fn from(network: Arc<Network>) -> Self {
        let scalar = Arc::new(Scalar::from(Arc::clone(&network)));
        Mixed { network, scalar, lanes: OnceLock::new(), pool: Mutex::new(Vec::new()) }
    }
}

impl Mixed {
    fn lanes(&self) -> &Arc<Jit> {
        self.lanes.get_or_init(|| Arc::new(Arc::clone(&self.network).into()))
    }

    /// Works many states out in lanes, if they are enough and lanes are there already: who asks for
    /// no playouts need not wait for machine code.
    fn in_lanes(&self, n: usize, work: impl FnOnce(&mut Expansion<Compiled>)) -> bool {
        let Some(engine) = self.lanes.get().filter(|_| n >= WORTH_A_STEP) else { return false };
        let pooled = self.pool.lock().ok().and_then(|mut pool| pool.pop());
        let mut expansion = pooled.unwrap_or_else(|| Expansion::new(engine));
        work(&mut expansion);
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(expansion);
        }
        true
    }
}

impl Engine for Mixed {
    type Scratch = <Scalar as Engine>::Scratch;

    const NAME: &'static str = "mixed";

    fn scratch(&self) -> Self::Scratch {
        self.scalar.scratch()
    }

    fn look(&self, scratch: &mut Self::Scratch, state: &[u64], legal: &mut [u64]) -> bool {
        self.scalar.look(scratch, state, legal)
    }

    fn goals(&self, scratch: &mut Self::Scratch, state: &[u64], goals: &mut [u64]) {
        self.scalar.goals(scratch, state, goals);
    }

    fn next(&self, scratch: &mut Self::Scratch, state: &[u64], does: &[u32], next: &mut [u64]) {
        self.scalar.next(scratch, state, does, next);
    }

    fn look_many(&self, states: &[&Bits], views: &mut Views) -> bool {
        self.in_lanes(states.len(), |expansion| expansion.look_at(states, views))
    }

    fn play_many(&self, states: &mut [Bits], joints: &[Move]) -> bool {
        self.in_lanes(states.len(), |expansion| expansion.move_on(states, joints))
    }

    fn simulator<E: Engine>(
        self: &Arc<Self>,
        game: Arc<PropGame<E>>,
    ) -> Box<dyn Simulator<PropGame<E>>> {
        if self.network.net.gates.len() > MOST_GATES {
            return self.scalar.simulator(game);
        }
        Box::new(MixedSimulator::new(Arc::clone(self), game))
    }
}
