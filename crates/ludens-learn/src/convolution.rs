//! Convolutions of 3 x 3 cells over a board.
//!
//! As `torch.nn.Conv2d(…, kernel_size=3, padding=1)`, with the rows of the board as height and its columns as
//! width. Planes are 0 or 1 and mostly 0, so that the first layer is a sum of rows of weights, as in fully connected
//! networks. In layers above, the windows of cells are gathered into a matrix (im2col), whose product with the weights is
//! that of a dense layer.

use pulp::Arch;
use serde::{Deserialize, Serialize};

use crate::batch::Lists;
use crate::board::{Board, Plane};
use crate::kernel::{self, DenseErrors, Matrix};
use crate::weights::{Layer, Weights};

/// The side of a window.
pub const SIDE: usize = 3;

/// The number of cells in a window.
pub const WINDOW: usize = SIDE * SIDE;

/// Positions whose windows are gathered together: few, so that they stay in the cache, and a multiple of the
/// rows of a register block.
const N_GATHERED: usize = 8;

/// Layers of convolutions over a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Convolutions {
    /// The board.
    pub board: Board,
    /// The number of filters of each layer; at least one layer.
    pub filters: Vec<usize>,
}

impl Convolutions {
    /// The units of the last layer.
    pub fn n_outputs(&self) -> usize {
        let filters = *self.filters.last().expect("there is a layer");
        filters.saturating_mul(self.board.n_cells())
    }

    /// For each layer, the inputs of a unit and the number of filters.
    pub fn sizes(&self) -> Vec<(usize, usize)> {
        let channels = [self.board.n_planes()].into_iter().chain(self.filters.iter().copied());
        let inputs = channels.map(|n| n.saturating_mul(WINDOW));
        inputs.zip(self.filters.iter().copied()).collect()
    }
}

/// Which cells and inputs the windows of a board show.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    n_planes: usize,
    /// The cells of each window, from its upper left to its lower right; none beyond the edge.
    cells: Vec<[Option<u32>; WINDOW]>,
    /// Where each input is.
    places: Vec<Place>,
    exists: Vec<bool>,
    /// A buffer: the true inputs of each window, as rows of weights.
    rows: Vec<Vec<u32>>,
}

/// Where an input is.
#[derive(Clone, Copy, Debug)]
struct Place {
    plane: u32,
    /// None on all cells.
    cell: Option<u32>,
}

impl Windows {
    pub(crate) fn new(board: &Board) -> Self {
        let window = |cell: usize| {
            std::array::from_fn(|i| {
                let column = (cell % board.columns + i % SIDE).checked_sub(1)?;
                let row = (cell / board.columns + i / SIDE).checked_sub(1)?;
                let is_inside = column < board.columns && row < board.rows;
                is_inside.then_some((row * board.columns + column) as u32)
            })
        };
        Windows {
            n_planes: board.n_planes(),
            cells: (0..board.n_cells()).map(window).collect(),
            places: places(board),
            exists: board.existing(),
            rows: vec![Vec::new(); board.n_cells()],
        }
    }

    /// Lists the true inputs of each window, cell after cell of all positions: rows of weights.
    pub(crate) fn read(&mut self, inputs: &Lists, out: &mut Lists) {
        out.clear();
        for position in 0..inputs.len() {
            self.rows.iter_mut().for_each(Vec::clear);
            self.add_everywhere(self.n_planes - 1);
            for &input in inputs.get(position) {
                let Place { plane, cell } = self.places[input as usize];
                match cell {
                    Some(cell) => self.add_cell(plane as usize, cell as usize),
                    None => self.add_everywhere(plane as usize),
                }
            }
            self.rows.iter().for_each(|rows| out.push(rows.iter().copied()));
        }
    }

    /// Adds a cell of a plane to the windows that show it: those of its own window, where it is on the opposite side.
    fn add_cell(&mut self, plane: usize, cell: usize) {
        for (i, other) in self.cells[cell].iter().enumerate() {
            if let Some(other) = other {
                let row = (WINDOW - 1 - i) * self.n_planes + plane;
                self.rows[*other as usize].push(row as u32);
            }
        }
    }

    /// Adds all cells of a plane.
    fn add_everywhere(&mut self, plane: usize) {
        for (window, rows) in self.cells.iter().zip(&mut self.rows) {
            for (i, cell) in window.iter().enumerate() {
                if cell.is_some_and(|cell| self.exists[cell as usize]) {
                    rows.push((i * self.n_planes + plane) as u32);
                }
            }
        }
    }

    /// Copies the units of each window, of which each cell has `n`; zero beyond the edge.
    fn gather(&self, units: Matrix<'_>, n: usize, out: &mut Vec<f32>) {
        out.clear();
        for position in units.values.chunks_exact(self.cells.len() * units.stride) {
            for cell in self.cells.iter().flatten() {
                match cell {
                    Some(cell) => {
                        out.extend_from_slice(&position[*cell as usize * units.stride..][..n]);
                    }
                    None => out.resize(out.len() + n, 0.0),
                }
            }
        }
    }

    /// The opposite of [`gather`](Self::gather): adds the errors of each window to those of its cells.
    fn scatter(&self, windows: &[f32], n: usize, (errors, stride): (&mut [f32], usize)) {
        let positions = errors.chunks_exact_mut(self.cells.len() * stride);
        let windows = windows.chunks_exact(self.cells.len() * WINDOW * n);
        for (position, windows) in positions.zip(windows) {
            for (cell, own) in self.cells.iter().flatten().zip(windows.chunks_exact(n)) {
                let Some(cell) = cell else { continue };
                let errors = &mut position[*cell as usize * stride..][..n];
                errors.iter_mut().zip(own).for_each(|(error, own)| *error += own);
            }
        }
    }
}

fn places(board: &Board) -> Vec<Place> {
    let on_plane = |(plane, shown): (u32, &Plane)| -> Vec<(u32, Place)> {
        match shown {
            Plane::Everywhere(input) => vec![(*input, Place { plane, cell: None })],
            Plane::Cells(inputs) => {
                let place = |(cell, input): (u32, &Option<u32>)| {
                    input.map(|input| (input, Place { plane, cell: Some(cell) }))
                };
                (0..).zip(inputs).filter_map(place).collect()
            }
        }
    };
    let mut places: Vec<(u32, Place)> = (0..).zip(&board.planes).flat_map(on_plane).collect();
    places.sort_unstable_by_key(|(input, _)| *input);
    places.into_iter().map(|(_, place)| place).collect()
}

/// Computes convolutions, with the memory that this needs.
#[derive(Clone, Debug)]
pub(crate) struct Convolver {
    windows: Windows,
    /// The true inputs of each window.
    inputs: Lists,
    /// The units of each layer, cell after cell.
    layers: Vec<Vec<f32>>,
    /// The units of the last layer, filter after filter, as `torch.flatten` has them.
    flat: Vec<f32>,
    gathered: Vec<f32>,
    /// The errors of what was gathered, of the layer at hand, and of the one below.
    gathered_errors: Vec<f32>,
    errors: Vec<f32>,
    below: Vec<f32>,
}

impl Convolver {
    pub(crate) fn new(convolutions: &Convolutions) -> Self {
        Convolver {
            windows: Windows::new(&convolutions.board),
            inputs: Lists::default(),
            layers: vec![Vec::new(); convolutions.filters.len()],
            flat: Vec::new(),
            gathered: Vec::new(),
            gathered_errors: Vec::new(),
            errors: Vec::new(),
            below: Vec::new(),
        }
    }

    /// The units of the last layer, position after position.
    pub(crate) fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// Computes all layers for the true inputs of some positions.
    pub(crate) fn evaluate(&mut self, arch: Arch, weights: &Weights, inputs: &Lists) {
        self.windows.read(inputs, &mut self.inputs);
        let (layer, first) = (&weights.board[0], &mut self.layers[0]);
        first.resize(self.inputs.len() * layer.stride, 0.0);
        kernel::sparse(arch, &self.inputs, rows(weights, layer), weights.biases(layer), first);
        kernel::rectify(arch, first);
        for i in 1..self.layers.len() {
            self.evaluate_layer(arch, weights, i);
        }
        self.flatten(&weights.board[self.layers.len() - 1]);
    }

    fn evaluate_layer(&mut self, arch: Arch, weights: &Weights, i: usize) {
        let (below, layer) = (&weights.board[i - 1], &weights.board[i]);
        let (lower, upper) = self.layers.split_at_mut(i);
        let (units, out) = (&lower[i - 1], &mut upper[0]);
        out.resize(self.inputs.len() * layer.stride, 0.0);
        let n_cells = N_GATHERED * self.windows.cells.len();
        let parts = units.chunks(n_cells * below.stride);
        for (units, out) in parts.zip(out.chunks_mut(n_cells * layer.stride)) {
            let units = Matrix { values: units, stride: below.stride };
            self.windows.gather(units, below.width, &mut self.gathered);
            let x = Matrix { values: &self.gathered, stride: layer.n_rows };
            let biases = weights.biases(layer);
            kernel::dense(arch, (x, layer.n_rows), rows(weights, layer), biases, out);
            kernel::rectify(arch, out);
        }
    }

    /// Copies the units of the last layer from cell after cell to filter after filter.
    fn flatten(&mut self, last: &Layer) {
        let (units, n_cells) = (&self.layers[self.layers.len() - 1], self.windows.cells.len());
        self.flat.clear();
        for position in units.chunks_exact(n_cells * last.stride) {
            for filter in 0..last.width {
                self.flat.extend(position.iter().skip(filter).step_by(last.stride));
            }
        }
    }

    /// The opposite of [`flatten`](Self::flatten) for errors.
    fn unflatten(&mut self, last: &Layer, flat: &[f32]) {
        let n_cells = self.windows.cells.len();
        self.errors.clear();
        self.errors.resize(self.inputs.len() * last.stride, 0.0);
        let positions = self.errors.chunks_exact_mut(n_cells * last.stride);
        for (position, flat) in positions.zip(flat.chunks_exact(n_cells * last.width)) {
            for (filter, flat) in flat.chunks_exact(n_cells).enumerate() {
                let errors = position.iter_mut().skip(filter).step_by(last.stride);
                errors.zip(flat).for_each(|(error, flat)| *error = *flat);
            }
        }
    }

    /// The gradient of all layers, given the errors of the flat units. Those of units that are zero are zero: a dense
    /// layer passes no error on to them.
    pub(crate) fn backpropagate(
        &mut self,
        arch: Arch,
        weights: &Weights,
        flat_errors: &[f32],
        gradient: &mut [f32],
    ) {
        self.unflatten(&weights.board[self.layers.len() - 1], flat_errors);
        for (i, layer) in weights.board.iter().enumerate().rev() {
            let errors = Matrix { values: &self.errors, stride: layer.stride };
            kernel::add_up(arch, errors, &mut gradient[layer.biases..][..layer.stride]);
            let gradient = &mut gradient[layer.weights..][..layer.n_rows * layer.stride];
            if i == 0 {
                kernel::sparse_gradient(arch, &self.inputs, errors, gradient);
            } else {
                self.layer_gradient(arch, weights, i, gradient);
            }
        }
    }

    /// The gradient of a layer above the first; leaves the errors of the layer below in `errors`.
    fn layer_gradient(&mut self, arch: Arch, weights: &Weights, i: usize, gradient: &mut [f32]) {
        let (below, layer) = (&weights.board[i - 1], &weights.board[i]);
        let (windows, units) = (&self.windows, &self.layers[i - 1]);
        self.below.clear();
        self.below.resize(units.len(), 0.0);
        let n_cells = N_GATHERED * windows.cells.len();
        let parts = units.chunks(n_cells * below.stride);
        let parts = parts.zip(self.errors.chunks(n_cells * layer.stride));
        for ((units, above), out) in parts.zip(self.below.chunks_mut(n_cells * below.stride)) {
            let units = Matrix { values: units, stride: below.stride };
            windows.gather(units, below.width, &mut self.gathered);
            self.gathered_errors.resize(self.gathered.len(), 0.0);
            let x = Matrix { values: &self.gathered, stride: layer.n_rows };
            let above = Matrix { values: above, stride: layer.stride };
            let errors = DenseErrors { x, n: layer.n_rows, above };
            let found = &mut self.gathered_errors;
            kernel::dense_gradient(arch, errors, rows(weights, layer), gradient, found);
            windows.scatter(found, below.width, (out, below.stride));
        }
        std::mem::swap(&mut self.errors, &mut self.below);
    }
}

fn rows<'a>(weights: &'a Weights, layer: &Layer) -> Matrix<'a> {
    Matrix { values: weights.rows(layer), stride: layer.stride }
}
