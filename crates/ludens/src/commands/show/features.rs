//! The facts of a state that move codes contain; similar moves share a row.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use ludens_catalog::LoadedGame;
use ludens_core::Role;
use ludens_propnet::Network;
use ludens_propnet::features::{Limits, MoveFeatures, derive};
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use ludens_lab::{Hinted, units};

/// The maximum number of rows of a role in the text.
const MAX_ROWS: usize = 12;

/// The features of a game as JSON.
#[derive(Serialize)]
struct Record<'a> {
    name: &'a str,
    /// The time to derive the features, in milliseconds.
    derive_ms: f64,
    /// The total number of codes.
    codes: usize,
    roles: Vec<RoleRecord<'a>>,
}

#[derive(Serialize)]
struct RoleRecord<'a> {
    role: &'a str,
    moves: usize,
    /// The number of moves whose code contains facts.
    with_features: usize,
    codes: usize,
    shapes: Vec<Shape<'a>>,
}

/// Moves of one form whose codes contain facts of the same forms.
#[derive(Serialize)]
struct Shape<'a> {
    /// The form of the moves; `_` is any term.
    form: String,
    /// The forms of the facts.
    tells: Vec<String>,
    codes: usize,
    moves: Vec<MoveRecord<'a>>,
}

#[derive(Serialize)]
struct MoveRecord<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    fluents: Vec<String>,
}

/// Prints the features of a game's moves.
pub(super) fn print(loaded: &LoadedGame, console: &mut Console) -> anyhow::Result<Outcome> {
    let Some(network) = loaded.game.network() else {
        let what = format!("the reasoner `{}` has no network", loaded.game.kind().name());
        let hint = "features are derived from the grounded rules; try --reasoner scalar";
        return Err(Hinted::new(what, hint.to_owned()).into());
    };
    let begun = Instant::now();
    let features = derive(network, &Limits::default());
    let derive_ms = units::milliseconds(begun.elapsed());
    let roles = Role::all(network.roles.len()).zip(network.does_of_roles());
    let record = Record {
        name: &loaded.source.name,
        derive_ms,
        codes: features.n_codes(),
        roles: roles.map(|(role, does)| role_record(network, &features, role, does)).collect(),
    };
    if console.json {
        console.record("show-features", &record)?;
    } else {
        print_text(&record, console)?;
    }
    Ok(Outcome::Fine)
}

fn role_record<'a>(
    network: &'a Network,
    features: &MoveFeatures,
    role: Role,
    does: std::ops::Range<usize>,
) -> RoleRecord<'a> {
    let mut shapes: BTreeMap<(String, Vec<String>), Shape<'a>> = BTreeMap::new();
    for i in does.clone() {
        let name = network.moves[network.does[i].1.index()].as_str();
        let fluents = features.describe(network, i);
        let form = form(name, |_| true);
        let mut tells: Vec<_> = fluents.iter().map(|fluent| fluent_form(fluent, name)).collect();
        tells.sort();
        let new = Shape { form: form.clone(), tells: tells.clone(), codes: 0, moves: Vec::new() };
        let shape = shapes.entry((form, tells)).or_insert(new);
        shape.codes += features.codes_of(i).len();
        shape.moves.push(MoveRecord { name, fluents });
    }
    let mut shapes: Vec<Shape<'a>> = shapes.into_values().collect();
    // The largest groups come first; sorting is stable, so that equal sizes stay in order.
    shapes.sort_by_key(|shape| (shape.tells.is_empty(), std::cmp::Reverse(shape.moves.len())));
    RoleRecord {
        role: &network.roles[role.index()],
        moves: does.len(),
        with_features: does.clone().filter(|&i| !features.fluents(i).is_empty()).count(),
        codes: does.map(|i| features.codes_of(i).len()).sum(),
        shapes,
    }
}

/// A term with `_` in place of the words for which `is_open` holds; the first word is kept.
fn form(term: &str, is_open: impl Fn(&str) -> bool) -> String {
    let word = |word: &str| {
        let name = word.trim_matches(['(', ')']);
        if word.starts_with('(') || !is_open(name) {
            word.to_owned()
        } else {
            word.replace(name, "_")
        }
    };
    if !term.starts_with('(') {
        return term.to_owned();
    }
    term.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The form of a fact, without coordinates: numbers, single letters and words of the move.
fn fluent_form(fluent: &str, name: &str) -> String {
    let is_in_move = |word: &str| name.split([' ', '(', ')']).any(|other| other == word);
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    form(fluent, |word| word.chars().count() == 1 || is_number(word) || is_in_move(word))
}

fn print_text(record: &Record<'_>, console: &mut Console) -> anyhow::Result<()> {
    let Record { name, derive_ms, codes, roles } = record;
    writeln!(console, "{name}: {codes} codes, found in {derive_ms} ms")?;
    for role in roles {
        let RoleRecord { role, moves, with_features, codes, shapes } = role;
        let summary = format!("{with_features} of {moves} moves have features, {codes} codes");
        writeln!(console, "\n\x1b[1m{role}\x1b[0m: {summary}")?;
        let head = ["MOVES", "CODES", "FORM", "FEATURES", "EXAMPLE"].map(str::to_owned).to_vec();
        let rows = shapes.iter().take(MAX_ROWS).map(row);
        console.table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())?;
        if shapes.len() > MAX_ROWS {
            writeln!(console, "and {} other forms (all are in --json)", shapes.len() - MAX_ROWS)?;
        }
    }
    Ok(())
}

fn row(shape: &Shape<'_>) -> Vec<String> {
    let example = &shape.moves[shape.moves.len() / 2];
    let example = match &example.fluents[..] {
        [] => example.name.to_owned(),
        fluents => format!("{}: {}", example.name, fluents.join(" ")),
    };
    let (moves, codes) = (shape.moves.len().to_string(), shape.codes.to_string());
    vec![moves, codes, shape.form.clone(), counted(&shape.tells), example]
}

/// Forms with their frequencies, sorted.
fn counted(forms: &[String]) -> String {
    let times = |equal: &[String]| match equal {
        [form] => form.clone(),
        _ => format!("{} {}", equal.len(), equal[0]),
    };
    match forms {
        [] => "none".to_owned(),
        _ => forms.chunk_by(|a, b| a == b).map(times).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_omit_coordinates() {
        assert_eq!(form("(move wp 1 2)", |_| true), "(move _ _ _)");
        assert_eq!(form("noop", |_| true), "noop");
        assert_eq!(fluent_form("(cell b 13 black)", "(move b 2)"), "(cell _ _ black)");
        assert_eq!(fluent_form("(heap left 3)", "(take left)"), "(heap _ _)");
        assert_eq!(fluent_form("(at (pos 3 x) wall)", "go"), "(at (pos _ _) wall)");
    }

    #[test]
    fn equal_forms_are_counted() {
        let forms = ["(a _)", "(a _)", "(b _)"].map(str::to_owned);
        assert_eq!(counted(&forms), "2 (a _), (b _)");
        assert_eq!(counted(&[]), "none");
    }
}
