//! Games implemented in Rust, for studies that need millions of playouts.
//!
//! Each has a twin in the GDL library with the same names of roles, moves and facts, so that both can
//! be compared state by state.
//!
//! - [`table`]: all games by name.
//! - [`breakthrough`], [`misere_breakthrough`], [`knightthrough`], [`misere_knightthrough`], based on
//!   [`piece_race`].
//! - [`domineering`], [`misere_domineering`].
//! - [`atarigo`], [`nogo`], based on [`go`].
//! - [`havannah`]: on hexagonal boards ([`hexagon`]).
//! - [`rules`]: what a game must define; [`duel`]: how that becomes a `Game`.
//! - [`simulator`]: uniform playouts without move lists; [`slots`]: weighted playouts.
//! - [`bits`], [`square`], [`pick`], [`text`]: bit sets, square boards, weighted sampling, terms.
//!
//! ```
//! use std::sync::Arc;
//! use ludens_core::{Game, Rng, Tally};
//! use ludens_games::breakthrough;
//!
//! let game = Arc::new(breakthrough::game(6));
//! let mut tallies = [Tally::default()];
//! Arc::clone(&game).simulator().tally(&[&game.initial()], 100, &mut Rng::new(1), &mut tallies);
//! assert_eq!(tallies[0].finished, 100);
//! ```

pub mod atarigo;
pub mod bits;
pub mod breakthrough;
pub mod domineering;
pub mod duel;
pub mod go;
pub mod havannah;
pub mod hexagon;
pub mod knightthrough;
pub mod misere_breakthrough;
pub mod misere_domineering;
pub mod misere_knightthrough;
pub mod nogo;
pub mod pick;
pub mod piece_race;
pub mod roulette;
pub mod rules;
pub mod simulator;
pub mod slots;
pub mod square;
pub mod table;
pub mod text;

pub use duel::Duel;
pub use piece_race::PieceRace;
pub use rules::{Outcome, PlayoutContext, Rules};
pub use simulator::NativeSimulator;
pub use table::{GAMES, NativeGame, NativeParameter, with_game};
