//! A segment under construction: the polarity of its values, and what later segments need of it.

use rustc_hash::FxHashMap;

use super::{Segment, Step, ValueId};
use crate::circuit::{Lit, Node, Slot};
use crate::cover::Cut;

/// A segment under construction.
pub(super) struct SegmentBuilder {
    pub number: u32,
    pub steps: Vec<Step>,
    /// The value of each node, and whether it is kept negated.
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

    /// The polarity is chosen so that every gate is one instruction: a conjunction of two negated
    /// values is kept as the disjunction of the values.
    pub(super) fn add_gate(&mut self, node: usize, gate: Node) {
        let kept = |lit: Lit, values: &FxHashMap<usize, (ValueId, bool)>| {
            let (value, is_flipped) = values[&lit.node()];
            (value, lit.is_negated() != is_flipped)
        };
        match gate {
            Node::And(a, b) => {
                let ((a, not_a), (b, not_b)) = (kept(a, &self.values), kept(b, &self.values));
                match (not_a, not_b) {
                    (false, false) => self.add(node, Step::And(a, b), false),
                    (true, false) => self.add(node, Step::AndNot(a, b), false),
                    (false, true) => self.add(node, Step::AndNot(b, a), false),
                    (true, true) => self.add(node, Step::Or(a, b), true),
                }
            }
            Node::Xor(a, b) => {
                let ((a, not_a), (b, not_b)) = (kept(a, &self.values), kept(b, &self.values));
                self.add(node, Step::Xor(a, b), not_a != not_b);
            }
            Node::True | Node::Load(_) => unreachable!("gates are computed from others"),
        }
    }

    /// Values that are kept negated are read so by the table.
    pub(super) fn add_lut(&mut self, node: usize, cut: Cut) {
        let kept: Vec<(ValueId, bool)> =
            cut.leaves().iter().map(|&leaf| self.values[&(leaf as usize)]).collect();
        let mut table = cut.table;
        for (i, _) in kept.iter().enumerate().filter(|(_, (_, is_flipped))| *is_flipped) {
            table = exchange(table, i);
        }
        let step = match kept[..] {
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

    /// The value of a signal as it is, not negated.
    pub(super) fn value(&mut self, lit: Lit) -> ValueId {
        let (value, is_flipped) =
            if lit.node() == 0 { (self.all_ones(), false) } else { self.values[&lit.node()] };
        if lit.is_negated() == is_flipped {
            return value;
        }
        let ones = self.all_ones();
        self.push(Step::Xor(ones, value))
    }

    /// Values for later segments are stored as soon as they are computed, which frees their
    /// registers.
    pub(super) fn finish(mut self) -> Segment {
        self.exports.sort_unstable();
        let mut exports = self.exports.into_iter().peekable();
        let mut places: Vec<ValueId> = Vec::with_capacity(self.steps.len());
        let mut steps = Vec::with_capacity(self.steps.len());
        for (i, step) in self.steps.into_iter().enumerate() {
            places.push(steps.len() as ValueId);
            steps.push(step.renumbered(&places));
            while let Some((_, slot)) = exports.next_if(|&(value, _)| value as usize == i) {
                steps.push(Step::Store(Slot::Frame(slot), places[i]));
            }
        }
        Segment { steps, repeat_while: self.repeat_while.map(|value| places[value as usize]) }
    }
}

/// The table of the function with one input negated.
fn exchange(table: u8, input: usize) -> u8 {
    let (mask, shift) = [(0x0f, 4), (0x33, 2), (0x55, 1)][input];
    (table & mask) << shift | table >> shift & mask
}

/// A function of two values; the usual ones have instructions that keep both operands.
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
