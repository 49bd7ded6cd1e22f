//! The table of all parts of agents. Parsing, help, errors and the reference page are derived from
//! it; a new policy is one entry.

mod evaluator;
mod playout;
mod tree;
mod whole;

use ludens_core::Limit;

use super::parameter::{PartParameter, ValueKind};
use super::part::Part;

/// All parts, by kind.
pub fn parts() -> impl Iterator<Item = &'static Part> {
    tree::PARTS.iter().chain(playout::PARTS).chain(evaluator::PARTS).chain(whole::PARTS)
}

/// An own limit of an agent, so that agents with different limits can meet.
const ITERATIONS: PartParameter = or_word(
    whole(
        "iterations",
        "none",
        (1, 1_000_000_000_000),
        "maximum number of iterations of a move, beside the limit of the match",
    ),
    "none",
);

/// Wins in one.
const DECISIVE: PartParameter = flag(
    "decisive",
    "false",
    "whether a role that can win at once has no other moves, in the tree and in playouts (Teytaud and Teytaud \
     2010); without effect where that is expensive to find out",
);

/// A wrapper around the whole search.
const ENDGAME: PartParameter = flag(
    "endgame",
    "false",
    "whether the end of the game is played exactly: a tenth of the time of each move goes to an \
     exhaustive search of what is left, in games of one or two roles in turn, under a clock",
);

/// The parameters of every tree search, whatever its policy.
pub const SHARED: &[PartParameter] = &[
    flag("solver", "false", "whether proven wins and losses are backed up the tree (MCTS-Solver)"),
    DECISIVE,
    ENDGAME,
    flag("reuse", "true", "whether the subtree of the move made is kept for the next search"),
    or_word(
        whole(
            "batch",
            "auto",
            (1, 65_536),
            "leaves evaluated in one batch; 1 is the textbook algorithm; `auto` is as many as playouts \
             run in parallel, fewer while the tree is small, but 1 if policies learn from playouts",
        ),
        "auto",
    ),
    bytes(
        "memory",
        "2GiB",
        "memory limit of the tree, for all threads together; when it is full, the search continues without new nodes",
    ),
    ITERATIONS,
    or_word(
        whole(
            "length",
            "none",
            (1, Limit::LONGEST as u64),
            "joint moves after which a playout is cut off; `none` plays to a terminal state",
        ),
        "none",
    ),
    PartParameter {
        name: "cut",
        kind: ValueKind::Choice(&["draw", "goal"]),
        default: "draw",
        word: None,
        doc: "value of a playout that is cut off: `draw` is half for every role, `goal` the goal value \
              in its last state, or half without one",
    },
    whole("threads", "1", (1, 256), "number of threads"),
    PartParameter {
        name: "parallel",
        kind: ValueKind::Choice(&["root", "tree"]),
        default: "root",
        word: None,
        doc: "what threads share: `root` sums the statistics of separate trees and is reproducible by \
              the seed; `tree` searches one shared tree",
    },
];

/// The simulations from which an evaluation function is learnt.
const SIMULATIONS: PartParameter = PartParameter {
    name: "simulations",
    kind: ValueKind::Choice(&["uct", "random"]),
    default: "uct",
    word: None,
    doc: "games from which the evaluation function is learnt: simulations of a tree search, or random ones",
};

/// The paper about evaluation functions.
const HEURISTIC_PAPER: &str = "Mańdziuk and Świechowski 2012";

/// A number in a range.
const fn number(
    name: &'static str,
    default: &'static str,
    (min, max): (f64, f64),
    doc: &'static str,
) -> PartParameter {
    PartParameter { name, kind: ValueKind::Number { min, max }, default, word: None, doc }
}

/// A whole number in a range.
const fn whole(
    name: &'static str,
    default: &'static str,
    (min, max): (u64, u64),
    doc: &'static str,
) -> PartParameter {
    PartParameter { name, kind: ValueKind::Whole { min, max }, default, word: None, doc }
}

/// True or false.
const fn flag(name: &'static str, default: &'static str, doc: &'static str) -> PartParameter {
    PartParameter { name, kind: ValueKind::Flag, default, word: None, doc }
}

/// A size of memory.
const fn bytes(name: &'static str, default: &'static str, doc: &'static str) -> PartParameter {
    PartParameter { name, kind: ValueKind::Bytes { min: 1 << 20 }, default, word: None, doc }
}

/// The same parameter with a word as an alternative to a value.
const fn or_word(mut parameter: PartParameter, word: &'static str) -> PartParameter {
    parameter.word = Some(word);
    parameter
}
