//! Playout policies.

use ludens_search::{Fast, Lgrf, Mast, Nast, Past, PoolRave, Ppa, Ppr};

use super::{flag, number, whole};
use crate::agent::parameter::{PartParameter, ValueKind};
use crate::agent::part::{Make, Part, Preset};

const KEEP: PartParameter = number(
    "keep",
    "1",
    (0.0, 1.0),
    "fraction of the statistics that is kept after each move of the match",
);

/// Below the minimum, exponentials of means would overflow.
const TEMPERATURE: PartParameter = number(
    "temperature",
    "1",
    (0.02, 1000.0),
    "temperature of the softmax over averages: small is greedy, large is uniform",
);

/// Whether RAVE statistics of a playout distinguish roles.
const SHARED: PartParameter = flag(
    "shared",
    "false",
    "whether all roles share the statistics and the lists of moves; for games in which both sides place on the same cells",
);

/// All playout policies.
pub(super) static PARTS: &[Part] = &[
    Part {
        name: "uniform",
        aliases: &[],
        doc: "Chooses every legal move with the same probability; the default where no other policy chooses a move.",
        paper: "",
        own: &[],
        presets: &[],
        make: Make::Uniform,
    },
    Part {
        name: "mast",
        aliases: &[],
        doc: "Prefers moves with a high average payoff over all states in which they were played.",
        paper: "Finnsson and Björnsson 2008",
        own: &[TEMPERATURE, KEEP],
        presets: &[],
        make: Make::AlwaysDecides(|choice| {
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
                "minimum visits of a sequence; below it, a shorter sequence is used",
            ),
        ],
        presets: &[Preset {
            name: "nast2",
            doc: "As `nast`, with pairs of moves.",
            paper: "Powley, Whitehouse and Cowling 2013",
            fixed: &[("n", "2")],
        }],
        make: Make::AlwaysDecides(|choice| {
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
                "minimum visits of a move together with a fact; below it, the average is ignored",
            ),
        ],
        presets: &[],
        make: Make::AlwaysDecides(|choice| {
            let (temperature, keep) = (choice.float("temperature"), choice.float("keep"));
            Box::new(Past::new(temperature, keep, choice.float("least")))
        }),
    },
    Part {
        name: "fast",
        aliases: &[],
        doc: "Learns values of facts by TD(λ), and prefers moves that lead to facts of higher value.",
        paper: "Finnsson and Björnsson 2010",
        own: &[
            number(
                "temperature",
                "0.1",
                (0.001, 1000.0),
                "temperature of the softmax over values: small is greedy, large is uniform",
            ),
            number("alpha", "0.01", (0.0, 1.0), "learning rate of TD(λ)"),
            number(
                "lambda",
                "0.99",
                (0.0, 1.0),
                "weight of later states against the next one in the target of TD(λ)",
            ),
            KEEP,
        ],
        presets: &[],
        make: Make::AlwaysDecides(|choice| {
            let (temperature, keep) = (choice.float("temperature"), choice.float("keep"));
            Box::new(Fast::new(temperature, choice.float("alpha"), choice.float("lambda"), keep))
        }),
    },
    Part {
        name: "lgrf",
        aliases: &["lgrf1"],
        doc: "Replies to a joint move as in the last simulation that was won, and forgets replies that lose.",
        paper: "Drake 2009; Baier and Drake 2010",
        own: &[],
        presets: &[],
        make: Make::MayAbstain(|_| Box::new(Lgrf::default())),
    },
    Part {
        name: "poolrave",
        aliases: &["pool_rave"],
        doc: "Chooses, with a given probability, one of the best moves by the RAVE statistics of the tree above the playout.",
        paper: "Rimmel, Teytaud and Teytaud 2010",
        own: &[
            whole("size", "20", (1, 1_000_000), "moves in the pool (N)"),
            number("p", "0.5", (0.0, 1.0), "probability of a move from the pool"),
            whole(
                "ref",
                "50",
                (1, 1_000_000_000),
                "minimum visits of the node whose statistics are used",
            ),
            SHARED,
        ],
        presets: &[],
        make: Make::MayAbstain(|choice| {
            let (size, reference) = (choice.whole("size") as usize, choice.whole("ref") as u32);
            Box::new(PoolRave::new(size, choice.number("p"), reference, choice.flag("shared")))
        }),
    },
    Part {
        name: "ppr",
        aliases: &[],
        doc: "Prunes bad moves by the RAVE statistics of the tree above the playout.",
        paper: "Duguépéroux, Mazyad, Teytaud and Dehos 2016",
        own: &[
            number(
                "tn",
                "0.01",
                (0.0, 1.0),
                "minimum visits of the node whose statistics are used, as a fraction of all simulations (T_n)",
            ),
            number("tw", "0.25", (0.0, 1.0), "win rate that a move must exceed (T_w')"),
            number("p", "0.8", (0.0, 1.0), "probability of a move that is not pruned"),
            SHARED,
        ],
        presets: &[],
        make: Make::AlwaysDecides(|choice| {
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
            number("alpha", "0.32", (0.0, 10.0), "learning rate"),
            number("k", "1", (0.0, 2.0), "factor of the weights in the softmax"),
            flag(
                "features",
                "false",
                "whether moves are distinguished by features of their neighbourhood",
            ),
            flag("memorize", "false", "whether weights are kept after each move of the match"),
            PartParameter {
                name: "initial",
                kind: ValueKind::PolicyFile,
                default: "none",
                word: Some("none"),
                doc: "file with initial weights, written by `ludens learn`; `none` begins with equal weights",
            },
        ],
        presets: &[
            Preset {
                name: "ppaf",
                doc: "As `ppa`, with moves distinguished by features of their neighbourhood.",
                paper: "Cazenave 2016",
                fixed: &[("features", "true")],
            },
            Preset {
                name: "ppafm",
                doc: "As `ppaf`, with weights kept after each move of the match.",
                paper: "Cazenave and Diemert 2017",
                fixed: &[("features", "true"), ("memorize", "true")],
            },
        ],
        make: Make::AlwaysDecides(|choice| {
            let (features, memorize) = (choice.flag("features"), choice.flag("memorize"));
            let mut ppa = Ppa::new(choice.float("alpha"), choice.float("k"), features, memorize);
            ppa.initial = choice.policy("initial");
            Box::new(ppa)
        }),
    },
];
