//! Searches without policies.

use super::evaluator::{FILE, MIX, PLAYOUTS as MIXED_PLAYOUTS};
use super::{
    DECISIVE, ENDGAME, HEURISTIC_PAPER, ITERATIONS, SIMULATIONS, bytes, flag, number, or_word,
    whole,
};
use crate::agent::parameter::PartParameter;
use crate::agent::part::{Make, Part};
use crate::agent::whole::Whole;

/// How searches with a depth limit evaluate states at the limit.
const PLAYOUTS: PartParameter = whole(
    "playouts",
    "8",
    (0, 1_000_000),
    "random playouts that evaluate a state at the depth limit; 0 evaluates all as even",
);

const TABLE: PartParameter = bytes("memory", "64MiB", "memory limit of the transposition table");

/// All whole searches.
pub(super) static PARTS: &[Part] = &[
    Part {
        name: "random",
        aliases: &[],
        doc: "Makes a random legal move.",
        paper: "",
        own: &[],
        presets: &[],
        make: Make::Whole(Whole::Random),
    },
    Part {
        name: "flat",
        aliases: &["flat_mc"],
        doc: "Evaluates moves by random playouts and makes the one with the most visits (UCB1 at the root, no tree).",
        paper: "Auer, Cesa-Bianchi and Fischer 2002",
        own: &[number("c", "0.7", (0.0, 1000.0), "weight of exploration")],
        presets: &[],
        make: Make::Whole(Whole::Flat),
    },
    Part {
        name: "minimax",
        aliases: &["alphabeta", "alpha_beta"],
        doc: "Iterative deepening α–β, for two roles in turn; other games are played by `maxn`.",
        paper: "Knuth and Moore 1975; Slate and Atkin 1977",
        own: &[PLAYOUTS, TABLE],
        presets: &[],
        make: Make::Whole(Whole::Minimax),
    },
    Part {
        name: "maxn",
        aliases: &["max_n"],
        doc: "Iterative deepening max-n, for any number of roles and for simultaneous moves.",
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
        own: &[whole("level", "2", (1, 10), "nesting level")],
        presets: &[],
        make: Make::Whole(Whole::Nested),
    },
    Part {
        name: "nrpa",
        aliases: &[],
        doc: "Nested rollout policy adaptation, for games of one role.",
        paper: "Rosin 2011",
        own: &[
            whole("level", "3", (1, 10), "nesting level"),
            whole(
                "iterations",
                "100",
                (1, 1_000_000),
                "calls of the next lower level by each level",
            ),
            number("alpha", "1", (0.0, 10.0), "learning rate"),
        ],
        presets: &[],
        make: Make::Whole(Whole::Nrpa),
    },
    Part {
        name: "planner",
        aliases: &[],
        doc: "Best-first search by novelty and nearness to the goal, then nested search, for games of one role; others \
              are played by `nested`.",
        paper: "Lipovetzky and Geffner 2017; Schiffel and Thielscher 2007",
        own: &[bytes("memory", "1GiB", "memory limit of the states that are kept")],
        presets: &[],
        make: Make::Whole(Whole::Planner),
    },
    Part {
        name: "solver",
        aliases: &[],
        doc: "Plays perfectly if the game is small enough to be solved, and as `minimax` if not.",
        paper: "",
        own: &[PLAYOUTS, TABLE],
        presets: &[],
        make: Make::Whole(Whole::Solver),
    },
    Part {
        name: "heuristic",
        aliases: &["heuristic_minimax"],
        doc: "Iterative deepening as `minimax` and `maxn`, with an evaluation function learnt during the start clock; \
              an iteration is as many states as a game has plies.",
        paper: HEURISTIC_PAPER,
        own: &[SIMULATIONS, TABLE],
        presets: &[],
        make: Make::Whole(Whole::Heuristic),
    },
    Part {
        name: "greedy",
        aliases: &[],
        doc: "Makes the move with the highest value of an evaluation function learnt during the start clock.",
        paper: HEURISTIC_PAPER,
        own: &[SIMULATIONS],
        presets: &[],
        make: Make::Whole(Whole::Greedy),
    },
    Part {
        name: "auto",
        aliases: &[],
        doc: "Learns a network and an evaluation function during the start clock, races `zero`, `heuristic`, `grave` \
              and `uct + ppaf(memorize)` against `uct(solver, decisive)`, and plays as the winner, with `endgame`. Games of \
              one role are played by `planner`.",
        paper: HEURISTIC_PAPER,
        own: &[
            SIMULATIONS,
            whole("threads", "1", (1, 256), "number of threads of learning and of tree searches"),
        ],
        presets: &[],
        make: Make::Whole(Whole::Auto),
    },
    Part {
        name: "zero",
        aliases: &[],
        doc: "Tree search with a network: `puct(c=1, reduction=0.1, solver) + net`, with a batch that grows slowly; \
              with `mix=auto`, playouts are blended in, or `uct(solver)` plays, where trial games tell that this is better.",
        paper: "Silver et al. 2018; Goldwaser and Thielscher 2020",
        own: &[
            FILE,
            MIX,
            MIXED_PLAYOUTS,
            number("c", "1", (0.0, 1000.0), "weight of exploration"),
            number(
                "reduction",
                "0.1",
                (0.0, 1.0),
                "how much less than the mean of the others an unvisited move counts",
            ),
            flag("solver", "true", "whether proven wins and losses are backed up the tree"),
            DECISIVE,
            ENDGAME,
            or_word(
                whole(
                    "batch",
                    "auto",
                    (1, 65_536),
                    "leaves evaluated in one batch; `auto` begins with 1 and grows with the tree",
                ),
                "auto",
            ),
            bytes("memory", "2GiB", "memory limit of the tree"),
            ITERATIONS,
            whole("threads", "1", (1, 256), "number of threads, which share one tree"),
        ],
        presets: &[],
        make: Make::Whole(Whole::Zero),
    },
    Part {
        name: "nn",
        aliases: &[],
        doc: "Makes the move with the highest prior probability of a network, without search.",
        paper: "Gunawan et al. 2020",
        own: &[FILE],
        presets: &[],
        make: Make::Whole(Whole::NetworkAlone),
    },
    Part {
        name: "descent",
        aliases: &[],
        doc: "Unbounded best-first minimax with the values of a network, for games in which one role decides at \
              a time; an iteration is an evaluated state.",
        paper: "Korf and Chickering 1996; Cohen-Solal 2020",
        own: &[FILE, bytes("memory", "2GiB", "memory limit of the tree"), ITERATIONS],
        presets: &[],
        make: Make::Whole(Whole::Descent),
    },
];
