//! The way down, as far as the tree is known.

use ludens_core::{Game, Rng, Role};

use super::Search;
use crate::episode::Path;
use crate::tree::{Chosen, NodeId, Tree};
use crate::tree_policy::{Choice, TreePolicy};

/// How far a visit has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Walked {
    /// As many steps as were asked for, to this node.
    On(NodeId),
    /// To a node whose value is known, or whose moves are not.
    Stopped(NodeId),
    /// Back to a node where it has been before. Rules may lead back to a position; a simulation that
    /// went on from there might never end in the tree.
    Back(NodeId),
    /// To the edge of the tree: nobody knows yet where what was chosen in this node leads.
    Out(NodeId),
}

impl<G: Game> Search<G> {
    /// Goes on with a visit from a node, by so many steps at most. In every node each role chooses; those
    /// with one legal move have no choice.
    #[inline]
    pub(crate) fn walk(&mut self, ticket: u32, from: NodeId, most: usize, rng: &mut Rng) -> Walked {
        let Search { tree, tickets, policy, chosen, .. } = self;
        let path = &mut tickets[ticket as usize].path;
        let mut id = from;
        for _ in 0..most {
            if !tree.is_open(id) {
                return Walked::Stopped(id);
            }
            let child = match tree.decision(id) {
                Some((decider, range)) => {
                    let (first, decides) = (range.start as u32, range.len() > 1);
                    let choice = Choice::among(tree, path, id, (decider, range));
                    let place = if decides { policy.select(&choice, rng) as u32 } else { 0 };
                    path.push(id, Chosen::Alone(first + place));
                    tree.go_on(id, first + place)
                }
                None => step_jointly(tree, path, &mut **policy, chosen, id, rng),
            };
            match child {
                Some(child) if path.contains(child) => return Walked::Back(child),
                Some(child) => id = child,
                None => return Walked::Out(id),
            }
        }
        Walked::On(id)
    }
}

/// Several roles choose in a node. Where that leads, if it is known.
fn step_jointly(
    tree: &mut Tree,
    path: &mut Path,
    policy: &mut dyn TreePolicy,
    chosen: &mut Vec<u32>,
    node: NodeId,
    rng: &mut Rng,
) -> Option<NodeId> {
    let select = |role| {
        let choice = Choice::new(tree, path, node, role);
        let place = if choice.edges.len() > 1 { policy.select(&choice, rng) } else { 0 };
        (choice.first + place) as u32
    };
    chosen.clear();
    chosen.extend(Role::all(tree.n_roles()).map(select));
    path.push(node, &*chosen);
    tree.begin_visit(node, &*chosen);
    tree.child(node, &*chosen)
}
