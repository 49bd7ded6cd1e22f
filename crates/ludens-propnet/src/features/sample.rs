//! States of random games, each with the joint move that was made there.

use ludens_core::Rng;

use crate::bits::ones;
use crate::network::Network;
use crate::scalar::{Scalar, Scratch};

/// States as planes: a row of bits for each fluent, one bit for each state.
pub(super) struct Sample {
    /// Words in a plane; there are 64 times as many states.
    pub words: usize,
    planes: Vec<u64>,
    /// The `does` made in each state, one of each role.
    joints: Vec<u32>,
    n_roles: usize,
}

impl Sample {
    /// Plays random games until there are enough states; `None` if the game ends where it begins.
    pub fn new(network: &Network, words: usize) -> Option<Self> {
        let n_roles = network.roles.len();
        let planes = vec![0; network.fluents.len() * words];
        let mut sample = Sample { words, planes, joints: Vec::new(), n_roles };
        let mut game = RandomGame::new(network);
        for place in 0..words * 64 {
            if !game.draw() {
                game.restart();
                if !game.draw() {
                    return None;
                }
            }
            for fluent in ones(&game.state) {
                sample.planes[fluent * words + place / 64] |= 1 << (place % 64);
            }
            sample.joints.extend_from_slice(&game.joint);
            game.step();
        }
        Some(sample)
    }

    /// In which states a fluent holds.
    pub fn plane(&self, fluent: usize) -> &[u64] {
        &self.planes[fluent * self.words..][..self.words]
    }

    /// The moves of all roles but one in each state: states and numbers of `does`.
    pub fn moves_of_others(&self, role: usize) -> impl Iterator<Item = (usize, u32)> {
        let joints = self.joints.chunks(self.n_roles).enumerate();
        joints.flat_map(move |(place, joint)| {
            let others = joint.iter().enumerate().filter(move |(other, _)| *other != role);
            others.map(move |(_, &does)| (place, does))
        })
    }
}

/// A random game in progress.
struct RandomGame {
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

impl RandomGame {
    fn new(network: &Network) -> Self {
        let scalar = Scalar::incremental(network).unwrap_or_else(|| Scalar::plain(network));
        let mut start = vec![0; network.fluents.len().div_ceil(64)];
        for &fluent in &network.initial {
            start[fluent as usize / 64] |= 1 << (fluent % 64);
        }
        RandomGame {
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

    /// Draws a joint move; false if the game is over or a role cannot move.
    fn draw(&mut self) -> bool {
        let over = self.scalar.look(&mut self.scratch, &self.state, &mut self.legal);
        self.joint.clear();
        for range in &self.ranges {
            let first = range.start / 64;
            let words = self.legal.get(first..range.end.div_ceil(64)).unwrap_or_default();
            let legal = ones(words).map(|bit| bit + first * 64).filter(|bit| range.contains(bit));
            self.own.clear();
            self.own.extend(legal.map(|does| does as u32));
            if over || self.own.is_empty() {
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

/// The rarer of two random moves, so that more moves are seen.
fn rarer(made: &[u32], own: &[u32], rng: &mut Rng) -> u32 {
    let (first, second) = (own[rng.below(own.len())], own[rng.below(own.len())]);
    if made[second as usize] < made[first as usize] { second } else { first }
}
