//! What a search has found at its root, for callers that play and learn from it.

use ludens_core::{Game, Move, Role};

use super::Search;
use crate::episode::Path;
use crate::line::{most_visited_edges, worth};
use crate::tree::Edge;
use crate::tree_policy::Choice;

impl<G: Game> Search<G> {
    /// A search of at most this many simulations begins.
    pub(crate) fn begin(&mut self, simulations: u64) {
        self.policy.begin(simulations);
        self.begin_root_payoffs();
    }

    /// The decision of a role at the root; `path` must be empty.
    pub fn root_choice<'a>(&'a self, path: &'a Path, role: Role) -> Choice<'a> {
        Choice::new(&self.tree, path, self.root, role)
    }

    /// The move that a role should play: one that achieves a proven value, or the one that the tree policy
    /// recommends, or else the one with the most visits. The root must be expanded.
    pub fn recommended(&self, role: Role) -> Move {
        let (tree, root) = (&self.tree, self.root);
        let range = tree.range(root, role);
        if let Some(edge) = range.clone().find(|&edge| tree.is_proven_best(root, edge)) {
            return tree.mv(edge);
        }
        let path = Path::new(tree.n_roles());
        let choice = self.root_choice(&path, role);
        let place = self.policy.recommend(&choice).map(|place| range.start + place);
        let most_visited = || most_visited_edges(tree, root)[role.index()] as usize;
        tree.mv(place.unwrap_or_else(most_visited))
    }

    /// Writes the weight of each move of a role at the root in the policy that a network is to learn: its
    /// visits, of which the tree policy may leave some out. Proven losses have none as long as there is
    /// another move with visits.
    pub fn learnt_visits(&self, role: Role, visits: &mut Vec<f64>) {
        let path = Path::new(self.tree.n_roles());
        let choice = self.root_choice(&path, role);
        self.policy.learnt_visits(&choice, visits);
        let open = |(edge, visits): (&Edge, &f64)| !edge.is_lost() && *visits > 0.0;
        if choice.edges.iter().zip(&*visits).any(open) {
            let lost = choice.edges.iter().zip(visits).filter(|(edge, _)| edge.is_lost());
            lost.for_each(|(_, visits)| *visits = 0.0);
        }
    }

    /// The mean payoff of a role below the root; `None` if there is no visit that tells it.
    pub fn value(&self, role: Role) -> Option<f64> {
        worth(&self.tree, self.root, role)
    }
}
