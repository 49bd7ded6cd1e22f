//! NAST, averages of n-grams (Powley, Whitehouse and Cowling 2013; Tak, Winands and Björnsson 2012):
//! MAST on moves together with the joint moves just before them. Where a sequence was seen too rarely,
//! a shorter one is used; the shortest is the move alone.

use std::hash::BuildHasher;

use hashbrown::HashMap;
use ludens_core::{Move, Rng, Role, Turn};
use rustc_hash::FxBuildHasher;

use super::sample::roulette;
use super::{Mast, PlayoutPolicy, Position};
use crate::counting::count;
use crate::episode::Episode;
use crate::tree::Tree;

/// Mean payoffs of sequences of moves.
#[derive(Clone, Debug)]
pub struct Nast {
    /// The number of moves of a sequence (n).
    pub length: usize,
    /// The minimum number of times that a sequence must have been seen.
    pub least: f32,
    singles: Mast,
    /// For each role, by the hash of the preceding joint moves, the moves that followed.
    grams: HashMap<(u64, Role), Vec<Gram>, FxBuildHasher>,
    weights: Vec<f32>,
    places: Places,
}

/// A move at the end of a sequence.
#[derive(Clone, Copy, Debug)]
struct Gram {
    mv: Move,
    /// How often it was played there, and the sum of the payoffs.
    stats: (f32, f32),
    /// exp(mean / τ).
    weight: f32,
}

impl Nast {
    /// A policy that has learnt nothing; `length` is at least 2.
    pub fn new(length: usize, temperature: f32, keep: f32, least: f32) -> Self {
        Nast {
            length: length.max(2),
            least,
            singles: Mast::new(temperature, keep),
            grams: HashMap::default(),
            weights: Vec::new(),
            places: Places::default(),
        }
    }

    /// Mean payoff of a role in the simulations in which it played a move just after others, the
    /// latest of which come last.
    pub fn mean(&self, before: &[Move], role: Role, mv: Move) -> Option<f32> {
        let grams = self.grams.get(&(hash(before), role))?;
        let place = grams.binary_search_by_key(&mv, |gram| gram.mv).ok()?;
        let (plays, value) = grams[place].stats;
        Some(value / plays)
    }

    fn add(&mut self, before: u64, role: Role, mv: Move, payoff: f32) {
        let grams = self.grams.entry((before, role)).or_default();
        let place = grams.binary_search_by_key(&mv, |gram| gram.mv).unwrap_or_else(|place| {
            grams.insert(place, Gram { mv, stats: (0.0, 0.0), weight: 0.0 });
            place
        });
        let gram = &mut grams[place];
        count(&mut gram.stats, payoff);
        let (plays, value) = gram.stats;
        gram.weight = (value / plays / self.singles.temperature).exp();
    }

    /// Replaces the weights of single moves by those of sequences.
    fn weigh(&mut self, before: u64, role: Role) {
        let grams = self.grams.get(&(before, role)).map_or(&[][..], Vec::as_slice);
        for gram in grams.iter().filter(|gram| gram.stats.0 >= self.least) {
            if let Some(place) = self.places.of(gram.mv) {
                self.weights[place] = gram.weight;
            }
        }
    }
}

/// The indices of moves among the legal moves of a turn.
#[derive(Clone, Debug, Default)]
struct Places {
    /// By move: the turn in which it was last legal, and its index then.
    seen: Vec<(u32, u32)>,
    turn: u32,
}

impl Places {
    fn begin(&mut self, legal: &[Move]) {
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.seen.clear();
            self.turn = 1;
        }
        for (place, mv) in legal.iter().enumerate() {
            if self.seen.len() <= mv.index() {
                self.seen.resize(mv.index() + 1, (0, 0));
            }
            self.seen[mv.index()] = (self.turn, place as u32);
        }
    }

    fn of(&self, mv: Move) -> Option<usize> {
        let &(turn, place) = self.seen.get(mv.index())?;
        (turn == self.turn).then_some(place as usize)
    }
}

/// The hash of the preceding joint moves.
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
        self.weights.clear();
        self.weights.extend(turn.legal.iter().map(|&mv| self.singles.weight(turn.role, mv)));
        if let Some(previous) = previous {
            self.places.begin(turn.legal);
            // The longest known sequence is used: the last joint move, the last two, and so on.
            self.weigh(hash(previous), turn.role);
            for length in 2..self.length.min(9) {
                let start = turn.history.len().checked_sub(length * turn.n_roles);
                let Some(start) = start else { break };
                self.weigh(hash(&turn.history[start..]), turn.role);
            }
        }
        Some(roulette(&self.weights, rng))
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
                    self.add(before, role, mv, episode.payoffs[role.index()]);
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
            for gram in self.grams.values_mut().flatten() {
                gram.stats = (gram.stats.0 * keep, gram.stats.1 * keep);
            }
        }
    }

    fn new_game(&mut self) {
        self.singles.new_game();
        self.grams.clear();
    }

    fn subscribe(&self, tree: &mut Tree) {
        tree.record_moves();
    }

    fn bytes(&self) -> usize {
        let entry = size_of::<((u64, Role), Vec<Gram>)>() + 1;
        let grams: usize = self.grams.values().map(Vec::capacity).sum();
        self.singles.bytes()
            + self.grams.capacity() * entry * 8 / 7
            + grams * size_of::<Gram>()
            + self.places.seen.capacity() * size_of::<(u32, u32)>()
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        let Mast { temperature, keep, .. } = self.singles;
        Box::new(Nast::new(self.length, temperature, keep, self.least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, draws, joints, turn};
    use ludens_testkit::chi_square::chi_square;

    /// Two simulations: tree 2, 5 and playout 3, 4, 1 with payoffs 1 and 0; tree 2, 5 and playout 1 with
    /// payoffs 0.25 and 0.75.
    fn learnt(length: usize, least: f32) -> Nast {
        let hand = HandTree::new();
        let mut nast = Nast::new(length, 0.5, 1.0, least);
        nast.learn(&hand.episode(&joints(&[(3, 0), (0, 4), (1, 0)]), &[1.0, 0.0]));
        nast.learn(&hand.episode(&joints(&[(1, 0)]), &[0.25, 0.75]));
        nast
    }

    #[test]
    fn means_of_pairs_are_those_of_the_hand_computed_episodes() {
        let nast = learnt(2, 1.0);
        let mean = |before, role, mv| nast.mean(&joints(&[before]), Role(role), Move(mv));
        assert_eq!(mean((2, 0), 1, 5), Some(0.375));
        assert_eq!(mean((0, 5), 0, 3), Some(1.0));
        assert_eq!(mean((0, 5), 0, 1), Some(0.25));
        assert_eq!(mean((3, 0), 1, 4), Some(0.0));
        assert_eq!(mean((0, 4), 0, 1), Some(1.0));
        // Never in this order, never by this role.
        assert_eq!(mean((0, 5), 0, 2), None);
        assert_eq!(mean((2, 0), 0, 5), None);
        // Sequences of three moves are not stored.
        assert_eq!(nast.mean(&joints(&[(2, 0), (0, 5)]), Role(0), Move(3)), None);
    }

    #[test]
    fn sequences_of_three_moves_cross_from_the_tree_to_the_playout() {
        let nast = learnt(3, 1.0);
        let mean = |before: &[_], role, mv| nast.mean(&joints(before), Role(role), Move(mv));
        assert_eq!(mean(&[(2, 0), (0, 5)], 0, 3), Some(1.0));
        assert_eq!(mean(&[(2, 0), (0, 5)], 0, 1), Some(0.25));
        assert_eq!(mean(&[(0, 5), (3, 0)], 1, 4), Some(0.0));
        assert_eq!(mean(&[(0, 5)], 0, 1), Some(0.25));
        assert_eq!(mean(&[(2, 0), (0, 5), (3, 0)], 1, 4), None);
    }

    /// τ = 0.5. The mean of the move alone is 0.625 for 1 and 2, 1 for 3 and 0.5 for 9, unseen.
    fn check(nast: &mut Nast, history: &[(u32, u32)], before: Option<(u32, u32)>, means: [f64; 4]) {
        let (history, legal) = (joints(history), [1, 2, 3, 9].map(Move));
        let turn = turn(0, &legal, &history);
        let before = before.map(|before| joints(&[before]));
        let counts = draws(nast, &turn, turn.previous().or(before.as_deref()));
        let weights: Vec<f64> = means.iter().map(|mean| (mean / 0.5).exp()).chain([0.0]).collect();
        let fit = chi_square(&counts, &weights);
        assert!(fit.fits(), "{counts:?} are not {means:?}: {fit:?}");
    }

    #[test]
    fn the_longest_known_sequence_is_used() {
        let mut pairs = learnt(2, 1.0);
        check(&mut pairs, &[], None, [0.625, 0.625, 1.0, 0.5]);
        // After (0, 5) the pairs with 1 and 3 are known.
        check(&mut pairs, &[(0, 5)], None, [0.25, 0.625, 1.0, 0.5]);
        check(&mut pairs, &[], Some((0, 5)), [0.25, 0.625, 1.0, 0.5]);
        check(&mut pairs, &[(9, 0), (0, 4)], None, [1.0, 0.625, 1.0, 0.5]);
        // A pair must have been seen twice.
        check(&mut learnt(2, 2.0), &[(0, 5)], None, [0.625, 0.625, 1.0, 0.5]);
        let mut threes = learnt(3, 1.0);
        let hand = HandTree::new();
        // Tree 2, 5, playout 8, 5, 1, payoff 0: (0, 5), 1 now has mean (0.25 + 0) / 2, and 1 alone 1.25 / 3;
        // (8, 0), (0, 5), 1 has mean 0.
        threes.learn(&hand.episode(&joints(&[(8, 0), (0, 5), (1, 0)]), &[0.0, 0.0]));
        check(&mut threes, &[(9, 0), (0, 5)], None, [0.125, 1.25 / 3.0, 1.0, 0.5]);
        check(&mut threes, &[(8, 0), (0, 5)], None, [0.0, 1.25 / 3.0, 1.0, 0.5]);
    }

    #[test]
    fn sequences_are_forgotten_with_the_rest() {
        let mut nast = learnt(2, 1.0);
        nast.next_move(&String::new);
        assert_eq!(nast.mean(&joints(&[(0, 5)]), Role(0), Move(3)), Some(1.0));
        nast.singles.keep = 0.0;
        nast.next_move(&String::new);
        assert_eq!(nast.mean(&joints(&[(0, 5)]), Role(0), Move(3)), None);
    }
}
