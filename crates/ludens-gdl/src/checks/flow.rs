//! The variables that a body binds, and those that it needs to be bound.
//!
//! Smaller sets are merged into larger ones, so that a body of any form takes little more than
//! linear time.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Formula, Name, Sentence, Term};
use crate::source::Span;
use crate::symbol::Symbol;

/// A rule with more equalities than this is not analysed further; no real game has so many.
const MAX_EQUALITIES: usize = 1000;

/// The number of passes over the equalities; each can bind one more variable of a chain.
const MAX_PASSES: usize = 8;

/// The variables of a formula.
#[derive(Default)]
pub(crate) struct Flow<'a> {
    /// Those that are bound whenever the formula holds.
    pub binds: FxHashSet<Symbol>,
    /// Those that must be bound elsewhere, with the first position that needs it.
    pub needs: FxHashMap<Symbol, Span>,
    equal: Vec<(&'a Term, &'a Term)>,
}

/// A leaf of a formula.
#[derive(Clone, Copy)]
pub(crate) enum Leaf<'a> {
    /// A sentence that must hold.
    Positive(&'a Sentence),
    /// A sentence that must not hold.
    Negative(&'a Sentence),
    /// A side of a `distinct`, or of its negation.
    Compared(&'a Term),
}

impl<'a> Flow<'a> {
    /// The variables of a body; `leaf` adds those that a leaf binds and needs.
    pub fn of_body(parts: &'a [Formula], leaf: &impl Fn(Leaf<'a>, &mut Flow<'a>)) -> Self {
        all(parts.iter(), true, leaf)
    }

    /// Adds a variable that must be bound elsewhere.
    pub fn need(&mut self, name: Name) {
        let first = self.needs.entry(name.symbol).or_insert(name.span);
        *first = name.span.min(*first);
    }

    /// Variables that are needed and not bound, in the order of the text.
    pub fn unbound(&self) -> Vec<(Symbol, Span)> {
        let mut list: Vec<_> = self
            .needs
            .iter()
            .filter(|(symbol, _)| !self.binds.contains(symbol))
            .map(|(&symbol, &span)| (symbol, span))
            .collect();
        list.sort_by_key(|&(_, span)| span);
        list
    }

    fn size(&self) -> usize {
        self.binds.len() + self.needs.len()
    }

    /// The conjunction of two formulas.
    fn and(self, other: Self) -> Self {
        let (mut large, mut small) =
            if self.size() < other.size() { (other, self) } else { (self, other) };
        subtract(&mut large.needs, &small.binds);
        subtract(&mut small.needs, &large.binds);
        large.merge_needs(small.needs);
        large.binds = union(large.binds, small.binds);
        large.equal.extend(small.equal);
        large
    }

    /// The disjunction of two formulas.
    fn or(self, other: Self) -> Self {
        let (mut large, small) =
            if self.size() < other.size() { (other, self) } else { (self, other) };
        large.merge_needs(small.needs);
        large.binds = intersection(large.binds, small.binds);
        large
    }

    fn merge_needs(&mut self, other: FxHashMap<Symbol, Span>) {
        for (symbol, span) in other {
            self.need(Name { symbol, span });
        }
    }

    /// Binds variables that equal bound terms.
    fn propagate_equalities(&mut self) {
        for _ in 0..MAX_PASSES {
            let equal = std::mem::take(&mut self.equal);
            let before = equal.len();
            for (left, right) in equal {
                if self.binds_all(left) {
                    self.bind(right);
                } else if self.binds_all(right) {
                    self.bind(left);
                } else {
                    self.equal.push((left, right));
                }
            }
            if self.equal.len() == before {
                break;
            }
        }
        self.equal.truncate(MAX_EQUALITIES);
    }

    fn binds_all(&self, term: &Term) -> bool {
        let mut all = true;
        term.variables(&mut |name| all &= self.binds.contains(&name.symbol));
        all
    }

    fn bind(&mut self, term: &Term) {
        term.variables(&mut |name| {
            self.needs.remove(&name.symbol);
            self.binds.insert(name.symbol);
        });
    }
}

fn all<'a>(
    parts: impl Iterator<Item = &'a Formula>,
    positive: bool,
    leaf: &impl Fn(Leaf<'a>, &mut Flow<'a>),
) -> Flow<'a> {
    let flows = parts.map(|part| of_formula(part, positive, leaf));
    let mut flow = flows.reduce(Flow::and).unwrap_or_default();
    flow.propagate_equalities();
    flow
}

fn any<'a>(
    parts: &'a [Formula],
    positive: bool,
    leaf: &impl Fn(Leaf<'a>, &mut Flow<'a>),
) -> Flow<'a> {
    let flows = parts.iter().map(|part| {
        let mut flow = all(std::iter::once(part), positive, leaf);
        flow.equal.clear();
        flow
    });
    flows.reduce(Flow::or).unwrap_or_default()
}

fn of_formula<'a>(
    formula: &'a Formula,
    positive: bool,
    leaf: &impl Fn(Leaf<'a>, &mut Flow<'a>),
) -> Flow<'a> {
    let mut flow = Flow::default();
    match formula {
        Formula::Sentence(sentence) if positive => leaf(Leaf::Positive(sentence), &mut flow),
        Formula::Sentence(sentence) => leaf(Leaf::Negative(sentence), &mut flow),
        Formula::Not(inner, _) => return of_formula(inner, !positive, leaf),
        Formula::Distinct(left, right, _) => {
            leaf(Leaf::Compared(left), &mut flow);
            leaf(Leaf::Compared(right), &mut flow);
            if !positive {
                flow.equal.push((left, right));
            }
        }
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            let is_any = matches!(formula, Formula::Or(..)) == positive;
            return if is_any {
                any(parts, positive, leaf)
            } else {
                all(parts.iter(), positive, leaf)
            };
        }
    }
    flow
}

fn subtract(needs: &mut FxHashMap<Symbol, Span>, binds: &FxHashSet<Symbol>) {
    if binds.len() < needs.len() {
        for symbol in binds {
            needs.remove(symbol);
        }
    } else {
        needs.retain(|symbol, _| !binds.contains(symbol));
    }
}

fn union(one: FxHashSet<Symbol>, other: FxHashSet<Symbol>) -> FxHashSet<Symbol> {
    let (mut large, small) = if one.len() < other.len() { (other, one) } else { (one, other) };
    large.extend(small);
    large
}

fn intersection(one: FxHashSet<Symbol>, other: FxHashSet<Symbol>) -> FxHashSet<Symbol> {
    let (large, mut small) = if one.len() < other.len() { (other, one) } else { (one, other) };
    small.retain(|symbol| large.contains(symbol));
    small
}
