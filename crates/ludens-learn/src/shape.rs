//! The architecture of a network.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::convolution::Convolutions;

/// Fully connected layers: a trunk that all roles share, and a branch for each role with its policy and its
/// payoff. Below the trunk there may be convolutions.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The number of inputs, each 0 or 1.
    pub n_inputs: usize,
    /// What is below the trunk. Files of networks without convolutions do not have it.
    #[serde(default, skip_serializing_if = "Front::is_inputs")]
    pub front: Front,
    /// The widths of the trunk's layers; at least one.
    pub trunk: Vec<usize>,
    /// One for each role.
    pub branches: Vec<Branch>,
}

/// What is below the trunk.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Front {
    /// The inputs.
    #[default]
    Inputs,
    /// The inputs too: convolutions were wanted, but the game has no board.
    NoBoard,
    /// Convolutions over a board of inputs.
    Convolutions(Convolutions),
}

impl Front {
    /// Its convolutions, if it has any.
    pub fn convolutions(&self) -> Option<&Convolutions> {
        match self {
            Front::Convolutions(convolutions) => Some(convolutions),
            Front::Inputs | Front::NoBoard => None,
        }
    }

    /// The same with one layer of convolutions.
    pub(crate) fn shallow(&self) -> Self {
        let mut front = self.clone();
        if let Front::Convolutions(Convolutions { filters, .. }) = &mut front {
            filters.truncate(1);
        }
        front
    }

    fn is_inputs(&self) -> bool {
        *self == Front::Inputs
    }
}

/// The layers of one role.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The widths of its hidden layers.
    pub hidden: Vec<usize>,
    /// The number of moves of the role.
    pub n_moves: usize,
}

impl Shape {
    /// A network whose roles share all hidden layers.
    pub fn shared(n_inputs: usize, trunk: &[usize], n_moves: &[usize]) -> Self {
        let branch = |&n_moves: &usize| Branch { hidden: Vec::new(), n_moves };
        let branches = n_moves.iter().map(branch).collect();
        Shape { n_inputs, front: Front::Inputs, trunk: trunk.to_vec(), branches }
    }

    /// What the first layer of the trunk reads: inputs, or the units of convolutions.
    pub fn trunk_inputs(&self) -> usize {
        self.front.convolutions().map_or(self.n_inputs, Convolutions::n_outputs)
    }

    /// The width of the last trunk layer.
    pub fn trunk_width(&self) -> usize {
        *self.trunk.last().expect("the trunk has a layer")
    }

    /// The width of the last hidden layer of a role.
    pub fn branch_width(&self, role_idx: usize) -> usize {
        self.branches[role_idx].hidden.last().copied().unwrap_or(self.trunk_width())
    }

    /// Every layer: its name, the inputs of one of its units, and its outputs. The outputs of a convolution
    /// are filters.
    pub fn layers(&self) -> Vec<(String, usize, usize)> {
        let convolutions = self.front.convolutions().map_or(Vec::new(), Convolutions::sizes);
        let convolutions = convolutions.into_iter().enumerate();
        let mut layers: Vec<_> =
            convolutions.map(|(i, (from, to))| (format!("board.{i}"), from, to)).collect();
        let mut width = self.trunk_inputs();
        for (i, &next) in self.trunk.iter().enumerate() {
            layers.push((format!("trunk.{i}"), width, next));
            width = next;
        }
        for (role, branch) in self.branches.iter().enumerate() {
            let mut width = self.trunk_width();
            for (i, &next) in branch.hidden.iter().enumerate() {
                layers.push((format!("role.{role}.{i}"), width, next));
                width = next;
            }
            layers.push((format!("role.{role}.policy"), width, branch.n_moves));
            layers.push((format!("role.{role}.payoff"), width, 1));
        }
        layers
    }

    /// The number of weights and biases.
    pub fn n_parameters(&self) -> usize {
        self.layers().iter().map(|(_, from, to)| (from + 1) * to).sum()
    }
}

/// Without a front that is only inputs: checkpoints compare this text, and those of earlier versions do not have it.
impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Shape");
        text.field("n_inputs", &self.n_inputs);
        if !self.front.is_inputs() {
            text.field("front", &self.front);
        }
        text.field("trunk", &self.trunk).field("branches", &self.branches).finish()
    }
}

/// The table of layers.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.front {
            Front::Inputs => {}
            Front::NoBoard => writeln!(f, "no board was found: all layers are fully connected")?,
            Front::Convolutions(Convolutions { board, .. }) => {
                let Board { columns, rows, .. } = board;
                let planes = board.n_planes();
                writeln!(
                    f,
                    "board of {columns} x {rows} cells, {planes} planes, windows of 3 x 3"
                )?;
            }
        }
        writeln!(f, "{:<16} {:>8} {:>8} {:>12}", "LAYER", "INPUTS", "OUTPUTS", "PARAMETERS")?;
        for (name, from, to) in self.layers() {
            writeln!(f, "{name:<16} {from:>8} {to:>8} {:>12}", (from + 1) * to)?;
        }
        write!(f, "{:<16} {:>8} {:>8} {:>12}", "all", "", "", self.n_parameters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_weights_and_biases() {
        let shape = Shape {
            n_inputs: 5,
            front: Front::Inputs,
            trunk: vec![4, 3],
            branches: vec![
                Branch { hidden: vec![2], n_moves: 7 },
                Branch { hidden: vec![], n_moves: 1 },
            ],
        };
        let sizes: Vec<_> = shape.layers().iter().map(|&(_, from, to)| (from, to)).collect();
        assert_eq!(sizes, [(5, 4), (4, 3), (3, 2), (2, 7), (2, 1), (3, 1), (3, 1)]);
        assert_eq!(shape.n_parameters(), 24 + 15 + 8 + 21 + 3 + 4 + 4);
        assert_eq!((shape.branch_width(0), shape.branch_width(1)), (2, 3));
        assert!(shape.to_string().ends_with("79"));
    }
}
