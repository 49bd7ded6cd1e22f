//! The results of an experiment, as JSON: the source of all pages.
//!
//! Scores and the ends of intervals are in percent, as papers give them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::experiment::{About, Cell, Experiment};
use super::verdict::{Verdict, judge};

pub use super::measured::{Measured, StageMean};

/// The name of the format.
const SCHEMA: &str = "ludens/reproduction/1";

/// The results of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Findings {
    /// The name of the format.
    schema: String,
    /// The experiment.
    pub name: String,
    /// Its description.
    #[serde(flatten)]
    pub about: About,
    /// All its cells, in their order.
    pub cells: Vec<Finding>,
}

/// The result of a cell.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The match.
    #[serde(flatten)]
    pub cell: Cell,
    /// Our result; absent if no game was played.
    pub ours: Option<Measured>,
    /// Comparison with the paper; absent if one of the results is.
    pub verdict: Option<Verdict>,
}

impl Finding {
    /// The result of a cell.
    pub fn new(cell: Cell, ours: Option<Measured>) -> Self {
        let judged = |ours: &Measured| Some(judge(ours.proportion(), cell.published()?));
        let verdict = ours.as_ref().and_then(judged);
        Finding { cell, ours, verdict }
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.ours.as_ref().map_or(0, |ours| ours.games)
    }
}

impl Findings {
    /// The results of the cells of an experiment.
    pub fn new(
        experiment: &Experiment,
        mut measured: impl FnMut(&Cell) -> Option<Measured>,
    ) -> Self {
        let finding = |cell: &Cell| Finding::new(cell.clone(), measured(cell));
        let cells = experiment.cells.iter().map(finding).collect();
        let (schema, name) = (SCHEMA.to_owned(), experiment.name.clone());
        Findings { schema, name, about: experiment.about.clone(), cells }
    }

    /// Keeps earlier results with more games of the same match.
    pub fn keep_from(&mut self, earlier: &Findings) {
        for finding in &mut self.cells {
            let same = |other: &&Finding| {
                other.cell.name == finding.cell.name && other.cell.is_same_match(&finding.cell)
            };
            let known = earlier.cells.iter().find(same).filter(|e| e.games() > finding.games());
            // With another initial policy it is another match.
            if let Some(known) = known.filter(|_| earlier.about.initial == self.about.initial) {
                *finding = Finding::new(finding.cell.clone(), known.ours.clone());
            }
        }
    }

    /// How many cells agree, and how many have enough games to be compared.
    pub fn agreement(&self) -> (usize, usize) {
        let compared = |finding: &Finding| finding.verdict.filter(|v| *v != Verdict::TooFewGames);
        let verdicts = || self.cells.iter().filter_map(compared);
        (verdicts().filter(|verdict| *verdict == Verdict::Agrees).count(), verdicts().count())
    }

    /// How many cells were played, and how many games in all.
    pub fn played(&self) -> (usize, u64) {
        let games = || self.cells.iter().map(Finding::games);
        (games().filter(|games| *games > 0).count(), games().sum())
    }

    /// The file of an experiment's findings in a folder.
    pub fn path(folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.json"))
    }

    /// Reads findings; verdicts are computed again.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let within = || format!("cannot read {}", path.display());
        let text = std::fs::read_to_string(path).with_context(within)?;
        let mut findings: Findings = serde_json::from_str(&text).with_context(within)?;
        if findings.schema != SCHEMA {
            bail!("{}: its format is `{}`, not `{SCHEMA}`", within(), findings.schema);
        }
        for finding in &mut findings.cells {
            *finding = Finding::new(finding.cell.clone(), finding.ours.clone());
        }
        Ok(findings)
    }

    /// The findings as JSON that can be compared line by line.
    pub fn json(&self) -> anyhow::Result<String> {
        Ok(format!("{}\n", serde_json::to_string_pretty(self)?))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::reproduce::collection;
    use crate::reproduce::limit::Limit;
    use crate::reproduce::verdict::{Proportion, percent};

    /// Made-up numbers for the first cells of an experiment.
    pub fn made_up(name: &str, wins: &[u64]) -> Findings {
        let experiment = collection::embedded(name).expect("it comes with the program");
        let mut wins = wins.iter();
        Findings::new(&experiment, |_| wins.next().map(|&wins| measured(wins, 100)))
    }

    /// A made-up result.
    pub fn measured(wins: u64, games: u64) -> Measured {
        let interval = Proportion { share: wins as f64 / games as f64, games: games as f64 };
        let interval = interval.interval();
        Measured {
            seed: 1,
            games,
            wins,
            draws: 0,
            losses: games - wins,
            score: percent(wins as f64 / games as f64),
            interval: [percent(interval.low), percent(interval.high)],
            duplicates: 0,
            incidents: 0,
            t_milliseconds: None,
            simulations: Vec::new(),
            by_ply: Vec::new(),
            training: BTreeMap::new(),
            commit: None,
        }
    }

    #[test]
    fn findings_are_judged() {
        // The paper: 95.4, 94.2, 81.8 and 96.6 % of 500 games.
        let findings = made_up("ppafm/table2", &[95, 80, 95]);
        let verdicts: Vec<_> = findings.cells.iter().map(|finding| finding.verdict).collect();
        let expected = [Verdict::Agrees, Verdict::Lower, Verdict::Higher].map(Some);
        assert_eq!((&verdicts[..3], verdicts[3]), (&expected[..], None));
        assert_eq!((findings.agreement(), findings.played()), ((1, 3), (3, 300)));
        let [low, high] = findings.cells[0].ours.as_ref().unwrap().interval;
        assert!((low - 88.825).abs() < 1e-9 && (high - 97.8456).abs() < 1e-9, "{low} to {high}");
    }

    #[test]
    fn cells_with_too_few_games_are_not_compared() {
        let mut findings = made_up("ppafm/table2", &[95, 80]);
        findings.cells[2] = Finding::new(findings.cells[2].cell.clone(), Some(measured(3, 4)));
        assert_eq!(findings.cells[2].verdict, Some(Verdict::TooFewGames));
        assert_eq!((findings.agreement(), findings.played()), ((1, 2), (3, 204)));
    }

    /// A game that both lose has payoffs of 0, and is no more than a draw to a paper that counts wins.
    #[test]
    fn scores_can_be_computed_from_results() {
        let both_lost = Measured { wins: 1, draws: 3, losses: 0, score: 25.0, ..measured(1, 4) };
        let by_results = both_lost.by_results();
        assert_eq!((by_results.score, by_results.wins), (62.5, 1));
        let [low, high] = by_results.interval;
        assert!(low < 62.5 && 62.5 < high, "{low} to {high}");
        assert_eq!(measured(60, 100).by_results(), measured(60, 100));
    }

    #[test]
    fn results_with_more_games_are_kept_for_the_same_match_only() {
        let earlier = made_up("ppafm/table2", &[60, 60, 60, 60]);
        let mut findings = made_up("ppafm/table2", &[70]);
        findings.cells[0].ours = Some(measured(140, 200));
        findings.cells[1].cell.limit = Limit::Iterations { iterations: 5 };
        findings.cells[2].ours = Some(measured(3, 4));
        findings.keep_from(&earlier);
        let wins: Vec<_> =
            findings.cells.iter().map(|f| f.ours.as_ref().map(|ours| ours.wins)).collect();
        assert_eq!(wins[..5], [Some(140), None, Some(60), Some(60), None]);
        let mut learnt = made_up("ppafm/table4", &[]);
        let mut earlier = made_up("ppafm/table4", &[50]);
        earlier.about.initial.as_mut().unwrap().playouts = 7;
        learnt.keep_from(&earlier);
        assert_eq!(learnt.played(), (0, 0));
    }

    #[test]
    fn files_round_trip_and_other_formats_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = Findings::path(folder.path(), "table2");
        let findings = made_up("ppafm/table2", &[95, 80, 95]);
        std::fs::write(&path, findings.json().unwrap()).unwrap();
        assert_eq!(Findings::read(&path).unwrap(), findings);
        std::fs::write(&path, findings.json().unwrap().replace("uction/1", "uction/2")).unwrap();
        let error = Findings::read(&path).unwrap_err().to_string();
        assert!(error.contains("its format is `ludens/reproduction/2`"), "{error}");
        assert!(Findings::read(folder.path()).is_err());
    }
}
