//! Games: rules that answer questions about plain states.

use std::hash::Hash;
use std::sync::Arc;

use crate::rng::Rng;
use crate::role::{Move, Payoffs, PerRole, Role, RoleSet};
use crate::simulate::{ScalarSimulator, Simulator};
use crate::structure::Structure;
use crate::vocabulary::Vocabulary;

/// What play needs of a state: whether it is terminal, payoffs and legal moves. A reusable buffer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct View {
    /// Whether the state is terminal.
    pub terminal: bool,
    /// The payoff of each role; 0 if the rules give none.
    pub payoffs: Payoffs,
    /// Roles for which the rules give a payoff in this state.
    pub scored: RoleSet,
    /// Roles for which the rules give several payoffs at once; the largest is in `payoffs`.
    pub contested: RoleSet,
    /// Legal moves of each role, in an order that depends on the state alone.
    pub legal: PerRole<Vec<Move>>,
}

impl View {
    /// Empties the view for a game of `n_roles`, keeping its allocation.
    pub fn clear(&mut self, n_roles: usize) {
        self.terminal = false;
        self.payoffs.resize(n_roles, 0.0);
        self.payoffs.iter_mut().for_each(|payoff| *payoff = 0.0);
        self.scored = RoleSet::default();
        self.contested = RoleSet::default();
        self.legal.resize(n_roles, Vec::new());
        self.legal.iter_mut().for_each(Vec::clear);
    }

    /// Records a payoff of a role.
    pub fn pay(&mut self, role: Role, payoff: f32) {
        if self.scored.contains(role) && self.payoffs[role].to_bits() != payoff.to_bits() {
            self.contested.insert(role);
            self.payoffs[role] = self.payoffs[role].max(payoff);
        } else {
            self.payoffs[role] = payoff;
        }
        self.scored.insert(role);
    }

    /// Whether play cannot continue: the state is terminal, or some role has no legal move.
    pub fn is_over(&self) -> bool {
        self.terminal || self.legal.iter().any(Vec::is_empty)
    }

    /// A random legal move of each role; every role must have one.
    pub fn random_joint(&self, rng: &mut Rng) -> Vec<Move> {
        self.legal.iter().map(|legal| legal[rng.below(legal.len())]).collect()
    }
}

/// The views of several states. A reusable buffer.
#[derive(Clone, Debug, Default)]
pub struct Views {
    n_roles: usize,
    terminal: Vec<bool>,
    payoffs: Vec<f32>,
    legal: Vec<Move>,
    /// The end of each role's legal moves in `legal`, state after state.
    ends: Vec<u32>,
    /// The allocation of a single view, reused by [`Views::push_with`].
    scratch: View,
}

impl Views {
    /// Empties the buffer for a game of `n_roles`, keeping its allocation.
    pub fn clear(&mut self, n_roles: usize) {
        self.n_roles = n_roles;
        self.terminal.clear();
        self.payoffs.clear();
        self.legal.clear();
        self.ends.clear();
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// Adds the view of a state.
    pub fn push(&mut self, view: &View) {
        self.begin(view.terminal, view.payoffs.as_slice());
        for legal in &view.legal {
            self.add_legal(legal.iter().copied());
        }
    }

    /// Adds the view that `look` writes.
    pub fn push_with(&mut self, look: impl FnOnce(&mut View)) {
        let mut view = std::mem::take(&mut self.scratch);
        look(&mut view);
        self.push(&view);
        self.scratch = view;
    }

    /// Adds a state; [`Views::add_legal`] follows for each role.
    pub fn begin(&mut self, terminal: bool, payoffs: &[f32]) {
        self.terminal.push(terminal);
        self.payoffs.extend_from_slice(payoffs);
    }

    /// Adds the legal moves of the next role of the last state.
    pub fn add_legal(&mut self, legal: impl Iterator<Item = Move>) {
        self.legal.extend(legal);
        self.ends.push(self.legal.len() as u32);
    }

    /// Whether a state is terminal.
    pub fn is_terminal(&self, i: usize) -> bool {
        self.terminal[i]
    }

    /// The payoffs of a terminal state.
    pub fn payoffs(&self, i: usize) -> &[f32] {
        &self.payoffs[i * self.n_roles..][..self.n_roles]
    }

    /// The legal moves of each role in a state that is not terminal.
    pub fn legal(&self, i: usize) -> impl Iterator<Item = &[Move]> + Clone {
        let ends = &self.ends[i * self.n_roles..][..self.n_roles];
        let first = if i == 0 { 0 } else { self.ends[i * self.n_roles - 1] };
        let starts = std::iter::once(first).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| &self.legal[start as usize..end as usize])
    }
}

/// The rules of a game. Rules are a value, states are plain data.
pub trait Game: Send + Sync + 'static {
    /// A position: compact plain data; two states are equal if and only if their futures are equal.
    type State: Clone + Eq + Hash + Send + Sync + 'static;

    /// The roles in the order of the rules.
    fn roles(&self) -> &[String];

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// Computes what play needs: whether the state is terminal, then the payoffs if it is and the
    /// legal moves if it is not.
    fn look(&self, state: &Self::State, view: &mut View);

    /// Computes everything: payoffs and legal moves in every state.
    fn look_all(&self, state: &Self::State, view: &mut View) {
        self.look(state, view);
    }

    /// The goal values of each role in hundredths, ascending, in a state with the full view `view`.
    /// By default only the largest value is known.
    fn goals(&self, state: &Self::State, view: &View) -> PerRole<Vec<i64>> {
        let _ = state;
        let value = |(role, payoff): (Role, &f32)| {
            let scored = view.scored.contains(role);
            scored.then(|| (payoff * 100.0).round() as i64).into_iter().collect()
        };
        view.payoffs.entries().map(value).collect::<Vec<_>>().into()
    }

    /// Makes one move for each role; the caller guarantees that they are legal.
    fn play(&self, state: &mut Self::State, joint: &[Move]);

    /// As `look`, for several states; `views` is cleared first. Games that are faster in batches
    /// override it.
    fn look_many(&self, states: &[&Self::State], views: &mut Views) {
        views.clear(self.roles().len());
        for state in states {
            views.push_with(|view| self.look(state, view));
        }
    }

    /// The same game in which a role that can win at once has no other legal moves, if it is known how to find
    /// such decisive moves quickly (Teytaud and Teytaud 2010). States and moves are the same.
    fn decisive(&self) -> Option<&Arc<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// Announces that many states will be evaluated and advanced at once, without playouts. Reasoners that
    /// compile the rules for that may do so now.
    fn expect_batches(&self) {}

    /// As `play`, for several states; `joints` holds one joint move after the other.
    fn play_many(&self, states: &mut [Self::State], joints: &[Move]) {
        for (state, joint) in states.iter_mut().zip(joints.chunks_exact(self.roles().len())) {
            self.play(state, joint);
        }
    }

    /// The move as text.
    fn move_name(&self, role: Role, m: Move) -> String;

    /// The state as text: its facts, sorted.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// Numbers and names of facts and moves, if the game has numbers for its facts.
    fn vocabulary(&self) -> Option<&dyn Vocabulary<Self::State>> {
        None
    }

    /// The ground rules, if the game has them.
    fn structure(&self) -> Option<Arc<dyn Structure>> {
        None
    }

    /// Bounds on the payoffs of a role in terminal states, as far as the rules imply them.
    fn payoff_range(&self, role: Role) -> (f32, f32) {
        let _ = role;
        (0.0, 1.0)
    }

    /// The move with this text, if the game has it.
    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let (_, _) = (role, text);
        None
    }

    /// The state with these facts, if the game has it.
    fn parse_state(&self, facts: &[String]) -> Option<Self::State> {
        let _ = facts;
        None
    }

    /// The key under which policies store statistics about a move in a state.
    fn code(&self, state: &Self::State, role: Role, m: Move) -> u32 {
        let (_, _) = (state, role);
        m.0
    }

    /// Appends the keys of several moves of a role, in the same order. Games whose keys share work
    /// override it.
    fn codes(&self, state: &Self::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.code(state, role, m)));
    }

    /// The size of a state in bytes, including its heap memory.
    fn state_bytes(&self, state: &Self::State) -> usize {
        size_of_val(state)
    }

    /// The fastest simulator of the game.
    fn simulator(self: Arc<Self>) -> Box<dyn Simulator<Self>>
    where
        Self: Sized,
    {
        Box::new(ScalarSimulator::new(self))
    }
}
