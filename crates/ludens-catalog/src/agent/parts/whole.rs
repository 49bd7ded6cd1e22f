//! Searches that need no policies.

use super::number;
use crate::agent::part::{Make, Part};
use crate::agent::whole::Whole;

/// All whole searches.
pub(super) static PARTS: &[Part] = &[
    Part {
        name: "random",
        aliases: &[],
        doc: "Makes any legal move, without thinking.",
        paper: "",
        own: &[],
        presets: &[],
        make: Make::Whole(Whole::Random),
    },
    Part {
        name: "flat",
        aliases: &["flat_mc"],
        doc: "Tries moves in random playouts and makes the one tried most (UCB1 at the root, no tree).",
        paper: "Auer, Cesa-Bianchi and Fischer 2002",
        own: &[number("c", "0.7", (0.0, 1000.0), "weight of exploration")],
        presets: &[],
        make: Make::Whole(Whole::Flat),
    },
];
