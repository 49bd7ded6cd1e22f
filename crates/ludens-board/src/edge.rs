//! Facts that join two neighbouring cells, such as the lines of dots and boxes.

use crate::detect::{Placed, union};
use crate::fluent::{Fluent, Row, Survey};
use crate::frame::Frame;
use crate::grid::{Edge, Topology};

/// The minimum number of known facts.
const MIN_FACTS: usize = 4;

/// A fluent with the coordinates of two neighbours.
#[derive(Clone, Debug)]
pub(crate) struct EdgeLayer {
    /// Name of the fluent.
    pub name: String,
    /// Its number of arguments.
    pub arity: usize,
    /// Column and row of one cell, then of the other.
    pub args: [usize; 4],
}

impl EdgeLayer {
    /// The edge of a fact.
    pub fn edge(&self, frame: &Frame, row: &[String]) -> Option<Edge> {
        let [x1, y1, x2, y2] = self.args;
        let place = |x: usize, y: usize| frame.at(row.get(x)?, row.get(y)?);
        Some(Edge { from: place(x1, y1)?, to: place(x2, y2)? })
    }
}

/// Finds the fluents that join neighbours, and extends the board to all their cells.
pub(crate) fn edge_layers(survey: &Survey, frame: &mut Frame, placed: &[Placed]) -> Vec<EdgeLayer> {
    let Some((_, first)) = placed.first() else { return Vec::new() };
    let Some(y) = first.y.filter(|y| y.arg != first.x.arg) else { return Vec::new() };
    if frame.across.len() * frame.down.len() > 1 || frame.topology != Topology::Square {
        return Vec::new();
    }
    let column_first = first.x.arg < y.arg;
    let free = |index: usize| placed.iter().all(|(other, _)| *other != index);
    let fluents = survey.fluents.iter().enumerate().filter(|(index, _)| free(*index));
    let mut layers = Vec::new();
    for (_, fluent) in fluents {
        if let Some((layer, grown)) = edge_layer(survey, frame, column_first, fluent) {
            *frame = grown;
            layers.push(layer);
        }
    }
    layers
}

fn edge_layer(
    survey: &Survey,
    frame: &Frame,
    column_first: bool,
    fluent: &Fluent,
) -> Option<(EdgeLayer, Frame)> {
    let rows: Vec<&Row> = fluent.rows().chain(fluent.possible.iter().flatten()).collect();
    if !(4..=5).contains(&fluent.arity) || rows.len() < MIN_FACTS {
        return None;
    }
    (0..=fluent.arity - 4).find_map(|at| {
        let args = if column_first { [0, 1, 2, 3] } else { [1, 0, 3, 2] }.map(|arg| at + arg);
        let layer = EdgeLayer { name: fluent.name.clone(), arity: fluent.arity, args };
        let both =
            |a: usize, b: usize| fluent.seen[a].iter().chain(&fluent.seen[b]).cloned().collect();
        let mut grown = frame.clone();
        grown.columns = union(survey, &frame.columns, both(args[0], args[2]));
        grown.rows = union(survey, &frame.rows, both(args[1], args[3]));
        let little = grown.columns.len() <= frame.columns.len() + 1
            && grown.rows.len() <= frame.rows.len() + 1;
        let fits = |row: &&Row| layer.edge(&grown, row).is_some_and(|edge| edge.joins_neighbours());
        (little && rows.iter().all(fits)).then_some((layer, grown))
    })
}
