//! Programs: a circuit's nodes in the order in which they are computed.
//!
//! A program is a list of segments without jumps. Recursive blocks are segments of their own that
//! are repeated until nothing changes. Values that several segments need are kept in the frame.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::{Circuit, Lit, Node, Slot};
use crate::cover::{Cover, Cut};
use crate::passes::Loop;

/// A value of a segment: the step that computes it.
pub type ValueId = u32;

/// One instruction for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// All lanes true.
    Ones,
    /// What memory holds.
    Load(Slot),
    /// Both.
    And(ValueId, ValueId),
    /// The second without the first.
    AndNot(ValueId, ValueId),
    /// Either.
    Or(ValueId, ValueId),
    /// One of them.
    Xor(ValueId, ValueId),
    /// Any function of three values: bit `4a + 2b + c` of the table.
    Lut(u8, [ValueId; 3]),
    /// Puts a value into memory; has no value itself.
    Store(Slot, ValueId),
}

impl Step {
    /// The step with values that have new numbers.
    fn renumbered(self, numbers: &[ValueId]) -> Self {
        let new = |value: ValueId| numbers[value as usize];
        match self {
            Step::Ones | Step::Load(_) => self,
            Step::And(a, b) => Step::And(new(a), new(b)),
            Step::AndNot(a, b) => Step::AndNot(new(a), new(b)),
            Step::Or(a, b) => Step::Or(new(a), new(b)),
            Step::Xor(a, b) => Step::Xor(new(a), new(b)),
            Step::Lut(table, inputs) => Step::Lut(table, inputs.map(new)),
            Step::Store(slot, a) => Step::Store(slot, new(a)),
        }
    }

    /// The values that the step reads.
    pub fn reads(self) -> impl Iterator<Item = ValueId> {
        let (read, n) = match self {
            Step::Ones | Step::Load(_) => ([0; 3], 0),
            Step::Store(_, a) => ([a, 0, 0], 1),
            Step::And(a, b) | Step::AndNot(a, b) | Step::Or(a, b) | Step::Xor(a, b) => {
                ([a, b, 0], 2)
            }
            Step::Lut(_, [a, b, c]) if b == c => ([a, b, 0], 2),
            Step::Lut(_, read) => (read, 3),
        };
        read.into_iter().take(n)
    }
}

/// Steps that are executed one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Segment {
    /// The steps; a step reads earlier ones.
    pub steps: Vec<Step>,
    /// For a recursive block: the value that says where something has changed. The segment is
    /// repeated while that is so in any lane.
    pub repeat_while: Option<ValueId>,
}

/// How many inputs the gates of a program have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gates {
    /// Two.
    Two,
    /// Up to three.
    Three,
}

/// Segments that are executed one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The segments.
    pub segments: Vec<Segment>,
}

impl Program {
    /// How many gates are computed.
    pub fn n_gates(&self) -> usize {
        let is_gate = |step: &&Step| !matches!(step, Step::Ones | Step::Load(_) | Step::Store(..));
        self.segments.iter().map(|segment| segment.steps.iter().filter(is_gate).count()).sum()
    }

    /// The programs that put some signals of a circuit into memory, one after the other: a later
    /// one reads from the frame what an earlier one has computed, as long as the state is the same.
    /// Slots of the frame from `frame_len` on are free for this; it is moved on.
    pub fn sequence(
        circuit: &Circuit,
        loops: &[Loop],
        outputs: &[&[(Lit, Slot)]],
        gates: Gates,
        frame_len: &mut u32,
    ) -> Vec<Program> {
        let mut planner = Planner::new(circuit, loops, frame_len);
        let mut segments = Vec::new();
        let mut ends = vec![0];
        for outputs in outputs {
            if gates == Gates::Three {
                let roots = outputs.iter().map(|&(lit, _)| lit);
                let roots: Vec<Lit> = roots.chain(loops.iter().map(|l| l.becomes)).collect();
                planner.cover = Some(Cover::new(circuit, &roots));
            }
            planner.plan(outputs, &mut segments);
            ends.push(segments.len());
        }
        let segments: Vec<Segment> = segments.into_iter().map(SegmentBuilder::finish).collect();
        let program = |ends: &[usize]| Program { segments: segments[ends[0]..ends[1]].to_vec() };
        ends.windows(2).map(program).collect()
    }

    /// A single program.
    pub fn new(
        circuit: &Circuit,
        loops: &[Loop],
        outputs: &[(Lit, Slot)],
        gates: Gates,
        frame_len: &mut u32,
    ) -> Self {
        Self::sequence(circuit, loops, &[outputs], gates, frame_len).remove(0)
    }
}

/// Which segment computes which node.
struct Planner<'a> {
    circuit: &'a Circuit,
    frame_len: &'a mut u32,
    loops: &'a [Loop],
    block_of_slot: FxHashMap<u32, u32>,
    /// The blocks that are computed already.
    done: FxHashSet<u32>,
    /// For each node, one more than the last block on whose loops it depends, or 0.
    after_block: Vec<u32>,
    /// The segment that computes a node; `u32::MAX` for none so far.
    home: Vec<u32>,
    /// Nodes that later segments read, with their slots.
    exported: FxHashMap<usize, u32>,
    /// How nodes are computed if gates have three inputs.
    cover: Option<Cover>,
}

impl<'a> Planner<'a> {
    fn new(circuit: &'a Circuit, loops: &'a [Loop], frame_len: &'a mut u32) -> Self {
        let n = circuit.nodes().len();
        let block_of_slot: FxHashMap<u32, u32> = loops.iter().map(|l| (l.slot, l.block)).collect();
        let mut after_block = vec![0u32; n];
        for (i, node) in circuit.nodes().iter().enumerate() {
            after_block[i] = match node {
                Node::Load(Slot::Frame(slot)) => block_of_slot.get(slot).map_or(0, |b| b + 1),
                Node::And(a, b) | Node::Xor(a, b) => {
                    after_block[a.node()].max(after_block[b.node()])
                }
                _ => 0,
            };
        }
        Planner {
            circuit,
            frame_len,
            loops,
            block_of_slot,
            done: FxHashSet::default(),
            after_block,
            home: vec![u32::MAX; n],
            exported: FxHashMap::default(),
            cover: None,
        }
    }

    /// The blocks that some signals need and that are not computed yet, in order.
    fn needed_blocks(&self, outputs: &[(Lit, Slot)]) -> Vec<(u32, Vec<Loop>)> {
        if self.loops.is_empty() {
            return Vec::new();
        }
        let mut found: FxHashSet<u32> = FxHashSet::default();
        let mut seen = vec![false; self.circuit.nodes().len()];
        let mut open: Vec<usize> = outputs.iter().map(|(lit, _)| lit.node()).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match self.circuit.nodes()[node] {
                Node::And(a, b) | Node::Xor(a, b) => open.extend([a.node(), b.node()]),
                Node::Load(Slot::Frame(slot)) => {
                    let Some(&block) = self.block_of_slot.get(&slot) else { continue };
                    if !self.done.contains(&block) && found.insert(block) {
                        let own = self.loops.iter().filter(|l| l.block == block);
                        open.extend(own.map(|l| l.becomes.node()));
                    }
                }
                _ => {}
            }
        }
        let mut blocks: Vec<u32> = found.into_iter().collect();
        blocks.sort_unstable();
        let own = |block| self.loops.iter().copied().filter(|l| l.block == block).collect();
        blocks.into_iter().map(|block| (block, own(block))).collect()
    }

    fn plan(&mut self, outputs: &[(Lit, Slot)], segments: &mut Vec<SegmentBuilder>) {
        for (block, loops) in self.needed_blocks(outputs) {
            let mut before = SegmentBuilder::new(segments.len());
            for l in &loops {
                let zero = before.value(Lit::FALSE);
                before.steps.push(Step::Store(Slot::Frame(l.slot), zero));
            }
            for l in &loops {
                self.compute_outside(l.becomes, block, &mut before, segments);
            }
            segments.push(before);
            let mut repeat = SegmentBuilder::new(segments.len());
            self.repeat(&loops, &mut repeat, segments);
            segments.push(repeat);
            self.done.insert(block);
        }
        let mut last = SegmentBuilder::new(segments.len());
        let mut late = Vec::new();
        for &(lit, slot) in outputs {
            self.compute(lit.node(), &mut last, segments);
            let value = last.value(lit);
            // What is read and written is written when nothing reads it any more, because
            // evaluators read memory where a value is needed and not where it is loaded.
            if self.circuit.reads(slot) {
                late.push(Step::Store(slot, value));
            } else {
                last.steps.push(Step::Store(slot, value));
            }
        }
        last.steps.extend(late);
        segments.push(last);
    }

    /// Computes those parts of a signal that do not depend on the block's loops.
    fn compute_outside(
        &mut self,
        lit: Lit,
        block: u32,
        into: &mut SegmentBuilder,
        segments: &mut [SegmentBuilder],
    ) {
        let mut open = vec![lit.node()];
        let mut seen = FxHashSet::default();
        while let Some(node) = open.pop() {
            if self.after_block[node] <= block {
                self.compute(node, into, segments);
            } else if seen.insert(node)
                && let Node::And(a, b) | Node::Xor(a, b) = self.circuit.nodes()[node]
            {
                open.extend([a.node(), b.node()]);
            }
        }
    }

    /// One round of a recursive block.
    fn repeat(
        &mut self,
        loops: &[Loop],
        into: &mut SegmentBuilder,
        segments: &mut [SegmentBuilder],
    ) {
        let mut changed: Option<ValueId> = None;
        for l in loops {
            self.compute(l.becomes.node(), into, segments);
        }
        for l in loops {
            let new = into.value(l.becomes);
            let old = into.push(Step::Load(Slot::Frame(l.slot)));
            let change = into.push(Step::Xor(new, old));
            changed = Some(match changed {
                None => change,
                Some(before) => into.push(Step::Or(before, change)),
            });
        }
        for l in loops {
            let new = into.value(l.becomes);
            into.steps.push(Step::Store(Slot::Frame(l.slot), new));
        }
        into.repeat_while = changed;
    }

    /// Computes a node in a segment, and before it what it needs.
    fn compute(&mut self, root: usize, into: &mut SegmentBuilder, segments: &mut [SegmentBuilder]) {
        let mut open = vec![root];
        while let Some(&node) = open.last() {
            if into.values.contains_key(&node) {
                open.pop();
                continue;
            }
            if self.home[node] != u32::MAX {
                self.import(node, into, segments);
                open.pop();
                continue;
            }
            let gate = self.circuit.nodes()[node];
            let (a, b) = match gate {
                Node::True => {
                    into.add(node, Step::Ones, false);
                    open.pop();
                    continue;
                }
                Node::Load(slot) => {
                    into.add(node, Step::Load(slot), false);
                    open.pop();
                    continue;
                }
                Node::And(a, b) | Node::Xor(a, b) => (a, b),
            };
            let cut = self.cover.as_ref().map(|cover| cover.cut(node));
            let parts = [a.node() as u32, b.node() as u32];
            let parts = cut.as_ref().map_or(&parts[..], |cut| cut.leaves());
            // The node that was made last is probably the largest one; it goes first so that
            // fewer values wait for it.
            let missing = parts.iter().filter(|&&part| !into.values.contains_key(&(part as usize)));
            if let Some(&part) = missing.max() {
                open.push(part as usize);
                continue;
            }
            match cut {
                Some(cut) => into.add_lut(node, cut),
                None => into.add_gate(node, gate),
            }
            self.home[node] = into.number;
            open.pop();
        }
    }

    /// Reads a node that an earlier segment computed; that segment must keep it in the frame.
    fn import(&mut self, node: usize, into: &mut SegmentBuilder, segments: &mut [SegmentBuilder]) {
        let home = self.home[node] as usize;
        let (value, is_flipped) = segments[home].values[&node];
        let slot = *self.exported.entry(node).or_insert_with(|| {
            let slot = *self.frame_len;
            *self.frame_len += 1;
            segments[home].exports.push((value, slot));
            slot
        });
        into.add(node, Step::Load(Slot::Frame(slot)), is_flipped);
    }
}

/// A segment in the making.
struct SegmentBuilder {
    number: u32,
    steps: Vec<Step>,
    /// The value of each node, and whether it is kept negated.
    values: FxHashMap<usize, (ValueId, bool)>,
    ones: Option<ValueId>,
    /// Values that later segments need, and their slots of the frame.
    exports: Vec<(ValueId, u32)>,
    repeat_while: Option<ValueId>,
}

impl SegmentBuilder {
    fn new(number: usize) -> Self {
        SegmentBuilder {
            number: number as u32,
            steps: Vec::new(),
            values: FxHashMap::default(),
            ones: None,
            exports: Vec::new(),
            repeat_while: None,
        }
    }

    fn push(&mut self, step: Step) -> ValueId {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    fn add(&mut self, node: usize, step: Step, is_flipped: bool) {
        let value = self.push(step);
        self.values.insert(node, (value, is_flipped));
    }

    /// The polarity is chosen so that every gate is one instruction: a conjunction of two negated
    /// values is kept as the disjunction of the values.
    fn add_gate(&mut self, node: usize, gate: Node) {
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
    fn add_lut(&mut self, node: usize, cut: Cut) {
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
    fn value(&mut self, lit: Lit) -> ValueId {
        let (value, is_flipped) =
            if lit.node() == 0 { (self.all_ones(), false) } else { self.values[&lit.node()] };
        if lit.is_negated() == is_flipped {
            return value;
        }
        let ones = self.all_ones();
        self.push(Step::Xor(ones, value))
    }

    /// What later segments need is stored as soon as it is computed, so that no register holds it
    /// for them.
    fn finish(mut self) -> Segment {
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

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, segment) in self.segments.iter().enumerate() {
            writeln!(f, "segment {number}")?;
            for (i, step) in segment.steps.iter().enumerate() {
                match step {
                    Step::Ones => writeln!(f, "  v{i} = ones")?,
                    Step::Load(slot) => writeln!(f, "  v{i} = {slot}")?,
                    Step::And(a, b) => writeln!(f, "  v{i} = v{a} & v{b}")?,
                    Step::AndNot(a, b) => writeln!(f, "  v{i} = !v{a} & v{b}")?,
                    Step::Or(a, b) => writeln!(f, "  v{i} = v{a} | v{b}")?,
                    Step::Xor(a, b) => writeln!(f, "  v{i} = v{a} ^ v{b}")?,
                    Step::Lut(table, [a, b, c]) => {
                        writeln!(f, "  v{i} = table {table:08b} v{a} v{b} v{c}")?;
                    }
                    Step::Store(slot, a) => writeln!(f, "  {slot} = v{a}")?,
                }
            }
            if let Some(changed) = segment.repeat_while {
                writeln!(f, "  again while any v{changed}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::State(i) => write!(f, "state[{i}]"),
            Slot::Next(i) => write!(f, "next[{i}]"),
            Slot::Frame(i) => write!(f, "frame[{i}]"),
        }
    }
}
