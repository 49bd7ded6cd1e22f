//! Files with networks: safetensors, which `PyTorch` reads, with a header that says what the network is for.
//!
//! Tensors have the names of the table of layers, as `trunk.0.weight` and `trunk.0.bias`, and the layout of
//! `torch.nn.Linear`: a row for each output. Those of convolutions, as `board.0.weight`, have the layout of
//! `torch.nn.Conv2d`: filter, plane, row and column of the window; the trunk above reads what `torch.flatten` makes
//! of them. The header is JSON under the key `ludens` of the metadata.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;

use ludens_core::Game;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::convolution::{Convolutions, SIDE, WINDOW};
use crate::encoder::{Encoder, Names};
use crate::inputs::InputKind;
use crate::learner::AnyLearner;
use crate::shape::Shape;
use crate::trial::{Trials, Worth};
use crate::weights::{Layer, Weights};

/// The name of the format.
const SCHEMA: &str = "ludens/network/1";

/// The key of the header in the metadata.
const KEY: &str = "ludens";

/// What a network is for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name of the format.
    schema: String,
    /// The game it was trained for.
    pub game: String,
    /// How it was trained, in words.
    pub training: String,
    /// The facts and moves that its inputs and outputs stand for.
    pub names: Names,
    /// What its inputs are computed from the facts.
    #[serde(default)]
    pub inputs: InputKind,
    /// The weight of random playouts beside its values that results suggested.
    #[serde(default)]
    pub playouts: f32,
    /// Trial games against a search with playouts, if there were any.
    #[serde(default)]
    pub trials: Trials,
    /// Its architecture.
    pub shape: Shape,
}

/// A network with its header.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkFile {
    /// What it is for.
    pub header: Header,
    /// Its parameters.
    pub weights: Weights,
}

/// Why a file is not a network.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is damaged, or something else; with the reason.
    Invalid(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(error) => error.fmt(f),
            FileError::Invalid(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        FileError::Io(error)
    }
}

impl NetworkFile {
    /// A network for a game.
    pub fn new(
        game: &str,
        training: &str,
        (names, inputs): (Names, InputKind),
        weights: Weights,
    ) -> Self {
        let (schema, shape) = (SCHEMA.to_owned(), weights.shape.clone());
        let (game, training) = (game.to_owned(), training.to_owned());
        let (playouts, trials) = (0.0, Trials::default());
        let header = Header { schema, game, training, names, inputs, playouts, trials, shape };
        NetworkFile { header, weights }
    }

    /// What a learner has learnt about a game so far.
    pub fn of(game: &str, training: &str, learner: &dyn AnyLearner) -> Self {
        let encoder = learner.encoder();
        let encoded = (encoder.names().clone(), encoder.inputs().kind().clone());
        let mut file = NetworkFile::new(game, training, encoded, (*learner.weights()).clone());
        file.header.playouts = learner.state().share;
        file
    }

    /// What is known about how well it plays.
    pub fn worth(&self) -> Worth {
        Worth { playouts: self.header.playouts, trials: self.header.trials }
    }

    /// The encoder of a game for this network, or why it does not fit the game.
    pub fn encoder<G: Game>(&self, game: &G) -> Result<Encoder, String> {
        Encoder::with_names(game, self.header.names.clone(), self.header.inputs.clone())
    }

    /// Writes a file: completely, or not at all.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        Ok(write_whole(path, &self.to_bytes()?)?)
    }

    /// Reads a file; one that is damaged or something else is refused.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::from_bytes(&std::fs::read(path)?)
    }

    /// The contents of the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let invalid = |error: &dyn fmt::Display| FileError::Invalid(error.to_string());
        let header = serde_json::to_string(&self.header).map_err(|error| invalid(&error))?;
        let metadata = HashMap::from([(KEY.to_owned(), header)]);
        let tensors: Vec<(String, Vec<usize>, Vec<u8>)> =
            layers(&self.weights).iter().flat_map(|layer| layer.tensors(&self.weights)).collect();
        let mut views = Vec::with_capacity(tensors.len());
        for (name, shape, bytes) in &tensors {
            let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
            views.push((name, view.map_err(|error| invalid(&error))?));
        }
        safetensors::serialize(views, Some(metadata)).map_err(|error| invalid(&error))
    }

    /// The network in the contents of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let invalid = |why: String| FileError::Invalid(why);
        let (_, metadata) = SafeTensors::read_metadata(bytes)
            .map_err(|error| invalid(format!("it is damaged, or no safetensors file: {error}")))?;
        let text = metadata.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
        let text = text.ok_or_else(|| {
            invalid("it has no header of ludens: another program has written it".to_owned())
        })?;
        let header: Header = serde_json::from_str(text)
            .map_err(|error| invalid(format!("its header is not valid: {error}")))?;
        if header.schema != SCHEMA {
            return Err(invalid(format!("its format is `{}`, not `{SCHEMA}`", header.schema)));
        }
        check_shape(&header).map_err(invalid)?;
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| invalid(format!("it is damaged: {error}")))?;
        let mut weights = Weights::zeros(&header.shape);
        for layer in layers(&weights) {
            layer.read(&tensors, &mut weights).map_err(invalid)?;
        }
        Ok(NetworkFile { header, weights })
    }
}

/// Writes a file: completely, or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    std::fs::write(&part, bytes)?;
    std::fs::rename(&part, path)
}

/// The largest number of parameters that is read: a file must not take all memory.
const MAX_PARAMETERS: usize = 1 << 30;

/// Whether the architecture is possible and has the inputs and outputs that are named.
fn check_shape(header: &Header) -> Result<(), String> {
    let Header { names, inputs, shape, .. } = header;
    let n_moves: Vec<usize> = shape.branches.iter().map(|branch| branch.n_moves).collect();
    let named: Vec<usize> = names.moves.iter().map(Vec::len).collect();
    let convolutions = shape.front.convolutions();
    let filters = convolutions.map_or(&[][..], |convolutions| &convolutions.filters[..]);
    let widths = shape.trunk.iter().chain(shape.branches.iter().flat_map(|b| &b.hidden));
    let is_empty = shape.trunk.is_empty() || convolutions.is_some() && filters.is_empty();
    if is_empty || widths.chain(filters).any(|&width| width == 0) {
        return Err("its architecture has an empty layer".to_owned());
    }
    if !(0.0..=1.0).contains(&header.playouts) {
        return Err(format!("the weight of playouts is {}, not from 0 to 1", header.playouts));
    }
    if !header.trials.are_valid() {
        return Err("the result of its trial games is impossible".to_owned());
    }
    let n_facts = names.facts.len();
    if !inputs.is_valid(n_facts) || shape.n_inputs != inputs.n_inputs(n_facts) || n_moves != named {
        return Err("its architecture does not fit the facts and moves that it names".to_owned());
    }
    if let Some(Convolutions { board, .. }) = convolutions {
        board.check(shape.n_inputs)?;
    }
    let product = |(_, from, to): &(String, usize, usize)| from.checked_add(1)?.checked_mul(*to);
    let sizes: Option<Vec<usize>> = shape.layers().iter().map(product).collect();
    let total = sizes.and_then(|sizes| sizes.iter().try_fold(0usize, |sum, n| sum.checked_add(*n)));
    match total {
        Some(total) if total <= MAX_PARAMETERS => Ok(()),
        _ => Err(format!("its architecture has more than {MAX_PARAMETERS} parameters")),
    }
}

/// A layer with its name in the file.
struct NamedLayer {
    name: String,
    layer: Layer,
    kind: Kind,
}

/// How a layer is in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Rows are outputs, as in the file.
    Head,
    /// Rows are inputs.
    Hidden,
    /// Rows are inputs, plane after plane in each cell of a window; in the file it is cell after cell in each
    /// plane.
    Convolution,
}

/// All layers, in the order of the table.
fn layers(weights: &Weights) -> Vec<NamedLayer> {
    let board = weights.board.iter().map(|&layer| (layer, Kind::Convolution));
    let trunk = weights.trunk.iter().map(|&layer| (layer, Kind::Hidden));
    let roles = weights.roles.iter().flat_map(|role| {
        let hidden = role.hidden.iter().map(|&layer| (layer, Kind::Hidden));
        hidden.chain([(role.policy, Kind::Head), (role.payoff, Kind::Head)])
    });
    let names = weights.shape.layers().into_iter().map(|(name, _, _)| name);
    let named = |(name, (layer, kind))| NamedLayer { name, layer, kind };
    names.zip(board.chain(trunk).chain(roles)).map(named).collect()
}

impl NamedLayer {
    /// The number of outputs and of inputs.
    fn size(&self) -> (usize, usize) {
        let Layer { n_rows, width, .. } = self.layer;
        if self.kind == Kind::Head { (n_rows, width) } else { (width, n_rows) }
    }

    /// The shape of its weights in the file.
    fn tensor_shape(&self) -> Vec<usize> {
        let (n_outputs, n_inputs) = self.size();
        match self.kind {
            Kind::Convolution => vec![n_outputs, n_inputs / WINDOW, SIDE, SIDE],
            Kind::Head | Kind::Hidden => vec![n_outputs, n_inputs],
        }
    }

    /// Where the weight from an input to an output is in memory.
    fn place(&self, output: usize, input: usize) -> usize {
        let n_planes = self.layer.n_rows / WINDOW;
        let (row, column) = match self.kind {
            Kind::Head => (output, input),
            Kind::Hidden => (input, output),
            Kind::Convolution => (input % WINDOW * n_planes + input / WINDOW, output),
        };
        self.layer.weights + row * self.layer.stride + column
    }

    /// Where all weights of an output after another are in memory, and then all biases.
    fn places(&self) -> (Vec<usize>, Vec<usize>) {
        let (n_outputs, n_inputs) = self.size();
        let row = |output| (0..n_inputs).map(move |input| self.place(output, input));
        let weights = (0..n_outputs).flat_map(row).collect();
        (weights, (0..n_outputs).map(|output| self.layer.biases + output).collect())
    }

    /// Its tensors: name, shape, contents.
    fn tensors(&self, weights: &Weights) -> [(String, Vec<usize>, Vec<u8>); 2] {
        let (n_outputs, _) = self.size();
        let bytes = |places: &[usize]| -> Vec<u8> {
            places.iter().flat_map(|&place| weights.values[place].to_le_bytes()).collect()
        };
        let (weight, bias) = self.places();
        [
            (format!("{}.weight", self.name), self.tensor_shape(), bytes(&weight)),
            (format!("{}.bias", self.name), vec![n_outputs], bytes(&bias)),
        ]
    }

    /// Reads its tensors.
    fn read(&self, tensors: &SafeTensors<'_>, weights: &mut Weights) -> Result<(), String> {
        let (n_outputs, _) = self.size();
        let (weight, bias) = self.places();
        let parts = [("weight", self.tensor_shape(), weight), ("bias", vec![n_outputs], bias)];
        for (kind, shape, places) in parts {
            let name = format!("{}.{kind}", self.name);
            let tensor = tensors.tensor(&name).map_err(|_| format!("it has no tensor `{name}`"))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
                return Err(format!(
                    "its tensor `{name}` is {:?} {:?}, not F32 {shape:?}",
                    tensor.dtype(),
                    tensor.shape()
                ));
            }
            for (&place, bytes) in places.iter().zip(tensor.data().as_chunks::<4>().0) {
                let value = f32::from_le_bytes(*bytes);
                if !value.is_finite() {
                    return Err(format!("its tensor `{name}` has a number that is not finite"));
                }
                weights.values[place] = value;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Branch, Front};
    use ludens_core::Rng;

    fn file() -> NetworkFile {
        let shape = Shape {
            n_inputs: 3,
            front: Front::Inputs,
            trunk: vec![20, 5],
            branches: vec![
                Branch { hidden: vec![4], n_moves: 2 },
                Branch { hidden: vec![], n_moves: 1 },
            ],
        };
        let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let names = Names {
            facts: strings(&["a", "b", "(c 1)"]),
            moves: vec![strings(&["x", "y"]), strings(&["noop"])],
        };
        let weights = Weights::random(&shape, 2.0, &mut Rng::new(4));
        NetworkFile::new("game", "by hand", (names, InputKind::Facts), weights)
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let (file, directory) = (file(), tempfile::tempdir().unwrap());
        let path = directory.path().join("network.safetensors");
        file.write(&path).unwrap();
        assert_eq!(NetworkFile::read(&path).unwrap(), file);
        let bytes = std::fs::read(&path).unwrap();
        let tensors = SafeTensors::deserialize(&bytes).unwrap();
        let tensor = tensors.tensor("trunk.1.weight").unwrap();
        assert_eq!(tensor.shape(), [5, 20], "a row for each output");
        let first = f32::from_le_bytes(*tensor.data().as_chunks::<4>().0[1..].first().unwrap());
        let expected = file.weights.row(&file.weights.trunk[1], 1)[0];
        assert_eq!(first.to_bits(), expected.to_bits());
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let bytes = file().to_bytes().unwrap();
        let refused = |bytes: &[u8]| NetworkFile::from_bytes(bytes).unwrap_err().to_string();
        for damaged in [b"hello", &bytes[..bytes.len() - 8], &bytes[..9]] {
            assert!(refused(damaged).contains("damaged"), "{}", refused(damaged));
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(text.contains("ludens/network/1"));
        let mut other = bytes.clone();
        let at = text.find("ludens/network/1").unwrap();
        other[at + 15] = b'7';
        assert!(refused(&other).contains("ludens/network/7"));
        let mut nan = bytes.clone();
        let end = nan.len();
        nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(refused(&nan).contains("not finite"));
        let empty: Vec<(String, TensorView<'_>)> = Vec::new();
        assert!(refused(&safetensors::serialize(empty, None).unwrap()).contains("no header"));
        let mut wrong = file();
        wrong.header.names.facts.pop();
        assert!(refused(&wrong.to_bytes().unwrap()).contains("facts and moves"));
        let mut heavy = file();
        heavy.header.playouts = 1.5;
        assert!(refused(&heavy.to_bytes().unwrap()).contains("weight of playouts is 1.5"));
    }
}
