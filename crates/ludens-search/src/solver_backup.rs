//! MCTS-Solver (Winands, Björnsson and Saito 2008) for any number of roles: the proven value of a leaf is
//! backed up as far as it proves the values of its ancestors.

use crate::episode::Path;
use crate::tree::{Chosen, NodeId, Tree};

/// The maximum payoff of a role.
const MAX_PAYOFF: f32 = 1.0;

/// Backs up the proven value at the end of a path towards the root. Only nodes where one role decides can
/// be proven: by one move with the maximum payoff for that role, or by its best move if all are proven.
pub(crate) fn prove(tree: &mut Tree, path: &Path) {
    for (node, chosen) in path.steps().rev() {
        if tree.proven(node).is_some() {
            continue;
        }
        let Some(child) = tree.child(node, chosen).filter(|&child| tree.proven(child).is_some())
        else {
            return;
        };
        let Some(payoffs) = prove_node(tree, node, chosen, child) else { return };
        tree.prove(node, &payoffs);
    }
}

impl Tree {
    /// Whether an edge of the only role that decides in a node is proven to achieve the proven value of the
    /// node.
    pub fn is_proven_best(&self, id: NodeId, edge: usize) -> bool {
        let decider = self.decider(id).filter(|&decider| self.range(id, decider).contains(&edge));
        let (Some(value), Some(decider)) = (self.proven(id), decider) else { return false };
        let child = self.child(id, Chosen::Alone(edge as u32));
        let payoffs = child.and_then(|child| self.proven(child));
        payoffs.is_some_and(|payoffs| payoffs[decider.index()] >= value[decider.index()])
    }
}

/// Marks a proven loss; returns the value of the node if it is proven.
fn prove_node(
    tree: &mut Tree,
    node: NodeId,
    chosen: Chosen<'_>,
    child: NodeId,
) -> Option<Vec<f32>> {
    let decider = tree.decider(node)?;
    let payoffs = tree.proven(child)?.to_vec();
    if payoffs[decider.index()] <= 0.0 {
        tree.lose(chosen.by(decider));
    }
    if payoffs[decider.index()] >= MAX_PAYOFF {
        return Some(payoffs);
    }
    let mut best: Option<Vec<f32>> = None;
    for place in tree.range(node, decider) {
        let child = tree.child(node, Chosen::Alone(place as u32))?;
        let value = tree.proven(child)?;
        if best.as_ref().is_none_or(|best| value[decider.index()] > best[decider.index()]) {
            best = Some(value.to_vec());
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::HandTree;
    use ludens_core::Move;

    /// The hand-made tree with a child for each move; returns the children of the root's moves 1 and 3 and
    /// those of both moves below it.
    fn hand() -> (HandTree, [NodeId; 4]) {
        let mut hand = HandTree::new();
        let ends = [(); 4].map(|()| hand.tree.add());
        let (root, below) = (hand.root, hand.below);
        let links = [(root, [0, 3]), (root, [2, 3]), (below, [4, 5]), (below, [4, 6])];
        links.iter().zip(ends).for_each(|((id, chosen), end)| hand.tree.link(*id, chosen, end));
        (hand, ends)
    }

    fn proven(hand: &HandTree, id: NodeId) -> Option<Vec<f32>> {
        hand.tree.proven(id).map(<[f32]>::to_vec)
    }

    #[test]
    fn a_win_of_the_decider_proves_the_node() {
        let (mut hand, [_, _, _, fifth]) = hand();
        hand.tree.prove(fifth, &[0.0, 1.0]);
        prove(&mut hand.tree, &hand.path);
        assert_eq!(proven(&hand, hand.below), Some(vec![0.0, 1.0]));
        // For role 0 the move 2 is a proven loss, but the root is not proven.
        assert!(hand.tree.edge(1).is_lost() && !hand.tree.edge(0).is_lost());
        assert_eq!(proven(&hand, hand.root), None);
    }

    #[test]
    fn the_best_move_counts_if_all_are_proven() {
        let (mut hand, [first, third, fourth, fifth]) = hand();
        hand.tree.prove(first, &[0.25, 0.75]);
        hand.tree.prove(third, &[0.0, 1.0]);
        hand.tree.prove(fifth, &[0.5, 0.5]);
        prove(&mut hand.tree, &hand.path);
        // The move 4 of role 1 may still be better.
        assert_eq!(proven(&hand, hand.below), None);
        hand.tree.prove(fourth, &[0.4, 0.6]);
        prove(&mut hand.tree, &hand.path);
        assert_eq!(proven(&hand, hand.below), Some(vec![0.4, 0.6]));
        assert_eq!(proven(&hand, hand.root), Some(vec![0.4, 0.6]));
        // Of the moves 1, 2 and 3 of role 0, with 0.25, 0.4 and 0, the second one; the other role only waits.
        let best: Vec<_> =
            (0..4).filter(|&edge| hand.tree.is_proven_best(hand.root, edge)).collect();
        assert_eq!(best, [1]);
        assert!(!hand.tree.is_proven_best(fourth, 0), "a node without moves");
    }

    #[test]
    fn nothing_is_proven_if_several_roles_decide() {
        let mut tree = Tree::new(2);
        let (root, end) = (tree.add(), tree.add());
        let moves = [1, 2].map(Move);
        tree.expand(root, [&moves[..], &moves].into_iter());
        tree.link(root, &[0, 2], end);
        tree.prove(end, &[1.0, 0.0]);
        let mut path = Path::new(2);
        path.push(root, &[0, 2]);
        prove(&mut tree, &path);
        assert_eq!(tree.proven(root), None);
    }
}
