//! A game with grounded rules: states are bit sets, which an [`Engine`] evaluates.

use std::sync::{Arc, Mutex, OnceLock};

use ludens_core::{
    Budget, Game, Move, PerRole, Role, Simulator, Structure, Trouble, View, Views, Vocabulary,
};
use ludens_gdl::Rules;

use crate::bits::{Bits, ones};
use crate::decisive::decisive;
use crate::engine::{Engine, Scratch};
use crate::features::{self, MoveFeatures};
use crate::names::Names;
use crate::network::Network;
use crate::structure::structure;

/// The rules of a game as a propositional network with an evaluator.
///
/// ```
/// use ludens_core::{Budget, Game, View};
/// use ludens_propnet::PropGame;
///
/// let text = "(role you) (init start) (<= (legal you go) (true start))
///     (<= (next done) (does you go)) (<= terminal (true done)) (goal you 100)";
/// let rules = ludens_gdl::load(text).0.unwrap();
/// let game = PropGame::load(&rules, &Budget::unlimited()).unwrap();
/// let (mut state, mut view) = (game.initial(), View::default());
/// game.look(&state, &mut view);
/// game.play(&mut state, &[view.legal.as_slice()[0][0]]);
/// assert_eq!(game.facts(&state), ["done"]);
/// ```
pub struct PropGame {
    /// The network.
    pub network: Arc<Network>,
    /// Its evaluator.
    pub engine: Engine,
    initial: Bits,
    /// The moves of each role.
    moves: PerRole<Vec<Move>>,
    names: OnceLock<Names>,
    features: OnceLock<Arc<MoveFeatures>>,
    /// The game with decisive moves only, if it is known how to find them.
    decisive: OnceLock<Option<Arc<PropGame>>>,
    pool: Mutex<Vec<Workspace>>,
}

/// The buffers of one call.
struct Workspace {
    scratch: Scratch,
    legal: Vec<u64>,
    goals: Vec<u64>,
    does: Vec<u32>,
    next: Bits,
}

impl PropGame {
    /// Grounds rules; states are evaluated one by one, playouts 256 at once.
    pub fn load(rules: &Rules, budget: &Budget) -> Result<Self, Trouble> {
        Ok(Self::mixed(Network::load(rules, budget)?.into()))
    }

    /// Evaluates states one by one and playouts 256 at once.
    pub fn mixed(network: Arc<Network>) -> Self {
        let engine = Engine::mixed(&network);
        Self::with_engine(network, engine)
    }

    /// Evaluates 256 lanes at once by machine code.
    pub fn jit(network: Arc<Network>) -> Self {
        let engine = Engine::jit(&network);
        Self::with_engine(network, engine)
    }

    /// Evaluates 256 lanes at once, on any machine.
    pub fn lanes(network: Arc<Network>) -> Self {
        let engine = Engine::lanes(&network);
        Self::with_engine(network, engine)
    }

    /// Evaluates one state at a time.
    pub fn scalar(network: Arc<Network>) -> Self {
        let engine = Engine::scalar(&network);
        Self::with_engine(network, engine)
    }

    /// The game of a network with a given evaluator of it.
    pub fn with_engine(network: Arc<Network>, engine: impl Into<Engine>) -> Self {
        let mut initial = Bits::empty(network.fluents.len());
        network.initial.iter().for_each(|&fluent| initial.set(fluent as usize));
        let mut moves = PerRole::filled(network.roles.len(), Vec::new());
        network.does.iter().for_each(|&(role, m)| moves[role].push(m));
        PropGame {
            network,
            engine: engine.into(),
            initial,
            moves,
            names: OnceLock::new(),
            features: OnceLock::new(),
            decisive: OnceLock::new(),
            pool: Mutex::new(Vec::new()),
        }
    }

    fn with_workspace<T>(&self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        let pooled = self.pool.lock().ok().and_then(|mut pool| pool.pop());
        let mut workspace = pooled.unwrap_or_else(|| Workspace {
            scratch: self.engine.scratch(),
            legal: vec![0; self.network.does.len().div_ceil(64)],
            goals: vec![0; self.network.goals.len().div_ceil(64)],
            does: Vec::new(),
            next: Bits::empty(self.network.fluents.len()),
        });
        let result = work(&mut workspace);
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(workspace);
        }
        result
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(&self.network))
    }

    /// The features in the codes of moves; derived on first use, because plain play does not need them.
    pub fn features(&self) -> &Arc<MoveFeatures> {
        let derive = || features::derive(&self.network, &features::Limits::default());
        self.features.get_or_init(|| Arc::new(derive()))
    }

    fn does(&self, role: Role, m: Move) -> Option<u32> {
        self.network.does.binary_search(&(role, m)).ok().map(|does| does as u32)
    }

    fn fill_legal(&self, legal: &[u64], view: &mut View) {
        for does in ones(legal) {
            let (role, m) = self.network.does[does];
            view.legal[role].push(m);
        }
    }

    fn fill_payoffs(&self, workspace: &mut Workspace, state: &Bits, view: &mut View) {
        self.engine.goals(&mut workspace.scratch, state.words(), &mut workspace.goals);
        for goal in ones(&workspace.goals).map(|goal| &self.network.goals[goal]) {
            view.pay(goal.role, goal.value as f32 / 100.0);
        }
    }
}

impl Vocabulary<Bits> for PropGame {
    fn n_facts(&self) -> Option<usize> {
        Some(self.network.fluents.len())
    }

    fn fact_ids(&self, state: &Bits, out: &mut Vec<u32>) {
        out.extend(ones(state.words()).map(|fluent| fluent as u32));
    }

    fn fact_name(&self, fact: u32) -> String {
        self.network.fluents[fact as usize].clone()
    }

    fn moves(&self, role: Role) -> Option<&[Move]> {
        Some(&self.moves[role])
    }
}

impl Game for PropGame {
    type State = Bits;

    fn roles(&self) -> &[String] {
        &self.network.roles
    }

    fn initial(&self) -> Bits {
        self.initial.clone()
    }

    fn look(&self, state: &Bits, view: &mut View) {
        view.clear(self.network.roles.len());
        self.with_workspace(|workspace| {
            view.terminal =
                self.engine.look(&mut workspace.scratch, state.words(), &mut workspace.legal);
            if view.terminal {
                self.fill_payoffs(workspace, state, view);
            } else {
                self.fill_legal(&workspace.legal, view);
            }
        });
    }

    fn look_all(&self, state: &Bits, view: &mut View) {
        view.clear(self.network.roles.len());
        self.with_workspace(|workspace| {
            view.terminal =
                self.engine.look(&mut workspace.scratch, state.words(), &mut workspace.legal);
            self.fill_legal(&workspace.legal, view);
            self.fill_payoffs(workspace, state, view);
        });
    }

    fn goals(&self, state: &Bits, _view: &View) -> PerRole<Vec<i64>> {
        let mut values = PerRole::filled(self.network.roles.len(), Vec::new());
        self.with_workspace(|workspace| {
            self.engine.goals(&mut workspace.scratch, state.words(), &mut workspace.goals);
            for goal in ones(&workspace.goals).map(|goal| &self.network.goals[goal]) {
                values[goal.role].push(goal.value);
            }
        });
        values
    }

    fn play(&self, state: &mut Bits, joint: &[Move]) {
        self.with_workspace(|workspace| {
            workspace.does.clear();
            let made = Role::all(joint.len()).zip(joint);
            workspace.does.extend(made.filter_map(|(role, &m)| self.does(role, m)));
            let Workspace { scratch, does, next, .. } = workspace;
            self.engine.next(scratch, state.words(), does, next.words_mut());
            std::mem::swap(next, state);
        });
    }

    fn look_many(&self, states: &[&Bits], views: &mut Views) {
        if self.engine.look_many(states, views) {
            return;
        }
        views.clear(self.network.roles.len());
        let mut view = View::default();
        for state in states {
            self.look(state, &mut view);
            views.push(&view);
        }
    }

    fn decisive(&self) -> Option<&Arc<Self>> {
        let derive = || {
            let network = Arc::new(decisive(&self.network)?);
            let engine = self.engine.of_network(&network);
            Some(Arc::new(Self::with_engine(network, engine)))
        };
        self.decisive.get_or_init(derive).as_ref()
    }

    fn expect_batches(&self) {
        if let Engine::Mixed(engine) = &self.engine {
            engine.expect_batches();
        }
    }

    fn play_many(&self, states: &mut [Bits], joints: &[Move]) {
        if !self.engine.play_many(states, joints) {
            let joints = joints.chunks_exact(self.network.roles.len());
            states.iter_mut().zip(joints).for_each(|(state, joint)| self.play(state, joint));
        }
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        self.network.moves[m.index()].clone()
    }

    fn facts(&self, state: &Bits) -> Vec<String> {
        ones(state.words()).map(|fluent| self.network.fluents[fluent].clone()).collect()
    }

    fn vocabulary(&self) -> Option<&dyn Vocabulary<Bits>> {
        Some(self)
    }

    fn structure(&self) -> Option<Arc<dyn Structure>> {
        Some(structure(Arc::clone(&self.network)))
    }

    fn payoff_range(&self, role: Role) -> (f32, f32) {
        let own = self.network.goals.iter().filter(|goal| goal.role == role);
        let values = own.map(|goal| goal.value as f32 / 100.0);
        let range = |(low, high): (f32, f32), value: f32| (low.min(value), high.max(value));
        let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), range);
        if low <= high { (low, high) } else { (0.0, 1.0) }
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let m = self.names().find_move(text)?;
        self.does(role, m).map(|_| m)
    }

    fn parse_state(&self, facts: &[String]) -> Option<Bits> {
        let mut state = Bits::empty(self.network.fluents.len());
        for fact in facts {
            state.set(self.names().fluent(fact)?);
        }
        Some(state)
    }

    fn code(&self, state: &Bits, role: Role, m: Move) -> u32 {
        self.features().code_of_move(state.words(), role, m)
    }

    fn codes(&self, state: &Bits, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        let features = self.features();
        out.extend(moves.iter().map(|&m| features.code_of_move(state.words(), role, m)));
    }

    fn state_bytes(&self, state: &Bits) -> usize {
        size_of_val(state) + state.heap_bytes()
    }

    fn simulator(self: Arc<Self>) -> Box<dyn Simulator<Self>> {
        let engine = self.engine.clone();
        engine.simulator(self)
    }
}
