//! Which move a role prefers, and the values and proofs that follow from that.

use std::cmp::Ordering;
use std::hash::Hash;

use ludens_core::Role;

use super::{EdgeId, Node, NodeId, Status, Tree};

/// A game that ends after this many moves loses half of the bonus for a quick end.
const HALF_LENGTH: f32 = 50.0;

impl<S: Clone + Eq + Hash> Tree<S> {
    /// What a network is to learn about a node: its value, with the bonus for a quick end.
    pub fn target(&self, id: NodeId) -> impl Iterator<Item = f32> {
        let end = self.node(id).end;
        self.value(id).iter().map(move |&value| self.hastened(value, end))
    }

    /// The best edge of a node among those that satisfy a condition. Where several roles decide, none is
    /// better than another: the one that was chosen least often.
    pub fn best(&self, id: NodeId, allowed: impl Fn(EdgeId) -> bool) -> Option<EdgeId> {
        let edges = self.edges(id).filter(|&edge| allowed(edge));
        match self.node(id).decider {
            // Of equal edges the first.
            Some(role) => edges.rev().max_by(|&a, &b| self.compare(role, a, b)),
            None => edges.min_by_key(|&edge| self.visits(edge)),
        }
    }

    /// The best edge of a node below which something is left to search.
    pub fn best_open(&self, id: NodeId) -> Option<EdgeId> {
        self.best(id, |edge| self.edge_status(edge) == Status::Open)
    }

    /// Compares two edges for a role; `Greater` means that `a` is preferred. Proven wins come first and proven
    /// losses last, then the value counts. With the same value a role prefers the edge that is worse for the
    /// others, in the order of the roles, as in the classical max-n search.
    pub fn compare(&self, role: Role, a: EdgeId, b: EdgeId) -> Ordering {
        let standing = self.standing(role, a).cmp(&self.standing(role, b));
        let own = standing.then_with(|| self.worth(role, a).total_cmp(&self.worth(role, b)));
        own.then_with(|| {
            let others = Role::all(self.n_roles()).filter(|&other| other != role);
            let orders = others.map(|other| self.worth(other, b).total_cmp(&self.worth(other, a)));
            orders.fold(Ordering::Equal, Ordering::then)
        })
    }

    /// 1 after a proven win of a role, −1 after a proven loss, otherwise 0.
    pub fn standing(&self, role: Role, edge: EdgeId) -> i8 {
        let (low, high) = self.bounds[role.index()];
        let value = self.edge_value(edge)[role.index()];
        match self.edge_status(edge) {
            Status::Proven if value >= high => 1,
            Status::Proven if value <= low => -1,
            _ => 0,
        }
    }

    fn worth(&self, role: Role, edge: EdgeId) -> f32 {
        self.hastened(self.edge_value(edge)[role.index()], self.edges[edge as usize].end)
    }

    /// A payoff with the bonus for a quick end: good payoffs shrink and bad ones grow with the length of the
    /// game (the depth heuristic of Cohen-Solal 2020, within the range of payoffs).
    fn hastened(&self, value: f32, end: u32) -> f32 {
        let share = end as f32 / (end as f32 + HALF_LENGTH);
        value - self.haste * (2.0 * value - 1.0) * share
    }

    /// Computes value and status of a node from its edges.
    pub fn back_up(&mut self, id: NodeId) {
        match self.node(id).decider {
            Some(role) => self.back_up_best(id, role),
            None => self.back_up_mean(id),
        }
    }

    fn back_up_best(&mut self, id: NodeId, role: Role) {
        let best = self.best(id, |_| true).expect("an expanded state has a move");
        let (from, n_roles) = (best as usize * self.n_roles(), self.n_roles());
        let place = id as usize * n_roles;
        self.node_values[place..place + n_roles]
            .copy_from_slice(&self.edge_values[from..from + n_roles]);
        let won = self.standing(role, best) == 1;
        let status = if won { Status::Proven } else { self.least_status(id) };
        let end = self.edges[best as usize].end;
        let node = &mut self.nodes[id as usize];
        (node.status, node.end) = (status, end);
    }

    /// Where several roles decide at once, minimax is not defined: the value is the mean over joint moves, as
    /// if all roles played at random, and it is never proven.
    fn back_up_mean(&mut self, id: NodeId) {
        let (n_roles, edges) = (self.n_roles(), self.edges(id));
        let share = 1.0 / edges.len() as f32;
        let place = id as usize * n_roles;
        self.node_values[place..place + n_roles].fill(0.0);
        for edge in edges {
            let values = &self.edge_values[edge as usize * n_roles..][..n_roles];
            let sums = self.node_values[place..place + n_roles].iter_mut().zip(values);
            sums.for_each(|(sum, value)| *sum += share * value);
        }
        let status = self.least_status(id).min(Status::Closed);
        self.nodes[id as usize].status = status;
    }

    fn least_status(&self, id: NodeId) -> Status {
        let statuses = self.edges(id).map(|edge| self.edge_status(edge));
        statuses.min().expect("an expanded state has a move")
    }

    /// Backs up the values at the end of a path of nodes and edges.
    pub fn back_up_path(&mut self, path: &[(NodeId, EdgeId)]) {
        for &(node, edge) in path.iter().rev() {
            if let Some(child) = self.child(edge) {
                self.copy_to_edge(child, edge);
            }
            self.back_up(node);
        }
    }

    fn copy_to_edge(&mut self, child: NodeId, edge: EdgeId) {
        let n_roles = self.n_roles();
        let (from, to) = (child as usize * n_roles, edge as usize * n_roles);
        self.edge_values[to..to + n_roles].copy_from_slice(&self.node_values[from..from + n_roles]);
        let Node { status, end, .. } = *self.node(child);
        let edge = &mut self.edges[edge as usize];
        (edge.status, edge.end) = (status, end);
    }
}
