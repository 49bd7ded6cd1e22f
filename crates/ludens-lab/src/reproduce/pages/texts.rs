//! Texts and numbers shared by all pages and the terminal.

use std::collections::{BTreeMap, BTreeSet};

use super::by_ply;
use crate::reproduce::experiment::{Cell, Results};
use crate::reproduce::findings::{Finding, Findings, Measured};
use crate::reproduce::limit::{Limit, Unit};
use crate::reproduce::trained::TrainingTime;

/// The columns of the table.
pub const HEAD: [&str; 6] = ["cell", "paper", "ours", "95 % interval", "games", "verdict"];

/// The text of a missing value.
const MISSING: &str = "–";

/// A cell as a row of the table.
pub fn row(finding: &Finding) -> [String; 6] {
    let Finding { cell, ours, verdict } = finding;
    let measured =
        |text: &dyn Fn(&Measured) -> String| ours.as_ref().map_or_else(|| MISSING.to_owned(), text);
    let results = cell.paper_results;
    let score = |score: f64, results: Option<Results>| {
        let results = results.map(|Results { win, loss }| format!(" ({win:.0} : {loss:.0})"));
        format!("{score:.1} %{}", results.unwrap_or_default())
    };
    [
        cell.name.clone(),
        cell.paper_score.map_or_else(|| MISSING.to_owned(), |paper| score(paper, results)),
        measured(&|ours| score(ours.score, results.map(|_| ours.results()))),
        measured(&|ours| format!("{:.1} – {:.1} %", ours.interval[0], ours.interval[1])),
        measured(&|ours| ours.games.to_string()),
        verdict.map_or(MISSING, |verdict| verdict.text()).to_owned(),
    ]
}

/// The explanation of an experiment, in sentences.
pub fn explanation(findings: &Findings) -> Vec<String> {
    let (agree, compared) = findings.agreement();
    let mut sentences = vec![
        "The score is the share of points of the first agent, draws counted as half, with seats \
         swapped from game to game."
            .to_owned(),
    ];
    if findings.cells.iter().any(|finding| finding.cell.paper_results.is_some()) {
        sentences.push(
            "Wins and losses in percent are in brackets: who gets more than the other wins, however \
             much that is."
                .to_owned(),
        );
    }
    if findings.cells.iter().any(|finding| !finding.cell.roles.is_empty()) {
        sentences.push(
            "Where roles are given, the first agent has them in every game, the second one has all \
             others, and the score is the mean payoff of the first over its roles."
                .to_owned(),
        );
    }
    sentences.extend(time_of_games(findings));
    sentences.extend(simulations(findings));
    sentences.extend(by_ply::explanation(findings));
    sentences.extend(training_times(findings));
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
    sentences.extend(caveats(findings));
    sentences
}

/// The values of T, if it is a time.
fn time_of_games(findings: &Findings) -> Option<String> {
    let time = |finding: &Finding| {
        let t = finding.ours.as_ref()?.t_milliseconds?;
        Some(format!("{} in {}", t.shown(), finding.cell.game))
    };
    let times: BTreeSet<_> = findings.cells.iter().filter_map(time).collect();
    let times: Vec<_> = times.into_iter().collect();
    let shown = format!("T, the mean time of a random game, was {}.", times.join(", "));
    (!times.is_empty()).then_some(shown)
}

/// The simulations that agents made in a fixed time.
fn simulations(findings: &Findings) -> Option<String> {
    let of_cell = |finding: &Finding| {
        let Limit::Time { .. } = finding.cell.limit else { return None };
        let numbers = &finding.ours.as_ref()?.simulations;
        let numbers: Vec<_> = numbers.iter().map(|n| format!("{n:.0}")).collect();
        Some(format!("{} {}", finding.cell.name, numbers.join(" : ")))
    };
    let cells: Vec<_> = findings.cells.iter().filter_map(of_cell).collect();
    let shown = format!("Mean simulations of a decision, by agents: {}.", cells.join(", "));
    (!cells.is_empty()).then_some(shown)
}

/// How long networks were trained.
fn training_times(findings: &Findings) -> Option<String> {
    let ours = findings.cells.iter().filter_map(|finding| finding.ours.as_ref());
    let times: BTreeMap<_, _> = ours.flat_map(|ours| &ours.training).collect();
    let shown = |(name, time): (&&String, &&TrainingTime)| {
        format!("{name} {:.1} min for {} games of self-play", time.seconds / 60.0, time.games)
    };
    let all: Vec<_> = times.iter().map(shown).collect();
    (!all.is_empty()).then(|| format!("Training took: {}.", all.join(", ")))
}

/// Problems that make numbers less reliable than their intervals suggest.
fn caveats(findings: &Findings) -> Vec<String> {
    let ours = || findings.cells.iter().filter_map(|finding| finding.ours.as_ref());
    let duplicates: u64 = ours().map(|ours| ours.duplicates).sum();
    let incidents: u64 = ours().map(|ours| ours.incidents).sum();
    let mut sentences = Vec::new();
    if duplicates > 0 {
        sentences.push(format!("Of the games, {duplicates} repeat another game move by move."));
    }
    if incidents > 0 {
        sentences.push(format!(
            "{incidents} moves were late, illegal or missing; random ones were made in their place."
        ));
    }
    sentences
}

/// The settings that all cells share, as names with values; values are code.
pub fn common(findings: &Findings) -> Vec<(String, String)> {
    let cells = || findings.cells.iter().map(|finding| &finding.cell);
    let mut found: Vec<_> = SETUP
        .iter()
        .filter_map(|(name, of)| {
            let values: BTreeSet<_> = cells().map(of).collect();
            (values.len() == 1).then_some(((*name).to_owned(), values.into_iter().next()??))
        })
        .collect();
    if let Some(initial) = &findings.about.initial {
        let each = initial.playouts;
        let text = format!("{}, {each} playouts a position", initial.agent);
        found.push(("{initial}".to_owned(), text));
    }
    let networks: BTreeMap<_, _> = cells().flat_map(|cell| &cell.networks).collect();
    found.extend(networks.iter().map(|(name, network)| (format!("{{{name}}}"), network.text())));
    found
}

/// The settings in which cells differ: names, then one row per cell.
pub fn differing(findings: &Findings) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let cells = || findings.cells.iter().map(|finding| &finding.cell);
    let differs = |of: &Value| cells().map(of).collect::<BTreeSet<_>>().len() > 1;
    let columns: Vec<_> = SETUP.iter().filter(|(_, of)| differs(of)).collect();
    let row = |cell: &Cell| {
        let values = columns.iter().map(|(_, of)| of(cell).unwrap_or_else(|| MISSING.to_owned()));
        std::iter::once(cell.name.clone()).chain(values).collect()
    };
    (columns.iter().map(|(name, _)| *name).collect(), cells().map(row).collect())
}

/// The value of a setting in a cell, if it has one.
type Value = fn(&Cell) -> Option<String>;

/// A setting that a match depends on.
type Setting = (&'static str, Value);

/// The settings that a match depends on.
const SETUP: [Setting; 10] = [
    ("game", |cell| Some(cell.game.clone())),
    ("iterations a move", |cell| match cell.limit {
        Limit::Iterations { iterations } => Some(iterations.to_string()),
        _ => None,
    }),
    ("time a move", |cell| match cell.limit {
        Limit::Time { time } => Some(time.to_string()),
        _ => None,
    }),
    ("start clock, move clock", |cell| match cell.limit {
        Limit::Clocks { clocks, .. } => Some(clocks.to_string()),
        _ => None,
    }),
    ("T", |cell| match cell.limit {
        Limit::Iterations { .. } | Limit::Time { .. } => None,
        Limit::Clocks { t: Unit::Simulations, .. } => Some("one simulation".to_owned()),
        Limit::Clocks { t: Unit::Time, .. } => Some("mean time of a random game".to_owned()),
        Limit::Clocks { t: Unit::Milliseconds, .. } => Some("one millisecond".to_owned()),
    }),
    ("random moves at the beginning", |cell| {
        (cell.openings > 0).then(|| cell.openings.to_string())
    }),
    ("roles of the first agent", |cell| (!cell.roles.is_empty()).then(|| cell.roles.join(", "))),
    ("first agent", |cell| Some(cell.first.clone())),
    ("second agent", |cell| cell.second.clone()),
    ("reasoner", |cell| Some(cell.reasoner.clone())),
];

/// The commands that reproduce the games, one for all cells with the same number of games and seed.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::findings::tests::made_up;

    /// Twelve of 100 games are won, in a cell with networks and roles, and a cell with a time limit.
    #[test]
    fn networks_roles_times_and_simulations_are_explained() {
        let mut babel = made_up("ggpzero/babel", &[12, 70, 40, 60]);
        let time = TrainingTime { seconds: 90.0, games: 6400 };
        let ours = babel.cells[2].ours.as_mut().unwrap();
        ours.training.insert("babel_100".to_owned(), time);
        let text = explanation(&babel).join(" ");
        assert!(text.contains("the mean payoff of the first over its roles"), "{text}");
        assert!(text.contains("Training took: babel_100 1.5 min for 6400 games"), "{text}");
        let shared = common(&babel);
        let value =
            |name: &str| shared.iter().find(|(own, _)| own == name).map(|(_, v)| v.as_str());
        assert_eq!(value("roles of the first agent"), Some("builder1, builder2, builder3"));
        assert_eq!(value("second agent"), None);
        let network = "babel, ggpzero, ggpzero(depth=20), 100 iterations, 50 simulations, r = 1";
        assert_eq!(value("{babel_100}"), Some(network));
        assert_eq!(row(&babel.cells[3])[1..3], ["63.8 %", "60.0 %"]);

        let mut timed = made_up("ggpzero/figure4b", &[50]);
        timed.cells[0].ours.as_mut().unwrap().simulations = vec![812.4, 3000.0];
        let text = explanation(&timed).join(" ");
        let shown = "Mean simulations of a decision, by agents: iterations100_time0.5s 812 : 3000.";
        assert!(text.contains(shown), "{text}");
        let (names, rows) = differing(&timed);
        assert!(names.contains(&"time a move") && rows[0].contains(&"0.5s".to_owned()), "{rows:?}");
    }
}
