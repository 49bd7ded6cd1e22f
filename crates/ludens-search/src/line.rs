//! What a tree expects: lines of play, and what they are worth.

use ludens_core::{Move, Role};

use crate::agent::Line;
use crate::tree::{Chosen, NodeId, Tree};

/// How far down a role is followed that has no choice at the root.
const FOLLOWED: usize = 64;

/// The joint moves that were chosen most often from a node on, one after the other, so many at most.
/// The first one may be that of a role's given move, whether it was chosen or not.
pub(crate) fn line(tree: &Tree, root: NodeId, first: Option<(Role, Move)>, most: usize) -> Line {
    let (mut line, mut met, mut at) = (Line::new(), Vec::new(), Some(root));
    while let Some(id) = at.filter(|id| line.len() < most && !met.contains(id)) {
        let first = first.filter(|_| id == root);
        if !tree.is_expanded(id) || first.is_none() && tree.node(id).visits == 0 {
            break;
        }
        met.push(id);
        let mut chosen = favourites(tree, id);
        if let Some((role, mv)) = first {
            let place = tree.moves(root, role).iter().position(|&known| known == mv);
            chosen[role.index()] = (tree.range(root, role).start + place.unwrap_or(0)) as u32;
        }
        line.push(chosen.iter().map(|&edge| tree.mv(edge as usize)).collect());
        at = tree.child(id, &chosen);
    }
    line
}

/// What each role chose most often in a node, as places among all edges; the first of equals.
pub(crate) fn favourites(tree: &Tree, id: NodeId) -> Vec<u32> {
    let most = |role| {
        let range = tree.range(id, role);
        let visits = |&place: &usize| (tree.edge(place).visits, range.end - place);
        range.clone().max_by_key(visits).unwrap_or(range.start) as u32
    };
    Role::all(tree.n_roles()).map(most).collect()
}

/// The mean payoff of a role below the root. Where one role decides, only its payoffs are kept; for
/// the others each move counts by what it led to where they first had a choice themselves.
pub(crate) fn worth(tree: &Tree, root: NodeId, role: Role) -> Option<f64> {
    if let Some(payoffs) = tree.proven(root) {
        return Some(f64::from(payoffs[role.index()]));
    }
    let Some(decider) = tree.decider(root).filter(|&decider| decider != role) else {
        return mean(tree, root, role);
    };
    let (mut sum, mut weight) = (0.0, 0.0);
    for place in tree.range(root, decider) {
        let child = tree.child(root, Chosen::Alone(place as u32));
        if let Some(mean) = child.and_then(|child| worth_along(tree, child, role)) {
            let visits = f64::from(tree.edge(place).visits);
            sum += visits * mean;
            weight += visits;
        }
    }
    (weight > 0.0).then(|| sum / weight)
}

/// What a role got where it first had a choice, on the most visited path from a node.
fn worth_along(tree: &Tree, from: NodeId, role: Role) -> Option<f64> {
    let mut id = from;
    for _ in 0..FOLLOWED {
        if let Some(payoffs) = tree.proven(id) {
            return Some(f64::from(payoffs[role.index()]));
        }
        if !tree.is_expanded(id) {
            return None;
        }
        if tree.decider(id).is_none_or(|decider| decider == role) {
            return mean(tree, id, role);
        }
        id = tree.child(id, &favourites(tree, id))?;
    }
    None
}

/// The mean payoff of a role in a node in which its payoffs are kept.
fn mean(tree: &Tree, id: NodeId, role: Role) -> Option<f64> {
    let edges = tree.edges(id, role);
    let visits: f64 = edges.iter().map(|edge| f64::from(edge.visits)).sum();
    (visits > 0.0).then(|| edges.iter().map(|edge| edge.value).sum::<f64>() / visits)
}
