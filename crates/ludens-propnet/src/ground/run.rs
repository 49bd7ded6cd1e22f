//! The semi-naive fixpoint: runs joins until no new atom is found.

use std::collections::VecDeque;

use ludens_gdl::rules::RelationId;
use ludens_logic::Statics;
use ludens_logic::terms::{Store, Value};

use super::Effort;
use super::duplicates::Duplicates;
use super::instances::{Instances, Lit};
use super::join::{self, Join};
use super::limit::{Limits, Stop};
use super::order::{Sizes, UNKNOWN_SIZE};
use super::program::{Condition, Kind, OpenRule, Program};
use super::starts::Starts;
use super::table::Table;

/// The atoms and instances found so far.
pub(super) struct Grounder<'a> {
    pub(super) store: Store,
    pub(super) tables: Vec<Table>,
    pub(super) instances: Instances,
    /// Relation and row of each atom in the instances.
    pub(super) atoms: Vec<(RelationId, u32)>,
    pub(super) roles: Vec<Value>,
    pub(super) program: &'a Program,
    pub(super) limits: Limits<'a>,
    pub(super) queue: VecDeque<(RelationId, u32)>,
    pub(super) registers: Vec<Value>,
    /// The row that matches each condition.
    pub(super) chosen: Vec<u32>,
    /// The next candidate of each scan.
    pub(super) cursors: Vec<u32>,
    pub(super) head: Vec<Value>,
    pub(super) body: Vec<Lit>,
}

/// The joins, and which of them a new atom of a relation starts.
struct Joins {
    all: Vec<Join>,
    starts: Vec<Starts>,
}

impl<'a> Grounder<'a> {
    pub(super) fn new(program: &'a Program, statics: &Statics, mut limits: Limits<'a>) -> Self {
        let tables = program.relations.iter().map(|relation| Table::new(relation.arity)).collect();
        let roles = statics.tuples(program.keywords.role).into_iter().flatten().map(|t| t[0]);
        limits.add_bytes(statics.bytes() + program.bytes());
        Grounder {
            store: statics.store.clone(),
            tables,
            instances: Instances::default(),
            atoms: Vec::new(),
            roles: roles.collect(),
            program,
            limits,
            queue: VecDeque::new(),
            registers: Vec::new(),
            chosen: Vec::new(),
            cursors: Vec::new(),
            head: Vec::new(),
            body: Vec::new(),
        }
    }

    /// Finds all atoms and instances.
    pub(super) fn run(&mut self, statics: &Statics) -> Result<(), Stop> {
        self.load(statics)?;
        let atoms = vec![UNKNOWN_SIZE; self.tables.len()];
        let mut sizes = Sizes { atoms, demanded: Vec::new() };
        for rule in &self.program.static_rules {
            self.compute_static(rule, &mut sizes)?;
        }
        let joins = self.plan(&mut sizes)?;
        let keywords = self.program.keywords;
        for relation in [keywords.init, keywords.next, keywords.legal] {
            for tuple in statics.tuples(relation).into_iter().flatten() {
                self.propagate_to_inputs(relation, tuple);
            }
        }
        for join in joins.all.iter().filter(|join| join.start.is_none()) {
            self.join(join, None)?;
        }
        let mut started = Vec::new();
        while let Some((relation, row)) = self.queue.pop_front() {
            let table = &mut self.tables[relation.0 as usize];
            table.make_visible(&self.store, row);
            started.clear();
            joins.starts[relation.0 as usize].of(&self.store, table.tuple(row), &mut started);
            for &join in &started {
                self.join(&joins.all[join as usize], Some(row))?;
            }
        }
        Ok(())
    }

    /// The effort used.
    pub(super) fn spent(&self) -> Effort {
        Effort { steps: self.limits.steps, conditions: self.instances.n_conditions() }
    }

    /// Copies the static relations that some rule uses or play needs.
    fn load(&mut self, statics: &Statics) -> Result<(), Stop> {
        let mut named = vec![false; self.tables.len()];
        for rule in self.program.rules.iter().chain(&self.program.static_rules) {
            for (relation, _) in rule.body.iter().filter_map(Condition::atom) {
                named[relation.0 as usize] = true;
            }
        }
        for relation in (0..named.len() as u32).map(RelationId) {
            if !named[relation.0 as usize] && !self.program.is_root(relation) {
                continue;
            }
            for tuple in statics.tuples(relation).into_iter().flatten() {
                let row = self.intern(relation, tuple);
                let table = &mut self.tables[relation.0 as usize];
                table.set_possible(row);
                table.make_visible(&self.store, row);
                self.limits.step(&self.store)?;
            }
        }
        Ok(())
    }

    /// Computes a static split-off relation.
    fn compute_static(&mut self, rule: &OpenRule, sizes: &mut Sizes) -> Result<(), Stop> {
        self.measure(rule, sizes);
        let join = join::plan(rule, None, sizes, (&mut self.tables, &mut self.store));
        self.join(&join, None)?;
        while let Some((relation, row)) = self.queue.pop_front() {
            self.tables[relation.0 as usize].make_visible(&self.store, row);
        }
        Ok(())
    }

    /// Records the sizes of static relations that occur in a rule.
    fn measure(&self, rule: &OpenRule, sizes: &mut Sizes) {
        for condition in &rule.body {
            if let Condition::Positive { relation, kind: Kind::Static, .. } = condition {
                let relation = relation.0 as usize;
                sizes.atoms[relation] = self.tables[relation].len() as f64;
            }
        }
    }

    /// Plans a join for each rule and each of its conditions that is not static.
    fn plan(&mut self, sizes: &mut Sizes) -> Result<Joins, Stop> {
        let starts = vec![Starts::default(); self.tables.len()];
        let mut joins = Joins { all: Vec::new(), starts };
        let duplicates = Duplicates::of(self.program);
        for rule in &self.program.rules {
            self.measure(rule, sizes);
            let unique = !duplicates.can_duplicate(rule);
            let first = joins.all.len();
            for (i, condition) in rule.body.iter().enumerate() {
                let Condition::Positive { kind, .. } = condition else { continue };
                if *kind != Kind::Static {
                    self.plan_one(rule, (Some(i), unique), sizes, &mut joins)?;
                }
            }
            if joins.all.len() == first {
                self.plan_one(rule, (None, unique), sizes, &mut joins)?;
            }
        }
        Ok(joins)
    }

    fn plan_one(
        &mut self,
        rule: &OpenRule,
        (start, unique): (Option<usize>, bool),
        sizes: &Sizes,
        joins: &mut Joins,
    ) -> Result<(), Stop> {
        let mut join = join::plan(rule, start, sizes, (&mut self.tables, &mut self.store));
        join.unique = unique;
        self.limits.add_bytes(join.bytes());
        if let Some(start) = &join.start {
            let starts = &mut joins.starts[start.relation.0 as usize];
            starts.add(&self.store, start, joins.all.len() as u32);
        }
        joins.all.push(join);
        self.limits.step(&self.store)
    }

    /// What can be next can be true, and what can be legal can be done.
    fn propagate_to_inputs(&mut self, relation: RelationId, tuple: &[Value]) {
        let keywords = self.program.keywords;
        if relation == keywords.init || relation == keywords.next {
            self.add_possible(keywords.truth, tuple);
        } else if relation == keywords.legal && self.roles.contains(&tuple[0]) {
            self.add_possible(keywords.does, tuple);
        }
    }

    /// Marks an atom as possible; returns its row, and whether it was not possible before.
    pub(super) fn add_possible(&mut self, relation: RelationId, tuple: &[Value]) -> (u32, bool) {
        let row = self.intern(relation, tuple);
        let is_new = self.tables[relation.0 as usize].set_possible(row);
        if is_new {
            self.queue.push_back((relation, row));
            self.propagate_to_inputs(relation, tuple);
        }
        (row, is_new)
    }

    pub(super) fn intern(&mut self, relation: RelationId, tuple: &[Value]) -> u32 {
        let table = &mut self.tables[relation.0 as usize];
        let (row, is_new) = table.intern(tuple);
        if is_new {
            self.limits.add_bytes(table.row_bytes());
        }
        row
    }
}
