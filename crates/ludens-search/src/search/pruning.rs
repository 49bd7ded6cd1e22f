//! Whether there is time to prune unreachable nodes.
//!
//! A long start clock yields a large tree, and the first move after it may have to be made at once. Pruning
//! visits all nodes and could be too slow, and it is optional: a search can start at any node of its tree.

use std::time::Duration;

use ludens_core::Budget;

/// The time it takes to prune a tree.
pub(super) struct Pruning {
    /// The time per node, as measured last.
    per_node: Duration,
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning { per_node: Duration::from_nanos(100) }
    }
}

/// Pruning may take 1 / `TIME_DIVISOR` of the remaining time.
const TIME_DIVISOR: u32 = 3;

/// The same if the tree cannot grow without pruning.
const TIME_DIVISOR_IF_FULL: u32 = 2;

/// The minimum number of nodes for a measurement; smaller trees are pruned too fast.
const MIN_MEASURED_NODES: usize = 10_000;

impl Pruning {
    /// Whether a tree with `n_nodes` nodes should be pruned. Without a time limit it always is, so that the
    /// result does not depend on the speed of the machine.
    pub(super) fn is_worth_it(&self, n_nodes: usize, full: bool, budget: &Budget) -> bool {
        let divisor = if full { TIME_DIVISOR_IF_FULL } else { TIME_DIVISOR };
        let takes = self.per_node.saturating_mul(n_nodes.try_into().unwrap_or(u32::MAX));
        budget.time_left().is_none_or(|left| takes <= left / divisor)
    }

    /// Records how long the pruning of a tree with `n_nodes` nodes took.
    pub(super) fn record(&mut self, n_nodes: usize, took: Option<Duration>) {
        if let Some(took) = took.filter(|_| n_nodes >= MIN_MEASURED_NODES) {
            self.per_node = took / n_nodes as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_tree_is_pruned_if_there_is_time_or_no_limit() {
        let pruning = Pruning { per_node: Duration::from_micros(1) };
        let hour = Budget::unlimited().with_time(Duration::from_hours(1));
        let second = Budget::unlimited().with_time(Duration::from_secs(1));
        assert!(pruning.is_worth_it(1_000_000, false, &Budget::unlimited().with_iterations(1)));
        assert!(pruning.is_worth_it(1_000_000, false, &hour));
        assert!(!pruning.is_worth_it(1_000_000, false, &second));
        // If the tree cannot grow without pruning, it may take half of the time.
        assert!(!pruning.is_worth_it(400_000, false, &second));
        assert!(pruning.is_worth_it(400_000, true, &second));
        let over = Budget::unlimited().with_time(Duration::ZERO);
        assert!(!pruning.is_worth_it(1, true, &over));
    }

    #[test]
    fn the_time_per_node_is_measured_on_large_trees() {
        let mut pruning = Pruning::default();
        let took = Some(Duration::from_secs(1));
        pruning.record(MIN_MEASURED_NODES - 1, took);
        assert_eq!(pruning.per_node, Pruning::default().per_node);
        pruning.record(1_000_000, None);
        assert_eq!(pruning.per_node, Pruning::default().per_node);
        pruning.record(1_000_000, took);
        assert_eq!(pruning.per_node, Duration::from_micros(1));
    }
}
