//! A fluent that puts its facts on the board.

use std::collections::BTreeSet;

use crate::coordinate::Coordinate;
use crate::fact::Fact;

/// Where a layer finds the block that a fact belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Panel {
    /// Always the same one.
    Fixed(usize),
    /// An argument says.
    Given(Coordinate),
}

/// A fluent whose facts stand on the board.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Name of the fluent.
    pub name: String,
    /// Its number of arguments.
    pub arity: usize,
    /// Which argument is the column.
    pub x: Coordinate,
    /// Which argument is the row; none if there is only one.
    pub y: Option<Coordinate>,
    /// Which block from the left.
    pub across: Panel,
    /// Which block in the other direction.
    pub down: Panel,
    /// The arguments that say what stands there; none if the fact itself says so.
    pub content: Vec<usize>,
    /// Whether the name belongs to the content, since another layer has the same contents.
    pub named: bool,
    /// Contents that mean an empty cell.
    pub empty: BTreeSet<String>,
}

impl Layer {
    /// Whether a fact belongs to the layer.
    pub fn holds(&self, fact: &Fact) -> bool {
        fact.name == self.name && fact.args.len() == self.arity
    }

    /// What a fact with these arguments puts into its cell.
    pub fn text(&self, args: &[String]) -> String {
        let name = (self.named || self.content.is_empty()).then_some(&self.name);
        let words = self.content.iter().filter_map(|&arg| args.get(arg));
        name.into_iter().chain(words).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The arguments that say where a fact stands, in their order.
    pub fn key(&self) -> Vec<Coordinate> {
        let given = |panel| match panel {
            Panel::Given(coordinate) => Some(coordinate),
            Panel::Fixed(_) => None,
        };
        let all = [given(self.across), given(self.down), Some(self.x), self.y];
        let mut key: Vec<Coordinate> = all.into_iter().flatten().collect();
        key.sort_by_key(|coordinate| coordinate.arg);
        key
    }
}
