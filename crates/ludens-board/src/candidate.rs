//! Interpretations of fluents as boards, with scores.

use std::collections::{BTreeMap, BTreeSet};

use crate::axis::{Axis, OrderKind};
use crate::coordinate::{Coordinate, Part};
use crate::fluent::{Fluent, Row, Survey, project};

/// Fluents with more arguments are ignored.
const MAX_ARITY: usize = 6;

/// Maximum number of columns or rows per panel.
const MAX_SIDE: usize = 64;

/// Maximum number of cells of all panels.
pub(crate) const MAX_CELLS: usize = 20_000;

/// Maximum number of panels.
const MAX_PANELS: usize = 24;

/// Minimum number of facts in a sample to decide what identifies a cell.
const MIN_FACTS: usize = 6;

/// Minimum share of facts that their cells identify.
const MIN_UNIQUENESS: f64 = 0.9;

/// An interpretation of a fluent as a board.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Index of the fluent in the survey.
    pub fluent: usize,
    /// Which argument is the column.
    pub x: Coordinate,
    /// Which argument is the row; `None` for a track.
    pub y: Option<Coordinate>,
    /// Arguments that select one of several boards.
    pub panels: Vec<Coordinate>,
    /// The other arguments.
    pub content: Vec<usize>,
    /// Its score.
    pub score: f64,
}

/// All candidates, best first.
pub(crate) fn candidates(survey: &Survey) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (index, fluent) in survey.fluents.iter().enumerate() {
        if fluent.arity <= MAX_ARITY {
            grids(survey, index, fluent, &mut found);
            names(survey, index, fluent, &mut found);
            tracks(survey, index, fluent, &mut found);
        }
    }
    found.retain(|candidate| candidate.score > 0.0);
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Two arguments are the coordinates.
fn grids(survey: &Survey, index: usize, fluent: &Fluent, found: &mut Vec<Candidate>) {
    for x in 0..fluent.arity {
        for y in x + 1..fluent.arity {
            let (columns, rows) = (&fluent.axes[x], &fluent.axes[y]);
            let sides = 2..=MAX_SIDE;
            if !sides.contains(&columns.len()) || !sides.contains(&rows.len()) {
                continue;
            }
            if is_roles(survey, columns) || is_roles(survey, rows) {
                continue;
            }
            for panels in panels(survey, fluent, [x, y]) {
                let mut candidate = candidate(index, fluent, x, Some(y), &panels);
                candidate.score = grid_score(fluent, &candidate);
                found.push(candidate);
            }
        }
    }
}

/// One argument names cells such as `c4`.
fn names(survey: &Survey, index: usize, fluent: &Fluent, found: &mut Vec<Candidate>) {
    for arg in 0..fluent.arity {
        let x = Coordinate { arg, part: Part::Letters };
        let y = Coordinate { arg, part: Part::Digits };
        let cells = &fluent.axes[arg].symbols;
        let named = cells.iter().all(|symbol| x.part.of(symbol).is_some());
        if !named || fluent.arity < 2 || names_itself(fluent, arg) {
            continue;
        }
        let (columns, rows) = (fluent.axis(x, &survey.orders), fluent.axis(y, &survey.orders));
        if columns.len() < 2 || rows.len() < 2 || !columns.is_ordered() || !rows.is_ordered() {
            continue;
        }
        let cells = cells.len() as f64;
        let coverage = cells / (columns.len() * rows.len()) as f64;
        let content = (0..fluent.arity).filter(|other| *other != arg).collect();
        let score = 0.8 * coverage * size_factor(cells) * fluent.uniqueness(&[arg]).powi(2);
        found.push(Candidate { fluent: index, x, y: Some(y), panels: Vec::new(), content, score });
    }
}

/// One argument is the coordinate, as in mancala.
fn tracks(survey: &Survey, index: usize, fluent: &Fluent, found: &mut Vec<Candidate>) {
    for x in 0..fluent.arity {
        let axis = &fluent.axes[x];
        let fits = axis.len() >= 3 && axis.is_ordered() && fluent.arity >= 2;
        if !fits || is_roles(survey, axis) || axis.len() > MAX_SIDE || names_itself(fluent, x) {
            continue;
        }
        let mut candidate = candidate(index, fluent, x, None, &[]);
        let filled = fluent.samples.iter().filter(|sample| distinct(sample, &[x]) == axis.len());
        let filled = filled.count() as f64 / fluent.samples.len().max(1) as f64;
        let unique = fluent.uniqueness(&[x]) >= 1.0;
        candidate.score = if unique { 0.3 * filled * size_factor(axis.len() as f64) } else { 0.0 };
        found.push(candidate);
    }
}

fn candidate(
    index: usize,
    fluent: &Fluent,
    x: usize,
    y: Option<usize>,
    panels: &[usize],
) -> Candidate {
    let is_content = |arg: &usize| *arg != x && Some(*arg) != y && !panels.contains(arg);
    Candidate {
        fluent: index,
        x: Coordinate::whole(x),
        y: y.map(Coordinate::whole),
        panels: panels.iter().copied().map(Coordinate::whole).collect(),
        content: (0..fluent.arity).filter(is_content).collect(),
        score: 0.0,
    }
}

/// Whether another argument has the same values, as in `(on disc1 disc2)`: then they are objects, not
/// places.
fn names_itself(fluent: &Fluent, arg: usize) -> bool {
    let places = &fluent.axes[arg];
    let shared = |axis: &Axis| axis.symbols.iter().any(|symbol| places.symbols.contains(symbol));
    let mut others = fluent.axes.iter().enumerate().filter(|(other, _)| *other != arg);
    places.kind != OrderKind::Numbers && others.any(|(_, axis)| shared(axis))
}

fn is_roles(survey: &Survey, axis: &Axis) -> bool {
    axis.symbols.iter().all(|symbol| survey.roles.contains(symbol))
}

/// The arguments besides `cell` that are needed to identify facts: none, one or two.
fn panels(survey: &Survey, fluent: &Fluent, cell: [usize; 2]) -> Vec<Vec<usize>> {
    let fits =
        |arg: &usize| !cell.contains(arg) && (2..=MAX_PANELS).contains(&fluent.axes[*arg].len());
    let others: Vec<usize> = (0..fluent.arity).filter(fits).collect();
    if fluent.max_facts() < MIN_FACTS {
        let ordered =
            |arg: &usize| fluent.axes[*arg].is_ordered() && !is_roles(survey, &fluent.axes[*arg]);
        let likely: Vec<usize> = others.into_iter().filter(ordered).collect();
        let sensible = likely.len() <= 2 && likely.len() + 2 < fluent.arity;
        return vec![if sensible { likely } else { Vec::new() }];
    }
    if fluent.uniqueness(&cell) >= MIN_UNIQUENESS {
        return vec![Vec::new()];
    }
    let with = |more: &[usize]| {
        let key = [&cell[..], more].concat();
        if key.len() < fluent.arity { fluent.uniqueness(&key) } else { 0.0 }
    };
    let one: Vec<_> =
        others.iter().filter(|a| with(&[**a]) >= MIN_UNIQUENESS).map(|a| vec![*a]).collect();
    if !one.is_empty() {
        return one;
    }
    let pairs = others.iter().flat_map(|a| others.iter().filter(move |b| a < *b).map(|b| [*a, *b]));
    let mut two: Vec<_> =
        pairs.filter(|pair| with(pair) >= MIN_UNIQUENESS).map(|pair| pair.to_vec()).collect();
    if two.is_empty() {
        two.push(Vec::new());
    }
    two
}

fn grid_score(fluent: &Fluent, candidate: &Candidate) -> f64 {
    let Some(y) = candidate.y else { return 0.0 };
    let (x, y) = (candidate.x.arg, y.arg);
    let (columns, rows) = (&fluent.axes[x], &fluent.axes[y]);
    let area = (columns.len() * rows.len()) as f64;
    let mut key = vec![x, y];
    key.extend(candidate.panels.iter().map(|panel| panel.arg));
    let boards: usize = candidate.panels.iter().map(|panel| fluent.axes[panel.arg].len()).product();
    if area * boards as f64 > MAX_CELLS as f64 {
        return 0.0;
    }
    let coverage = covered(fluent, &key) as f64 / (area * boards as f64);
    let mut score = quality(columns) * quality(rows) * fluent.uniqueness(&key).powi(2);
    score *= (0.3 + 0.7 * coverage.min(1.0).sqrt()) * size_factor(area * boards as f64);
    score *= content_factor(fluent, candidate) * spread_factor(fluent, [x, y], candidate);
    if !columns.is_ordered() || !rows.is_ordered() {
        score *= if coverage >= 1.0 { 1.0 } else { 0.0 };
    }
    if fluent.max_facts() == 0 {
        score *= if candidate.content.is_empty() { 0.0 } else { 0.6 };
    }
    for panel in &candidate.panels {
        // The argument of a board usually precedes those of its cells.
        score *= if panel.arg < x { 0.9 } else { 0.85 };
    }
    score *= (boards as f64).powf(-0.25) * if columns == rows { 1.1 } else { 1.0 };
    score * if is_latin(fluent, candidate) { 1.2 } else { 1.0 }
}

fn quality(axis: &Axis) -> f64 {
    match axis.kind {
        OrderKind::Numbers | OrderKind::Chain => 1.0,
        OrderKind::Numbered | OrderKind::Letters => 0.95,
        OrderKind::Listed => 0.4,
    }
}

fn size_factor(cells: f64) -> f64 {
    (cells.ln() / 25f64.ln()).min(1.0) + cells / 100_000.0
}

/// Content should be a piece rather than a number or another place.
fn content_factor(fluent: &Fluent, candidate: &Candidate) -> f64 {
    if candidate.content.is_empty() {
        return 0.7;
    }
    let axes = candidate.content.iter().map(|arg| &fluent.axes[*arg]);
    match axes.filter(|axis| axis.is_ordered() && axis.len() >= 3).count() {
        0 => 1.0,
        1 => 0.8,
        _ => 0.3,
    }
}

/// On a board, columns and rows have several cells; if every column has only one, the second argument
/// is rather a value of the first.
fn spread_factor(fluent: &Fluent, cell: [usize; 2], candidate: &Candidate) -> f64 {
    let spreads = |sample: &Vec<Row>| {
        let cells = distinct(sample, &cell);
        cells > distinct(sample, &cell[..1]) && cells > distinct(sample, &cell[1..])
    };
    if fluent.samples.iter().any(spreads) || fluent.max_facts() == 0 {
        return 1.0;
    }
    let same = fluent.axes[cell[0]] == fluent.axes[cell[1]];
    match (candidate.content.is_empty(), same) {
        (true, true) => 0.15,
        (true, false) => 0.0,
        (false, true) => 0.8,
        (false, false) => 0.4,
    }
}

fn distinct(sample: &[Row], args: &[usize]) -> usize {
    sample.iter().map(|row| project(row, args)).collect::<BTreeSet<_>>().len()
}

/// The number of cells that were seen or are possible.
fn covered(fluent: &Fluent, key: &[usize]) -> usize {
    let rows = fluent.rows().chain(fluent.possible.iter().flatten());
    rows.map(|row| project(row, key)).collect::<BTreeSet<_>>().len()
}

/// Whether a board of boards repeats no content in a row, a column or a block, as in Sudoku; the most
/// frequent content, which means empty, does not count.
fn is_latin(fluent: &Fluent, candidate: &Candidate) -> bool {
    let ([across, down], [content], Some(y)) =
        (&candidate.panels[..], &candidate.content[..], candidate.y)
    else {
        return false;
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in fluent.rows() {
        *counts.entry(&row[*content]).or_default() += 1;
    }
    let empty = counts.iter().max_by_key(|(_, count)| **count).map(|(text, _)| *text);
    let lines = [[across.arg, candidate.x.arg], [down.arg, y.arg], [across.arg, down.arg]];
    lines.iter().all(|[a, b]| {
        fluent.samples.iter().all(|sample| {
            let rows: Vec<&Row> =
                sample.iter().filter(|row| Some(row[*content].as_str()) != empty).collect();
            let keys = rows.iter().map(|row| project(row, &[*a, *b, *content]));
            rows.len() >= MIN_FACTS && keys.collect::<BTreeSet<_>>().len() == rows.len()
        })
    })
}
