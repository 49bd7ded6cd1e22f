//! Technology mapping: covers a circuit with as few three-input gates as a quick search finds.
//!
//! Machines with AVX-512 compute any function of three planes in one instruction. Every node has a
//! few cuts, sets of up to three nodes from which it can be computed; the best one needs the fewest
//! gates in total, where a shared gate counts in part (area flow; Mishchenko, Cho, Chatterjee
//! and Brayton, "Combinational and sequential mapping with priority cuts", 2007).

use crate::circuit::{Circuit, Lit, Node};

/// A function of up to three nodes: bit `4a + 2b + c` of the table is its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    leaves: [u32; 3],
    n: u8,
    /// The truth table; missing inputs do not matter.
    pub table: u8,
}

/// The truth tables of the three inputs.
const INPUTS: [u8; 3] = [0xf0, 0xcc, 0xaa];
/// How many cuts of a node are kept.
const CUTS_PER_NODE: usize = 4;
/// How many times cuts are chosen, each time with the sharing of the previous round.
const ROUNDS: usize = 2;

impl Cut {
    fn of(node: usize) -> Self {
        Cut { leaves: [node as u32, 0, 0], n: 1, table: INPUTS[0] }
    }

    /// The leaves of the cut.
    pub fn leaves(&self) -> &[u32] {
        &self.leaves[..self.n as usize]
    }

    /// The union of the leaves, if there are no more than three.
    fn merge(&self, other: &Cut) -> Option<Cut> {
        let (mut leaves, mut n) = (self.leaves, self.n as usize);
        for leaf in other.leaves() {
            if !leaves[..n].contains(leaf) {
                *leaves.get_mut(n)? = *leaf;
                n += 1;
            }
        }
        Some(Cut { leaves, n: n as u8, table: 0 })
    }

    /// The truth table of this cut over the leaves of a larger one.
    fn table_over(&self, leaves: &[u32]) -> u8 {
        let position = |leaf: &u32| leaves.iter().position(|other| other == leaf).unwrap_or(0);
        let inputs: [u8; 3] =
            std::array::from_fn(|i| self.leaves().get(i).map_or(0, |leaf| INPUTS[position(leaf)]));
        let row = |row: usize| {
            let at = (0..3).fold(0, |at, i| at << 1 | usize::from(inputs[i] >> row & 1));
            (self.table >> at & 1) << row
        };
        (0..8).map(row).fold(0, |table, bit| table | bit)
    }
}

/// For each node of a circuit the cut from which it is computed.
pub struct Cover(Vec<Cut>);

impl Cover {
    /// Covers the cone of some signals.
    pub fn new(circuit: &Circuit, roots: &[Lit]) -> Self {
        let n = circuit.nodes().len();
        let mut fan_outs = fan_outs(circuit, roots);
        let is_needed: Vec<bool> = fan_outs.iter().map(|&fan_outs| fan_outs > 0).collect();
        let mut best: Vec<Cut> = Vec::new();
        for _ in 0..ROUNDS {
            let mut cuts: Vec<[Option<Cut>; CUTS_PER_NODE]> = Vec::with_capacity(n);
            let mut flow: Vec<f32> = Vec::with_capacity(n);
            let mut found = Vec::with_capacity((CUTS_PER_NODE + 1) * (CUTS_PER_NODE + 1));
            best.clear();
            for (i, node) in circuit.nodes().iter().enumerate() {
                let (kept, cost) = if is_needed[i] {
                    best_cuts(*node, &cuts, &flow, &mut found)
                } else {
                    ([None; CUTS_PER_NODE], 0.0)
                };
                best.push(kept[0].unwrap_or(Cut::of(i)));
                cuts.push(kept);
                flow.push(cost / fan_outs[i].max(1) as f32);
            }
            fan_outs = mapped_fan_outs(circuit, roots, &best);
        }
        Cover(best)
    }

    /// The cut from which a node is computed.
    pub fn cut(&self, node: usize) -> Cut {
        self.0[node]
    }
}

/// The best cuts of a node, and the cost of the best.
fn best_cuts(
    node: Node,
    cuts: &[[Option<Cut>; CUTS_PER_NODE]],
    flow: &[f32],
    found: &mut Vec<(f32, Cut)>,
) -> ([Option<Cut>; CUTS_PER_NODE], f32) {
    let (a, b, is_xor) = match node {
        Node::And(a, b) => (a, b, false),
        Node::Xor(a, b) => (a, b, true),
        Node::True | Node::Load(_) => return ([None; CUTS_PER_NODE], 0.0),
    };
    found.clear();
    let own = |lit: Lit| cuts[lit.node()].into_iter().flatten().chain([Cut::of(lit.node())]);
    for first in own(a) {
        for second in own(b) {
            let Some(mut cut) = first.merge(&second) else { continue };
            if found.iter().any(|(_, other)| other.leaves() == cut.leaves()) {
                continue;
            }
            let cost = 1.0 + cut.leaves().iter().map(|&leaf| flow[leaf as usize]).sum::<f32>();
            if found.len() >= CUTS_PER_NODE
                && found.iter().filter(|other| other.0 <= cost).count() >= CUTS_PER_NODE
            {
                continue;
            }
            let negate = |table: u8, lit: Lit| if lit.is_negated() { !table } else { table };
            let left = negate(first.table_over(cut.leaves()), a);
            let right = negate(second.table_over(cut.leaves()), b);
            cut.table = if is_xor { left ^ right } else { left & right };
            found.push((cost, cut));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.n.cmp(&b.1.n)));
    let kept = std::array::from_fn(|i| found.get(i).map(|&(_, cut)| cut));
    (kept, found[0].0)
}

fn fan_outs(circuit: &Circuit, roots: &[Lit]) -> Vec<u32> {
    let mut fan_outs = vec![0; circuit.nodes().len()];
    for root in roots {
        fan_outs[root.node()] += 1;
    }
    for (i, node) in circuit.nodes().iter().enumerate().rev() {
        if let Node::And(a, b) | Node::Xor(a, b) = node
            && fan_outs[i] > 0
        {
            fan_outs[a.node()] += 1;
            fan_outs[b.node()] += 1;
        }
    }
    fan_outs
}

fn mapped_fan_outs(circuit: &Circuit, roots: &[Lit], best: &[Cut]) -> Vec<u32> {
    let mut fan_outs = vec![0; circuit.nodes().len()];
    for root in roots {
        fan_outs[root.node()] += 1;
    }
    for (i, node) in circuit.nodes().iter().enumerate().rev() {
        if fan_outs[i] > 0 && matches!(node, Node::And(..) | Node::Xor(..)) {
            for &leaf in best[i].leaves() {
                fan_outs[leaf as usize] += 1;
            }
        }
    }
    fan_outs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Slot;

    #[test]
    fn a_full_adder_takes_two_gates() {
        let mut circuit = Circuit::default();
        let [a, b, c] = [0, 1, 2].map(|i| circuit.load(Slot::State(i)));
        let unequal = circuit.xor(a, b);
        let sum = circuit.xor(unequal, c);
        let carry = circuit.choose(unequal, c, a);
        let cover = Cover::new(&circuit, &[sum, carry]);
        for (root, expected) in [(sum, 0b1001_0110), (carry, 0b1110_1000)] {
            let cut = cover.cut(root.node());
            let mut leaves = cut.leaves().to_vec();
            leaves.sort_unstable();
            assert_eq!(leaves, [1, 2, 3]);
            let table = if root.is_negated() { !cut.table } else { cut.table };
            // Both functions are symmetric, so the order of the leaves does not matter.
            assert_eq!(table, expected);
        }
    }
}
