//! The game as a reasoner: facts and moves as text.

use ludens_core::{Answer, Reasoner, Trouble};

use super::{LogicGame, State};
use crate::machine::Machine;
use crate::store::Value;

impl LogicGame {
    fn parse_terms(machine: &mut Machine, texts: &[String]) -> Result<Vec<Value>, Trouble> {
        let parse = |text: &String| machine.parse(text).ok_or_else(|| Trouble::Fact(text.clone()));
        texts.iter().map(parse).collect()
    }

    pub(super) fn read_state(&self, facts: &[String]) -> Result<State, Trouble> {
        let mut terms = self.with_machine(|machine| Ok(Self::parse_terms(machine, facts)))??;
        terms.sort_unstable();
        terms.dedup();
        Ok(State(terms.into()))
    }

    pub(super) fn write_facts(&self, state: &State) -> Vec<String> {
        let write = |machine: &mut Machine| {
            machine.sync_terms(&state.0, &[]);
            let mut facts: Vec<_> = state.0.iter().map(|&fact| machine.store.text(fact)).collect();
            facts.sort_unstable();
            Ok(facts)
        };
        self.with_machine(write).expect("writing text needs no budget")
    }
}

impl Reasoner for LogicGame {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        Ok(self.write_facts(&self.initial))
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        let state = self.read_state(facts)?;
        self.with_machine(|machine| {
            machine.set_state(&state.0);
            let terminal = self.is_terminal(machine)?;
            let goals = self.goal_values(machine)?;
            let legal = self.legal_terms(machine)?;
            let names = |terms: Vec<Value>| {
                let mut names: Vec<_> =
                    terms.into_iter().map(|term| machine.store.text(term)).collect();
                names.sort_unstable();
                names
            };
            let legal = legal.into_iter().map(names).collect();
            Ok(Answer { terminal, legal, goals })
        })
    }

    fn spelling(&self, text: &str) -> Option<String> {
        let spell =
            |machine: &mut Machine| Ok(machine.parse(text).map(|term| machine.store.text(term)));
        self.with_machine(spell).ok()?
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        let (expected, found) = (self.roles.len(), moves.len());
        if expected != found {
            return Err(Trouble::MoveCount { expected, found });
        }
        let state = self.read_state(facts)?;
        let facts = self.with_machine(|machine| {
            machine.set_state(&state.0);
            let mut does = Vec::new();
            for (role_idx, text) in moves.iter().enumerate() {
                match machine.parse(text) {
                    Some(term) => does.push((self.role_terms[role_idx], term)),
                    None => return Ok(Err(Trouble::Move { role_idx, text: text.clone() })),
                }
            }
            self.next_facts(machine, &does).map(Ok)
        })??;
        Ok(self.write_facts(&State(facts.into())))
    }
}
