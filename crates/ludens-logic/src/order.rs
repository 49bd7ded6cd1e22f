//! Orders the conditions of a rule.
//!
//! Conditions are selected greedily: first tests whose variables are bound, then the condition with the
//! fewest estimated answers. Estimates come from the sizes of static relations, from counts of fluents in
//! sampled states, and for derived relations from their own rules.

use ludens_gdl::rules::{Atom, Literal, RelationId, Term};

use crate::planner::{Kind, Planner};

/// The estimated number of answers of a condition for one binding of its bound arguments, and the work of
/// finding them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Estimate {
    pub answers: f64,
    pub work: f64,
}

/// The order in which the conditions of a rule are evaluated.
pub(crate) struct BodyOrder {
    pub order: Vec<usize>,
    estimate: Estimate,
}

/// Only this many conditions are compared at a time, which bounds the cost of very long rules.
const WINDOW: usize = 48;

/// Estimates are capped here.
const MAX_ESTIMATE: f64 = 1e12;

/// A set of variables of one rule.
pub(crate) type Bound = Vec<bool>;

pub(crate) fn is_bound(term: &Term, bound: &Bound) -> bool {
    let mut all = true;
    term.variables(&mut |v| all &= bound[v.0 as usize]);
    all
}

pub(crate) fn bind(term: &Term, bound: &mut Bound) {
    term.variables(&mut |v| bound[v.0 as usize] = true);
}

/// Which arguments are bound, as a bit mask; arguments past the 64th count as free.
pub(crate) fn mask(args: &[Term], bound: &Bound) -> u64 {
    let known = args.iter().take(64).enumerate().filter(|(_, arg)| is_bound(arg, bound));
    known.fold(0, |mask, (i, _)| mask | 1 << i)
}

impl Planner<'_> {
    /// Orders the body of a rule, given the variables that the call binds.
    pub(crate) fn order_body(&mut self, rule_idx: usize, mut bound: Bound) -> BodyOrder {
        let rules = self.rules;
        let body = &rules.rules[rule_idx].body;
        let mut left: Vec<usize> = (0..body.len()).collect();
        let mut order = Vec::with_capacity(body.len());
        let mut total = Estimate { answers: 1.0, work: 1.0 };
        while !left.is_empty() {
            let head = rules.rules[rule_idx].head.relation;
            let (position, estimate) = self.best(head, body, &left, &bound);
            let literal_idx = left.remove(position);
            order.push(literal_idx);
            total.work = (total.work + total.answers * estimate.work).min(MAX_ESTIMATE);
            total.answers = (total.answers * estimate.answers).min(MAX_ESTIMATE);
            if let Literal::Positive(atom) = &body[literal_idx] {
                atom.args.iter().for_each(|arg| bind(arg, &mut bound));
            }
        }
        BodyOrder { order, estimate: total }
    }

    fn best(
        &mut self,
        head: RelationId,
        body: &[Literal],
        left: &[usize],
        bound: &Bound,
    ) -> (usize, Estimate) {
        let mut best: Option<(usize, Estimate, f64)> = None;
        for (position, &literal_idx) in left.iter().enumerate().take(WINDOW) {
            let Some(estimate) = self.estimate(head, &body[literal_idx], bound) else { continue };
            // A test is better the more it rejects per work, a generator the fewer answers it has.
            let score = if estimate.answers < 1.0 {
                -(1.0 - estimate.answers) / estimate.work
            } else {
                estimate.answers - 1.0 + estimate.work * 1e-3
            };
            if best.is_none_or(|(_, _, known)| score < known) {
                best = Some((position, estimate, score));
            }
        }
        // Past the window there is always a positive literal, since every variable has one.
        let fallback = || {
            let position = left.iter().position(|&i| matches!(body[i], Literal::Positive(_)));
            (position.unwrap_or(0), Estimate { answers: 1.0, work: 1.0 })
        };
        best.map_or_else(fallback, |(position, estimate, _)| (position, estimate))
    }

    /// The estimate for one condition; `None` if it cannot be evaluated yet.
    fn estimate(&mut self, head: RelationId, literal: &Literal, bound: &Bound) -> Option<Estimate> {
        match literal {
            Literal::Distinct(left, right) => (is_bound(left, bound) && is_bound(right, bound))
                .then_some(Estimate { answers: 0.5, work: 0.5 }),
            Literal::Negative(atom) => {
                if !atom.args.iter().all(|arg| is_bound(arg, bound)) {
                    return None;
                }
                let estimate = self.estimate_atom(head, atom, bound);
                Some(Estimate { answers: 0.7, work: estimate.work.max(1.0) })
            }
            Literal::Positive(atom) => Some(self.estimate_atom(head, atom, bound)),
        }
    }

    fn estimate_atom(&mut self, head: RelationId, atom: &Atom, bound: &Bound) -> Estimate {
        let known = self.known_arguments(head, atom, bound);
        match self.kind(atom.relation) {
            Kind::Empty => Estimate { answers: 0.0, work: 0.1 },
            Kind::Truth => self.estimate_truth(&atom.args[0], bound),
            Kind::Does => {
                let roles = if known & 1 == 1 { 1.0 } else { self.n_roles };
                let fits = if matches!(atom.args[1], Term::Variable(_)) && known & 2 == 0 {
                    1.0
                } else {
                    0.4
                };
                Estimate { answers: roles * fits, work: roles }
            }
            Kind::Fixed(relation) => {
                let relation = &self.program.relations[relation as usize];
                let distinct = relation.distinct.iter().map(|&d| d as f64);
                scan(relation.len() as f64, distinct.collect(), known)
            }
            Kind::Derived => {
                let all = (atom.args.len() as u32).min(64);
                let estimate = self.estimate_call(atom.relation, known);
                if known.count_ones() == all {
                    return Estimate { answers: estimate.answers.min(0.5), work: estimate.work };
                }
                estimate
            }
        }
    }

    fn estimate_truth(&self, fluent: &Term, bound: &Bound) -> Estimate {
        match fluent {
            _ if is_bound(fluent, bound) => Estimate { answers: 0.4, work: 1.0 },
            Term::Function(name, args) => {
                let (count, distinct) = self.statistics.of(*name, args.len());
                scan(count, distinct, mask(args, bound))
            }
            _ => Estimate { answers: self.statistics.total, work: self.statistics.total },
        }
    }

    /// The arguments that are bound when a rule for `head` calls the atom. In a recursive call a newly
    /// built term does not count as bound: otherwise goal-directed evaluation could call goals with larger
    /// and larger terms although the rules have finitely many consequences.
    pub(crate) fn known_arguments(&self, head: RelationId, atom: &Atom, bound: &Bound) -> u64 {
        let known = mask(&atom.args, bound);
        let component = |relation| self.dependencies.component_of(relation);
        if component(head) != component(atom.relation) {
            return known;
        }
        let built = |term: &Term| matches!(term, Term::Function(..)) && !term.is_ground();
        let built = atom.args.iter().enumerate().filter(|(_, arg)| built(arg));
        built.fold(known, |known, (i, _)| known & !(1 << i))
    }

    /// The estimate for a derived relation, from the estimates for its rules.
    pub(crate) fn estimate_call(&mut self, relation: RelationId, known: u64) -> Estimate {
        let key = (relation, known);
        if let Some(&estimate) = self.estimates.get(&key) {
            return estimate;
        }
        // While its own rules are being estimated, a recursive relation is assumed to have a few
        // answers for each free argument.
        let arity = self.rules.relations[relation.0 as usize].arity;
        let unknown = arity.saturating_sub(known.count_ones()).min(20);
        let answers = 4f64.powf(f64::from(unknown));
        self.estimates.insert(key, Estimate { answers, work: 50.0 * answers });
        let mut total = Estimate { answers: self.facts_of(relation) as f64, work: 2.0 };
        for rule_idx in self.rules_of(relation) {
            let bound = self.bound_by_call(rule_idx, known);
            let estimate = stacker::maybe_grow(64 << 10, 1 << 20, || {
                self.order_body(rule_idx, bound).estimate
            });
            total.answers = (total.answers + estimate.answers).min(MAX_ESTIMATE);
            total.work = (total.work + estimate.work).min(MAX_ESTIMATE);
        }
        if self.dependencies.is_recursive(relation) {
            total.work = (total.work * 10.0).min(MAX_ESTIMATE);
            total.answers = total.answers.max(answers);
        }
        self.estimates.insert(key, total);
        total
    }

    /// The variables of a rule that are bound when its head is called with these arguments bound.
    pub(crate) fn bound_by_call(&self, rule_idx: usize, known: u64) -> Bound {
        let rule = &self.rules.rules[rule_idx];
        let mut bound = vec![false; rule.variables.len()];
        for (i, arg) in rule.head.args.iter().take(64).enumerate() {
            if known >> i & 1 == 1 {
                bind(arg, &mut bound);
            }
        }
        bound
    }
}

/// The estimate for a stored set of tuples, assuming that its columns are independent.
fn scan(count: f64, distinct: Vec<f64>, known: u64) -> Estimate {
    let n_columns = distinct.len();
    let mut answers = count;
    for (i, values) in distinct.into_iter().enumerate().take(64) {
        if known >> i & 1 == 1 {
            answers /= values.max(1.0);
        }
    }
    if known.count_ones() as usize >= n_columns {
        return Estimate { answers: answers.clamp(0.01, 0.5), work: 1.0 };
    }
    Estimate { answers, work: answers + 1.0 }
}
