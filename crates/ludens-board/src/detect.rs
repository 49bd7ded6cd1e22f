//! Detection: from the best candidate, or from hints, to a layout.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use ludens_gdl::Rules;

use crate::axis::{Axis, OrderKind};
use crate::candidate::{Candidate, MAX_CELLS, candidates};
use crate::coordinate::{Coordinate, Part};
use crate::edge::{EdgeLayer, edge_layers};
use crate::empty::empty_contents;
use crate::fluent::{Fluent, Survey};
use crate::frame::Frame;
use crate::glyph::Glyphs;
use crate::grid::{Edges, Lean, Topology};
use crate::hex::hex_topology;
use crate::hint::{Hint, Use};
use crate::layer::{Layer, Panel};
use crate::layout::Layout;
use crate::overlay::{overlays, twins};

/// Candidates with a lower score are not boards.
const MIN_SCORE: f64 = 0.06;

/// Maximum number of contents with predefined signs.
const MAX_CONTENTS: usize = 300;

/// A fluent on the board: its index in the survey and its layer.
pub(crate) type Placed = (usize, Layer);

/// Finds the layout of a game.
pub(crate) fn detect(rules: &Rules, samples: &[Vec<String>], hints: &[String]) -> Option<Layout> {
    let survey = Survey::of(rules, samples);
    let hints: Vec<Hint> = hints.iter().filter_map(|line| Hint::parse(line)).collect();
    let hinted = hinted(&survey, &hints);
    let (frame, placed) = hinted.or_else(|| detected(rules, &survey))?;
    Some(finish(rules, &survey, frame, placed, &hints))
}

/// The board that the candidates suggest.
fn detected(rules: &Rules, survey: &Survey) -> Option<(Frame, Vec<Placed>)> {
    let candidates = candidates(survey);
    let best = candidates.first().filter(|best| best.score >= MIN_SCORE)?;
    let fluent = &survey.fluents[best.fluent];
    let layer = layer(fluent, best);
    let (mut frame, layer) = orient(survey, fluent, layer);
    frame.topology = hex_topology(rules, survey, &frame, &layer).unwrap_or(Topology::Square);
    let mut placed = vec![(best.fluent, layer)];
    twins(survey, &mut frame, &mut placed);
    if frame.across.len() == 1 || placed.len() == 1 {
        overlays(survey, &mut frame, &mut placed);
        let density = |index: usize| survey.fluents[index].rows().count();
        placed.sort_by_key(|(index, layer)| (layer.content.is_empty(), Reverse(density(*index))));
    }
    Some((frame, placed))
}

/// The board that the hints describe.
fn hinted(survey: &Survey, hints: &[Hint]) -> Option<(Frame, Vec<Placed>)> {
    let mut placed = Vec::new();
    for hint in hints {
        let matches = |f: &Fluent| f.name == hint.name && f.arity == hint.uses.len();
        if let Some(index) = survey.fluents.iter().position(matches) {
            placed.push((index, hint_layer(hint)));
        }
    }
    let (index, first) = placed.first()?;
    let mut frame = frame(survey, &survey.fluents[*index], first);
    for (index, layer) in &placed[1..] {
        let other = self::frame(survey, &survey.fluents[*index], layer);
        frame.columns = union(survey, &frame.columns, other.columns);
        frame.rows = union(survey, &frame.rows, other.rows);
    }
    frame.rows_down = hints.iter().find_map(|hint| hint.rows_down).unwrap_or(false);
    let cells = frame.width() * frame.height();
    (1..=MAX_CELLS).contains(&cells).then_some((frame, placed))
}

/// The ordered union of symbols.
pub(crate) fn union(survey: &Survey, symbols: &[String], more: Vec<String>) -> Vec<String> {
    let all: BTreeSet<String> = symbols.iter().cloned().chain(more).collect();
    if all.len() == symbols.len() { symbols.to_vec() } else { survey.orders.axis(&all).symbols }
}

fn hint_layer(hint: &Hint) -> Layer {
    let last = |wanted| hint.args(wanted).last().map(Coordinate::whole);
    let doubled = |wanted| hint.args(wanted).nth(1).and_then(|_| hint.args(wanted).next());
    let mut panels = hint.args(Use::Panel);
    let mut panel = |wanted| {
        let arg = doubled(wanted).or_else(|| panels.next());
        arg.map_or(Panel::Fixed(0), |arg| Panel::Given(Coordinate::whole(arg)))
    };
    Layer {
        name: hint.name.clone(),
        arity: hint.uses.len(),
        across: panel(Use::Column),
        down: panel(Use::Row),
        x: last(Use::Column).unwrap_or(Coordinate::whole(0)),
        y: last(Use::Row),
        content: hint.args(Use::Content).collect(),
        named: false,
        empty: hint.empty.iter().cloned().collect(),
    }
}

fn layer(fluent: &Fluent, candidate: &Candidate) -> Layer {
    let mut panels = candidate.panels.iter().copied().map(Panel::Given);
    Layer {
        name: fluent.name.clone(),
        arity: fluent.arity,
        x: candidate.x,
        y: candidate.y,
        across: panels.next().unwrap_or(Panel::Fixed(0)),
        down: panels.next().unwrap_or(Panel::Fixed(0)),
        content: candidate.content.clone(),
        named: false,
        empty: BTreeSet::new(),
    }
}

/// The cells of a fluent.
fn frame(survey: &Survey, fluent: &Fluent, layer: &Layer) -> Frame {
    let symbols = |coordinate| fluent.axis(coordinate, &survey.orders).symbols;
    let blocks = |panel| match panel {
        Panel::Given(coordinate) => symbols(coordinate),
        Panel::Fixed(_) => vec![String::new()],
    };
    Frame {
        columns: symbols(layer.x),
        rows: layer.y.map_or_else(|| vec![String::new()], symbols),
        across: blocks(layer.across),
        down: blocks(layer.down),
        rows_down: false,
        topology: Topology::Square,
    }
}

/// Decides which coordinate is the column and which the row. The first is the column, from the left,
/// and the second the row, from the bottom, unless their names suggest otherwise.
fn orient(survey: &Survey, fluent: &Fluent, mut layer: Layer) -> (Frame, Layer) {
    let mut rows_down = false;
    if let Some(y) = layer.y.filter(|y| y.part == Part::Whole) {
        let (columns, rows) = (&fluent.axes[layer.x.arg], &fluent.axes[y.arg]);
        let row_first = starts_with(columns, 'r') && starts_with(rows, 'c');
        if row_first || (is_numeric(columns) && is_alphabetic(rows)) {
            (layer.x, layer.y) = (y, Some(layer.x));
        }
        rows_down = row_first || (starts_with(columns, 'c') && starts_with(rows, 'r'));
    }
    let mut frame = frame(survey, fluent, &layer);
    frame.rows_down = rows_down;
    (frame, layer)
}

fn is_numeric(axis: &Axis) -> bool {
    axis.kind == OrderKind::Numbers
}

fn is_alphabetic(axis: &Axis) -> bool {
    axis.is_ordered()
        && axis.symbols.iter().all(|s| s.len() == 1 && !s.as_bytes()[0].is_ascii_digit())
}

/// Whether each symbol is this letter and a number.
fn starts_with(axis: &Axis, letter: char) -> bool {
    axis.symbols.iter().all(|s| s.strip_prefix(letter).is_some_and(|n| n.parse::<u32>().is_ok()))
}

/// Adds empty contents, existing cells and signs.
fn finish(
    rules: &Rules,
    survey: &Survey,
    mut frame: Frame,
    mut placed: Vec<Placed>,
    hints: &[Hint],
) -> Layout {
    if hints.iter().any(|hint| hint.hex) {
        let found = hex_topology(rules, survey, &frame, &placed[0].1);
        let lean = if frame.rows_down { Lean::Right } else { Lean::Left };
        frame.topology = found.unwrap_or(Topology::Hex(lean));
    }
    let edges = edge_layers(survey, &mut frame, &placed);
    disambiguate(survey, &mut placed);
    let guessed = empty_contents(rules, survey, &frame, &mut placed);
    let edge_use = edge_use(survey, &frame, &placed, &edges);
    let mut exists = exists(survey, &frame, &placed);
    if edges.is_empty() {
        exists = trim(&mut frame, &exists);
    }
    let (mut contents, mut flags) = (BTreeSet::new(), BTreeSet::new());
    for (index, layer) in &placed {
        let known = if layer.content.is_empty() { &mut flags } else { &mut contents };
        known.extend(known_contents(&survey.fluents[*index], layer));
    }
    let mut glyphs = Glyphs::new(&contents, &flags);
    glyphs.empty = guessed;
    let layers = placed.into_iter().map(|(_, layer)| layer).collect();
    Layout { frame, layers, edges, edge_use, exists, glyphs }
}

/// If two layers share contents, all but the first include their names.
fn disambiguate(survey: &Survey, placed: &mut [Placed]) {
    let words = |(index, layer): &Placed| -> BTreeSet<String> {
        let seen = &survey.fluents[*index].seen;
        layer.content.iter().flat_map(|arg| seen[*arg].iter().cloned()).collect()
    };
    let fixed = placed.iter().any(|(_, layer)| layer.across != placed[0].1.across);
    for at in 1..placed.len() {
        let clash = |other: &Placed| !words(other).is_disjoint(&words(&placed[at]));
        placed[at].1.named = !fixed && placed[..at].iter().any(clash);
    }
}

/// The known contents of a layer.
fn known_contents(fluent: &Fluent, layer: &Layer) -> BTreeSet<String> {
    let rows = fluent.rows().chain(fluent.possible.iter().flatten());
    let mut texts: BTreeSet<String> = rows.map(|row| layer.text(row)).collect();
    if let ([arg], false) = (&layer.content[..], layer.named) {
        texts.extend(fluent.axes[*arg].symbols.iter().cloned());
    }
    texts.into_iter().filter(|text| !layer.empty.contains(text)).take(MAX_CONTENTS).collect()
}

/// Edges surround boxes if no content is in the last row or column; otherwise they join cells.
fn edge_use(survey: &Survey, frame: &Frame, placed: &[Placed], edges: &[EdgeLayer]) -> Edges {
    let last = if frame.rows_down { frame.rows.len() - 1 } else { 0 };
    let at_end = |(index, layer): &Placed| {
        let fluent = &survey.fluents[*index];
        let rows = fluent.rows().chain(fluent.possible.iter().flatten());
        let mut places = rows.filter_map(|row| frame.place(layer, row));
        places.any(|(column, row)| column + 1 == frame.columns.len() || row == last)
    };
    match edges {
        [] => Edges::Never,
        _ if placed.iter().any(at_end) => Edges::JoinCells,
        _ => Edges::AroundBoxes,
    }
}

/// Which places are cells: the possible ones, if the rules define them; those seen, if empty cells are
/// facts; otherwise all.
fn exists(survey: &Survey, frame: &Frame, placed: &[Placed]) -> Vec<bool> {
    let all = vec![true; frame.width() * frame.height()];
    let mut exists = vec![false; all.len()];
    let mut known = false;
    for (index, layer) in placed {
        let fluent = &survey.fluents[*index];
        known |= fluent.possible.is_some() || !layer.empty.is_empty();
        let rows = fluent.rows().chain(fluent.possible.iter().flatten());
        for at in rows.filter_map(|row| frame.index(layer, row)) {
            exists[at] = true;
        }
    }
    if known { exists } else { all }
}

/// Removes outer columns and rows without cells from a single board.
fn trim(frame: &mut Frame, exists: &[bool]) -> Vec<bool> {
    if frame.across.len() * frame.down.len() > 1 || !exists.contains(&true) {
        return exists.to_vec();
    }
    let (width, height) = (frame.width(), frame.height());
    let column = |x: usize| (0..height).any(|y| exists[y * width + x]);
    let row = |y: usize| exists[y * width..][..width].contains(&true);
    let (left, right) = edges(width, column);
    let (top, bottom) = edges(height, row);
    frame.columns = frame.columns[left..=right].to_vec();
    let (low, high) =
        if frame.rows_down { (top, bottom) } else { (height - 1 - bottom, height - 1 - top) };
    frame.rows = frame.rows[low..=high].to_vec();
    (top..=bottom).flat_map(|y| exists[y * width + left..=y * width + right].to_vec()).collect()
}

/// The first and the last place in use.
fn edges(len: usize, used: impl Fn(usize) -> bool) -> (usize, usize) {
    let first = (0..len).find(|at| used(*at)).unwrap_or(0);
    let last = (0..len).rfind(|at| used(*at)).unwrap_or(len - 1);
    (first, last)
}
