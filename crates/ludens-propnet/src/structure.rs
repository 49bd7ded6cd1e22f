//! What a network shows about its game: symmetries, conjunctions, and the values of its gates.

mod conjunctions;
mod graph;
mod guide;
mod nodes;
mod outcomes;
mod outlook;
mod symmetry;

use std::sync::Arc;

use ludens_core::{Conjunction, Guide, Outlook, Role, Structure, Symmetry};

use crate::network::Network;

/// What a network shows about its game.
pub fn structure(network: Arc<Network>) -> Arc<dyn Structure> {
    Arc::new(NetworkStructure(network))
}

struct NetworkStructure(Arc<Network>);

impl Structure for NetworkStructure {
    fn symmetries(&self) -> Vec<Symmetry> {
        symmetry::find(&self.0)
    }

    fn conjunctions(&self, min_facts: usize) -> Vec<Conjunction> {
        conjunctions::find(&self.0, min_facts)
    }

    fn rows(&self) -> &[Vec<String>] {
        &self.0.rows
    }

    fn guide(&self, role: Role) -> Option<Box<dyn Guide>> {
        guide::guide(&self.0, role)
    }

    fn outlook(&self) -> Option<Box<dyn Outlook>> {
        outlook::outlook(&self.0)
    }

    fn counters(&self) -> Vec<u32> {
        guide::counters(&self.0)
    }

    fn n_nodes(&self) -> usize {
        self.0.net.gates.len()
    }

    fn true_nodes(&self, facts: &[u32], out: &mut Vec<u32>) {
        let mut fluents = vec![false; self.0.fluents.len()];
        for &fact in facts {
            fluents[fact as usize] = true;
        }
        let mut values = nodes::Values::new(&self.0.net);
        values.evaluate(&self.0.net, &fluents, &vec![false; self.0.does.len()]);
        out.extend(values.true_gates());
    }
}
