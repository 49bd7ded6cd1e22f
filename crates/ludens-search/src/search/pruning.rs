//! Whether there is time to throw away what cannot be reached any more.
//!
//! A long start clock makes a large tree, and the first move after it may have to come at once. Going over
//! all nodes would make it late, and is not needed: a search can begin at any node of its tree.

use std::time::Duration;

use ludens_core::Budget;

/// What going over the nodes of a tree takes.
pub(super) struct Pruning {
    /// For each node, as seen the last time.
    per_node: Duration,
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning { per_node: Duration::from_nanos(100) }
    }
}

/// This part of the time that is left may go into it, and this one if the tree cannot grow without it.
const PART: u32 = 3;
const PART_IF_FULL: u32 = 2;

/// Of fewer nodes nothing is learnt about what takes how long.
const MANY: usize = 10_000;

impl Pruning {
    /// Whether a tree with so many nodes should be tidied. Without a clock it always is, so that what a search
    /// finds does not depend on how fast a machine is.
    pub(super) fn is_worth_it(&self, n_nodes: usize, full: bool, budget: &Budget) -> bool {
        let part = if full { PART_IF_FULL } else { PART };
        let takes = self.per_node.saturating_mul(n_nodes.try_into().unwrap_or(u32::MAX));
        budget.time_left().is_none_or(|left| takes <= left / part)
    }

    /// Learns from what so many nodes took.
    pub(super) fn note(&mut self, n_nodes: usize, took: Option<Duration>) {
        if let Some(took) = took.filter(|_| n_nodes >= MANY) {
            self.per_node = took / n_nodes as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_tree_is_tidied_when_there_is_time_or_no_clock() {
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
        pruning.note(MANY - 1, took);
        assert_eq!(pruning.per_node, Pruning::default().per_node);
        pruning.note(1_000_000, None);
        assert_eq!(pruning.per_node, Pruning::default().per_node);
        pruning.note(1_000_000, took);
        assert_eq!(pruning.per_node, Duration::from_micros(1));
    }
}
