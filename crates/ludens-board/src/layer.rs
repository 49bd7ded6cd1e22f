//! A fluent that puts its facts on the board.

use std::collections::BTreeSet;

use crate::coordinate::Coordinate;
use crate::fact::Fact;

/// How a layer selects the block of a fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Panel {
    /// Always the same block.
    Fixed(usize),
    /// Selected by an argument.
    Given(Coordinate),
}

/// A fluent whose facts are on the board.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Name of the fluent.
    pub name: String,
    /// Its number of arguments.
    pub arity: usize,
    /// Which argument is the column.
    pub x: Coordinate,
    /// Which argument is the row; `None` for a single row.
    pub y: Option<Coordinate>,
    /// Which block from the left.
    pub across: Panel,
    /// Which block in the other direction.
    pub down: Panel,
    /// The arguments for the content; empty if the fact itself is the content.
    pub content: Vec<usize>,
    /// Whether the content includes the name, because another layer has the same contents.
    pub named: bool,
    /// Contents that mean an empty cell.
    pub empty: BTreeSet<String>,
}

impl Layer {
    /// Whether a fact belongs to the layer.
    pub fn holds(&self, fact: &Fact) -> bool {
        fact.name == self.name && fact.args.len() == self.arity
    }

    /// The content of a fact with these arguments.
    pub fn text(&self, args: &[String]) -> String {
        let name = (self.named || self.content.is_empty()).then_some(&self.name);
        let words = self.content.iter().filter_map(|&arg| args.get(arg));
        name.into_iter().chain(words).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The arguments for the place of a fact, in order.
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
