//! Schedules the nodes of a circuit in segments.

use rustc_hash::{FxHashMap, FxHashSet};

use super::segment::SegmentBuilder;
use super::{Step, ValueId};
use crate::circuit::{Circuit, Lit, Node, Slot};
use crate::cover::Cover;
use crate::passes::Loop;

/// Assigns nodes to segments.
pub(super) struct Planner<'a> {
    circuit: &'a Circuit,
    frame_len: &'a mut u32,
    loops: &'a [Loop],
    block_of_slot: FxHashMap<u32, u32>,
    /// The blocks that are computed already.
    done: FxHashSet<u32>,
    /// For each node, one more than the last block on whose loops it depends, or 0.
    after_block: Vec<u32>,
    /// The segment that computes a node; `u32::MAX` for none so far.
    segment_of: Vec<u32>,
    /// Nodes that later segments read, with their slots.
    exported: FxHashMap<usize, u32>,
    /// How nodes are computed if gates have three inputs.
    pub cover: Option<Cover>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(circuit: &'a Circuit, loops: &'a [Loop], frame_len: &'a mut u32) -> Self {
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
            segment_of: vec![u32::MAX; n],
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

    pub(super) fn plan(&mut self, outputs: &[(Lit, Slot)], segments: &mut Vec<SegmentBuilder>) {
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
            // Slots that are read and written are written after their last read, because evaluators
            // read memory when a value is needed, not when it is loaded.
            if self.circuit.reads(slot) {
                late.push(Step::Store(slot, value));
            } else {
                last.steps.push(Step::Store(slot, value));
            }
        }
        last.steps.extend(late);
        segments.push(last);
    }

    /// Computes those nodes of a signal's cone that do not depend on the block's loops.
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

    /// One iteration of a recursive block.
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

    /// Computes a node in a segment, after the nodes that it reads.
    fn compute(&mut self, root: usize, into: &mut SegmentBuilder, segments: &mut [SegmentBuilder]) {
        let mut open = vec![root];
        while let Some(&node) = open.last() {
            if into.values.contains_key(&node) {
                open.pop();
                continue;
            }
            if self.segment_of[node] != u32::MAX {
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
            // The latest node probably has the largest cone; computing it first keeps fewer values
            // live.
            let missing = parts.iter().filter(|&&part| !into.values.contains_key(&(part as usize)));
            if let Some(&part) = missing.max() {
                open.push(part as usize);
                continue;
            }
            match cut {
                Some(cut) => into.add_lut(node, cut),
                None => into.add_gate(node, gate),
            }
            self.segment_of[node] = into.number;
            open.pop();
        }
    }

    /// Reads a node of an earlier segment, which must store it in the frame.
    fn import(&mut self, node: usize, into: &mut SegmentBuilder, segments: &mut [SegmentBuilder]) {
        let segment = self.segment_of[node] as usize;
        let (value, is_flipped) = segments[segment].values[&node];
        let slot = *self.exported.entry(node).or_insert_with(|| {
            let slot = *self.frame_len;
            *self.frame_len += 1;
            segments[segment].exports.push((value, slot));
            slot
        });
        into.add(node, Step::Load(Slot::Frame(slot)), is_flipped);
    }
}
