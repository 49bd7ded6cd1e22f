//! Factors out literals that alternatives share: `(a ∧ b) ∨ (a ∧ c)` becomes `a ∧ (b ∨ c)`.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Forest, Wide};
use crate::circuit::Lit;

impl Forest {
    /// Factors every disjunction that is the only reader of its alternatives. The most frequent
    /// literal comes first; the rest of its alternatives is factored in turn.
    pub(super) fn factor(&mut self) {
        let readers = self.readers();
        // Nodes that factoring adds are checked as well.
        let mut node = 0;
        while node < self.nodes.len() {
            if readers.get(node).is_none_or(|&readers| readers > 0) {
                self.factor_node(node, &readers);
            }
            node += 1;
        }
    }

    /// A negated conjunction that only one node reads is an alternative that may be rewritten.
    fn alternative(&self, part: Lit, readers: &[u32]) -> Option<&Vec<Lit>> {
        // Nodes that factoring adds have one reader: the node for which they were added.
        let is_own = readers.get(part.node()).is_none_or(|&readers| readers == 1);
        match &self.nodes[part.node()] {
            Wide::All(parts) if part.is_negated() && is_own => Some(parts),
            _ => None,
        }
    }

    fn factor_node(&mut self, node: usize, readers: &[u32]) {
        let Wide::All(parts) = &self.nodes[node] else { return };
        let mut occurrences: FxHashMap<Lit, Vec<usize>> = FxHashMap::default();
        for (i, &part) in parts.iter().enumerate() {
            for &lit in self.alternative(part, readers).into_iter().flatten() {
                occurrences.entry(lit).or_default().push(i);
            }
        }
        occurrences.retain(|_, indices| indices.len() > 1);
        if occurrences.is_empty() {
            return;
        }
        let parts = parts.clone();
        let mut used = vec![false; parts.len()];
        let mut queue: BinaryHeap<(usize, Lit)> =
            occurrences.iter().map(|(&lit, indices)| (indices.len(), lit)).collect();
        let mut result = Vec::new();
        while let Some((count, lit)) = queue.pop() {
            let free: Vec<usize> =
                occurrences[&lit].iter().copied().filter(|&i| !used[i]).collect();
            if free.len() < 2 {
                continue;
            }
            if free.len() < count {
                queue.push((free.len(), lit));
                continue;
            }
            for &i in &free {
                used[i] = true;
            }
            let group: Vec<Lit> = free.iter().map(|&i| parts[i]).collect();
            result.push(!self.factor_out(lit, &group));
        }
        result.extend(parts.iter().zip(used).filter(|(_, used)| !used).map(|(&part, _)| part));
        self.nodes[node] = Wide::All(result);
    }

    /// The conjunction of a literal and the rest of the alternatives that contain it.
    fn factor_out(&mut self, lit: Lit, group: &[Lit]) -> Lit {
        let mut rests = Vec::with_capacity(group.len());
        for alternative in group {
            let Wide::All(parts) = &self.nodes[alternative.node()] else {
                unreachable!("alternatives are conjunctions")
            };
            let rest: Vec<Lit> = parts.iter().copied().filter(|&part| part != lit).collect();
            if rest.is_empty() {
                // The literal alone is one of the alternatives, and the others add nothing.
                return lit;
            }
            rests.push(!self.all(rest));
        }
        rests.sort_unstable();
        rests.dedup();
        let none_of_the_rests = self.all(rests);
        self.all(vec![lit, !none_of_the_rests])
    }
}
