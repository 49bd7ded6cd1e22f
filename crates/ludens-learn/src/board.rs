//! A board in the facts of a game: planes of cells, which convolutions read.
//!
//! A plane has a fact for each cell, such as `(cell 3 4 red)` for the cell in column 3 and row 4. A fact that
//! is on no board, such as `(control red)`, is a plane that is the same on all cells. A last plane is 1 on every
//! cell that exists, so that edges and holes can be told from empty cells.

mod axis;
mod find;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

/// The maximum number of columns or rows.
pub const MAX_SIDE: usize = 64;

/// A board with its planes, as plain data that files store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Board {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The planes; each input is on one of them.
    pub planes: Vec<Plane>,
}

/// What a plane shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plane {
    /// The input of each cell, row by row; none where there is no such fact.
    Cells(Vec<Option<u32>>),
    /// An input that is on no board: the plane is the same on all cells that exist.
    Everywhere(u32),
}

impl Board {
    /// The number of cells, holes included.
    pub fn n_cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The number of planes, with that of all cells that exist.
    pub fn n_planes(&self) -> usize {
        self.planes.len() + 1
    }

    /// Whether each cell exists: a hole has no fact on any plane.
    pub fn existing(&self) -> Vec<bool> {
        let has_fact = |cell: usize| {
            self.planes.iter().any(|plane| match plane {
                Plane::Cells(inputs) => inputs[cell].is_some(),
                Plane::Everywhere(_) => false,
            })
        };
        (0..self.n_cells()).map(has_fact).collect()
    }

    /// Refuses a board that does not show each of this many inputs once.
    pub fn check(&self, n_inputs: usize) -> Result<(), String> {
        let (columns, rows, sides) = (self.columns, self.rows, 1..=MAX_SIDE);
        if !sides.contains(&columns) || !sides.contains(&rows) {
            return Err(format!("its board has {columns} x {rows} cells"));
        }
        let mut is_shown = vec![false; n_inputs];
        for (i, plane) in self.planes.iter().enumerate() {
            let inputs = match plane {
                Plane::Cells(inputs) if inputs.len() != self.n_cells() => {
                    let n = inputs.len();
                    return Err(format!(
                        "plane {i} has {n} cells on a board of {columns} x {rows}"
                    ));
                }
                Plane::Cells(inputs) => &inputs[..],
                Plane::Everywhere(input) => &[Some(*input)],
            };
            for &input in inputs.iter().flatten() {
                let shown = is_shown.get_mut(input as usize);
                let shown =
                    shown.ok_or(format!("plane {i} shows input {input}, which it lacks"))?;
                if std::mem::replace(shown, true) {
                    return Err(format!("its planes show input {input} twice"));
                }
            }
        }
        match is_shown.iter().position(|shown| !shown) {
            Some(input) => Err(format!("no plane shows its input {input}")),
            None => Ok(()),
        }
    }
}
