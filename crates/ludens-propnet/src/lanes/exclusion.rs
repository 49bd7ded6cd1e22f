//! Mutex groups of fluents, and necessary conditions of legal moves.

use rustc_hash::FxHashMap;

use crate::net::{Gate, Signal};
use crate::network::Network;

/// A literal: a fluent that holds, or does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Literal {
    pub fluent: u32,
    pub holds: bool,
}

/// Mutex groups: fluents of which at most one held in every sampled state. They have one name and
/// agree in some arguments, such as all pieces that can be on one square.
pub(super) struct MutexGroups {
    pub groups: Vec<Vec<u32>>,
    group_of: Vec<Option<usize>>,
    /// Groups that consist of all fluents of their name, one of which held in every sampled state.
    exactly_one: Vec<usize>,
}

/// A fluent with its name and arguments.
type Fluent<'a> = (u32, Vec<&'a str>);

impl MutexGroups {
    pub(super) fn new(network: &Network, samples: &[Vec<u64>]) -> Self {
        let mut by_name: FxHashMap<(&str, usize), Vec<Fluent<'_>>> = FxHashMap::default();
        for (fluent, text) in network.fluents.iter().enumerate() {
            let parts = name_and_args(text);
            by_name.entry((parts[0], parts.len())).or_default().push((fluent as u32, parts));
        }
        let mut names: Vec<_> = by_name.into_iter().collect();
        names.sort_unstable();
        let group_of = vec![None; network.fluents.len()];
        let mut mutexes = MutexGroups { groups: Vec::new(), group_of, exactly_one: Vec::new() };
        for ((_, n_parts), fluents) in names {
            mutexes.add_name(n_parts - 1, &fluents, samples);
        }
        mutexes
    }

    pub(super) fn group_of(&self, fluent: u32) -> Option<usize> {
        self.group_of[fluent as usize]
    }

    /// Groups that could determine whose turn it is.
    pub(super) fn exactly_one_groups(&self) -> impl Iterator<Item = &Vec<u32>> {
        self.exactly_one.iter().map(|&group| &self.groups[group])
    }

    /// Adds the smallest number of mutex groups, over all choices of arguments in which members
    /// agree.
    fn add_name(&mut self, n_args: usize, fluents: &[Fluent<'_>], samples: &[Vec<u64>]) {
        if n_args == 0 || n_args > MAX_ARGUMENTS || fluents.len() < 2 {
            return;
        }
        let mut best: Option<Vec<Vec<u32>>> = None;
        // Groups that agree in fewer arguments are fewer.
        let mut choices: Vec<u32> = (0..1 << n_args).collect();
        choices.sort_by_key(|agreeing: &u32| agreeing.count_ones());
        for agreeing in choices {
            let groups = grouped(fluents, agreeing);
            let better = best.as_ref().is_none_or(|best| groups.len() < best.len());
            if better && groups.len() < fluents.len() && groups.iter().all(|g| is_mutex(g, samples))
            {
                best = Some(groups);
            }
        }
        let Some(groups) = best else { return };
        if groups.len() == 1
            && samples.iter().all(|state| groups[0].iter().any(|&f| holds(state, f)))
        {
            self.exactly_one.push(self.groups.len());
        }
        for group in groups {
            for &fluent in &group {
                self.group_of[fluent as usize] = Some(self.groups.len());
            }
            self.groups.push(group);
        }
    }
}

/// Fluents with more arguments are skipped: there are too many ways to group them.
const MAX_ARGUMENTS: usize = 6;

/// Name and arguments of a fluent.
fn name_and_args(text: &str) -> Vec<&str> {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return vec![text];
    };
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (i, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                parts.push(&inner[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    parts
}

/// Groups fluents by those of their arguments whose bits are set.
fn grouped(fluents: &[Fluent<'_>], agreeing: u32) -> Vec<Vec<u32>> {
    let mut group_ids: FxHashMap<Vec<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (fluent, parts) in fluents {
        let args = parts[1..].iter().enumerate();
        let key = args.filter(|(i, _)| agreeing >> i & 1 == 1).map(|(_, arg)| *arg).collect();
        let group = *group_ids.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(*fluent);
    }
    groups
}

fn holds(state: &[u64], fluent: u32) -> bool {
    state[fluent as usize / 64] >> (fluent % 64) & 1 == 1
}

/// Whether no two of the fluents held in any of the states.
fn is_mutex(group: &[u32], samples: &[Vec<u64>]) -> bool {
    samples.iter().all(|state| group.iter().filter(|&&f| holds(state, f)).take(2).count() < 2)
}

/// For each of the network's `does`, literals that hold whenever it is legal.
pub(crate) fn necessary(network: &Network) -> Vec<Vec<Literal>> {
    let gates = &network.net.gates;
    let mut needed: Vec<[Vec<Literal>; 2]> = Vec::with_capacity(gates.len());
    for gate in gates {
        let sets = match gate {
            Gate::Fluent(fluent) => {
                [true, false].map(|holds| vec![Literal { fluent: *fluent, holds }])
            }
            Gate::And(parts) => [union(parts, false, &needed), intersection(parts, true, &needed)],
            Gate::Or(parts) => [intersection(parts, false, &needed), union(parts, true, &needed)],
            Gate::True | Gate::Does(_) | Gate::Loop => Default::default(),
        };
        needed.push(sets);
    }
    let of = |signal: &Signal| needed[signal.gate()][usize::from(signal.is_negated())].clone();
    network.legal.iter().map(of).collect()
}

/// More literals than this are dropped: any subset is correct, and moves need few.
const MAX_LITERALS: usize = 24;

fn set_of(part: Signal, negated: bool, needed: &[[Vec<Literal>; 2]]) -> &[Literal] {
    &needed[part.gate()][usize::from(part.is_negated() != negated)]
}

/// The literals of a conjunction.
fn union(parts: &[Signal], negated: bool, needed: &[[Vec<Literal>; 2]]) -> Vec<Literal> {
    let mut all: Vec<Literal> =
        parts.iter().flat_map(|&part| set_of(part, negated, needed)).copied().collect();
    // Positive literals are more specific than negative ones.
    all.sort_unstable_by_key(|literal| (!literal.holds, literal.fluent));
    all.dedup();
    all.truncate(MAX_LITERALS);
    all
}

/// The literals of a disjunction: those that all parts share.
fn intersection(parts: &[Signal], negated: bool, needed: &[[Vec<Literal>; 2]]) -> Vec<Literal> {
    let mut parts = parts.iter().map(|&part| set_of(part, negated, needed));
    let mut common = parts.next().map(<[Literal]>::to_vec).unwrap_or_default();
    for part in parts {
        if common.is_empty() {
            break;
        }
        common.retain(|literal| part.contains(literal));
    }
    common
}
