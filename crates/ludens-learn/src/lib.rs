//! Networks that estimate priors and payoffs: inference and training on CPUs.
//!
//! - [`shape`]: the architecture of a network, as plain data.
//! - [`weights`]: its parameters, in one flat list.
//! - [`kernel`]: the products and sums that take the time, with vector instructions.
//! - [`batch`]: positions as sparse inputs, and training targets.
//! - [`network`]: evaluation of a batch.
//! - [`encoder`]: facts as inputs and moves as outputs; [`evaluator`]: a network behind the search.
//! - [`gradient`]: backpropagation, and [`adam`]: the optimiser.
//! - [`self_play`]: games that a network plays against itself; [`replay`]: their positions.
//! - [`mod@file`]: networks in files.
//! - [`trainer`]: mini-batches and steps; [`learner`]: play and training in turn.
//! - [`mod@descent`]: learning from minimax values, and play by best-first minimax.
//!
//! Inputs are 0 or 1 and mostly 0, so that the first layer is a sum of rows. Moves are scored only
//! where they are legal: an illegal move has no probability by construction.

pub mod adam;
pub mod batch;
mod checkpoint;
pub mod descent;
pub mod encoder;
pub mod evaluator;
pub mod file;
pub mod gradient;
pub mod kernel;
pub mod learner;
pub mod network;
mod network_alone;
pub mod replay;
pub mod self_play;
pub mod shape;
mod threads;
pub mod trainer;
pub mod weights;
mod zero;

pub use adam::Adam;
pub use batch::{Batch, Lists};
pub use descent::{
    BestFirst, Descent, DescentLearner, DescentLearning, NetworkValues, Refusal, StateValues,
};
pub use encoder::{Encoder, Names};
pub use evaluator::NetworkEvaluator;
pub use file::{FileError, Header, NetworkFile, write_whole};
pub use gradient::{Backward, Losses, Targets};
pub use learner::{AnyLearner, Iteration, Learner, Learning};
pub use network::{Estimates, Network};
pub use network_alone::NetworkAlone;
pub use replay::{Format, Replay};
pub use self_play::{Group, Played, SelfPlay};
pub use shape::{Branch, Shape};
pub use trainer::{Trainer, Training};
pub use weights::{Layer, Weights};
pub use zero::{MakeAgent, MakeLearner, Zero, search_with};
