//! A game between agents inside another agent.

use ludens_core::{Budget, Game, Move, Payoffs, Role, View};

use crate::agent::Agent;
use crate::watch::Watch;

/// A game with more joint moves is abandoned.
const MAX_PLIES: usize = 2_000;

/// Who has which role in a game, and how long a move takes.
pub(super) struct Seating<'a> {
    /// The index of the agent of each role.
    pub seats: &'a [usize],
    /// The budget of the next move.
    pub move_budget: &'a dyn Fn() -> Budget,
    /// The budget of the game.
    pub budget: &'a Budget,
}

impl Seating<'_> {
    /// Plays a game from a state, whose agents know that it begins; returns its payoffs and the units of work
    /// spent, or `None` if it did not end.
    pub(super) fn play<G: Game>(
        &self,
        game: &G,
        start: &G::State,
        agents: &mut [&mut dyn Agent<G>],
    ) -> Option<(Payoffs, u64)> {
        let (mut state, mut view, mut spent) = (start.clone(), View::default(), 0);
        for _ in 0..MAX_PLIES {
            game.look(&state, &mut view);
            if view.terminal {
                return Some((view.payoffs, spent));
            }
            if self.budget.is_over() || view.legal.iter().any(Vec::is_empty) {
                return None;
            }
            let joint = self.decide(&state, &view, agents, &mut spent);
            game.play(&mut state, &joint);
            for agent in &mut *agents {
                agent.advance(&joint);
            }
        }
        None
    }

    /// The joint move of all roles. An agent that has several roles searches once.
    fn decide<G: Game>(
        &self,
        state: &G::State,
        view: &View,
        agents: &mut [&mut dyn Agent<G>],
        spent: &mut u64,
    ) -> Vec<Move> {
        let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        let budget = (self.move_budget)();
        for (nth, agent) in agents.iter_mut().enumerate() {
            let decides = |of: &Role| self.seats[of.index()] == nth && view.legal[*of].len() > 1;
            let mut own = Role::all(joint.len()).filter(decides).peekable();
            if own.peek().is_none() {
                continue;
            }
            let report = agent.think(state, &budget, &mut Watch::none());
            *spent += budget.iterations.unwrap_or(report.iterations);
            for of in own {
                joint[of.index()] = report.best(of).unwrap_or(joint[of.index()]);
            }
        }
        joint
    }
}
