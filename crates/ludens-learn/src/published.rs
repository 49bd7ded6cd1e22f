//! Weights that a learner replaces while agents evaluate with them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::weights::Weights;

/// The newest weights of a network. Clones share them.
#[derive(Clone, Debug)]
pub struct Published(Arc<Mutex<Arc<Weights>>>);

impl Published {
    /// The newest weights. Those who read them once before each search never see half of a change.
    pub fn newest(&self) -> Arc<Weights> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the weights by others of the same shape.
    pub fn replace(&self, weights: Arc<Weights>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = weights;
    }
}

impl From<Arc<Weights>> for Published {
    fn from(weights: Arc<Weights>) -> Self {
        Published(Arc::new(Mutex::new(weights)))
    }
}
