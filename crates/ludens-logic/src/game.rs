//! A game whose rules are evaluated directly.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens_core::{Budget, Move, Role, Trouble, View};

use crate::halt::Halt;
use crate::machine::Machine;
use crate::plan::{CallId, Program};
use crate::store::{SharedStore, Value};

mod load;
mod play;
mod text;

/// The limits of one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time; `None` is unlimited.
    pub time: Option<Duration>,
    /// Bytes of working memory.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: None, bytes: 2 << 30 }
    }
}

/// A position: the fluents that hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(Arc<[Value]>);

/// A game whose rules are evaluated directly, without grounding.
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
///
/// A clone is the same game, with its own limits.
#[derive(Clone)]
pub struct LogicGame {
    roles: Vec<String>,
    role_terms: Vec<Value>,
    initial: State,
    program: Arc<Program>,
    queries: Queries,
    call_names: Arc<[String]>,
    shared: Arc<SharedStore>,
    pool: Arc<Mutex<Pool>>,
    limits: Limits,
    stop: Option<Arc<AtomicBool>>,
}

/// Idle machines.
#[derive(Default)]
struct Pool(
    #[expect(clippy::vec_box, reason = "machines are large, and moved at every query")]
    Vec<Box<Machine>>,
);

/// The calls that answer the queries of play.
#[derive(Clone, Copy)]
struct Queries {
    legal: CallId,
    goal: CallId,
    next: CallId,
    terminal: CallId,
}

impl LogicGame {
    /// The plans of the rules, as text.
    pub fn print_plans(&self) -> String {
        crate::explain::explain(&self.program, &self.call_names, &self.shared.replica())
    }

    /// Sets the limits of one query.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes queries fail as soon as the flag is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Runs `work` on a machine from the pool. A machine whose work fails is dropped.
    fn with_machine<T>(
        &self,
        work: impl FnOnce(&mut Machine) -> Result<T, Halt>,
    ) -> Result<T, Trouble> {
        let pooled = self.pool.lock().ok().and_then(|mut pool| pool.0.pop());
        let mut machine = pooled
            .unwrap_or_else(|| Box::new(Machine::new(&self.program, Arc::clone(&self.shared))));
        let mut budget = Budget::unlimited().with_bytes(self.limits.bytes);
        if let Some(time) = self.limits.time {
            budget = budget.with_time(time);
        }
        if let Some(stop) = &self.stop {
            budget = budget.with_stop(Arc::clone(stop));
        }
        machine.set_budget(&budget);
        let result = work(&mut machine)?;
        if let Ok(mut pool) = self.pool.lock() {
            pool.0.push(machine);
        }
        Ok(result)
    }

    fn role_of(&self, term: Value) -> Option<Role> {
        self.role_terms.iter().position(|&role| role == term).map(|i| Role(i as u8))
    }

    fn is_terminal(&self, machine: &mut Machine) -> Result<bool, Halt> {
        machine.exists(&self.program, self.queries.terminal)
    }

    /// Legal moves of each role as terms, sorted.
    fn legal_terms(&self, machine: &mut Machine) -> Result<Vec<Vec<Value>>, Halt> {
        let mut legal = vec![Vec::new(); self.roles.len()];
        for pair in machine.collect(&self.program, self.queries.legal)?.chunks_exact(2) {
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

    /// Goal values of each role, sorted; values that are not numbers are left out.
    fn goal_values(&self, machine: &mut Machine) -> Result<Vec<Vec<i64>>, Halt> {
        let mut goals = vec![Vec::new(); self.roles.len()];
        let pairs = machine.collect(&self.program, self.queries.goal)?.to_vec();
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
        let mut facts = machine.collect(&self.program, self.queries.next)?.to_vec();
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
            for value in values {
                view.pay(Role(role_idx as u8), value as f32 / 100.0);
            }
        }
        Ok(())
    }

    /// As [`Game::look`](ludens_core::Game::look), with failures as values.
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

    /// As [`Game::look_all`](ludens_core::Game::look_all), with failures as values.
    pub fn try_look_all(&self, state: &State, view: &mut View) -> Result<(), Trouble> {
        self.with_machine(|machine| {
            view.clear(self.roles.len());
            machine.set_state(&state.0);
            view.terminal = self.is_terminal(machine)?;
            self.fill_payoffs(machine, view)?;
            self.fill_legal(machine, view)
        })
    }

    /// As [`Game::play`](ludens_core::Game::play), with failures as values; the state is unchanged then.
    pub fn try_play(&self, state: &mut State, joint: &[Move]) -> Result<(), Trouble> {
        let facts = self.with_machine(|machine| {
            machine.set_state(&state.0);
            machine.sync_terms(&[], joint);
            let term = |&m: &Move| machine.store.move_term(m).expect("moves come from this game");
            let does: Vec<_> =
                self.role_terms.iter().copied().zip(joint.iter().map(term)).collect();
            self.next_facts(machine, &does)
        })?;
        *state = State(facts.into());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Game;

    use super::*;

    /// Each step makes a new term and a new move.
    const GROWING: &str = "(role you) (init (n z)) (<= (legal you (add ?x)) (true (n ?x)))
        (<= (legal you stay) (true (n ?x)))
        (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n (s (s (s z)))))) (goal you 0)";

    fn growing() -> LogicGame {
        let rules = ludens_gdl::load(GROWING).0.expect("the rules are sound");
        LogicGame::load(&rules, &Budget::unlimited()).expect("they load")
    }

    #[test]
    fn machines_learn_terms_from_each_other() {
        let game = growing();
        let (initial, mut view) = (Game::initial(&game), View::default());
        game.look(&initial, &mut view);
        // While a machine is in use, other threads use machines of their own.
        let spare = std::mem::take(&mut *game.pool.lock().unwrap());
        assert!(!spare.0.is_empty());
        let mut state = initial;
        game.play(&mut state, &[view.legal.as_slice()[0][0]]);
        game.look(&state, &mut view);
        let joint = [*view.legal.as_slice()[0].iter().max().unwrap()];
        *game.pool.lock().unwrap() = spare;
        game.play(&mut state, &joint);
        game.look(&state, &mut view);
        assert_eq!(view.legal.as_slice()[0].len(), 2);
        assert_eq!(game.facts(&state), ["(n (s (s z)))"]);
    }

    #[test]
    fn threads_play_the_same_matches_in_parallel() {
        let game = growing();
        let play = || {
            let (mut state, mut view) = (Game::initial(&game), View::default());
            loop {
                game.look(&state, &mut view);
                if view.terminal {
                    return game.facts(&state);
                }
                let last = *view.legal.as_slice()[0].last().unwrap();
                game.play(&mut state, &[last]);
            }
        };
        std::thread::scope(|scope| {
            let ends: Vec<_> = (0..4).map(|_| scope.spawn(play)).collect();
            for end in ends {
                assert_eq!(end.join().unwrap(), ["(n (s (s (s z))))"]);
            }
        });
    }
}
