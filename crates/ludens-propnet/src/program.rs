//! Programs: the nodes of a circuit, scheduled.
//!
//! A program is a list of segments without jumps. Recursive blocks are segments of their own that
//! are repeated to their fixpoint. Values that several segments need are stored in the frame.

mod plan;
mod segment;

use std::fmt;

use crate::circuit::{Circuit, Lit, Slot};
use crate::cover::Cover;
use crate::passes::Loop;
use plan::Planner;
use segment::SegmentBuilder;

/// A value of a segment: the index of the step that computes it.
pub type ValueId = u32;

/// One instruction for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// All lanes true.
    Ones,
    /// The value of a slot.
    Load(Slot),
    /// Conjunction.
    And(ValueId, ValueId),
    /// The second and not the first.
    AndNot(ValueId, ValueId),
    /// Disjunction.
    Or(ValueId, ValueId),
    /// Exclusive or.
    Xor(ValueId, ValueId),
    /// Any function of three values: bit `4a + 2b + c` of the table.
    Lut(u8, [ValueId; 3]),
    /// Stores a value; has no value itself.
    Store(Slot, ValueId),
}

impl Step {
    /// The step with renumbered values.
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

/// A sequence of steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Segment {
    /// The steps; each reads only earlier ones.
    pub steps: Vec<Step>,
    /// For a recursive block: the lanes in which a loop has changed. The segment is repeated while
    /// there is any.
    pub repeat_while: Option<ValueId>,
}

/// The maximum fan-in of the gates of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gates {
    /// Two.
    Two,
    /// Up to three.
    Three,
}

/// A sequence of segments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The segments.
    pub segments: Vec<Segment>,
}

impl Program {
    /// The number of gates.
    pub fn n_gates(&self) -> usize {
        let is_gate = |step: &&Step| !matches!(step, Step::Ones | Step::Load(_) | Step::Store(..));
        self.segments.iter().map(|segment| segment.steps.iter().filter(is_gate).count()).sum()
    }

    /// The programs that store some signals of a circuit, run one after the other: a later one
    /// reads from the frame what an earlier one has computed, as long as the state is the same.
    /// They allocate slots of the frame from `frame_len` on, which is advanced.
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
