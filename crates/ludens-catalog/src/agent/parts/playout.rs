//! How moves are chosen in playouts.

use ludens_search::{Fast, Lgrf, Mast, Nast, Past, PoolRave, Ppa, Ppr};

use super::{flag, number, whole};
use crate::agent::parameter::{PartParameter, ValueKind};
use crate::agent::part::{Make, Part, Preset};

const KEEP: PartParameter = number(
    "keep",
    "1",
    (0.0, 1.0),
    "share of what was learnt that is kept from one move of the game to the next",
);

/// Below this, exponentials of means would leave the range of numbers.
const TEMPERATURE: PartParameter = number(
    "temperature",
    "1",
    (0.02, 1000.0),
    "how little averages matter: small is greedy, large is uniform",
);

/// Whose moves the RAVE statistics of a playout are about.
const SHARED: PartParameter = flag(
    "shared",
    "false",
    "whether a move counts for whoever plays it and all roles draw from the same list; for games in which both sides place on the same cells",
);

/// All playout policies.
pub(super) static PARTS: &[Part] = &[
    Part {
        name: "uniform",
        aliases: &[],
        doc: "Makes every legal move with the same probability; what all playouts do where no policy has an opinion.",
        paper: "",
        own: &[],
        presets: &[],
        make: Make::Uniform,
    },
    Part {
        name: "mast",
        aliases: &[],
        doc: "Prefers moves that did well on average, wherever they were played.",
        paper: "Finnsson and Björnsson 2008",
        own: &[TEMPERATURE, KEEP],
        presets: &[],
        make: Make::Decision(|choice| {
            Box::new(Mast::new(choice.float("temperature"), choice.float("keep")))
        }),
    },
    Part {
        name: "nast",
        aliases: &[],
        doc: "As `mast`, but averages moves together with the moves just before them.",
        paper: "Tak, Winands and Björnsson 2012; Powley, Whitehouse and Cowling 2013",
        own: &[
            whole("n", "2", (2, 9), "moves in a sequence"),
            TEMPERATURE,
            KEEP,
            number(
                "least",
                "1",
                (0.0, 1e9),
                "how often a sequence must have been seen; else a shorter one decides",
            ),
        ],
        presets: &[Preset {
            name: "nast2",
            doc: "As `nast`, with pairs of moves.",
            paper: "Powley, Whitehouse and Cowling 2013",
            fixed: &[("n", "2")],
        }],
        make: Make::Decision(|choice| {
            let (temperature, keep) = (choice.float("temperature"), choice.float("keep"));
            let length = choice.whole("n") as usize;
            Box::new(Nast::new(length, temperature, keep, choice.float("least")))
        }),
    },
    Part {
        name: "past",
        aliases: &[],
        doc: "As `mast`, but averages moves together with each fact that held when they were made.",
        paper: "Finnsson and Björnsson 2010",
        own: &[
            TEMPERATURE,
            KEEP,
            number(
                "least",
                "1",
                (0.0, 1e9),
                "how often a move must have been made while a fact held; other averages do not count",
            ),
        ],
        presets: &[],
        make: Make::Decision(|choice| {
            let (temperature, keep) = (choice.float("temperature"), choice.float("keep"));
            Box::new(Past::new(temperature, keep, choice.float("least")))
        }),
    },
    Part {
        name: "fast",
        aliases: &[],
        doc: "Learns what facts are worth, and prefers moves that make more of those that are worth more.",
        paper: "Finnsson and Björnsson 2010",
        own: &[
            number(
                "temperature",
                "0.1",
                (0.001, 1000.0),
                "how little differences of worth matter: small is greedy, large is uniform",
            ),
            number(
                "alpha",
                "0.01",
                (0.0, 1.0),
                "part of the way that the worth of a state goes towards what it is found to be",
            ),
            number(
                "lambda",
                "0.99",
                (0.0, 1.0),
                "how much later states count against the next one when a state is found to be worth something",
            ),
            KEEP,
        ],
        presets: &[],
        make: Make::Decision(|choice| {
            let (temperature, keep) = (choice.float("temperature"), choice.float("keep"));
            Box::new(Fast::new(temperature, choice.float("alpha"), choice.float("lambda"), keep))
        }),
    },
    Part {
        name: "lgrf",
        aliases: &["lgrf1"],
        doc: "Replies to a move as in the last simulation that was won with a reply to it, if there is one.",
        paper: "Drake 2009; Baier and Drake 2010",
        own: &[],
        presets: &[],
        make: Make::Opinion(|_| Box::new(Lgrf::default())),
    },
    Part {
        name: "poolrave",
        aliases: &["pool_rave"],
        doc: "Sometimes takes one of the best moves by the RAVE statistics of the tree above the playout.",
        paper: "Rimmel, Teytaud and Teytaud 2010",
        own: &[
            whole("size", "20", (1, 1_000_000), "moves in the pool (N)"),
            number("p", "0.5", (0.0, 1.0), "probability of a move from the pool"),
            whole(
                "ref",
                "50",
                (1, 1_000_000_000),
                "visits that a node needs for its statistics to be used",
            ),
            SHARED,
        ],
        presets: &[],
        make: Make::Opinion(|choice| {
            let (size, reference) = (choice.whole("size") as usize, choice.whole("ref") as u32);
            Box::new(PoolRave::new(size, choice.number("p"), reference, choice.flag("shared")))
        }),
    },
    Part {
        name: "ppr",
        aliases: &[],
        doc: "Prunes moves that did badly by the RAVE statistics of the tree above the playout.",
        paper: "Duguépéroux, Mazyad, Teytaud and Dehos 2016",
        own: &[
            number("tn", "0.01", (0.0, 1.0), "share of all simulations that a node needs (T_n)"),
            number("tw", "0.25", (0.0, 1.0), "win rate that a move must exceed (T_w')"),
            number("p", "0.8", (0.0, 1.0), "probability of a move that is not pruned"),
            SHARED,
        ],
        presets: &[],
        make: Make::Decision(|choice| {
            let (share, probability) = (choice.number("tn"), choice.number("p"));
            Box::new(Ppr::new(share, choice.float("tw"), probability, choice.flag("shared")))
        }),
    },
    Part {
        name: "ppa",
        aliases: &[],
        doc: "Adapts the probabilities of moves after every simulation to what the winner played.",
        paper: "Cazenave 2015",
        own: &[
            number("alpha", "0.32", (0.0, 10.0), "step of the adaptation"),
            number("k", "1", (0.0, 2.0), "how much weights matter in playouts"),
            flag("features", "false", "whether moves are told apart by what is around them"),
            flag(
                "memorize",
                "false",
                "whether weights are kept from one move of the game to the next",
            ),
            PartParameter {
                name: "initial",
                kind: ValueKind::PolicyFile,
                default: "none",
                word: Some("none"),
                doc: "file with the weights to begin with, which `ludens learn` makes; `none` begins with all equal",
            },
        ],
        presets: &[
            Preset {
                name: "ppaf",
                doc: "As `ppa`, with moves told apart by what is around them.",
                paper: "Cazenave 2016",
                fixed: &[("features", "true")],
            },
            Preset {
                name: "ppafm",
                doc: "As `ppaf`, with weights kept from one move of the game to the next.",
                paper: "Cazenave and Diemert 2017",
                fixed: &[("features", "true"), ("memorize", "true")],
            },
        ],
        make: Make::Decision(|choice| {
            let (features, memorize) = (choice.flag("features"), choice.flag("memorize"));
            let mut ppa = Ppa::new(choice.float("alpha"), choice.float("k"), features, memorize);
            ppa.initial = choice.policy("initial");
            Box::new(ppa)
        }),
    },
];
