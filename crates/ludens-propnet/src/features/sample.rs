//! States of random playouts, each with the joint move that was made there.

use ludens_core::Rng;

use crate::bits::ones;
use crate::network::Network;
use crate::scalar::{Scalar, Scratch};

/// States as planes: one plane for each fluent, one bit for each state.
pub(super) struct Sample {
    /// The number of words in a plane, one word for 64 states.
    pub words: usize,
    planes: Vec<u64>,
    /// The `does` made in each state, one of each role.
    joints: Vec<u32>,
    n_roles: usize,
}

impl Sample {
    /// Plays random playouts until there are enough states; `None` if no joint move is possible in the
    /// initial state.
    pub fn new(network: &Network, words: usize) -> Option<Self> {
        let n_roles = network.roles.len();
        let planes = vec![0; network.fluents.len() * words];
        let mut sample = Sample { words, planes, joints: Vec::new(), n_roles };
        let mut playout = RandomPlayout::new(network);
        for state in 0..words * 64 {
            if !playout.draw() {
                playout.restart();
                if !playout.draw() {
                    return None;
                }
            }
            for fluent in ones(&playout.state) {
                sample.planes[fluent * words + state / 64] |= 1 << (state % 64);
            }
            sample.joints.extend_from_slice(&playout.joint);
            playout.step();
        }
        Some(sample)
    }

    /// The states in which a fluent holds.
    pub fn plane(&self, fluent: usize) -> &[u64] {
        &self.planes[fluent * self.words..][..self.words]
    }

    /// The moves of all roles but one in each state: states and numbers of `does`.
    pub fn moves_of_others(&self, role: usize) -> impl Iterator<Item = (usize, u32)> {
        let joints = self.joints.chunks(self.n_roles).enumerate();
        joints.flat_map(move |(state, joint)| {
            let others = joint.iter().enumerate().filter(move |(other, _)| *other != role);
            others.map(move |(_, &does)| (state, does))
        })
    }
}

/// A random playout in progress.
struct RandomPlayout {
    scalar: Scalar,
    scratch: Scratch,
    ranges: Vec<std::ops::Range<usize>>,
    start: Vec<u64>,
    state: Vec<u64>,
    next: Vec<u64>,
    legal: Vec<u64>,
    own: Vec<u32>,
    joint: Vec<u32>,
    /// How often each of `does` has been made.
    made: Vec<u32>,
    rng: Rng,
}

impl RandomPlayout {
    fn new(network: &Network) -> Self {
        let scalar = Scalar::incremental(network).unwrap_or_else(|| Scalar::plain(network));
        let mut start = vec![0; network.fluents.len().div_ceil(64)];
        for &fluent in &network.initial {
            start[fluent as usize / 64] |= 1 << (fluent % 64);
        }
        RandomPlayout {
            scratch: scalar.scratch(),
            scalar,
            ranges: network.does_of_roles(),
            state: start.clone(),
            next: start.clone(),
            start,
            legal: vec![0; network.does.len().div_ceil(64)],
            own: Vec::new(),
            joint: Vec::new(),
            made: vec![0; network.does.len()],
            rng: Rng::new(0),
        }
    }

    fn restart(&mut self) {
        self.state.clone_from(&self.start);
    }

    /// Draws a joint move; returns false if the state is terminal or a role has no legal move.
    fn draw(&mut self) -> bool {
        let is_terminal = self.scalar.look(&mut self.scratch, &self.state, &mut self.legal);
        self.joint.clear();
        for range in &self.ranges {
            let first = range.start / 64;
            let words = self.legal.get(first..range.end.div_ceil(64)).unwrap_or_default();
            let legal = ones(words).map(|bit| bit + first * 64).filter(|bit| range.contains(bit));
            self.own.clear();
            self.own.extend(legal.map(|does| does as u32));
            if is_terminal || self.own.is_empty() {
                return false;
            }
            let chosen = rarer(&self.made, &self.own, &mut self.rng);
            self.made[chosen as usize] += 1;
            self.joint.push(chosen);
        }
        true
    }

    fn step(&mut self) {
        self.scalar.next(&mut self.scratch, &self.state, &self.joint, &mut self.next);
        std::mem::swap(&mut self.state, &mut self.next);
    }
}

/// The rarer of two random moves, so that more moves are sampled.
fn rarer(made: &[u32], own: &[u32], rng: &mut Rng) -> u32 {
    let (first, second) = (own[rng.below(own.len())], own[rng.below(own.len())]);
    if made[second as usize] < made[first as usize] { second } else { first }
}
