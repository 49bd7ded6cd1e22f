//! Principal variations of a tree, and the values of roles.

use ludens_core::{Move, Role};

use crate::agent::Line;
use crate::tree::{Chosen, NodeId, Tree};

/// How many plies the most visited path is followed to the first choice of a role that has none at the root.
const MAX_PLIES: usize = 64;

/// The line of the most visited joint moves from a node on, at most `max_plies` long. The first joint move may be
/// forced to contain a given move of a role, visited or not.
pub(crate) fn line(
    tree: &Tree,
    root: NodeId,
    first: Option<(Role, Move)>,
    max_plies: usize,
) -> Line {
    let (mut line, mut seen, mut at) = (Line::new(), Vec::new(), Some(root));
    while let Some(id) = at.filter(|id| line.len() < max_plies && !seen.contains(id)) {
        let first = first.filter(|_| id == root);
        if !tree.is_expanded(id) || first.is_none() && tree.node(id).visits == 0 {
            break;
        }
        seen.push(id);
        let mut chosen = most_visited_edges(tree, id);
        if let Some((role, mv)) = first {
            let place = tree.moves(root, role).iter().position(|&known| known == mv);
            chosen[role.index()] = (tree.range(root, role).start + place.unwrap_or(0)) as u32;
        }
        line.push(chosen.iter().map(|&edge| tree.mv(edge as usize)).collect());
        at = tree.child(id, &chosen);
    }
    line
}

/// The most visited edge of each role in a node, as indices among all edges; the first one of ties.
pub(crate) fn most_visited_edges(tree: &Tree, id: NodeId) -> Vec<u32> {
    let most_visited = |role| {
        let range = tree.range(id, role);
        let visits = |&place: &usize| (tree.edge(place).visits, range.end - place);
        range.clone().max_by_key(visits).unwrap_or(range.start) as u32
    };
    Role::all(tree.n_roles()).map(most_visited).collect()
}

/// The mean payoff of a role below the root. If one role decides, a node keeps only its payoffs; for another role
/// the mean is weighted by the visits of the moves, each with the value of the first node below it in which that
/// role has a choice.
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
        if let Some(mean) = child.and_then(|child| value_along(tree, child, role)) {
            let visits = f64::from(tree.edge(place).visits);
            sum += visits * mean;
            weight += visits;
        }
    }
    (weight > 0.0).then(|| sum / weight)
}

/// The mean payoff of a role in the first node in which it has a choice, on the most visited path from a node.
fn value_along(tree: &Tree, from: NodeId, role: Role) -> Option<f64> {
    let mut id = from;
    for _ in 0..MAX_PLIES {
        if let Some(payoffs) = tree.proven(id) {
            return Some(f64::from(payoffs[role.index()]));
        }
        if !tree.is_expanded(id) {
            return None;
        }
        if tree.decider(id).is_none_or(|decider| decider == role) {
            return mean(tree, id, role);
        }
        id = tree.child(id, &most_visited_edges(tree, id))?;
    }
    None
}

/// The mean payoff of a role in a node that keeps its payoffs.
fn mean(tree: &Tree, id: NodeId, role: Role) -> Option<f64> {
    let edges = tree.edges(id, role);
    let visits: f64 = edges.iter().map(|edge| f64::from(edge.visits)).sum();
    (visits > 0.0).then(|| edges.iter().map(|edge| edge.value).sum::<f64>() / visits)
}
