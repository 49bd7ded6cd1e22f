//! The fluents of a game: their facts in the samples and the domains of their arguments.

use std::collections::{BTreeMap, BTreeSet};

use ludens_gdl::Rules;

use crate::axis::{Axis, Orders};
use crate::coordinate::{Coordinate, Part};
use crate::domains::{Domains, domains};
use crate::extension::Extension;
use crate::fact::Fact;
use crate::possible::{Rows, initial, possible};
use crate::statics::Statics;

/// Maximum number of samples.
const MAX_SAMPLES: usize = 32;

/// Maximum number of facts per fluent and sample.
const MAX_FACTS: usize = 2500;

/// Maximum number of facts per fluent in all samples.
const MAX_TOTAL_FACTS: usize = 12_000;

/// Maximum number of constants that are assumed without having been seen.
const MAX_UNSEEN: usize = 40;

/// The arguments of a fact.
pub(crate) type Row = Vec<String>;

/// A fluent of a game.
pub(crate) struct Fluent {
    /// Its name.
    pub name: String,
    /// Its number of arguments.
    pub arity: usize,
    /// The arguments of its facts, sample by sample.
    pub samples: Vec<Vec<Row>>,
    /// All its possible facts, if the rules define them.
    pub possible: Option<Vec<Row>>,
    /// The constants of each argument in samples and possible facts.
    pub seen: Vec<BTreeSet<String>>,
    /// The possible constants of each argument, ordered.
    pub axes: Vec<Axis>,
}

impl Fluent {
    /// The facts of all samples.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.samples.iter().flatten()
    }

    /// The maximum number of facts in one sample.
    pub fn max_facts(&self) -> usize {
        self.samples.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The axis along a coordinate.
    pub fn axis(&self, coordinate: Coordinate, orders: &Orders) -> Axis {
        let whole = &self.axes[coordinate.arg];
        if coordinate.part == Part::Whole {
            return whole.clone();
        }
        let parts = whole.symbols.iter().filter_map(|s| coordinate.part.of(s));
        orders.axis(&parts.map(str::to_owned).collect())
    }

    /// The values of a coordinate in samples and possible facts; without facts, those that the rules
    /// allow.
    pub fn range(&self, coordinate: Coordinate) -> BTreeSet<String> {
        let seen = &self.seen[coordinate.arg];
        let allowed = self.axes[coordinate.arg].symbols.iter().filter(|_| seen.is_empty());
        let parts = seen.iter().chain(allowed).filter_map(|s| coordinate.part.of(s));
        parts.map(str::to_owned).collect()
    }

    /// The number of facts in the samples, and how many differ in the given arguments.
    pub fn distinct(&self, args: &[usize]) -> (usize, usize) {
        let mut total = (0, 0);
        for sample in &self.samples {
            let keys: BTreeSet<Vec<&str>> = sample.iter().map(|row| project(row, args)).collect();
            total = (total.0 + sample.len(), total.1 + keys.len());
        }
        total
    }

    /// The share of facts that the given arguments identify, from 0 to 1.
    pub fn uniqueness(&self, args: &[usize]) -> f64 {
        let (facts, keys) = self.distinct(args);
        if facts == 0 { 1.0 } else { keys as f64 / facts as f64 }
    }
}

/// Some arguments of a row.
pub(crate) fn project<'a>(row: &'a Row, args: &[usize]) -> Vec<&'a str> {
    args.iter().map(|&arg| row[arg].as_str()).collect()
}

/// The fluents of a game, from its rules and samples.
pub(crate) struct Survey {
    /// All fluents with at least one argument, in the order of their names.
    pub fluents: Vec<Fluent>,
    /// The orders of symbols.
    pub orders: Orders,
    /// The static relations.
    pub statics: Statics,
    /// The roles.
    pub roles: BTreeSet<String>,
}

impl Survey {
    /// Analyses the rules and some of the samples; the initial state if there are none.
    pub fn of(rules: &Rules, samples: &[Vec<String>]) -> Survey {
        let statics = Statics::of(rules);
        let start;
        let samples = if samples.is_empty() {
            start = [initial(rules, &statics)];
            &start[..]
        } else {
            samples
        };
        let orders = Orders::of(rules, &statics);
        let seen = seen(samples);
        let possible = possible(rules, &statics);
        let fluents = fluents(seen, possible, &domains(rules, &statics), &orders);
        let roles = statics.table(rules.keywords.role).into_iter().flat_map(Extension::rows);
        let roles = roles.map(|row| rules.symbols.text(row[0]).to_owned()).collect();
        Survey { fluents, orders, statics, roles }
    }
}

type Seen = BTreeMap<(String, usize), Vec<Vec<Row>>>;

/// The facts of the samples by fluent; evenly spread samples if there are many.
fn seen(samples: &[Vec<String>]) -> Seen {
    let n = samples.len().min(MAX_SAMPLES);
    let mut seen = Seen::new();
    for at in 0..n {
        let sample = if n > 1 { at * (samples.len() - 1) / (n - 1) } else { 0 };
        for fact in samples[sample].iter().filter_map(|text| Fact::parse(text)) {
            let key = (fact.name, fact.args.len());
            let samples = seen.entry(key).or_insert_with(|| vec![Vec::new(); n]);
            let room = MAX_TOTAL_FACTS.saturating_sub(samples[..at].iter().map(Vec::len).sum());
            if samples[at].len() < MAX_FACTS.min(room) {
                samples[at].push(fact.args);
            }
        }
    }
    seen
}

fn fluents(mut seen: Seen, mut possible: Rows, domains: &Domains, orders: &Orders) -> Vec<Fluent> {
    let keys: BTreeSet<(String, usize)> =
        seen.keys().chain(possible.keys()).chain(domains.keys()).cloned().collect();
    let known = keys.into_iter().filter(|(_, arity)| *arity > 0);
    let fluent = |key: (String, usize)| {
        let samples = seen.remove(&key).unwrap_or_default();
        let possible = possible.remove(&key);
        let seen = seen_sets(key.1, &samples, possible.as_deref());
        let closed = possible.as_ref().is_some_and(|rows| !rows.is_empty());
        let domains = domains.get(&key).filter(|_| !closed);
        let domain = |arg: usize| domains.and_then(|domains| domains.get(arg));
        let axes =
            seen.iter().enumerate().map(|(arg, set)| axis(set, domain(arg), orders)).collect();
        Fluent { name: key.0, arity: key.1, samples, possible, seen, axes }
    };
    known.map(fluent).collect()
}

/// The constants of each argument in the facts.
fn seen_sets(
    arity: usize,
    samples: &[Vec<Row>],
    possible: Option<&[Row]>,
) -> Vec<BTreeSet<String>> {
    let mut sets = vec![BTreeSet::new(); arity];
    for row in samples.iter().flatten().chain(possible.into_iter().flatten()) {
        for (set, symbol) in sets.iter_mut().zip(row) {
            if !set.contains(symbol) {
                set.insert(symbol.clone());
            }
        }
    }
    sets
}

/// The possible constants of an argument: those seen, and those that the rules seem to allow, unless
/// these are too many or destroy the order.
fn axis(seen: &BTreeSet<String>, domain: Option<&BTreeSet<String>>, orders: &Orders) -> Axis {
    let axis = orders.axis(seen);
    let Some(domain) = domain.filter(|set| set.len() <= MAX_UNSEEN.max(2 * seen.len())) else {
        return axis;
    };
    let all = orders.axis(&(seen | domain));
    if axis.len() >= 3 && axis.is_ordered() && !all.is_ordered() { axis } else { all }
}
