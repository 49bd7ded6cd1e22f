//! PPR, playout pruning with RAVE (Duguépéroux, Mazyad, Teytaud and Dehos 2016, algorithm 1): before a
//! playout, moves whose RAVE win rate is not above a threshold are pruned, by the statistics of the
//! closest node on the way that has its share of all simulations. Each playout move is drawn from
//! what is left with probability p, and else from the last part of the list of legal moves.

use ludens_core::{Move, Rng, Role, Turn};

use super::PlayoutPolicy;
use super::rave_moves::{RaveMoves, means, reference};
use crate::episode::Path;
use crate::tree::{Needs, Tree};

/// Playouts from which bad moves are pruned.
#[derive(Clone, Debug)]
pub struct Ppr {
    /// Which share of all simulations a node needs (`T_n`).
    pub share: f64,
    /// Which win rate a move needs (`T_w'`).
    pub threshold: f32,
    /// With which probability a move comes from the list (p).
    pub probability: f64,
    lists: RaveMoves,
}

impl Ppr {
    /// A policy without experience.
    pub fn new(share: f64, threshold: f32, probability: f64) -> Self {
        Ppr { share, threshold, probability, lists: RaveMoves::default() }
    }
}

impl PlayoutPolicy for Ppr {
    fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        let lists = self.lists.begin(game, tree.n_roles());
        let Some((root, _)) = path.steps().next() else { return };
        let least = self.share * f64::from(tree.node(root).visits);
        for (role, list) in Role::all(tree.n_roles()).zip(lists) {
            // A node that was never visited has no statistics, however small the share.
            let Some(node) = reference(tree, path, role, least.max(1.0)) else { continue };
            let good = means(tree, node, role).filter(|&(_, mean)| mean > self.threshold);
            list.extend(good.map(|(mv, _)| mv));
            list.sort_unstable();
        }
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        let draw = rng.unit();
        if draw <= self.probability {
            let list = self.lists.still_legal(turn);
            if !list.is_empty() {
                return Some(list[rng.below(list.len())]);
            }
        }
        // The last (1 − ξ) part of the possible moves, which is never empty.
        let n = turn.legal.len();
        let first = ((draw * n as f64) as usize).min(n - 1);
        Some(first + rng.below(n - first))
    }

    fn needs(&self) -> Needs {
        Needs { amaf: true, moves: true, ..Needs::default() }
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Ppr::new(self.share, self.threshold, self.probability))
    }
}
