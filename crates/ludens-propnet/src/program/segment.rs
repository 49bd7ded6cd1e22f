//! A segment under construction: the polarity of its values, and those that later segments need.

use rustc_hash::FxHashMap;

use super::{Segment, Step, ValueId};
use crate::circuit::{Lit, Node, Slot};
use crate::cover::Cut;

/// A segment under construction.
pub(super) struct SegmentBuilder {
    pub number: u32,
    pub steps: Vec<Step>,
    /// The value of each node, and whether it is stored negated.
    pub values: FxHashMap<usize, (ValueId, bool)>,
    pub ones: Option<ValueId>,
    /// Values that later segments need, and their slots of the frame.
    pub exports: Vec<(ValueId, u32)>,
    pub repeat_while: Option<ValueId>,
}

impl SegmentBuilder {
    pub(super) fn new(number: usize) -> Self {
        SegmentBuilder {
            number: number as u32,
            steps: Vec::new(),
            values: FxHashMap::default(),
            ones: None,
            exports: Vec::new(),
            repeat_while: None,
        }
    }

    pub(super) fn push(&mut self, step: Step) -> ValueId {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    pub(super) fn add(&mut self, node: usize, step: Step, is_flipped: bool) {
        let value = self.push(step);
        self.values.insert(node, (value, is_flipped));
    }

    /// Adds a gate. The polarity is chosen so that every gate is one instruction: a conjunction of two
    /// negated values is stored as the disjunction of the values.
    pub(super) fn add_gate(&mut self, node: usize, gate: Node) {
        let stored = |lit: Lit, values: &FxHashMap<usize, (ValueId, bool)>| {
            let (value, is_flipped) = values[&lit.node()];
            (value, lit.is_negated() != is_flipped)
        };
        match gate {
            Node::And(a, b) => {
                let ((a, not_a), (b, not_b)) = (stored(a, &self.values), stored(b, &self.values));
                match (not_a, not_b) {
                    (false, false) => self.add(node, Step::And(a, b), false),
                    (true, false) => self.add(node, Step::AndNot(a, b), false),
                    (false, true) => self.add(node, Step::AndNot(b, a), false),
                    (true, true) => self.add(node, Step::Or(a, b), true),
                }
            }
            Node::Xor(a, b) => {
                let ((a, not_a), (b, not_b)) = (stored(a, &self.values), stored(b, &self.values));
                self.add(node, Step::Xor(a, b), not_a != not_b);
            }
            Node::True | Node::Load(_) => unreachable!("gates are computed from others"),
        }
    }

    /// Adds a gate of up to three inputs. Its truth table absorbs the negation of stored values.
    pub(super) fn add_lut(&mut self, node: usize, cut: Cut) {
        let stored: Vec<(ValueId, bool)> =
            cut.leaves().iter().map(|&leaf| self.values[&(leaf as usize)]).collect();
        let mut table = cut.table;
        for (i, _) in stored.iter().enumerate().filter(|(_, (_, is_flipped))| *is_flipped) {
            table = negate_input(table, i);
        }
        let step = match stored[..] {
            [(a, _)] => Step::Lut(table, [a; 3]),
            [(a, _), (b, _)] => two_input_step(table, a, b),
            [(a, _), (b, _), (c, _)] => Step::Lut(table, [a, b, c]),
            _ => unreachable!("cuts have one to three leaves"),
        };
        self.add(node, step, false);
    }

    fn all_ones(&mut self) -> ValueId {
        if let Some(ones) = self.ones {
            return ones;
        }
        let ones = self.push(Step::Ones);
        self.ones = Some(ones);
        ones
    }

    /// The value of a signal in positive polarity.
    pub(super) fn value(&mut self, lit: Lit) -> ValueId {
        let (value, is_flipped) =
            if lit.node() == 0 { (self.all_ones(), false) } else { self.values[&lit.node()] };
        if lit.is_negated() == is_flipped {
            return value;
        }
        let ones = self.all_ones();
        self.push(Step::Xor(ones, value))
    }

    /// Builds the segment. Values for later segments are stored as soon as they are computed, which
    /// frees their registers.
    pub(super) fn finish(mut self) -> Segment {
        self.exports.sort_unstable();
        let mut exports = self.exports.into_iter().peekable();
        let mut new_ids: Vec<ValueId> = Vec::with_capacity(self.steps.len());
        let mut steps = Vec::with_capacity(self.steps.len());
        for (i, step) in self.steps.into_iter().enumerate() {
            new_ids.push(steps.len() as ValueId);
            steps.push(step.renumbered(&new_ids));
            while let Some((_, slot)) = exports.next_if(|&(value, _)| value as usize == i) {
                steps.push(Step::Store(Slot::Frame(slot), new_ids[i]));
            }
        }
        Segment { steps, repeat_while: self.repeat_while.map(|value| new_ids[value as usize]) }
    }
}

/// The truth table of the function with one input negated.
fn negate_input(table: u8, input: usize) -> u8 {
    let (mask, shift) = [(0x0f, 4), (0x33, 2), (0x55, 1)][input];
    (table & mask) << shift | table >> shift & mask
}

/// A function of two values; the common ones have non-destructive instructions.
fn two_input_step(table: u8, a: ValueId, b: ValueId) -> Step {
    match table {
        0xc0 => Step::And(a, b),
        0x0c => Step::AndNot(a, b),
        0x30 => Step::AndNot(b, a),
        0xfc => Step::Or(a, b),
        0x3c => Step::Xor(a, b),
        _ => Step::Lut(table, [a, b, b]),
    }
}
