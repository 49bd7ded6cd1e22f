//! Games and agents for tests.
#![allow(dead_code, reason = "every test uses some of it")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ludens_arena::clock::{Allowance, Clock, SystemClock};
use ludens_arena::play::{AgentMaker, Terms};
use ludens_arena::runner::{AgentRunner, Scheduler};
use ludens_arena::schedule::{Pairing, Plan, Slot};
use ludens_core::{Budget, Game, Move, PerRole, Role, View};
use ludens_search::{Agent, Flat, MoveStats, Random, Report, Watch};

/// Players in turn take one to three stones; the player who takes the last one wins. Any number of
/// roles can play.
pub struct Nim {
    roles: Vec<String>,
    stones: u32,
}

impl Nim {
    pub fn new(n_roles: usize, stones: u32) -> Arc<Self> {
        Arc::new(Nim { roles: (0..n_roles).map(|i| format!("p{i}")).collect(), stones })
    }
}

/// The remaining stones and the role to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    pub stones: u32,
    pub turn: u8,
}

impl Game for Nim {
    type State = Heap;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Heap {
        Heap { stones: self.stones, turn: 0 }
    }

    fn look(&self, state: &Heap, view: &mut View) {
        view.clear(self.roles.len());
        view.terminal = state.stones == 0;
        for role in Role::all(self.roles.len()) {
            if view.terminal {
                let last = (usize::from(state.turn) + self.roles.len() - 1) % self.roles.len();
                view.pay(role, f32::from(u8::from(role.index() == last)));
            } else if role.0 == state.turn {
                view.legal[role].extend((1..=state.stones.min(3)).map(Move));
            } else {
                view.legal[role].push(Move(0));
            }
        }
    }

    fn play(&self, state: &mut Heap, joint: &[Move]) {
        state.stones -= joint[usize::from(state.turn)].0;
        state.turn = (state.turn + 1) % self.roles.len() as u8;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        assert!(m.0 < 100, "no such move");
        if m.0 == 0 { "noop".into() } else { format!("(take {})", m.0) }
    }

    fn facts(&self, state: &Heap) -> Vec<String> {
        vec![format!("(stones {})", state.stones), format!("(turn p{})", state.turn)]
    }
}

/// A clock that the test sets.
pub struct ManualClock {
    begin: Instant,
    millis: AtomicU64,
}

impl ManualClock {
    pub fn new() -> Arc<Self> {
        Arc::new(ManualClock { begin: Instant::now(), millis: AtomicU64::new(0) })
    }

    pub fn advance(&self, millis: u64) {
        self.millis.fetch_add(millis, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        self.begin + Duration::from_millis(self.millis.load(Ordering::Relaxed))
    }
}

/// Chooses a move.
pub type Behaviour = dyn FnMut(&Heap) -> Option<Move> + Send;

/// An agent with a scripted behaviour, for all roles.
pub struct Scripted(pub Box<Behaviour>);

impl Agent<Nim> for Scripted {
    fn think(&mut self, state: &Heap, _: &Budget, _: &mut Watch<'_>) -> Report {
        let mv = (self.0)(state);
        let stats = mv.map(|mv| MoveStats { mv, visits: 1, mean: 0.5 });
        Report::sorted(1, PerRole::filled(8, stats.into_iter().collect()))
    }

    fn begin(&mut self, _seed: u64) {}
}

/// A scripted agent.
pub fn scripted(
    behaviour: impl FnMut(&Heap) -> Option<Move> + Send + 'static,
) -> Box<dyn Agent<Nim>> {
    Box::new(Scripted(Box::new(behaviour)))
}

/// Agent 0 is flat Monte Carlo, all others move at random.
pub fn flat_and_random(game: &Arc<Nim>) -> impl Fn(usize) -> Box<dyn Agent<Nim>> + Sync + use<> {
    let game = Arc::clone(game);
    move |number| match number {
        0 => Box::new(Flat::new(Arc::clone(&game), 0.7, 0)),
        _ => Box::new(Random::new(Arc::clone(&game), 0)),
    }
}

pub fn slots(n_agents: usize, n_roles: usize, games: usize) -> Vec<Slot> {
    let (roles, pairing) = (vec![n_roles], Pairing::RoundRobin);
    Plan { n_agents, roles, pairing, games_per_meeting: games, seed: 9 }.slots().unwrap()
}

pub fn terms(iterations: u64) -> Terms {
    Terms::new(Allowance::of_iterations(iterations))
}

pub fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("agent {i}")).collect()
}

/// One thread, no sequential test.
pub fn scheduler<'a>(names: &'a [String], slots: &'a [Slot]) -> Scheduler<'a> {
    Scheduler { names, slots, workers: 1, sprt: None, lead: None, stop: Arc::default() }
}

/// One game at a time on each thread.
pub fn runner<'a>(
    game: &Arc<Nim>,
    terms: &'a Terms,
    agents: &'a AgentMaker<'a, Nim>,
) -> AgentRunner<'a, Nim> {
    AgentRunner::in_turn(Arc::clone(game), terms, agents, &SystemClock)
}
