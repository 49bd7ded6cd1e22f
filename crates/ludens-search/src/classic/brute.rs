//! Exhaustive search, too simple to be wrong: no transposition table, no pruning, no move ordering.

use std::cmp::Ordering;

use ludens_core::{Game, Move, Payoffs, Role, View};

use super::matrix::{Joints, Matrix};
use super::root::{has_ended, lone_decider};

/// All joint moves of a state, in the order of `Joints`, with the values of their successors.
fn outcomes<G: Game, T>(
    game: &G,
    state: &G::State,
    view: &View,
    mut value: impl FnMut(&G::State) -> T,
) -> Vec<(Vec<Move>, T)> {
    let joints = Joints::of(view);
    let outcome = |number| {
        let mut picks = Vec::new();
        joints.picks(&view.legal, number, &mut picks);
        let moves = view.legal.iter().zip(&picks);
        let joint: Vec<Move> = moves.map(|(legal, &pick)| legal[pick as usize]).collect();
        let mut next = state.clone();
        game.play(&mut next, &joint);
        (joint, value(&next))
    };
    (0..joints.count).map(outcome).collect()
}

/// The max-n value of a state: a role maximises its own payoff and breaks ties by minimising the
/// payoffs of the others, in the order of the roles.
pub fn value<G: Game>(game: &G, state: &G::State) -> Payoffs {
    let mut view = View::default();
    game.look(state, &mut view);
    if has_ended(&view) {
        return view.payoffs;
    }
    let outcomes = outcomes(game, state, &view, |next| value(game, next));
    if let Some(role) = lone_decider(&view) {
        let all = outcomes.into_iter().map(|(_, payoffs)| payoffs);
        return all.max_by(|a, b| compare(role, a, b)).unwrap();
    }
    let flat: Vec<f32> = outcomes.iter().flat_map(|(_, payoffs)| payoffs.iter().copied()).collect();
    let mut payoffs = view.payoffs.clone();
    Matrix::default().solve(&view.legal, Joints::of(&view), &flat, &mut payoffs);
    payoffs
}

fn compare(role: Role, a: &Payoffs, b: &Payoffs) -> Ordering {
    let key = |payoffs: &Payoffs| {
        let others = payoffs.entries().filter(|(other, _)| *other != role);
        let mut key = vec![payoffs[role]];
        key.extend(others.map(|(_, payoff)| -payoff));
        key
    };
    key(a).partial_cmp(&key(b)).unwrap()
}

/// The same with the distance to the end, for games in which one role decides at a time: a role
/// that gets at least one half prefers the shortest line, any other role the longest.
pub fn value_and_distance<G: Game>(game: &G, state: &G::State) -> (Payoffs, u32) {
    let mut view = View::default();
    game.look(state, &mut view);
    if has_ended(&view) {
        return (view.payoffs, 0);
    }
    let role = lone_decider(&view).expect("one role decides");
    let outcomes = outcomes(game, state, &view, |next| value_and_distance(game, next));
    let best = outcomes.into_iter().map(|(_, outcome)| outcome).max_by(|a, b| {
        let by_distance = if a.0[role] >= 0.5 { b.1.cmp(&a.1) } else { a.1.cmp(&b.1) };
        compare(role, &a.0, &b.0).then(by_distance)
    });
    let (payoffs, distance) = best.unwrap();
    (payoffs, distance + 1)
}

/// The minimax value of a state for the first of two roles.
pub fn minimax<G: Game>(game: &G, state: &G::State) -> f32 {
    minimax_to(game, state, u32::MAX, &mut |_| unreachable!("the depth is not limited"))
}

/// The same with a depth limit, where the first role's payoff is estimated.
pub fn minimax_to<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    estimate: &mut dyn FnMut(&G::State) -> f32,
) -> f32 {
    let mut view = View::default();
    game.look(state, &mut view);
    if has_ended(&view) {
        return view.payoffs[Role(0)];
    }
    if depth == 0 {
        return estimate(state);
    }
    let outcomes = outcomes(game, state, &view, |next| minimax_to(game, next, depth - 1, estimate));
    let values = outcomes.into_iter().map(|(_, value)| value);
    match lone_decider(&view) {
        Some(Role(0)) => values.fold(f32::NEG_INFINITY, f32::max),
        _ => values.fold(f32::INFINITY, f32::min),
    }
}

/// The number of nodes in the game tree below a state, the root included.
pub fn count<G: Game>(game: &G, state: &G::State) -> u64 {
    let mut view = View::default();
    game.look(state, &mut view);
    if has_ended(&view) {
        return 1;
    }
    let below = outcomes(game, state, &view, |next| count(game, next));
    1 + below.into_iter().map(|(_, count)| count).sum::<u64>()
}
