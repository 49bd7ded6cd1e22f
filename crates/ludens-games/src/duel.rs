//! Two-player games with alternating moves.

use std::sync::Arc;

use ludens_core::{Game, Move, Role, Simulator, View, Vocabulary};

use crate::rules::{Outcome, Rules};
use crate::simulator::NativeSimulator;
use crate::text::{Words, role_idx};

/// A two-player game with alternating moves. The role not to move has the single move `noop`.
#[derive(Clone, Debug)]
pub struct Duel<R> {
    rules: R,
    roles: Vec<String>,
    /// The moves of each role.
    moves: [Vec<Move>; 2],
}

impl<R: Rules> Duel<R> {
    /// The game with these rules.
    pub fn new(rules: R) -> Self {
        let noop = Move(rules.n_moves());
        let moves = [Role(0), Role(1)].map(|role| {
            let own = (0..noop.0).map(Move).filter(|&m| rules.can_have(role, m));
            own.chain([noop]).collect()
        });
        Duel { rules, roles: R::ROLES.map(String::from).to_vec(), moves }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The move of the role not to move, with the largest number of all moves.
    pub fn noop(&self) -> Move {
        Move(self.rules.n_moves())
    }

    /// An upper bound of keys; that of `noop` is the largest.
    pub fn n_codes(&self) -> u32 {
        self.noop_code() + 1
    }

    fn noop_code(&self) -> u32 {
        self.rules.n_moves() * self.rules.n_features()
    }
}

/// The facts of the rules, then whose turn it is.
impl<R: Rules> Vocabulary<R::State> for Duel<R> {
    fn n_facts(&self) -> Option<usize> {
        Some(self.rules.n_facts() as usize + R::ROLES.len())
    }

    fn fact_ids(&self, state: &R::State, out: &mut Vec<u32>) {
        out.extend(self.rules.facts(state));
        out.push(self.rules.n_facts() + self.rules.mover(state) as u32);
    }

    fn fact_name(&self, fact: u32) -> String {
        match fact.checked_sub(self.rules.n_facts()) {
            Some(role_idx) => format!("(control {})", R::ROLES[role_idx as usize]),
            None => self.rules.fact_name(fact),
        }
    }

    fn moves(&self, role: Role) -> Option<&[Move]> {
        Some(&self.moves[role.index()])
    }
}

impl<R: Rules> Game for Duel<R> {
    type State = R::State;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> R::State {
        self.rules.initial()
    }

    fn look(&self, state: &R::State, view: &mut View) {
        view.clear(2);
        let mover = Role(self.rules.mover(state) as u8);
        if let Some(outcome) = self.rules.look(state, &mut view.legal[mover]) {
            view.terminal = true;
            view.legal[mover].clear();
            Role::all(2).zip(outcome.payoffs()).for_each(|(role, payoff)| view.pay(role, payoff));
        } else {
            view.legal[Role(1 - mover.0)].push(self.noop());
        }
    }

    fn look_all(&self, state: &R::State, view: &mut View) {
        view.clear(2);
        let mover = Role(self.rules.mover(state) as u8);
        let outcome = self.rules.look(state, &mut view.legal[mover]);
        view.legal[Role(1 - mover.0)].push(self.noop());
        view.terminal = outcome.is_some();
        let payoffs = outcome.map_or([R::UNDECIDED; 2], Outcome::payoffs);
        Role::all(2).zip(payoffs).for_each(|(role, payoff)| view.pay(role, payoff));
    }

    fn play(&self, state: &mut R::State, joint: &[Move]) {
        let m = joint[self.rules.mover(state)];
        debug_assert!(m < self.noop(), "the role to move moves");
        self.rules.make(state, m);
    }

    fn move_name(&self, role: Role, m: Move) -> String {
        if m == self.noop() { "noop".into() } else { self.rules.move_name(role, m) }
    }

    fn parse_move(&self, role: Role, text: &str) -> Option<Move> {
        let words = Words::parse(text)?;
        match words.after::<0>("noop") {
            Some([]) => Some(self.noop()),
            None => self.rules.parse_move(role, &words),
        }
    }

    fn facts(&self, state: &R::State) -> Vec<String> {
        let mut ids = Vec::new();
        self.fact_ids(state, &mut ids);
        let mut facts: Vec<String> = ids.into_iter().map(|fact| self.fact_name(fact)).collect();
        facts.sort_unstable();
        facts
    }

    fn vocabulary(&self) -> Option<&dyn Vocabulary<R::State>> {
        Some(self)
    }

    fn parse_state(&self, facts: &[String]) -> Option<R::State> {
        let mut rest = Vec::with_capacity(facts.len());
        let mut mover = None;
        for text in facts {
            let words = Words::parse(text)?;
            match words.after("control") {
                Some(_) if mover.is_some() => return None,
                Some([role]) => mover = Some(role_idx(R::ROLES, role)?),
                None => rest.push(words),
            }
        }
        self.rules.parse_state(&rest, mover?)
    }

    fn code(&self, state: &R::State, role: Role, m: Move) -> u32 {
        if m == self.noop() { self.noop_code() } else { self.rules.code(state, role, m) }
    }

    fn codes(&self, state: &R::State, role: Role, moves: &[Move], out: &mut Vec<u32>) {
        // Moves are in ascending order, and `noop` has the largest number.
        if moves.last() == Some(&self.noop()) {
            out.extend(moves.iter().map(|&m| self.code(state, role, m)));
        } else {
            self.rules.codes(state, role, moves, out);
        }
    }

    fn simulator(self: Arc<Self>) -> Box<dyn Simulator<Self>> {
        Box::new(NativeSimulator::new(self))
    }
}
