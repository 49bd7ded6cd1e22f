//! What a proof teaches. A game ends as soon as its value is proven, so that no search sees its last positions:
//! the network would have to guess that four discs in a row can be completed. The proof has these positions,
//! with their values and best moves, and they cost no evaluation.

use ludens_core::{Game, Rng, Role};
use ludens_search::{Chosen, NodeId, Search};

/// The longest line.
const MAX_PLIES: usize = 64;

/// Proven positions from the root to the end of the game, the root first. Every role makes a random one of its
/// best moves: in a lost position that is any move.
pub(super) fn line<G: Game>(search: &Search<G>, rng: &mut Rng) -> Vec<NodeId> {
    let tree = search.tree();
    let (mut line, mut at) = (Vec::new(), Some(search.root()));
    // A terminal position is not expanded.
    while let Some(node) = at.filter(|&node| tree.is_expanded(node) && line.len() < MAX_PLIES) {
        line.push(node);
        let best: Vec<usize> = match tree.decider(node) {
            Some(decider) => {
                tree.range(node, decider).filter(|&edge| tree.is_proven_best(node, edge)).collect()
            }
            None => Vec::new(),
        };
        let chosen = (!best.is_empty()).then(|| best[rng.below(best.len())] as u32);
        at = chosen
            .and_then(|edge| tree.child(node, Chosen::Alone(edge)))
            .filter(|node| !line.contains(node));
    }
    line
}

/// Appends the policy of a role in a proven position: its best moves are equally probable. In a lost position no
/// move is better than another, and there is nothing to learn: all probabilities are zero.
pub(super) fn append_policy<G: Game>(
    search: &Search<G>,
    node: NodeId,
    role: Role,
    policy: &mut Vec<f64>,
) {
    let tree = search.tree();
    let (range, first) = (tree.range(node, role), policy.len());
    if range.len() == 1 {
        return policy.push(1.0);
    }
    let wins = tree.proven(node).is_some_and(|payoffs| payoffs[role.index()] > 0.0);
    policy.extend(range.map(|edge| f64::from(wins && tree.is_proven_best(node, edge))));
    let sum: f64 = policy[first..].iter().sum();
    policy[first..].iter_mut().for_each(|probability| *probability /= sum.max(1.0));
}
