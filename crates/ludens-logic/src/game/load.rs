//! Prepares rules for play: static relations are computed, the others are planned.

use std::sync::Arc;

use ludens_core::{Budget, Rng, RoleSet, Trouble};
use ludens_gdl::rules::RelationId;
use ludens_gdl::{Dependencies, Rules};

use super::{Limits, LogicGame, Queries, State};
use crate::halt::Halt;
use crate::knowledge;
use crate::machine::Machine;
use crate::planner::{Knowledge, Planner};
use crate::relation::Relation;
use crate::statistics::Statistics;
use crate::store::{SharedStore, Store, Value};

/// Relations and functions with more arguments than this are rejected.
const MAX_ARITY: u32 = 64;

/// Rules with more variables than this are rejected.
const MAX_VARIABLES: usize = 4096;

/// Rules with more conditions than this are rejected.
const MAX_CONDITIONS: usize = 4096;

/// Limits of the random playouts whose states are sampled to estimate the sizes of relations.
const MAX_SAMPLES: usize = 50;
const SAMPLE_STEPS: u64 = 500_000;
const SAMPLE_BYTES: usize = 256 << 20;

impl LogicGame {
    /// Prepares rules for play. The budget is for the preparation only; its iterations limit the steps of
    /// each optional optimisation, so that with few of them the preparation is faster.
    pub fn load(rules: &Rules, budget: &Budget) -> Result<LogicGame, Trouble> {
        check_limits(rules)?;
        let dependencies = Dependencies::of(rules);
        let mut store = Store::new(rules.symbols.clone());
        let (mut knowledge, relations) = knowledge::split_facts(rules, &mut store);
        let resources = (store, relations);
        let resources =
            knowledge::compute_statics(rules, &dependencies, &mut knowledge, resources, budget)?;
        let loader = Loader { rules, dependencies: &dependencies, knowledge: &knowledge };
        let (resources, start) = loader.start(resources, budget)?;
        let statistics = Statistics::of_states(&resources.0, std::slice::from_ref(&start.initial));
        let draft = loader.plan(resources, &statistics, start.clone());
        // The initial state can be a poor sample (an empty board): plan again with states of playouts.
        let samples = draft.sample_states(budget);
        let program = Arc::into_inner(draft.program).expect("the draft has one owner");
        let resources = (draft.shared.replica(), program.relations);
        let statistics = Statistics::of_states(&resources.0, &samples);
        Ok(loader.plan(resources, &statistics, start))
    }

    /// States of a few random playouts, as many as a small number of steps allows.
    fn sample_states(&self, budget: &Budget) -> Vec<Vec<Value>> {
        let initial = self.initial.0.to_vec();
        let mut samples = vec![initial.clone()];
        let mut machine = Machine::new(&self.program, Arc::clone(&self.shared));
        machine.set_budget(&budget.at_most(SAMPLE_STEPS, SAMPLE_BYTES));
        let mut rng = Rng::new(0);
        for i in 0..MAX_SAMPLES {
            match self.random_step(&mut machine, &samples[i], &mut rng) {
                Ok(Some(next)) => samples.push(next),
                Ok(None) => samples.push(initial.clone()),
                Err(_) => break,
            }
        }
        samples
    }

    /// The state after random legal moves; `None` if the state is terminal or a role has no legal move.
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
}

/// The input of planning.
struct Loader<'a> {
    rules: &'a Rules,
    dependencies: &'a Dependencies,
    knowledge: &'a Knowledge,
}

/// What planning extends: the terms, and the static relations with their indexes.
type Resources = (Store, Vec<Relation>);

/// The roles and the initial state.
#[derive(Clone)]
struct Start {
    roles: Vec<Value>,
    initial: Vec<Value>,
}

impl Loader<'_> {
    fn planner<'s>(
        &'s self,
        statistics: &'s Statistics,
        store: &'s mut Store,
        relations: Vec<Relation>,
    ) -> Planner<'s> {
        Planner::new(self.rules, self.dependencies, self.knowledge, statistics, (store, relations))
    }

    fn start(
        &self,
        (mut store, relations): Resources,
        budget: &Budget,
    ) -> Result<(Resources, Start), Trouble> {
        let statistics = Statistics::default();
        let keywords = &self.rules.keywords;
        let role = keywords.role;
        if self.dependencies.needs_state(role) || self.dependencies.needs_moves(role) {
            return Err(Trouble::Rules(
                "the roles depend on the state; state them as facts".into(),
            ));
        }
        let mut planner = self.planner(&statistics, &mut store, relations);
        let (role, init) = (planner.call(keywords.role, 0), planner.call(keywords.init, 0));
        let program = planner.program;
        let mut machine = Machine::standalone(store);
        // The initial state is required, whatever it costs.
        let mut budget = budget.clone();
        budget.iterations = None;
        machine.set_budget(&budget);
        let roles = machine.tabulate(&program, role)?.0.to_vec();
        if roles.is_empty() || roles.len() > RoleSet::MAX_ROLES {
            let (found, most) = (roles.len(), RoleSet::MAX_ROLES);
            let message = format!("the rules name {found} roles; there must be 1 to {most}");
            return Err(Trouble::Rules(message));
        }
        let mut initial = machine.tabulate(&program, init)?.0.to_vec();
        initial.sort_unstable();
        Ok(((machine.store, program.relations), Start { roles, initial }))
    }

    fn plan(
        &self,
        (mut store, relations): Resources,
        statistics: &Statistics,
        start: Start,
    ) -> LogicGame {
        let keywords = &self.rules.keywords;
        let mut planner = self.planner(statistics, &mut store, relations);
        let queries = Queries {
            legal: planner.call(keywords.legal, 0),
            goal: planner.call(keywords.goal, 0),
            next: planner.call(keywords.next, 0),
            terminal: planner.call(keywords.terminal, 0),
        };
        let call_names = planner.call_names();
        let program = planner.program;
        LogicGame {
            roles: start.roles.iter().map(|&role| store.text(role)).collect(),
            role_terms: start.roles,
            initial: State(start.initial.into()),
            program: Arc::new(program),
            queries,
            call_names: call_names.into(),
            shared: Arc::new(SharedStore::new(store)),
            pool: Arc::default(),
            limits: Limits::default(),
            stop: None,
        }
    }
}

fn check_limits(rules: &Rules) -> Result<(), Trouble> {
    if let Some(i) = rules.relations.iter().position(|r| r.arity > MAX_ARITY) {
        let name = rules.relation_name(RelationId(i as u32));
        return Err(Trouble::Rules(format!("{name} has more than {MAX_ARITY} arguments")));
    }
    if rules.rules.iter().any(|rule| rule.variables.len() > MAX_VARIABLES) {
        return Err(Trouble::Rules(format!("a rule has more than {MAX_VARIABLES} variables")));
    }
    if rules.rules.iter().any(|rule| rule.body.len() > MAX_CONDITIONS) {
        return Err(Trouble::Rules(format!("a rule has more than {MAX_CONDITIONS} conditions")));
    }
    Ok(())
}
