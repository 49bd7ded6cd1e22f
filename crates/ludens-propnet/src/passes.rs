//! Optimises a net into a circuit with fewer two-input gates.
//!
//! Disjunctions become negated conjunctions of negations, so there is one kind of gate. Then
//! conjunctions that only one other conjunction reads are merged into it (`flatten`), literals that
//! several alternatives share are factored out (`factor`), and pairs that several conjunctions
//! contain become gates of their own (`pairs`). The result is decomposed into two-input gates.

mod factor;
mod flatten;
mod pairs;
#[cfg(test)]
mod tests;

use crate::circuit::{Circuit, Lit, Slot};
use crate::net::{Gate, Signal};
use crate::network::Network;

/// The slots of the circuit's inputs.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// The first slot of the frame that holds `does`.
    pub does: u32,
    /// The first slot of the frame that holds loops.
    pub loops: u32,
}

/// A conjunction of any number of literals, or an input.
#[derive(Clone, Debug)]
enum Wide {
    Leaf(Slot),
    True,
    All(Vec<Lit>),
}

/// A graph of conjunctions.
struct Forest {
    nodes: Vec<Wide>,
    /// The outputs; the passes preserve their functions.
    roots: Vec<Lit>,
}

/// A loop of a recursive block: its slot, and its next value.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// The block, numbered in the order of evaluation.
    pub block: u32,
    /// The slot of the frame.
    pub slot: u32,
    /// Its next value.
    pub becomes: Lit,
}

/// The signals of a network in a circuit.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// Whether each of `does` is legal.
    pub legal: Vec<Lit>,
    /// Whether the state is terminal.
    pub terminal: Vec<Lit>,
    /// Whether each goal holds.
    pub goals: Vec<Lit>,
    /// Whether each fluent holds next.
    pub next: Vec<Lit>,
    /// The loops of recursive blocks.
    pub loops: Vec<Loop>,
}

/// A network after the passes, ready to be written into circuits.
pub struct Lowering {
    forest: Forest,
    /// The numbers of legal moves and goals among the roots; `terminal` is between them.
    n_legal: usize,
    n_goals: usize,
    n_next: usize,
    /// Block and slot of each loop.
    loops: Vec<(u32, u32)>,
}

impl Lowering {
    /// Runs the passes over a network.
    pub fn of(network: &Network, inputs: Inputs) -> Self {
        let (mut forest, loops) = Forest::of(network, inputs);
        forest.flatten();
        forest.factor();
        forest.flatten();
        forest.pairs();
        let (n_legal, n_goals) = (network.legal.len(), network.goals.len());
        Lowering { forest, n_legal, n_goals, n_next: network.next.len(), loops }
    }

    /// Writes the signals into a circuit; `leaf` may replace inputs.
    pub fn write(
        &self,
        circuit: &mut Circuit,
        leaf: impl FnMut(&mut Circuit, Slot) -> Lit,
    ) -> Signals {
        let mut roots = self.forest.write(circuit, leaf).into_iter();
        Signals {
            legal: roots.by_ref().take(self.n_legal).collect(),
            terminal: roots.by_ref().take(1).collect(),
            goals: roots.by_ref().take(self.n_goals).collect(),
            next: roots.by_ref().take(self.n_next).collect(),
            loops: roots
                .zip(&self.loops)
                .map(|(becomes, &(block, slot))| Loop { block, slot, becomes })
                .collect(),
        }
    }
}

impl Forest {
    /// The cone of the network's outputs and blocks. Also the block and slot of each loop, in the
    /// order of the last roots.
    fn of(network: &Network, inputs: Inputs) -> (Self, Vec<(u32, u32)>) {
        let mut n_loops = 0;
        let nodes = network.net.gates.iter().map(|gate| match gate {
            Gate::True => Wide::True,
            Gate::Fluent(i) => Wide::Leaf(Slot::State(*i)),
            Gate::Does(i) => Wide::Leaf(Slot::Frame(inputs.does + i)),
            Gate::Loop => {
                n_loops += 1;
                Wide::Leaf(Slot::Frame(inputs.loops + n_loops - 1))
            }
            Gate::And(parts) => Wide::All(parts.iter().map(|&part| lit(network, part)).collect()),
            Gate::Or(parts) => Wide::All(parts.iter().map(|&part| !lit(network, part)).collect()),
        });
        let nodes: Vec<Wide> = nodes.collect();
        let (mut loops, mut becomes) = (Vec::new(), Vec::new());
        for (number, block) in network.net.blocks.iter().enumerate() {
            for &(gate, definition) in &block.loops {
                let Wide::Leaf(Slot::Frame(slot)) = nodes[gate] else { continue };
                loops.push((number as u32, slot));
                becomes.push(definition);
            }
        }
        let goals = network.goals.iter().map(|goal| &goal.signal);
        let roots = network.legal.iter().chain([&network.terminal]).chain(goals);
        let roots = roots.chain(&network.next).chain(&becomes);
        let roots = roots.map(|&signal| lit(network, signal)).collect();
        (Forest { nodes, roots }, loops)
    }

    /// The number of readers of each node within the cone of the roots.
    fn readers(&self) -> Vec<u32> {
        let mut readers = vec![0u32; self.nodes.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut read = |lit: &Lit, open: &mut Vec<usize>| {
            readers[lit.node()] += 1;
            if readers[lit.node()] == 1 {
                open.push(lit.node());
            }
        };
        self.roots.iter().for_each(|root| read(root, &mut open));
        while let Some(node) = open.pop() {
            if let Wide::All(parts) = &self.nodes[node] {
                for part in parts {
                    read(part, &mut open);
                }
            }
        }
        readers
    }

    fn all(&mut self, parts: Vec<Lit>) -> Lit {
        match parts[..] {
            [] => Lit::TRUE,
            [single] => single,
            _ => {
                self.nodes.push(Wide::All(parts));
                Lit::of(self.nodes.len() - 1)
            }
        }
    }

    /// Decomposes the cone of the roots into two-input gates.
    fn write(
        &self,
        circuit: &mut Circuit,
        mut leaf: impl FnMut(&mut Circuit, Slot) -> Lit,
    ) -> Vec<Lit> {
        let mut done: Vec<Option<Lit>> = vec![None; self.nodes.len()];
        let mut open: Vec<usize> = Vec::new();
        for root in &self.roots {
            open.push(root.node());
            while let Some(&node) = open.last() {
                if done[node].is_some() {
                    open.pop();
                    continue;
                }
                let lit = match &self.nodes[node] {
                    Wide::True => Lit::TRUE,
                    Wide::Leaf(slot) => leaf(circuit, *slot),
                    Wide::All(parts) => {
                        let before = open.len();
                        let missing = parts.iter().map(|part| part.node());
                        open.extend(missing.filter(|&part| done[part].is_none()));
                        if open.len() > before {
                            continue;
                        }
                        conjunction(circuit, parts, &done)
                    }
                };
                done[node] = Some(lit);
                open.pop();
            }
        }
        let written = |root: &Lit| {
            done[root.node()].expect("roots were written").negated_if(root.is_negated())
        };
        self.roots.iter().map(written).collect()
    }
}

/// A conjunction as a balanced tree of pairs, which avoids long dependency chains.
fn conjunction(circuit: &mut Circuit, parts: &[Lit], done: &[Option<Lit>]) -> Lit {
    let mut lits: Vec<Lit> = parts
        .iter()
        .map(|part| done[part.node()].expect("parts come first").negated_if(part.is_negated()))
        .collect();
    lits.sort_unstable();
    while lits.len() > 1 {
        let pairs = lits.chunks(2).map(|pair| match *pair {
            [a, b] => circuit.and(a, b),
            _ => pair[0],
        });
        lits = pairs.collect();
    }
    lits.first().copied().unwrap_or(Lit::TRUE)
}

/// A signal of the net as a literal of conjunctions: a disjunction is a negated conjunction.
fn lit(network: &Network, signal: Signal) -> Lit {
    let is_or = matches!(network.net.gates[signal.gate()], Gate::Or(_));
    Lit::of(signal.gate()).negated_if(signal.is_negated() != is_or)
}
