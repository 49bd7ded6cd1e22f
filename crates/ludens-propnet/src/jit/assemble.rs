//! Machine instructions as bytes (Intel SDM volume 2: VEX encoding).

use crate::circuit::Slot;

/// A vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg(pub u8);

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
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
    /// Of a register with itself: all ones.
    Equal = 0x76,
}

/// Code in the making. The function's arguments are the addresses of state, next state and frame.
#[derive(Default)]
pub(super) struct Assembler {
    pub code: Vec<u8>,
}

const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
/// The instruction map of most vector instructions, and of the test.
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;

impl Assembler {
    pub(super) fn op(&mut self, op: Op, to: Reg, a: Reg, b: Place) {
        self.vex(MAP_0F, op as u8, to, a.0, b);
    }

    pub(super) fn load(&mut self, to: Reg, from: Slot) {
        self.vex(MAP_0F, LOAD, to, 0, Place::Memory(from));
    }

    pub(super) fn store(&mut self, to: Slot, from: Reg) {
        self.vex(MAP_0F, STORE, from, 0, Place::Memory(to));
    }

    /// Goes back to `start` if any bit of a register is set.
    pub(super) fn repeat_while_any(&mut self, value: Reg, start: usize) {
        self.vex(MAP_0F38, 0x17, value, 0, Place::Reg(value));
        self.code.extend([0x0f, 0x85]);
        let distance = (self.code.len() + 4 - start) as u32;
        self.code.extend(distance.wrapping_neg().to_le_bytes());
    }

    /// Leaves the function; the upper halves are cleared so that older code runs at full speed.
    pub(super) fn finish(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77, 0xc3]);
    }

    /// An instruction on 256 bits with the 66 prefix.
    fn vex(&mut self, map: u8, opcode: u8, reg: Reg, second: u8, place: Place) {
        let high = |reg: u8| reg >> 3 & 1;
        let base_high = match place {
            Place::Reg(Reg(rm)) => high(rm),
            Place::Memory(_) => 0,
        };
        let not_r = (1 - high(reg.0)) << 7;
        let rest = (!second & 15) << 3 | 0b101;
        if base_high == 0 && map == MAP_0F {
            self.code.extend([0xc5, not_r | rest, opcode]);
        } else {
            let not_x_b = 1 << 6 | (1 - base_high) << 5;
            self.code.extend([0xc4, not_r | not_x_b | map, rest, opcode]);
        }
        self.operand(reg.0 & 7, place);
    }

    fn operand(&mut self, reg: u8, place: Place) {
        match place {
            Place::Reg(Reg(rm)) => self.code.push(0xc0 | reg << 3 | rm & 7),
            Place::Memory(slot) => {
                // rdi, rsi and rdx hold the function's arguments.
                let (base, index) = match slot {
                    Slot::State(i) => (7, i),
                    Slot::Next(i) => (6, i),
                    Slot::Frame(i) => (2, i),
                };
                let offset = index * 32;
                if offset < 128 {
                    self.code.extend([0x40 | reg << 3 | base, offset as u8]);
                } else {
                    self.code.push(0x80 | reg << 3 | base);
                    self.code.extend(offset.to_le_bytes());
                }
            }
        }
    }
}
