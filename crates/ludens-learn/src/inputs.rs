//! What a network reads of a state: its facts, alone or with what the rules compute from them.

use std::fmt;
use std::sync::Arc;

use ludens_core::{Game, Rng, Structure};
use serde::{Deserialize, Serialize};

use crate::batch::Lists;
use crate::lines::{LineCounts, LineScratch, Lines};

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
    /// How many inputs there are.
    len: usize,
    counts: Option<LineCounts>,
    rules: Option<Arc<dyn Structure>>,
}

/// Buffers of a computation of inputs.
#[derive(Clone, Debug, Default)]
pub struct InputScratch {
    /// The facts of a state.
    pub facts: Vec<u32>,
    lines: LineScratch,
    bits: Bits,
    computed: Vec<u32>,
}

impl Inputs {
    /// Inputs of a kind for a game with this many facts, or why the game does not have them.
    pub fn new<G: Game>(game: &G, kind: InputKind, n_facts: usize) -> Result<Self, String> {
        let len = kind.n_inputs(n_facts);
        let mut inputs = Inputs { kind, len, ..Inputs::facts(n_facts) };
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
        let kind = InputKind::Lines(lines);
        Inputs { len: kind.n_inputs(n_facts), kind, counts, ..Inputs::facts(n_facts) }
    }

    /// The facts themselves.
    pub fn facts(n_facts: usize) -> Self {
        let (kind, len) = (InputKind::Facts, n_facts);
        Inputs { kind, n_facts, len, counts: None, rules: None }
    }

    /// The kind.
    pub fn kind(&self) -> &InputKind {
        &self.kind
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.len
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
        if self.counts.is_none() && self.rules.is_none() {
            return out.push(scratch.facts.iter().copied());
        }
        scratch.bits.resize(self.len);
        let mut bits = std::mem::take(&mut scratch.bits);
        self.flip_into(scratch, &mut bits);
        scratch.computed.clear();
        bits.drain(|input| scratch.computed.push(input));
        scratch.bits = bits;
        out.push(scratch.computed.iter().copied());
    }

    /// Flips the inputs of a state with the facts in `scratch` in a set.
    fn flip_into(&self, scratch: &mut InputScratch, bits: &mut Bits) {
        let InputScratch { facts, lines, computed, .. } = scratch;
        if let Some(rules) = &self.rules {
            computed.clear();
            rules.true_nodes(facts, computed);
            return bits.flip_all(computed);
        }
        bits.flip_all(facts);
        if let Some(counts) = &self.counts {
            counts.flip_into(facts, lines, self.n_facts, bits);
        }
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

    /// Makes room for numbers below `n`.
    fn resize(&mut self, n: usize) {
        self.words.resize(n.div_ceil(64), 0);
    }

    /// Adds a number, or removes it. Returns whether it is in the set then.
    #[inline]
    pub(crate) fn flip(&mut self, i: usize) -> bool {
        let word = &mut self.words[i / 64];
        *word ^= 1 << (i % 64);
        *word >> (i % 64) & 1 == 1
    }

    /// Flips some numbers.
    fn flip_all(&mut self, numbers: &[u32]) {
        for &number in numbers {
            self.flip(number as usize);
        }
    }

    /// Empties the set, and calls `visit` with each of its numbers, in ascending order.
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(u32)) {
        for (word, first) in self.words.iter_mut().zip((0..).step_by(64)) {
            let mut left = std::mem::take(word);
            while left != 0 {
                visit(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
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

/// The inputs of the last position of a search, to which those of the next one are compared.
#[derive(Clone, Debug)]
pub(crate) struct LastInputs {
    inputs: Bits,
    changed: Bits,
}

impl LastInputs {
    /// Before the first position: no input is true.
    pub(crate) fn new(inputs: &Inputs) -> Self {
        LastInputs { inputs: Bits::new(inputs.len()), changed: Bits::new(inputs.len()) }
    }

    /// Continues with the position that has the facts in `scratch`.
    pub(crate) fn update(
        &mut self,
        inputs: &Inputs,
        scratch: &mut InputScratch,
        changes: &mut Changes,
    ) {
        changes.added.clear();
        changes.removed.clear();
        self.changed.words.copy_from_slice(&self.inputs.words);
        inputs.flip_into(scratch, &mut self.changed);
        let own = &mut self.inputs;
        self.changed.drain(|input| {
            let list =
                if own.flip(input as usize) { &mut changes.added } else { &mut changes.removed };
            list.push(input);
        });
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
