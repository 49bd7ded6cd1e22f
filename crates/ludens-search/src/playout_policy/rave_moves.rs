//! Moves that look good by the tree's all-moves-as-first statistics, for each playout under way.

use ludens_core::{Move, Role, Turn};

use crate::episode::Path;
use crate::tree::{NodeId, Tree};

/// The moves of each role that a playout prefers.
#[derive(Clone, Debug, Default)]
pub(super) struct RaveMoves {
    /// For each playout and role, sorted.
    lists: Vec<Vec<Vec<Move>>>,
    /// Places among the legal moves.
    options: Vec<usize>,
}

impl RaveMoves {
    /// The empty lists of a playout.
    pub(super) fn begin(&mut self, game: usize, n_roles: usize) -> &mut [Vec<Move>] {
        if self.lists.len() <= game {
            self.lists.resize(game + 1, Vec::new());
        }
        let lists = &mut self.lists[game];
        lists.resize(n_roles, Vec::new());
        lists.iter_mut().for_each(Vec::clear);
        lists
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

/// The last node of a way in which a role decides and which was visited so often.
pub(super) fn reference(tree: &Tree, path: &Path, role: Role, least: f64) -> Option<NodeId> {
    let mut nodes = path.steps().map(|(node, _)| node);
    nodes.rfind(|&node| {
        f64::from(tree.node(node).visits) >= least && tree.range(node, role).len() > 1
    })
}

/// The moves of a role in a node with the mean of their statistics; those without any are left out.
pub(super) fn means(tree: &Tree, node: NodeId, role: Role) -> impl Iterator<Item = (Move, f32)> {
    tree.range(node, role).filter_map(move |edge| {
        let (plays, value) = tree.amaf(edge);
        (plays > 0.0).then(|| (tree.mv(edge), value / plays))
    })
}
