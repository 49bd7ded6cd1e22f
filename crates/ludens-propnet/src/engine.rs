//! The evaluators of a network as one type, so that code that is generic over games is compiled once
//! for all of them. A call is dispatched once; the evaluators themselves run without indirect calls.

use std::sync::Arc;

use ludens_core::{Move, Simulator, Views};

use crate::bits::Bits;
use crate::game::PropGame;
use crate::lanes::{Jit, LaneMemory, LaneSimulator, Lanes};
use crate::mixed::{self, Mixed};
use crate::network::Network;
use crate::scalar::{self, Scalar, ScalarPlayouts};

/// An evaluator of a network, chosen at run time.
#[derive(Clone)]
pub enum Engine {
    /// Single states one by one, playouts 256 at once.
    Mixed(Arc<Mixed>),
    /// 256 lanes by machine code.
    Jit(Arc<Jit>),
    /// 256 lanes, interpreted.
    Lanes(Arc<Lanes>),
    /// One state at a time.
    Scalar(Arc<Scalar>),
}

impl From<Scalar> for Engine {
    fn from(scalar: Scalar) -> Self {
        Engine::Scalar(Arc::new(scalar))
    }
}

/// The working memory of an evaluator.
pub(crate) enum Scratch {
    Scalar(scalar::Scratch),
    Lanes(Box<LaneMemory>),
}

impl Scratch {
    fn scalar(&mut self) -> &mut scalar::Scratch {
        match self {
            Scratch::Scalar(scratch) => scratch,
            Scratch::Lanes(_) => scalar::foreign(),
        }
    }

    fn lanes(&mut self) -> &mut LaneMemory {
        match self {
            Scratch::Lanes(memory) => memory,
            Scratch::Scalar(_) => scalar::foreign(),
        }
    }
}

/// Calls a method of the evaluator for single states.
macro_rules! dispatch {
    ($engine:expr, $scratch:expr, $method:ident ($($arg:expr),*)) => {
        match $engine {
            Engine::Mixed(engine) => engine.scalar.$method($scratch.scalar(), $($arg),*),
            Engine::Jit(engine) => engine.$method($scratch.lanes(), $($arg),*),
            Engine::Lanes(engine) => engine.$method($scratch.lanes(), $($arg),*),
            Engine::Scalar(engine) => engine.$method($scratch.scalar(), $($arg),*),
        }
    };
}

impl Engine {
    pub(crate) fn mixed(network: &Arc<Network>) -> Self {
        Engine::Mixed(Arc::new(Arc::clone(network).into()))
    }

    pub(crate) fn jit(network: &Arc<Network>) -> Self {
        Engine::Jit(Arc::new(Arc::clone(network).into()))
    }

    pub(crate) fn lanes(network: &Arc<Network>) -> Self {
        Engine::Lanes(Arc::new(Arc::clone(network).into()))
    }

    pub(crate) fn scalar(network: &Arc<Network>) -> Self {
        Engine::Scalar(Arc::new(Arc::clone(network).into()))
    }

    /// An evaluator of the same kind for another network.
    pub(crate) fn of_network(&self, network: &Arc<Network>) -> Self {
        match self {
            Engine::Mixed(_) => Engine::mixed(network),
            Engine::Jit(_) => Engine::jit(network),
            Engine::Lanes(_) => Engine::lanes(network),
            Engine::Scalar(_) => Engine::scalar(network),
        }
    }

    /// Scratch memory.
    pub(crate) fn scratch(&self) -> Scratch {
        match self {
            Engine::Mixed(engine) => Scratch::Scalar(engine.scalar.scratch()),
            Engine::Jit(engine) => Scratch::Lanes(Box::new(engine.memory())),
            Engine::Lanes(engine) => Scratch::Lanes(Box::new(engine.memory())),
            Engine::Scalar(engine) => Scratch::Scalar(engine.scratch()),
        }
    }

    /// Whether a state is terminal; fills in which of the network's `does` are legal there.
    pub(crate) fn look(&self, scratch: &mut Scratch, state: &[u64], legal: &mut [u64]) -> bool {
        dispatch!(self, scratch, look(state, legal))
    }

    /// Fills in which of the network's `goals` hold in a state.
    pub(crate) fn goals(&self, scratch: &mut Scratch, state: &[u64], goals: &mut [u64]) {
        dispatch!(self, scratch, goals(state, goals));
    }

    /// Computes the state after some of the network's `does`, one for each role.
    pub(crate) fn next(
        &self,
        scratch: &mut Scratch,
        state: &[u64],
        does: &[u32],
        next: &mut [u64],
    ) {
        dispatch!(self, scratch, next(state, does, next));
    }

    /// Evaluates several states at once; returns false if the evaluator is faster one by one.
    pub(crate) fn look_many(&self, states: &[&Bits], views: &mut Views) -> bool {
        match self {
            Engine::Mixed(engine) => engine.look_many(states, views),
            Engine::Jit(engine) => engine.look_many(states, views),
            Engine::Lanes(engine) => engine.look_many(states, views),
            Engine::Scalar(_) => false,
        }
    }

    /// Makes a joint move in each of several states at once; returns false if the evaluator is faster one by one.
    pub(crate) fn play_many(&self, states: &mut [Bits], joints: &[Move]) -> bool {
        match self {
            Engine::Mixed(engine) => engine.play_many(states, joints),
            Engine::Jit(engine) => engine.play_many(states, joints),
            Engine::Lanes(engine) => engine.play_many(states, joints),
            Engine::Scalar(_) => false,
        }
    }

    /// The fastest simulator of the evaluator for its game.
    pub(crate) fn simulator(&self, game: Arc<PropGame>) -> Box<dyn Simulator<PropGame>> {
        match self {
            Engine::Mixed(engine) => mixed::simulator(engine, game),
            Engine::Jit(engine) => Box::new(LaneSimulator::new(Arc::clone(engine), game)),
            Engine::Lanes(engine) => Box::new(LaneSimulator::new(Arc::clone(engine), game)),
            Engine::Scalar(engine) => Box::new(ScalarPlayouts::new(Arc::clone(engine), game)),
        }
    }
}
