//! Networks that estimate priors and payoffs: inference and training on CPUs.
//!
//! - [`shape`]: the layers of a network, as plain data; [`architecture`]: how they follow from the game.
//! - [`board`]: a board in the facts, for [`convolution`] over its planes.
//! - [`weights`]: its parameters, in one flat list.
//! - [`kernel`]: the products and sums that take the time, with vector instructions.
//! - [`batch`]: positions as sparse inputs, and training targets.
//! - [`network`]: evaluation of a batch.
//! - [`encoder`]: facts as inputs and moves as outputs; [`evaluator`]: a network behind the search.
//! - [`inputs`]: what is computed from the facts, such as [`lines`]; [`augment`]: symmetries of samples.
//! - [`evidence`]: how a network and random playouts are weighed.
//! - [`gradient`]: backpropagation, and [`adam`]: the optimiser.
//! - [`self_play`]: games that a network plays against itself; [`replay`]: their positions.
//! - [`published`]: weights that change while agents play; [`mod@file`]: networks in files; [`probe`]: what a network has learnt.
//! - [`trainer`]: mini-batches and steps; [`learner`]: play and training in turn, by a [`schedule`].
//! - [`gate`]: matches between a new network and the best so far; [`method`]: the loops of two papers and ours.
//! - [`mod@descent`]: learning from minimax values, and play by best-first minimax.
//! - [`settings`]: all settings of a training by name.
//! - [`self_test`]: a test of all this before training.
//!
//! Inputs are 0 or 1 and mostly 0, so that the first layer is a sum of rows. Moves are scored only
//! where they are legal: an illegal move has no probability by construction.

pub mod adam;
pub mod architecture;
pub mod augment;
pub mod batch;
pub mod board;
mod checkpoint;
pub mod convolution;
pub mod descent;
mod drawing;
pub mod encoder;
pub mod evaluator;
pub mod evidence;
pub mod file;
mod first_layer;
pub mod gate;
pub mod gradient;
pub mod inputs;
pub mod kernel;
pub mod learner;
pub mod lines;
pub mod method;
pub mod network;
mod network_alone;
mod playout_mix;
pub mod probe;
pub mod published;
mod random_games;
pub mod replay;
pub mod schedule;
pub mod self_play;
pub mod self_test;
pub mod settings;
pub mod shape;
mod threads;
pub mod trainer;
mod trial;
mod weighed;
pub mod weights;
mod zero;

pub use adam::Adam;
pub use architecture::Architecture;
pub use augment::{Permutation, permutations};
pub use batch::{Batch, Lists};
pub use board::{Board, Plane};
pub use convolution::Convolutions;
pub use descent::{
    BestFirst, Descent, DescentLearner, DescentLearning, NetworkValues, Refusal, StateValues,
    TreeLimits,
};
pub use encoder::{Encoder, Names};
pub use evaluator::NetworkEvaluator;
pub use evidence::Evidence;
pub use file::{FileError, Header, NetworkFile, write_whole};
pub use gate::Gate;
pub use gradient::{Backward, Losses, Targets};
pub use inputs::{InputKind, InputScratch, Inputs};
pub use learner::{AnyLearner, GameLearner, Iteration, Learner, Learning};
pub use lines::{Line, Lines};
pub use method::Method;
pub use network::{Estimates, Network};
pub use network_alone::NetworkAlone;
pub use playout_mix::{Mix, OUTWEIGHED};
pub use probe::{InputValue, Opinion, Probe, Sampled};
pub use published::Published;
pub use replay::{Format, Replay};
pub use schedule::{Gating, Schedule};
pub use self_play::{Choosing, FinishedGame, Group, Played, PlayoutCap, SelfPlay, VisitCounts};
pub use self_test::{SelfTest, SelfTestError, SelfTested};
pub use settings::{SETTINGS, Setting};
pub use shape::{Branch, Front, Shape};
pub use trainer::{Trainer, Training};
pub use trial::{Searches, Trial, TrialTerms, Trials, Way, Worth};
pub use weighed::Weighed;
pub use weights::{Layer, Weights};
pub use zero::{MakeAgent, MakeLearner, Zero, search_with};
