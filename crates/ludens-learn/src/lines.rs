//! Lines as inputs: conjunctions of facts that the rules ask for, of which one or two facts are missing.
//!
//! A network sees a row of four easily if it is told which rows are nearly complete and can still be
//! completed. What makes a line impossible is not in the rules: it is seen in random games, as facts after
//! which another fact never holds.

mod counts;

use std::collections::BTreeSet;

use ludens_core::{Conjunction, Game, Rng};
use serde::{Deserialize, Serialize};

use crate::random_games::visit_positions;
pub(crate) use counts::{LineCounts, LineScratch};
use counts::{N_OF_FACT, N_OF_GROUP, fact_input, group_input};

/// A line has at least this many facts.
const MIN_FACTS: usize = 3;

/// Disjunctions must have this many lines on average; single conjunctions are conditions of other kinds.
const MIN_PER_GROUP: usize = 4;

/// Joint moves of random games.
const N_PLIES: usize = 200_000;

/// A fact blocks another if they never met, though independent facts would have met in this many games.
const MIN_EXPECTED: f64 = 10.0;

/// A line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The lines with the same number are alternatives.
    pub group: u32,
    /// Its facts.
    pub facts: Vec<u32>,
    /// Facts of which each makes it impossible.
    pub blockers: Vec<u32>,
}

/// The lines of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lines {
    lines: Vec<Line>,
}

impl Lines {
    /// Lines from the rules of a game, and what blocks them from random games; `None` if it has none.
    pub fn learn<G: Game>(game: &G, rng: &mut Rng) -> Option<Self> {
        let conjunctions = game.structure()?.conjunctions(MIN_FACTS);
        let n_groups = conjunctions.last()?.group as usize + 1;
        (conjunctions.len() >= MIN_PER_GROUP * n_groups).then_some(())?;
        let seen = Seen::in_random_games(game, rng)?;
        let line = |Conjunction { group, facts }| {
            let blocks = |other: &u32| facts.iter().any(|&fact| seen.excludes(*other, fact));
            let blockers = (0..seen.n_facts as u32).filter(blocks).collect();
            Line { group, facts, blockers }
        };
        Some(Lines { lines: conjunctions.into_iter().map(line).collect() })
    }

    /// These lines.
    #[cfg(test)]
    pub(crate) fn of(lines: Vec<Line>) -> Self {
        Lines { lines }
    }

    /// The lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn n_groups(&self) -> usize {
        self.lines.iter().map(|line| line.group as usize + 1).max().unwrap_or(0)
    }

    /// The facts of lines, in ascending order.
    fn facts(&self) -> Vec<u32> {
        let facts = self.lines.iter().flat_map(|line| line.facts.iter().copied());
        facts.collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// The number of inputs: those of groups and of facts.
    pub fn n_inputs(&self) -> usize {
        N_OF_GROUP * self.n_groups() + N_OF_FACT * self.facts().len()
    }

    /// What an input stands for, given the names of the facts.
    pub(crate) fn input_name(&self, input: usize, names: &[String]) -> String {
        let n_groups = N_OF_GROUP * self.n_groups();
        let Some(input) = input.checked_sub(n_groups) else {
            let (n, missing) = group_input(input % N_OF_GROUP);
            let group = input / N_OF_GROUP;
            return format!("at least {n} lines of group {group} with {missing} missing");
        };
        let (n, missing) = fact_input(input % N_OF_FACT);
        let fact = &names[self.facts()[input / N_OF_FACT] as usize];
        let others = if missing == 1 { "only" } else { "another fact and" };
        format!("at least {n} lines lack {others} {fact}")
    }

    /// Whether all facts are below a number, and groups are not more than lines.
    pub(crate) fn is_valid(&self, n_facts: usize) -> bool {
        let is_fact = |&fact: &u32| (fact as usize) < n_facts;
        let mut lines = self.lines.iter();
        self.n_groups() <= self.lines.len()
            && lines.all(|line| line.facts.iter().chain(&line.blockers).all(is_fact))
    }
}

/// Which facts were seen together with others, or after them.
struct Seen {
    n_facts: usize,
    n_all_games: u32,
    /// In how many games each fact was seen.
    n_games: Vec<u32>,
    /// For each fact, a bit for each fact that was seen with or after it.
    later: Vec<u64>,
}

impl Seen {
    fn in_random_games<G: Game>(game: &G, rng: &mut Rng) -> Option<Self> {
        let vocabulary = game.vocabulary()?;
        let n_facts = vocabulary.n_facts()?;
        let later = vec![0; n_facts * n_facts.div_ceil(64)];
        let mut seen = Seen { n_facts, n_all_games: 0, n_games: vec![0; n_facts], later };
        let mut states = Vec::new();
        visit_positions(game, N_PLIES, rng, |state, view| {
            let mut facts = Vec::new();
            vocabulary.fact_ids(state, &mut facts);
            states.push(facts);
            if view.is_over() {
                seen.add(&states);
                states.clear();
            }
        });
        // A game that was cut off counts only if there is no other.
        if seen.n_all_games == 0 {
            seen.add(&states);
        }
        Some(seen)
    }

    /// Adds a game, given by the facts of its states.
    fn add(&mut self, states: &[Vec<u32>]) {
        let n_words = self.n_facts.div_ceil(64);
        let mut later = vec![0; n_words];
        for facts in states.iter().rev() {
            for &fact in facts {
                later[fact as usize / 64] |= 1 << (fact % 64);
            }
            for &fact in facts {
                let row = &mut self.later[fact as usize * n_words..][..n_words];
                row.iter_mut().zip(&later).for_each(|(row, later)| *row |= later);
            }
        }
        self.n_all_games += 1;
        for fact in (0..self.n_facts).filter(|fact| later[fact / 64] >> (fact % 64) & 1 == 1) {
            self.n_games[fact] += 1;
        }
    }

    /// Whether a fact never holds together with another one or after it.
    fn excludes(&self, first: u32, then: u32) -> bool {
        let row = &self.later[first as usize * self.n_facts.div_ceil(64)..];
        let n_games = |fact: u32| f64::from(self.n_games[fact as usize]);
        let expected = n_games(first) * n_games(then) / f64::from(self.n_all_games.max(1));
        expected >= MIN_EXPECTED && row[then as usize / 64] >> (then % 64) & 1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Lists;
    use crate::inputs::{InputScratch, Inputs};

    /// Two groups: {0 1 2}, {1 2 3}, blocked by 5; {2 3 4}.
    fn lines() -> Lines {
        let line = |group, facts: &[u32], blockers: &[u32]| Line {
            group,
            facts: facts.to_vec(),
            blockers: blockers.to_vec(),
        };
        Lines {
            lines: vec![
                line(0, &[0, 1, 2], &[]),
                line(0, &[1, 2, 3], &[5]),
                line(1, &[2, 3, 4], &[]),
            ],
        }
    }

    fn names(facts: &[u32]) -> Vec<String> {
        let inputs = Inputs::with_lines(lines(), 6);
        let mut scratch = InputScratch::default();
        scratch.facts.extend_from_slice(facts);
        let mut out = Lists::default();
        inputs.push(&mut scratch, &mut out);
        let all: Vec<String> = (0..6).map(|fact| fact.to_string()).collect();
        let computed = out.get(0).iter().filter(|&&input| input >= 6);
        computed.map(|&input| inputs.name(input as usize, &all)).collect()
    }

    #[test]
    fn inputs_tell_which_lines_are_nearly_complete_and_what_completes_them() {
        assert_eq!(lines().n_inputs(), 2 * 8 + 5 * 4);
        assert!(names(&[]).is_empty());
        // One fact of the first two lines and none of the third: two missing in both.
        let expected = [
            "at least 1 lines of group 0 with 2 missing",
            "at least 2 lines of group 0 with 2 missing",
            "at least 1 lines lack another fact and 0",
            "at least 1 lines lack another fact and 2",
            "at least 2 lines lack another fact and 2",
            "at least 1 lines lack another fact and 3",
        ];
        assert_eq!(names(&[1]), expected);
        // One missing in the first two, two in the third.
        let expected = [
            "at least 1 lines of group 0 with 1 missing",
            "at least 2 lines of group 0 with 1 missing",
            "at least 1 lines of group 1 with 2 missing",
            "at least 1 lines lack only 0",
            "at least 1 lines lack only 3",
            "at least 1 lines lack another fact and 3",
            "at least 1 lines lack another fact and 4",
        ];
        assert_eq!(names(&[1, 2]), expected);
        // The second line is blocked, the first complete.
        let expected = [
            "at least 1 lines of group 1 with 2 missing",
            "at least 1 lines lack another fact and 3",
            "at least 1 lines lack another fact and 4",
        ];
        assert_eq!(names(&[0, 1, 2, 5]), expected);
    }

    #[test]
    fn a_fact_blocks_what_never_follows_it() {
        let (n_facts, n_games, later) = (70, vec![0; 70], vec![0; 140]);
        let mut seen = Seen { n_facts, n_all_games: 0, n_games, later };
        for _ in 0..10 {
            seen.add(&[vec![0], vec![1, 69], vec![2, 69]]);
        }
        let excluded =
            |first| (0..70).filter(|&then| seen.excludes(first, then)).collect::<Vec<_>>();
        assert_eq!(excluded(0), [] as [u32; 0]);
        assert_eq!(excluded(1), [0]);
        assert_eq!(excluded(2), [0, 1]);
        assert_eq!(excluded(69), [0]);
        assert_eq!(excluded(5), [] as [u32; 0], "a fact that was not seen");
    }
}
