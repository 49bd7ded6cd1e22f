//! The selected edges of a node.

use std::cmp::Ordering;

use ludens_core::{Move, Role};

use super::{NodeId, Tree};

/// The selected edges of a node, as indices among all edges of the tree. Nearly always one role decides,
/// which determines the edges of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen<'a> {
    /// The edge of the only role that decides; the others have one move each.
    Alone(u32),
    /// The edge of each role.
    Each(&'a [u32]),
}

impl<'a> From<&'a [u32]> for Chosen<'a> {
    fn from(edges: &'a [u32]) -> Self {
        Chosen::Each(edges)
    }
}

impl<'a, const N: usize> From<&'a [u32; N]> for Chosen<'a> {
    fn from(edges: &'a [u32; N]) -> Self {
        Chosen::Each(edges)
    }
}

impl<'a> From<&'a Vec<u32>> for Chosen<'a> {
    fn from(edges: &'a Vec<u32>) -> Self {
        Chosen::Each(edges)
    }
}

impl Chosen<'_> {
    /// The edge of a role that decides alone.
    #[inline]
    pub(crate) fn by(self, decider: Role) -> usize {
        match self {
            Chosen::Alone(edge) => edge as usize,
            Chosen::Each(edges) => edges[decider.index()] as usize,
        }
    }
}

impl Tree {
    /// The edges of all roles, one after the other.
    pub fn each_chosen<'a>(
        &'a self,
        id: NodeId,
        chosen: Chosen<'a>,
    ) -> impl Iterator<Item = (Role, usize)> + 'a {
        let node = self.node(id);
        debug_assert!(node.has_one_decider() || matches!(chosen, Chosen::Each(_)));
        // Roles that do not decide have one move each, before and after those of the decider.
        let place = move |role: Role| match role.0.cmp(&node.decider()) {
            Ordering::Less => role.index(),
            _ => role.index() + node.n_moves() - 1,
        };
        Role::all(self.n_roles).map(move |role| match chosen {
            Chosen::Each(edges) => (role, edges[role.index()] as usize),
            Chosen::Alone(edge) if role.0 == node.decider() => (role, edge as usize),
            Chosen::Alone(_) => (role, node.first as usize + place(role)),
        })
    }

    /// The joint move that was chosen.
    pub fn chosen_moves<'a>(
        &'a self,
        id: NodeId,
        chosen: Chosen<'a>,
    ) -> impl Iterator<Item = Move> + 'a {
        self.each_chosen(id, chosen).map(|(_, edge)| self.mv(edge))
    }
}
