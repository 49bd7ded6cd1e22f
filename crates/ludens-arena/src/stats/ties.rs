//! Ties of several players in a ranking.

/// Ties of up to this many players are averaged over all orders.
const MAX_EXACT_TIE: usize = 8;

/// The sets that remain while tied players are drawn in any order, and the share of orders in which
/// each set occurs. For large ties, only cyclic orders count.
pub(super) fn remainders(group: &[usize]) -> Vec<(Vec<usize>, f64)> {
    let n = group.len();
    if n <= MAX_EXACT_TIE {
        let members = |set: u32| (0..n).filter(move |i| set >> i & 1 == 1).map(|i| group[i]);
        let share = |set: u32| 1.0 / combinations(n, set.count_ones() as usize);
        return (1u32..1 << n).map(|set| (members(set).collect(), share(set))).collect();
    }
    let arc = |start: usize, len: usize| (start..start + len).map(|i| group[i % n]).collect();
    (0..n * n).map(|i| (arc(i % n, i / n + 1), 1.0 / n as f64)).collect()
}

fn combinations(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_the_average_of_all_orders() {
        let mut found = remainders(&[4, 7, 9]);
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let third = 1.0 / 3.0;
        let expected = [
            (vec![4], third),
            (vec![4, 7], third),
            (vec![4, 7, 9], 1.0),
            (vec![4, 9], third),
            (vec![7], third),
            (vec![7, 9], third),
            (vec![9], third),
        ];
        assert_eq!(found, expected);
        let seats: Vec<usize> = (0..10).collect();
        // All sets of eight, and the arcs of nine at a round table.
        assert_eq!([8, 9].map(|n| remainders(&seats[..n]).len()), [255, 81]);
        let arcs = remainders(&seats[..9]);
        assert!(arcs.contains(&(vec![8, 0, 1], 1.0 / 9.0)), "{arcs:?}");
        assert!(arcs.iter().filter(|(left, _)| left.len() == 9).count() == 9);
        for (n, k, expected) in [(4, 0, 1.0), (5, 2, 10.0), (8, 4, 70.0), (6, 6, 1.0f64)] {
            assert!((combinations(n, k) - expected).abs() < 1e-12, "{n} {k}");
        }
    }
}
