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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::self_play::SelfPlay;
    use ludens_core::{Budget, View};
    use ludens_games::breakthrough;
    use ludens_search::{EvaluatedPosition, FnEvaluator, Job, Value, Watch, drive};

    fn even<S>(positions: &[EvaluatedPosition<S>]) -> Vec<Value> {
        positions.iter().map(|_| Value { payoffs: vec![0.5; 2], priors: Vec::new() }).collect()
    }

    #[test]
    fn a_proof_leads_from_the_root_to_the_end_by_best_moves() {
        let game = Arc::new(breakthrough::game(5));
        let mut rng = Rng::new(5);
        let (mut n_proofs, mut view) = (0, View::default());
        for seed in 0..20 {
            let mut searcher = SelfPlay::default().searcher(&game, seed);
            let mut state = game.initial();
            loop {
                game.look(&state, &mut view);
                if view.is_over() {
                    break;
                }
                // An earlier search may have proven the value of this position.
                if searcher.set_root(&state) {
                    let mut jobs = [Job { searcher: &mut searcher, simulations: 300, n_done: 0 }];
                    let mut evaluator = FnEvaluator::new(1, even);
                    drive(&mut jobs, &mut evaluator, &Budget::unlimited(), &mut Watch::none());
                }
                if searcher.search.is_proven() {
                    check(&*game, &searcher.search, &line(&searcher.search, &mut rng));
                    n_proofs += 1;
                    break;
                }
                game.play(&mut state, &view.random_joint(&mut rng));
            }
        }
        assert!(n_proofs > 10, "{n_proofs}");
    }

    fn check<G: Game>(game: &G, search: &Search<G>, line: &[NodeId]) {
        let tree = search.tree();
        assert_eq!(line[0], search.root());
        let value = tree.proven(line[0]).unwrap();
        let mut view = View::default();
        for (i, &node) in line.iter().enumerate() {
            assert_eq!(tree.proven(node), Some(value), "best moves keep the value");
            let decider = tree.decider(node).unwrap();
            let mut policy = Vec::new();
            append_policy(search, node, decider, &mut policy);
            // The winner knows its best moves; for the loser no move is better.
            let sum: f64 = policy.iter().sum();
            assert!((sum - f64::from(value[decider.index()])).abs() < 1e-9, "{policy:?}");
            game.look(search.state(node), &mut view);
            assert!(!view.terminal);
            let leads_to = |m| {
                let mut joint: Vec<_> = view.legal.iter().map(|legal| legal[0]).collect();
                joint[decider.index()] = m;
                let mut next = search.state(node).clone();
                game.play(&mut next, &joint);
                if let Some(&below) = line.get(i + 1) {
                    return next == *search.state(below);
                }
                let mut view = View::default();
                game.look(&next, &mut view);
                view.terminal
            };
            assert!(view.legal[decider].iter().any(|&m| leads_to(m)), "position {i} of the line");
        }
    }
}
