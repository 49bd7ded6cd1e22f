//! `PoolRave` (Rimmel, Teytaud and Teytaud 2010; the form of Duguépéroux et al. 2016): with some probability a
//! playout move is one of the N best by the RAVE statistics of the node that the playout starts
//! from, or of the closest one above it that was visited often enough.

use ludens_core::{Move, Rng, Role, Turn};

use super::PlayoutPolicy;
use super::rave_moves::{RaveMoves, means, reference};
use crate::episode::Path;
use crate::tree::{Needs, Tree};

/// A pool of good moves.
#[derive(Clone, Debug)]
pub struct PoolRave {
    /// How many moves the pool has (N).
    pub size: usize,
    /// With which probability a move comes from the pool (p).
    pub probability: f64,
    /// How many visits a node needs.
    pub reference: u32,
    pools: RaveMoves,
    ranked: Vec<(Move, f32)>,
}

impl PoolRave {
    /// A policy without experience.
    pub fn new(size: usize, probability: f64, reference: u32) -> Self {
        let (pools, ranked) = (RaveMoves::default(), Vec::new());
        PoolRave { size, probability, reference, pools, ranked }
    }
}

impl PlayoutPolicy for PoolRave {
    fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        let pools = self.pools.begin(game, tree.n_roles());
        for (role, pool) in Role::all(tree.n_roles()).zip(pools) {
            let Some(node) = reference(tree, path, role, f64::from(self.reference)) else {
                continue;
            };
            self.ranked.clear();
            self.ranked.extend(means(tree, node, role));
            // A stable sort keeps the order of the moves where means are equal.
            self.ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
            pool.extend(self.ranked.iter().take(self.size).map(|&(mv, _)| mv));
            pool.sort_unstable();
        }
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        if rng.unit() >= self.probability {
            return None;
        }
        let pool = self.pools.still_legal(turn);
        (!pool.is_empty()).then(|| pool[rng.below(pool.len())])
    }

    fn needs(&self) -> Needs {
        Needs { amaf: true, moves: true, ..Needs::default() }
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(PoolRave::new(self.size, self.probability, self.reference))
    }
}
