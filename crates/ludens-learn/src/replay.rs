//! The replay buffer: positions of recent self-play, packed, bounded in bytes.
//!
//! A record is a list of 16-bit words: the true facts, for each role its legal moves and their
//! probabilities, and the payoffs. A position of breakthrough takes about 120 bytes.

use std::collections::VecDeque;

use ludens_core::Rng;

use crate::augment::Permutation;
use crate::batch::Batch;
use crate::encoder::Encoder;
use crate::gradient::Targets;
use crate::inputs::{InputScratch, Inputs};

/// How records of a game are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    n_roles: usize,
    /// Whether numbers of facts and moves take two words.
    wide: bool,
}

/// The scale of probabilities and payoffs in a word.
const ONE: f32 = u16::MAX as f32;

impl Format {
    /// The format for games with this many facts and moves of each role.
    pub fn new(n_facts: usize, n_moves: &[usize]) -> Self {
        let largest = n_moves.iter().copied().chain([n_facts]).max().unwrap_or(0);
        Format { n_roles: n_moves.len(), wide: largest > usize::from(u16::MAX) }
    }

    /// The format for an encoder: facts are written, and inputs are computed from them when a record is read.
    pub fn of(encoder: &Encoder) -> Self {
        Format::new(encoder.names().facts.len(), &encoder.n_moves())
    }

    fn write_number(self, number: usize, words: &mut Vec<u16>) {
        if self.wide {
            words.push((number >> 16) as u16);
        }
        words.push(number as u16);
    }

    fn read_number(self, words: &mut &[u16]) -> u32 {
        let high = if self.wide { read(words) } else { 0 };
        u32::from(high) << 16 | u32::from(read(words))
    }

    /// Writes the position with an index in a batch of facts; `policy` has the probabilities of all legal moves, role
    /// after role. [`Format::write_payoffs`] completes the record.
    pub fn write(self, batch: &Batch, b: usize, policy: &[f64], words: &mut Vec<u16>) {
        let facts = batch.inputs.get(b);
        self.write_number(facts.len(), words);
        for &fact in facts {
            self.write_number(fact as usize, words);
        }
        let mut policy = policy.iter();
        for legal in &batch.legal {
            let legal = legal.get(b);
            self.write_number(legal.len(), words);
            for &m in legal {
                self.write_number(m as usize, words);
            }
            words.extend(policy.by_ref().take(legal.len()).map(|&p| pack(p as f32)));
        }
    }

    /// Completes a record by the payoff of each role.
    pub fn write_payoffs(self, payoffs: impl Iterator<Item = f32>, words: &mut Vec<u16>) {
        let n_before = words.len();
        words.extend(payoffs.map(pack));
        debug_assert_eq!(words.len() - n_before, self.n_roles, "a payoff for each role");
    }

    /// Adds a record, or its image under a symmetry, to a batch with its targets. `inputs` computes the inputs
    /// from the facts.
    pub fn read(
        self,
        mut words: &[u16],
        symmetry: Option<&Permutation>,
        (inputs, scratch): (&Inputs, &mut InputScratch),
        batch: &mut Batch,
        targets: &mut Targets,
    ) {
        let words = &mut words;
        let n_facts = self.read_number(words);
        scratch.facts.clear();
        for _ in 0..n_facts {
            let fact = self.read_number(words);
            scratch.facts.push(symmetry.map_or(fact, |symmetry| symmetry.facts[fact as usize]));
        }
        inputs.push(scratch, &mut batch.inputs);
        let role = |role: usize| symmetry.map_or(role, |symmetry| symmetry.roles[role]);
        for own in 0..self.n_roles {
            let image = |m: u32| symmetry.map_or(m, |symmetry| symmetry.moves[own][m as usize]);
            let n_legal = self.read_number(words);
            batch.legal[role(own)].push((0..n_legal).map(|_| image(self.read_number(words))));
            let policy = &mut targets.policies[role(own)];
            let first = policy.len();
            policy.extend((0..n_legal).map(|_| unpack(read(words))));
            normalise(&mut policy[first..]);
        }
        let first = targets.payoffs.len();
        targets.payoffs.resize(first + self.n_roles, 0.0);
        for own in 0..self.n_roles {
            targets.payoffs[first + role(own)] = unpack(read(words));
        }
    }
}

fn read(words: &mut &[u16]) -> u16 {
    let (&first, rest) = words.split_first().expect("a record is complete");
    *words = rest;
    first
}

fn pack(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * ONE).round() as u16
}

fn unpack(word: u16) -> f32 {
    f32::from(word) / ONE
}

/// Rounded probabilities add up to one again.
fn normalise(policy: &mut [f32]) {
    let sum: f32 = policy.iter().sum();
    if sum > 0.0 {
        for probability in policy {
            *probability /= sum;
        }
    }
}

/// Records in the order in which they were made; the oldest are overwritten when the memory is full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    pub(crate) words: Vec<u16>,
    max_words: usize,
    /// Where the next record is written.
    pub(crate) at: usize,
    /// Start and length of each record, the oldest first.
    pub(crate) records: VecDeque<(usize, u32)>,
}

impl Replay {
    /// An empty buffer of at most `max_bytes`.
    pub fn new(max_bytes: usize) -> Self {
        // A record has about as many words as its entry in the list has, or more.
        let max_words = (max_bytes / (2 * size_of::<u16>())).max(1);
        Replay { words: Vec::new(), max_words, at: 0, records: VecDeque::new() }
    }

    /// A buffer of at most `max_bytes` with these contents; `None` if they are inconsistent.
    pub(crate) fn restore(
        max_bytes: usize,
        words: Vec<u16>,
        at: usize,
        records: VecDeque<(usize, u32)>,
    ) -> Option<Self> {
        let empty = Replay::new(max_bytes);
        let fits = |&(start, len): &(usize, u32)| {
            start.checked_add(len as usize).is_some_and(|end| end <= words.len())
        };
        let fits = words.len() <= empty.max_words && at <= words.len() && records.iter().all(fits);
        fits.then_some(Replay { words, at, records, ..empty })
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u16>()
            + self.records.capacity() * size_of::<(usize, u32)>()
    }

    /// Adds a record. One that is larger than the whole buffer is dropped.
    pub fn push(&mut self, record: &[u16]) {
        if record.len() > self.max_words || record.is_empty() {
            return;
        }
        if self.at + record.len() > self.max_words {
            self.drop_from(self.at..self.max_words);
            self.at = 0;
        }
        let range = self.at..self.at + record.len();
        self.drop_from(range.clone());
        if self.words.len() < range.end {
            self.words.resize(range.end, 0);
        }
        self.words[range.clone()].copy_from_slice(record);
        self.records.push_back((range.start, record.len() as u32));
        self.at = range.end;
        // Short records must not make the list of records larger than the records.
        if self.records.len() * size_of::<(usize, u32)>() > self.max_words * size_of::<u16>() {
            self.records.pop_front();
        }
    }

    /// Drops the oldest records as long as they begin in a range.
    fn drop_from(&mut self, range: std::ops::Range<usize>) {
        while self.records.front().is_some_and(|(start, _)| range.contains(start)) {
            self.records.pop_front();
        }
    }

    /// The record with an index, the oldest first.
    pub fn get(&self, i: usize) -> &[u16] {
        let (start, len) = self.records[i];
        &self.words[start..start + len as usize]
    }

    /// The index of a random record of the newest `window`. There must be one.
    pub fn sample(&self, window: usize, rng: &mut Rng) -> usize {
        let n = window.clamp(1, self.len());
        self.len() - n + rng.below(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        for n_inputs in [10, 100_000] {
            let format = Format::new(n_inputs, &[8, 3]);
            let mut batch = Batch::new(2);
            batch.inputs.push([0, n_inputs as u32 - 1]);
            batch.legal[0].push([1, 7, 4]);
            batch.legal[1].push([2]);
            let mut words = Vec::new();
            format.write(&batch, 0, &[0.5, 0.25, 0.25, 1.0], &mut words);
            format.write_payoffs([1.0, 0.25].into_iter(), &mut words);
            let (mut back, mut targets) = (Batch::new(2), Targets::default());
            targets.policies.resize(2, Vec::new());
            let mut inputs = (Inputs::facts(n_inputs), InputScratch::default());
            format.read(&words, None, (&inputs.0, &mut inputs.1), &mut back, &mut targets);
            assert_eq!(back, batch);
            let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(near(&targets.payoffs, &[1.0, 0.25]), "{:?}", targets.payoffs);
            assert!(near(&targets.policies[0], &[0.5, 0.25, 0.25]), "{:?}", targets.policies);
            assert_eq!((targets.policies[0].len(), &targets.policies[1][..]), (3, &[1.0][..]));
        }
    }

    #[test]
    fn a_symmetry_maps_facts_roles_and_moves() {
        let format = Format::new(4, &[3, 2]);
        let mut batch = Batch::new(2);
        batch.inputs.push([0, 3]);
        batch.legal[0].push([0, 1]);
        batch.legal[1].push([1]);
        let mut words = Vec::new();
        format.write(&batch, 0, &[0.75, 0.25, 1.0], &mut words);
        format.write_payoffs([1.0, 0.25].into_iter(), &mut words);
        // The moves of a role are numbered as those of its image.
        let symmetry = Permutation {
            facts: vec![2, 1, 0, 3],
            roles: vec![1, 0],
            moves: vec![vec![1, 0, 2], vec![0, 2]],
        };
        let (mut image, mut targets) = (Batch::new(2), Targets::default());
        targets.policies.resize(2, Vec::new());
        let mut inputs = (Inputs::facts(4), InputScratch::default());
        let encoded = (&inputs.0, &mut inputs.1);
        format.read(&words, Some(&symmetry), encoded, &mut image, &mut targets);
        assert_eq!(image.inputs.get(0), [2, 3]);
        assert_eq!((image.legal[0].get(0), image.legal[1].get(0)), (&[2][..], &[1, 0][..]));
        assert!((targets.policies[1][0] - 0.75).abs() < 1e-4, "{:?}", targets.policies);
        assert!((targets.payoffs[0] - 0.25).abs() < 1e-4 && targets.payoffs[1] > 0.99);
    }

    #[test]
    fn the_newest_records_are_kept_within_the_bytes() {
        let mut rng = Rng::new(3);
        let mut replay = Replay::new(4000);
        let record = |i: u16, len: usize| vec![i; len];
        let mut lens = Vec::new();
        for i in 0..2000 {
            let len = 1 + rng.below(40);
            lens.push(len);
            replay.push(&record(i, len));
            assert!(replay.bytes() <= 8000, "{}", replay.bytes());
            let first = usize::from(i) + 1 - replay.len();
            for k in 0..replay.len() {
                assert_eq!(replay.get(k), record((first + k) as u16, lens[first + k]));
            }
        }
        assert!(replay.len() > 20);
        let newest = |replay: &Replay, rng: &mut Rng| replay.get(replay.sample(1, rng))[0];
        assert_eq!(newest(&replay, &mut rng), 1999);
        replay.push(&record(1, 100_000));
        assert_eq!(newest(&replay, &mut rng), 1999, "a record that does not fit is dropped");
    }
}
