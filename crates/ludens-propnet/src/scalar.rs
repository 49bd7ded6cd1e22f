//! Evaluates one state at a time, in one of two ways.
//!
//! `plain` evaluates the gates that a question needs, one after the other. `incremental` keeps the
//! values of the last state and propagates only changes, which is far less work in all but the
//! smallest games. Both give the same answers; a short random game decides between them.

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
pub struct Scalar(Way);

#[derive(Debug)]
enum Way {
    Plain(Plain),
    Incremental(Incremental),
}

/// Its scratch memory.
#[derive(Clone, Debug)]
pub struct Scratch(Notes);

#[derive(Clone, Debug)]
enum Notes {
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
    /// Evaluates all gates that a question needs.
    pub fn plain(network: &Network) -> Self {
        Scalar(Way::Plain(Plain::new(network)))
    }

    /// Evaluates incrementally; `None` if the network does not allow it, because legality depends
    /// on moves, or because a gate is too large.
    pub fn incremental(network: &Network) -> Option<Self> {
        Incremental::new(network).map(|incremental| Scalar(Way::Incremental(incremental)))
    }

    /// Whether it evaluates incrementally.
    pub fn is_incremental(&self) -> bool {
        matches!(self.0, Way::Incremental(_))
    }

    /// Prepares for questions about a state.
    fn prepare(&self, scratch: &mut Scratch, state: &[u64]) {
        match (&self.0, &mut scratch.0) {
            (Way::Plain(plain), Notes::Plain(values)) => plain.prepare(values, state),
            (Way::Incremental(inc), Notes::Incremental(memory)) => inc.prepare(memory, state),
            _ => foreign(),
        }
    }
}

impl Scratch {
    /// The work done so far, in units of reading a literal.
    fn work(&self) -> u64 {
        match &self.0 {
            Notes::Plain(values) => values.work,
            Notes::Incremental(memory) => memory.work,
        }
    }

    /// Copies another one without allocating.
    fn copy_from(&mut self, other: &Scratch) {
        match (&mut self.0, &other.0) {
            (Notes::Plain(to), Notes::Plain(from)) => to.copy_from(from),
            (Notes::Incremental(to), Notes::Incremental(from)) => to.copy_from(from),
            _ => foreign(),
        }
    }
}

/// Scratch memory came from another evaluator.
pub(crate) fn foreign() -> ! {
    unreachable!("scratch is used with the evaluator that made it")
}

impl Scalar {
    /// Scratch memory.
    pub fn scratch(&self) -> Scratch {
        Scratch(match &self.0 {
            Way::Plain(plain) => Notes::Plain(plain.values()),
            Way::Incremental(inc) => Notes::Incremental(inc.memory()),
        })
    }

    /// Whether a state is terminal; fills in which of the network's `does` are legal there.
    pub fn look(&self, scratch: &mut Scratch, state: &[u64], legal: &mut [u64]) -> bool {
        match (&self.0, &mut scratch.0) {
            (Way::Plain(plain), Notes::Plain(values)) => plain.look(values, state, legal),
            (Way::Incremental(inc), Notes::Incremental(memory)) => inc.look(memory, state, legal),
            _ => foreign(),
        }
    }

    /// Fills in which of the network's `goals` hold in a state.
    pub fn goals(&self, scratch: &mut Scratch, state: &[u64], goals: &mut [u64]) {
        match (&self.0, &mut scratch.0) {
            (Way::Plain(plain), Notes::Plain(values)) => plain.goals(values, state, goals),
            (Way::Incremental(inc), Notes::Incremental(memory)) => inc.goals(memory, state, goals),
            _ => foreign(),
        }
    }

    /// Computes the state after some of the network's `does`, one for each role.
    pub fn next(&self, scratch: &mut Scratch, state: &[u64], does: &[u32], next: &mut [u64]) {
        match (&self.0, &mut scratch.0) {
            (Way::Plain(plain), Notes::Plain(values)) => plain.next(values, state, does, next),
            (Way::Incremental(inc), Notes::Incremental(memory)) => {
                inc.next(memory, state, does, next);
            }
            _ => foreign(),
        }
    }
}
