//! Register allocation for a segment.

use super::Target;
use super::assemble::{Assembler, Op, Operand, Reg};
use crate::circuit::Slot;
use crate::program::{Segment, Step, ValueId};

/// A value in memory that is read again within this many steps is loaded into a register.
const MAX_RELOAD_DISTANCE: u32 = 48;
const NEVER: u32 = u32::MAX;

/// The state of the allocation.
pub(super) struct Allocator<'a> {
    segment: &'a Segment,
    assembler: &'a mut Assembler,
    /// The steps that read each value, in order, value after value.
    uses: Vec<u32>,
    /// The range of remaining uses in `uses`, for each value.
    remaining: Vec<(u32, u32)>,
    in_reg: Vec<Option<Reg>>,
    in_memory: Vec<Option<Slot>>,
    /// The value in each register.
    reg_values: Vec<Option<ValueId>>,
    target: Target,
    frame_len: u32,
    free_spills: Vec<u32>,
    /// Spill slots of values that the current instruction reads for the last time.
    released: Vec<u32>,
    spill_end: u32,
}

impl<'a> Allocator<'a> {
    pub(super) fn new(
        segment: &'a Segment,
        target: Target,
        frame_len: u32,
        assembler: &'a mut Assembler,
    ) -> Self {
        let n = segment.steps.len();
        let (uses, remaining) = uses(segment);
        Allocator {
            segment,
            assembler,
            uses,
            remaining,
            in_reg: vec![None; n],
            in_memory: vec![None; n],
            reg_values: vec![None; target.n_regs()],
            target,
            frame_len,
            free_spills: Vec::new(),
            released: Vec::new(),
            spill_end: frame_len,
        }
    }

    /// The end of the frame, including spilled values.
    pub(super) fn frame_end(&self) -> u32 {
        self.spill_end
    }

    /// Compiles the segment.
    pub(super) fn run(&mut self) {
        let start = self.assembler.code.len();
        for (i, &step) in self.segment.steps.iter().enumerate() {
            let value = i as ValueId;
            match step {
                // Loads are deferred until they are needed; they may become memory operands.
                Step::Load(slot) => self.in_memory[i] = Some(slot),
                Step::Ones => {}
                Step::Store(slot, from) => self.store(slot, from),
                Step::And(a, b) => self.gate(Op::And, value, a, b),
                Step::AndNot(a, b) => self.gate(Op::AndNot, value, a, b),
                Step::Or(a, b) => self.gate(Op::Or, value, a, b),
                Step::Xor(a, b) => self.gate(Op::Xor, value, a, b),
                Step::Lut(table, inputs) => self.lut(table, value, inputs),
            }
        }
        if let Some(changed) = self.segment.repeat_while {
            let reg = self.ensure_in_reg(changed, &[]);
            self.assembler.repeat_while_any(reg, start);
        }
    }

    /// The step that reads a value next.
    fn next_use(&self, value: ValueId) -> u32 {
        let (next, end) = self.remaining[value as usize];
        if next < end { self.uses[next as usize] } else { NEVER }
    }

    /// The use after the next one.
    fn use_after(&self, value: ValueId) -> u32 {
        let (next, end) = self.remaining[value as usize];
        if next + 1 < end { self.uses[next as usize + 1] } else { NEVER }
    }

    fn store(&mut self, slot: Slot, value: ValueId) {
        let reg = self.ensure_in_reg(value, &[]);
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
        if op != Op::AndNot && self.reads_memory(a, to) && !self.reads_memory(b, to) {
            (a, b) = (b, a);
        }
        let first = self.ensure_in_reg(a, &[b]);
        let second = self.last_operand(b, to, &[a]);
        self.consume(a);
        self.consume(b);
        let target = self.allocate_reg(&[]);
        // A register above 7 as the last operand makes the instruction longer; only one operation is
        // not commutative.
        match second {
            Operand::Reg(Reg(high)) if high >= 8 && first.0 < 8 && op != Op::AndNot => {
                self.assembler.op(op, target, Reg(high), Operand::Reg(first));
            }
            _ => self.assembler.op(op, target, first, second),
        }
        self.assign(target, to);
        self.free_spills.append(&mut self.released);
    }

    /// A function of three values. The instruction overwrites its first operand, so that should be
    /// one that is read for the last time; the last operand may be in memory.
    fn lut(&mut self, table: u8, to: ValueId, inputs: [ValueId; 3]) {
        let n = if inputs[0] == inputs[1] { 1 } else { 2 + usize::from(inputs[1] != inputs[2]) };
        if self.next_use(to) == NEVER {
            inputs[..n].iter().for_each(|&input| self.consume(input));
            return;
        }
        let rank = |allocator: &Self, input: ValueId| {
            let dies = allocator.use_after(input) == NEVER;
            match allocator.in_reg[input as usize] {
                Some(_) if dies => 0,
                Some(_) => 1,
                None if !allocator.reads_memory(input, to) => 2,
                None => 3,
            }
        };
        let mut order = [0, 1, 2];
        order[..n].sort_by_key(|&i| rank(self, inputs[i]));
        let ordered = order.map(|i| inputs[i]);
        let mut table = permute(table, order);
        let first = self.ensure_in_reg(ordered[0], &ordered);
        let second = if n == 3 { self.ensure_in_reg(ordered[1], &ordered) } else { first };
        let third = if n == 1 {
            Operand::Reg(first)
        } else {
            self.last_operand(ordered[n - 1], to, &ordered)
        };
        if n == 2 {
            // The second input is the last operand, and the middle one does not matter.
            table = permute(table, [0, 2, 1]);
        }
        let target = if self.use_after(ordered[0]) == NEVER {
            first
        } else {
            let target = self.allocate_reg(&ordered);
            self.assembler.copy(target, first);
            target
        };
        self.assembler.lut(table, target, second, third);
        inputs[..n].iter().for_each(|&input| self.consume(input));
        self.assign(target, to);
        self.free_spills.append(&mut self.released);
    }

    /// Whether an instruction should read a value from memory rather than have it loaded.
    fn reads_memory(&self, value: ValueId, now: ValueId) -> bool {
        self.in_reg[value as usize].is_none()
            && self.in_memory[value as usize].is_some()
            && self.use_after(value) > now + MAX_RELOAD_DISTANCE
    }

    /// The last operand of an instruction may be in memory.
    fn last_operand(&mut self, value: ValueId, now: ValueId, keep: &[ValueId]) -> Operand {
        if self.reads_memory(value, now) {
            Operand::Memory(self.in_memory[value as usize].expect("it is in memory"))
        } else {
            Operand::Reg(self.ensure_in_reg(value, keep))
        }
    }

    /// Loads a value into a register if it is in none, without evicting those of `keep`.
    fn ensure_in_reg(&mut self, value: ValueId, keep: &[ValueId]) -> Reg {
        if let Some(reg) = self.in_reg[value as usize] {
            return reg;
        }
        let reg = self.allocate_reg(keep);
        if let Some(slot) = self.in_memory[value as usize] {
            self.assembler.load(reg, slot);
        } else {
            debug_assert_eq!(self.segment.steps[value as usize], Step::Ones);
            self.ones(reg);
        }
        self.assign(reg, value);
        reg
    }

    fn ones(&mut self, reg: Reg) {
        match self.target {
            Target::Avx2 => self.assembler.set_ones(reg),
            Target::Avx512 => self.assembler.lut(0xff, reg, reg, Operand::Reg(reg)),
        }
    }

    fn assign(&mut self, reg: Reg, value: ValueId) {
        self.reg_values[reg.0 as usize] = Some(value);
        self.in_reg[value as usize] = Some(reg);
    }

    /// A free register, spilling a value if necessary.
    fn allocate_reg(&mut self, keep: &[ValueId]) -> Reg {
        let mut best = (0, 0);
        for (i, value) in self.reg_values.iter().enumerate() {
            let Some(value) = value else { return Reg(i as u8) };
            let next = self.next_use(*value);
            if !keep.contains(value) && next >= best.0 {
                best = (next, i);
            }
        }
        let reg = best.1;
        let value = self.reg_values[reg].take().expect("all registers are in use");
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

    /// Consumes a use of a value; after its last use, its register and spill slot are free.
    fn consume(&mut self, value: ValueId) {
        self.remaining[value as usize].0 += 1;
        if self.next_use(value) != NEVER {
            return;
        }
        if let Some(reg) = self.in_reg[value as usize].take() {
            self.reg_values[reg.0 as usize] = None;
        }
        if let Some(Slot::Frame(slot)) = self.in_memory[value as usize]
            && slot >= self.frame_len
        {
            self.in_memory[value as usize] = None;
            self.released.push(slot);
        }
    }
}

/// For each value the steps that read it; the value that controls repetition is read at the end.
fn uses(segment: &Segment) -> (Vec<u32>, Vec<(u32, u32)>) {
    let n = segment.steps.len();
    let reads = || {
        let steps = segment.steps.iter().enumerate();
        let steps = steps.flat_map(|(i, step)| step.reads().map(move |value| (value, i as u32)));
        steps.chain(segment.repeat_while.map(|value| (value, n as u32)))
    };
    let mut remaining = vec![(0u32, 0u32); n];
    reads().for_each(|(value, _)| remaining[value as usize].1 += 1);
    let mut start = 0;
    for range in &mut remaining {
        let count = range.1;
        *range = (start, start);
        start += count;
    }
    let mut uses = vec![0; start as usize];
    for (value, step) in reads() {
        let range = &mut remaining[value as usize];
        uses[range.1 as usize] = step;
        range.1 += 1;
    }
    (uses, remaining)
}

/// The truth table of a function whose inputs are permuted: position `i` holds the former input
/// `order[i]`.
fn permute(table: u8, order: [usize; 3]) -> u8 {
    let row = |row: usize| {
        let mut old = 0;
        for (position, &input) in order.iter().enumerate() {
            old |= (row >> (2 - position) & 1) << (2 - input);
        }
        (table >> old & 1) << row
    };
    (0..8).map(row).fold(0, |table, bit| table | bit)
}
