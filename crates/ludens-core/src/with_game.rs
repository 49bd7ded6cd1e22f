//! Games whose type is known only at run time.

use std::sync::Arc;

use crate::game::Game;

/// Something to do with a game of any type. Between components a game is erased; a visitor leaves that
/// world once, so that what it runs is compiled for the type of the game.
pub trait WithGame {
    /// The result.
    type Out;

    /// Does it.
    fn call<G: Game>(self, game: Arc<G>) -> Self::Out;
}
