//! Which content means an empty cell.

use std::collections::{BTreeMap, BTreeSet};

use ludens_gdl::Rules;

use crate::detect::Placed;
use crate::fluent::{Fluent, Survey};
use crate::frame::Frame;
use crate::layer::Layer;

/// Names that mean empty.
const NAMES: [&str; 8] = ["b", "blank", "empty", "none", "nothing", "free", "nil", "vacant"];

/// Larger relations are not searched for owners.
const MAX_ROWS: usize = 2000;

/// Marks the contents that are drawn as empty cells, and returns those whose names do not mean empty.
pub(crate) fn empty_contents(
    rules: &Rules,
    survey: &Survey,
    frame: &Frame,
    placed: &mut [Placed],
) -> Vec<String> {
    let mut guessed = BTreeSet::new();
    for (index, layer) in placed.iter_mut() {
        let fluent = &survey.fluents[*index];
        if layer.content.is_empty() || !layer.empty.is_empty() {
            continue;
        }
        if let Some(text) = guess(rules, survey, frame, fluent, layer) {
            layer.empty.insert(text);
        }
    }
    mark_complement(survey, frame, placed);
    for (_, layer) in placed.iter() {
        guessed.extend(layer.empty.iter().filter(|text| !NAMES.contains(&text.as_str())).cloned());
    }
    guessed.into_iter().collect()
}

/// The most frequent content of the first sample that no role owns, if every cell has one.
fn guess(
    rules: &Rules,
    survey: &Survey,
    frame: &Frame,
    fluent: &Fluent,
    layer: &Layer,
) -> Option<String> {
    let owned = owned(rules, survey);
    let is_free = |text: &str| !text.split(' ').any(|word| is_owned(word, survey, &owned));
    let texts: BTreeSet<String> = fluent.rows().map(|row| layer.text(row)).collect();
    let named = texts.iter().find(|text| NAMES.contains(&text.as_str()) && is_free(text));
    // Next to `w`, `b` means black.
    if let Some(name) = named.filter(|name| *name != "b" || !texts.contains("w")) {
        return Some(name.clone());
    }
    if layer.y.is_none() || !is_steady(fluent, layer, frame) {
        return None;
    }
    let first = fluent.samples.iter().find(|sample| !sample.is_empty())?;
    let changing = changing(fluent, layer, frame);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in first {
        *counts.entry(layer.text(row)).or_default() += 1;
    }
    let is_candidate = |text: &str| changing.is_empty() || changing.contains(text);
    let (text, most) =
        counts.iter().filter(|(text, _)| is_candidate(text)).max_by_key(|(_, count)| **count)?;
    // Two sides have about the same number of pieces; walls may outnumber the floor.
    let is_rival = |other: &String, n: usize| other != text && n * 5 >= most * 4;
    let near = |n: usize| n * 4 <= most * 5;
    let rival =
        counts.iter().any(|(other, n)| is_rival(other, *n) && (is_candidate(other) || near(*n)));
    (!rival && most * 8 >= first.len() && is_free(text)).then(|| text.clone())
}

/// Whether the same cells, at least a third of the board, have a content in every sample.
fn is_steady(fluent: &Fluent, layer: &Layer, frame: &Frame) -> bool {
    let cells = |rows: &Vec<Vec<String>>| -> BTreeSet<usize> {
        rows.iter().filter_map(|row| frame.index(layer, row)).collect()
    };
    let mut samples = fluent.samples.iter().map(cells);
    let Some(first) = samples.next() else { return false };
    let whole = frame.width() * frame.height();
    let steady = fluent.samples.len() > 1 || first.len() * 10 >= whole * 9;
    first.len() * 3 >= whole && steady && samples.all(|cells| cells == first)
}

/// Contents that were replaced by others in some cell.
fn changing(fluent: &Fluent, layer: &Layer, frame: &Frame) -> BTreeSet<String> {
    let mut by_cell: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for row in fluent.rows() {
        if let Some(cell) = frame.index(layer, row) {
            by_cell.entry(cell).or_default().insert(layer.text(row));
        }
    }
    by_cell.into_values().filter(|texts| texts.len() > 1).flatten().collect()
}

/// Constants that appear together with a role in a static fact.
fn owned(rules: &Rules, survey: &Survey) -> BTreeSet<String> {
    let mut owned = BTreeSet::new();
    for width in 2..=4 {
        for table in survey.statics.of_width(width).filter(|table| table.rows().len() <= MAX_ROWS) {
            for row in table.rows() {
                let words: Vec<&str> = row.iter().map(|s| rules.symbols.text(*s)).collect();
                if words.iter().any(|word| survey.roles.contains(*word)) {
                    owned.extend(words.into_iter().map(str::to_owned));
                }
            }
        }
    }
    owned
}

fn is_owned(word: &str, survey: &Survey, owned: &BTreeSet<String>) -> bool {
    owned.contains(word) || survey.roles.iter().any(|role| word.starts_with(role.as_str()))
}

/// A fluent without content that holds exactly where no other does means empty.
fn mark_complement(survey: &Survey, frame: &Frame, placed: &mut [Placed]) {
    let whole = frame.width() * frame.height();
    for at in 0..placed.len() {
        if !placed[at].1.content.is_empty() || placed.len() < 2 {
            continue;
        }
        let count = survey.fluents[placed[at].0].samples.len();
        let fits = (0..count).all(|sample| {
            let mut counts = vec![0usize; whole];
            for (index, layer) in placed.iter() {
                let rows = survey.fluents[*index].samples.get(sample);
                for cell in rows.into_iter().flatten().filter_map(|row| frame.index(layer, row)) {
                    counts[cell] += 1;
                }
            }
            counts.iter().all(|count| *count == 1)
        });
        if fits && count > 0 {
            let (_, layer) = &mut placed[at];
            layer.empty.insert(layer.name.clone());
        }
    }
}
