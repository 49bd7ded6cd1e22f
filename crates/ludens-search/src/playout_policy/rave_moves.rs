//! Moves that look good by the tree's all-moves-as-first statistics, for each playout under way.

use ludens_core::{Move, Role, Turn};

use crate::episode::Path;
use crate::tree::{NodeId, Tree};

/// What the statistics say of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    pub(super) mv: Move,
    plays: f32,
    value: f32,
}

impl Rated {
    /// What the move was worth on average to whoever played it.
    pub(super) fn mean(&self) -> f32 {
        self.value / self.plays
    }
}

/// The moves of each role that a playout prefers.
#[derive(Clone, Debug, Default)]
pub(super) struct RaveMoves {
    /// Whether a move counts for whoever plays it, and all roles prefer the same ones. Moves are the
    /// same if their numbers are, which in games known by their rules means the same words.
    pub(super) shared: bool,
    /// For each playout and role, sorted.
    lists: Vec<Vec<Vec<Move>>>,
    /// Moves that are being rated.
    rated: Vec<Rated>,
    /// Places among the legal moves.
    options: Vec<usize>,
}

impl RaveMoves {
    /// No lists yet.
    pub(super) fn new(shared: bool) -> Self {
        RaveMoves { shared, ..RaveMoves::default() }
    }

    /// Makes the lists of a playout: each role's moves are rated by the last node of the way in which
    /// it decides and which was visited so often, and `prefer` keeps the good ones.
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
        lists.resize(n_roles, Vec::new());
        lists.iter_mut().for_each(Vec::clear);
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
                list.extend_from_slice(first);
            }
        }
    }

    /// The places of the preferred ones among the legal moves.
    pub(super) fn still_legal(&mut self, turn: &Turn<'_>) -> &[usize] {
        self.options.clear();
        let lists = self.lists.get(turn.game);
        let list =
            lists.and_then(|lists| lists.get(turn.role.index())).map_or(&[][..], |list| list);
        if !list.is_empty() {
            let preferred = |mv: &Move| list.binary_search(mv).is_ok();
            let options = turn.legal.iter().enumerate().filter(|(_, mv)| preferred(mv));
            self.options.extend(options.map(|(i, _)| i));
        }
        &self.options
    }
}

/// Moves the preferred ones of the rated moves into a list.
fn fill(list: &mut Vec<Move>, rated: &mut Vec<Rated>, prefer: &mut impl FnMut(&mut Vec<Rated>)) {
    prefer(rated);
    list.extend(rated.drain(..).map(|rated| rated.mv));
    list.sort_unstable();
}

/// Makes one of all ratings of the same move.
fn add_up(rated: &mut Vec<Rated>) {
    rated.sort_by_key(|rated| rated.mv);
    rated.dedup_by(|later, first| {
        let same = later.mv == first.mv;
        if same {
            first.plays += later.plays;
            first.value += later.value;
        }
        same
    });
}

/// The last node of a way in which a role decides and which was visited so often.
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
