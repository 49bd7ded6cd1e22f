//! Registers for the values of a segment.

use super::assemble::{Assembler, Op, Place, Reg};
use crate::circuit::Slot;
use crate::program::{Segment, Step, ValueId};

/// The vector registers of AVX2.
const N_REGS: usize = 16;
/// A value in memory that is read again within so many steps is worth a register.
const SOON: u32 = 48;
const NEVER: u32 = u32::MAX;

/// Where the allocation stands.
pub(super) struct Allocator<'a> {
    segment: &'a Segment,
    assembler: &'a mut Assembler,
    /// The steps that read each value, in order, value after value.
    uses: Vec<u32>,
    /// The part of `uses` that is still to come, for each value.
    coming: Vec<(u32, u32)>,
    in_reg: Vec<Option<Reg>>,
    in_memory: Vec<Option<Slot>>,
    held: [Option<ValueId>; N_REGS],
    frame_len: u32,
    free_spills: Vec<u32>,
    /// Places whose value is read by the present instruction for the last time.
    released: Vec<u32>,
    spill_end: u32,
}

impl<'a> Allocator<'a> {
    pub(super) fn new(
        segment: &'a Segment,
        frame_len: u32,
        assembler: &'a mut Assembler,
    ) -> Self {
        let n = segment.steps.len();
        let (uses, coming) = uses(segment);
        Allocator {
            segment,
            assembler,
            uses,
            coming,
            in_reg: vec![None; n],
            in_memory: vec![None; n],
            held: [None; N_REGS],
            frame_len,
            free_spills: Vec::new(),
            released: Vec::new(),
            spill_end: frame_len,
        }
    }

    /// How far into the frame values go that did not fit into registers.
    pub(super) fn frame_end(&self) -> u32 {
        self.spill_end
    }

    /// Compiles the segment.
    pub(super) fn run(&mut self) {
        let start = self.assembler.code.len();
        for (i, &step) in self.segment.steps.iter().enumerate() {
            let value = i as ValueId;
            match step {
                // Loads wait until they are needed; they may become part of another instruction.
                Step::Load(slot) => self.in_memory[i] = Some(slot),
                Step::Ones => {}
                Step::Store(slot, from) => self.store(slot, from),
                Step::And(a, b) => self.gate(Op::And, value, a, b),
                Step::AndNot(a, b) => self.gate(Op::AndNot, value, a, b),
                Step::Or(a, b) => self.gate(Op::Or, value, a, b),
                Step::Xor(a, b) => self.gate(Op::Xor, value, a, b),
            }
        }
        if let Some(changed) = self.segment.repeat_while {
            let reg = self.bring(changed, &[]);
            self.assembler.repeat_while_any(reg, start);
        }
    }

    /// The step that reads a value next.
    fn next_use(&self, value: ValueId) -> u32 {
        let (next, end) = self.coming[value as usize];
        if next < end { self.uses[next as usize] } else { NEVER }
    }

    /// The use after the next one.
    fn use_after(&self, value: ValueId) -> u32 {
        let (next, end) = self.coming[value as usize];
        if next + 1 < end { self.uses[next as usize + 1] } else { NEVER }
    }

    fn store(&mut self, slot: Slot, value: ValueId) {
        let reg = self.bring(value, &[]);
        self.assembler.store(slot, reg);
        if self.in_memory[value as usize].is_none() {
            self.in_memory[value as usize] = Some(slot);
        }
        self.consume(value);
    }

    fn gate(&mut self, op: Op, to: ValueId, mut a: ValueId, mut b: ValueId) {
        if self.next_use(to) == NEVER {
            self.consume(a);
            self.consume(b);
            return;
        }
        let reads_memory = |allocator: &Self, value: ValueId, now: u32| {
            allocator.in_reg[value as usize].is_none()
                && allocator.in_memory[value as usize].is_some()
                && allocator.use_after(value) > now + SOON
        };
        if op != Op::AndNot && reads_memory(self, a, to) && !reads_memory(self, b, to) {
            (a, b) = (b, a);
        }
        let first = self.bring(a, &[b]);
        let second = if reads_memory(self, b, to) {
            Place::Memory(self.in_memory[b as usize].expect("it is in memory"))
        } else {
            Place::Reg(self.bring(b, &[a]))
        };
        self.consume(a);
        self.consume(b);
        let target = self.take_reg(&[]);
        // Registers above 7 make the instruction longer if they stand last; the order of the
        // operands matters for one operation only.
        match second {
            Place::Reg(Reg(high)) if high >= 8 && first.0 < 8 && op != Op::AndNot => {
                self.assembler.op(op, target, Reg(high), Place::Reg(first));
            }
            _ => self.assembler.op(op, target, first, second),
        }
        self.hold(target, to);
        self.free_spills.append(&mut self.released);
    }

    /// Puts a value into a register if it is not in one; those of `keep` stay where they are.
    fn bring(&mut self, value: ValueId, keep: &[ValueId]) -> Reg {
        if let Some(reg) = self.in_reg[value as usize] {
            return reg;
        }
        let reg = self.take_reg(keep);
        if let Some(slot) = self.in_memory[value as usize] {
            self.assembler.load(reg, slot);
        } else {
            debug_assert_eq!(self.segment.steps[value as usize], Step::Ones);
            self.assembler.op(Op::Equal, reg, reg, Place::Reg(reg));
        }
        self.hold(reg, value);
        reg
    }

    fn hold(&mut self, reg: Reg, value: ValueId) {
        self.held[reg.0 as usize] = Some(value);
        self.in_reg[value as usize] = Some(reg);
    }

    /// A register that is free, made so if need be.
    fn take_reg(&mut self, keep: &[ValueId]) -> Reg {
        let mut best = (0, 0);
        for (i, held) in self.held.iter().enumerate() {
            let Some(value) = held else { return Reg(i as u8) };
            let next = self.next_use(*value);
            if !keep.contains(value) && next >= best.0 {
                best = (next, i);
            }
        }
        let reg = best.1;
        let value = self.held[reg].take().expect("all registers are held");
        self.in_reg[value as usize] = None;
        let is_ones = self.segment.steps[value as usize] == Step::Ones;
        if self.in_memory[value as usize].is_none() && !is_ones {
            let slot = self.free_spills.pop().unwrap_or_else(|| {
                self.spill_end += 1;
                self.spill_end - 1
            });
            self.assembler.store(Slot::Frame(slot), Reg(reg as u8));
            self.in_memory[value as usize] = Some(Slot::Frame(slot));
        }
        Reg(reg as u8)
    }

    /// A value was read; if it is not read again, its places are free.
    fn consume(&mut self, value: ValueId) {
        self.coming[value as usize].0 += 1;
        if self.next_use(value) != NEVER {
            return;
        }
        if let Some(reg) = self.in_reg[value as usize].take() {
            self.held[reg.0 as usize] = None;
        }
        if let Some(Slot::Frame(slot)) = self.in_memory[value as usize]
            && slot >= self.frame_len
        {
            self.in_memory[value as usize] = None;
            self.released.push(slot);
        }
    }
}

/// For each value the steps that read it; what decides about repetition is read at the end.
fn uses(segment: &Segment) -> (Vec<u32>, Vec<(u32, u32)>) {
    let n = segment.steps.len();
    let reads = || {
        let steps = segment.steps.iter().enumerate();
        let steps = steps.flat_map(|(i, step)| step.reads().map(move |value| (value, i as u32)));
        steps.chain(segment.repeat_while.map(|value| (value, n as u32)))
    };
    let mut coming = vec![(0u32, 0u32); n];
    reads().for_each(|(value, _)| coming[value as usize].1 += 1);
    let mut start = 0;
    for part in &mut coming {
        let count = part.1;
        *part = (start, start);
        start += count;
    }
    let mut uses = vec![0; start as usize];
    for (value, step) in reads() {
        let part = &mut coming[value as usize];
        uses[part.1 as usize] = step;
        part.1 += 1;
    }
    (uses, coming)
}
