//! The evaluators that compute 256 lanes at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use ludens_core::{Move, Views};

use super::batch::Batch;
use super::interpret::Interpreted;
use super::leaves::Leaves;
use super::plane::{LaneMemory, Plane};
use super::programs::LanePrograms;
use super::sample::sample;
use super::task::Task;
use crate::bits::Bits;
use crate::jit::{self, MachineCode};
use crate::network::Network;
use crate::program::{Gates, Program};

/// A program prepared to run.
pub trait Code: Send + Sync + Sized + 'static {
    /// The name of the evaluator.
    const NAME: &'static str;

    /// The gates that one instruction computes.
    fn gates() -> Gates;

    /// Prepares a program that works on `n_fluents` fluents and keeps intermediate results in
    /// the frame from `frame_len` on.
    fn compile(program: &Program, n_fluents: usize, frame_len: u32) -> Self;

    /// The number of planes of the frame that it uses.
    fn frame_len(&self) -> usize;

    /// Runs it; the caller must provide a frame that is long enough.
    fn run(&self, memory: &mut LaneMemory);
}

impl Code for Interpreted {
    const NAME: &'static str = "lanes";

    fn gates() -> Gates {
        Gates::Two
    }

    fn compile(program: &Program, _n_fluents: usize, frame_len: u32) -> Self {
        Interpreted::new(program, frame_len)
    }

    fn frame_len(&self) -> usize {
        Interpreted::frame_len(self)
    }

    fn run(&self, memory: &mut LaneMemory) {
        Interpreted::run(self, memory);
    }
}

/// Machine code if the machine supports it; else interpreted.
pub enum Compiled {
    /// Machine code.
    Machine(MachineCode),
    /// The same program, interpreted.
    Interpreted(Interpreted),
}

impl Code for Compiled {
    const NAME: &'static str = "jit";

    fn gates() -> Gates {
        jit::Target::best().map_or(Gates::Two, jit::Target::gates)
    }

    fn compile(program: &Program, n_fluents: usize, frame_len: u32) -> Self {
        let machine = jit::Target::best()
            .and_then(|target| jit::compile(program, target, n_fluents, frame_len))
            .map(Compiled::Machine);
        machine.unwrap_or_else(|| Compiled::Interpreted(Interpreted::new(program, frame_len)))
    }

    fn frame_len(&self) -> usize {
        match self {
            Compiled::Machine(code) => code.frame_len(),
            Compiled::Interpreted(code) => code.frame_len(),
        }
    }

    fn run(&self, memory: &mut LaneMemory) {
        match self {
            Compiled::Machine(code) => code.run(memory),
            Compiled::Interpreted(code) => code.run(memory),
        }
    }
}

/// Evaluates a network in 256 lanes. Programs are compiled on first use.
pub struct LaneEngine<C> {
    /// The network.
    pub network: Arc<Network>,
    /// Its programs.
    pub programs: LanePrograms,
    codes: [OnceLock<C>; Task::ALL.len()],
    /// Buffers for batches of states.
    batches: Mutex<Vec<Batch>>,
    /// The evaluator for uniform playouts in which moves share leaves, if that pays off.
    sharing: OnceLock<Option<Arc<LaneEngine<C>>>>,
    /// Whether the exclusions behind shared leaves were found to be wrong.
    is_sharing_rejected: AtomicBool,
}

impl<C: Code> From<Arc<Network>> for LaneEngine<C> {
    fn from(network: Arc<Network>) -> Self {
        let programs = LanePrograms::new(Arc::clone(&network), C::gates());
        LaneEngine::with_programs(network, programs)
    }
}

impl<C: Code> LaneEngine<C> {
    fn with_programs(network: Arc<Network>, programs: LanePrograms) -> Self {
        LaneEngine {
            network,
            programs,
            codes: Default::default(),
            batches: Mutex::default(),
            sharing: OnceLock::new(),
            is_sharing_rejected: AtomicBool::new(false),
        }
    }

    /// The evaluator for uniform playouts: one in which moves share leaves, or this one if that
    /// does not pay off or was rejected.
    pub fn for_playouts(self: &Arc<Self>) -> Arc<Self> {
        let sharing = self.sharing.get_or_init(|| {
            let leaves = Leaves::shared(&self.network, &sample(&self.network))?;
            let programs = self.programs.with_leaves(leaves);
            Some(Arc::new(Self::with_programs(Arc::clone(&self.network), programs)))
        });
        match sharing {
            Some(sharing) if !self.is_sharing_rejected.load(Ordering::Relaxed) => {
                Arc::clone(sharing)
            }
            _ => Arc::clone(self),
        }
    }

    /// Stops sharing leaves, because an exclusion was found to be wrong.
    pub fn reject_sharing(&self) {
        self.is_sharing_rejected.store(true, Ordering::Relaxed);
    }

    /// The code of a task, compiled on first use.
    pub fn code(&self, task: Task) -> &C {
        self.codes[task as usize].get_or_init(|| {
            let planned = self.programs.program(task);
            C::compile(&planned.program, self.network.fluents.len(), planned.frame_len)
        })
    }

    /// Compiles the programs of playouts.
    pub fn prepare(&self) {
        for task in [Task::Payoffs, Task::Judge, Task::Count, Task::Draw, Task::Advance] {
            self.code(task);
        }
    }

    /// Scratch memory.
    pub fn memory(&self) -> LaneMemory {
        LaneMemory::new(self.network.fluents.len(), &self.programs.layout)
    }

    /// Runs a task.
    pub fn run(&self, task: Task, memory: &mut LaneMemory) {
        let code = self.code(task);
        if memory.frame.len() < code.frame_len() {
            memory.frame.resize(code.frame_len(), Plane::ZERO);
        }
        code.run(memory);
    }
}

/// Puts a state into all lanes.
fn set_state(memory: &mut LaneMemory, state: &[u64]) {
    for (i, plane) in memory.state.iter_mut().enumerate() {
        *plane = Plane::all(state[i / 64] >> (i % 64) & 1 == 1);
    }
}

/// Reads the first lane of some planes.
fn first_lane(planes: &[Plane], bits: &mut [u64]) {
    bits.fill(0);
    for (i, plane) in planes.iter().enumerate() {
        bits[i / 64] |= (plane.0[0] & 1) << (i % 64);
    }
}

impl<C: Code> LaneEngine<C> {
    /// Whether a state is terminal; fills in which of the network's `does` are legal there.
    pub(crate) fn look(&self, memory: &mut LaneMemory, state: &[u64], legal: &mut [u64]) -> bool {
        set_state(memory, state);
        self.run(Task::Look, memory);
        let layout = &self.programs.layout;
        first_lane(&memory.frame[layout.legal as usize..][..self.network.does.len()], legal);
        memory.frame[layout.terminal as usize].get(0)
    }

    /// Fills in which of the network's `goals` hold in a state.
    pub(crate) fn goals(&self, memory: &mut LaneMemory, state: &[u64], goals: &mut [u64]) {
        set_state(memory, state);
        self.run(Task::Goals, memory);
        let first = self.programs.layout.goals as usize;
        first_lane(&memory.frame[first..][..self.network.goals.len()], goals);
    }

    /// Computes the state after some of the network's `does`, one for each role.
    pub(crate) fn next(
        &self,
        memory: &mut LaneMemory,
        state: &[u64],
        does: &[u32],
        next: &mut [u64],
    ) {
        set_state(memory, state);
        let first = self.programs.layout.does as usize;
        memory.frame[first..][..self.network.does.len()].fill(Plane::ZERO);
        for &does in does {
            memory.frame[first + does as usize] = Plane::ONES;
        }
        self.run(Task::Next, memory);
        first_lane(&memory.next, next);
    }

    pub(crate) fn look_many(&self, states: &[&Bits], views: &mut Views) -> bool {
        self.with_batch(|batch| batch.look(self, states, views))
    }

    pub(crate) fn play_many(&self, states: &mut [Bits], joints: &[Move]) -> bool {
        self.with_batch(|batch| batch.play(self, states, joints))
    }

    fn with_batch(&self, work: impl FnOnce(&mut Batch)) -> bool {
        let pooled = self.batches.lock().ok().and_then(|mut batches| batches.pop());
        let mut batch = pooled.unwrap_or_else(|| Batch::new(&self.network, self.memory()));
        work(&mut batch);
        if let Ok(mut batches) = self.batches.lock() {
            batches.push(batch);
        }
        true
    }
}

/// The lanes in which a plane is set, in ascending order.
pub(super) fn lanes_of(plane: Plane) -> impl Iterator<Item = usize> {
    let (mut words, mut at) = (plane.0, 0);
    std::iter::from_fn(move || {
        while at < 4 {
            if words[at] != 0 {
                let lane = at * 64 + words[at].trailing_zeros() as usize;
                words[at] &= words[at] - 1;
                return Some(lane);
            }
            at += 1;
        }
        None
    })
}
