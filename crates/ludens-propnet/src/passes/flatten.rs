//! Merges conjunctions of conjunctions.

use super::{Forest, Wide};
use crate::circuit::Lit;

impl Forest {
    /// Merges conjunctions that have one reader, if that reader is a conjunction, and drops duplicate
    /// literals. Nodes with several readers stay, because they are computed once.
    pub(super) fn flatten(&mut self) {
        let readers = self.readers();
        let mut done = vec![false; self.nodes.len()];
        for node in 0..self.nodes.len() {
            self.flatten_node(node, &readers, &mut done);
        }
    }

    fn flatten_node(&mut self, root: usize, readers: &[u32], done: &mut [bool]) {
        let mut open = vec![root];
        while let Some(&node) = open.last() {
            if done[node] {
                open.pop();
                continue;
            }
            let Wide::All(parts) = &self.nodes[node] else {
                done[node] = true;
                continue;
            };
            let before = open.len();
            open.extend(parts.iter().map(|part| part.node()).filter(|&part| !done[part]));
            if open.len() > before {
                continue;
            }
            let mut flat: Vec<Lit> = Vec::with_capacity(parts.len());
            for &part in parts {
                match &self.nodes[part.node()] {
                    Wide::True if !part.is_negated() => {}
                    Wide::All(inner) if !part.is_negated() && readers[part.node()] == 1 => {
                        flat.extend(inner);
                    }
                    _ => flat.push(part),
                }
            }
            flat.sort_unstable();
            flat.dedup();
            self.nodes[node] = Wide::All(flat);
            done[node] = true;
        }
    }
}
