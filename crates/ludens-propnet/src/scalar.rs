//! Evaluates one state at a time, in one of two ways.
//!
//! `plain` evaluates the gates in the cone of a query, one after the other. `incremental` keeps the
//! values of the last state and propagates only changes, which is far less work in all but the
//! smallest games. Both give the same results; a short random playout decides between them.

mod code;
mod cone;
mod draw;
mod incremental;
mod layout;
mod memory;
mod plain;
mod simulator;
mod trial;
mod values;
mod wiring;

pub use cone::Cone;
pub(crate) use simulator::ScalarPlayouts;

use std::sync::Arc;

use crate::network::Network;
use incremental::Incremental;
use memory::Memory;
use plain::Plain;
use values::Values;

/// The evaluator of one state at a time.
#[derive(Debug)]
pub struct Scalar(Evaluator);

#[derive(Debug)]
enum Evaluator {
    Plain(Plain),
    Incremental(Incremental),
}

/// Its scratch memory.
#[derive(Clone, Debug)]
pub struct Scratch(ScratchKind);

#[derive(Clone, Debug)]
enum ScratchKind {
    Plain(Values),
    Incremental(Memory),
}

impl From<Arc<Network>> for Scalar {
    fn from(network: Arc<Network>) -> Self {
        match Scalar::incremental(&network) {
            Some(incremental) => trial::better(incremental, &network),
            None => Scalar::plain(&network),
        }
    }
}

impl Scalar {
    /// Evaluates all gates in the cone of a query.
    pub fn plain(network: &Network) -> Self {
        Scalar(Evaluator::Plain(Plain::new(network)))
    }

    /// Evaluates incrementally; `None` if the network does not allow it, because legality depends
    /// on moves, or because a gate is too large.
    pub fn incremental(network: &Network) -> Option<Self> {
        Incremental::new(network).map(|incremental| Scalar(Evaluator::Incremental(incremental)))
    }

    /// Whether it evaluates incrementally.
    pub fn is_incremental(&self) -> bool {
        matches!(self.0, Evaluator::Incremental(_))
    }

    /// Evaluates a state in advance.
    fn prepare(&self, scratch: &mut Scratch, state: &[u64]) {
        match (&self.0, &mut scratch.0) {
            (Evaluator::Plain(plain), ScratchKind::Plain(values)) => plain.prepare(values, state),
            (Evaluator::Incremental(inc), ScratchKind::Incremental(memory)) => {
                inc.prepare(memory, state);
            }
            _ => foreign(),
        }
    }
}

impl Scratch {
    /// The work done so far, in units of reading a literal.
    fn work(&self) -> u64 {
        match &self.0 {
            ScratchKind::Plain(values) => values.work,
            ScratchKind::Incremental(memory) => memory.work,
        }
    }

    /// Copies another one without allocating.
    fn copy_from(&mut self, other: &Scratch) {
        match (&mut self.0, &other.0) {
            (ScratchKind::Plain(to), ScratchKind::Plain(from)) => to.copy_from(from),
            (ScratchKind::Incremental(to), ScratchKind::Incremental(from)) => to.copy_from(from),
            _ => foreign(),
        }
    }
}

/// Panics because scratch memory came from another evaluator.
pub(crate) fn foreign() -> ! {
    unreachable!("scratch memory is used with the evaluator that allocated it")
}

impl Scalar {
    /// Scratch memory.
    pub fn scratch(&self) -> Scratch {
        Scratch(match &self.0 {
            Evaluator::Plain(plain) => ScratchKind::Plain(plain.values()),
            Evaluator::Incremental(inc) => ScratchKind::Incremental(inc.memory()),
        })
    }

    /// Whether a state is terminal; fills in which of the network's `does` are legal there.
    pub fn look(&self, scratch: &mut Scratch, state: &[u64], legal: &mut [u64]) -> bool {
        match (&self.0, &mut scratch.0) {
            (Evaluator::Plain(plain), ScratchKind::Plain(values)) => {
                plain.look(values, state, legal)
            }
            (Evaluator::Incremental(inc), ScratchKind::Incremental(memory)) => {
                inc.look(memory, state, legal)
            }
            _ => foreign(),
        }
    }

    /// Fills in which of the network's `goals` hold in a state.
    pub fn goals(&self, scratch: &mut Scratch, state: &[u64], goals: &mut [u64]) {
        match (&self.0, &mut scratch.0) {
            (Evaluator::Plain(plain), ScratchKind::Plain(values)) => {
                plain.goals(values, state, goals);
            }
            (Evaluator::Incremental(inc), ScratchKind::Incremental(memory)) => {
                inc.goals(memory, state, goals);
            }
            _ => foreign(),
        }
    }

    /// Computes the state after some of the network's `does`, one for each role.
    pub fn next(&self, scratch: &mut Scratch, state: &[u64], does: &[u32], next: &mut [u64]) {
        match (&self.0, &mut scratch.0) {
            (Evaluator::Plain(plain), ScratchKind::Plain(values)) => {
                plain.next(values, state, does, next);
            }
            (Evaluator::Incremental(inc), ScratchKind::Incremental(memory)) => {
                inc.next(memory, state, does, next);
            }
            _ => foreign(),
        }
    }
}
