//! Forced playouts and policy target pruning (Wu 2019, section 3.2).

use super::super::{Choice, Puct};

/// The minimum visits of a move of the root that was visited at all: √(k·P·N).
fn n_forced(factor: f64, prior: f32, n_visits: f64) -> f64 {
    (factor * f64::from(prior) * n_visits).sqrt()
}

/// The first move that has fewer visits than its minimum.
pub(super) fn due(factor: f64, priors: &[f32], choice: &Choice<'_>) -> Option<usize> {
    let n_visits = f64::from(choice.visits);
    choice.edges.iter().zip(priors).position(|(edge, &prior)| {
        let visits = f64::from(edge.visits);
        edge.visits > 0 && !edge.is_lost() && visits < n_forced(factor, prior, n_visits)
    })
}

/// Removes forced visits that PUCT would not have made: from each move but the most visited, as many as its
/// score stays below that of the most visited move, values being equal, and at most its minimum. A move that
/// is left with a single visit loses it too.
pub(super) fn prune(
    factor: f64,
    puct: &Puct,
    priors: &[f32],
    choice: &Choice<'_>,
    visits: &mut [f64],
) {
    let most_visited = |&a: &usize, &b: &usize| visits[a].total_cmp(&visits[b]).then(b.cmp(&a));
    let Some(best) = (0..visits.len()).max_by(most_visited) else { return };
    let scale = puct.scale(choice.visits);
    let score =
        |i: usize, n: f64| choice.edges[i].mean() + scale * f64::from(priors[i]) / (1.0 + n);
    let highest = score(best, visits[best]);
    let n_visits = f64::from(choice.visits);
    for i in (0..visits.len()).filter(|&i| i != best) {
        let least = (visits[i] - n_forced(factor, priors[i], n_visits).floor()).max(0.0);
        while visits[i] > least && score(i, visits[i] - 1.0) < highest {
            visits[i] -= 1.0;
        }
        if visits[i] <= 1.0 {
            visits[i] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Path;
    use crate::testgames::HandTree;
    use crate::tree_policy::{FirstPlay, Growth};
    use ludens_core::Role;

    const PRIORS: [f32; 3] = [0.5, 0.3, 0.2];

    fn check(visits: [u32; 3], payoffs: [f32; 3], pruned: [u32; 3], due_now: Option<usize>) {
        let mut hand = HandTree::new();
        for (i, (&n, &payoff)) in visits.iter().zip(&payoffs).enumerate() {
            hand.visit(i as u32 + 1, payoff, n as usize);
        }
        let path = Path::new(2);
        let choice = Choice::new(&hand.tree, &path, hand.root, Role(0));
        let puct =
            Puct { exploration: 1.0, growth: Growth::SquareRoot, first: FirstPlay::Constant(0.5) };
        let mut learnt = visits.map(f64::from);
        prune(2.0, &puct, &PRIORS, &choice, &mut learnt);
        assert_eq!(learnt.map(|n| n as u32), pruned, "{visits:?}");
        assert_eq!(due(2.0, &PRIORS, &choice), due_now, "{visits:?}");
    }

    /// N = 100, so that √N = 10 and the minima are √100 = 10, √60 = 7.7 and √40 = 6.3.
    #[test]
    fn visits_that_puct_would_not_make_are_removed() {
        // The best has 0.8 + 5/86 = 0.858. For the second 0.5 + 3/(1+n) < 0.858 if n ≥ 8, for the third
        // 0.2 + 2/(1+n) < 0.858 if n ≥ 3.
        check([85, 8, 7], [0.8, 0.5, 0.2], [85, 8, 3], None);
        // The best has 0.8 + 5/81 = 0.862: n ≥ 8 as before, and for the third 2/(1+n) < 0.862 if n ≥ 2.
        check([80, 14, 6], [0.8, 0.5, 0.0], [80, 8, 2], Some(2));
        // A better move keeps its visits; a move with a single visit loses it.
        check([60, 39, 1], [0.6, 0.7, 0.1], [60, 39, 0], Some(2));
        // No more than the minimum is removed.
        check([70, 30, 0], [0.9, 0.1, 0.0], [70, 23, 0], None);
    }
}
