//! Architectures: how the layers of a network follow from the numbers of its inputs and moves.

use std::fmt;
use std::str::FromStr;

use ludens_core::{Game, Rng, Spec};

use crate::board::Board;
use crate::convolution::Convolutions;
use crate::encoder::Encoder;
use crate::inputs::InputKind;
use crate::shape::{Branch, Front, Shape};

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
    /// Convolutions over the board, and a fully connected layer above them (Gunawan et al. 2020, the convolutional
    /// form, of which the paper gives no sizes). Without a board it is the fully connected form.
    Convolutional {
        /// The number of convolutions.
        depth: usize,
        /// The filters of each.
        filters: usize,
    },
    /// Layers that shrink to 50 units, from which those of each role grow (Goldwaser and Thielscher 2020,
    /// algorithm 1).
    Gaz,
}

/// The widths of `compact`, unless others are given.
const COMPACT: [usize; 2] = [256, 128];

/// The depth of `ggpzero`, unless another is given.
const DEPTH: usize = 20;

/// The depth and the filters of `ggpzero(conv)`, unless others are given, and the width of the layer above.
const CONVOLUTIONS: usize = 4;
const FILTERS: usize = 32;
const ABOVE_CONVOLUTIONS: usize = 128;

/// The largest depth and width, and the most filters.
const MAX_DEPTH: usize = 1000;
const MAX_WIDTH: usize = 65_536;
const MAX_FILTERS: usize = 1024;

/// The smallest layer of `gaz`.
const MIN_SIZE: usize = 50;

impl Default for Architecture {
    fn default() -> Self {
        Architecture::Compact(COMPACT.to_vec())
    }
}

impl Architecture {
    /// The inputs and outputs of a network for a game, and its layers; `None` if the facts or moves of the game
    /// are not known in advance. The seed is that of the training: random games show what blocks a line, and
    /// where the board is.
    pub fn of_game<G: Game>(&self, game: &G, seed: u64) -> Option<(Encoder, Shape)> {
        let rng = |stream| Rng::stream(seed, &[stream]);
        let encoder = Encoder::with_inputs(game, self.inputs(game, &mut rng(4)))?;
        let board = self.board(game, &encoder, &mut rng(6));
        let shape = self.shape_on(board, encoder.n_inputs(), &encoder.n_moves());
        Some((encoder, shape))
    }

    /// What the network reads of a state: the facts (`ggpzero`), all nodes of the rules (`gaz`), or the facts
    /// and what is worth computing from them.
    pub fn inputs<G: Game>(&self, game: &G, rng: &mut Rng) -> InputKind {
        match self {
            Architecture::Compact(_) => InputKind::enriched(game, rng),
            Architecture::GgpZero { .. } | Architecture::Convolutional { .. } => InputKind::Facts,
            Architecture::Gaz => InputKind::nodes(game),
        }
    }

    /// The board of a game, if the network reads it and the game has one.
    pub fn board<G: Game>(&self, game: &G, encoder: &Encoder, rng: &mut Rng) -> Option<Board> {
        let reads_it = matches!(self, Architecture::Convolutional { .. });
        if reads_it { Board::find(game, encoder, rng) } else { None }
    }

    /// The layers for these inputs and moves of each role, without a board.
    pub fn shape(&self, n_inputs: usize, n_moves: &[usize]) -> Shape {
        self.shape_on(None, n_inputs, n_moves)
    }

    /// The layers for these inputs, which a board shows if there is one, and moves of each role.
    pub fn shape_on(&self, board: Option<Board>, n_inputs: usize, n_moves: &[usize]) -> Shape {
        let uniform = |depth| Shape::shared(n_inputs, &vec![n_inputs.max(1); depth], n_moves);
        match (self, board) {
            (Architecture::Compact(widths), _) => Shape::shared(n_inputs, widths, n_moves),
            (Architecture::GgpZero { depth }, _) => uniform(*depth),
            (Architecture::Convolutional { depth, .. }, None) => {
                Shape { front: Front::NoBoard, ..uniform(*depth) }
            }
            (Architecture::Convolutional { depth, filters }, Some(board)) => {
                let convolutions = Convolutions { board, filters: vec![*filters; *depth] };
                let trunk = Shape::shared(n_inputs, &[ABOVE_CONVOLUTIONS], n_moves);
                Shape { front: Front::Convolutions(convolutions), ..trunk }
            }
            (Architecture::Gaz, _) => {
                let branch = |&n_moves: &usize| Branch { hidden: doubling(n_moves), n_moves };
                let branches = n_moves.iter().map(branch).collect();
                Shape { n_inputs, front: Front::Inputs, trunk: halving(n_inputs), branches }
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
            Architecture::Convolutional { depth, filters } => {
                write!(f, "ggpzero(conv, depth={depth}, filters={filters})")
            }
            Architecture::Gaz => f.write_str("gaz"),
        }
    }
}

impl FromStr for Architecture {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let spec = Spec::parse(text).map_err(|error| error.to_string())?;
        let is_convolutional = spec.args.iter().any(|(key, _)| key == "conv");
        let known: &[&str] = match spec.name.as_str() {
            "compact" => &["widths"],
            "ggpzero" if is_convolutional => &["conv", "depth", "filters"],
            "ggpzero" => &["depth"],
            "gaz" => &[],
            name => {
                return Err(format!(
                    "no network is called `{name}`; there are `compact`, `ggpzero` and `gaz`"
                ));
            }
        };
        check_parameters(&spec, known)?;
        let number_of =
            |key: &str, usual, max| spec.value(key).map_or(Ok(usual), |text| number(text, max));
        Ok(match spec.name.as_str() {
            "ggpzero" if is_convolutional => Architecture::Convolutional {
                depth: number_of("depth", CONVOLUTIONS, MAX_DEPTH)?,
                filters: number_of("filters", FILTERS, MAX_FILTERS)?,
            },
            "ggpzero" => Architecture::GgpZero { depth: number_of("depth", DEPTH, MAX_DEPTH)? },
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

/// Refuses parameters that are not known, and those that lack a value or have one too many.
fn check_parameters(spec: &Spec, known: &[&str]) -> Result<(), String> {
    for (key, value) in &spec.args {
        let is_flag = key == "conv";
        if spec.name == "ggpzero" && key == "filters" && !known.contains(&"filters") {
            return Err("`filters` are those of convolutions: `ggpzero(conv, filters=32)`".into());
        }
        if !known.contains(&key.as_str()) {
            return Err(format!("`{}` has no parameter `{key}`", spec.name));
        }
        if is_flag && value.is_some() {
            return Err("`conv` has no value: `ggpzero(conv)`".into());
        }
        if !is_flag && value.is_none() {
            return Err(format!("`{key}` needs a value, such as `{}`", example(key)));
        }
    }
    Ok(())
}

fn example(key: &str) -> &'static str {
    match key {
        "depth" => "ggpzero(depth=5)",
        "filters" => "ggpzero(conv, filters=32)",
        _ => "compact(widths=256-128)",
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
        for text in [
            "compact",
            "compact(widths=64-32-16)",
            "ggpzero(depth=100)",
            "ggpzero(conv, depth=2, filters=7)",
            "gaz",
        ] {
            assert_eq!(text.parse::<Architecture>().unwrap().to_string(), text);
        }
        let usual: Architecture = "ggpzero(conv)".parse().unwrap();
        assert_eq!(usual.to_string(), "ggpzero(conv, depth=4, filters=32)");
        for (text, why) in [
            ("resnet", "no network is called `resnet`; there are"),
            ("gaz(depth=3)", "`gaz` has no parameter `depth`"),
            ("ggpzero(depth)", "`depth` needs a value, such as `ggpzero(depth=5)`"),
            ("ggpzero(conv, depth)", "`depth` needs a value, such as `ggpzero(depth=5)`"),
            ("ggpzero(conv=3)", "`conv` has no value: `ggpzero(conv)`"),
            ("ggpzero(conv, filters=1025)", "`1025` is not a whole number from 1 to 1024"),
            ("ggpzero(filters=3)", "`filters` are those of convolutions: `ggpzero(conv, f"),
            ("gaz(conv)", "`gaz` has no parameter `conv`"),
            ("ggpzero(depth=0)", "`0` is not a whole number from 1 to 1000"),
            ("compact(widths=8--8)", "`` is not a whole number from 1 to 65536"),
            ("ggpzero(", "expected the name of a parameter at character 9"),
        ] {
            let error = text.parse::<Architecture>().unwrap_err();
            assert!(error.starts_with(why), "{text}: {error}");
        }
    }
}
