//! Tree policies.

use ludens_search::{
    ExploringPuct, FirstPlay, Grave, Growth, Gumbel, Improvement, Puct, Rave, RootNoise,
    TreePolicy, Ucb, UcbTuned,
};

use super::evaluator::{BIAS, LEARNING, OPEN, ORDER, REPLACE};
use super::{HEURISTIC_PAPER, SIMULATIONS, number, or_word, whole};
use crate::agent::chosen::Chosen;
use crate::agent::parameter::{PartParameter, ValueKind};
use crate::agent::part::{Make, Part};

/// First-play urgency, for tree policies that otherwise visit every move once.
const FPU: PartParameter = or_word(
    number(
        "fpu",
        "none",
        (0.0, 10.0),
        "score of an unvisited move (first-play urgency); `none` visits all moves first",
    ),
    "none",
);

const PRIOR_FPU: PartParameter =
    number("fpu", "0.5", (0.0, 10.0), "value of an unvisited move, before its prior is added");

const REDUCTION: PartParameter = or_word(
    number(
        "reduction",
        "none",
        (0.0, 1.0),
        "an unvisited move counts as so much less than the mean of the others; `none`: as `fpu`",
    ),
    "none",
);

const GROWTH: PartParameter = PartParameter {
    name: "growth",
    kind: ValueKind::Choice(&["sqrt", "none"]),
    default: "sqrt",
    word: None,
    doc: "how exploration grows with the visits N of a node: `sqrt` is c·P·√N/(1+n), `none` is c·P/(1+n), \
          as Goldwaser and Thielscher 2020 print it",
};

fn puct(choice: &Chosen) -> Puct {
    let constant = FirstPlay::Constant(choice.number("fpu"));
    let first = choice.number_unless_word("reduction").map_or(constant, FirstPlay::BelowMean);
    let growth = match choice.word("growth") {
        "none" => Growth::None,
        _ => Growth::SquareRoot,
    };
    Puct { exploration: choice.number("c"), growth, first }
}

/// `puct`, with exploration at the root if its parameters ask for it.
fn exploring(choice: &Chosen) -> Box<dyn TreePolicy> {
    let (share, forced) = (choice.number("noise"), choice.number("forced"));
    if share == 0.0 && forced == 0.0 {
        return Box::new(puct(choice));
    }
    let noise = RootNoise { share, concentration: choice.number("alpha") };
    Box::new(ExploringPuct::new(puct(choice), noise, forced, 0))
}

/// All tree policies.
pub(super) static PARTS: &[Part] = &[
    Part {
        name: "uct",
        aliases: &["mcts", "ucb", "ucb1"],
        doc: "Selects the move with the highest upper confidence bound (UCB1).",
        paper: "Kocsis and Szepesvári 2006; Auer, Cesa-Bianchi and Fischer 2002",
        own: &[number("c", "0.4", (0.0, 1000.0), "weight of exploration"), FPU],
        presets: &[],
        make: Make::Tree(|choice, unvisited| {
            Box::new(Ucb {
                exploration: choice.number("c"),
                unvisited: choice.unvisited("fpu", unvisited),
            })
        }),
    },
    Part {
        name: "ucb_tuned",
        aliases: &["ucbtuned", "ucb1_tuned"],
        doc: "As `uct`, but explores less where payoffs vary little (UCB1-Tuned).",
        paper: "Auer, Cesa-Bianchi and Fischer 2002",
        own: &[number("c", "1", (0.0, 1000.0), "weight of exploration; 1 in the paper"), FPU],
        presets: &[],
        make: Make::Tree(|choice, unvisited| {
            Box::new(UcbTuned::new(choice.number("c"), choice.unvisited("fpu", unvisited)))
        }),
    },
    Part {
        name: "rave",
        aliases: &[],
        doc: "Mixes the mean of a move with the mean of all simulations in which it was played later.",
        paper: "Gelly and Silver 2007; Duguépéroux, Mazyad, Teytaud and Dehos 2016",
        own: &[
            number("r", "130", (0.0, 1e9), "visits at which the two means have equal weight (R)"),
            number("k", "0", (0.0, 1000.0), "weight of exploration (K)"),
            FPU,
        ],
        presets: &[],
        make: Make::Tree(|choice, unvisited| {
            Box::new(Rave {
                equivalence: choice.number("r"),
                exploration: choice.number("k"),
                unvisited: choice.unvisited("fpu", unvisited),
            })
        }),
    },
    Part {
        name: "grave",
        aliases: &[],
        doc: "As `rave`, with the statistics of the closest ancestor that was visited often enough.",
        paper: "Cazenave 2015",
        own: &[
            whole(
                "ref",
                "50",
                (0, 1_000_000_000),
                "minimum visits of the node whose statistics are used",
            ),
            number("bias", "1e-5", (0.0, 1e9), "how fast the mean outweighs the statistics"),
            FPU,
        ],
        presets: &[],
        make: Make::Tree(|choice, unvisited| {
            let reference = choice.whole("ref") as u32;
            Box::new(Grave::new(
                reference,
                choice.number("bias"),
                choice.unvisited("fpu", unvisited),
            ))
        }),
    },
    Part {
        name: "puct",
        aliases: &[],
        doc: "Explores in proportion to the prior probability of each move, as the evaluator gives it, and uniformly without one.",
        paper: "Rosin 2011; Silver et al. 2017; Goldwaser and Thielscher 2020 (`alpha`); Wu 2019 (`forced`)",
        own: &[
            number("c", "1.5", (0.0, 1000.0), "weight of exploration"),
            GROWTH,
            PRIOR_FPU,
            REDUCTION,
            number(
                "noise",
                "0",
                (0.0, 1.0),
                "share of Dirichlet noise in the priors of the root; 0.25 in self-play of AlphaZero",
            ),
            number(
                "alpha",
                "10",
                (1e-3, 1e6),
                "concentration of the noise, which the legal moves of the role in that state share",
            ),
            number(
                "forced",
                "0",
                (0.0, 100.0),
                "factor k of forced playouts: a move of the root that was visited has √(k·P·N) visits or more",
            ),
        ],
        presets: &[],
        make: Make::Tree(|choice, _| exploring(choice)),
    },
    Part {
        name: "gumbel",
        aliases: &[],
        doc: "Divides the simulations at the root among sampled moves by sequential halving; `puct` below. For searches with a number of simulations; those with a time limit are `puct`.",
        paper: "Danihelka et al. 2022",
        own: &[
            number("c", "1", (0.0, 1000.0), "weight of exploration below the root"),
            GROWTH,
            PRIOR_FPU,
            REDUCTION,
            whole("considered", "16", (1, 1_000_000), "moves considered at the root"),
            number(
                "visits",
                "50",
                (0.0, 1e6),
                "visits added to those of the most visited move before values are scaled",
            ),
            number("values", "0.2", (0.0, 1000.0), "scale of values relative to priors"),
            number(
                "noise",
                "0",
                (0.0, 100.0),
                "scale of the noise by which moves are sampled; 0 considers those with the highest priors",
            ),
        ],
        presets: &[],
        make: Make::Tree(|choice, _| {
            let improvement =
                Improvement { visits: choice.number("visits"), values: choice.number("values") };
            let n_considered = choice.whole("considered") as usize;
            Box::new(Gumbel::new(puct(choice), n_considered, improvement, choice.number("noise")))
        }),
    },
    Part {
        name: "guided",
        aliases: &[],
        doc: "UCT guided by an evaluation function: `uct(c=0.7) + heuristic` under one name.",
        paper: HEURISTIC_PAPER,
        own: &[
            number("c", "0.7", (0.0, 1000.0), "weight of exploration"),
            ORDER,
            BIAS,
            OPEN,
            REPLACE,
            LEARNING,
            SIMULATIONS,
        ],
        presets: &[],
        make: Make::Guided,
    },
];
