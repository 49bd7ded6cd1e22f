//! Encodes machine instructions (Intel SDM volume 2: VEX and EVEX). The shorter VEX encoding is
//! used wherever it can encode the registers.

use crate::circuit::Slot;

/// A vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg(pub u8);

/// An operand in a register or in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Reg(Reg),
    Memory(Slot),
}

/// Instructions with three operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Op {
    And = 0xdb,
    AndNot = 0xdf,
    Or = 0xeb,
    Xor = 0xef,
}

/// Code under construction. The function's arguments are the addresses of state, next state and frame.
#[derive(Default)]
pub(super) struct Assembler {
    pub code: Vec<u8>,
}

const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
/// The opcode maps of most vector instructions, of the test and of the ternary instruction.
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;
const MAP_0F3A: u8 = 3;
const TERNARY: u8 = 0x25;
const TEST: u8 = 0x17;

impl Assembler {
    pub(super) fn op(&mut self, op: Op, to: Reg, a: Reg, b: Operand) {
        self.instruction(op as u8, to, a, b);
    }

    /// Sets all bits of a register (below 16) by comparing it with itself.
    pub(super) fn set_ones(&mut self, reg: Reg) {
        self.vex(MAP_0F, 0x76, reg, reg.0, Operand::Reg(reg));
    }

    pub(super) fn load(&mut self, to: Reg, from: Slot) {
        self.instruction(LOAD, to, Reg(0), Operand::Memory(from));
    }

    pub(super) fn store(&mut self, to: Slot, from: Reg) {
        self.instruction(STORE, from, Reg(0), Operand::Memory(to));
    }

    /// Copies a register.
    pub(super) fn copy(&mut self, to: Reg, from: Reg) {
        self.instruction(LOAD, to, Reg(0), Operand::Reg(from));
    }

    /// A function of three values by its truth table; the result overwrites the first operand.
    pub(super) fn lut(&mut self, table: u8, a: Reg, b: Reg, c: Operand) {
        self.evex(MAP_0F3A, TERNARY, a, b, c);
        self.code.push(table);
    }

    fn instruction(&mut self, opcode: u8, reg: Reg, second: Reg, operand: Operand) {
        let is_high = |reg: Reg| reg.0 >= 16;
        if is_high(reg) || is_high(second) || matches!(operand, Operand::Reg(rm) if is_high(rm)) {
            self.evex(MAP_0F, opcode, reg, second, operand);
        } else {
            self.vex(MAP_0F, opcode, reg, second.0, operand);
        }
    }

    /// Jumps back to `start` if any bit of a register is set. No other register may be live here.
    pub(super) fn repeat_while_any(&mut self, mut value: Reg, start: usize) {
        if value.0 >= 16 {
            self.copy(Reg(0), value);
            value = Reg(0);
        }
        self.vex(MAP_0F38, TEST, value, 0, Operand::Reg(value));
        self.code.extend([0x0f, 0x85]);
        let distance = (self.code.len() + 4 - start) as u32;
        self.code.extend(distance.wrapping_neg().to_le_bytes());
    }

    /// Returns from the function; the upper halves of the registers are cleared so that SSE code runs
    /// at full speed.
    pub(super) fn finish(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77, 0xc3]);
    }

    /// An instruction on 256 bits with the 66 prefix.
    fn vex(&mut self, map: u8, opcode: u8, reg: Reg, second: u8, operand: Operand) {
        let high = |reg: u8| reg >> 3 & 1;
        let base_high = match operand {
            Operand::Reg(Reg(rm)) => high(rm),
            Operand::Memory(_) => 0,
        };
        let not_r = (1 - high(reg.0)) << 7;
        let rest = (!second & 15) << 3 | 0b101;
        if base_high == 0 && map == MAP_0F {
            self.code.extend([0xc5, not_r | rest, opcode]);
        } else {
            let not_x_b = 1 << 6 | (1 - base_high) << 5;
            self.code.extend([0xc4, not_r | not_x_b | map, rest, opcode]);
        }
        self.mod_rm(reg.0 & 7, operand, 1);
    }

    /// An instruction on 256 bits with the 66 prefix and all 32 registers.
    fn evex(&mut self, map: u8, opcode: u8, reg: Reg, second: Reg, operand: Operand) {
        let not = |reg: u8, bit: u8| 1 - (reg >> bit & 1);
        let rm = match operand {
            Operand::Reg(Reg(rm)) => rm,
            Operand::Memory(_) => 0,
        };
        let first = not(reg.0, 3) << 7 | not(rm, 4) << 6 | not(rm, 3) << 5 | not(reg.0, 4) << 4;
        let middle = (!second.0 & 15) << 3 | 0b101;
        let last = 0b010_0000 | not(second.0, 4) << 3;
        self.code.extend([0x62, first | map, middle, last, opcode]);
        self.mod_rm(reg.0 & 7, operand, 32);
    }

    /// The `ModRM` byte and the displacement; short displacements are in units of `unit` bytes.
    fn mod_rm(&mut self, reg: u8, operand: Operand, unit: u32) {
        match operand {
            Operand::Reg(Reg(rm)) => self.code.push(0xc0 | reg << 3 | rm & 7),
            Operand::Memory(slot) => {
                // rdi, rsi and rdx hold the function's arguments.
                let (base, index) = match slot {
                    Slot::State(i) => (7, i),
                    Slot::Next(i) => (6, i),
                    Slot::Frame(i) => (2, i),
                };
                let offset = index * 32;
                if offset / unit < 128 {
                    self.code.extend([0x40 | reg << 3 | base, (offset / unit) as u8]);
                } else {
                    self.code.push(0x80 | reg << 3 | base);
                    self.code.extend(offset.to_le_bytes());
                }
            }
        }
    }
}
