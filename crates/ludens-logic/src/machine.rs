//! Runs plans: goal-directed evaluation with tabling.
//!
//! A rule is run depth first over its steps. A step that calls a derived relation evaluates a goal: the
//! call with the values of its bound arguments. Each goal is evaluated once, and its answers are kept
//! until the state (or the moves) change. If a goal is called while it is still being evaluated, the rule
//! is recursive: the calling rule is suspended with its registers and resumed for each new answer. Goals
//! that depend on each other in this way are completed together, by the first of them, when no suspended
//! rule has answers left to consume. This is SLG resolution (Chen and Warren, 1996) for stratified
//! programs, with suspended rules as continuations.

use std::sync::Arc;

use ludens_core::{Budget, Move};

use crate::halt::Halt;
use crate::plan::{CallId, Lifetime, Plan, Program};
use crate::state::CurrentState;
use crate::store::{SharedStore, Store, Value};
use crate::table::{Goal, Table};

mod goals;
mod join;
mod run;
mod values;

/// What happens with the answers of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sink {
    /// They are added to the table of a goal.
    Goal(Goal),
    /// They are appended to `collected`.
    Collect,
    /// Only their existence matters.
    Exists,
}

/// Goals nested more deeply than this are assumed to be infinite.
const MAX_NESTING: usize = 400_000;

/// The clock and the memory are checked once in this many steps.
const STEPS_BETWEEN_CHECKS: u32 = 4096;

/// The working memory of one thread.
pub(crate) struct Machine {
    pub store: Store,
    pub current: CurrentState,
    /// Numbers new terms; a standalone machine numbers them itself.
    shared: Option<Arc<SharedStore>>,
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
    /// The lowest stack position of an incomplete goal for which a rule was suspended during the
    /// evaluation of the current goal.
    low: u32,
    budget: Budget,
}

type Run<T> = Result<T, Halt>;

impl Machine {
    /// One of several machines that share the numbering of terms.
    pub(crate) fn new(program: &Program, shared: Arc<SharedStore>) -> Self {
        let store = shared.replica();
        Machine {
            current: CurrentState::new(&program.truth_indexes),
            shared: Some(shared),
            ..Machine::standalone(store)
        }
    }

    /// A standalone machine, for static relations.
    pub(crate) fn standalone(store: Store) -> Self {
        Machine {
            store,
            current: CurrentState::default(),
            shared: None,
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

    /// Removes everything but the terms, so that another program can be run.
    pub(crate) fn reset(&mut self) {
        self.tables.iter_mut().for_each(Table::clear);
        self.stack.clear();
        self.dirty.clear();
        self.registers.clear();
        self.scratch.clear();
        self.nesting = 0;
        self.low = u32::MAX;
    }

    /// Sets the budget, and resets the number of steps.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.steps = 0;
    }

    /// Copies the terms and moves that other machines have added, if this machine lacks one of these: a
    /// state or move from one thread may be passed to another.
    pub(crate) fn sync_terms(&mut self, facts: &[Value], joint: &[Move]) {
        let unknown = facts.iter().any(|fact| fact.0 as usize >= self.store.len())
            || joint.iter().any(|&m| self.store.move_term(m).is_none());
        if let Some(shared) = self.shared.as_ref().filter(|_| unknown) {
            shared.update(&mut self.store);
        }
    }

    /// Sets the state, without moves.
    pub(crate) fn set_state(&mut self, facts: &[Value]) {
        if self.current.facts != facts {
            self.sync_terms(facts, &[]);
            self.tables[Lifetime::State as usize].clear();
            self.current.set(&self.store, facts);
        }
        self.set_moves(&[]);
    }

    /// Sets the moves made in the state: pairs of role and move.
    pub(crate) fn set_moves(&mut self, does: &[(Value, Value)]) {
        self.tables[Lifetime::Moves as usize].clear();
        self.does.clear();
        self.does.extend_from_slice(does);
    }

    /// All answers of a call without bound arguments, one after the other; there may be duplicates.
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

    /// All distinct answers of a call without bound arguments, and their number.
    pub(crate) fn tabulate(&mut self, program: &Program, call: CallId) -> Run<(&[Value], usize)> {
        let goal = self.solve(program, call, &[])?;
        let record = self.tables[goal.lifetime as usize].record(goal.index);
        Ok((&record.answers, record.n_answers as usize))
    }

    /// The number of a move term.
    pub(crate) fn move_of(&mut self, term: Value) -> Move {
        let shared = self.shared.as_ref().expect("standalone machines make no moves");
        shared.move_of(&mut self.store, term)
    }

    /// Parses a ground term.
    pub(crate) fn parse(&mut self, text: &str) -> Option<Value> {
        let shared = self.shared.as_ref().expect("standalone machines parse no text");
        shared.parse(&mut self.store, text)
    }

    /// Counts a step.
    fn tick(&mut self) -> Run<()> {
        self.ticks += 1;
        if self.ticks >= STEPS_BETWEEN_CHECKS { self.check_budget() } else { Ok(()) }
    }

    #[cold]
    fn check_budget(&mut self) -> Run<()> {
        self.steps += u64::from(self.ticks);
        self.ticks = 0;
        if self.budget.is_over() {
            return Err(Halt::Time);
        }
        if self.budget.is_spent(self.steps) {
            return Err(Halt::Steps);
        }
        let tables: usize = self.tables.iter().map(Table::bytes).sum();
        // The shared log holds a second copy of every term.
        let copies = 1 + usize::from(self.shared.is_some());
        let bytes = self.store.bytes() * copies + tables + self.collected.len() * 6;
        if self.budget.is_full(bytes) { Err(Halt::Memory) } else { Ok(()) }
    }
}

/// A rule being run.
struct Frame<'a> {
    program: &'a Program,
    call: CallId,
    plan: &'a Plan,
    /// From this step on, one success is enough.
    cut: usize,
    base: usize,
    sink: Sink,
}
