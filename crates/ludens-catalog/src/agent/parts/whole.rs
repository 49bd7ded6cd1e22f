//! Searches that need no policies.

use super::{HEURISTIC_PAPER, SIMULATIONS, bytes, number, whole};
use crate::agent::parameter::PartParameter;
use crate::agent::part::{Make, Part};
use crate::agent::whole::Whole;

/// How searches with a depth limit judge what is beyond it.
const PLAYOUTS: PartParameter = whole(
    "playouts",
    "8",
    (0, 1_000_000),
    "random playouts that tell what a state at the depth limit is worth; 0 takes all for even",
);

const TABLE: PartParameter = bytes("memory", "64MiB", "what the table of states may hold");

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
    Part {
        name: "minimax",
        aliases: &["alphabeta", "alpha_beta"],
        doc: "Looks ahead deeper and deeper with α–β, for two roles in turn; other games are left to `maxn`.",
        paper: "Knuth and Moore 1975; Slate and Atkin 1977",
        own: &[PLAYOUTS, TABLE],
        presets: &[],
        make: Make::Whole(Whole::Minimax),
    },
    Part {
        name: "maxn",
        aliases: &["max_n"],
        doc: "Looks ahead deeper and deeper, every role for itself, for any number of roles and moves at the same time.",
        paper: "Luckhardt and Irani 1986",
        own: &[PLAYOUTS],
        presets: &[],
        make: Make::Whole(Whole::MaxN),
    },
    Part {
        name: "nested",
        aliases: &["nmcs"],
        doc: "Nested Monte Carlo search, for games of one role.",
        paper: "Cazenave 2009",
        own: &[whole("level", "2", (1, 10), "how many searches are nested")],
        presets: &[],
        make: Make::Whole(Whole::Nested),
    },
    Part {
        name: "nrpa",
        aliases: &[],
        doc: "Nested rollout policy adaptation, for games of one role.",
        paper: "Rosin 2011",
        own: &[
            whole("level", "3", (1, 10), "how many searches are nested"),
            whole(
                "iterations",
                "100",
                (1, 1_000_000),
                "calls of the level below that each level makes",
            ),
            number("alpha", "1", (0.0, 10.0), "step of the adaptation"),
        ],
        presets: &[],
        make: Make::Whole(Whole::Nrpa),
    },
    Part {
        name: "solver",
        aliases: &[],
        doc: "Plays perfectly where the game is small enough to be solved, and as `minimax` where it is not.",
        paper: "",
        own: &[PLAYOUTS, TABLE],
        presets: &[],
        make: Make::Whole(Whole::Solver),
    },
    Part {
        name: "heuristic",
        aliases: &["heuristic_minimax"],
        doc: "Looks ahead as `minimax` and `maxn` do, with an evaluation function made in the start clock; \
              an iteration is as many states as a game has plies.",
        paper: HEURISTIC_PAPER,
        own: &[SIMULATIONS, TABLE],
        presets: &[],
        make: Make::Whole(Whole::Heuristic),
    },
    Part {
        name: "greedy",
        aliases: &[],
        doc: "Makes the move after which an evaluation function made in the start clock is highest.",
        paper: HEURISTIC_PAPER,
        own: &[SIMULATIONS],
        presets: &[],
        make: Make::Whole(Whole::Greedy),
    },
    Part {
        name: "auto",
        aliases: &[],
        doc: "Lets `uct`, `uct + ppaf(memorize)`, `heuristic` and `guided` race on the game in the start clock, \
              and plays as the winner.",
        paper: HEURISTIC_PAPER,
        own: &[SIMULATIONS],
        presets: &[],
        make: Make::Whole(Whole::Auto),
    },
];
