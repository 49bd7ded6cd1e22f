//! A game whose rules were ground: states are bit sets, questions are gates.

use std::sync::Mutex;

use ludens_core::{Budget, Game, Move, Role, RoleSet, Trouble, View};
use ludens_gdl::Rules;
use ludens_logic::terms::{Store, Value};
use rustc_hash::FxHashMap;

use crate::ground::ground;
use crate::net::{Gate, Net, Outputs, Signal, build};
use crate::scalar::{Code, read};

/// A position: one bit for each fluent.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bits(Box<[u64]>);

impl Bits {
    fn empty(n: usize) -> Self {
        Bits(vec![0; n.div_ceil(64)].into())
    }

    fn get(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }
}

/// The rules of a game as a propositional network, evaluated one state at a time.
///
/// ```
/// use ludens_core::{Budget, Game, View};
/// use ludens_propnet::ScalarGame;
///
/// let text = "(role you) (init start) (<= (legal you go) (true start))
///     (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)";
/// let rules = ludens_gdl::load(text).0.unwrap();
/// let game = ScalarGame::load(&rules, &Budget::unlimited()).unwrap();
/// let (mut state, mut view) = (game.initial(), View::default());
/// game.look(&state, &mut view);
/// game.play(&mut state, &[view.legal.as_slice()[0][0]]);
/// assert_eq!(game.facts(&state), ["done"]);
/// ```
pub struct ScalarGame {
    roles: Vec<String>,
    store: Store,
    outputs: Outputs,
    /// The gate of each fluent and of each move of a role.
    fluent_gates: Vec<u32>,
    does_gates: Vec<u32>,
    initial: Bits,
    fluent_of: FxHashMap<Value, u32>,
    /// The terms of the moves; their order is that of the numbers of moves.
    moves: Vec<Value>,
    move_of: FxHashMap<Value, Move>,
    /// For each role: its moves in the order of their numbers, with the number of the pair.
    moves_of_role: Vec<Vec<(Move, u32)>>,
    does_of: FxHashMap<(Role, Move), u32>,
    n_gates: usize,
    look: Code,
    goals: Code,
    next: Code,
    pool: Mutex<Vec<Vec<bool>>>,
}

impl ScalarGame {
    /// Grounds rules and prepares them for play.
    pub fn load(rules: &Rules, budget: &Budget) -> Result<Self, Trouble> {
        let grounding = ground(rules, budget)?;
        let n_roles = grounding.roles.len();
        if n_roles == 0 || n_roles > RoleSet::MAX_ROLES {
            return Err(Trouble::Rules(format!("the rules name {n_roles} roles")));
        }
        let (net, outputs) = build(&grounding, &rules.keywords)?;
        Ok(Self::new(&net, outputs, grounding.store, &grounding.roles, &grounding.initial))
    }

    fn new(net: &Net, outputs: Outputs, store: Store, roles: &[Value], initial: &[Value]) -> Self {
        let terminal = outputs.terminal.unwrap_or(Signal::FALSE);
        let asked: Vec<Signal> = outputs.legal.iter().copied().chain([terminal]).collect();
        let (look, cone) = Code::new(net, &asked, None);
        let goal_signals: Vec<Signal> =
            outputs.goals.iter().map(|&(_, _, signal)| signal).collect();
        let (goals, _) = Code::new(net, &goal_signals, Some(&cone));
        let (next, _) = Code::new(net, &outputs.next, None);
        let mut moves: Vec<Value> = outputs.does.iter().map(|&(_, term)| term).collect();
        moves.sort_unstable_by_key(|&term| store.text(term));
        moves.dedup();
        let move_of: FxHashMap<Value, Move> = moves.iter().copied().zip((0..).map(Move)).collect();
        let fluent_of: FxHashMap<Value, u32> = outputs.fluents.iter().copied().zip(0..).collect();
        let mut first = Bits::empty(outputs.fluents.len());
        for fluent in initial {
            first.set(fluent_of[fluent] as usize);
        }
        let (fluent_gates, does_gates) = input_gates(net, &outputs);
        let mut game = ScalarGame {
            roles: roles.iter().map(|&role| store.text(role)).collect(),
            moves_of_role: vec![Vec::new(); roles.len()],
            does_of: FxHashMap::default(),
            n_gates: net.gates.len(),
            initial: first,
            pool: Mutex::new(Vec::new()),
            store,
            outputs,
            fluent_gates,
            does_gates,
            fluent_of,
            moves,
            move_of,
            look,
            goals,
            next,
        };
        game.number_moves();
        game
    }

    fn number_moves(&mut self) {
        for (i, &(role_idx, term)) in self.outputs.does.iter().enumerate() {
            let m = self.move_of[&term];
            self.moves_of_role[role_idx].push((m, i as u32));
            self.does_of.insert((Role(role_idx as u8), m), i as u32);
        }
        for moves in &mut self.moves_of_role {
            moves.sort_unstable();
        }
    }

    /// Does something with the values of all gates, fluents set to a state and no move made.
    fn with_values<T>(&self, state: &Bits, work: impl FnOnce(&mut [bool]) -> T) -> T {
        let pooled = self.pool.lock().ok().and_then(|mut pool| pool.pop());
        let mut values = pooled.unwrap_or_else(|| {
            let mut values = vec![false; self.n_gates];
            values[Signal::TRUE.gate()] = true;
            values
        });
        for (i, &gate) in self.fluent_gates.iter().enumerate() {
            values[gate as usize] = state.get(i);
        }
        let result = work(&mut values);
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(values);
        }
        result
    }

    fn fill_legal(&self, values: &[bool], view: &mut View) {
        for (legal, moves) in view.legal.iter_mut().zip(&self.moves_of_role) {
            let is_legal = |does: u32| read(values, self.outputs.legal[does as usize]);
            legal.extend(moves.iter().filter(|(_, does)| is_legal(*does)).map(|(m, _)| *m));
        }
    }

    fn fill_payoffs(&self, values: &mut [bool], view: &mut View) {
        self.goals.run(values);
        for &(role_idx, value, signal) in &self.outputs.goals {
            if read(values, signal) {
                view.pay(Role(role_idx as u8), value as f32 / 100.0);
            }
        }
    }

    fn look_at(&self, values: &mut [bool], view: &mut View) {
        view.clear(self.roles.len());
        self.look.run(values);
        view.terminal = self.outputs.terminal.is_some_and(|signal| read(values, signal));
    }
}

fn input_gates(net: &Net, outputs: &Outputs) -> (Vec<u32>, Vec<u32>) {
    let (mut fluents, mut does) = (vec![0; outputs.fluents.len()], vec![0; outputs.does.len()]);
    for (gate, kind) in net.gates.iter().enumerate() {
        match kind {
            Gate::Fluent(i) => fluents[*i as usize] = gate as u32,
            Gate::Does(i) => does[*i as usize] = gate as u32,
            _ => {}
        }
    }
    (fluents, does)
}

impl Game for ScalarGame {
    type State = Bits;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Bits {
        self.initial.clone()
    }

    fn look(&self, state: &Bits, view: &mut View) {
        self.with_values(state, |values| {
            self.look_at(values, view);
            if view.terminal {
                self.fill_payoffs(values, view);
            } else {
                self.fill_legal(values, view);
            }
        });
    }

    fn look_all(&self, state: &Bits, view: &mut View) {
        self.with_values(state, |values| {
            self.look_at(values, view);
            self.fill_legal(values, view);
            self.fill_payoffs(values, view);
        });
    }

    fn play(&self, state: &mut Bits, joint: &[Move]) {
        let next = self.with_values(state, |values| {
            let made =
                Role::all(joint.len()).zip(joint).map(|(role, &m)| self.does_of.get(&(role, m)));
            let made: Vec<usize> =
                made.flatten().map(|&does| self.does_gates[does as usize] as usize).collect();
            for &gate in &made {
                values[gate] = true;
            }
            self.next.run(values);
            let mut next = Bits::empty(self.outputs.fluents.len());
            for (i, &signal) in self.outputs.next.iter().enumerate() {
                if read(values, signal) {
                    next.set(i);
                }
            }
            for &gate in &made {
                values[gate] = false;
            }
            next
        });
        *state = next;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        self.store.text(self.moves[m.index()])
    }

    fn facts(&self, state: &Bits) -> Vec<String> {
        let holding = self.outputs.fluents.iter().enumerate().filter(|(i, _)| state.get(*i));
        let mut facts: Vec<String> = holding.map(|(_, &fluent)| self.store.text(fluent)).collect();
        facts.sort_unstable();
        facts
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let m = *self.move_of.get(&self.store.read(text)?)?;
        self.does_of.contains_key(&(role, m)).then_some(m)
    }

    fn parse_state(&self, facts: &[String]) -> Option<Bits> {
        let mut state = Bits::empty(self.outputs.fluents.len());
        for fact in facts {
            state.set(*self.fluent_of.get(&self.store.read(fact)?)? as usize);
        }
        Some(state)
    }
}
