//! Positions of random games, from which settings are estimated.

use ludens_core::{Game, Rng, View};

/// Visits this many positions of random games, final ones included.
pub(crate) fn visit_positions<G: Game>(
    game: &G,
    n_positions: usize,
    rng: &mut Rng,
    mut visit: impl FnMut(&G::State, &View),
) {
    let (mut view, mut state) = (View::default(), game.initial());
    for _ in 0..n_positions {
        game.look(&state, &mut view);
        visit(&state, &view);
        if view.is_over() {
            state = game.initial();
        } else {
            game.play(&mut state, &view.random_joint(rng));
        }
    }
}
