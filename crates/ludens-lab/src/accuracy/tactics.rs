//! Tactical positions: the right move shows within a few joint moves.

use std::sync::Arc;

use ludens_core::{Budget, Game, View};
use ludens_search::{Forced, ForcedSearch, Outcomes};

use super::position::successors;

/// The states that may be searched to find how soon a result shows.
const BUDGET: u64 = 200_000;

/// The number of joint moves, up to a maximum, that show the right move of a solved position: until a forced win, or until
/// the last refutation of the other moves if a single one keeps the value. `None` if it takes more.
pub(super) fn plies<G: Game>(
    game: &Arc<G>,
    state: &G::State,
    outcomes: &Outcomes,
    max_plies: u32,
) -> Option<u32> {
    let (role, budget) = (outcomes.decider, Budget::unlimited().with_iterations(BUDGET));
    let mut search = ForcedSearch::new(Arc::clone(game), role);
    let best = outcomes.best()[role];
    if best >= game.payoff_range(role).1 {
        return search.plies(state, Forced::AtLeast(best), max_plies, &budget).ok().flatten();
    }
    let worse: Vec<_> = outcomes.moves.iter().filter(|(_, payoffs)| payoffs[role] < best).collect();
    if worse.len() + 1 != outcomes.moves.len() {
        return None;
    }
    let mut view = View::default();
    game.look(state, &mut view);
    let after = successors(&**game, state, &view, role);
    let mut last = 0;
    for (mv, payoffs) in worse {
        let refuted = Forced::AtMost(payoffs[role]);
        let plies =
            search.plies(&after[mv], refuted, max_plies.saturating_sub(1), &budget).ok()??;
        last = last.max(plies + 1);
    }
    Some(last)
}
