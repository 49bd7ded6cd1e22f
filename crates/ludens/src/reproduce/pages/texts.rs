//! The words and numbers that all pages and the terminal have in common.

use std::collections::BTreeSet;

use crate::reproduce::experiment::Cell;
use crate::reproduce::findings::{Finding, Findings, Measured};

/// What the columns of the table are.
pub const HEAD: [&str; 6] = ["cell", "paper", "ours", "95 % interval", "games", "verdict"];

/// What stands where nothing is known.
const NOTHING: &str = "–";

/// A cell as a row of the table.
pub fn row(finding: &Finding) -> [String; 6] {
    let Finding { cell, ours, verdict } = finding;
    let measured =
        |text: &dyn Fn(&Measured) -> String| ours.as_ref().map_or_else(|| NOTHING.to_owned(), text);
    [
        cell.name.clone(),
        cell.paper_score.map_or_else(|| NOTHING.to_owned(), |score| format!("{score:.1} %")),
        measured(&|ours| format!("{:.1} %", ours.score)),
        measured(&|ours| format!("{:.1} – {:.1} %", ours.interval[0], ours.interval[1])),
        measured(&|ours| ours.games.to_string()),
        verdict.map_or(NOTHING, |verdict| verdict.text()).to_owned(),
    ]
}

/// What is said about an experiment in words, sentence by sentence.
pub fn explanation(findings: &Findings) -> Vec<String> {
    let (agree, compared) = findings.agreement();
    let mut sentences = vec![
        "The score is the share of points of the first agent, draws counted as half, with seats \
         swapped from game to game."
            .to_owned(),
    ];
    if compared > 0 {
        sentences.push(format!(
            "{agree} of {compared} cells agree with the paper: the 95 % interval of the difference \
             between both scores, which combines Wilson's intervals of ours and of the paper's \
             number of games (Newcombe 1998), holds 0. Of cells that are equal in truth, one in \
             twenty is expected to differ."
        ));
    }
    if let Some(says) = &findings.about.says {
        sentences.push(format!("The paper says: {says}."));
    }
    sentences.extend(trouble(findings));
    sentences
}

/// What makes numbers less trustworthy than their intervals say.
fn trouble(findings: &Findings) -> Option<String> {
    let ours = || findings.cells.iter().filter_map(|finding| finding.ours.as_ref());
    let duplicates: u64 = ours().map(|ours| ours.duplicates).sum();
    let incidents: u64 = ours().map(|ours| ours.incidents).sum();
    let told = [(duplicates, "repeat another game move by move"), (incidents, "went wrong")];
    let told = told.iter().filter(|(count, _)| *count > 0);
    let told: Vec<_> = told.map(|(count, what)| format!("{count} {what}")).collect();
    (!told.is_empty()).then(|| format!("Of the games, {}.", told.join(", ")))
}

/// What all cells have in common, as names with values; values are code.
pub fn common(findings: &Findings) -> Vec<(&'static str, String)> {
    let cells = || findings.cells.iter().map(|finding| &finding.cell);
    let mut found: Vec<_> = SETUP
        .iter()
        .filter_map(|(name, of)| {
            let values: BTreeSet<_> = cells().map(of).collect();
            (values.len() == 1).then_some((*name, values.into_iter().next()?))
        })
        .collect();
    if let Some(initial) = &findings.about.initial {
        let each = initial.playouts;
        found.push(("{initial}", format!("{}, {each} playouts a position", initial.agent)));
    }
    found
}

/// What cells differ in: names, then a row a cell.
pub fn differing(findings: &Findings) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let cells = || findings.cells.iter().map(|finding| &finding.cell);
    let differs = |of: &dyn Fn(&Cell) -> String| cells().map(of).collect::<BTreeSet<_>>().len() > 1;
    let columns: Vec<_> = SETUP.iter().filter(|(_, of)| differs(of)).collect();
    let row = |cell: &Cell| {
        let values = columns.iter().map(|(_, of)| of(cell));
        std::iter::once(cell.name.clone()).chain(values).collect()
    };
    (columns.iter().map(|(name, _)| *name).collect(), cells().map(row).collect())
}

/// A part of what a match depends on.
type Part = (&'static str, fn(&Cell) -> String);

/// What a match depends on.
const SETUP: [Part; 5] = [
    ("game", |cell| cell.game.clone()),
    ("iterations a move", |cell| cell.iterations.to_string()),
    ("first agent", |cell| cell.first.clone()),
    ("second agent", |cell| cell.second.clone()),
    ("reasoner", |cell| cell.reasoner.clone()),
];

/// The commands that play the games again, one for all cells with as many games and the same seed.
pub fn commands(findings: &Findings) -> Vec<String> {
    let played = |finding: &Finding| finding.ours.as_ref().map(|ours| (ours.games, ours.seed));
    let groups: BTreeSet<_> = findings.cells.iter().filter_map(played).collect();
    let command = |(games, seed): (u64, u64)| {
        let cells = findings.cells.iter().filter(|f| played(f) == Some((games, seed)));
        let names: Vec<_> = cells.map(|finding| finding.cell.name.as_str()).collect();
        let all = names.len() == findings.cells.len();
        let cells = if all { String::new() } else { format!(" --cells {}", names.join(",")) };
        format!("ludens reproduce {}{cells} --games {games} --seed {seed}", findings.name)
    };
    groups.into_iter().map(command).collect()
}

/// The versions of the program that played the games, where they are known.
pub fn commits(findings: &Findings) -> Vec<&str> {
    let ours = findings.cells.iter().filter_map(|finding| finding.ours.as_ref());
    let commits: BTreeSet<_> = ours.filter_map(|ours| ours.commit.as_deref()).collect();
    commits.into_iter().collect()
}
