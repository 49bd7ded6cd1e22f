//! The table of the games, and the way from a name to a game.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ludens_core::WithGame;

use crate::{
    atarigo, breakthrough, domineering, havannah, knightthrough, misere_breakthrough,
    misere_domineering, misere_knightthrough, nogo,
};

/// A number that may be chosen when a game is loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeParameter {
    /// Its name.
    pub name: &'static str,
    /// What it is if nobody chooses.
    pub default: u32,
    /// What it may be.
    pub range: RangeInclusive<u32>,
    /// What it means.
    pub doc: &'static str,
}

/// A game of this crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeGame {
    /// The name by which it is loaded, and that of its rules in the library.
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

/// All games, sorted by name.
pub const GAMES: &[NativeGame] = &[
    NativeGame {
        name: "atarigo",
        size: board(8, 3..=8),
        doc: "Go in which the first capture wins.",
    },
    NativeGame {
        name: "breakthrough",
        size: board(8, 4..=8),
        doc: "Pawns race to the far row and capture diagonally.",
    },
    NativeGame {
        name: "domineering",
        size: board(8, 2..=8),
        doc: "Upright and lying dominoes fill a board; who cannot place one loses.",
    },
    NativeGame {
        name: "havannah",
        size: NativeParameter { doc: "cells along one side of the hexagon", ..board(8, 2..=15) },
        doc: "Stones on a hexagon make rings, bridges between corners or forks between edges.",
    },
    NativeGame {
        name: "knightthrough",
        size: board(8, 4..=8),
        doc: "Knights that only jump forward race to the far row.",
    },
    NativeGame {
        name: "misere_breakthrough",
        size: board(8, 4..=8),
        doc: "Breakthrough in which the first to reach the far row loses.",
    },
    NativeGame {
        name: "misere_domineering",
        size: board(8, 2..=8),
        doc: "Domineering in which who cannot place a domino wins.",
    },
    NativeGame {
        name: "misere_knightthrough",
        size: board(8, 4..=8),
        doc: "Knightthrough in which the first to reach the far row loses.",
    },
    NativeGame {
        name: "nogo",
        size: board(8, 3..=8),
        doc: "Go stones without captures and suicide; who cannot place one loses.",
    },
];

/// Makes the game with this name and size; `None` if there is none.
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
