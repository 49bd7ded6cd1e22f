//! What a network reads of a state: its facts, alone or with what the rules compute from them.

use std::fmt;
use std::sync::Arc;

use ludens_core::{Game, Rng, Structure};
use serde::{Deserialize, Serialize};

use crate::batch::Lists;
use crate::lines::{GroupCounts, LineCounts, Lines};

/// The kind of inputs, as plain data that files store.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// The facts.
    #[default]
    Facts,
    /// The facts, and the lines that are nearly complete.
    Lines(Lines),
    /// All nodes of the propositional network instead of the facts (Goldwaser and Thielscher 2020).
    Nodes(usize),
}

impl InputKind {
    /// The facts, and lines if the rules of the game have any.
    pub fn enriched<G: Game>(game: &G, rng: &mut Rng) -> Self {
        Lines::learn(game, rng).map_or(InputKind::Facts, InputKind::Lines)
    }

    /// All nodes of the network of the rules; the facts if the game has none.
    pub fn nodes<G: Game>(game: &G) -> Self {
        game.structure().map_or(InputKind::Facts, |rules| InputKind::Nodes(rules.n_nodes()))
    }

    /// The number of inputs for a game with this many facts.
    pub fn n_inputs(&self, n_facts: usize) -> usize {
        match self {
            InputKind::Facts => n_facts,
            InputKind::Lines(lines) => n_facts + lines.n_inputs(),
            InputKind::Nodes(n_nodes) => *n_nodes,
        }
    }

    /// Whether it refers to no facts beyond `n_facts`.
    pub(crate) fn is_valid(&self, n_facts: usize) -> bool {
        match self {
            InputKind::Lines(lines) => lines.is_valid(n_facts),
            InputKind::Facts | InputKind::Nodes(_) => true,
        }
    }
}

/// Computes inputs from facts, which are numbered as the network's first inputs.
#[derive(Clone)]
pub struct Inputs {
    kind: InputKind,
    n_facts: usize,
    counts: Option<LineCounts>,
    rules: Option<Arc<dyn Structure>>,
}

/// Buffers of a computation of inputs.
#[derive(Clone, Debug, Default)]
pub struct InputScratch {
    /// The facts of a state.
    pub facts: Vec<u32>,
    missing: Vec<u16>,
    groups: Vec<GroupCounts>,
    computed: Vec<u32>,
}

impl Inputs {
    /// Inputs of a kind for a game with this many facts, or why the game does not have them.
    pub fn new<G: Game>(game: &G, kind: InputKind, n_facts: usize) -> Result<Self, String> {
        let mut inputs = Inputs { kind, ..Inputs::facts(n_facts) };
        match &inputs.kind {
            InputKind::Facts => {}
            InputKind::Lines(lines) => inputs.counts = Some(LineCounts::new(lines, n_facts)),
            InputKind::Nodes(n) => {
                let rules = game.structure().filter(|rules| rules.n_nodes() == *n);
                let why = || format!("its propositional network does not have {n} nodes");
                inputs.rules = Some(rules.ok_or_else(why)?);
            }
        }
        Ok(inputs)
    }

    /// The facts themselves.
    pub fn facts(n_facts: usize) -> Self {
        Inputs { kind: InputKind::Facts, n_facts, counts: None, rules: None }
    }

    /// The kind.
    pub fn kind(&self) -> &InputKind {
        &self.kind
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.kind.n_inputs(self.n_facts)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What an input stands for, given the names of the facts.
    pub fn name(&self, input: usize, facts: &[String]) -> String {
        match &self.kind {
            InputKind::Nodes(_) => format!("node {input}"),
            InputKind::Lines(lines) if input >= facts.len() => {
                lines.input_name(input - facts.len(), facts)
            }
            _ => facts[input].clone(),
        }
    }

    /// Adds the inputs of a state with the facts in `scratch` to a list.
    pub fn push(&self, scratch: &mut InputScratch, out: &mut Lists) {
        let InputScratch { facts, missing, groups, computed } = scratch;
        computed.clear();
        if let Some(counts) = &self.counts {
            counts.append(facts, (missing, groups), self.n_facts as u32, computed);
        } else if let Some(rules) = &self.rules {
            rules.true_nodes(facts, computed);
            facts.clear();
        }
        out.push(facts.iter().chain(&*computed).copied());
    }
}

impl PartialEq for Inputs {
    fn eq(&self, other: &Self) -> bool {
        (&self.kind, self.n_facts) == (&other.kind, other.n_facts)
    }
}

impl Eq for Inputs {}

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs").field("kind", &self.kind).finish_non_exhaustive()
    }
}
