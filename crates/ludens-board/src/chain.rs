//! Orders defined by binary static relations: successors, neighbours, less-than.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Larger relations are ignored.
const MAX_PAIRS: usize = 5000;

/// A binary relation as an order.
pub(crate) struct Chain {
    pairs: Vec<(String, String)>,
    /// Its maximal paths, if every symbol has at most one successor and one predecessor.
    runs: Vec<Vec<String>>,
}

impl Chain {
    /// Finds paths in the pairs of a relation.
    pub fn new(mut pairs: Vec<(String, String)>) -> Chain {
        pairs.retain(|(a, b)| a != b);
        if pairs.len() > MAX_PAIRS {
            pairs.clear();
        }
        let runs = runs(&pairs);
        Chain { pairs, runs }
    }

    /// The shortest part of a path that contains the whole set, if it contains little else.
    pub fn whole(&self, set: &BTreeSet<String>, min_density: f64) -> Option<Vec<String>> {
        let run = self.runs.iter().find(|run| run.iter().any(|s| set.contains(s)))?;
        let first = run.iter().position(|s| set.contains(s))?;
        let last = run.iter().rposition(|s| set.contains(s))?;
        let stretch = &run[first..=last];
        let found = stretch.iter().filter(|s| set.contains(*s)).count();
        let fits = found == set.len() && found as f64 >= stretch.len() as f64 * min_density;
        fits.then(|| stretch.to_vec())
    }

    /// The order of the relation restricted to the set: a path, a cycle, or less-than.
    pub fn part(
        &self,
        set: &BTreeSet<String>,
        mentioned: &HashMap<String, usize>,
    ) -> Option<Vec<String>> {
        let inside = |(a, b): &&(String, String)| set.contains(a) && set.contains(b);
        let pairs: BTreeSet<(&str, &str)> =
            self.pairs.iter().filter(inside).map(|(a, b)| (a.as_str(), b.as_str())).collect();
        if pairs.len() + 1 < set.len() {
            return None;
        }
        let names: Vec<&str> = set.iter().map(String::as_str).collect();
        total(&names, &pairs).or_else(|| path(&names, &pairs, mentioned))
    }
}

/// The path from every symbol without a predecessor; none if a symbol has two successors or two
/// predecessors.
fn runs(pairs: &[(String, String)]) -> Vec<Vec<String>> {
    let mut next: BTreeMap<&str, &str> = BTreeMap::new();
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    for (a, b) in pairs {
        if next.insert(a, b).is_some() || !reached.insert(b) {
            return Vec::new();
        }
    }
    let starts = next.keys().filter(|a| !reached.contains(*a));
    let follow = |start: &&str| {
        let run = std::iter::successors(Some(*start), |at| next.get(at).copied());
        run.map(str::to_owned).collect()
    };
    starts.map(follow).collect()
}

/// A strict total order: every two symbols are related, in one direction.
fn total(names: &[&str], pairs: &BTreeSet<(&str, &str)>) -> Option<Vec<String>> {
    if pairs.len() != names.len() * (names.len() - 1) / 2 || names.len() < 3 {
        return None;
    }
    let above = |name: &str| pairs.iter().filter(|(a, _)| *a == name).count();
    let mut counted: Vec<(usize, &str)> = names.iter().map(|name| (above(name), *name)).collect();
    counted.sort_by(|a, b| b.cmp(a));
    let distinct = counted.windows(2).all(|two| two[0].0 > two[1].0);
    distinct.then(|| counted.into_iter().map(|(_, name)| name.to_owned()).collect())
}

/// A path or a cycle, whatever the direction of the pairs.
fn path(
    names: &[&str],
    pairs: &BTreeSet<(&str, &str)>,
    mentioned: &HashMap<String, usize>,
) -> Option<Vec<String>> {
    let mut neighbours: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (a, b) in pairs {
        neighbours.entry(a).or_default().insert(b);
        neighbours.entry(b).or_default().insert(a);
    }
    if neighbours.values().any(|others| others.len() > 2) {
        return None;
    }
    let early = |name: &&&str| mentioned.get(**name).copied().unwrap_or(usize::MAX);
    let end = |name: &&&str| neighbours.get(**name).is_some_and(|others| others.len() == 1);
    let start =
        names.iter().filter(end).min_by_key(early).or_else(|| names.iter().min_by_key(early))?;
    let mut order = vec![*start];
    while let Some(&next) = neighbours.get(order.last()?).and_then(|others| {
        let fresh = |name: &&&str| !order.contains(*name);
        let forward = |name: &&&str| !pairs.contains(&(order[order.len() - 1], **name));
        others.iter().filter(fresh).min_by_key(forward)
    }) {
        order.push(next);
    }
    let agree = order.windows(2).filter(|two| pairs.contains(&(two[0], two[1]))).count();
    let against = order.windows(2).filter(|two| pairs.contains(&(two[1], two[0]))).count();
    if against > agree {
        order.reverse();
    }
    (order.len() == names.len()).then(|| order.into_iter().map(str::to_owned).collect())
}
