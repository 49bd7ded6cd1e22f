//! GRAVE (Cazenave 2015): RAVE with the statistics of the closest node on the way that has been visited
//! often enough, so that they are never the noise of a few simulations.

use hashbrown::HashMap;
use ludens_core::{Move, Rng, Role};
use rustc_hash::FxBuildHasher;

use super::{Choice, TreePolicy, Unvisited, highest};
use crate::episode::Episode;
use crate::reuse::Kept;
use crate::tree::{Edge, Needs, NodeId};

/// Generalised rapid action value estimation.
#[derive(Clone, Debug)]
pub struct Grave {
    /// How many visits a node needs for its statistics to be used.
    pub reference: u32,
    /// Weight of the mean against the estimate (the paper's bias).
    pub bias: f64,
    /// What moves that were never chosen are worth, if nothing is known about them.
    pub unvisited: Unvisited,
    /// What each move was worth after each node, whether it was legal there or not.
    plays: HashMap<(NodeId, Role, Move), (f32, f32), FxBuildHasher>,
    met: Vec<(Role, Move)>,
}

impl Grave {
    /// A policy without experience.
    pub fn new(reference: u32, bias: f64, unvisited: Unvisited) -> Self {
        Grave { reference, bias, unvisited, plays: HashMap::default(), met: Vec::new() }
    }

    /// The closest node with enough visits; the root if there is none.
    fn reference(&self, choice: &Choice<'_>) -> NodeId {
        let visited = |id: NodeId| choice.tree.node(id).visits >= self.reference;
        if visited(choice.node) {
            return choice.node;
        }
        let mut above = choice.path.steps().map(|(node, _)| node);
        let root = choice.path.steps().next().map_or(choice.node, |(root, _)| root);
        above.rfind(|&id| visited(id)).unwrap_or(root)
    }
}

impl TreePolicy for Grave {
    fn select(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let reference = self.reference(choice);
        let edges = choice.tree.edges(choice.node, choice.role);
        let estimate = |mv: Move| {
            let known = self.plays.get(&(reference, choice.role, mv));
            known.filter(|(plays, _)| *plays > 0.0).copied()
        };
        // Moves that were never chosen compete by their estimates; one without any comes first.
        let unknown = |edge: &Edge| edge.tries() == 0 && estimate(edge.mv).is_none();
        let n_unknown = edges.iter().filter(|edge| unknown(edge)).count();
        if n_unknown > 0 && self.unvisited == Unvisited::First {
            let mut unknown = (0..edges.len()).filter(|&i| unknown(&edges[i]));
            return unknown.nth(rng.below(n_unknown)).expect("as many were counted");
        }
        highest(edges, Unvisited::Scored, rng, |_, edge| self.score(edge, estimate(edge.mv)))
    }

    fn needs(&self) -> Needs {
        Needs { moves: true, ..Needs::default() }
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        self.met.clear();
        let n_roles = episode.tree.n_roles();
        for joint in episode.moves.chunks_exact(n_roles) {
            self.met.extend(Role::all(n_roles).zip(joint.iter().copied()));
        }
        self.met.sort_unstable();
        self.met.dedup();
        for (node, chosen) in episode.path.steps().rev() {
            for (role, &edge) in Role::all(n_roles).zip(chosen) {
                let played = (role, episode.tree.edge(edge as usize).mv);
                if let Err(place) = self.met.binary_search(&played) {
                    self.met.insert(place, played);
                }
            }
            for &(role, mv) in &self.met {
                let stats = self.plays.entry((node, role, mv)).or_default();
                stats.0 += 1.0;
                stats.1 += episode.payoffs[role.index()];
            }
        }
    }

    fn retain(&mut self, kept: &Kept) {
        let plays = std::mem::take(&mut self.plays);
        let follow = |((node, role, mv), stats)| Some(((kept.node(node)?, role, mv), stats));
        self.plays = plays.into_iter().filter_map(follow).collect();
    }

    fn clear(&mut self) {
        self.plays.clear();
    }

    fn bytes(&self) -> usize {
        self.plays.capacity() * (size_of::<((NodeId, Role, Move), (f32, f32))>() + 1) * 8 / 7
    }

    fn fresh(&self) -> Box<dyn TreePolicy> {
        Box::new(Grave::new(self.reference, self.bias, self.unvisited))
    }
}

impl Grave {
    /// (1 − β)·mean + β·estimate with β = p̃ / (p̃ + p + bias·p̃·p).
    fn score(&self, edge: &Edge, estimate: Option<(f32, f32)>) -> f64 {
        let n = f64::from(edge.tries());
        let worth = if let Unvisited::Worth(worth) = self.unvisited { worth } else { 0.0 };
        let mean = if n > 0.0 { edge.mean() } else { worth };
        let Some((plays, value)) = estimate else { return mean };
        let plays = f64::from(plays);
        let beta = plays / (plays + n + self.bias * plays * n);
        (1.0 - beta) * mean + beta * f64::from(value) / plays
    }
}
