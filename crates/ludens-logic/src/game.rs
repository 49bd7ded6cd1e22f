//! A game whose rules are run directly.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens_core::{Answer, Budget, Game, Move, Reasoner, Rng, Role, RoleSet, Trouble, View};
use ludens_gdl::{Dependencies, Rules};

use crate::halt::Halt;
use crate::knowledge;
use crate::machine::Machine;
use crate::plan::{CallId, Program};
use crate::planner::{Knowledge, Planner};
use crate::statistics::Statistics;
use crate::store::{SharedStore, Store, Value};

/// Relations and functions with more arguments than this are refused.
const MAX_ARITY: u32 = 64;

/// Rules with more variables than this are refused.
const MAX_VARIABLES: usize = 4096;

/// How many states are looked at to guess the sizes of relations, and at what cost at most.
const MAX_SAMPLES: usize = 50;
const SAMPLE_STEPS: u64 = 2_000_000;
const SAMPLE_BYTES: usize = 256 << 20;

/// What one question may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time; `None` is unlimited.
    pub time: Option<Duration>,
    /// Bytes of working memory.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: None, bytes: 4 << 30 }
    }
}

/// A position: the fluents that hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(Arc<[Value]>);

/// The rules of a game, evaluated as they stand.
///
/// ```
/// use ludens_core::{Budget, Game, View};
/// use ludens_logic::LogicGame;
///
/// let text = "(role you) (init start) (<= (legal you go) (true start))
///     (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)";
/// let rules = ludens_gdl::load(text).0.unwrap();
/// let game = LogicGame::load(&rules, &Budget::unlimited()).unwrap();
/// let (mut state, mut view) = (Game::initial(&game), View::default());
/// game.look(&state, &mut view);
/// assert!(!view.terminal);
/// game.play(&mut state, &[view.legal.as_slice()[0][0]]);
/// assert_eq!(game.facts(&state), ["done"]);
/// ```
pub struct LogicGame {
    roles: Vec<String>,
    role_terms: Vec<Value>,
    initial: State,
    program: Program,
    questions: Questions,
    call_names: Vec<String>,
    shared: Arc<SharedStore>,
    pool: Mutex<Vec<Box<Machine>>>,
    limits: Limits,
}

/// The calls that answer what is asked of a game.
#[derive(Clone, Copy)]
struct Questions {
    legal: CallId,
    goal: CallId,
    next: CallId,
    terminal: CallId,
}

impl LogicGame {
    /// Prepares rules for play. The budget is for the preparation only.
    pub fn load(rules: &Rules, budget: &Budget) -> Result<LogicGame, Trouble> {
        refuse_extremes(rules)?;
        let dependencies = Dependencies::of(rules);
        let mut store = Store::new(rules.symbols.clone());
        let mut known = knowledge::gather(rules, &mut store);
        store = knowledge::work_out(rules, &dependencies, &mut known, store, budget)?;
        let (store, roles, initial) = beginning(rules, &dependencies, &known, store, budget)?;
        let statistics = Statistics::of_states(&store, std::slice::from_ref(&initial));
        let draft = Self::plan(
            rules,
            &dependencies,
            &known,
            &statistics,
            store,
            roles.clone(),
            initial.clone(),
        );
        // The initial state can be a poor sample (an empty board): plan again after some play.
        let samples = draft.sample_states(budget);
        let store = draft.shared.replica();
        let statistics = Statistics::of_states(&store, &samples);
        Ok(Self::plan(rules, &dependencies, &known, &statistics, store, roles, initial))
    }

    /// States of a few random games, as many as a small number of steps allows.
    fn sample_states(&self, budget: &Budget) -> Vec<Vec<Value>> {
        let mut samples = vec![self.initial.0.to_vec()];
        let mut machine = Machine::new(&self.program, Arc::clone(&self.shared));
        machine.set_budget(&budget.clone().with_iterations(SAMPLE_STEPS).with_bytes(SAMPLE_BYTES));
        let mut rng = Rng::new(0);
        let mut facts = self.initial.0.to_vec();
        for _ in 0..MAX_SAMPLES {
            match self.random_step(&mut machine, &facts, &mut rng) {
                Ok(Some(next)) => facts = next,
                Ok(None) => facts = self.initial.0.to_vec(),
                Err(_) => break,
            }
            samples.push(facts.clone());
        }
        samples
    }

    /// The state after random legal moves; `None` if the game is over.
    fn random_step(
        &self,
        machine: &mut Machine,
        facts: &[Value],
        rng: &mut Rng,
    ) -> Result<Option<Vec<Value>>, Halt> {
        machine.set_state(facts);
        let legal = self.legal_terms(machine)?;
        if self.is_terminal(machine)? || legal.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let chosen = legal.iter().map(|moves| moves[rng.below(moves.len())]);
        let does: Vec<_> = self.role_terms.iter().copied().zip(chosen).collect();
        self.next_facts(machine, &does).map(Some)
    }

    fn plan(
        rules: &Rules,
        dependencies: &Dependencies,
        known: &Knowledge,
        statistics: &Statistics,
        mut store: Store,
        role_terms: Vec<Value>,
        initial: Vec<Value>,
    ) -> LogicGame {
        let mut planner = Planner::new(rules, dependencies, known, statistics, &mut store);
        let keywords = &rules.keywords;
        let questions = Questions {
            legal: planner.call(keywords.legal, 0),
            goal: planner.call(keywords.goal, 0),
            next: planner.call(keywords.next, 0),
            terminal: planner.call(keywords.terminal, 0),
        };
        let call_names = planner.call_names();
        let program = planner.program;
        LogicGame {
            roles: role_terms.iter().map(|&role| store.text(role)).collect(),
            role_terms,
            initial: State(initial.into()),
            program,
            questions,
            call_names,
            shared: Arc::new(SharedStore::new(store)),
            pool: Mutex::new(Vec::new()),
            limits: Limits::default(),
        }
    }

    /// The plans by which the rules are run, as text.
    pub fn print_plans(&self) -> String {
        crate::explain::explain(&self.program, &self.call_names, &self.shared.replica())
    }

    /// Sets what one question may cost.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Lends a machine of the pool. One that stopped in the middle of its work is not used again.
    fn with_machine<T>(
        &self,
        work: impl FnOnce(&mut Machine) -> Result<T, Halt>,
    ) -> Result<T, Trouble> {
        let pooled = self.pool.lock().ok().and_then(|mut pool| pool.pop());
        let mut machine = pooled
            .unwrap_or_else(|| Box::new(Machine::new(&self.program, Arc::clone(&self.shared))));
        let mut budget = Budget::unlimited().with_bytes(self.limits.bytes);
        if let Some(time) = self.limits.time {
            budget = budget.with_time(time);
        }
        machine.set_budget(&budget);
        let result = work(&mut machine)?;
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(machine);
        }
        Ok(result)
    }

    fn role_of(&self, term: Value) -> Option<Role> {
        self.role_terms.iter().position(|&role| role == term).map(|i| Role(i as u8))
    }

    fn is_terminal(&self, machine: &mut Machine) -> Result<bool, Halt> {
        machine.exists(&self.program, self.questions.terminal)
    }

    /// Legal moves of each role as terms, sorted.
    fn legal_terms(&self, machine: &mut Machine) -> Result<Vec<Vec<Value>>, Halt> {
        let mut legal = vec![Vec::new(); self.roles.len()];
        for pair in machine.collect(&self.program, self.questions.legal)?.chunks_exact(2) {
            if let Some(role) = self.role_of(pair[0]) {
                legal[role.index()].push(pair[1]);
            }
        }
        for moves in &mut legal {
            moves.sort_unstable_by(|&a, &b| machine.store.compare(a, b));
            moves.dedup();
        }
        Ok(legal)
    }

    /// Goal values of each role, sorted; what is no number is left out.
    fn goal_values(&self, machine: &mut Machine) -> Result<Vec<Vec<i64>>, Halt> {
        let mut goals = vec![Vec::new(); self.roles.len()];
        let pairs = machine.collect(&self.program, self.questions.goal)?.to_vec();
        for pair in pairs.chunks_exact(2) {
            if let (Some(role), Ok(value)) =
                (self.role_of(pair[0]), machine.store.text(pair[1]).parse())
            {
                goals[role.index()].push(value);
            }
        }
        for values in &mut goals {
            values.sort_unstable();
            values.dedup();
        }
        Ok(goals)
    }

    fn next_facts(
        &self,
        machine: &mut Machine,
        does: &[(Value, Value)],
    ) -> Result<Vec<Value>, Halt> {
        machine.set_moves(does);
        let mut facts = machine.collect(&self.program, self.questions.next)?.to_vec();
        facts.sort_unstable();
        facts.dedup();
        Ok(facts)
    }

    fn fill_legal(&self, machine: &mut Machine, view: &mut View) -> Result<(), Halt> {
        let legal = self.legal_terms(machine)?;
        for (moves, terms) in view.legal.iter_mut().zip(legal) {
            moves.extend(terms.into_iter().map(|term| machine.move_of(term)));
        }
        Ok(())
    }

    fn fill_payoffs(&self, machine: &mut Machine, view: &mut View) -> Result<(), Halt> {
        for (role_idx, values) in self.goal_values(machine)?.into_iter().enumerate() {
            values.iter().for_each(|&value| view.pay(Role(role_idx as u8), value as f32 / 100.0));
        }
        Ok(())
    }

    /// As [`Game::look`], with failures as values.
    pub fn try_look(&self, state: &State, view: &mut View) -> Result<(), Trouble> {
        self.with_machine(|machine| {
            view.clear(self.roles.len());
            machine.set_state(&state.0);
            view.terminal = self.is_terminal(machine)?;
            if view.terminal {
                self.fill_payoffs(machine, view)
            } else {
                self.fill_legal(machine, view)
            }
        })
    }

    /// As [`Game::look_all`], with failures as values.
    pub fn try_look_all(&self, state: &State, view: &mut View) -> Result<(), Trouble> {
        self.with_machine(|machine| {
            view.clear(self.roles.len());
            machine.set_state(&state.0);
            view.terminal = self.is_terminal(machine)?;
            self.fill_payoffs(machine, view)?;
            self.fill_legal(machine, view)
        })
    }

    /// As [`Game::play`], with failures as values; the state is unchanged then.
    pub fn try_play(&self, state: &mut State, joint: &[Move]) -> Result<(), Trouble> {
        let facts = self.with_machine(|machine| {
            machine.set_state(&state.0);
            let term = |&m: &Move| machine.store.move_term(m).expect("moves come from this game");
            let does: Vec<_> =
                self.role_terms.iter().copied().zip(joint.iter().map(term)).collect();
            self.next_facts(machine, &does)
        })?;
        *state = State(facts.into());
        Ok(())
    }

    fn parse_terms(machine: &mut Machine, texts: &[String]) -> Result<Vec<Value>, Trouble> {
        let parse = |text: &String| machine.parse(text).ok_or_else(|| Trouble::Fact(text.clone()));
        texts.iter().map(parse).collect()
    }

    fn read_state(&self, facts: &[String]) -> Result<State, Trouble> {
        let mut terms = self.with_machine(|machine| Ok(Self::parse_terms(machine, facts)))??;
        terms.sort_unstable();
        terms.dedup();
        Ok(State(terms.into()))
    }

    fn write_facts(&self, state: &State) -> Vec<String> {
        let write = |machine: &mut Machine| {
            // A thread that has not met the state's terms yet catches up by asking for any term.
            if state.0.iter().any(|fact| fact.0 as usize >= machine.store.len()) {
                machine.store = self.shared.replica();
            }
            let mut facts: Vec<_> = state.0.iter().map(|&fact| machine.store.text(fact)).collect();
            facts.sort_unstable();
            Ok(facts)
        };
        self.with_machine(write).expect("writing text needs no budget")
    }
}

fn refuse_extremes(rules: &Rules) -> Result<(), Trouble> {
    if let Some(i) = rules.relations.iter().position(|r| r.arity > MAX_ARITY) {
        let name = rules.relation_name(ludens_gdl::rules::RelationId(i as u32));
        return Err(Trouble::Rules(format!("{name} has more than {MAX_ARITY} arguments")));
    }
    if rules.rules.iter().any(|rule| rule.variables.len() > MAX_VARIABLES) {
        return Err(Trouble::Rules(format!("a rule has more than {MAX_VARIABLES} variables")));
    }
    Ok(())
}

/// The roles and the initial state.
fn beginning(
    rules: &Rules,
    dependencies: &Dependencies,
    known: &Knowledge,
    mut store: Store,
    budget: &Budget,
) -> Result<(Store, Vec<Value>, Vec<Value>), Trouble> {
    let statistics = Statistics::default();
    let mut planner = Planner::new(rules, dependencies, known, &statistics, &mut store);
    let (role, init) = (planner.call(rules.keywords.role, 0), planner.call(rules.keywords.init, 0));
    let program = planner.program;
    let mut machine = Machine::new(&program, Arc::new(SharedStore::new(store)));
    machine.set_budget(budget);
    let roles = machine.tabulate(&program, role)?.0.to_vec();
    if roles.is_empty() {
        return Err(Trouble::Rules("the rules name no role".into()));
    }
    if roles.len() > RoleSet::MAX_ROLES {
        let most = RoleSet::MAX_ROLES;
        return Err(Trouble::Rules(format!(
            "the rules name {} roles; at most {most} can play",
            roles.len()
        )));
    }
    let mut initial = machine.tabulate(&program, init)?.0.to_vec();
    initial.sort_unstable();
    initial.dedup();
    Ok((machine.store, roles, initial))
}

impl Game for LogicGame {
    type State = State;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn look(&self, state: &State, view: &mut View) {
        self.try_look(state, view)
            .unwrap_or_else(|trouble| panic!("the reasoner gave up: {trouble}"));
    }

    fn look_all(&self, state: &State, view: &mut View) {
        self.try_look_all(state, view)
            .unwrap_or_else(|trouble| panic!("the reasoner gave up: {trouble}"));
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        self.try_play(state, joint)
            .unwrap_or_else(|trouble| panic!("the reasoner gave up: {trouble}"));
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        self.with_machine(|machine| {
            if machine.store.move_term(m).is_none() {
                machine.store = self.shared.replica();
            }
            let term = machine.store.move_term(m).expect("moves come from this game");
            Ok(machine.store.text(term))
        })
        .expect("writing text needs no budget")
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.write_facts(state)
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        self.with_machine(|machine| Ok(machine.parse(text).map(|term| machine.move_of(term))))
            .ok()?
    }

    fn parse_state(&self, facts: &[String]) -> Option<State> {
        self.read_state(facts).ok()
    }
}

impl Reasoner for LogicGame {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        Ok(self.write_facts(&self.initial))
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let state = self.read_state(facts)?;
        self.with_machine(|machine| {
            machine.set_state(&state.0);
            let terminal = self.is_terminal(machine)?;
            let goals = self.goal_values(machine)?;
            let legal = self.legal_terms(machine)?;
            let names = |terms: Vec<Value>| {
                let mut names: Vec<_> =
                    terms.into_iter().map(|term| machine.store.text(term)).collect();
                names.sort_unstable();
                names
            };
            let legal = legal.into_iter().map(names).collect();
            Ok(Answer { terminal, legal, goals })
        })
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        let (expected, found) = (self.roles.len(), moves.len());
        if expected != found {
            return Err(Trouble::MoveCount { expected, found });
        }
        let state = self.read_state(facts)?;
        let facts = self.with_machine(|machine| {
            machine.set_state(&state.0);
            let mut does = Vec::new();
            for (role_idx, text) in moves.iter().enumerate() {
                match machine.parse(text) {
                    Some(term) => does.push((self.role_terms[role_idx], term)),
                    None => return Ok(Err(Trouble::Move { role_idx, text: text.clone() })),
                }
            }
            self.next_facts(machine, &does).map(Ok)
        })??;
        Ok(self.write_facts(&State(facts.into())))
    }
}
