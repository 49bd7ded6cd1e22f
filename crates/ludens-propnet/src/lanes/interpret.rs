//! Interprets programs, on any machine.

use super::plane::{LaneMemory, Plane};
use crate::circuit::Slot;
use crate::program::{Program, Segment, Step, ValueId};

/// A step with slots of the frame for its values.
#[derive(Clone, Copy, Debug)]
enum Inst {
    Ones { to: u32 },
    State { to: u32, from: u32 },
    Copy { to: u32, from: u32 },
    Next { to: u32, from: u32 },
    And { to: u32, a: u32, b: u32 },
    AndNot { to: u32, a: u32, b: u32 },
    Or { to: u32, a: u32, b: u32 },
    Xor { to: u32, a: u32, b: u32 },
    Lut { to: u32, table: u8, inputs: [u32; 3] },
}

/// A program with slots for its values.
#[derive(Clone, Debug, Default)]
pub struct Interpreted {
    segments: Vec<(Vec<Inst>, Option<u32>)>,
    frame_len: usize,
}

impl Interpreted {
    /// Assigns slots from `frame_len` on to the values of a program.
    pub fn new(program: &Program, frame_len: u32) -> Self {
        let mut interpreted = Interpreted { segments: Vec::new(), frame_len: frame_len as usize };
        for segment in &program.segments {
            let mut allocator = SlotAllocator::new(segment, frame_len);
            let insts = allocator.run(segment);
            let repeat_while = segment.repeat_while.map(|value| allocator.slots[value as usize]);
            interpreted.frame_len = interpreted.frame_len.max(allocator.end as usize);
            interpreted.segments.push((insts, repeat_while));
        }
        interpreted
    }

    /// The number of planes of the frame that it uses.
    pub fn frame_len(&self) -> usize {
        self.frame_len
    }

    /// Runs the program.
    pub fn run(&self, memory: &mut LaneMemory) {
        for (insts, repeat_while) in &self.segments {
            loop {
                run(insts, memory);
                match repeat_while {
                    Some(changed) if !memory.frame[*changed as usize].is_zero() => {}
                    _ => break,
                }
            }
        }
    }
}

fn run(insts: &[Inst], memory: &mut LaneMemory) {
    let LaneMemory { state, next, frame } = memory;
    for &inst in insts {
        match inst {
            Inst::Ones { to } => frame[to as usize] = Plane::ONES,
            Inst::State { to, from } => frame[to as usize] = state[from as usize],
            Inst::Copy { to, from } => frame[to as usize] = frame[from as usize],
            Inst::Next { to, from } => next[to as usize] = frame[from as usize],
            Inst::And { to, a, b } => frame[to as usize] = frame[a as usize] & frame[b as usize],
            Inst::AndNot { to, a, b } => {
                frame[to as usize] = !frame[a as usize] & frame[b as usize];
            }
            Inst::Or { to, a, b } => frame[to as usize] = frame[a as usize] | frame[b as usize],
            Inst::Xor { to, a, b } => frame[to as usize] = frame[a as usize] ^ frame[b as usize],
            Inst::Lut { to, table, inputs } => {
                frame[to as usize] = look_up(table, inputs.map(|input| frame[input as usize]));
            }
        }
    }
}

/// A function of three planes: the disjunction of the rows that are set in the truth table.
fn look_up(table: u8, inputs: [Plane; 3]) -> Plane {
    let mut out = Plane::ZERO;
    for row in (0..8).filter(|row| table >> row & 1 == 1) {
        let mut all = Plane::ONES;
        for (i, &input) in inputs.iter().enumerate() {
            all = all & if row >> (2 - i) & 1 == 1 { input } else { !input };
        }
        out = out | all;
    }
    out
}

/// Allocates slots for the values of a segment; they are reused after the last use.
struct SlotAllocator {
    slots: Vec<u32>,
    last_use: Vec<u32>,
    free: Vec<u32>,
    frame_len: u32,
    end: u32,
}

impl SlotAllocator {
    fn new(segment: &Segment, frame_len: u32) -> Self {
        let n = segment.steps.len();
        let mut last_use = vec![0; n];
        for (i, step) in segment.steps.iter().enumerate() {
            step.reads().for_each(|value| last_use[value as usize] = i as u32);
        }
        if let Some(changed) = segment.repeat_while {
            last_use[changed as usize] = n as u32;
        }
        SlotAllocator { slots: vec![0; n], last_use, free: Vec::new(), frame_len, end: frame_len }
    }

    fn run(&mut self, segment: &Segment) -> Vec<Inst> {
        let mut insts = Vec::with_capacity(segment.steps.len());
        for (i, &step) in segment.steps.iter().enumerate() {
            let i = i as u32;
            let operands =
                |slots: &[u32], a: ValueId, b: ValueId| (slots[a as usize], slots[b as usize]);
            let inst = match step {
                Step::Ones => Some(Inst::Ones { to: self.allocate(i) }),
                Step::Load(Slot::State(from)) => Some(Inst::State { to: self.allocate(i), from }),
                Step::Load(Slot::Next(_)) => unreachable!("the next state is only written"),
                // No instruction: the value is read in place.
                Step::Load(Slot::Frame(from)) => {
                    self.slots[i as usize] = from;
                    None
                }
                Step::Store(slot, value) => {
                    let from = self.slots[value as usize];
                    self.release(step, i);
                    Some(match slot {
                        Slot::Next(to) => Inst::Next { to, from },
                        Slot::Frame(to) => Inst::Copy { to, from },
                        Slot::State(_) => unreachable!("the present state is only read"),
                    })
                }
                Step::Lut(table, inputs) => {
                    let inputs = inputs.map(|input| self.slots[input as usize]);
                    self.release(step, i);
                    Some(Inst::Lut { to: self.allocate(i), table, inputs })
                }
                Step::And(a, b) | Step::AndNot(a, b) | Step::Or(a, b) | Step::Xor(a, b) => {
                    let (a, b) = operands(&self.slots, a, b);
                    self.release(step, i);
                    let to = self.allocate(i);
                    Some(match step {
                        Step::And(..) => Inst::And { to, a, b },
                        Step::AndNot(..) => Inst::AndNot { to, a, b },
                        Step::Or(..) => Inst::Or { to, a, b },
                        _ => Inst::Xor { to, a, b },
                    })
                }
            };
            insts.extend(inst);
        }
        insts
    }

    fn allocate(&mut self, value: ValueId) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        });
        self.slots[value as usize] = slot;
        slot
    }

    fn release(&mut self, step: Step, now: u32) {
        for value in step.reads() {
            let slot = self.slots[value as usize];
            if self.last_use[value as usize] == now && slot >= self.frame_len {
                self.free.push(slot);
                // A value that is read twice by one step is released once.
                self.last_use[value as usize] = u32::MAX;
            }
        }
    }
}
