//! The table of games, and construction by name.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ludens_core::WithGame;

use crate::{
    atarigo, breakthrough, domineering, havannah, knightthrough, misere_breakthrough,
    misere_domineering, misere_knightthrough, nogo,
};

/// A parameter of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeParameter {
    /// Its name.
    pub name: &'static str,
    /// Its default.
    pub default: u32,
    /// Its range.
    pub range: RangeInclusive<u32>,
    /// Its meaning.
    pub doc: &'static str,
}

/// A game of this crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeGame {
    /// Its name, which is that of its rules in the library.
    pub name: &'static str,
    /// Its only parameter.
    pub size: NativeParameter,
    /// One sentence about it.
    pub doc: &'static str,
}

/// The side length of a square board.
const fn board(default: u32, range: RangeInclusive<u32>) -> NativeParameter {
    NativeParameter { name: "size", default, range, doc: "side length of the board" }
}

const fn native(name: &'static str, size: NativeParameter, doc: &'static str) -> NativeGame {
    NativeGame { name, size, doc }
}

/// All games, sorted by name.
pub const GAMES: &[NativeGame] = &[
    native("atarigo", board(8, 3..=8), "Go in which the first capture wins."),
    native("breakthrough", board(8, 4..=8), "Pawns race to the far row and capture diagonally."),
    native(
        "domineering",
        board(8, 2..=8),
        "Vertical and horizontal dominoes fill a board; a player who cannot place one loses.",
    ),
    native(
        "havannah",
        NativeParameter { doc: "cells along one side of the hexagon", ..board(8, 2..=15) },
        "Stones on a hexagon form rings, bridges between corners or forks between edges.",
    ),
    native("knightthrough", board(8, 4..=8), "Knights that only jump forward race to the far row."),
    native(
        "misere_breakthrough",
        board(8, 4..=8),
        "Breakthrough in which the first to reach the far row loses.",
    ),
    native(
        "misere_domineering",
        board(8, 2..=8),
        "Domineering in which a player who cannot place a domino wins.",
    ),
    native(
        "misere_knightthrough",
        board(8, 4..=8),
        "Knightthrough in which the first to reach the far row loses.",
    ),
    native(
        "nogo",
        board(8, 3..=8),
        "Go stones without captures or suicide; a player who cannot place one loses.",
    ),
];

/// Calls a visitor with the game of this name and size; `None` if there is none.
pub fn with_game<V: WithGame>(name: &str, size: u32, visitor: V) -> Option<V::Out> {
    let game = GAMES.iter().find(|game| game.name == name)?;
    if !game.size.range.contains(&size) {
        return None;
    }
    Some(match name {
        "atarigo" => visitor.call(Arc::new(atarigo::game(size))),
        "breakthrough" => visitor.call(Arc::new(breakthrough::game(size))),
        "domineering" => visitor.call(Arc::new(domineering::game(size))),
        "havannah" if size <= 8 => visitor.call(Arc::new(havannah::game(size))),
        "havannah" => visitor.call(Arc::new(havannah::large_game(size))),
        "knightthrough" => visitor.call(Arc::new(knightthrough::game(size))),
        "misere_breakthrough" => visitor.call(Arc::new(misere_breakthrough::game(size))),
        "misere_domineering" => visitor.call(Arc::new(misere_domineering::game(size))),
        "misere_knightthrough" => visitor.call(Arc::new(misere_knightthrough::game(size))),
        "nogo" => visitor.call(Arc::new(nogo::game(size))),
        _ => return None,
    })
}
