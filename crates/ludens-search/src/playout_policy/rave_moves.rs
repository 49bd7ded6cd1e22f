//! Moves preferred by the tree's all-moves-as-first statistics, for each playout in progress.

use ludens_core::{Move, Role, Turn};

use crate::episode::Path;
use crate::tree::{NodeId, Tree};

/// The statistics of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    pub(super) mv: Move,
    plays: f32,
    value: f32,
}

impl Rated {
    /// The mean payoff of the roles that played the move.
    pub(super) fn mean(&self) -> f32 {
        self.value / self.plays
    }
}

/// The moves of each role that a playout prefers.
#[derive(Clone, Debug, Default)]
pub(super) struct RaveMoves {
    /// Whether all roles share the statistics of a move and prefer the same moves. Moves are the same if
    /// their numbers are equal, which in games defined by GDL rules means that their terms are.
    pub(super) shared: bool,
    /// For each playout and role.
    lists: Vec<Vec<MoveSet>>,
    /// Moves that are being rated.
    rated: Vec<Rated>,
    /// Indices of legal moves.
    options: Vec<usize>,
}

impl RaveMoves {
    /// No lists yet.
    pub(super) fn new(shared: bool) -> Self {
        RaveMoves { shared, ..RaveMoves::default() }
    }

    /// Computes the lists of a playout: each role's moves are rated by the last node of the path in which
    /// it decides and which has at least `least` visits, and `prefer` selects among them.
    pub(super) fn begin(
        &mut self,
        (tree, path, game): (&Tree, &Path, usize),
        least: f64,
        mut prefer: impl FnMut(&mut Vec<Rated>),
    ) {
        let n_roles = tree.n_roles();
        if self.lists.len() <= game {
            self.lists.resize(game + 1, Vec::new());
        }
        let lists = &mut self.lists[game];
        lists.resize(n_roles, MoveSet::default());
        lists.iter_mut().for_each(MoveSet::clear);
        for role in Role::all(n_roles) {
            let node = reference(tree, path, role, least);
            self.rated.extend(node.into_iter().flat_map(|node| ratings(tree, node, role)));
            if !self.shared {
                fill(&mut lists[role.index()], &mut self.rated, &mut prefer);
            }
        }
        if self.shared {
            add_up(&mut self.rated);
            let (first, others) = lists.split_first_mut().expect("a game has a role");
            fill(first, &mut self.rated, &mut prefer);
            for list in others {
                list.clone_from(first);
            }
        }
    }

    /// The indices of the preferred moves among the legal ones.
    pub(super) fn still_legal(&mut self, turn: &Turn<'_>) -> &[usize] {
        let lists = self.lists.get(turn.game);
        let list = lists.and_then(|lists| lists.get(turn.role.index()));
        let Some(list) = list.filter(|list| !list.moves.is_empty()) else { return &[] };
        if self.options.len() < turn.legal.len() {
            self.options.resize(turn.legal.len(), 0);
        }
        let mut n = 0;
        for (i, &mv) in turn.legal.iter().enumerate() {
            // Written unconditionally, and counted if preferred, to avoid a mispredicted branch.
            self.options[n] = i;
            n += usize::from(list.contains(mv));
        }
        &self.options[..n]
    }
}

/// A set of moves, queried for every legal move of a playout.
#[derive(Clone, Debug, Default)]
struct MoveSet {
    moves: Vec<Move>,
    /// A bit for each move up to the largest.
    bits: Vec<u64>,
}

impl MoveSet {
    fn clear(&mut self) {
        for mv in self.moves.drain(..) {
            self.bits[mv.index() / 64] = 0;
        }
    }

    fn insert(&mut self, mv: Move) {
        let word = mv.index() / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (mv.index() % 64);
        self.moves.push(mv);
    }

    #[inline]
    fn contains(&self, mv: Move) -> bool {
        let word = self.bits.get(mv.index() / 64).copied().unwrap_or(0);
        word >> (mv.index() % 64) & 1 == 1
    }
}

/// Moves the preferred ones of the rated moves into a list.
fn fill(list: &mut MoveSet, rated: &mut Vec<Rated>, prefer: &mut impl FnMut(&mut Vec<Rated>)) {
    prefer(rated);
    rated.drain(..).for_each(|rated| list.insert(rated.mv));
}

/// Merges all ratings of the same move.
fn add_up(rated: &mut Vec<Rated>) {
    rated.sort_unstable_by_key(|rated| rated.mv);
    rated.dedup_by(|later, first| {
        let same = later.mv == first.mv;
        if same {
            first.plays += later.plays;
            first.value += later.value;
        }
        same
    });
}

/// The last node of a path in which a role decides and which has at least `least` visits.
fn reference(tree: &Tree, path: &Path, role: Role, least: f64) -> Option<NodeId> {
    let mut nodes = path.steps().map(|(node, _)| node);
    nodes.rfind(|&node| {
        f64::from(tree.node(node).visits) >= least && tree.range(node, role).len() > 1
    })
}

/// The moves of a role in a node; those without statistics are left out.
fn ratings(tree: &Tree, node: NodeId, role: Role) -> impl Iterator<Item = Rated> {
    tree.range(node, role).filter_map(move |edge| {
        let (plays, value) = tree.amaf(edge);
        (plays > 0.0).then(|| Rated { mv: tree.mv(edge), plays, value })
    })
}
