//! NAST, averages of n-grams (Powley, Whitehouse and Cowling 2013; Tak, Winands and Björnsson 2012):
//! MAST on moves together with the joint moves just before them. Where a sequence was seen too seldom,
//! a shorter one decides; the shortest is the move alone.

use std::hash::BuildHasher;

use hashbrown::HashMap;
use ludens_core::{Move, Rng, Role, Turn};
use rustc_hash::FxBuildHasher;

use super::sample::roulette;
use super::{Mast, PlayoutPolicy, Position};
use crate::episode::Episode;
use crate::tree::Needs;

/// Averages of sequences of moves.
#[derive(Clone, Debug)]
pub struct Nast {
    /// How many moves a sequence has.
    pub length: usize,
    /// How often a sequence must have been seen.
    pub least: f32,
    singles: Mast,
    /// By the hash of what was played before, role and move.
    grams: HashMap<(u64, Role, Move), (f32, f32), FxBuildHasher>,
    weights: Vec<f32>,
}

impl Nast {
    /// A policy without experience; `length` is 2 or more.
    pub fn new(length: usize, temperature: f32, keep: f32, least: f32) -> Self {
        let singles = Mast::new(temperature, keep);
        let grams = HashMap::default();
        Nast { length: length.max(2), least, singles, grams, weights: Vec::new() }
    }

    /// Mean payoff of a role in the simulations in which it played a move just after others, the
    /// latest of which come last.
    pub fn mean(&self, before: &[Move], role: Role, mv: Move) -> Option<f32> {
        let &(plays, value) = self.grams.get(&(hash(before), role, mv))?;
        Some(value / plays)
    }

    /// The longest known sequence decides.
    fn weight(&self, context: &[u64], role: Role, mv: Move) -> f32 {
        for &before in context.iter().rev() {
            match self.grams.get(&(before, role, mv)) {
                Some(&(plays, value)) if plays >= self.least => {
                    return (value / plays / self.singles.temperature).exp();
                }
                _ => {}
            }
        }
        self.singles.weight(role, mv)
    }
}

/// What was played before, as a number.
fn hash(moves: &[Move]) -> u64 {
    FxBuildHasher.hash_one(moves)
}

impl PlayoutPolicy for Nast {
    fn choose(
        &mut self,
        turn: &Turn<'_>,
        previous: Option<&[Move]>,
        rng: &mut Rng,
    ) -> Option<usize> {
        // The numbers of what was played before: the last joint move, the last two, and so on.
        let mut context = [0; 8];
        let mut n = 0;
        if let Some(previous) = previous {
            context[0] = hash(previous);
            n = 1;
        }
        while n > 0 && n + 1 < self.length.min(9) {
            let size = (n + 1) * turn.n_roles;
            let Some(start) = turn.history.len().checked_sub(size) else { break };
            context[n] = hash(&turn.history[start..]);
            n += 1;
        }
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.extend(turn.legal.iter().map(|&mv| self.weight(&context[..n], turn.role, mv)));
        let chosen = roulette(&weights, rng);
        self.weights = weights;
        Some(chosen)
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        self.singles.learn(episode);
        let n_roles = episode.tree.n_roles();
        let mut played = Vec::new();
        episode.each_pair(|_, joint| played.extend_from_slice(joint));
        for (i, joint) in played.chunks_exact(n_roles).enumerate() {
            for length in 2..=self.length.min(9).min(i + 1) {
                let before = hash(&played[(i + 1 - length) * n_roles..i * n_roles]);
                for (role, &mv) in Role::all(n_roles).zip(joint) {
                    let stats = self.grams.entry((before, role, mv)).or_default();
                    stats.0 += 1.0;
                    stats.1 += episode.payoffs[role.index()];
                }
            }
        }
    }

    fn next_move(&mut self, position: &Position<'_>) {
        self.singles.next_move(position);
        let keep = self.singles.keep;
        if keep <= 0.0 {
            self.grams.clear();
        } else if keep < 1.0 {
            self.grams.values_mut().for_each(|stats| *stats = (stats.0 * keep, stats.1 * keep));
        }
    }

    fn new_game(&mut self) {
        self.singles.new_game();
        self.grams.clear();
    }

    fn needs(&self) -> Needs {
        Needs { moves: true, ..Needs::default() }
    }

    fn bytes(&self) -> usize {
        let entry = size_of::<((u64, Role, Move), (f32, f32))>() + 1;
        self.singles.bytes() + self.grams.capacity() * entry * 8 / 7
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        let Mast { temperature, keep, .. } = self.singles;
        Box::new(Nast::new(self.length, temperature, keep, self.least))
    }
}
