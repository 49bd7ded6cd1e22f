//! Grounding: which atoms can ever hold, and which instances of the rules can ever fire.
//!
//! The possible atoms are the least fixpoint of the rules without their negative conditions,
//! where what can be next can be true and what can be legal can be done. It is computed
//! semi-naively, one new atom at a time: the atom is joined with those found before it, so that
//! every instance of a rule is found exactly once.

mod binding;
mod instances;
mod join;
mod rules;
mod table;

use std::collections::VecDeque;
use std::rc::Rc;

use ludens_core::{Budget, Trouble};
use ludens_gdl::rules::{RelationId, Rules, Term};
use ludens_gdl::{Dependencies, Symbol};
use ludens_logic::Statics;
use ludens_logic::terms::{Store, Value};

use binding::{Trail, fit, value};
use instances::{Instances, Part};
use join::Join;
use rules::{Condition, OpenRule};
use table::{Key, Table};

/// An atom of the grounding, numbered densely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

/// A condition of a ground rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether it must hold, or must not.
    pub positive: bool,
}

/// An atom: relation and arguments.
#[derive(Clone, Debug)]
pub struct GroundAtom {
    /// The relation.
    pub relation: RelationId,
    /// The arguments.
    pub args: Vec<Value>,
    /// Whether it can ever hold; one that cannot stands only negated in rules.
    pub possible: bool,
}

/// A ground description.
pub struct Grounding {
    /// The terms.
    pub store: Store,
    /// The atoms.
    pub atoms: Vec<GroundAtom>,
    /// Heads of the ground rules, with the end of each rule's conditions in `conditions`.
    heads: Vec<(AtomId, u32)>,
    conditions: Vec<GroundLiteral>,
    /// The roles in order.
    pub roles: Vec<Value>,
    /// The fluents that hold at the beginning.
    pub initial: Vec<Value>,
}

impl Grounding {
    /// The ground rules: head and conditions.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = (AtomId, &[GroundLiteral])> {
        (0..self.heads.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.heads[i - 1].1 };
            let (head, end) = self.heads[i];
            (head, &self.conditions[start as usize..end as usize])
        })
    }
}

/// Limits are looked at once in so many steps.
const STEPS_BETWEEN_LOOKS: u32 = 4096;

/// Grounds rules.
pub fn ground(rules: &Rules, budget: &Budget) -> Result<Grounding, Trouble> {
    let dependencies = Dependencies::of(rules);
    let statics = Statics::of(rules, &dependencies, budget)?;
    let mut grounder = Grounder::new(rules, &statics, budget.clone());
    grounder.seed(rules, &statics)?;
    grounder.close()?;
    grounder.finish(rules, &statics)
}

struct Grounder {
    store: Store,
    tables: Vec<Table>,
    rules: Rc<Vec<OpenRule>>,
    joins: Rc<Vec<Join>>,
    /// The joins that an atom of a relation starts.
    starts: Vec<Vec<usize>>,
    queue: VecDeque<(RelationId, u32)>,
    instances: Instances,
    keywords: ludens_gdl::rules::Keywords,
    roles: Vec<Value>,
    registers: Vec<Option<Value>>,
    /// The row chosen for each condition of the rule being joined.
    chosen: Vec<u32>,
    steps: u32,
    budget: Budget,
}

impl Grounder {
    fn new(rules: &Rules, statics: &Statics, budget: Budget) -> Self {
        let mut store = statics.store.clone();
        let mut tables: Vec<Table> =
            rules.relations.iter().map(|r| Table::new(r.arity as usize)).collect();
        for (i, table) in tables.iter_mut().enumerate() {
            for tuple in statics.tuples(RelationId(i as u32)).into_iter().flatten() {
                let row = table.name(tuple);
                table.set_possible(row);
                table.show(&store, row);
            }
        }
        let open = rules::open_rules(rules, statics);
        let mut joins = Vec::new();
        let mut starts = vec![Vec::new(); tables.len()];
        for (rule_idx, rule) in open.iter().enumerate() {
            let mut started = false;
            for (i, condition) in rule.body.iter().enumerate() {
                if let Condition::Positive { relation, known: false, .. } = condition {
                    starts[relation.0 as usize].push(joins.len());
                    joins.push(join::plan(rule_idx, rule, Some(i), &mut tables, &mut store));
                    started = true;
                }
            }
            if !started {
                joins.push(join::plan(rule_idx, rule, None, &mut tables, &mut store));
            }
        }
        let roles = statics.tuples(rules.keywords.role).into_iter().flatten().map(|t| t[0]);
        Grounder {
            store,
            tables,
            rules: Rc::new(open),
            joins: Rc::new(joins),
            starts,
            queue: VecDeque::new(),
            instances: Instances::default(),
            keywords: rules.keywords,
            roles: roles.collect(),
            registers: Vec::new(),
            chosen: Vec::new(),
            steps: 0,
            budget,
        }
    }

    /// The atoms that hold without further ado.
    fn seed(&mut self, rules: &Rules, statics: &Statics) -> Result<(), Trouble> {
        for relation in [rules.keywords.init, rules.keywords.next, rules.keywords.legal] {
            for tuple in statics.tuples(relation).into_iter().flatten() {
                self.spread(relation, tuple);
            }
        }
        let joins = Rc::clone(&self.joins);
        for join in joins.iter().filter(|join| join.start.is_none()) {
            self.run(join, None)?;
        }
        Ok(())
    }

    /// What can be next can be true, and what can be legal can be done.
    fn spread(&mut self, relation: RelationId, tuple: &[Value]) {
        if relation == self.keywords.init || relation == self.keywords.next {
            self.find_possible(self.keywords.truth, tuple);
        } else if relation == self.keywords.legal && self.roles.contains(&tuple[0]) {
            self.find_possible(self.keywords.does, tuple);
        }
    }

    fn find_possible(&mut self, relation: RelationId, tuple: &[Value]) -> u32 {
        let table = &mut self.tables[relation.0 as usize];
        let row = table.name(tuple);
        if table.set_possible(row) {
            self.queue.push_back((relation, row));
            self.spread(relation, tuple);
        }
        row
    }

    /// Joins atom after atom until nothing new is found.
    fn close(&mut self) -> Result<(), Trouble> {
        let joins = Rc::clone(&self.joins);
        while let Some((relation, row)) = self.queue.pop_front() {
            self.tables[relation.0 as usize].show(&self.store, row);
            for i in 0..self.starts[relation.0 as usize].len() {
                let join = &joins[self.starts[relation.0 as usize][i]];
                self.run(join, Some(row))?;
            }
        }
        Ok(())
    }

    fn run(&mut self, join: &Join, row: Option<u32>) -> Result<(), Trouble> {
        let rules = Rc::clone(&self.rules);
        let rule = &rules[join.rule];
        self.registers.clear();
        self.registers.resize(rule.n_variables, None);
        self.chosen.clear();
        self.chosen.resize(rule.body.len(), u32::MAX);
        if let (Some(start), Some(row)) = (join.start, row) {
            let Condition::Positive { relation, args, .. } = &rule.body[start] else {
                unreachable!("joins start from positive conditions");
            };
            self.chosen[start] = row;
            if self.matches(*relation, row, args).is_none() {
                return Ok(());
            }
        }
        self.step(join, rule, 0)
    }

    /// Binds the variables of an atom's arguments to a row; gives back those that were free, or
    /// `None` (and binds nothing) if the row does not fit.
    fn matches(&mut self, relation: RelationId, row: u32, args: &[Term]) -> Option<Key> {
        let mut trail = Trail::new();
        let Grounder { tables, store, registers, .. } = self;
        let tuple = tables[relation.0 as usize].tuple(row);
        let fits = args
            .iter()
            .zip(tuple)
            .all(|(term, &value)| fit(store, registers, term, value, &mut trail));
        if fits {
            return Some(trail.0);
        }
        trail.undo(registers);
        None
    }

    fn step(&mut self, join: &Join, rule: &OpenRule, at: usize) -> Result<(), Trouble> {
        self.steps += 1;
        if self.steps >= STEPS_BETWEEN_LOOKS {
            self.look_at_budget()?;
        }
        let Some(step) = join.steps.get(at) else {
            return self.emit(rule);
        };
        match &rule.body[step.condition] {
            Condition::Distinct(left, right) => {
                if self.value(left) != self.value(right) {
                    self.step(join, rule, at + 1)?;
                }
            }
            Condition::Absent { relation, args } => {
                let tuple = self.tuple(args);
                let known =
                    tuple.is_some_and(|t| self.tables[relation.0 as usize].find(&t).is_some());
                if !known {
                    self.step(join, rule, at + 1)?;
                }
            }
            Condition::Negative { .. } => self.step(join, rule, at + 1)?,
            Condition::Positive { relation, args, .. } => {
                self.positive(join, rule, at, *relation, args, step.index.as_ref())?;
            }
        }
        Ok(())
    }

    fn positive(
        &mut self,
        join: &Join,
        rule: &OpenRule,
        at: usize,
        relation: RelationId,
        args: &[Term],
        index: Option<&(usize, Vec<Term>)>,
    ) -> Result<(), Trouble> {
        let condition = join.steps[at].condition;
        let key = match index {
            None => None,
            Some((_, terms)) => match self.tuple(terms) {
                None => return Ok(()),
                key => key,
            },
        };
        let rows = |tables: &[Table]| match (&key, index) {
            (Some(key), Some((index, _))) => tables[relation.0 as usize].lookup(*index, key).len(),
            _ => tables[relation.0 as usize].visible().len(),
        };
        // Atoms found meanwhile are shown later, when they are joined themselves.
        for i in 0..rows(&self.tables) {
            let row = match (&key, index) {
                (Some(key), Some((index, _))) => {
                    self.tables[relation.0 as usize].lookup(*index, key)[i]
                }
                _ => self.tables[relation.0 as usize].visible()[i],
            };
            if self.is_later_double(join, rule, condition, relation, row) {
                continue;
            }
            self.chosen[condition] = row;
            if let Some(bound) = self.matches(relation, row, args) {
                self.step(join, rule, at + 1)?;
                Trail(bound).undo(&mut self.registers);
            }
        }
        Ok(())
    }

    /// Whether the atom that started the join would also be used by an earlier condition: the
    /// join that starts from there finds that instance.
    fn is_later_double(
        &self,
        join: &Join,
        rule: &OpenRule,
        condition: usize,
        relation: RelationId,
        row: u32,
    ) -> bool {
        let Some(start) = join.start else { return false };
        let Condition::Positive { relation: first, .. } = &rule.body[start] else { return false };
        condition < start && *first == relation && self.chosen[start] == row
    }

    /// Notes the instance that the registers hold.
    fn emit(&mut self, rule: &OpenRule) -> Result<(), Trouble> {
        let too_deep = || Trouble::Exhausted("a term is nested too deeply to be ground".into());
        let head: Vec<Value> = rule
            .head_args
            .iter()
            .map(|arg| self.build(arg))
            .collect::<Option<_>>()
            .ok_or_else(too_deep)?;
        let mut body = Vec::with_capacity(rule.body.len());
        for (i, condition) in rule.body.iter().enumerate() {
            match condition {
                Condition::Positive { relation, known: false, .. } => {
                    body.push((*relation, self.chosen[i], true));
                }
                Condition::Negative { relation, args } => {
                    let tuple: Vec<Value> = args
                        .iter()
                        .map(|arg| self.build(arg))
                        .collect::<Option<_>>()
                        .ok_or_else(too_deep)?;
                    let row = self.tables[relation.0 as usize].name(&tuple);
                    body.push((*relation, row, false));
                }
                _ => {}
            }
        }
        body.sort_unstable();
        body.dedup();
        let row = self.find_possible(rule.head, &head);
        self.instances.add((rule.head, row), &body);
        Ok(())
    }

    /// The value of a term whose variables are bound, if it was met before.
    fn value(&self, term: &Term) -> Option<Value> {
        value(&self.store, &self.registers, term)
    }

    fn tuple(&self, terms: &[Term]) -> Option<Key> {
        terms.iter().map(|term| self.value(term)).collect()
    }

    /// The value of a term whose variables are bound, as a new term if need be.
    fn build(&mut self, term: &Term) -> Option<Value> {
        let (name, args): (Symbol, &[Term]) = match term {
            Term::Variable(v) => return self.registers[v.0 as usize],
            Term::Constant(name) => (*name, &[]),
            Term::Function(name, args) => (*name, args),
        };
        let values: Key = args.iter().map(|arg| self.build(arg)).collect::<Option<_>>()?;
        let functor = self.store.functor(name, values.len());
        self.store.intern(functor, &values)
    }

    #[cold]
    fn look_at_budget(&mut self) -> Result<(), Trouble> {
        self.steps = 0;
        if self.budget.is_over() {
            return Err(Trouble::Exhausted("the time for grounding is used up".into()));
        }
        let tables: usize = self.tables.iter().map(|table| table.len() * 64).sum();
        if self.budget.is_full(self.store.bytes() + tables + self.instances.bytes()) {
            return Err(Trouble::Exhausted("the memory for grounding is used up".into()));
        }
        Ok(())
    }

    fn finish(self, rules: &Rules, statics: &Statics) -> Result<Grounding, Trouble> {
        let init = rules.keywords.init;
        let stated = rules.rules.iter().any(|rule| rule.head.relation == init);
        if stated && statics.tuples(init).is_none() {
            return Err(Trouble::Exhausted("the initial state cannot be worked out".into()));
        }
        let init = statics.tuples(init).into_iter().flatten();
        let mut initial: Vec<Value> = init.map(|tuple| tuple[0]).collect();
        initial.sort_unstable();
        let mut atoms = Vec::new();
        let mut first = Vec::new();
        for (relation, table) in self.tables.iter().enumerate() {
            first.push(atoms.len() as u32);
            let atom = |row| GroundAtom {
                relation: RelationId(relation as u32),
                args: table.tuple(row).to_vec(),
                possible: table.is_possible(row),
            };
            atoms.extend((0..table.len() as u32).map(atom));
        }
        let atom = |relation: RelationId, row: u32| AtomId(first[relation.0 as usize] + row);
        let heads =
            self.instances.heads.iter().map(|&(relation, row, end)| (atom(relation, row), end));
        let conditions = self.instances.conditions.iter();
        let literal = |&(relation, row, positive): &Part| GroundLiteral {
            atom: atom(relation, row),
            positive,
        };
        Ok(Grounding {
            heads: heads.collect(),
            conditions: conditions.map(literal).collect(),
            atoms,
            store: self.store,
            roles: self.roles,
            initial,
        })
    }
}
