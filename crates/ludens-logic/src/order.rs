//! Orders the conditions of a rule.
//!
//! Conditions are taken greedily: first tests whose variables are known, then the condition with
//! the fewest estimated answers. Estimates come from the sizes of unchanging relations, from counts
//! of fluents in sampled states, and for derived relations from their own rules.

use ludens_gdl::rules::{Atom, Literal, RelationId, Term};

use crate::planner::{Kind, Planner};

/// The estimated number of answers of a condition for one set of known values, and the work of
/// finding them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Guess {
    pub answers: f64,
    pub work: f64,
}

/// The conditions of a rule in the order in which they are to be tried.
pub(crate) struct Arrangement {
    pub order: Vec<usize>,
    guess: Guess,
}

/// Only this many conditions are compared at a time, which keeps very long rules affordable.
const WINDOW: usize = 48;

/// Estimates are capped here.
const CEILING: f64 = 1e12;

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

/// Which arguments are known, as a bit mask; arguments past the 64th count as unknown.
pub(crate) fn mask(args: &[Term], bound: &Bound) -> u64 {
    let known = args.iter().take(64).enumerate().filter(|(_, arg)| is_bound(arg, bound));
    known.fold(0, |mask, (i, _)| mask | 1 << i)
}

impl Planner<'_> {
    /// Orders the body of a rule, given the variables that the call makes known.
    pub(crate) fn arrange(&mut self, rule_idx: usize, mut bound: Bound) -> Arrangement {
        let rules = self.rules;
        let body = &rules.rules[rule_idx].body;
        let mut left: Vec<usize> = (0..body.len()).collect();
        let mut order = Vec::with_capacity(body.len());
        let mut total = Guess { answers: 1.0, work: 1.0 };
        while !left.is_empty() {
            let head = rules.rules[rule_idx].head.relation;
            let (position, guess) = self.best(head, body, &left, &bound);
            let literal_idx = left.remove(position);
            order.push(literal_idx);
            total.work = (total.work + total.answers * guess.work).min(CEILING);
            total.answers = (total.answers * guess.answers).min(CEILING);
            if let Literal::Positive(atom) = &body[literal_idx] {
                atom.args.iter().for_each(|arg| bind(arg, &mut bound));
            }
        }
        Arrangement { order, guess: total }
    }

    fn best(
        &mut self,
        head: RelationId,
        body: &[Literal],
        left: &[usize],
        bound: &Bound,
    ) -> (usize, Guess) {
        let mut best: Option<(usize, Guess, f64)> = None;
        for (position, &literal_idx) in left.iter().enumerate().take(WINDOW) {
            let Some(guess) = self.guess(head, &body[literal_idx], bound) else { continue };
            // A test is better the more it rejects for its work; a generator the fewer answers it has.
            let score = if guess.answers < 1.0 {
                -(1.0 - guess.answers) / guess.work
            } else {
                guess.answers - 1.0 + guess.work * 1e-3
            };
            if best.is_none_or(|(_, _, known)| score < known) {
                best = Some((position, guess, score));
            }
        }
        // Past the window there is always a positive literal, since every variable has one.
        let fallback = || {
            let position = left.iter().position(|&i| matches!(body[i], Literal::Positive(_)));
            (position.unwrap_or(0), Guess { answers: 1.0, work: 1.0 })
        };
        best.map_or_else(fallback, |(position, guess, _)| (position, guess))
    }

    /// The estimate for one condition; `None` if it cannot be evaluated yet.
    fn guess(&mut self, head: RelationId, literal: &Literal, bound: &Bound) -> Option<Guess> {
        match literal {
            Literal::Distinct(left, right) => (is_bound(left, bound) && is_bound(right, bound))
                .then_some(Guess { answers: 0.5, work: 0.5 }),
            Literal::Negative(atom) => {
                if !atom.args.iter().all(|arg| is_bound(arg, bound)) {
                    return None;
                }
                let guess = self.guess_atom(head, atom, bound);
                Some(Guess { answers: 0.7, work: guess.work.max(1.0) })
            }
            Literal::Positive(atom) => Some(self.guess_atom(head, atom, bound)),
        }
    }

    fn guess_atom(&mut self, head: RelationId, atom: &Atom, bound: &Bound) -> Guess {
        let known = self.known_arguments(head, atom, bound);
        match self.kind(atom.relation) {
            Kind::Empty => Guess { answers: 0.0, work: 0.1 },
            Kind::Truth => self.guess_truth(&atom.args[0], bound),
            Kind::Does => {
                let roles = if known & 1 == 1 { 1.0 } else { self.n_roles };
                let fits = if matches!(atom.args[1], Term::Variable(_)) && known & 2 == 0 {
                    1.0
                } else {
                    0.4
                };
                Guess { answers: roles * fits, work: roles }
            }
            Kind::Fixed(relation) => {
                let relation = &self.program.relations[relation as usize];
                let distinct = relation.distinct.iter().map(|&d| d as f64);
                scan(relation.len() as f64, distinct.collect(), known)
            }
            Kind::Derived => {
                let all = (atom.args.len() as u32).min(64);
                let guess = self.guess_call(atom.relation, known);
                if known.count_ones() == all {
                    return Guess { answers: guess.answers.min(0.5), work: guess.work };
                }
                guess
            }
        }
    }

    fn guess_truth(&self, fluent: &Term, bound: &Bound) -> Guess {
        match fluent {
            _ if is_bound(fluent, bound) => Guess { answers: 0.4, work: 1.0 },
            Term::Function(name, args) => {
                let (count, distinct) = self.statistics.of(*name, args.len());
                scan(count, distinct, mask(args, bound))
            }
            _ => Guess { answers: self.statistics.total, work: self.statistics.total },
        }
    }

    /// The arguments that a rule for `head` makes known when it calls the atom. In a recursive call
    /// a newly built term does not count as known: otherwise goal-directed evaluation could ask for
    /// larger and larger terms where the rules have finitely many consequences.
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
    pub(crate) fn guess_call(&mut self, relation: RelationId, known: u64) -> Guess {
        let key = (relation, known);
        if let Some(&guess) = self.guesses.get(&key) {
            return guess;
        }
        // While its own rules are being estimated, a recursive relation is assumed to have a few
        // answers for each unknown argument.
        let arity = self.rules.relations[relation.0 as usize].arity;
        let unknown = arity.saturating_sub(known.count_ones()).min(20);
        let answers = 4f64.powf(f64::from(unknown));
        self.guesses.insert(key, Guess { answers, work: 50.0 * answers });
        let mut total = Guess { answers: self.facts_of(relation) as f64, work: 2.0 };
        for rule_idx in self.rules_of(relation) {
            let bound = self.bound_by_call(rule_idx, known);
            let guess =
                stacker::maybe_grow(64 << 10, 1 << 20, || self.arrange(rule_idx, bound).guess);
            total.answers = (total.answers + guess.answers).min(CEILING);
            total.work = (total.work + guess.work).min(CEILING);
        }
        if self.dependencies.is_recursive(relation) {
            total.work = (total.work * 10.0).min(CEILING);
            total.answers = total.answers.max(answers);
        }
        self.guesses.insert(key, total);
        total
    }

    /// The variables of a rule that are known when its head is called with these arguments known.
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

/// The estimate for a stored set of tuples, taking its columns as independent.
fn scan(count: f64, distinct: Vec<f64>, known: u64) -> Guess {
    let n_columns = distinct.len();
    let mut answers = count;
    for (i, values) in distinct.into_iter().enumerate().take(64) {
        if known >> i & 1 == 1 {
            answers /= values.max(1.0);
        }
    }
    if known.count_ones() as usize >= n_columns {
        return Guess { answers: answers.clamp(0.01, 0.5), work: 1.0 };
    }
    Guess { answers, work: answers + 1.0 }
}
