//! Uniform choice of a legal move in all lanes at once, as a circuit.
//!
//! Legal moves are the leaves of a tree whose nodes count, in bit-sliced numbers, how many of the
//! leaves below them are legal. A number below the count at the root is drawn for
//! each lane, and then every lane descends: left if its number is below the left count, right with
//! the left count subtracted otherwise. A lane is at only one node of each level, so the nodes of a
//! level share one number.

use crate::circuit::{Circuit, Lit, Slot};

/// The number of attempts to draw before the lanes are checked for failures. An attempt fails in
/// less than half of the lanes on average.
pub const ATTEMPTS: u32 = 3;

/// The slots of the frame for a choice between some moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The number of moves.
    pub n_leaves: usize,
    /// The number of bits of a number below `n_leaves`.
    pub width: u32,
    /// The largest number that may be drawn, bit by bit.
    pub limit: u32,
    /// The bits that may be set in a number below the limit.
    pub mask: u32,
    /// The drawn number.
    pub drawn: u32,
    /// Random bits for all attempts.
    pub random: u32,
    /// The lanes in which no number has been drawn yet.
    pub open: u32,
}

impl Choice {
    /// The slots for a choice between `n_leaves` moves, allocated at the end of the frame, except
    /// for the random bits, which start at `random`.
    pub fn new(n_leaves: usize, random: u32, frame_len: &mut u32) -> Self {
        let width = Self::width(n_leaves);
        let mut take = |n: u32| {
            *frame_len += n;
            *frame_len - n
        };
        Choice {
            n_leaves,
            width,
            limit: take(width),
            mask: take(width),
            drawn: take(width),
            random,
            open: take(1),
        }
    }

    /// The number of bits of a number below `n_leaves`.
    pub fn width(n_leaves: usize) -> u32 {
        n_leaves.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
    }

    /// Counts the leaves that hold. Appends the signals that are needed to draw.
    pub fn count(&self, circuit: &mut Circuit, leaves: &[Lit], out: &mut Vec<(Lit, Slot)>) -> Tree {
        let mut level: Vec<Vec<Lit>> = leaves.iter().map(|&leaf| vec![leaf]).collect();
        let mut tree = Tree { levels: Vec::new(), none: Lit::TRUE };
        while level.len() > 1 {
            let above = level.chunks(2).map(|pair| match pair {
                [left, right] => sum(circuit, left, right),
                _ => pair[0].clone(),
            });
            let above = above.collect();
            tree.levels.push(std::mem::replace(&mut level, above));
        }
        let total = level.pop().unwrap_or_default();
        tree.none = !circuit.any(&total);
        self.prepare_draw(circuit, &total, tree.none, out);
        tree
    }

    /// The limit is one less than the count, and 0 where there is nothing to choose from.
    fn prepare_draw(
        &self,
        circuit: &mut Circuit,
        total: &[Lit],
        none: Lit,
        out: &mut Vec<(Lit, Slot)>,
    ) {
        let mut limit = Vec::with_capacity(total.len());
        let mut borrow = Lit::TRUE;
        for &bit in total.iter().take(self.width as usize) {
            let difference = circuit.xor(bit, borrow);
            limit.push(circuit.and(difference, !none));
            borrow = circuit.and(!bit, borrow);
        }
        let mut above = Lit::FALSE;
        let mut masks = vec![Lit::FALSE; limit.len()];
        for (i, &bit) in limit.iter().enumerate().rev() {
            above = circuit.or(above, bit);
            masks[i] = above;
        }
        for (i, (&limit, &mask)) in limit.iter().zip(&masks).enumerate() {
            out.push((limit, Slot::Frame(self.limit + i as u32)));
            out.push((mask, Slot::Frame(self.mask + i as u32)));
            out.push((Lit::FALSE, Slot::Frame(self.drawn + i as u32)));
        }
        out.push((above, Slot::Frame(self.open)));
    }

    /// Attempts to draw by rejection: random bits under the mask are accepted if they are within the
    /// limit, so that every number has the same probability. Returns the lanes that stay open.
    pub fn draw(&self, circuit: &mut Circuit, out: &mut Vec<(Lit, Slot)>) -> Lit {
        let mut load = |slot| circuit.load(Slot::Frame(slot));
        let mut open = load(self.open);
        let bits: Vec<[Lit; 2]> =
            (0..self.width).map(|i| [load(self.mask + i), load(self.limit + i)]).collect();
        let mut drawn: Vec<Lit> = (0..self.width).map(|i| load(self.drawn + i)).collect();
        for attempt in 0..ATTEMPTS {
            let mut above = Lit::FALSE;
            let mut candidate = Vec::with_capacity(bits.len());
            for (i, &[mask, limit]) in (0..).zip(&bits) {
                let random = circuit.load(Slot::Frame(self.random + attempt * self.width + i));
                let bit = circuit.and(random, mask);
                let differs = circuit.xor(bit, limit);
                above = circuit.choose(differs, bit, above);
                candidate.push(bit);
            }
            let taken = circuit.and(open, !above);
            for (drawn, bit) in drawn.iter_mut().zip(candidate) {
                let bit = circuit.and(bit, taken);
                *drawn = circuit.or(*drawn, bit);
            }
            open = circuit.and(open, above);
        }
        out.extend((self.drawn..).zip(drawn).map(|(slot, bit)| (bit, Slot::Frame(slot))));
        out.push((open, Slot::Frame(self.open)));
        open
    }

    /// Descends from the root; returns the lanes that reach each leaf.
    pub fn descend(&self, circuit: &mut Circuit, tree: &Tree) -> Vec<Lit> {
        let mut number: Vec<Lit> =
            (0..self.width).map(|i| circuit.load(Slot::Frame(self.drawn + i))).collect();
        // Where no leaf holds, none is reached.
        let mut reached = vec![!tree.none; self.n_leaves.min(1)];
        for (height, level) in tree.levels.iter().enumerate().rev() {
            let left = left_count(circuit, &reached, level);
            let right = subtract(circuit, &mut number, &left);
            let mut below = Vec::with_capacity(level.len());
            for (children, &node) in level.chunks(2).zip(&reached) {
                if children.len() == 2 {
                    below.push(circuit.and(node, !right));
                    below.push(circuit.and(node, right));
                } else {
                    below.push(node);
                }
            }
            // A node of this height has no more than 2^height leaves, and the number is smaller.
            number.truncate(height);
            reached = below;
        }
        reached
    }
}

/// The number of leaves that hold below each node.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The counts, bit by bit, of the nodes of each level, from the leaves up to below the root.
    levels: Vec<Vec<Vec<Lit>>>,
    /// Where no leaf holds.
    pub none: Lit,
}

/// The left count of the current node of each lane.
fn left_count(circuit: &mut Circuit, reached: &[Lit], level: &[Vec<Lit>]) -> Vec<Lit> {
    let bit = |bit: usize| {
        let mut count = Lit::FALSE;
        for (children, &node) in level.chunks_exact(2).zip(reached) {
            let own = circuit.and(node, children[0][bit]);
            count = circuit.or(count, own);
        }
        count
    };
    (0..level[0].len()).map(bit).collect()
}

/// Subtracts `left` from the number in the lanes where it is not larger; returns these lanes.
fn subtract(circuit: &mut Circuit, number: &mut Vec<Lit>, left: &[Lit]) -> Lit {
    let mut borrow = Lit::FALSE;
    let width = number.len().max(left.len());
    number.resize(width, Lit::FALSE);
    let mut differences = Vec::with_capacity(width);
    for (i, &bit) in number.iter().enumerate() {
        let other = left.get(i).copied().unwrap_or(Lit::FALSE);
        let unequal = circuit.xor(bit, other);
        differences.push(circuit.xor(unequal, borrow));
        borrow = circuit.choose(unequal, other, borrow);
    }
    let right = !borrow;
    for (bit, difference) in number.iter_mut().zip(differences) {
        *bit = circuit.choose(right, difference, *bit);
    }
    right
}

/// The sum of two binary numbers.
fn sum(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut carry = Lit::FALSE;
    let mut bits = Vec::with_capacity(a.len().max(b.len()) + 1);
    for i in 0..a.len().max(b.len()) {
        let bit = |number: &[Lit]| number.get(i).copied().unwrap_or(Lit::FALSE);
        let unequal = circuit.xor(bit(a), bit(b));
        bits.push(circuit.xor(unequal, carry));
        carry = circuit.choose(unequal, carry, bit(a));
    }
    bits.push(carry);
    bits
}
