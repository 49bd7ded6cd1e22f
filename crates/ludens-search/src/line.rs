//! The lines of a tree: what is expected to be played.

use ludens_core::{Move, Role};

use crate::agent::Line;
use crate::tree::{NodeId, Tree};

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
