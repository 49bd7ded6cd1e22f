//! Evaluators of leaves, besides playouts.

use super::{HEURISTIC_PAPER, SIMULATIONS, flag, number, or_word, whole};
use crate::agent::parameter::{PartParameter, ValueKind};
use crate::agent::part::{Make, Part};

pub(super) const ORDER: PartParameter = flag(
    "order",
    "true",
    "whether unvisited moves are visited in the order of the evaluation function",
);

pub(super) const BIAS: PartParameter = number(
    "bias",
    "0",
    (0.0, 1000.0),
    "weight of the evaluation function in selection, which decreases with the visits of a move (progressive bias; with `uct` only)",
);

pub(super) const OPEN: PartParameter = or_word(
    whole(
        "open",
        "all",
        (1, 1_000_000),
        "moves available in a new node, in that order; the others are added one by one (progressive unpruning)",
    ),
    "all",
);

pub(super) const REPLACE: PartParameter = number(
    "replace",
    "0",
    (0.0, 1.0),
    "fraction of playouts that are replaced by the evaluation function",
);

pub(super) const LEARNING: PartParameter = number(
    "learning",
    "0.5",
    (0.0, 1.0),
    "fraction of the start clock for learning the evaluation function; the rest is for the tree",
);

pub(super) const FILE: PartParameter = PartParameter {
    name: "file",
    kind: ValueKind::NetworkFile,
    default: "none",
    word: Some("none"),
    doc: "file with a network, written by `ludens train`; `none` learns one in the start clock",
};

/// The weight of playouts beside a network.
pub(super) const MIX: PartParameter = or_word(
    number(
        "mix",
        "auto",
        (0.0, 1.0),
        "weight of random playouts in the value of a leaf; `auto` for what training found them to be worth if that is above 0.85, and else 0; `zero` chooses by trial games, too",
    ),
    "auto",
);

/// How many playouts are blended into a value.
pub(super) const PLAYOUTS: PartParameter =
    whole("playouts", "4", (1, 1000), "random playouts from each leaf, if `mix` is above 0");

/// All evaluators.
pub(super) static PARTS: &[Part] = &[HEURISTIC, NETWORK];

const NETWORK: Part = Part {
    name: "net",
    aliases: &[],
    doc: "A network that evaluates leaves and gives prior probabilities, in place of playouts.",
    paper: "Gunawan et al. 2020; Goldwaser and Thielscher 2020",
    own: &[FILE, MIX, PLAYOUTS],
    presets: &[],
    make: Make::Network,
};

const HEURISTIC: Part = Part {
    name: "heuristic",
    aliases: &[],
    doc: "An evaluation function learnt during the start clock, which orders moves and evaluates leaves.",
    paper: HEURISTIC_PAPER,
    own: &[ORDER, BIAS, OPEN, REPLACE, LEARNING, SIMULATIONS],
    presets: &[],
    make: Make::Heuristic,
};
