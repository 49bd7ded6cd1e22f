//! In which order the conditions of a rule are joined, starting from a new atom.

use ludens_gdl::rules::Term;
use ludens_logic::terms::{Store, ground_value};

use super::rules::{Condition, OpenRule};
use super::table::{Path, Table};

/// One step of a join.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The condition.
    pub condition: usize,
    /// For a positive condition: the index by which its atoms are found, and the terms that give
    /// the key.
    pub index: Option<(usize, Vec<Term>)>,
}

/// How the instances of a rule are found from a new atom of one of its conditions.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub rule: usize,
    /// The condition that the new atom fulfils; `None` for a rule without such a condition.
    pub start: Option<usize>,
    pub steps: Vec<Step>,
}

/// Plans the join of a rule from one of its conditions.
pub(super) fn plan(
    rule_idx: usize,
    rule: &OpenRule,
    start: Option<usize>,
    tables: &mut [Table],
    store: &mut Store,
) -> Join {
    let mut bound = vec![false; rule.n_variables];
    if let Some(Condition::Positive { args, .. }) = start.map(|i| &rule.body[i]) {
        bind_all(args, &mut bound);
    }
    let mut left: Vec<usize> = (0..rule.body.len()).filter(|&i| Some(i) != start).collect();
    let mut steps = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let best = (0..left.len().min(WINDOW))
            .min_by(|&a, &b| {
                let cost = |i: usize| cost(&rule.body[left[i]], &bound, tables);
                cost(a).total_cmp(&cost(b))
            })
            .expect("a condition is left");
        let condition = left.remove(best);
        let index = match &rule.body[condition] {
            Condition::Positive { relation, args, .. } => {
                let (paths, terms) = places(args, &bound, store);
                let table = &mut tables[relation.0 as usize];
                let index = (!paths.is_empty()).then(|| (table.index(store, &paths), terms));
                bind_all(args, &mut bound);
                index
            }
            _ => None,
        };
        steps.push(Step { condition, index });
    }
    Join { rule: rule_idx, start, steps }
}

/// Only so many conditions are compared at a time, which keeps very long rules affordable.
const WINDOW: usize = 48;

/// How much a condition is expected to multiply the work; tests that are not ready come last.
fn cost(condition: &Condition, bound: &[bool], tables: &[Table]) -> f64 {
    match condition {
        Condition::Distinct(left, right) => {
            if is_bound(left, bound) && is_bound(right, bound) {
                0.0
            } else {
                f64::MAX
            }
        }
        Condition::Absent { args, .. } | Condition::Negative { args, .. } => {
            if args.iter().all(|arg| is_bound(arg, bound)) { 0.01 } else { f64::MAX }
        }
        Condition::Positive { relation, args, known } => {
            let table = &tables[relation.0 as usize];
            // What is not known yet will grow; its present size says little.
            let size = if *known { table.len() as f64 } else { 300.0 };
            let open = args.iter().map(|arg| openness(arg, bound)).sum::<f64>();
            let width = args.iter().map(weight).sum::<f64>().max(1.0);
            size.max(1.0).powf(open / width)
        }
    }
}

/// How many places of a term are variables or constants.
fn weight(term: &Term) -> f64 {
    match term {
        Term::Function(_, args) => args.iter().map(weight).sum(),
        _ => 1.0,
    }
}

fn openness(term: &Term, bound: &[bool]) -> f64 {
    match term {
        Term::Constant(_) => 0.0,
        Term::Variable(v) => f64::from(u8::from(!bound[v.0 as usize])),
        Term::Function(_, args) => args.iter().map(|arg| openness(arg, bound)).sum(),
    }
}

pub(super) fn is_bound(term: &Term, bound: &[bool]) -> bool {
    let mut all = true;
    term.variables(&mut |v| all &= bound[v.0 as usize]);
    all
}

fn bind_all(terms: &[Term], bound: &mut [bool]) {
    for term in terms {
        term.variables(&mut |v| bound[v.0 as usize] = true);
    }
}

/// The places of an atom whose values are known, and the terms that give them.
fn places(args: &[Term], bound: &[bool], store: &mut Store) -> (Vec<Path>, Vec<Term>) {
    let (mut paths, mut terms) = (Vec::new(), Vec::new());
    for (i, arg) in args.iter().enumerate() {
        if is_bound(arg, bound) {
            paths.push(Path::Argument(i as u16));
            terms.push(arg.clone());
        } else if let Term::Function(name, inner) = arg {
            let functor = store.functor(*name, inner.len());
            for (j, part) in inner.iter().enumerate().filter(|(_, part)| is_bound(part, bound)) {
                paths.push(Path::Inside(i as u16, functor, j as u16));
                terms.push(part.clone());
            }
        }
    }
    for term in &terms {
        if term.is_ground() {
            // Constants of the rules have numbers before any join looks for them.
            ground_value(store, term);
        }
    }
    (paths, terms)
}
