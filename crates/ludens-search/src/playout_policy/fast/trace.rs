//! The states of a simulation in which a role decided, for a policy that learns from facts.

use ludens_core::{Move, Role};

use crate::episode::Episode;

/// The states of a simulation in which a role decided, and the decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// The facts of all states one after the other, sorted within each state.
    facts: Vec<u32>,
    states: Vec<State>,
    decisions: Vec<(Role, Move)>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// The number of moves that the playout had made.
    made: usize,
    /// The ends of its facts and of its decisions.
    facts_end: usize,
    decisions_end: usize,
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.states.clear();
        self.decisions.clear();
    }

    /// Adds a state whose facts `append_facts` appends; decisions follow.
    pub(super) fn open(&mut self, made: usize, append_facts: impl FnOnce(&mut Vec<u32>)) {
        let first = self.facts.len();
        append_facts(&mut self.facts);
        if !self.facts[first..].is_sorted() {
            self.facts[first..].sort_unstable();
        }
        let (facts_end, decisions_end) = (self.facts.len(), self.decisions.len());
        self.states.push(State { made, facts_end, decisions_end });
    }

    /// Adds a decision in the state that was added last.
    pub(super) fn decide(&mut self, role: Role, mv: Move) {
        self.decisions.push((role, mv));
        self.states.last_mut().expect("a state is open").decisions_end = self.decisions.len();
    }

    /// Adds the states of another trace.
    pub(super) fn append(&mut self, other: &Trace) {
        let (facts, decisions) = (self.facts.len(), self.decisions.len());
        let moved = |state: &State| State {
            made: state.made,
            facts_end: state.facts_end + facts,
            decisions_end: state.decisions_end + decisions,
        };
        self.states.extend(other.states.iter().map(moved));
        self.facts.extend_from_slice(&other.facts);
        self.decisions.extend_from_slice(&other.decisions);
    }

    pub(super) fn facts(&self, i: usize) -> &[u32] {
        let start = i.checked_sub(1).map_or(0, |before| self.states[before].facts_end);
        &self.facts[start..self.states[i].facts_end]
    }

    pub(super) fn decisions(&self, i: usize) -> &[(Role, Move)] {
        let start = i.checked_sub(1).map_or(0, |before| self.states[before].decisions_end);
        &self.decisions[start..self.states[i].decisions_end]
    }

    /// Adds the states of the tree in which a role decided.
    pub(super) fn append_path(&mut self, episode: &Episode<'_>) {
        let tree = episode.tree;
        for (node, chosen) in episode.path.steps() {
            let decides = |role: &Role| tree.range(node, *role).len() > 1;
            if !Role::all(tree.n_roles()).any(|role| decides(&role)) {
                continue;
            }
            self.open(0, |facts| (episode.facts)(node, facts));
            for (role, edge) in tree.each_chosen(node, chosen).filter(|(role, _)| decides(role)) {
                self.decide(role, tree.mv(edge));
            }
        }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether the last state was reached after `made` moves of the playout.
    pub(super) fn is_at(&self, made: usize) -> bool {
        self.states.last().is_some_and(|state| state.made == made)
    }
}

/// Visits the facts that are in only one of two sorted lists: those that vanish with −1, those that appear
/// with 1.
pub(super) fn each_change(before: &[u32], after: &[u32], mut visit: impl FnMut(u32, f32)) {
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (Some(a), Some(b)) if a == b => (_, _) = (old.next(), new.next()),
            (Some(&&a), b) if b.is_none_or(|&&b| a < b) => {
                visit(a, -1.0);
                old.next();
            }
            (_, Some(&&b)) => {
                visit(b, 1.0);
                new.next();
            }
            _ => return,
        }
    }
}
