//! What evaluates leaves, besides playouts.

use super::{HEURISTIC_PAPER, SIMULATIONS, flag, number, or_word, whole};
use crate::agent::parameter::PartParameter;
use crate::agent::part::{Make, Part};

pub(super) const ORDER: PartParameter =
    flag("order", "true", "whether moves are first tried in the order of the evaluation function");

pub(super) const BIAS: PartParameter = number(
    "bias",
    "0",
    (0.0, 1000.0),
    "weight of what the evaluation function says about a move, which fades with its visits (progressive bias; with `uct` only)",
);

pub(super) const OPEN: PartParameter = or_word(
    whole(
        "open",
        "all",
        (1, 1_000_000),
        "moves that are open in a new node, in that order; others follow one by one (progressive unpruning)",
    ),
    "all",
);

pub(super) const REPLACE: PartParameter = number(
    "replace",
    "0",
    (0.0, 1.0),
    "share of playouts in whose place the evaluation function says what a leaf is worth",
);

pub(super) const LEARNING: PartParameter = number(
    "learning",
    "0.5",
    (0.0, 1.0),
    "part of the start clock that goes into the evaluation function; the rest goes into the tree",
);

/// All evaluators.
pub(super) static PARTS: &[Part] = &[Part {
    name: "heuristic",
    aliases: &[],
    doc: "An evaluation function made in the start clock, which orders moves and evaluates leaves.",
    paper: HEURISTIC_PAPER,
    own: &[ORDER, BIAS, OPEN, REPLACE, LEARNING, SIMULATIONS],
    presets: &[],
    make: Make::Heuristic,
}];
