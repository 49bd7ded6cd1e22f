//! Runs plans: goal-directed evaluation with tables.
//!
//! A rule is run depth first over its steps. A step that calls a derived relation asks for a
//! goal: the call with the values of its known arguments. Each goal is evaluated once and its
//! answers are kept until the state (or the moves) change. A goal that is asked while it is
//! still being evaluated has a recursive rule behind it: the asking rule is put aside with its
//! registers and goes on whenever a new answer appears. Goals that depend on each other in this
//! way are finished together, by the first of them, when no rule put aside has an answer left to
//! see. This is SLG resolution (Chen and Warren, 1996) for stratified programs, with rules in
//! place of its suspended subgoals' continuations.

use std::sync::Arc;

use ludens_core::Budget;
use smallvec::SmallVec;

use crate::halt::Halt;
use crate::plan::{Call, CallId, Fields, Lifetime, Plan, Program, Source, Step, TruthScan};
use crate::state::Present;
use crate::store::{Functor, SharedStore, Store, Value};
use crate::table::{Goal, Table, Waiter};

/// What happens with the answers of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sink {
    /// They go into the table of a goal.
    Goal(Goal),
    /// They are appended to `collected`.
    Collect,
    /// That there is one is all that is asked.
    Exists,
}

/// Goals nested more deeply than this have no end in sight.
const MAX_NESTING: usize = 400_000;

/// The clock and the memory are looked at once in so many steps.
const TICKS_BETWEEN_LOOKS: u32 = 4096;

/// The working memory of one thread.
pub(crate) struct Machine {
    pub store: Store,
    pub present: Present,
    shared: Arc<SharedStore>,
    does: Vec<(Value, Value)>,
    tables: [Table; 3],
    stack: Vec<Goal>,
    dirty: Vec<Goal>,
    registers: Vec<Value>,
    collected: Vec<Value>,
    scratch: Vec<Value>,
    ticks: u32,
    steps: u64,
    nesting: usize,
    /// Lowest place of an unfinished goal that some rule began to wait for, within the goal
    /// being evaluated.
    low: u32,
    budget: Budget,
}

type Run<T> = Result<T, Halt>;

impl Machine {
    pub(crate) fn new(program: &Program, shared: Arc<SharedStore>) -> Self {
        Machine {
            store: shared.replica(),
            present: Present::new(&program.truth_indexes),
            shared,
            does: Vec::new(),
            tables: std::array::from_fn(|_| Table::default()),
            stack: Vec::new(),
            dirty: Vec::new(),
            registers: Vec::new(),
            collected: Vec::new(),
            scratch: Vec::new(),
            ticks: 0,
            steps: 0,
            nesting: 0,
            low: u32::MAX,
            budget: Budget::unlimited(),
        }
    }

    /// What may be spent from now on.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.steps = 0;
    }

    /// Moves on to another state, without moves.
    pub(crate) fn set_state(&mut self, facts: &[Value]) {
        if self.present.facts != facts {
            self.tables[Lifetime::State as usize].clear();
            self.present.set(&self.store, facts);
        }
        self.set_moves(&[]);
    }

    /// Sets the moves made in the state: pairs of role and move.
    pub(crate) fn set_moves(&mut self, does: &[(Value, Value)]) {
        self.tables[Lifetime::Moves as usize].clear();
        self.does.clear();
        self.does.extend_from_slice(does);
    }

    /// All answers of a call without known arguments, one after the other; there may be doubles.
    pub(crate) fn collect(&mut self, program: &Program, call: CallId) -> Run<&[Value]> {
        self.collected.clear();
        for plan in 0..program.calls[call.0 as usize].plans.len() {
            self.enter(program, call, plan, &[], Sink::Collect)?;
        }
        Ok(&self.collected)
    }

    /// Whether a call without arguments has an answer.
    pub(crate) fn exists(&mut self, program: &Program, call: CallId) -> Run<bool> {
        self.check(program, call, &[])
    }

    /// All different answers of a call without known arguments, and how many there are.
    pub(crate) fn tabulate(&mut self, program: &Program, call: CallId) -> Run<(&[Value], usize)> {
        let goal = self.solve(program, call, &[])?;
        let record = self.tables[goal.lifetime as usize].record(goal.index);
        Ok((&record.answers, record.n_answers as usize))
    }

    /// The number of a move term.
    pub(crate) fn move_of(&mut self, term: Value) -> ludens_core::Move {
        self.shared.move_of(&mut self.store, term)
    }

    /// Reads a ground term.
    pub(crate) fn parse(&mut self, text: &str) -> Option<Value> {
        self.shared.parse(&mut self.store, text)
    }

    fn tick(&mut self) -> Run<()> {
        self.ticks += 1;
        if self.ticks >= TICKS_BETWEEN_LOOKS { self.look_at_budget() } else { Ok(()) }
    }

    #[cold]
    fn look_at_budget(&mut self) -> Run<()> {
        self.steps += u64::from(self.ticks);
        self.ticks = 0;
        if self.budget.is_over() {
            return Err(Halt::Time);
        }
        if self.budget.is_spent(self.steps) {
            return Err(Halt::Steps);
        }
        let tables: usize = self.tables.iter().map(Table::bytes).sum();
        let bytes = self.store.bytes() + tables + self.collected.len() * 4;
        if self.budget.is_full(bytes) { Err(Halt::Memory) } else { Ok(()) }
    }

    fn table(&mut self, goal: Goal) -> &mut Table {
        &mut self.tables[goal.lifetime as usize]
    }

    /// Evaluates a goal if it is new. The answers may be incomplete if a rule of an unfinished
    /// goal asks.
    fn solve(&mut self, program: &Program, call: CallId, key: &[Value]) -> Run<Goal> {
        let lifetime = program.calls[call.0 as usize].lifetime;
        if let Some(index) = self.tables[lifetime as usize].find(call, key) {
            return Ok(Goal { lifetime, index });
        }
        let place = self.stack.len() as u32;
        let goal =
            Goal { lifetime, index: self.tables[lifetime as usize].insert(call, key, place) };
        self.stack.push(goal);
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Halt::Memory);
        }
        let result =
            stacker::maybe_grow(64 << 10, 2 << 20, || self.evaluate(program, call, key, goal));
        self.nesting -= 1;
        result.map(|()| goal)
    }

    fn evaluate(&mut self, program: &Program, call: CallId, key: &[Value], goal: Goal) -> Run<()> {
        let Call { plans, n_outs, .. } = &program.calls[call.0 as usize];
        let outer_low = std::mem::replace(&mut self.low, u32::MAX);
        for plan in 0..plans.len() {
            self.enter(program, call, plan, key, Sink::Goal(goal))?;
            if *n_outs == 0 && self.table(goal).record(goal.index).n_answers > 0 {
                break;
            }
        }
        let place = self.record(goal).place;
        loop {
            if self.low < place {
                // A rule run since this goal was asked waits for an earlier goal, which will
                // finish this one too.
                self.table(goal).record_mut(goal.index).low = self.low;
                self.low = self.low.min(outer_low);
                return Ok(());
            }
            if !self.feed_waiters(program, place)? {
                break;
            }
        }
        self.finish(place);
        self.low = outer_low;
        Ok(())
    }

    fn record(&self, goal: Goal) -> &crate::table::Record {
        self.tables[goal.lifetime as usize].record(goal.index)
    }

    fn finish(&mut self, place: u32) {
        while self.stack.len() > place as usize {
            let goal = self.stack.pop().expect("the stack is longer than place");
            let record = self.table(goal).record_mut(goal.index);
            record.complete = true;
            record.waiters.clear();
        }
    }

    /// Lets the rules put aside at one dirty goal above `place` see its new answers; false if
    /// there is no such goal.
    fn feed_waiters(&mut self, program: &Program, place: u32) -> Run<bool> {
        let Some(position) = self.dirty.iter().rposition(|&goal| self.record(goal).place >= place)
        else {
            return Ok(false);
        };
        let goal = self.dirty.swap_remove(position);
        self.table(goal).record_mut(goal.index).dirty = false;
        let mut waiter = 0;
        while waiter < self.record(goal).waiters.len() {
            self.resume(program, goal, waiter)?;
            waiter += 1;
        }
        Ok(true)
    }

    fn resume(&mut self, program: &Program, goal: Goal, waiter: usize) -> Run<()> {
        let n_answers = self.record(goal).n_answers;
        let record = self.table(goal).record_mut(goal.index);
        let entry = &mut record.waiters[waiter];
        let (from, owner) = (entry.seen, entry.owner);
        entry.seen = n_answers;
        if from == n_answers {
            return Ok(());
        }
        let Waiter { call, plan, step, registers, .. } = entry.clone();
        let plan = &program.calls[call.0 as usize].plans[plan as usize];
        let base = self.registers.len();
        self.registers.extend_from_slice(&registers);
        let frame = Frame { program, call, plan, cut: plan.cut, base, sink: Sink::Goal(owner) };
        for answer in from..n_answers {
            self.take_answer(&frame, step as usize, goal, answer)?;
        }
        self.registers.truncate(base);
        Ok(())
    }

    /// Runs one rule of a call.
    fn enter(
        &mut self,
        program: &Program,
        call: CallId,
        plan: usize,
        key: &[Value],
        sink: Sink,
    ) -> Run<bool> {
        let plan = &program.calls[call.0 as usize].plans[plan];
        let base = self.registers.len();
        self.registers.resize(base + plan.registers, Value(0));
        let cut = if sink == Sink::Exists { 0 } else { plan.cut };
        let frame = Frame { program, call, plan, cut, base, sink };
        let Machine { store, registers, .. } = self;
        for &(register, value) in &plan.constants {
            registers[base + register as usize] = value;
        }
        let fits = plan.ins.fit(store, &mut registers[base..], key);
        let found = fits && self.run(&frame, 0)?;
        self.registers.truncate(base);
        Ok(found)
    }

    /// Whether a call whose arguments are all known has an answer, without a table.
    fn check(&mut self, program: &Program, call: CallId, key: &[Value]) -> Run<bool> {
        for plan in 0..program.calls[call.0 as usize].plans.len() {
            if self.enter(program, call, plan, key, Sink::Exists)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs a rule from a step on; true if it had an answer.
    fn run(&mut self, frame: &Frame<'_>, first: usize) -> Run<bool> {
        let mut at = first;
        loop {
            let Some(step) = frame.plan.steps.get(at) else {
                return self.emit(frame).map(|()| true);
            };
            let go_on = match step {
                Step::Fail => false,
                Step::Pass => true,
                Step::Distinct(left, right) => {
                    self.value(frame, left)? != self.value(frame, right)?
                }
                Step::HasTruth { term, positive } => {
                    let holds =
                        self.find(frame, term).is_some_and(|fluent| self.present.holds(fluent));
                    holds == *positive
                }
                Step::NotDoes { role, action } => {
                    let made = (self.find(frame, role), self.find(frame, action));
                    !self.does.iter().any(|&(r, a)| made == (Some(r), Some(a)))
                }
                Step::HasFact { relation, index, key, positive } => {
                    self.first_row(frame, *relation, *index, key).is_some() == *positive
                }
                Step::OneFact { relation, index, key, outs } => {
                    let row = self.first_row(frame, *relation, *index, key);
                    let Machine { store, registers, .. } = self;
                    row.is_some_and(|row| outs.fit(store, &mut registers[frame.base..], row))
                }
                Step::Check { call, key, positive } => {
                    let start = self.push_key(frame, key)?;
                    let key = self.pop_key(start);
                    self.check(frame.program, *call, &key)? == *positive
                }
                Step::NotCall { call, key } => {
                    let start = self.push_key(frame, key)?;
                    let key = self.pop_key(start);
                    let goal = self.solve(frame.program, *call, &key)?;
                    let record = self.record(goal);
                    if !record.complete && record.n_answers == 0 {
                        return Err(Halt::Unstratified);
                    }
                    record.n_answers == 0
                }
                generator => return self.generate(frame, at, generator),
            };
            if !go_on {
                return Ok(false);
            }
            at += 1;
        }
    }

    /// Runs the rest of a rule for each answer of a step.
    fn generate(&mut self, frame: &Frame<'_>, at: usize, step: &Step) -> Run<bool> {
        if at % 32 == 31 {
            return stacker::maybe_grow(64 << 10, 2 << 20, || self.generate_here(frame, at, step));
        }
        self.generate_here(frame, at, step)
    }

    fn generate_here(&mut self, frame: &Frame<'_>, at: usize, step: &Step) -> Run<bool> {
        match step {
            Step::EachTruth(scan) => self.each_truth(frame, at, scan),
            Step::EachFact { relation, index, key, outs } => {
                self.each_fact(frame, at, *relation, index.map(|i| (i, &key[..])), outs)
            }
            Step::Does(fields) => self.each(frame, at, self.does.len(), |machine, i| {
                let Machine { store, registers, does, .. } = machine;
                fields.fit(store, &mut registers[frame.base..], &[does[i].0, does[i].1])
            }),
            Step::AnyTruth(fields) => {
                self.each(frame, at, self.present.facts.len(), |machine, i| {
                    let Machine { store, registers, present, .. } = machine;
                    fields.fit(store, &mut registers[frame.base..], &present.facts[i..=i])
                })
            }
            Step::Call { call, key, .. } => self.each_answer(frame, at, *call, key),
            _ => unreachable!("all other steps are tests"),
        }
    }

    /// Runs the rest of the rule for each index for which `fits` binds the registers.
    fn each(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        count: usize,
        mut fits: impl FnMut(&mut Machine, usize) -> bool,
    ) -> Run<bool> {
        let mut found = false;
        for i in 0..count {
            self.tick()?;
            if fits(self, i) && self.run(frame, at + 1)? {
                found = true;
                if at >= frame.cut {
                    break;
                }
            }
        }
        Ok(found)
    }

    fn each_truth(&mut self, frame: &Frame<'_>, at: usize, scan: &TruthScan) -> Run<bool> {
        let here = self.present.of(scan.functor).len();
        if here > 4
            && let Some((index, key)) = &scan.index
        {
            let Some(key) = self.find_all(frame, key) else { return Ok(false) };
            let group = self.present.group(&self.store, *index, &key);
            let Some(group) = group else { return Ok(false) };
            let count = self.present.members(*index, group).len();
            if count <= here {
                return self.each_member(frame, at, scan, (*index, group), count);
            }
        }
        self.each(frame, at, here, |machine, i| {
            let Machine { store, registers, present, .. } = machine;
            let fluent = present.of(scan.functor)[i];
            let registers = &mut registers[frame.base..];
            let args = store.args(fluent);
            let fits = scan.pattern.fit(store, registers, args);
            if let (true, Some(whole)) = (fits, scan.whole) {
                registers[whole as usize] = fluent;
            }
            fits
        })
    }

    fn each_member(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        scan: &TruthScan,
        (index, group): (u32, u32),
        count: usize,
    ) -> Run<bool> {
        self.each(frame, at, count, |machine, i| {
            let Machine { store, registers, present, .. } = machine;
            let fluent = present.members(index, group)[i];
            if !present.holds(fluent) {
                return false;
            }
            let registers = &mut registers[frame.base..];
            let args = store.args(fluent);
            let fits = scan.rest.fit(store, registers, args);
            if let (true, Some(whole)) = (fits, scan.whole) {
                registers[whole as usize] = fluent;
            }
            fits
        })
    }

    fn each_fact(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        relation: u32,
        index: Option<(u32, &[Source])>,
        outs: &Fields,
    ) -> Run<bool> {
        let relation = &frame.program.relations[relation as usize];
        let fits = |machine: &mut Machine, row: &[Value]| {
            let Machine { store, registers, .. } = machine;
            outs.fit(store, &mut registers[frame.base..], row)
        };
        let Some((index, key)) = index else {
            return self.each(frame, at, relation.len(), |machine, i| {
                fits(machine, relation.row(i as u32))
            });
        };
        let Some(key) = self.find_all(frame, key) else { return Ok(false) };
        let rows = relation.lookup(index, &key);
        self.each(frame, at, rows.len(), |machine, i| fits(machine, relation.row(rows[i])))
    }

    /// The first matching row of an unchanging relation.
    #[inline]
    fn first_row<'p>(
        &self,
        frame: &Frame<'p>,
        relation: u32,
        index: u32,
        key: &[Source],
    ) -> Option<&'p [Value]> {
        let relation = &frame.program.relations[relation as usize];
        let rows = match key {
            // The most common join by far: one known column.
            [source] => relation.lookup(index, &[self.find(frame, source)?]),
            _ => relation.lookup(index, &self.find_all(frame, key)?),
        };
        rows.first().map(|&row| relation.row(row))
    }

    fn each_answer(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        call: CallId,
        key: &[Source],
    ) -> Run<bool> {
        let start = self.push_key(frame, key)?;
        let key = self.pop_key(start);
        let goal = self.solve(frame.program, call, &key)?;
        let (complete, n_answers, low) = {
            let record = self.record(goal);
            (record.complete, record.n_answers, record.low)
        };
        if !complete {
            self.wait(frame, at, goal, n_answers, low);
        }
        let mut found = false;
        for answer in 0..n_answers {
            self.tick()?;
            if self.take_answer(frame, at, goal, answer)? {
                found = true;
                if at >= frame.cut {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Puts the rule aside until the goal has more answers.
    fn wait(&mut self, frame: &Frame<'_>, at: usize, goal: Goal, seen: u32, low: u32) {
        let Sink::Goal(owner) = frame.sink else {
            unreachable!("only rules of unfinished goals can meet unfinished goals");
        };
        self.low = self.low.min(low);
        let registers = self.registers[frame.base..frame.base + frame.plan.registers].into();
        let plans = &frame.program.calls[frame.call.0 as usize].plans;
        let plan = plans
            .iter()
            .position(|plan| std::ptr::eq(plan, frame.plan))
            .expect("the plan is one of its call's");
        let waiter =
            Waiter { call: frame.call, plan: plan as u32, step: at as u32, registers, owner, seen };
        self.table(goal).record_mut(goal.index).waiters.push(waiter);
    }

    /// Goes on after a call with one of its answers.
    fn take_answer(&mut self, frame: &Frame<'_>, at: usize, goal: Goal, answer: u32) -> Run<bool> {
        let Step::Call { outs, .. } = &frame.plan.steps[at] else {
            unreachable!("only calls have answers");
        };
        let Machine { store, registers, tables, .. } = self;
        let record = tables[goal.lifetime as usize].record(goal.index);
        let fits = outs.fit(store, &mut registers[frame.base..], record.answer(answer));
        if fits { self.run(frame, at + 1) } else { Ok(false) }
    }

    fn emit(&mut self, frame: &Frame<'_>) -> Run<()> {
        if frame.sink == Sink::Exists {
            return Ok(());
        }
        let start = self.push_key(frame, &frame.plan.outs)?;
        match frame.sink {
            Sink::Exists => {}
            Sink::Collect => {
                let Machine { collected, scratch, .. } = self;
                collected.extend_from_slice(&scratch[start..]);
            }
            Sink::Goal(goal) => {
                let Machine { tables, scratch, dirty, .. } = self;
                let table = &mut tables[goal.lifetime as usize];
                if table.add(goal.index, &scratch[start..]) {
                    let record = table.record_mut(goal.index);
                    if !record.dirty && !record.waiters.is_empty() {
                        record.dirty = true;
                        dirty.push(goal);
                    }
                }
            }
        }
        self.scratch.truncate(start);
        Ok(())
    }

    /// Evaluates sources onto the scratch stack and says where they start.
    fn push_key(&mut self, frame: &Frame<'_>, key: &[Source]) -> Run<usize> {
        let start = self.scratch.len();
        for source in key {
            let value = self.value(frame, source)?;
            self.scratch.push(value);
        }
        Ok(start)
    }

    fn pop_key(&mut self, start: usize) -> Tuple {
        let key = SmallVec::from_slice(&self.scratch[start..]);
        self.scratch.truncate(start);
        key
    }

    /// The value of a source, as a new term if need be.
    #[inline]
    fn value(&mut self, frame: &Frame<'_>, source: &Source) -> Run<Value> {
        match source {
            Source::Register(register) => Ok(self.registers[frame.base + *register as usize]),
            Source::Build(functor, args) => self.build(frame, *functor, args),
        }
    }

    fn build(&mut self, frame: &Frame<'_>, functor: Functor, args: &[Source]) -> Run<Value> {
        let start = self.push_key(frame, args)?;
        let result = match self.store.find(functor, &self.scratch[start..]) {
            Some(value) => Ok(value),
            None => self.shared.insert(&mut self.store, functor, &self.scratch[start..]),
        };
        self.scratch.truncate(start);
        result
    }

    /// The value of a source, if it is a term that was met before.
    #[inline]
    fn find(&self, frame: &Frame<'_>, source: &Source) -> Option<Value> {
        known(&self.store, &self.registers[frame.base..], source)
    }

    /// The values of sources, if all are terms that were met before.
    #[inline]
    fn find_all(&self, frame: &Frame<'_>, sources: &[Source]) -> Option<Tuple> {
        known_all(&self.store, &self.registers[frame.base..], sources)
    }
}

/// A few values.
type Tuple = SmallVec<[Value; 6]>;

#[inline]
fn known(store: &Store, registers: &[Value], source: &Source) -> Option<Value> {
    match source {
        Source::Register(register) => Some(registers[*register as usize]),
        Source::Build(functor, args) => store.find(*functor, &known_all(store, registers, args)?),
    }
}

fn known_all(store: &Store, registers: &[Value], sources: &[Source]) -> Option<Tuple> {
    let mut tuple = Tuple::new();
    for source in sources {
        tuple.push(known(store, registers, source)?);
    }
    Some(tuple)
}

/// A rule being run.
struct Frame<'a> {
    program: &'a Program,
    call: CallId,
    plan: &'a Plan,
    /// From this step on one success is enough.
    cut: usize,
    base: usize,
    sink: Sink,
}
