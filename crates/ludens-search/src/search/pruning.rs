//! Whether there is time to prune the nodes that cannot be reached any more.
//!
//! A long start clock makes a large tree, and the first move after it may have to come at once. Visiting
//! all nodes would make it late, and is not needed: a search can begin at any node of its tree.

use std::time::Duration;

use ludens_core::Budget;

/// How long it takes to prune a tree.
pub(super) struct Pruning {
    /// For each node, as measured the last time.
    per_node: Duration,
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning { per_node: Duration::from_nanos(100) }
    }
}

/// Pruning may take one part in so many of the time that is left…
const TIME_PART: u32 = 3;

/// …and one in so many if the tree cannot grow without it.
const TIME_PART_IF_FULL: u32 = 2;

/// Smaller trees are too fast to be measured.
const MEASURED_NODES: usize = 10_000;

impl Pruning {
    /// Whether a tree with so many nodes should be pruned. Without a clock it always is, so that the result
    /// does not depend on the speed of the machine.
    pub(super) fn is_worth_it(&self, n_nodes: usize, full: bool, budget: &Budget) -> bool {
        let part = if full { TIME_PART_IF_FULL } else { TIME_PART };
        let takes = self.per_node.saturating_mul(n_nodes.try_into().unwrap_or(u32::MAX));
        budget.time_left().is_none_or(|left| takes <= left / part)
    }

    /// Learns from what so many nodes took.
    pub(super) fn note(&mut self, n_nodes: usize, took: Option<Duration>) {
        if let Some(took) = took.filter(|_| n_nodes >= MEASURED_NODES) {
            self.per_node = took / n_nodes as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_tree_is_pruned_when_there_is_time_or_no_clock() {
        let pruning = Pruning { per_node: Duration::from_micros(1) };
        let hour = Budget::unlimited().with_time(Duration::from_hours(1));
        let second = Budget::unlimited().with_time(Duration::from_secs(1));
        assert!(pruning.is_worth_it(1_000_000, false, &Budget::unlimited().with_iterations(1)));
        assert!(pruning.is_worth_it(1_000_000, false, &hour));
        assert!(!pruning.is_worth_it(1_000_000, false, &second));
        // Where the tree cannot grow without it, it may take half of the time.
        assert!(!pruning.is_worth_it(400_000, false, &second));
        assert!(pruning.is_worth_it(400_000, true, &second));
        let over = Budget::unlimited().with_time(Duration::ZERO);
        assert!(!pruning.is_worth_it(1, true, &over));
    }

    #[test]
    fn what_it_takes_is_learnt_from_large_trees() {
        let mut pruning = Pruning::default();
        let took = Some(Duration::from_secs(1));
        pruning.note(MEASURED_NODES - 1, took);
        assert_eq!(pruning.per_node, Pruning::default().per_node);
        pruning.note(1_000_000, None);
        assert_eq!(pruning.per_node, Pruning::default().per_node);
        pruning.note(1_000_000, took);
        assert_eq!(pruning.per_node, Duration::from_micros(1));
    }
}
