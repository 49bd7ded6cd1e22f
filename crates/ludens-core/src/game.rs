//! What a game is: rules that answer questions about plain states.

use std::hash::Hash;
use std::sync::Arc;

use crate::role::{Move, Payoffs, PerRole, Role, RoleSet};
use crate::simulate::{ScalarSimulator, Simulator};
use crate::vocabulary::Vocabulary;

/// What there is to see in a state. A buffer, filled again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct View {
    /// Whether the game is over.
    pub terminal: bool,
    /// What the state is worth to each role; 0 where the rules say nothing.
    pub payoffs: Payoffs,
    /// Roles for which the rules give a payoff in this state.
    pub scored: RoleSet,
    /// Roles for which the rules give several payoffs at once; the largest is in `payoffs`.
    pub contested: RoleSet,
    /// Legal moves of each role, in an order that depends on the state alone.
    pub legal: PerRole<Vec<Move>>,
}

impl View {
    /// Empties the view for a game of `n_roles`, keeping its memory.
    pub fn clear(&mut self, n_roles: usize) {
        self.terminal = false;
        self.payoffs.resize(n_roles, 0.0);
        self.payoffs.iter_mut().for_each(|payoff| *payoff = 0.0);
        self.scored = RoleSet::default();
        self.contested = RoleSet::default();
        self.legal.resize(n_roles, Vec::new());
        self.legal.iter_mut().for_each(Vec::clear);
    }

    /// Notes a payoff of a role.
    pub fn pay(&mut self, role: Role, payoff: f32) {
        if self.scored.contains(role) && self.payoffs[role].to_bits() != payoff.to_bits() {
            self.contested.insert(role);
            self.payoffs[role] = self.payoffs[role].max(payoff);
        } else {
            self.payoffs[role] = payoff;
        }
        self.scored.insert(role);
    }
}

/// What there is to see in several states. A buffer, filled again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Views {
    n_roles: usize,
    terminal: Vec<bool>,
    payoffs: Vec<f32>,
    legal: Vec<Move>,
    /// Where the legal moves of each role end, state after state.
    ends: Vec<u32>,
}

impl Views {
    /// Empties the buffer for a game of `n_roles`, keeping its memory.
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

    /// Adds what there is to see in a state.
    pub fn push(&mut self, view: &View) {
        self.begin(view.terminal, view.payoffs.as_slice());
        for legal in &view.legal {
            self.add_legal(legal.iter().copied());
        }
    }

    /// Adds a state; the legal moves of all roles follow.
    pub fn begin(&mut self, terminal: bool, payoffs: &[f32]) {
        self.terminal.push(terminal);
        self.payoffs.extend_from_slice(payoffs);
    }

    /// Adds the legal moves of the next role of the state that was added last.
    pub fn add_legal(&mut self, legal: impl Iterator<Item = Move>) {
        self.legal.extend(legal);
        self.ends.push(self.legal.len() as u32);
    }

    /// Whether the game is over in a state.
    pub fn is_terminal(&self, i: usize) -> bool {
        self.terminal[i]
    }

    /// What a terminal state is worth to each role.
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
    /// A position: compact, inert, equal exactly if the future is equal.
    type State: Clone + Eq + Hash + Send + Sync + 'static;

    /// The roles in the order of the rules.
    fn roles(&self) -> &[String];

    /// Where the game begins.
    fn initial(&self) -> Self::State;

    /// Answers what play needs to know about a state: whether it is terminal, then the payoffs if
    /// it is and the legal moves if it is not.
    fn look(&self, state: &Self::State, view: &mut View);

    /// Answers all three questions, payoffs and legal moves in every state.
    fn look_all(&self, state: &Self::State, view: &mut View) {
        self.look(state, view);
    }

    /// The goal values, in hundredths and in ascending order, that the rules give each role in a
    /// state of which `view` is the full view. A game that keeps only the largest says just that.
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

    /// The same as `look` for several states; `views` is emptied first. Games that are faster with
    /// many states at once say so here.
    fn look_many(&self, states: &[&Self::State], views: &mut Views) {
        views.clear(self.roles().len());
        let mut view = View::default();
        for state in states {
            self.look(state, &mut view);
            views.push(&view);
        }
    }

    /// The same as `play` for several states, each with a joint move of its own; these stand one
    /// after the other.
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

    /// The least and the most that a finished game can be worth to a role, as far as the rules tell.
    fn payoff_range(&self, role: Role) -> (f32, f32) {
        let _ = role;
        (0.0, 1.0)
    }

    /// The move that a text means, if the game knows one.
    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let (_, _) = (role, text);
        None
    }

    /// The state that a list of facts means, if the game can have one.
    fn parse_state(&self, facts: &[String]) -> Option<Self::State> {
        let _ = facts;
        None
    }

    /// The key under which policies keep what they learn about a move in a state.
    fn code(&self, state: &Self::State, role: Role, m: Move) -> u32 {
        let (_, _) = (state, role);
        m.0
    }

    /// Appends the keys of several moves of a role, in the same order; games whose keys share work
    /// do it here.
    fn codes(&self, state: &Self::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.code(state, role, m)));
    }

    /// How many bytes a state takes, what it points to included.
    fn state_bytes(&self, state: &Self::State) -> usize {
        size_of_val(state)
    }

    /// The fastest way this game knows to run playouts.
    fn simulator(self: Arc<Self>) -> Box<dyn Simulator<Self>>
    where
        Self: Sized,
    {
        Box::new(ScalarSimulator::new(self))
    }
}
