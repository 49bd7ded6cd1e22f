//! What a learner has learnt so far, while agents play with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::weights::Weights;

/// The newest weights of a network, and how far random playouts are trusted beside it. Clones share them.
#[derive(Clone, Debug)]
pub struct Published(Arc<Mutex<Newest>>);

#[derive(Debug)]
struct Newest {
    weights: Arc<Weights>,
    share: f32,
}

impl Published {
    /// Weights, and the weight of playouts beside them.
    pub fn new(weights: Arc<Weights>, share: f32) -> Self {
        Published(Arc::new(Mutex::new(Newest { weights, share })))
    }

    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest weights. Those who read them once before each search never see half of a change.
    pub fn newest(&self) -> Arc<Weights> {
        Arc::clone(&self.lock().weights)
    }

    /// The weight of playouts beside the newest weights.
    pub fn share(&self) -> f32 {
        self.lock().share
    }

    /// Replaces the weights by others of the same shape.
    pub fn replace(&self, weights: Arc<Weights>, share: f32) {
        *self.lock() = Newest { weights, share };
    }
}

/// Without playouts.
impl From<Arc<Weights>> for Published {
    fn from(weights: Arc<Weights>) -> Self {
        Published::new(weights, 0.0)
    }
}
