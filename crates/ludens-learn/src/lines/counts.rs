//! How many facts of each line are missing: all lines at once, in bits.

use std::ops::Range;

use super::Lines;
use crate::inputs::Bits;

/// Lines count if they lack one fact, or two.
const N_COLUMNS: usize = 2;

/// Inputs of a group: whether at least this many of its lines lack one fact, and two.
const GROUP_LIMITS: [&[u32]; N_COLUMNS] = [&[1, 2, 3, 5], &[1, 2, 4, 8]];

/// Inputs of a fact: whether at least this many lines lack it alone, and with another fact.
const FACT_LIMITS: [&[u32]; N_COLUMNS] = [&[1], &[1, 2, 3]];

/// The number of inputs of a group, and of a fact.
pub(super) const N_OF_GROUP: usize = GROUP_LIMITS[0].len() + GROUP_LIMITS[1].len();
/// See `N_OF_GROUP`.
pub(super) const N_OF_FACT: usize = FACT_LIMITS[0].len() + FACT_LIMITS[1].len();

/// What an input of a group stands for: how many lines lack how many facts.
pub(super) fn group_input(input: usize) -> (u32, usize) {
    limit(GROUP_LIMITS, input)
}

/// The same for a fact.
pub(super) fn fact_input(input: usize) -> (u32, usize) {
    limit(FACT_LIMITS, input)
}

fn limit(limits: [&[u32]; N_COLUMNS], input: usize) -> (u32, usize) {
    match input.checked_sub(limits[0].len()) {
        Some(second) => (limits[1][second], 2),
        None => (limits[0][input], 1),
    }
}

/// Counts the missing facts of all lines. A set of lines is a range of words, with a bit for each line.
#[derive(Clone, Debug)]
pub(crate) struct LineCounts {
    n_words: usize,
    /// The number of facts of each line in binary: a set for each digit, the lowest first.
    lens: Vec<u64>,
    /// For each fact, the lines that have it and those that it blocks.
    of_facts: Vec<u64>,
    /// The group of each line.
    groups: Vec<u32>,
    n_groups: usize,
    /// The facts of each line by their places in `members`, one line after the other, and where each ends.
    lines: Vec<u32>,
    ends: Vec<u32>,
    /// The facts of lines, in ascending order, and the place of each fact among them.
    members: Vec<u32>,
    places: Vec<u32>,
}

/// The place of a fact that no line has.
const NONE: u32 = u32::MAX;

/// The lines of a position. A reusable buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineScratch {
    /// The number of missing facts of each line in binary.
    missing: Vec<u64>,
    blocked: Vec<u64>,
    /// The lines that lack one fact, and those that lack two.
    lacking: [Vec<u64>; N_COLUMNS],
    /// Whether each fact of a line holds.
    holds: Vec<bool>,
    /// How many lines of each group and with each fact lack one fact, and two.
    of_groups: Vec<[u32; N_COLUMNS]>,
    of_members: Vec<[u32; N_COLUMNS]>,
}

impl LineCounts {
    /// For the lines of a game with this many facts.
    pub(crate) fn new(lines: &Lines, n_facts: usize) -> Self {
        let n_words = lines.lines.len().div_ceil(64);
        let max_len = lines.lines.iter().map(|line| line.facts.len()).max().unwrap_or(0);
        let n_digits = (usize::BITS - max_len.leading_zeros()) as usize;
        let mut counts = LineCounts {
            n_words,
            lens: vec![0; n_digits * n_words],
            of_facts: vec![0; 2 * n_facts * n_words],
            groups: lines.lines.iter().map(|line| line.group).collect(),
            n_groups: lines.n_groups(),
            lines: Vec::new(),
            ends: Vec::new(),
            members: lines.facts(),
            places: vec![NONE; n_facts],
        };
        for (&fact, place) in counts.members.iter().zip(0..) {
            counts.places[fact as usize] = place;
        }
        for (i, line) in lines.lines.iter().enumerate() {
            let (word, bit) = (i / 64, 1 << (i % 64));
            for digit in (0..n_digits).filter(|digit| line.facts.len() >> digit & 1 == 1) {
                counts.lens[digit * n_words + word] |= bit;
            }
            for &fact in &line.facts {
                counts.of_facts[2 * fact as usize * n_words + word] |= bit;
                counts.lines.push(counts.places[fact as usize]);
            }
            counts.ends.push(counts.lines.len() as u32);
            for &fact in &line.blockers {
                counts.of_facts[(2 * fact as usize + 1) * n_words + word] |= bit;
            }
        }
        counts
    }

    /// Flips the inputs that are true in a position with these facts; the first has the number `first`.
    pub(crate) fn flip_into(
        &self,
        facts: &[u32],
        scratch: &mut LineScratch,
        first: usize,
        inputs: &mut Bits,
    ) {
        self.find_lacking(facts, scratch);
        let LineScratch { lacking, holds, of_groups, of_members, .. } = scratch;
        of_groups.clear();
        of_groups.resize(self.n_groups, [0; N_COLUMNS]);
        of_members.clear();
        of_members.resize(self.members.len(), [0; N_COLUMNS]);
        for (column, lines) in lacking.iter().enumerate() {
            for line in ones(lines) {
                of_groups[self.groups[line] as usize][column] += 1;
                for &member in self.line(line) {
                    of_members[member as usize][column] += 1;
                }
            }
        }
        for (counts, next) in of_groups.iter().zip((first..).step_by(N_OF_GROUP)) {
            flip_limits(GROUP_LIMITS, *counts, next, inputs);
        }
        let first = first + N_OF_GROUP * self.n_groups;
        let members = of_members.iter().zip(holds).zip((first..).step_by(N_OF_FACT));
        for ((counts, holds), next) in members {
            // Most facts are in no such line.
            if *counts != [0; N_COLUMNS] && !*holds {
                flip_limits(FACT_LIMITS, *counts, next, inputs);
            }
        }
    }

    /// The facts of a line, by their places among those of all lines.
    fn line(&self, line: usize) -> &[u32] {
        let start = if line == 0 { 0 } else { self.ends[line - 1] };
        &self.lines[start as usize..self.ends[line] as usize]
    }

    /// Where a set is among others.
    fn set(&self, i: usize) -> Range<usize> {
        i * self.n_words..(i + 1) * self.n_words
    }

    /// Finds the lines that lack one fact or two, and are not blocked.
    fn find_lacking(&self, facts: &[u32], scratch: &mut LineScratch) {
        let LineScratch { missing, blocked, lacking, holds, .. } = scratch;
        let n_words = self.n_words;
        missing.clone_from(&self.lens);
        blocked.clear();
        blocked.resize(n_words, 0);
        holds.clear();
        holds.resize(self.members.len(), false);
        for &fact in facts {
            let own = &self.of_facts[self.set(2 * fact as usize)];
            let others = &self.of_facts[self.set(2 * fact as usize + 1)];
            blocked.iter_mut().zip(others).for_each(|(blocked, others)| *blocked |= others);
            if let Some(holds) = holds.get_mut(self.places[fact as usize] as usize) {
                *holds = true;
                subtract(missing, own);
            }
        }
        for (column, lacking) in lacking.iter_mut().enumerate() {
            lacking.clear();
            lacking.extend((0..n_words).map(|word| {
                let digits = missing.iter().skip(word).step_by(n_words).enumerate();
                digits.fold(!blocked[word], |lines, (digit, &set)| {
                    lines & if (column + 1) >> digit & 1 == 1 { set } else { !set }
                })
            }));
        }
    }
}

/// The numbers in a set.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let rest = |left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
        let lefts = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
        lefts.map(move |left| 64 * i + left.trailing_zeros() as usize)
    })
}

/// Subtracts one from the numbers of some lines, whose digits are sets.
fn subtract(digits: &mut [u64], lines: &[u64]) {
    let n_words = lines.len();
    for (word, &lines) in lines.iter().enumerate() {
        let mut borrow = lines;
        let mut place = word;
        while borrow != 0 && place < digits.len() {
            let before = digits[place];
            digits[place] ^= borrow;
            borrow &= !before;
            place += n_words;
        }
    }
}

/// Flips the inputs whose limits are reached.
fn flip_limits(
    limits: [&[u32]; N_COLUMNS],
    counts: [u32; N_COLUMNS],
    mut next: usize,
    inputs: &mut Bits,
) {
    for (limits, n) in limits.iter().zip(counts) {
        for (i, _) in limits.iter().enumerate().take_while(|(_, limit)| n >= **limit) {
            inputs.flip(next + i);
        }
        next += limits.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Line;
    use ludens_core::Rng;

    fn subset(n: u32, size: usize, rng: &mut Rng) -> Vec<u32> {
        let mut all: Vec<u32> = (0..n).collect();
        (0..size).map(|_| all.swap_remove(rng.below(all.len()))).collect()
    }

    /// The inputs, computed line by line.
    fn naive(lines: &Lines, facts: &[u32]) -> Vec<usize> {
        let lacks = |line: &Line| -> Option<Vec<u32>> {
            let missing: Vec<u32> =
                line.facts.iter().copied().filter(|fact| !facts.contains(fact)).collect();
            let blocked = line.blockers.iter().any(|fact| facts.contains(fact));
            (!blocked && (1..=2).contains(&missing.len())).then_some(missing)
        };
        let open: Vec<(u32, Vec<u32>)> = lines
            .lines
            .iter()
            .filter_map(|line| lacks(line).map(|missing| (line.group, missing)))
            .collect();
        let (mut inputs, mut next) = (Vec::new(), 0);
        let mut add = |n: usize, limits: &[u32]| {
            let reached = limits.iter().filter(|limit| n >= **limit as usize).count();
            inputs.extend(next..next + reached);
            next += limits.len();
        };
        for group in 0..lines.n_groups() as u32 {
            for (missing, limits) in (1..).zip(GROUP_LIMITS) {
                let own = open.iter().filter(|(of, lacks)| *of == group && lacks.len() == missing);
                add(own.count(), limits);
            }
        }
        for fact in lines.facts() {
            for (missing, limits) in (1..).zip(FACT_LIMITS) {
                let own = open.iter().filter(|(_, l)| l.len() == missing && l.contains(&fact));
                add(own.count(), limits);
            }
        }
        inputs
    }

    #[test]
    fn all_lines_are_counted_as_one_by_one() {
        let mut rng = Rng::new(8);
        for n_lines in [1, 63, 64, 65, 200] {
            let mut line = |i: usize| {
                let len = 1 + rng.below(9);
                let n_blockers = rng.below(3);
                let mut facts = subset(40, len + n_blockers, &mut rng);
                let blockers = facts.split_off(len);
                Line { group: (i % 3) as u32, facts, blockers }
            };
            let lines = Lines::of((0..n_lines).map(&mut line).collect());
            let counts = LineCounts::new(&lines, 41);
            let mut scratch = LineScratch::default();
            for _ in 0..100 {
                let n_facts = rng.below(42);
                let facts = subset(41, n_facts, &mut rng);
                let mut bits = Bits::new(5 + lines.n_inputs());
                counts.flip_into(&facts, &mut scratch, 5, &mut bits);
                let mut found = Vec::new();
                bits.drain(|input| found.push(input as usize - 5));
                assert_eq!(found, naive(&lines, &facts));
            }
        }
    }
}
