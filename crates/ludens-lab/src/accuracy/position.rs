//! A position with the exact values of its moves.

use std::collections::HashMap;

use ludens_core::{Game, Move, Role, View, Views};
use ludens_search::Outcomes;
use serde::{Deserialize, Serialize};

/// A position with the exact values of its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedPosition {
    /// The joint moves from the initial state.
    pub moves: Vec<Vec<String>>,
    /// The role that decides.
    pub role: String,
    /// Its moves.
    pub values: Vec<MoveValue>,
    /// Whether looking at the own move and the reply is not enough: no best move ends the game at once, and
    /// not every worse move ends it, or allows a reply that ends it, with the worse value.
    pub quiet: bool,
    /// The number of joint moves that show the right move, in tactical positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

/// A move and its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The payoff of the deciding role under perfect play.
    pub value: f32,
}

impl SolvedPosition {
    /// The value of the position for the role that decides.
    pub fn value(&self) -> f32 {
        self.values.iter().map(|choice| choice.value).fold(f32::NEG_INFINITY, f32::max)
    }

    /// Whether a move keeps the value.
    pub fn keeps_value(&self, mv: &str) -> bool {
        self.values.iter().any(|choice| choice.mv == mv && choice.value >= self.value())
    }
}

/// Whether some moves are better than others.
pub(super) fn can_be_wrong(outcomes: &Outcomes) -> bool {
    let role = outcomes.decider;
    let best = outcomes.best()[role];
    outcomes.moves.iter().any(|(_, payoffs)| payoffs[role] < best)
}

/// What a position is, with the joint moves before it.
pub(super) fn solved<G: Game>(
    game: &G,
    (state, before): (&G::State, &[Vec<Move>]),
    outcomes: &Outcomes,
) -> SolvedPosition {
    let role = outcomes.decider;
    let name = |role, mv| game.move_name(role, mv);
    let joint = |joint: &Vec<Move>| {
        Role::all(joint.len()).zip(joint).map(|(role, &mv)| name(role, mv)).collect()
    };
    let value = |(mv, payoffs): &(Move, ludens_core::Payoffs)| MoveValue {
        mv: name(role, *mv),
        value: payoffs[role],
    };
    SolvedPosition {
        moves: before.iter().map(joint).collect(),
        role: game.roles()[role.index()].clone(),
        values: outcomes.moves.iter().map(value).collect(),
        quiet: is_quiet(game, state, outcomes),
        plies: None,
    }
}

/// See [`SolvedPosition::quiet`].
fn is_quiet<G: Game>(game: &G, state: &G::State, outcomes: &Outcomes) -> bool {
    let (role, best) = (outcomes.decider, outcomes.best());
    let mut view = View::default();
    game.look(state, &mut view);
    let after = successors(game, state, &view, role);
    let mut all_worse_shown = true;
    for (mv, payoffs) in &outcomes.moves {
        game.look(&after[mv], &mut view);
        let is_best = payoffs[role] >= best[role];
        if is_best && view.is_over() {
            return false;
        }
        let is_shown =
            || view.is_over() || has_reply(game, &after[mv], &view, (role, payoffs[role]));
        all_worse_shown &= is_best || is_shown();
    }
    !all_worse_shown
}

/// Whether a move in a state ends the game at once with this payoff of the role, or less.
fn has_reply<G: Game>(
    game: &G,
    state: &G::State,
    view: &View,
    (role, payoff): (Role, f32),
) -> bool {
    let mut deciders = Role::all(view.legal.n_roles()).filter(|&role| view.legal[role].len() > 1);
    let replies = successors(game, state, view, deciders.next().unwrap_or(Role(0)));
    let mut views = Views::default();
    game.look_many(&replies.values().collect::<Vec<_>>(), &mut views);
    (0..views.len()).any(|i| views.is_terminal(i) && views.payoffs(i)[role.index()] <= payoff)
}

/// The states after each move of a role, where the others have one move.
pub(super) fn successors<G: Game>(
    game: &G,
    state: &G::State,
    view: &View,
    role: Role,
) -> HashMap<Move, G::State> {
    let after = |&mv: &Move| {
        let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        joint[role.index()] = mv;
        let mut next = state.clone();
        game.play(&mut next, &joint);
        (mv, next)
    };
    view.legal[role].iter().map(after).collect()
}
