//! The states that a planner has reached, and how.

use std::hash::BuildHasher;

use ludens_core::{Game, Move};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// No state: the parent of the root.
const NONE: u32 = u32::MAX;

struct Node<S> {
    state: S,
    parent: u32,
    mv: Move,
    depth: u32,
}

/// States with their shortest known paths from the root.
pub(super) struct Space<G: Game> {
    nodes: Vec<Node<G::State>>,
    /// The depth at which each position was reached. Positions are hashes of facts without those that only
    /// count moves: a collision loses a state, which is very unlikely among millions.
    depths: FxHashMap<u64, u32>,
    state_bytes: usize,
}

impl<G: Game> Space<G> {
    pub fn new() -> Self {
        Space { nodes: Vec::new(), depths: FxHashMap::default(), state_bytes: 0 }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn state(&self, node: u32) -> &G::State {
        &self.nodes[node as usize].state
    }

    /// Adds a state that a move leads to, unless its position was reached before in as few moves. Returns
    /// whether it was added.
    pub fn add(
        &mut self,
        game: &G,
        state: G::State,
        from: Option<(u32, Move)>,
        facts: &[u32],
    ) -> bool {
        let (parent, mv) = from.unwrap_or((NONE, Move(0)));
        let depth = from.map_or(0, |(parent, _)| self.nodes[parent as usize].depth + 1);
        let known = self.depths.entry(FxBuildHasher.hash_one(facts)).or_insert(u32::MAX);
        if *known <= depth {
            return false;
        }
        *known = depth;
        self.state_bytes += game.state_bytes(&state);
        self.nodes.push(Node { state, parent, mv, depth });
        true
    }

    /// The moves from the root to a state.
    pub fn path(&self, node: u32) -> Vec<Move> {
        let mut moves = Vec::with_capacity(self.nodes[node as usize].depth as usize);
        let mut at = &self.nodes[node as usize];
        while at.parent != NONE {
            moves.push(at.mv);
            at = &self.nodes[at.parent as usize];
        }
        moves.reverse();
        moves
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * 16 + self.state_bytes + self.depths.capacity() * 18
    }
}
