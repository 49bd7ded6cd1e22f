//! The clauses of the contract, one function each. A clause returns a description of the violation;
//! the caller adds its position.

use std::collections::HashSet;

use ludens_core::{Game, Move, Role, View};

use super::Checker;

impl<G: Game> Checker<'_, G> {
    /// The clauses that playouts rely on.
    pub(super) fn check_basics(&mut self, view: &View) -> Result<(), String> {
        if view.terminal { self.payoffs_are_defined(view) } else { self.every_role_can_move(view) }
    }

    /// All clauses about a state and its view.
    pub(super) fn check_state(&mut self, state: &G::State, view: &View) -> Result<(), String> {
        self.look_is_repeatable(state, view)?;
        self.look_all_agrees(state, view)?;
        self.move_names_round_trip(view)?;
        self.facts_round_trip(state, view)?;
        self.equal_states_have_equal_facts(state)?;
        self.vocabulary_has_facts_and_moves(state, view)
    }

    fn every_role_can_move(&mut self, view: &View) -> Result<(), String> {
        for (role, legal) in view.legal.entries() {
            let different: HashSet<Move> = legal.iter().copied().collect();
            if legal.is_empty() {
                return Err(format!("{} has no legal move", self.role_name(role)));
            }
            if different.len() < legal.len() {
                return Err(format!("{} has a legal move twice", self.role_name(role)));
            }
            self.report.branching = self.report.branching.max(legal.len());
        }
        Ok(())
    }

    fn payoffs_are_defined(&self, view: &View) -> Result<(), String> {
        for (role, payoff) in view.payoffs.entries() {
            let name = self.role_name(role);
            if !view.scored.contains(role) {
                return Err(format!("the game is over and {name} has no payoff"));
            }
            if view.contested.contains(role) {
                return Err(format!("the game is over and {name} has several payoffs"));
            }
            if !(0.0..=1.0).contains(payoff) {
                return Err(format!("the payoff {payoff} of {name} is not from 0 to 1"));
            }
        }
        Ok(())
    }

    /// Evaluates another state and then this one again, in used buffers.
    fn look_is_repeatable(&self, state: &G::State, view: &View) -> Result<(), String> {
        let mut buffer = View::default();
        if let Some((before, seen)) = &self.before {
            self.game.look(before, &mut buffer);
            if &buffer != seen {
                return Err(format!(
                    "a state looked like {seen:?} before, and now like {buffer:?}"
                ));
            }
        }
        self.game.look(state, &mut buffer);
        if &buffer != view {
            return Err(format!("looking twice gives {view:?} and {buffer:?}"));
        }
        Ok(())
    }

    fn look_all_agrees(&self, state: &G::State, view: &View) -> Result<(), String> {
        let mut all = View::default();
        self.game.look_all(state, &mut all);
        let same = if view.terminal {
            (&all.payoffs, all.scored) == (&view.payoffs, view.scored)
        } else {
            all.legal == view.legal
        };
        if all.terminal != view.terminal || !same {
            return Err(format!("`look` says {view:?}, `look_all` says {all:?}"));
        }
        Ok(())
    }

    fn move_names_round_trip(&self, view: &View) -> Result<(), String> {
        for (role, legal) in view.legal.entries() {
            let mut names = HashSet::new();
            for &m in legal {
                let name = self.game.move_name(role, m);
                let parsed = self.game.parse_move(role, &name);
                if parsed != Some(m) {
                    return Err(format!("{m:?} is called `{name}`, which is read as {parsed:?}"));
                }
                if let Some(twice) = names.replace(name) {
                    return Err(format!("two legal moves are called `{twice}`"));
                }
            }
        }
        Ok(())
    }

    fn facts_round_trip(&self, state: &G::State, view: &View) -> Result<(), String> {
        let facts = self.game.facts(state);
        if !facts.is_sorted_by(|a, b| a < b) {
            return Err("the facts are not sorted, or not all different".into());
        }
        let Some(parsed) = self.game.parse_state(&facts) else {
            return Err("the facts of the state are not read as a state".into());
        };
        if &parsed != state {
            return Err("the facts of the state are read as another state".into());
        }
        let mut buffer = View::default();
        self.game.look(&parsed, &mut buffer);
        if &buffer != view {
            return Err(format!("the state looks like {view:?}, read from facts {buffer:?}"));
        }
        Ok(())
    }

    fn equal_states_have_equal_facts(&mut self, state: &G::State) -> Result<(), String> {
        let facts = self.game.facts(state);
        let known = self.facts_of.entry(state.clone()).or_insert_with(|| facts.clone());
        if *known != facts {
            return Err(format!("an equal state had other facts: {}", known.join(" ")));
        }
        let known = self.state_of.entry(facts).or_insert_with(|| state.clone());
        if known != state {
            return Err("another state had the same facts".into());
        }
        Ok(())
    }

    fn vocabulary_has_facts_and_moves(&self, state: &G::State, view: &View) -> Result<(), String> {
        let Some(vocabulary) = self.game.vocabulary() else { return Ok(()) };
        let mut ids = Vec::new();
        vocabulary.fact_ids(state, &mut ids);
        let n_facts = vocabulary.n_facts().unwrap_or(usize::MAX);
        if !ids.is_sorted_by(|a, b| a < b) || ids.iter().any(|&id| id as usize >= n_facts) {
            return Err(format!(
                "the numbers of facts are not increasing below {n_facts}: {ids:?}"
            ));
        }
        let mut names: Vec<String> = ids.into_iter().map(|id| vocabulary.fact_name(id)).collect();
        names.sort_unstable();
        if names != self.game.facts(state) {
            return Err(format!("the vocabulary has other facts: {}", names.join(" ")));
        }
        for (role, legal) in view.legal.entries() {
            let Some(known) = vocabulary.moves(role) else { continue };
            if let Some(m) = legal.iter().find(|m| known.binary_search(m).is_err()) {
                let (role_name, name) = (self.role_name(role), self.game.move_name(role, *m));
                return Err(format!("the vocabulary of {role_name} has no move `{name}`"));
            }
        }
        Ok(())
    }

    /// Moves made on a clone leave the original unchanged, and lead to the same state again.
    pub(super) fn check_play(
        &self,
        state: &G::State,
        view: &View,
        joint: &[Move],
        next: &G::State,
    ) -> Result<(), String> {
        let mut again = state.clone();
        self.game.play(&mut again, joint);
        if &again != next {
            return Err("the same joint move leads to two states".into());
        }
        let mut buffer = View::default();
        self.game.look(state, &mut buffer);
        if &buffer != view || self.facts_of.get(state).is_none_or(|f| *f != self.game.facts(state))
        {
            return Err("a move made on a clone changed the original".into());
        }
        Ok(())
    }

    fn role_name(&self, role: Role) -> &str {
        &self.game.roles()[role.index()]
    }
}
