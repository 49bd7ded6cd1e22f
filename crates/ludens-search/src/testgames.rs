//! Tiny games whose best moves are known, and helpers for tests of policies.

use std::sync::OnceLock;

use ludens_core::{Features, Game, Move, Rng, Role, Turn, View};

use crate::episode::{Episode, Path};
use crate::playout_policy::PlayoutPolicy;
use crate::tree::{NodeId, Tree};
use crate::tree_policy::{Choice, TreePolicy};

/// Three roles bid 0, 1 or 2 at the same time. Role 0 wins with 2 whatever the others do;
/// role 1 wins if it bids 1; role 2 has only one bid.
pub struct Bid;

impl Game for Bid {
    type State = Option<[u32; 3]>;

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| ["a", "b", "c"].map(String::from).to_vec())
    }

    fn initial(&self) -> Self::State {
        None
    }

    fn look(&self, state: &Self::State, view: &mut View) {
        view.clear(3);
        view.terminal = state.is_some();
        let Some([a, b, _]) = state else {
            for (role_idx, legal) in view.legal.iter_mut().enumerate() {
                legal.extend((0..if role_idx == 2 { 1 } else { 3 }).map(Move));
            }
            return;
        };
        view.pay(Role(0), if *a == 2 { 1.0 } else { 0.0 });
        view.pay(Role(1), if *b == 1 { 1.0 } else { 0.3 });
        view.pay(Role(2), 0.5);
    }

    fn play(&self, state: &mut Self::State, joint: &[Move]) {
        *state = Some([joint[0].0, joint[1].0, joint[2].0]);
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &Self::State) -> Vec<String> {
        state.iter().map(|[a, b, c]| format!("(bids {a} {b} {c})")).collect()
    }
}

/// Nim with one heap: two roles take 1 to 3 in turn, the other one has a `noop` (0); the role that
/// takes the last one wins.
pub struct Nim(pub u32);

impl Game for Nim {
    type State = (u32, usize);

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| ["first", "second"].map(String::from).to_vec())
    }

    fn initial(&self) -> Self::State {
        (self.0, 0)
    }

    fn look(&self, &(heap, mover): &Self::State, view: &mut View) {
        view.clear(2);
        view.terminal = heap == 0;
        if view.terminal {
            view.pay(Role(1 - mover as u8), 1.0);
            view.pay(Role(mover as u8), 0.0);
            return;
        }
        view.legal[Role(mover as u8)].extend((1..=heap.min(3)).map(Move));
        view.legal[Role(1 - mover as u8)].push(Move(0));
    }

    fn play(&self, (heap, mover): &mut Self::State, joint: &[Move]) {
        *heap -= joint[*mover].0;
        *mover = 1 - *mover;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        m.0.to_string()
    }

    fn facts(&self, state: &Self::State) -> Vec<String> {
        vec![format!("(heap {} {})", state.0, state.1)]
    }
}

/// A tree built by hand, for policies whose statistics are computed on paper. Two roles take turns, and
/// 0 is the move of the role that waits.
///
/// ```text
/// root    role 0: moves 1, 2, 3 (edges 0, 1, 2)   role 1: waits (edge 3)
/// └─ 2 ─ below   role 0: waits (edge 4)           role 1: moves 4, 5 (edges 5, 6)
/// ```
pub struct HandTree {
    /// The tree.
    pub tree: Tree,
    /// The node in which role 0 decides.
    pub root: NodeId,
    /// The node in which role 1 decides.
    pub below: NodeId,
    /// Role 0 plays 2, role 1 plays the second of its moves.
    pub path: Path,
}

impl HandTree {
    /// The tree without visits.
    pub fn new() -> Self {
        HandTree::keeping(|_| {})
    }

    /// The tree without visits that keeps the statistics to which a policy subscribes.
    pub fn keeping(subscribe: impl FnOnce(&mut Tree)) -> Self {
        HandTree::with_replies(subscribe, [4, 5])
    }

    /// The tree with other moves of role 1.
    pub fn with_replies(subscribe: impl FnOnce(&mut Tree), replies: [u32; 2]) -> Self {
        let mut tree = Tree::new(2);
        subscribe(&mut tree);
        let (root, below) = (tree.add(), tree.add());
        tree.expand(root, [&[1, 2, 3].map(Move)[..], &[Move(0)]].into_iter());
        tree.expand(below, [&[Move(0)][..], &replies.map(Move)].into_iter());
        tree.link(root, &[1, 3], below);
        if let Some(codes) = tree.codes_mut() {
            codes.extend([1, 2, 3, 0, 0, replies[0], replies[1]]);
        }
        let mut path = Path::new(2);
        path.push(root, &[1, 3]);
        path.push(below, &[4, 6]);
        HandTree { tree, root, below, path }
    }

    /// The path of one step in which role 0 plays one of its moves.
    pub fn step(&self, mv: u32) -> Path {
        let mut path = Path::new(2);
        path.push(self.root, &[mv - 1, 3]);
        path
    }

    /// Adds visits in which role 0 plays a move, with its payoff in each.
    pub fn visit(&mut self, mv: u32, payoff: f32, times: usize) {
        for _ in 0..times {
            self.count(self.root, &[mv - 1, 3], [payoff, 1.0 - payoff]);
        }
    }

    /// Adds a visit of a node with its payoffs.
    pub fn count(&mut self, id: NodeId, chosen: &[u32], payoffs: [f32; 2]) {
        self.tree.begin_visit(id, chosen);
        self.tree.end_visit(id, chosen, &payoffs);
    }

    /// Adds simulations in which role 0 played a move, with its payoff, to the all-moves-as-first
    /// statistics of the root alone.
    pub fn note_amaf(&mut self, mv: u32, payoff: f32, times: usize) {
        let path = self.step(mv);
        for _ in 0..times {
            self.learn_amaf(&path, &[], [payoff, 1.0 - payoff]);
        }
    }

    /// Adds a simulation to the all-moves-as-first statistics.
    pub fn learn_amaf(&mut self, path: &Path, moves: &[Move], payoffs: [f32; 2]) {
        let mut amaf = self.tree.amaf.take().expect("the tree keeps statistics");
        let tree = &self.tree;
        let episode = Episode { tree, path, game: 0, moves, payoffs: &payoffs, facts: &hand_facts };
        amaf.learn(tree, &episode);
        self.tree.amaf = Some(amaf);
    }

    /// The simulation that follows the whole path, then makes the moves of the playout.
    pub fn episode<'a>(&'a self, moves: &'a [Move], payoffs: &'a [f32]) -> Episode<'a> {
        let (tree, path) = (&self.tree, &self.path);
        Episode { tree, path, game: 0, moves, payoffs, facts: &hand_facts }
    }

    /// The move of role 0 that a policy selects in the root.
    pub fn choice(&self, policy: &mut dyn TreePolicy, rng: &mut Rng) -> u32 {
        let path = &Path::new(2);
        let choice = Choice::new(&self.tree, path, self.root, Role(0));
        1 + policy.select(&choice, rng) as u32
    }
}

/// A flat list of joint moves, given as pairs.
pub fn joints(pairs: &[(u32, u32)]) -> Vec<Move> {
    pairs.iter().flat_map(|&(a, b)| [Move(a), Move(b)]).collect()
}

/// A decision between moves whose codes are their numbers.
pub fn turn<'a>(role: u8, legal: &'a [Move], history: &'a [Move]) -> Turn<'a> {
    Turn { game: 0, role: Role(role), legal, history, n_roles: 2, features: &Held(&[]) }
}

/// Each node has one fact of its own, numbered from 10.
pub fn hand_facts(node: NodeId, out: &mut Vec<u32>) {
    out.push(node.0 + 10);
}

/// The facts that hold in a decision between moves whose codes are their numbers.
pub struct Held<'a>(pub &'a [u32]);

impl Features for Held<'_> {
    fn code(&self, m: Move) -> u32 {
        m.0
    }

    fn facts(&self, out: &mut Vec<u32>) {
        out.extend_from_slice(self.0);
    }
}

/// How often a policy chooses each legal move in many draws; the last count is that of no choice.
pub fn draws(
    policy: &mut dyn PlayoutPolicy,
    turn: &Turn<'_>,
    previous: Option<&[Move]>,
) -> Vec<u64> {
    let mut rng = Rng::new(12);
    let mut counts = vec![0; turn.legal.len() + 1];
    for _ in 0..60_000 {
        let chosen = policy.choose(turn, previous, &mut rng);
        counts[chosen.unwrap_or(turn.legal.len())] += 1;
    }
    counts
}
