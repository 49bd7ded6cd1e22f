//! Going down the tree many times at once.
//!
//! What is dear on the way, looking at positions and making moves, is done for all walks together.
//! Visits count as under way from step to step, so that walks avoid each other as if they had gone one
//! after the other.

use ludens_core::{Game, Move, Rng, Views};

use crate::playout_policy::Chain;
use crate::search::{End, Search};
use crate::tree::NodeId;

/// Walks under way, and what they wait for. A buffer, filled again and again.
pub(crate) struct Walks<S> {
    /// The tickets of the walks, and the nodes where they are.
    walking: Vec<(u32, NodeId)>,
    /// Those that wait for a look at their position.
    looking: Vec<(u32, NodeId)>,
    /// Those that wait for a move to be made, with the states and joint moves.
    moving: Vec<(u32, NodeId)>,
    states: Vec<S>,
    joints: Vec<Move>,
    views: Views,
}

impl<S> Default for Walks<S> {
    fn default() -> Self {
        Walks {
            walking: Vec::new(),
            looking: Vec::new(),
            moving: Vec::new(),
            states: Vec::new(),
            joints: Vec::new(),
            views: Views::default(),
        }
    }
}

impl<G: Game> Search<G> {
    /// Goes down the tree `n` times. Appends the tickets of leaves; visits to positions whose value is
    /// known are counted already.
    pub fn gather_many(&mut self, n: usize, chain: &mut Chain, rng: &mut Rng, out: &mut Vec<u32>) {
        let mut walks = std::mem::take(&mut self.walks);
        walks.walking.clear();
        for _ in 0..n {
            let ticket = self.take_ticket();
            walks.walking.push((ticket, self.root()));
        }
        while !walks.walking.is_empty() {
            walks.looking.clear();
            walks.moving.clear();
            walks.states.clear();
            walks.joints.clear();
            for (ticket, at) in std::mem::take(&mut walks.walking) {
                self.walk(&mut walks, ticket, at, chain, rng, out);
            }
            self.look_for(&mut walks);
            self.move_for(&mut walks, chain, out);
        }
        self.walks = walks;
    }

    /// Goes on with a walk as far as the tree is known.
    fn walk(
        &mut self,
        walks: &mut Walks<G::State>,
        ticket: u32,
        mut at: NodeId,
        chain: &mut Chain,
        rng: &mut Rng,
        out: &mut Vec<u32>,
    ) {
        loop {
            if self.tree.settled(at).is_some() {
                return self.end_walk(ticket, End::Settled(at), chain, out);
            }
            if !self.tree.is_expanded(at) {
                if !self.has_room() {
                    return self.end_walk(ticket, End::Leaf(at), chain, out);
                }
                return walks.looking.push((ticket, at));
            }
            match self.step(ticket, at, rng) {
                Some(child) if self.has_met(ticket, child) => {
                    return self.end_walk(ticket, End::Leaf(child), chain, out);
                }
                Some(child) => at = child,
                None => {
                    walks.moving.push((ticket, at));
                    walks.states.push(self.state(at).clone());
                    return self.append_joint(ticket, &mut walks.joints);
                }
            }
        }
    }

    /// Looks at the positions that walks wait for.
    fn look_for(&mut self, walks: &mut Walks<G::State>) {
        let Walks { walking, looking, views, .. } = walks;
        if looking.is_empty() {
            return;
        }
        // Walks that wait for the same look are neighbours seldom enough.
        let states: Vec<_> = looking.iter().map(|&(_, at)| self.state(at)).collect();
        self.game().look_many(&states, views);
        for (i, &(ticket, at)) in looking.iter().enumerate() {
            let unknown = !self.tree.is_expanded(at) && self.tree.settled(at).is_none();
            // Others may have taken the room since the walk asked for it.
            if unknown && self.has_room() {
                self.expand_by(at, views, i);
            }
            walking.push((ticket, at));
        }
    }

    /// Makes the moves that walks wait for.
    fn move_for(&mut self, walks: &mut Walks<G::State>, chain: &mut Chain, out: &mut Vec<u32>) {
        let Walks { walking, moving, states, joints, .. } = walks;
        if moving.is_empty() {
            return;
        }
        self.game().play_many(states, joints);
        for (&(ticket, at), state) in moving.iter().zip(states.drain(..)) {
            match self.arrive(ticket, at, state) {
                Ok(known) if self.has_met(ticket, known) => {
                    self.end_walk(ticket, End::Leaf(known), chain, out);
                }
                Ok(known) => walking.push((ticket, known)),
                Err(end) => self.end_walk(ticket, end, chain, out),
            }
        }
    }

    fn end_walk(&mut self, ticket: u32, end: End<G::State>, chain: &mut Chain, out: &mut Vec<u32>) {
        if self.end_at(ticket, end, chain) {
            out.push(ticket);
        }
    }
}
