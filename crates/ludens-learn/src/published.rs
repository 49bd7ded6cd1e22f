//! What a learner has learnt so far, while agents play with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::trial::{Trials, Worth};
use crate::weights::Weights;

/// The newest weights of a network, and how well it plays as far as that is known. Clones share them.
#[derive(Clone, Debug)]
pub struct Published(Arc<Mutex<Newest>>);

#[derive(Debug)]
struct Newest {
    weights: Arc<Weights>,
    worth: Worth,
}

impl Published {
    /// Weights, and what is known about them.
    pub fn new(weights: Arc<Weights>, worth: Worth) -> Self {
        Published(Arc::new(Mutex::new(Newest { weights, worth })))
    }

    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest weights. Those who read them once before each search never see half of a change.
    pub fn newest(&self) -> Arc<Weights> {
        Arc::clone(&self.lock().weights)
    }

    /// What is known about the newest weights.
    pub fn worth(&self) -> Worth {
        self.lock().worth
    }

    /// Replaces the weights by others of the same shape.
    pub fn replace(&self, weights: Arc<Weights>, worth: Worth) {
        *self.lock() = Newest { weights, worth };
    }

    /// Adds the result of trial games with the newest weights.
    pub(crate) fn note_trials(&self, trials: Trials) {
        self.lock().worth.trials = trials;
    }
}

/// Without playouts.
impl From<Arc<Weights>> for Published {
    fn from(weights: Arc<Weights>) -> Self {
        Published::new(weights, Worth::default())
    }
}
