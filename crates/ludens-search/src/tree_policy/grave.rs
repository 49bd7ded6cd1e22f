//! GRAVE (Cazenave 2015): RAVE with the statistics of the closest ancestor that has enough visits, so that
//! they are never the noise of a few simulations.

use hashbrown::HashMap;
use ludens_core::{Move, Rng, Role};
use rustc_hash::FxBuildHasher;

use super::{Choice, TreePolicy, Unvisited, highest};
use crate::counting::count;
use crate::episode::Episode;
use crate::reuse::Kept;
use crate::tree::{Edge, NodeId, Tree};

/// Generalised rapid action value estimation.
#[derive(Clone, Debug)]
pub struct Grave {
    /// The minimum number of visits of a node whose statistics are used.
    pub reference: u32,
    /// Weight of the mean against the estimate (the paper's bias).
    pub bias: f64,
    /// The score of moves without visits and without an estimate.
    pub unvisited: Unvisited,
    /// For each node and move, the plays of the move in or below the node, whether it was legal in the node
    /// or not, and the sum of the payoffs.
    plays: HashMap<(NodeId, Role, Move), (f32, f32), FxBuildHasher>,
    seen: Vec<(Role, Move)>,
}

impl Grave {
    /// A policy without statistics.
    pub fn new(reference: u32, bias: f64, unvisited: Unvisited) -> Self {
        Grave { reference, bias, unvisited, plays: HashMap::default(), seen: Vec::new() }
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
        let edges = choice.edges;
        let moves = choice.tree.moves(choice.node, choice.role);
        let estimate = |i: usize| {
            let known = self.plays.get(&(reference, choice.role, moves[i]));
            known.filter(|(plays, _)| *plays > 0.0).copied()
        };
        // Moves without visits compete by their estimates; one without an estimate comes first.
        let unknown = |&i: &usize| edges[i].visits == 0 && estimate(i).is_none();
        let n_unknown = (0..edges.len()).filter(unknown).count();
        if n_unknown > 0 && self.unvisited == Unvisited::First {
            let mut unknown = (0..edges.len()).filter(unknown);
            return unknown.nth(rng.below(n_unknown)).expect("as many were counted");
        }
        highest(choice, Unvisited::Scored, rng, |i, edge| self.score(edge, estimate(i)))
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.record_moves();
    }

    fn learn(&mut self, episode: &Episode<'_>, full: bool) {
        self.seen.clear();
        let n_roles = episode.tree.n_roles();
        for joint in episode.moves.chunks_exact(n_roles) {
            self.seen.extend(Role::all(n_roles).zip(joint.iter().copied()));
        }
        self.seen.sort_unstable();
        self.seen.dedup();
        for (node, chosen) in episode.path.steps().rev() {
            for (role, edge) in episode.tree.each_chosen(node, chosen) {
                let played = (role, episode.tree.mv(edge));
                if let Err(place) = self.seen.binary_search(&played) {
                    self.seen.insert(place, played);
                }
            }
            for &(role, mv) in &self.seen {
                let key = (node, role, mv);
                if full
                    && self.plays.len() == self.plays.capacity()
                    && !self.plays.contains_key(&key)
                {
                    continue;
                }
                let stats = self.plays.entry(key).or_default();
                count(stats, episode.payoffs[role.index()]);
            }
        }
    }

    fn grows(&self) -> bool {
        // One simulation adds its moves to each node on its path.
        self.plays.len() + 4096 > self.plays.capacity()
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
        let n = f64::from(edge.visits);
        let worth = if let Unvisited::Worth(worth) = self.unvisited { worth } else { 0.0 };
        let mean = if n > 0.0 { edge.mean() } else { worth };
        let Some((plays, value)) = estimate else { return mean };
        let plays = f64::from(plays);
        let beta = plays / (plays + n + self.bias * plays * n);
        (1.0 - beta) * mean + beta * f64::from(value) / plays
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Path;
    use crate::testgames::{HandTree, joints};

    /// The policy learns from simulations in which role 0 plays a move in the root.
    fn learn(hand: &HandTree, grave: &mut Grave, mv: u32, payoff: f32, times: usize) {
        let (path, payoffs) = (hand.step(mv), [payoff, 1.0 - payoff]);
        (0..times).for_each(|_| {
            grave.learn(&Episode { path: &path, ..hand.episode(&[], &payoffs) }, false);
        });
    }

    #[test]
    fn moves_of_the_whole_simulation_are_counted_by_node() {
        let hand = HandTree::new();
        let mut grave = Grave::new(1, 0.1, Unvisited::First);
        let moves = joints(&[(3, 0), (0, 4), (7, 0), (3, 0)]);
        grave.learn(&hand.episode(&moves, &[1.0, 0.25]), false);
        let known = |node, role: u8, mv| grave.plays.get(&(node, Role(role), Move(mv))).copied();
        for (role, mv, value) in [(0, 2, 1.0), (0, 3, 1.0), (0, 7, 1.0), (1, 5, 0.25), (1, 4, 0.25)]
        {
            assert_eq!(known(hand.root, role, mv), Some((1.0, value)), "{role} {mv}");
        }
        // The move in the root does not count below it; a move that was not legal below does.
        assert_eq!(known(hand.below, 0, 2), None);
        assert_eq!(known(hand.below, 0, 7), Some((1.0, 1.0)));
        assert_eq!(known(hand.below, 1, 5), Some((1.0, 0.25)));
        assert_eq!(known(hand.root, 0, 1), None);
    }

    /// β = p̃ / (p̃ + p + b·p̃·p), b = 0.1.
    #[test]
    fn scores_are_those_of_the_formula() {
        let mut hand = HandTree::new();
        hand.visit(1, 0.6, 10);
        hand.visit(2, 0.4, 10);
        hand.visit(3, 0.5, 5);
        let mut grave = Grave::new(1, 0.1, Unvisited::First);
        learn(&hand, &mut grave, 1, 0.4, 10);
        learn(&hand, &mut grave, 2, 0.8, 10);
        learn(&hand, &mut grave, 3, 0.55, 20);
        // β = 10/(10 + 10 + 10) = 1/3: 0.6·2/3 + 0.4/3 = 0.5333, and 0.4·2/3 + 0.8/3 = 0.5333 up to rounding;
        // β = 20/(20 + 5 + 10) = 4/7: 0.5·3/7 + 0.55·4/7 = 0.5286.
        let choice = |grave: &mut Grave| hand.choice(grave, &mut Rng::new(1));
        assert_ne!(choice(&mut grave), 3);
        learn(&hand, &mut grave, 2, 0.8, 10);
        // β = 20/(20 + 10 + 20) = 0.4: 0.4·0.6 + 0.8·0.4 = 0.56.
        assert_eq!(choice(&mut grave), 2);
        // Without bias β = 20/30 and 20/25: 0.4/3 + 0.8·2/3 = 0.6667; 0.5·0.2 + 0.55·0.8 = 0.54; 0.5.
        grave.bias = 0.0;
        assert_eq!(choice(&mut grave), 2);
        // A large bias leaves the means.
        grave.bias = 1e9;
        assert_eq!(choice(&mut grave), 1);
    }

    #[test]
    fn the_closest_node_with_enough_visits_is_the_reference() {
        let mut hand = HandTree::new();
        hand.visit(2, 0.5, 50);
        let mut grave = Grave::new(10, 0.0, Unvisited::First);
        // Role 1 prefers 4 by the statistics of the root and 5 by those of the node below.
        let (root, below) = (hand.root, hand.below);
        for (node, mv, value) in [(root, 4, 9.0), (root, 5, 1.0), (below, 4, 1.0), (below, 5, 9.0)]
        {
            grave.plays.insert((node, Role(1), Move(mv)), (10.0, value));
        }
        let mut path = Path::new(2);
        path.push(root, &[1, 3]);
        let chosen = |hand: &HandTree, grave: &mut Grave| {
            let choice = Choice::new(&hand.tree, &path, below, Role(1));
            4 + grave.select(&choice, &mut Rng::new(1))
        };
        assert_eq!(chosen(&hand, &mut grave), 4);
        (0..9).for_each(|_| hand.count(below, &[4, 5], [1.0, 0.0]));
        assert_eq!(chosen(&hand, &mut grave), 4);
        // The tenth visit makes the node its own reference.
        hand.count(below, &[4, 5], [1.0, 0.0]);
        assert_eq!(chosen(&hand, &mut grave), 5);
        // If no node has enough visits, it is the root.
        grave.reference = 1000;
        assert_eq!(chosen(&hand, &mut grave), 4);
    }

    #[test]
    fn a_move_without_estimate_comes_first_and_others_compete() {
        let hand = HandTree::new();
        let mut grave = Grave::new(0, 0.1, Unvisited::First);
        learn(&hand, &mut grave, 1, 0.9, 3);
        learn(&hand, &mut grave, 3, 1.0, 3);
        let choice = |grave: &mut Grave| hand.choice(grave, &mut Rng::new(1));
        assert_eq!(choice(&mut grave), 2);
        learn(&hand, &mut grave, 2, 0.1, 3);
        assert_eq!(choice(&mut grave), 3);
        // The statistics of kept nodes are renumbered.
        let mut hand = hand;
        let below = hand.below;
        grave.learn(&hand.episode(&[], &[0.0, 1.0]), false);
        grave.retain(&hand.tree.retain(below));
        assert_eq!(grave.plays.get(&(NodeId(0), Role(1), Move(5))), Some(&(1.0, 1.0)));
        assert_eq!(grave.plays.get(&(NodeId(0), Role(0), Move(1))), None);
    }
}
