//! Architectures: how the layers of a network follow from the numbers of its inputs and moves.

use std::fmt;
use std::str::FromStr;

use ludens_core::{Game, Rng, Spec};

use crate::inputs::InputKind;
use crate::shape::{Branch, Shape};

/// How the layers of a network follow from the game. The text form is a name with parameters, such as
/// `ggpzero(depth=20)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Architecture {
    /// A small trunk with these widths, made for CPUs; the heads of all roles follow it.
    Compact(Vec<usize>),
    /// Layers as wide as there are inputs (Gunawan et al. 2020, the fully connected form).
    GgpZero {
        /// The number of layers.
        depth: usize,
    },
    /// Layers that shrink to 50 units, from which those of each role grow (Goldwaser and Thielscher 2020,
    /// algorithm 1).
    Gaz,
}

/// The widths of `compact`, unless others are given.
const COMPACT: [usize; 2] = [256, 128];

/// The depth of `ggpzero`, unless another is given.
const DEPTH: usize = 20;

/// The largest depth and width.
const MAX_DEPTH: usize = 1000;
const MAX_WIDTH: usize = 65_536;

/// The smallest layer of `gaz`.
const MIN_SIZE: usize = 50;

impl Default for Architecture {
    fn default() -> Self {
        Architecture::Compact(COMPACT.to_vec())
    }
}

impl Architecture {
    /// What the network reads of a state: the facts (`ggpzero`), all nodes of the rules (`gaz`), or the facts
    /// and what is worth computing from them.
    pub fn inputs<G: Game>(&self, game: &G, rng: &mut Rng) -> InputKind {
        match self {
            Architecture::Compact(_) => InputKind::enriched(game, rng),
            Architecture::GgpZero { .. } => InputKind::Facts,
            Architecture::Gaz => InputKind::nodes(game),
        }
    }

    /// The layers for these inputs and moves of each role.
    pub fn shape(&self, n_inputs: usize, n_moves: &[usize]) -> Shape {
        match self {
            Architecture::Compact(widths) => Shape::shared(n_inputs, widths, n_moves),
            Architecture::GgpZero { depth } => {
                Shape::shared(n_inputs, &vec![n_inputs.max(1); *depth], n_moves)
            }
            Architecture::Gaz => {
                let branch = |&n_moves: &usize| Branch { hidden: doubling(n_moves), n_moves };
                let branches = n_moves.iter().map(branch).collect();
                Shape { n_inputs, trunk: halving(n_inputs), branches }
            }
        }
    }
}

/// The trunk of `gaz`: as many units as inputs, half of them, and so on as long as there are 50; then 50.
fn halving(n_inputs: usize) -> Vec<usize> {
    let sizes = std::iter::successors(Some(n_inputs), |size| Some(size / 2));
    sizes.take_while(|&size| size >= MIN_SIZE).chain([MIN_SIZE]).collect()
}

/// The layers of a role of `gaz`: 50 units, twice as many, and so on, up to the number of its moves.
fn doubling(n_moves: usize) -> Vec<usize> {
    let sizes = std::iter::successors(Some(MIN_SIZE), |size| size.checked_mul(2));
    sizes.take_while(|&size| size <= n_moves).collect()
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Architecture::Compact(widths) if *widths == COMPACT => f.write_str("compact"),
            Architecture::Compact(widths) => {
                let widths: Vec<_> = widths.iter().map(usize::to_string).collect();
                write!(f, "compact(widths={})", widths.join("-"))
            }
            Architecture::GgpZero { depth } => write!(f, "ggpzero(depth={depth})"),
            Architecture::Gaz => f.write_str("gaz"),
        }
    }
}

impl FromStr for Architecture {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let spec = Spec::parse(text).map_err(|error| error.to_string())?;
        let known: &[&str] = match spec.name.as_str() {
            "compact" => &["widths"],
            "ggpzero" => &["depth"],
            "gaz" => &[],
            name => {
                return Err(format!(
                    "no network is called `{name}`; there are `compact`, `ggpzero` and `gaz`"
                ));
            }
        };
        if let Some((key, _)) = spec.args.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            return Err(format!("`{}` has no parameter `{key}`", spec.name));
        }
        if let Some((key, _)) = spec.args.iter().find(|(_, value)| value.is_none()) {
            return Err(format!("`{key}` needs a value, such as `{}`", Architecture::example(key)));
        }
        Ok(match spec.name.as_str() {
            "ggpzero" => {
                let depth = spec.value("depth").map_or(Ok(DEPTH), |text| number(text, MAX_DEPTH));
                Architecture::GgpZero { depth: depth? }
            }
            "gaz" => Architecture::Gaz,
            _ => match spec.value("widths") {
                Some(text) => {
                    let widths = text.split('-').map(|width| number(width, MAX_WIDTH));
                    Architecture::Compact(widths.collect::<Result<_, _>>()?)
                }
                None => Architecture::default(),
            },
        })
    }
}

impl Architecture {
    fn example(key: &str) -> &'static str {
        if key == "depth" { "ggpzero(depth=5)" } else { "compact(widths=256-128)" }
    }
}

fn number(text: &str, max: usize) -> Result<usize, String> {
    let valid = |n: &usize| (1..=max).contains(n);
    let wrong = || format!("`{text}` is not a whole number from 1 to {max}");
    text.parse().ok().filter(valid).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs and outputs of each layer, and the number of parameters.
    fn check(text: &str, n_inputs: usize, n_moves: &[usize], layers: &[(usize, usize)], n: usize) {
        let shape = text.parse::<Architecture>().unwrap().shape(n_inputs, n_moves);
        let sizes: Vec<_> = shape.layers().iter().map(|&(_, from, to)| (from, to)).collect();
        assert_eq!(sizes, layers, "{text}, {n_inputs} inputs");
        assert_eq!(shape.n_parameters(), n, "{text}, {n_inputs} inputs");
    }

    #[test]
    fn layers_are_those_of_the_papers() {
        let trunk = [(200, 200), (200, 100), (100, 50), (50, 50)];
        let roles = [(50, 9), (50, 1), (50, 50), (50, 100), (100, 130), (100, 1)];
        check("gaz", 200, &[9, 130], &[&trunk[..], &roles].concat(), 89_291);
        // An odd number of units is halved downwards: 101, 50, and 50 at the end.
        check("gaz", 101, &[2], &[(101, 101), (101, 50), (50, 50), (50, 2), (50, 1)], 18_105);
        check("gaz", 49, &[3, 1], &[(49, 50), (50, 3), (50, 1), (50, 1), (50, 1)], 2_806);
        check("gaz", 1, &[50], &[(1, 50), (50, 50), (50, 50), (50, 1)], 5_251);
        let heads = [(29, 9), (29, 1), (29, 9), (29, 1)];
        check("ggpzero(depth=3)", 29, &[9, 9], &[&[(29, 29); 3][..], &heads].concat(), 3_210);
        check("ggpzero(depth=1)", 1, &[2], &[(1, 1), (1, 2), (1, 1)], 8);
        check("compact", 10, &[4], &[(10, 256), (256, 128), (128, 4), (128, 1)], 36_357);
        check("compact(widths=3)", 10, &[4], &[(10, 3), (3, 4), (3, 1)], 53);
        assert_eq!("ggpzero".parse::<Architecture>().unwrap().shape(7, &[1]).trunk, [7; 20]);
    }

    #[test]
    fn texts_round_trip() {
        for text in ["compact", "compact(widths=64-32-16)", "ggpzero(depth=100)", "gaz"] {
            assert_eq!(text.parse::<Architecture>().unwrap().to_string(), text);
        }
        for (text, why) in [
            ("resnet", "no network is called `resnet`; there are"),
            ("gaz(depth=3)", "`gaz` has no parameter `depth`"),
            ("ggpzero(depth)", "`depth` needs a value, such as `ggpzero(depth=5)`"),
            ("ggpzero(depth=0)", "`0` is not a whole number from 1 to 1000"),
            ("compact(widths=8--8)", "`` is not a whole number from 1 to 65536"),
            ("ggpzero(", "expected the name of a parameter at character 9"),
        ] {
            let error = text.parse::<Architecture>().unwrap_err();
            assert!(error.starts_with(why), "{text}: {error}");
        }
    }
}
