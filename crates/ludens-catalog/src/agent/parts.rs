//! The table of everything that an agent's text can name. Parsing, help, errors and the reference
//! page come from here; a new policy is one entry.

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

/// What may be chosen about every tree search, whatever its policy.
pub const SHARED: &[PartParameter] = &[
    flag("solver", "false", "whether proven wins and losses are passed up the tree (MCTS-Solver)"),
    flag("reuse", "true", "whether the tree below the move made is kept for the next one"),
    or_word(
        whole(
            "batch",
            "auto",
            (1, 65_536),
            "leaves evaluated together; 1 is the textbook algorithm, `auto` as many as playouts \
             run side by side, fewer while the tree is small, but 1 where playouts are learnt from",
        ),
        "auto",
    ),
    bytes(
        "memory",
        "2GiB",
        "what the tree may hold, all threads together; when it is full the search goes on without new nodes",
    ),
    or_word(
        whole(
            "length",
            "none",
            (1, Limit::LONGEST as u64),
            "joint moves after which a playout is cut; `none` lets all end by the rules",
        ),
        "none",
    ),
    PartParameter {
        name: "cut",
        kind: ValueKind::Choice(&["draw", "goal"]),
        default: "draw",
        word: None,
        doc: "what a playout is worth that is cut: `draw` gives half to every role, `goal` what the \
              rules give in its last state, and half where they give nothing",
    },
    whole("threads", "1", (1, 256), "threads that search together"),
    PartParameter {
        name: "parallel",
        kind: ValueKind::Choice(&["root", "tree"]),
        default: "root",
        word: None,
        doc: "what threads share: `root` adds up searches of their own, which can be repeated by \
              the seed; `tree` lets all search one tree",
    },
];

/// How games are played from which an evaluation function is made.
const SIMULATIONS: PartParameter = PartParameter {
    name: "simulations",
    kind: ValueKind::Choice(&["uct", "random"]),
    default: "uct",
    word: None,
    doc: "games from which the evaluation function is made: simulations of a tree search, or random ones",
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

/// The same parameter with a word that may stand in place of a value.
const fn or_word(mut parameter: PartParameter, word: &'static str) -> PartParameter {
    parameter.word = Some(word);
    parameter
}
