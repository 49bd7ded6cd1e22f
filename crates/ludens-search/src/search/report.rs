//! Reports of a search.

use ludens_core::{Game, Move, PerRole, Role, View};

use super::Search;
use crate::agent::{MoveStats, Report};
use crate::line::{line, worth};
use crate::tree::Edge;

/// The maximum length of a line other than the principal variation, in joint moves.
const MAX_LINE_PLIES: usize = 32;

impl<G: Game> Search<G> {
    /// The report after a number of simulations.
    pub fn report(&self, iterations: u64) -> Report {
        let (tree, root) = (&self.tree, self.root);
        let moves = if tree.is_expanded(root) { self.root_moves() } else { self.legal_moves() };
        Report {
            iterations,
            moves,
            nodes: tree.n_nodes() as u64,
            bytes: self.bytes() as u64,
            proven: tree.proven(root).map(<[f32]>::to_vec),
            variation: line(tree, root, None, usize::MAX),
            ..Report::default()
        }
    }

    /// The report with lines and mean payoffs, for watchers.
    pub(crate) fn report_in_full(&self, iterations: u64) -> Report {
        let mut report = self.report(iterations);
        let (tree, root) = (&self.tree, self.root);
        if tree.is_expanded(root) {
            let lines = |(role, moves): (Role, &Vec<MoveStats>)| {
                let line =
                    |stats: &MoveStats| line(tree, root, Some((role, stats.mv)), MAX_LINE_PLIES);
                moves.iter().map(line).collect()
            };
            report.lines = PerRole::from(report.moves.entries().map(lines).collect::<Vec<_>>());
            report.worth = Role::all(tree.n_roles()).map(|role| worth(tree, root, role)).collect();
        }
        report
    }

    /// The legal moves of a root that was proven before it was expanded: a terminal state, or one
    /// without legal moves for some role.
    fn legal_moves(&self) -> PerRole<Vec<MoveStats>> {
        let mut view = View::default();
        self.game.look(self.state(self.root), &mut view);
        let unknown = |&mv: &Move| MoveStats { mv, visits: 0, mean: 0.0 };
        view.legal
            .iter()
            .map(|legal| legal.iter().map(unknown).collect())
            .collect::<Vec<_>>()
            .into()
    }

    fn root_moves(&self) -> PerRole<Vec<MoveStats>> {
        let (tree, root) = (&self.tree, self.root);
        let of_role = |role| {
            let edges = tree.edges(root, role);
            let moves = tree.moves(root, role);
            let mut stats: Vec<_> =
                edges.iter().zip(moves).map(|(edge, &mv)| edge_stats(edge, mv)).collect();
            if let [only] = &mut stats[..] {
                only.visits = u64::from(tree.node(root).visits);
            }
            let rank = |stats: &MoveStats| {
                let place =
                    moves.iter().position(|&mv| mv == stats.mv).expect("a move of the root");
                let edge = tree.range(root, role).start + place;
                (edges[place].is_lost(), !tree.is_proven_best(root, edge))
            };
            stats.sort_by(|a, b| {
                let (rank_a, rank_b) = (rank(a), rank(b));
                // A proven win first and proven losses last, then by visits, then by means.
                (rank_a.1.cmp(&rank_b.1).then(rank_a.0.cmp(&rank_b.0)))
                    .then(b.visits.cmp(&a.visits))
                    .then(b.mean.total_cmp(&a.mean))
            });
            stats
        };
        Role::all(tree.n_roles()).map(of_role).collect::<Vec<_>>().into()
    }
}

fn edge_stats(edge: &Edge, mv: Move) -> MoveStats {
    MoveStats { mv, visits: u64::from(edge.visits), mean: edge.mean() }
}
