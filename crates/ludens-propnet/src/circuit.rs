//! Circuits of two-input AND and XOR nodes with free inversion (xor-and-inverter graphs), the
//! operations that one vector instruction computes for all lanes.
//!
//! Equal nodes are shared (structural hashing), and constants are folded as the circuit grows. The
//! programs compiled from circuits choose for each node the polarity in which it is stored.

use rustc_hash::FxHashMap;

/// A node's output or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// Always true: node 0.
    pub const TRUE: Lit = Lit(0);
    /// Always false.
    pub const FALSE: Lit = Lit(1);

    /// The output of a node.
    pub fn of(node: usize) -> Self {
        Lit((node as u32) << 1)
    }

    /// The node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the node's output is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// This signal, negated if `negate`.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Self {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A slot of memory: the plane of one signal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Slot {
    /// A fluent of the present state.
    State(u32),
    /// A fluent of the next state.
    Next(u32),
    /// Anything else.
    Frame(u32),
}

/// A node of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Always true; only the first node.
    True,
    /// The value of a slot.
    Load(Slot),
    /// Conjunction.
    And(Lit, Lit),
    /// Exclusive or.
    Xor(Lit, Lit),
}

/// Nodes in topological order.
#[derive(Clone, Debug)]
pub struct Circuit {
    nodes: Vec<Node>,
    node_ids: FxHashMap<Node, u32>,
}

impl Default for Circuit {
    fn default() -> Self {
        let node_ids = FxHashMap::from_iter([(Node::True, 0)]);
        Circuit { nodes: vec![Node::True], node_ids }
    }
}

impl Circuit {
    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn add(&mut self, node: Node) -> Lit {
        let new = self.nodes.len() as u32;
        let number = *self.node_ids.entry(node).or_insert(new);
        if number == new {
            self.nodes.push(node);
        }
        Lit::of(number as usize)
    }

    /// The value of a slot.
    pub fn load(&mut self, slot: Slot) -> Lit {
        self.add(Node::Load(slot))
    }

    /// Whether some node reads a slot.
    pub fn reads(&self, slot: Slot) -> bool {
        self.node_ids.contains_key(&Node::Load(slot))
    }

    /// The number of gates in the cone of some signals.
    pub fn n_gates(&self, lits: &[Lit]) -> usize {
        let mut needed = vec![false; self.nodes.len()];
        for lit in lits {
            needed[lit.node()] = true;
        }
        let mut n = 0;
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if let Node::And(a, b) | Node::Xor(a, b) = node
                && needed[i]
            {
                n += 1;
                needed[a.node()] = true;
                needed[b.node()] = true;
            }
        }
        n
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Lit::TRUE, _) => b,
            (Lit::FALSE, _) => Lit::FALSE,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => self.add(Node::And(a, b)),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        let positive = match (a, b) {
            (Lit::TRUE, _) => !b,
            _ if a == b => Lit::FALSE,
            _ => self.add(Node::Xor(a, b)),
        };
        positive.negated_if(negate)
    }

    /// A multiplexer: `yes` where `when` holds, `no` elsewhere.
    pub fn choose(&mut self, when: Lit, yes: Lit, no: Lit) -> Lit {
        let (yes, no) = (self.and(when, yes), self.and(!when, no));
        self.or(yes, no)
    }

    /// The disjunction of any number of signals, as a balanced tree.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::FALSE,
            [single] => *single,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_folded_and_equal_nodes_are_shared() {
        let mut circuit = Circuit::default();
        let (a, b) = (circuit.load(Slot::State(0)), circuit.load(Slot::State(1)));
        assert_eq!(circuit.and(a, Lit::TRUE), a);
        assert_eq!(circuit.and(a, !a), Lit::FALSE);
        assert_eq!(circuit.or(a, Lit::TRUE), Lit::TRUE);
        assert_eq!(circuit.and(a, b), circuit.and(b, a));
        assert_eq!(circuit.xor(a, !b), !circuit.xor(b, a));
        assert_eq!(circuit.xor(a, a), Lit::FALSE);
        assert_eq!(circuit.xor(Lit::TRUE, b), !b);
        assert_eq!(circuit.choose(a, b, b), circuit.choose(a, b, b));
    }
}
