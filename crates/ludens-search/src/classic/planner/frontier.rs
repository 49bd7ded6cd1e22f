//! Which state is expanded next: three queues in turn.
//!
//! One prefers what is new, one what is near to the goal, and one is breadth-first, which finds short plans in
//! small games and keeps the search complete. A queue that is misled by a game costs a third of the work.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// States that wait for expansion.
#[derive(Default)]
pub(super) struct Frontier {
    new: BinaryHeap<(Reverse<u8>, u32, Reverse<u32>)>,
    near: BinaryHeap<(u32, Reverse<u32>)>,
    first: VecDeque<u32>,
    /// Whether each state was expanded.
    done: Vec<bool>,
    turn: usize,
}

impl Frontier {
    /// Adds the next state, which has the number of states so far.
    pub fn push(&mut self, novelty: u8, nearness: f32) {
        let node = self.done.len() as u32;
        let near = (nearness * 1e6) as u32;
        self.done.push(false);
        self.new.push((Reverse(novelty), near, Reverse(node)));
        self.near.push((near, Reverse(node)));
        self.first.push_back(node);
    }

    /// The next state to be expanded.
    pub fn pop(&mut self) -> Option<u32> {
        loop {
            self.turn += 1;
            let node = match self.turn % 3 {
                0 => self.new.pop().map(|(_, _, Reverse(node))| node),
                1 => self.near.pop().map(|(_, Reverse(node))| node),
                _ => self.first.pop_front(),
            };
            // All queues have the same states; the first that is empty shows that all are expanded.
            let node = node?;
            if !std::mem::replace(&mut self.done[node as usize], true) {
                return Some(node);
            }
        }
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.new.capacity() * 12
            + self.near.capacity() * 8
            + self.first.capacity() * 4
            + self.done.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_expanded_once_and_each_queue_has_its_turn() {
        let mut frontier = Frontier::default();
        for (novelty, nearness) in [(3, 0.1), (3, 0.9), (1, 0.2), (3, 0.3)] {
            frontier.push(novelty, nearness);
        }
        let order: Vec<u32> = std::iter::from_fn(|| frontier.pop()).collect();
        assert_eq!(order, [1, 0, 2, 3]);
    }
}
