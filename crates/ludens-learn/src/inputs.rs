//! What a network reads of a state: its facts, alone or with what the rules compute from them.

use std::fmt;
use std::sync::Arc;

use ludens_core::{Game, Rng, Structure};
use serde::{Deserialize, Serialize};

use crate::batch::Lists;
use crate::lines::{GroupCounts, LineCounts, LineState, Lines};

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

    /// Facts and lines.
    #[cfg(test)]
    pub(crate) fn with_lines(lines: Lines, n_facts: usize) -> Self {
        let counts = Some(LineCounts::new(&lines, n_facts));
        Inputs { kind: InputKind::Lines(lines), counts, ..Inputs::facts(n_facts) }
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

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// No number of those below `n`.
    pub(crate) fn new(n: usize) -> Self {
        Bits { words: vec![0; n.div_ceil(64)] }
    }

    /// Adds a number, or removes it.
    #[inline]
    pub(crate) fn flip(&mut self, i: usize) {
        self.words[i / 64] ^= 1 << (i % 64);
    }

    /// Empties the set, and calls `visit` with each of its numbers, in ascending order.
    fn drain(&mut self, mut visit: impl FnMut(u32)) {
        for (word, first) in self.words.iter_mut().zip((0..).step_by(64)) {
            let mut left = std::mem::take(word);
            while left != 0 {
                visit(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    /// Flips a number, and files it by whether it is in the set then.
    #[inline]
    fn flip_into(&mut self, i: u32, number: u32, changes: &mut Changes) {
        let word = &mut self.words[i as usize / 64];
        *word ^= 1 << (i % 64);
        let added = *word >> (i % 64) & 1 == 1;
        if added { &mut changes.added } else { &mut changes.removed }.push(number);
    }
}

/// Inputs that have changed from one position to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Those that have become true.
    pub added: Vec<u32>,
    /// Those that have become false.
    pub removed: Vec<u32>,
}

/// The inputs of the last position of a search, from which those of the next one are computed.
#[derive(Clone, Debug)]
pub(crate) struct TrackedInputs {
    /// Facts, or nodes.
    facts: Bits,
    lines: Option<LineState>,
    /// What the next position has to flip.
    changed: Bits,
    changed_lines: Bits,
}

impl TrackedInputs {
    /// Before the first position: no input is true.
    pub(crate) fn new(inputs: &Inputs) -> Self {
        let n_facts = if inputs.rules.is_some() { inputs.len() } else { inputs.n_facts };
        let mut changed_lines = Bits::new(inputs.len() - n_facts);
        let counts = inputs.counts.as_ref();
        TrackedInputs {
            facts: Bits::new(n_facts),
            lines: counts.map(|counts| counts.empty_state(&mut changed_lines)),
            changed: Bits::new(n_facts),
            changed_lines,
        }
    }

    /// Continues with the position that has the facts in `scratch`.
    pub(crate) fn update(
        &mut self,
        inputs: &Inputs,
        scratch: &mut InputScratch,
        changes: &mut Changes,
    ) {
        let InputScratch { facts, computed, .. } = scratch;
        changes.added.clear();
        changes.removed.clear();
        if let Some(rules) = &inputs.rules {
            computed.clear();
            rules.true_nodes(facts, computed);
            std::mem::swap(facts, computed);
        }
        self.changed.words.clone_from(&self.facts.words);
        facts.iter().for_each(|&fact| self.changed.flip(fact as usize));
        self.changed.drain(|fact| self.facts.flip_into(fact, fact, changes));
        let (Some(counts), Some(state)) = (&inputs.counts, &mut self.lines) else { return };
        let facts = [(&changes.removed, false), (&changes.added, true)];
        for (facts, is_true) in facts {
            for &fact in facts {
                counts.change(state, fact, is_true, &mut self.changed_lines);
            }
        }
        let first = inputs.n_facts as u32;
        self.changed_lines.drain(|line| state.inputs.flip_into(line, first + line, changes));
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
