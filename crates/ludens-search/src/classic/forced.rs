//! Whether a result is forced within a number of joint moves: AND/OR search with a table.
//!
//! Exact outcomes say what a position is worth, not how soon that shows. A tactical position is one
//! where it shows soon: a few moves of looking ahead are enough to find the right one.

use std::collections::HashMap;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Role, View};

use super::fingerprint::Fingerprint;
use super::meter::{Meter, OutOfBudget};

/// A result of a role that is to be forced.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Forced {
    /// The role forces at least this payoff.
    AtLeast(f32),
    /// The others force at most this payoff of the role.
    AtMost(f32),
}

/// Searches for forced results of a role, in games in which one role decides at a time.
pub struct ForcedSearch<G: Game> {
    game: Arc<G>,
    role: Role,
    /// For each question whether the answer is yes within a number of moves.
    known: HashMap<(Fingerprint, bool, u32, u32), bool>,
}

/// The decider of a position and the positions after its moves.
struct Branches<S> {
    decider: Option<Role>,
    states: Vec<S>,
}

impl<G: Game> ForcedSearch<G> {
    /// A search for one role.
    pub fn new(game: Arc<G>, role: Role) -> Self {
        ForcedSearch { game, role, known: HashMap::new() }
    }

    /// The smallest number of joint moves, up to `max_plies`, within which a result is forced from a state; `None` if
    /// it is not, or if several roles decide at once somewhere. A unit of the budget is a state.
    pub fn plies(
        &mut self,
        state: &G::State,
        forced: Forced,
        max_plies: u32,
        budget: &Budget,
    ) -> Result<Option<u32>, OutOfStates> {
        let mut meter = Meter::new(budget);
        for plies in 0..=max_plies {
            if self.holds(state, forced, plies, &mut meter).map_err(|OutOfBudget| OutOfStates)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    fn holds(
        &mut self,
        state: &G::State,
        forced: Forced,
        plies: u32,
        meter: &mut Meter<'_>,
    ) -> Result<bool, OutOfBudget> {
        let (by_role, bound) = match forced {
            Forced::AtLeast(payoff) => (true, payoff),
            Forced::AtMost(payoff) => (false, payoff),
        };
        let key = (Fingerprint::of(state), by_role, bound.to_bits(), plies);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        meter.tick()?;
        let mut view = View::default();
        self.game.look(state, &mut view);
        let answer = if view.is_over() {
            let payoff = view.payoffs[self.role];
            view.terminal && if by_role { payoff >= bound } else { payoff <= bound }
        } else if plies == 0 {
            false
        } else {
            match self.branches(state, &view) {
                None => false,
                Some(Branches { decider, states }) => {
                    let is_forcing = decider.is_some_and(|role| (role == self.role) == by_role);
                    self.branch_holds(&states, is_forcing, (forced, plies - 1), meter)?
                }
            }
        };
        self.known.insert(key, answer);
        Ok(answer)
    }

    /// Whether the result is forced after one branch, if the forcing side decides, or after each.
    fn branch_holds(
        &mut self,
        states: &[G::State],
        is_forcing: bool,
        (forced, plies): (Forced, u32),
        meter: &mut Meter<'_>,
    ) -> Result<bool, OutOfBudget> {
        for next in states {
            if self.holds(next, forced, plies, meter)? == is_forcing {
                return Ok(is_forcing);
            }
        }
        Ok(!is_forcing)
    }

    /// `None` if several roles decide.
    fn branches(&self, state: &G::State, view: &View) -> Option<Branches<G::State>> {
        let mut deciders =
            Role::all(view.legal.n_roles()).filter(|&role| view.legal[role].len() > 1);
        let (decider, second) = (deciders.next(), deciders.next());
        if second.is_some() {
            return None;
        }
        let first: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        let after = |role: Role, mv: Move| {
            let (mut joint, mut next) = (first.clone(), state.clone());
            joint[role.index()] = mv;
            self.game.play(&mut next, &joint);
            next
        };
        let role = decider.unwrap_or(Role(0));
        let states = view.legal[role].iter().map(|&mv| after(role, mv)).collect();
        Some(Branches { decider, states })
    }
}

/// The budget of states was spent before there was an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfStates;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testgames::Nim;

    /// With heaps of 1 to 3 the winner takes all at once; with 4 the mover loses, whatever it takes.
    #[test]
    fn forced_results_of_nim_have_known_distances() {
        let unlimited = Budget::unlimited();
        let mut search = ForcedSearch::new(Arc::new(Nim(9)), Role(0));
        let mut plies =
            |heap, mover, forced| search.plies(&(heap, mover), forced, 9, &unlimited).unwrap();
        for (heap, expected) in [(1, Some(1)), (3, Some(1)), (4, None), (5, Some(3)), (7, Some(3))]
        {
            assert_eq!(plies(heap, 0, Forced::AtLeast(1.0)), expected, "{heap}");
        }
        assert_eq!(plies(4, 0, Forced::AtMost(0.0)), Some(2));
        assert_eq!(plies(8, 0, Forced::AtMost(0.0)), Some(4));
        assert_eq!(plies(4, 1, Forced::AtLeast(1.0)), Some(2));
        assert_eq!(plies(0, 1, Forced::AtLeast(1.0)), Some(0), "it has taken the last one");
    }

    #[test]
    fn a_distance_beyond_the_limit_and_a_spent_budget_are_told_apart() {
        let mut search = ForcedSearch::new(Arc::new(Nim(9)), Role(0));
        let state = (9, 0);
        let mut plies =
            |limit, budget: Budget| search.plies(&state, Forced::AtLeast(1.0), limit, &budget);
        assert_eq!(plies(4, Budget::unlimited()), Ok(None));
        assert_eq!(plies(5, Budget::unlimited().with_iterations(1)), Err(OutOfStates));
        assert_eq!(plies(5, Budget::unlimited()), Ok(Some(5)));
    }

    #[test]
    fn branches_are_those_of_the_decider() {
        let (search, mut view) = (ForcedSearch::new(Arc::new(Nim(2)), Role(1)), View::default());
        Nim(2).look(&(2, 0), &mut view);
        let after = search.branches(&(2, 0), &view).unwrap();
        assert_eq!((after.decider, after.states), (Some(Role(0)), vec![(1, 1), (0, 1)]));
    }
}
