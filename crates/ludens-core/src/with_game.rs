//! Games whose type is known only at run time.

use std::sync::Arc;

use crate::game::Game;

/// A visitor of a game of any type. Between components the type of a game is erased; a visitor recovers it
/// once, so that the code it runs is compiled for the type of the game.
pub trait WithGame {
    /// The result.
    type Out;

    /// Visits the game.
    fn call<G: Game>(self, game: Arc<G>) -> Self::Out;
}
