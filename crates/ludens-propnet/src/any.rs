//! The evaluators as one type.
//!
//! Whatever is written for games of any type is compiled again for each of them. Which evaluator
//! a network has is therefore told at run time, where many components meet.

use std::sync::Arc;

use ludens_core::{Move, Simulator, Views};

use crate::bits::Bits;
use crate::engine::Engine;
use crate::game::PropGame;
use crate::lanes::LaneMemory;
use crate::mixed::Mixed;
use crate::scalar::Scalar;
use crate::{Jit, Lanes};

/// An evaluator that was chosen at run time.
pub enum AnyEngine {
    /// Single states one by one, playouts 256 at once.
    Mixed(Arc<Mixed>),
    /// 256 lanes by machine code.
    Jit(Arc<Jit>),
    /// 256 lanes, interpreted.
    Lanes(Arc<Lanes>),
    /// One state at a time.
    Scalar(Arc<Scalar>),
}

/// The memory that an evaluator works in.
pub enum AnyScratch {
    /// That of one state.
    One(<Scalar as Engine>::Scratch),
    /// That of 256 lanes.
    Lanes(Box<LaneMemory>),
}

const MIXED_UP: &str = "the memory was made by this evaluator";

impl AnyScratch {
    fn one(&mut self) -> &mut <Scalar as Engine>::Scratch {
        match self {
            AnyScratch::One(scratch) => scratch,
            AnyScratch::Lanes(_) => unreachable!("{MIXED_UP}"),
        }
    }

    fn lanes(&mut self) -> &mut LaneMemory {
        match self {
            AnyScratch::Lanes(memory) => memory,
            AnyScratch::One(_) => unreachable!("{MIXED_UP}"),
        }
    }
}

/// The same question to whichever evaluator it is.
macro_rules! ask {
    ($engine:expr, $scratch:expr, $method:ident $args:tt) => {
        match $engine {
            AnyEngine::Mixed(engine) => ask!(@call engine, $scratch.one(), $method $args),
            AnyEngine::Jit(engine) => ask!(@call engine, $scratch.lanes(), $method $args),
            AnyEngine::Lanes(engine) => ask!(@call engine, $scratch.lanes(), $method $args),
            AnyEngine::Scalar(engine) => ask!(@call engine, $scratch.one(), $method $args),
        }
    };
    (@call $engine:ident, $scratch:expr, $method:ident ($($arg:expr),*)) => {
        $engine.$method($scratch, $($arg),*)
    };
}

impl Engine for AnyEngine {
    type Scratch = AnyScratch;

    const NAME: &'static str = "any";

    fn scratch(&self) -> AnyScratch {
        match self {
            AnyEngine::Mixed(engine) => AnyScratch::One(engine.scratch()),
            AnyEngine::Jit(engine) => AnyScratch::Lanes(Box::new(engine.scratch())),
            AnyEngine::Lanes(engine) => AnyScratch::Lanes(Box::new(engine.scratch())),
            AnyEngine::Scalar(engine) => AnyScratch::One(engine.scratch()),
        }
    }

    fn look(&self, scratch: &mut AnyScratch, state: &[u64], legal: &mut [u64]) -> bool {
        ask!(self, scratch, look(state, legal))
    }

    fn goals(&self, scratch: &mut AnyScratch, state: &[u64], goals: &mut [u64]) {
        ask!(self, scratch, goals(state, goals));
    }

    fn next(&self, scratch: &mut AnyScratch, state: &[u64], does: &[u32], next: &mut [u64]) {
        ask!(self, scratch, next(state, does, next));
    }

    fn look_many(&self, states: &[&Bits], views: &mut Views) -> bool {
        match self {
            AnyEngine::Mixed(engine) => engine.look_many(states, views),
            AnyEngine::Jit(engine) => engine.look_many(states, views),
            AnyEngine::Lanes(engine) => engine.look_many(states, views),
            AnyEngine::Scalar(engine) => engine.look_many(states, views),
        }
    }

    fn play_many(&self, states: &mut [Bits], joints: &[Move]) -> bool {
        match self {
            AnyEngine::Mixed(engine) => engine.play_many(states, joints),
            AnyEngine::Jit(engine) => engine.play_many(states, joints),
            AnyEngine::Lanes(engine) => engine.play_many(states, joints),
            AnyEngine::Scalar(engine) => engine.play_many(states, joints),
        }
    }

    fn simulator<E: Engine>(
        self: &Arc<Self>,
        game: Arc<PropGame<E>>,
    ) -> Box<dyn Simulator<PropGame<E>>> {
        match &**self {
            AnyEngine::Mixed(engine) => engine.simulator(game),
            AnyEngine::Jit(engine) => engine.simulator(game),
            AnyEngine::Lanes(engine) => engine.simulator(game),
            AnyEngine::Scalar(engine) => engine.simulator(game),
        }
    }
}
