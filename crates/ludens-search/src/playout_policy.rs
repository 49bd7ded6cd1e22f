//! Playout policies. Each policy is one file: how it chooses, what it learns, what it forgets.

mod fast;
mod lgrf;
mod mast;
mod nast;
mod past;
mod pool_rave;
mod ppa;
mod ppr;
mod rave_moves;
mod sample;

pub use fast::Fast;
pub use lgrf::Lgrf;
pub use mast::Mast;
pub use nast::Nast;
pub use past::Past;
pub use pool_rave::PoolRave;
pub use ppa::{InitialPolicy, Ppa};
pub use ppr::Ppr;

use ludens_core::{Chooser, FixedWeights, Move, Rng, Turn};

use crate::episode::{Episode, Path};
use crate::tree::Tree;

/// The root position as text, which is computed on demand.
pub type Position<'a> = dyn Fn() -> String + 'a;

/// Chooses moves in playouts.
pub trait PlayoutPolicy: Send {
    /// A playout begins at the end of a path through the tree; turns and episodes identify it by the
    /// number `game`.
    fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        let (_, _, _) = (tree, path, game);
    }

    /// Index of the chosen move in `turn.legal`; `None` if the policy has no opinion. `previous` is the
    /// joint move made just before, in the playout or in the tree.
    fn choose(
        &mut self,
        turn: &Turn<'_>,
        previous: Option<&[Move]>,
        rng: &mut Rng,
    ) -> Option<usize>;

    /// The weights, if it always chooses by fixed weights of keys below `n_codes` and by nothing else; where
    /// a simulator draws by them, neither `choose` nor `decided` is called.
    fn fixed_weights(&mut self, n_roles: usize, n_codes: usize) -> Option<&mut dyn FixedWeights> {
        let (_, _) = (n_roles, n_codes);
        None
    }

    /// A move was chosen in a playout; `asked` is whether `choose` of this policy was called for it.
    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, asked: bool) {
        let (_, _, _) = (turn, chosen, asked);
    }

    /// A simulation has ended.
    fn learn(&mut self, episode: &Episode<'_>) {
        let _ = episode;
    }

    /// The search for another move of the same match begins.
    fn next_move(&mut self, position: &Position<'_>) {
        let _ = position;
    }

    /// For each role, the weights by code with which a later match could start.
    fn learnt_weights(&self) -> Option<Vec<Vec<(u32, f32)>>> {
        None
    }

    /// Another match begins: everything learnt is discarded.
    fn new_game(&mut self) {}

    /// Subscribes to the data that the tree keeps for it.
    fn subscribe(&self, tree: &mut Tree) {
        let _ = tree;
    }

    /// How many bytes its tables hold.
    fn bytes(&self) -> usize {
        0
    }

    /// The same policy with nothing learnt.
    fn fresh(&self) -> Box<dyn PlayoutPolicy>;
}

/// A chain of policies: the first one that has an opinion chooses, and a uniformly random move is made
/// if none has.
#[derive(Default)]
pub struct Chain {
    policies: Vec<Box<dyn PlayoutPolicy>>,
    /// The joint move that led to the start of each playout.
    before: Vec<Vec<Move>>,
}

impl Chain {
    /// A chain of policies; an empty one chooses uniformly.
    pub fn new(policies: Vec<Box<dyn PlayoutPolicy>>) -> Self {
        Chain { policies, before: Vec::new() }
    }

    /// Subscribes to the data that the tree keeps for its policies.
    pub fn subscribe(&self, tree: &mut Tree) {
        self.policies.iter().for_each(|policy| policy.subscribe(tree));
    }

    /// A playout begins.
    pub fn begin(&mut self, tree: &Tree, path: &Path, game: usize) {
        if self.before.len() <= game {
            self.before.resize(game + 1, Vec::new());
        }
        let before = &mut self.before[game];
        before.clear();
        if let Some((node, chosen)) = path.last() {
            before.extend(tree.chosen_moves(node, chosen));
        }
        self.policies.iter_mut().for_each(|policy| policy.begin(tree, path, game));
    }

    /// A simulation has ended.
    pub fn learn(&mut self, episode: &Episode<'_>) {
        self.policies.iter_mut().for_each(|policy| policy.learn(episode));
    }

    /// The search for another move begins.
    pub fn next_move(&mut self, position: &Position<'_>) {
        self.policies.iter_mut().for_each(|policy| policy.next_move(position));
    }

    /// The weights learnt by its first policy that learns weights.
    pub fn learnt_weights(&self) -> Option<Vec<Vec<(u32, f32)>>> {
        self.policies.iter().find_map(|policy| policy.learnt_weights())
    }

    /// Another match begins.
    pub fn new_game(&mut self) {
        self.policies.iter_mut().for_each(|policy| policy.new_game());
    }

    /// How many bytes the tables hold.
    pub fn bytes(&self) -> usize {
        self.policies.iter().map(|policy| policy.bytes()).sum()
    }

    /// The same policies with nothing learnt.
    #[must_use]
    pub fn fresh(&self) -> Chain {
        Chain::new(self.policies.iter().map(|policy| policy.fresh()).collect())
    }
}

impl Chooser for Chain {
    fn is_uniform(&self) -> bool {
        self.policies.is_empty()
    }

    fn fixed_weights(
        &mut self,
        _: usize,
        n_roles: usize,
        n_codes: usize,
    ) -> Option<&mut dyn FixedWeights> {
        match &mut self.policies[..] {
            [policy] => policy.fixed_weights(n_roles, n_codes),
            _ => None,
        }
    }

    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize {
        let before = self.before.get(turn.game).filter(|joint| !joint.is_empty());
        let previous = turn.previous().or(before.map(Vec::as_slice));
        let mut opinions = self.policies.iter_mut().enumerate();
        let decided =
            opinions.find_map(|(i, policy)| Some((i, policy.choose(turn, previous, rng)?)));
        let n = self.policies.len();
        let (last, chosen) = decided.unwrap_or_else(|| (n, rng.below(turn.legal.len())));
        for (i, policy) in self.policies.iter_mut().enumerate() {
            policy.decided(turn, chosen, i <= last);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::{HandTree, joints, turn};
    use ludens_core::Role;
    use ludens_testkit::chi_square::chi_square;

    /// How often each move is chosen.
    fn counts(chain: &mut Chain, turn: &Turn<'_>) -> Vec<u64> {
        let mut rng = Rng::new(4);
        let mut counts = vec![0; turn.legal.len()];
        (0..60_000).for_each(|_| counts[chain.choose(turn, &mut rng)] += 1);
        counts
    }

    #[test]
    fn a_chain_without_opinion_is_uniform() {
        let legal = [1, 2, 3].map(Move);
        let empty = Chain::default();
        assert!(empty.is_uniform());
        for mut chain in [empty, Chain::new(vec![Box::new(Lgrf::default())])] {
            let counts = counts(&mut chain, &turn(0, &legal, &[]));
            assert!(chi_square(&counts, &[1.0; 3]).fits(), "{counts:?}");
        }
    }

    #[test]
    fn the_second_policy_chooses_where_the_first_has_no_opinion() {
        let hand = HandTree::new();
        let mut chain = Chain::new(vec![Box::new(Lgrf::default()), Box::new(Mast::new(1.0, 1.0))]);
        assert!(!chain.is_uniform());
        let moves = joints(&[(3, 0), (0, 4), (1, 0)]);
        chain.learn(&hand.episode(&moves, &[1.0, 0.0]));
        // The tree ends with (0, 5), to which 3 is the good reply.
        chain.begin(&hand.tree, &hand.path, 0);
        let (legal, unknown) = ([1, 2, 3].map(Move), joints(&[(9, 9)]));
        assert_eq!(counts(&mut chain, &turn(0, &legal, &[])), [0, 0, 60_000]);
        // There is no reply to (9, 9). MAST has a mean of 1 for the move 3, and none for 8.
        let counts = counts(&mut chain, &turn(0, &[8, 3].map(Move), &unknown));
        let fit = chi_square(&counts, &[0.5f64.exp(), 1f64.exp()]);
        assert!(fit.fits(), "{counts:?}: {fit:?}");
    }

    #[test]
    fn every_playout_remembers_the_move_before_it() {
        let hand = HandTree::new();
        let mut chain = Chain::new(vec![Box::new(Lgrf::default())]);
        chain.learn(&hand.episode(&joints(&[(3, 0)]), &[1.0, 0.0]));
        chain.begin(&hand.tree, &hand.path, 1);
        let legal = [1, 2, 3].map(Move);
        let second = Turn { game: 1, ..turn(0, &legal, &[]) };
        assert_eq!(counts(&mut chain, &second), [0, 0, 60_000]);
        assert!(counts(&mut chain, &turn(0, &legal, &[]))[0] > 0);
        assert_eq!(chain.fresh().policies.len(), 1);
        assert!(counts(&mut chain.fresh(), &second)[0] > 0);
    }

    #[test]
    fn a_policy_learns_from_what_another_one_chose() {
        let hand = HandTree::new();
        let ppa = Ppa::new(0.32, 1.0, false, true);
        let mut chain = Chain::new(vec![Box::new(Lgrf::default()), Box::new(ppa)]);
        chain.learn(&hand.episode(&joints(&[(3, 0)]), &[1.0, 0.0]));
        let before = chain.learnt_weights().expect("one of them learns weights");
        chain.begin(&hand.tree, &hand.path, 0);
        let legal = [1, 3].map(Move);
        // The good reply is chosen, and the weights of 1 and 3 are adapted to it.
        assert_eq!(chain.choose(&turn(0, &legal, &[]), &mut Rng::new(1)), 1);
        chain.learn(&hand.episode(&joints(&[(3, 0)]), &[1.0, 0.0]));
        let after = chain.learnt_weights().expect("one of them learns weights");
        let weight = |learnt: &[Vec<(u32, f32)>], code| {
            let weights = &learnt[Role(0).index()];
            weights.iter().find(|known| known.0 == code).map_or(0.0, |known| known.1)
        };
        // Both moves lost 0.32/3 in the tree before; here 3 gains against 1.
        assert!((weight(&before, 1) - weight(&before, 3)).abs() < 1e-6);
        assert!(weight(&after, 3) - weight(&after, 1) > 0.31);
    }
}
