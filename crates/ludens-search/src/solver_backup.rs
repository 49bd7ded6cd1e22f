//! MCTS-Solver (Winands, Björnsson and Saito 2008) for any number of roles: what is proven about the end
//! of a way is passed up as far as it proves anything.

use crate::episode::Path;
use crate::tree::{NodeId, Tree};

/// The most that a role can get.
const BEST: f32 = 1.0;

/// Passes what is proven at the end of a way up to the root. Only where one role decides: there it is
/// proven that it gets the most if one of its moves is, and what its best move gives if all are.
pub(crate) fn prove(tree: &mut Tree, path: &Path) {
    for (node, chosen) in path.steps().rev() {
        if tree.settled(node).is_some() {
            continue;
        }
        let Some(child) = tree.child(node, chosen).filter(|&child| tree.settled(child).is_some())
        else {
            return;
        };
        let Some(payoffs) = settle(tree, node, chosen, child) else { return };
        tree.settle(node, &payoffs);
    }
}

/// Notes a lost move; gives the value of the node if it is proven.
fn settle(tree: &mut Tree, node: NodeId, chosen: &[u32], child: NodeId) -> Option<Vec<f32>> {
    let decider = tree.decider(node)?;
    let payoffs = tree.settled(child)?.to_vec();
    let edge = chosen[decider.index()] as usize;
    if payoffs[decider.index()] <= 0.0 {
        tree.lose(edge);
    }
    if payoffs[decider.index()] >= BEST {
        return Some(payoffs);
    }
    let mut best: Option<Vec<f32>> = None;
    for place in tree.range(node, decider) {
        let mut joint = chosen.to_vec();
        joint[decider.index()] = place as u32;
        let child = tree.child(node, &joint)?;
        let value = tree.settled(child)?;
        if best.as_ref().is_none_or(|best| value[decider.index()] > best[decider.index()]) {
            best = Some(value.to_vec());
        }
    }
    best
}
