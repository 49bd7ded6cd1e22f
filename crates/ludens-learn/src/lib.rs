//! Networks that estimate priors and payoffs: inference and training on CPUs.
//!
//! - [`shape`]: the architecture of a network, as plain data.
//! - [`weights`]: its parameters, in one flat list.
//! - [`kernel`]: the products and sums that take the time, with vector instructions.
//! - [`batch`]: positions as sparse inputs, and training targets.
//! - [`network`]: evaluation of a batch.
//! - [`encoder`]: facts as inputs and moves as outputs; [`evaluator`]: a network behind the search.
//! - [`gradient`]: backpropagation, and [`adam`]: the optimiser.
//!
//! Inputs are 0 or 1 and mostly 0, so that the first layer is a sum of rows. Moves are scored only
//! where they are legal: an illegal move has no probability by construction.

pub mod adam;
pub mod batch;
pub mod encoder;
pub mod evaluator;
pub mod gradient;
pub mod kernel;
pub mod network;
pub mod shape;
pub mod weights;

pub use adam::Adam;
pub use batch::{Batch, Lists};
pub use encoder::Encoder;
pub use evaluator::NetworkEvaluator;
pub use gradient::{Backward, Losses, Targets};
pub use network::{Estimates, Network};
pub use shape::{Branch, Shape};
pub use weights::{Layer, Weights};
