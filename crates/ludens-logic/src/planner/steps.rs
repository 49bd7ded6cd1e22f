//! Conditions to steps.

use ludens_gdl::rules::{Atom, Literal, RelationId, Rule, Term};

use super::scope::{Scope, occurrences};
use super::{Kind, Planner};
use crate::order::{is_bound, mask};
use crate::plan::{CallId, Source, Step, TruthIndex, TruthScan};

/// A call whose plans have at most this many steps together is run inline, not tabled.
const MAX_INLINE_STEPS: usize = 32;

/// The same for its estimated work.
const MAX_INLINE_WORK: f64 = 100.0;

impl Planner<'_> {
    /// The step for a condition.
    pub(super) fn step(&mut self, literal: &Literal, rule: &Rule, scope: &mut Scope) -> Step {
        match literal {
            Literal::Distinct(left, right) => {
                Step::Distinct(self.source(left, scope), self.source(right, scope))
            }
            Literal::Positive(atom) => self.atom_step(atom, rule, scope),
            Literal::Negative(atom) => self.negative_step(atom, scope),
        }
    }

    fn negative_step(&mut self, atom: &Atom, scope: &mut Scope) -> Step {
        let key: Box<[Source]> = atom.args.iter().map(|arg| self.source(arg, scope)).collect();
        match self.kind(atom.relation) {
            // The condition always holds.
            Kind::Empty => Step::Pass,
            Kind::Truth => Step::HasTruth { term: key[0].clone(), positive: false },
            Kind::Does => Step::NotDoes { role: key[0].clone(), action: key[1].clone() },
            Kind::Fixed(relation) => self.has_fact(relation, key, false),
            Kind::Derived => {
                let known = mask(&atom.args, &scope.bound());
                let call = self.call(atom.relation, known);
                if self.is_inlinable(atom.relation, known, call) {
                    return Step::Check { call, key, positive: false };
                }
                Step::NotCall { call, key }
            }
        }
    }

    fn has_fact(&mut self, relation: u32, key: Box<[Source]>, positive: bool) -> Step {
        let columns: Vec<u16> = (0..key.len()).map(|i| i as u16).collect();
        let index = self.program.relations[relation as usize].index(&columns);
        Step::HasFact { relation, index, key, positive }
    }

    fn atom_step(&mut self, atom: &Atom, rule: &Rule, scope: &mut Scope) -> Step {
        let bound = scope.bound();
        match self.kind(atom.relation) {
            Kind::Empty => {
                // The variables need registers nevertheless, since later steps may refer to them.
                atom.args.iter().for_each(|arg| drop(self.pattern(arg, scope)));
                Step::Fail
            }
            Kind::Truth => self.truth_step(&atom.args[0], rule, scope),
            Kind::Does => {
                let begin = scope.next;
                let patterns = self.patterns(atom.args.iter().zip(0..), scope);
                Step::Does(scope.fields(patterns, begin))
            }
            Kind::Fixed(relation) => self.fact_step(relation, &atom.args, scope),
            Kind::Derived => {
                let known = self.known_arguments(rule.head.relation, atom, &bound);
                let call = self.call(atom.relation, known);
                let is_known = |i: usize| i < 64 && known >> i & 1 == 1;
                let args = atom.args.iter().enumerate();
                let key: Box<[Source]> = args
                    .clone()
                    .filter(|(i, _)| is_known(*i))
                    .map(|(_, arg)| self.source(arg, scope))
                    .collect();
                let ignored = |term: &Term| match term {
                    Term::Variable(v) => scope.uses[v.0 as usize] == 1,
                    _ => false,
                };
                let mut open = args.clone().filter(|(i, _)| !is_known(*i));
                if open.all(|(_, arg)| ignored(arg))
                    && self.is_inlinable(atom.relation, known, call)
                {
                    atom.args.iter().for_each(|arg| drop(self.pattern(arg, scope)));
                    return Step::Check { call, key, positive: true };
                }
                let begin = scope.next;
                let open = args.filter(|(i, _)| !is_known(*i)).map(|(_, arg)| arg);
                let outs = self.patterns(open.zip(0..), scope);
                Step::Call { call, key, outs: scope.fields(outs, begin) }
            }
        }
    }

    /// Whether a call of which only the existence of an answer matters can be run inline: it must need no
    /// table and be cheap, since it may be run repeatedly.
    fn is_inlinable(&mut self, relation: RelationId, known: u64, call: CallId) -> bool {
        !self.dependencies.is_recursive(relation)
            && self.n_inline_steps(call).is_some_and(|steps| steps <= MAX_INLINE_STEPS)
            && self.estimate_call(relation, known).work <= MAX_INLINE_WORK
    }

    /// The number of steps of a call, including those of inline calls; `None` if it needs tables.
    fn n_inline_steps(&self, call: CallId) -> Option<usize> {
        let plans = &self.program.calls[call.0 as usize].plans;
        let steps = plans.iter().flat_map(|plan| plan.steps.iter());
        let weights = steps.map(|step| match step {
            Step::Call { .. } | Step::NotCall { .. } => None,
            Step::Check { call, .. } => self.n_inline_steps(*call).map(|steps| steps + 1),
            _ => Some(1),
        });
        weights.sum()
    }

    fn fact_step(&mut self, relation: u32, args: &[Term], scope: &mut Scope) -> Step {
        let bound = scope.bound();
        let known: Vec<bool> = args.iter().map(|arg| is_bound(arg, &bound)).collect();
        let mut key = Vec::new();
        let mut columns = Vec::new();
        for (i, arg) in args.iter().enumerate().filter(|(i, _)| known[*i]) {
            key.push(self.source(arg, scope));
            columns.push(i as u16);
        }
        if key.len() == args.len() {
            return self.has_fact(relation, key.into(), true);
        }
        let begin = scope.next;
        let open = args.iter().zip(0..).filter(|(_, i)| !known[*i as usize]);
        let outs = self.patterns(open, scope);
        let outs = scope.fields(outs, begin);
        let key = key.into();
        if columns.is_empty() {
            return Step::EachFact { relation, index: None, key, outs };
        }
        let index = self.program.relations[relation as usize].index(&columns);
        if self.program.relations[relation as usize].is_unique(index) {
            return Step::OneFact { relation, index, key, outs };
        }
        Step::EachFact { relation, index: Some(index), key, outs }
    }

    fn truth_step(&mut self, fluent: &Term, rule: &Rule, scope: &mut Scope) -> Step {
        let bound = scope.bound();
        if is_bound(fluent, &bound) {
            return Step::HasTruth { term: self.source(fluent, scope), positive: true };
        }
        let Term::Function(name, args) = fluent else {
            let begin = scope.next;
            let patterns = self.patterns(std::iter::once((fluent, 0)), scope);
            return Step::AnyTruth(scope.fields(patterns, begin));
        };
        let functor = self.store.functor(*name, args.len());
        let known = |i: usize| i < 64 && mask(args, &bound) >> i & 1 == 1;
        let columns: Box<[u16]> = (0..args.len()).filter(|&i| known(i)).map(|i| i as u16).collect();
        let key = columns.iter().map(|&c| self.source(&args[c as usize], scope)).collect();
        let index =
            (!columns.is_empty()).then(|| (self.truth_index(TruthIndex { functor, columns }), key));
        let begin = scope.next;
        let patterns = self.patterns(args.iter().zip(0..), scope);
        let open = patterns.iter().filter(|(i, _)| !known(*i as usize)).cloned().collect();
        let (pattern, rest) = (scope.fields(patterns, begin), scope.fields(open, begin));
        let whole = (occurrences(fluent, rule) > 1).then(|| {
            let register = scope.fresh();
            scope.known_terms.push((fluent.clone(), register));
            register
        });
        Step::EachTruth(TruthScan { functor, pattern, whole, index, rest })
    }

    fn truth_index(&mut self, index: TruthIndex) -> u32 {
        let indexes = &mut self.program.truth_indexes;
        let found = indexes.iter().position(|known| *known == index);
        found.unwrap_or_else(|| {
            indexes.push(index);
            indexes.len() - 1
        }) as u32
    }
}
