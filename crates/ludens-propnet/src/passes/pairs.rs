//! Common subexpressions: pairs of literals that several conjunctions contain become nodes of their
//! own, the most frequent first (the greedy method of Paar, 1997).

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Forest, Wide};
use crate::circuit::Lit;

/// In longer conjunctions only literals within this distance are paired: the number of pairs grows
/// quadratically, and long conjunctions are few.
const PAIR_WINDOW: usize = 24;
/// With more pairs than this the search for common ones does not pay off.
const MAX_PAIRS: usize = 4_000_000;

type Pair = (Lit, Lit);

impl Forest {
    /// Extracts common pairs as long as that saves a gate.
    pub(super) fn pairs(&mut self) {
        let readers = self.readers();
        let mut found: Vec<(Pair, u32)> = Vec::new();
        for (node, _) in readers.iter().enumerate().filter(|(_, readers)| **readers > 0) {
            let Wide::All(parts) = &mut self.nodes[node] else { continue };
            parts.sort_unstable();
            for (i, &a) in parts.iter().enumerate() {
                found.extend(
                    parts[i + 1..].iter().take(PAIR_WINDOW).map(|&b| ((a, b), node as u32)),
                );
            }
            if found.len() > MAX_PAIRS {
                return;
            }
        }
        found.sort_unstable();
        let mut uses: FxHashMap<Pair, Vec<u32>> = FxHashMap::default();
        for run in found.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            uses.insert(run[0].0, run.iter().map(|&(_, node)| node).collect());
        }
        drop(found);
        let mut queue: BinaryHeap<(usize, Pair)> =
            uses.iter().map(|(&pair, nodes)| (nodes.len(), pair)).collect();
        while let Some((count, pair)) = queue.pop() {
            let Some(nodes) = uses.get_mut(&pair) else { continue };
            nodes.sort_unstable();
            nodes.dedup();
            nodes.retain(|&node| contains(&self.nodes[node as usize], pair));
            if nodes.len() < 2 {
                uses.remove(&pair);
            } else if nodes.len() < count {
                queue.push((nodes.len(), pair));
            } else {
                let nodes = uses.remove(&pair).expect("the pair has users");
                self.extract_pair(pair, &nodes, &mut uses, &mut queue);
            }
        }
    }

    /// Makes a pair a node, and records the new pairs that this creates.
    fn extract_pair(
        &mut self,
        pair: Pair,
        nodes: &[u32],
        uses: &mut FxHashMap<Pair, Vec<u32>>,
        queue: &mut BinaryHeap<(usize, Pair)>,
    ) {
        // A node that consists of the pair only is reused.
        let whole = nodes.iter().find(|&&node| self.len(node) == 2);
        let new = match whole {
            Some(&node) => Lit::of(node as usize),
            None => self.all(vec![pair.0, pair.1]),
        };
        let mut new_pairs: FxHashMap<Pair, Vec<u32>> = FxHashMap::default();
        for &node in nodes.iter().filter(|&&node| Lit::of(node as usize) != new) {
            let Wide::All(parts) = &mut self.nodes[node as usize] else { continue };
            parts.retain(|&part| part != pair.0 && part != pair.1);
            for &part in parts.iter().rev().take(PAIR_WINDOW) {
                new_pairs.entry((part.min(new), part.max(new))).or_default().push(node);
            }
            let position = parts.partition_point(|&part| part < new);
            parts.insert(position, new);
        }
        for (pair, nodes) in new_pairs {
            let users = uses.entry(pair).or_default();
            users.extend(nodes);
            if users.len() > 1 {
                queue.push((users.len(), pair));
            }
        }
    }

    fn len(&self, node: u32) -> usize {
        match &self.nodes[node as usize] {
            Wide::All(parts) => parts.len(),
            _ => 0,
        }
    }
}

fn contains(node: &Wide, (a, b): Pair) -> bool {
    let Wide::All(parts) = node else { return false };
    parts.binary_search(&a).is_ok() && parts.binary_search(&b).is_ok()
}
