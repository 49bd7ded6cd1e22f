//! Random first moves, so that deterministic agents do not repeat the same game.

use ludens_core::{Game, Move, Rng, View};

use super::stream;

/// How many lines of one length are tried before a shorter one is accepted.
const ATTEMPTS: u64 = 16;

/// Joint moves from the initial state to a state that is not terminal; `plies` of them, or fewer in
/// games that end sooner.
pub(super) fn draw<G: Game>(game: &G, plies: usize, seed: u64) -> Vec<Vec<Move>> {
    let lengths = (1..=plies).rev();
    let tries = lengths.flat_map(|length| (0..ATTEMPTS).map(move |attempt| (length, attempt)));
    tries
        .map(|(length, attempt)| (length, [stream::OPENING, length as u64, attempt]))
        .find_map(|(length, path)| line(game, length, &mut Rng::stream(seed, &path)))
        .unwrap_or_default()
}

/// A random line of play, unless it reaches the end of the game.
fn line<G: Game>(game: &G, length: usize, rng: &mut Rng) -> Option<Vec<Vec<Move>>> {
    let (mut state, mut view, mut moves) = (game.initial(), View::default(), Vec::new());
    loop {
        game.look(&state, &mut view);
        if view.is_over() {
            return None;
        }
        if moves.len() == length {
            return Some(moves);
        }
        let joint = view.random_joint(rng);
        game.play(&mut state, &joint);
        moves.push(joint);
    }
}
