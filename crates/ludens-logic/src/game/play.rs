//! The game for searches: numbered facts and moves.

use ludens_core::{Game, Move, Role, View, Vocabulary, give_up};

use super::{LogicGame, State};
use crate::store::Value;

/// Facts and moves are numbered as they appear.
impl Vocabulary<State> for LogicGame {
    fn n_facts(&self) -> Option<usize> {
        None
    }

    fn fact_ids(&self, state: &State, out: &mut Vec<u32>) {
        out.extend(state.0.iter().map(|fact| fact.0));
    }

    fn fact_name(&self, fact: u32) -> String {
        self.write_facts(&State([Value(fact)].into())).concat()
    }

    fn moves(&self, _role: Role) -> Option<&[Move]> {
        None
    }
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
        self.try_look(state, view).unwrap_or_else(|trouble| give_up(trouble));
    }

    fn look_all(&self, state: &State, view: &mut View) {
        self.try_look_all(state, view).unwrap_or_else(|trouble| give_up(trouble));
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        self.try_play(state, joint).unwrap_or_else(|trouble| give_up(trouble));
    }

    fn state_bytes(&self, state: &State) -> usize {
        size_of_val(state) + size_of_val(&*state.0) + 16
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        self.with_machine(|machine| {
            machine.sync_terms(&[], &[m]);
            let term = machine.store.move_term(m).expect("moves come from this game");
            Ok(machine.store.text(term))
        })
        .expect("writing text needs no budget")
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.write_facts(state)
    }

    fn vocabulary(&self) -> Option<&dyn Vocabulary<State>> {
        Some(self)
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        self.with_machine(|machine| Ok(machine.parse(text).map(|term| machine.move_of(term))))
            .ok()?
    }

    fn parse_state(&self, facts: &[String]) -> Option<State> {
        self.read_state(facts).ok()
    }
}
