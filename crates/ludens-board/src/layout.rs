//! The layout of a game's states.

use std::collections::BTreeSet;

use ludens_gdl::Rules;

use crate::detect::detect;
use crate::draw::{Style, draw_grid};
use crate::edge::EdgeLayer;
use crate::fact::Fact;
use crate::frame::Frame;
use crate::glyph::Glyphs;
use crate::grid::{Cell, Edge, Edges, Grid};
use crate::layer::Layer;
use crate::summary::summary;

/// How to draw the states of a game: detected once, used for every state.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) frame: Frame,
    /// Bottom layer first.
    pub(crate) layers: Vec<Layer>,
    pub(crate) edges: Vec<EdgeLayer>,
    pub(crate) edge_use: Edges,
    /// For each cell, whether it is part of the board.
    pub(crate) exists: Vec<bool>,
    pub(crate) glyphs: Glyphs,
}

impl Layout {
    /// Detects the board of a game, if it has one.
    ///
    /// Samples are states of the game, the initial one first; a few from random games make the
    /// detection more reliable. Without samples, the initial state is computed from the rules.
    /// Hints are lines such as `cell(x, y, piece) empty=b topology=hex rows=down`, one per fluent; if
    /// there are any, they alone determine the board.
    pub fn detect(rules: &Rules, samples: &[Vec<String>], hints: &[String]) -> Option<Layout> {
        detect(rules, samples, hints)
    }

    /// Draws a state: the board, its legend, and all other facts.
    pub fn draw(&self, facts: &[String], style: Style) -> String {
        self.draw_after(None, facts, style)
    }

    /// Draws a state; [`Style::Ansi`] marks the cells that changed.
    pub fn draw_after(
        &self,
        previous: Option<&[String]>,
        facts: &[String],
        style: Style,
    ) -> String {
        let grid = self.grid(facts);
        let before = previous.map(|facts| self.grid(facts));
        let changed = |at: usize| before.as_ref().is_some_and(|b| b.cells[at] != grid.cells[at]);
        let mut glyphs = self.glyphs.clone();
        let contents = grid.cells.iter().flat_map(|cell| &cell.contents);
        glyphs.add(&contents.cloned().collect(), &BTreeSet::new());
        let mut out = draw_grid(&grid, &glyphs, &changed, style);
        out.push_str(&summary(&self.others(facts)));
        out
    }

    /// The state on its board as plain data.
    pub fn grid(&self, facts: &[String]) -> Grid {
        let frame = &self.frame;
        let cell = |exists: &bool| Cell { contents: Vec::new(), exists: *exists };
        let mut cells: Vec<Cell> = self.exists.iter().map(cell).collect();
        let facts: Vec<Fact> = facts.iter().filter_map(|text| Fact::parse(text)).collect();
        for layer in &self.layers {
            for fact in facts.iter().filter(|fact| layer.holds(fact)) {
                self.put(layer, fact, &mut cells);
            }
        }
        let lines = facts.iter().filter_map(|fact| self.edge(fact));
        let edges: BTreeSet<Edge> = lines.collect();
        let named =
            |symbols: &[String]| if symbols.len() > 1 { symbols.to_vec() } else { Vec::new() };
        Grid {
            columns: frame.width(),
            rows: frame.height(),
            cells,
            column_labels: repeated(&frame.columns, frame.across.len()),
            row_labels: repeated(&frame.downwards(&frame.rows), frame.down.len()),
            block_columns: frame.columns.len(),
            block_rows: frame.rows.len(),
            across_labels: named(&frame.across),
            down_labels: named(&frame.downwards(&frame.down)),
            topology: frame.topology,
            rows_down: frame.rows_down,
            edges: edges.into_iter().collect(),
            edge_use: self.edge_use,
        }
    }

    /// The cells in a move such as `(move 1 2 1 3)`, in order, each as column from the left and row
    /// from the top: consecutive arguments that name a cell as the facts of the board do.
    pub fn cells_of_term(&self, term: &str) -> Vec<(usize, usize)> {
        let Some((term, layer)) = Fact::parse(term).zip(self.layers.first()) else {
            return Vec::new();
        };
        let mut args: Vec<usize> = layer.key().iter().map(|coordinate| coordinate.arg).collect();
        args.dedup();
        let mut found = Vec::new();
        let mut at = 0;
        while at + args.len() <= term.args.len() {
            let mut row = vec![String::new(); layer.arity];
            for (&arg, word) in args.iter().zip(&term.args[at..]) {
                row[arg].clone_from(word);
            }
            let place = self.frame.place(layer, &row);
            at += if place.is_some() { args.len() } else { 1 };
            found.extend(place);
        }
        found
    }

    fn put(&self, layer: &Layer, fact: &Fact, cells: &mut [Cell]) {
        let Some(index) = self.frame.index(layer, &fact.args) else { return };
        let Some(cell) = cells.get_mut(index) else { return };
        cell.exists = true;
        let text = layer.text(&fact.args);
        if !layer.empty.contains(&text) && !cell.contents.contains(&text) {
            cell.contents.push(text);
        }
    }

    fn edge(&self, fact: &Fact) -> Option<Edge> {
        let is = |layer: &&EdgeLayer| layer.name == fact.name && layer.arity == fact.args.len();
        let edge = self.edges.iter().find(is)?.edge(&self.frame, &fact.args)?;
        edge.joins_neighbours().then_some(edge)
    }

    /// The facts that are not on the board, as they were given.
    fn others<'a>(&self, facts: &'a [String]) -> Vec<&'a str> {
        let on_board = |text: &str| {
            let Some(fact) = Fact::parse(text) else { return false };
            let mut layers = self.layers.iter().filter(|layer| layer.holds(&fact));
            let in_cell = layers.any(|layer| self.frame.index(layer, &fact.args).is_some());
            in_cell || self.edge(&fact).is_some()
        };
        facts.iter().map(String::as_str).filter(|text| !on_board(text)).collect()
    }
}

fn repeated(labels: &[String], times: usize) -> Vec<String> {
    std::iter::repeat_n(labels, times).flatten().cloned().collect()
}
