//! Rules to plans.

use ludens_gdl::Dependencies;
use ludens_gdl::rules::{Atom, Literal, RelationId, Rules, Term};
use rustc_hash::FxHashMap;

use crate::order::{Bound, Guess, is_bound, mask};
use crate::plan::{
    Call, CallId, Fields, Lifetime, Pattern, Plan, Program, Reg, Source, Step, TruthIndex,
    TruthScan,
};
use crate::relation::Relation;
use crate::statistics::Statistics;
use crate::store::{Store, Value};

/// How a relation is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Truth,
    Does,
    /// It never changes and is known completely.
    Fixed(u32),
    /// Its rules must be run.
    Derived,
    /// Nothing is said of it.
    Empty,
}

/// A call whose plans have at most so many steps together is run on the spot, not tabled.
const MAX_INLINE_STEPS: usize = 32;

/// The same for the work it is guessed to be.
const MAX_INLINE_WORK: f64 = 100.0;

/// What planning knows, and the program it writes.
pub(crate) struct Planner<'a> {
    pub rules: &'a Rules,
    pub dependencies: &'a Dependencies,
    pub statistics: &'a Statistics,
    pub n_roles: f64,
    pub program: Program,
    pub guesses: FxHashMap<(RelationId, u64), Guess>,
    store: &'a mut Store,
    knowledge: &'a Knowledge,
    call_ids: FxHashMap<(RelationId, u64), CallId>,
}

/// What is known of the relations before planning begins.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// The unchanging relations.
    pub relations: Vec<Relation>,
    /// Relations that are known completely.
    pub fixed: FxHashMap<RelationId, u32>,
    /// The facts of relations that also have rules.
    pub facts: FxHashMap<RelationId, u32>,
    /// The rules with conditions, by relation.
    pub rules_of: Vec<Vec<usize>>,
}

/// Registers of the plan being written.
struct Scope {
    registers: Vec<Option<Reg>>,
    uses: Vec<u32>,
    known_terms: Vec<(Term, Reg)>,
    constants: Vec<(Reg, Value)>,
    next: Reg,
}

impl Scope {
    fn fresh(&mut self) -> Reg {
        self.next += 1;
        self.next - 1
    }

    /// The register of a constant.
    fn constant(&mut self, value: Value) -> Reg {
        let known = self.constants.iter().find(|(_, constant)| *constant == value);
        known.map(|(register, _)| *register).unwrap_or_else(|| {
            let register = self.fresh();
            self.constants.push((register, value));
            register
        })
    }

    /// The test that a step makes, given where the registers stood when the step began.
    fn fields(&self, patterns: Vec<(u16, Pattern)>, begin: Reg) -> Fields {
        let is_constant = |r: Reg| self.constants.iter().any(|(register, _)| *register == r);
        Fields::new(patterns, |r| r < begin || is_constant(r))
    }

    fn bound(&self) -> Bound {
        self.registers.iter().map(Option::is_some).collect()
    }
}

impl<'a> Planner<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        dependencies: &'a Dependencies,
        knowledge: &'a Knowledge,
        statistics: &'a Statistics,
        store: &'a mut Store,
    ) -> Self {
        let program = Program { relations: knowledge.relations.clone(), ..Program::default() };
        let n_roles = knowledge
            .fixed
            .get(&rules.keywords.role)
            .map_or(2, |&r| knowledge.relations[r as usize].len());
        Planner {
            rules,
            dependencies,
            statistics,
            n_roles: n_roles as f64,
            program,
            guesses: FxHashMap::default(),
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

    /// How many facts are stated of a relation that also has rules.
    pub(crate) fn facts_of(&self, relation: RelationId) -> usize {
        self.knowledge
            .facts
            .get(&relation)
            .map_or(0, |&r| self.knowledge.relations[r as usize].len())
    }

    /// The calls planned so far as people read them, in order: known arguments as `+`.
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

    /// The call of a relation with these arguments known, planned if it is new.
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
        let free = outs.clone().map(|r| (r, Pattern::Bind(r))).collect();
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
        let order = self.arrange(rule_idx, bound).order;
        let mut scope = Scope {
            registers: vec![None; rule.variables.len()],
            uses: count_uses(rule),
            known_terms: Vec::new(),
            constants: Vec::new(),
            next: 0,
        };
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

    fn step(
        &mut self,
        literal: &Literal,
        rule: &ludens_gdl::rules::Rule,
        scope: &mut Scope,
    ) -> Step {
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
            // A condition that always holds.
            Kind::Empty => Step::Pass,
            Kind::Truth => Step::HasTruth { term: key[0].clone(), positive: false },
            Kind::Does => Step::NotDoes { role: key[0].clone(), action: key[1].clone() },
            Kind::Fixed(relation) => self.has_fact(relation, key, false),
            Kind::Derived => {
                let known = mask(&atom.args, &scope.bound());
                let call = self.call(atom.relation, known);
                match self.is_small(atom.relation, known, call) {
                    true => Step::Check { call, key, positive: false },
                    false => Step::NotCall { call, key },
                }
            }
        }
    }

    fn has_fact(&mut self, relation: u32, key: Box<[Source]>, positive: bool) -> Step {
        let columns: Vec<u16> = (0..key.len()).map(|i| i as u16).collect();
        let index = self.program.relations[relation as usize].index(&columns);
        Step::HasFact { relation, index, key, positive }
    }

    fn atom_step(
        &mut self,
        atom: &Atom,
        rule: &ludens_gdl::rules::Rule,
        scope: &mut Scope,
    ) -> Step {
        let bound = scope.bound();
        match self.kind(atom.relation) {
            Kind::Empty => {
                // The variables must have registers all the same, since later steps may name them.
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
                let known = mask(&atom.args, &bound);
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
                if open.all(|(_, arg)| ignored(arg)) && self.is_small(atom.relation, known, call) {
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

    /// Whether a call of which only the existence of an answer is asked can be run on the spot:
    /// it must need no table, and be little work, since it may be run again and again.
    fn is_small(&mut self, relation: RelationId, known: u64, call: CallId) -> bool {
        !self.dependencies.is_recursive(relation)
            && self.weight(call).is_some_and(|steps| steps <= MAX_INLINE_STEPS)
            && self.guess_call(relation, known).work <= MAX_INLINE_WORK
    }

    /// How many steps a call has, those run on the spot included; `None` if it needs tables.
    fn weight(&self, call: CallId) -> Option<usize> {
        let plans = &self.program.calls[call.0 as usize].plans;
        let steps = plans.iter().flat_map(|plan| plan.steps.iter());
        let weights = steps.map(|step| match step {
            Step::Call { .. } | Step::NotCall { .. } => None,
            Step::Check { call, .. } => self.weight(*call).map(|steps| steps + 1),
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
        match self.program.relations[relation as usize].is_unique(index) {
            true => Step::OneFact { relation, index, key, outs },
            false => Step::EachFact { relation, index: Some(index), key, outs },
        }
    }

    fn truth_step(
        &mut self,
        fluent: &Term,
        rule: &ludens_gdl::rules::Rule,
        scope: &mut Scope,
    ) -> Step {
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

    /// The value of a ground term of the rules.
    fn ground(&mut self, term: &Term) -> Value {
        ground_value(self.store, term)
    }

    fn source(&mut self, term: &Term, scope: &mut Scope) -> Source {
        if term.is_ground() {
            let value = self.ground(term);
            return Source::Register(scope.constant(value));
        }
        if let Some((_, register)) = scope.known_terms.iter().find(|(known, _)| known == term) {
            return Source::Register(*register);
        }
        match term {
            Term::Variable(v) => Source::Register(
                scope.registers[v.0 as usize]
                    .expect("every variable occurs in a positive literal tried before"),
            ),
            Term::Function(name, args) => {
                let functor = self.store.functor(*name, args.len());
                Source::Build(functor, args.iter().map(|arg| self.source(arg, scope)).collect())
            }
            Term::Constant(_) => unreachable!("constants are ground"),
        }
    }

    /// The patterns of terms that stand in given columns.
    fn patterns<'t>(
        &mut self,
        terms: impl Iterator<Item = (&'t Term, u16)>,
        scope: &mut Scope,
    ) -> Vec<(u16, Pattern)> {
        terms.map(|(term, column)| (column, self.pattern(term, scope))).collect()
    }

    fn pattern(&mut self, term: &Term, scope: &mut Scope) -> Pattern {
        if term.is_ground() {
            let value = self.ground(term);
            return Pattern::Register(scope.constant(value));
        }
        match term {
            Term::Variable(v) => match scope.registers[v.0 as usize] {
                Some(register) => Pattern::Register(register),
                None if scope.uses[v.0 as usize] == 1 => {
                    // Nobody else asks for it; it only must count as known.
                    scope.registers[v.0 as usize] = Some(0);
                    Pattern::Skip
                }
                None => {
                    let register = scope.fresh();
                    scope.registers[v.0 as usize] = Some(register);
                    Pattern::Bind(register)
                }
            },
            Term::Function(name, args) => {
                let functor = self.store.functor(*name, args.len());
                Pattern::Apply(functor, args.iter().map(|arg| self.pattern(arg, scope)).collect())
            }
            Term::Constant(_) => unreachable!("constants are ground"),
        }
    }
}

/// The value of a ground term of the rules. Their depth is bounded by the parser.
pub(crate) fn ground_value(store: &mut Store, term: &Term) -> Value {
    let (name, args) = match term {
        Term::Constant(name) => (*name, &[][..]),
        Term::Function(name, args) => (*name, &args[..]),
        Term::Variable(_) => unreachable!("the term is ground"),
    };
    let values: Vec<Value> = args.iter().map(|arg| ground_value(store, arg)).collect();
    let functor = store.functor(name, values.len());
    store.insert(functor, &values).expect("the parser bounds the depth of terms")
}

fn for_each_term<'r>(rule: &'r ludens_gdl::rules::Rule, visit: &mut impl FnMut(&'r Term)) {
    rule.head.args.iter().for_each(&mut *visit);
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.args.iter().for_each(&mut *visit)
            }
            Literal::Distinct(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }
}

fn count_uses(rule: &ludens_gdl::rules::Rule) -> Vec<u32> {
    let mut uses = vec![0; rule.variables.len()];
    for_each_term(rule, &mut |term| term.variables(&mut |v| uses[v.0 as usize] += 1));
    uses
}

/// How often a term stands as an argument of the rule's sentences.
fn occurrences(wanted: &Term, rule: &ludens_gdl::rules::Rule) -> usize {
    let mut count = 0;
    for_each_term(rule, &mut |term| count += usize::from(term == wanted));
    count
}
