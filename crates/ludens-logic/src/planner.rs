//! Rules to plans.

use ludens_gdl::Dependencies;
use ludens_gdl::rules::{RelationId, Rules, Term};
use rustc_hash::FxHashMap;

use crate::order::{Estimate, is_bound};
use crate::plan::{Call, CallId, Fields, Lifetime, Pattern, Plan, Program, Reg, Source, Step};
use crate::relation::Relation;
use crate::statistics::Statistics;
use crate::store::Store;

mod scope;
mod steps;

use scope::Scope;
pub use scope::ground_value;

/// How a relation is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Truth,
    Does,
    /// It is static and already computed.
    Fixed(u32),
    /// By running its rules.
    Derived,
    /// It has no facts and no rules.
    Empty,
}

/// The input of planning, and the program it builds.
pub(crate) struct Planner<'a> {
    pub rules: &'a Rules,
    pub dependencies: &'a Dependencies,
    pub statistics: &'a Statistics,
    pub n_roles: f64,
    pub program: Program,
    pub estimates: FxHashMap<(RelationId, u64), Estimate>,
    store: &'a mut Store,
    knowledge: &'a Knowledge,
    call_ids: FxHashMap<(RelationId, u64), CallId>,
}

/// Facts and rules by relation, and the static relations computed so far.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// Static relations that are already computed.
    pub fixed: FxHashMap<RelationId, u32>,
    /// The facts of relations that also have rules.
    pub facts: FxHashMap<RelationId, u32>,
    /// The rules with conditions, by relation.
    pub rules_of: Vec<Vec<usize>>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        dependencies: &'a Dependencies,
        knowledge: &'a Knowledge,
        statistics: &'a Statistics,
        (store, relations): (&'a mut Store, Vec<Relation>),
    ) -> Self {
        let roles = knowledge.fixed.get(&rules.keywords.role);
        let n_roles = roles.map_or(2, |&r| relations[r as usize].len());
        Planner {
            rules,
            dependencies,
            statistics,
            n_roles: n_roles as f64,
            program: Program { relations, ..Program::default() },
            estimates: FxHashMap::default(),
            store,
            knowledge,
            call_ids: FxHashMap::default(),
        }
    }

    pub(crate) fn kind(&self, relation: RelationId) -> Kind {
        let keywords = &self.rules.keywords;
        if relation == keywords.truth {
            Kind::Truth
        } else if relation == keywords.does {
            Kind::Does
        } else if let Some(&fixed) = self.knowledge.fixed.get(&relation) {
            Kind::Fixed(fixed)
        } else if self.knowledge.rules_of[relation.0 as usize].is_empty() {
            Kind::Empty
        } else {
            Kind::Derived
        }
    }

    pub(crate) fn rules_of(&self, relation: RelationId) -> Vec<usize> {
        self.knowledge.rules_of[relation.0 as usize].clone()
    }

    /// The number of facts of a relation that also has rules.
    pub(crate) fn facts_of(&self, relation: RelationId) -> usize {
        self.knowledge.facts.get(&relation).map_or(0, |&r| self.program.relations[r as usize].len())
    }

    /// The calls planned so far as text, in order: bound arguments as `+`.
    pub(crate) fn call_names(&self) -> Vec<String> {
        let mut calls: Vec<_> = self.call_ids.iter().collect();
        calls.sort_unstable_by_key(|(_, id)| id.0);
        let name = |&(&(relation, known), _): &(&(RelationId, u64), &CallId)| {
            let arity = self.rules.relations[relation.0 as usize].arity;
            let pattern: String =
                (0..arity).map(|i| if known >> i & 1 == 1 { '+' } else { '-' }).collect();
            format!("{}({pattern})", self.rules.relation_name(relation))
        };
        calls.iter().map(name).collect()
    }

    /// The call of a relation with these arguments bound, planned if it is new.
    pub(crate) fn call(&mut self, relation: RelationId, known: u64) -> CallId {
        if let Some(&id) = self.call_ids.get(&(relation, known)) {
            return id;
        }
        let arity = self.rules.relations[relation.0 as usize].arity;
        let id = CallId(self.program.calls.len() as u32);
        let lifetime = if self.dependencies.needs_moves(relation) {
            Lifetime::Moves
        } else if self.dependencies.needs_state(relation) {
            Lifetime::State
        } else {
            Lifetime::Always
        };
        let n_outs = (arity - known.count_ones()) as usize;
        self.program.calls.push(Call { plans: Vec::new(), n_outs, lifetime });
        self.call_ids.insert((relation, known), id);
        let plans = stacker::maybe_grow(64 << 10, 1 << 20, || self.plans(relation, known));
        self.program.calls[id.0 as usize].plans = plans;
        id
    }

    fn plans(&mut self, relation: RelationId, known: u64) -> Vec<Plan> {
        if let Some(&fixed) = self.knowledge.fixed.get(&relation) {
            return vec![self.facts_plan(fixed, known)];
        }
        let mut plans = Vec::new();
        if let Some(&facts) = self.knowledge.facts.get(&relation) {
            plans.push(self.facts_plan(facts, known));
        }
        for rule_idx in self.rules_of(relation) {
            plans.push(self.plan(rule_idx, known));
        }
        plans
    }

    /// A plan that reads a stored relation.
    fn facts_plan(&mut self, relation: u32, known: u64) -> Plan {
        let arity = self.program.relations[relation as usize].arity();
        let is_known = |i: usize| i < 64 && known >> i & 1 == 1;
        let all = || (0..arity).map(|i| i as Reg);
        let known_columns = all().filter(|&r| is_known(r as usize));
        let ins = known_columns.zip(0..).map(|(r, column)| (column, Pattern::Bind(r))).collect();
        let key = all().filter(|&r| is_known(r as usize)).map(Source::Register).collect();
        let outs = all().filter(|&r| !is_known(r as usize));
        let free = outs.clone().map(|r| (r as u16, Pattern::Bind(r))).collect();
        let columns: Vec<u16> = (0..arity).filter(|&i| is_known(i)).map(|i| i as u16).collect();
        let index = (!columns.is_empty())
            .then(|| self.program.relations[relation as usize].index(&columns));
        let step = Step::EachFact { relation, index, key, outs: Fields::new(free, |_| true) };
        let cut = usize::from(columns.len() < arity);
        Plan {
            ins: Fields::new(ins, |_| true),
            constants: Box::default(),
            steps: Box::new([step]),
            outs: outs.map(Source::Register).collect(),
            cut,
            registers: arity,
        }
    }

    fn plan(&mut self, rule_idx: usize, known: u64) -> Plan {
        let rules = self.rules;
        let rule = &rules.rules[rule_idx];
        let bound = self.bound_by_call(rule_idx, known);
        let order = self.order_body(rule_idx, bound).order;
        let mut scope = Scope::new(rule);
        let is_known = |i: usize| i < 64 && known >> i & 1 == 1;
        let head = rule.head.args.iter().enumerate();
        let known_args = head.clone().filter(|(i, _)| is_known(*i)).map(|(_, arg)| arg);
        let ins = self.patterns(known_args.zip(0..), &mut scope);
        let ins = scope.fields(ins, 0);
        let free: Vec<&Term> = head.filter(|(i, _)| !is_known(*i)).map(|(_, arg)| arg).collect();
        let mut steps = Vec::with_capacity(order.len());
        let mut cut = 0;
        for literal_idx in order {
            let open = free.iter().any(|term| !is_bound(term, &scope.bound()));
            steps.push(self.step(&rule.body[literal_idx], rule, &mut scope));
            if open {
                cut = steps.len();
            }
        }
        let outs = free.iter().map(|term| self.source(term, &mut scope)).collect();
        Plan {
            ins,
            constants: scope.constants.into(),
            steps: steps.into(),
            outs,
            cut,
            registers: scope.next as usize,
        }
    }
}
