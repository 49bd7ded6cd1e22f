//! The progress of experiments, from a journal and earlier findings.

use std::path::Path;
use std::time::Duration;

use ludens_arena::journal::Journal;
use ludens_catalog::{load_agent, load_source};
use ludens_core::Spec;

use super::experiment::{Cell, Experiment};
use super::findings::Findings;
use super::networks::{INITIAL_NAME, names, unlearnt};
use crate::contest::{Settings, fingerprint};

/// The contests of a journal.
#[derive(Default)]
pub struct JournalStatus {
    /// Matches of the journal, and how many games each has.
    matches: Vec<(Settings, u64)>,
}

/// The progress of an experiment.
pub struct ExperimentProgress {
    /// How many cells have games.
    pub played: usize,
    /// How many games there are.
    pub games: u64,
    /// How many cells agree and how many could be compared, if there are findings.
    pub agreement: Option<(usize, usize)>,
}

impl JournalStatus {
    /// Reads a journal; empty if there is no such file.
    pub fn read(journal: &Path) -> anyhow::Result<Self> {
        if !journal.exists() {
            return Ok(JournalStatus::default());
        }
        let journal = Journal::open_existing(journal)?;
        let mut matches = Vec::new();
        for summary in journal.summaries()? {
            let found = journal.find(&summary.name)?.map(|experiment| experiment.spec);
            // Other programs may write to the same file.
            let settings = found.and_then(|spec| serde_json::from_value(spec).ok());
            matches.extend(settings.map(|settings| (settings, summary.games)));
        }
        Ok(JournalStatus { matches })
    }

    /// The progress of an experiment; for each cell, the source with the most games counts.
    pub fn progress(&self, experiment: &Experiment, docs: &Path) -> ExperimentProgress {
        let mut known = Findings::new(experiment, |_| None);
        let earlier = Findings::read(&Findings::path(docs, &experiment.name)).ok();
        if let Some(earlier) = &earlier {
            known.keep_from(earlier);
        }
        let games = known.cells.iter().map(|f| f.games().max(self.games(&f.cell)));
        let games: Vec<u64> = games.collect();
        ExperimentProgress {
            played: games.iter().filter(|games| **games > 0).count(),
            games: games.iter().sum(),
            agreement: earlier.map(|_| known.agreement()),
        }
    }

    /// The T of earlier matches in the game of a cell: that of the cell itself with this seed, or that of
    /// another one otherwise, so that all cells of a game share T.
    pub fn t(&self, cell: &Cell, seed: u64) -> Option<Duration> {
        let source = load_source(&cell.game).ok()?;
        let rules = fingerprint(&source.source.text);
        let in_game = |settings: &&Settings| {
            settings.rules == rules
                && settings.reasoner == cell.reasoner
                && settings.t_milliseconds.is_some()
        };
        let same = || self.matches.iter().map(|(settings, _)| settings).filter(in_game);
        let own = same().find(|settings| settings.seed == seed && is_match_of(settings, cell));
        own.or_else(|| same().next())?.t_milliseconds.map(|t| t.0)
    }

    /// How many games of a cell the journal has.
    fn games(&self, cell: &Cell) -> u64 {
        let is_of = |(settings, _): &&(Settings, u64)| is_match_of(settings, cell);
        self.matches.iter().filter(is_of).map(|(_, games)| *games).max().unwrap_or(0)
    }
}

/// Whether a match belongs to a cell, whatever its seed.
fn is_match_of(settings: &Settings, cell: &Cell) -> bool {
    let Ok(source) = load_source(&cell.game) else { return false };
    let agents: Vec<_> = cell.agents().collect();
    settings.game == source.name
        && cell.limit.is_of(settings)
        && settings.reasoner == cell.reasoner
        && (settings.openings, &settings.roles) == (cell.openings, &cell.roles)
        && settings.agents.len() == agents.len()
        && settings.agents.iter().zip(agents).all(|(played, text)| {
            is_agent(played, text, |name| {
                let file = cell.networks.get(name)?.file(name, settings.seed);
                Some(file.ok()?.display().to_string())
            })
        })
}

/// Whether an agent of a journal is that of a cell, whatever the path of its learnt policy and the folder of
/// its networks; `file` gives the file of a network in that folder.
fn is_agent(played: &str, text: &str, file: impl Fn(&str) -> Option<String>) -> bool {
    let Ok(agent) = load_agent(&unlearnt(text)) else { return false };
    let Ok(mut parts) = Spec::parse_chain(played) else { return false };
    if names(text).next().is_none() {
        return played == agent.to_string();
    }
    let mut learnt = Vec::new();
    for part in &mut parts {
        part.args.retain(|(key, value)| {
            let is_learnt = key == "initial" || key == "file";
            if is_learnt {
                learnt.push((key.clone(), value.clone().unwrap_or_default()));
            }
            !is_learnt
        });
    }
    let is_same = |(name, (key, path)): (&str, &(String, String))| match name {
        INITIAL_NAME => key == "initial",
        _ => file(name).is_some_and(|file| Path::new(path).ends_with(file)),
    };
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    parts.join(" + ") == agent.to_string()
        && learnt.len() == names(text).count()
        && names(text).zip(&learnt).all(is_same)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn t_is_that_of_the_cell_or_of_its_game() {
        let text = "title = 't'\npaper = 'p'\nkind = 'table'\ngames = 10\nfirst = 'flat'\nt = 'time'\n\
                    second = 'random'\ngame = 'nim'\n[[cells]]\nname = 'a'\nclocks = '16T, 2T'\n\
                    [[cells]]\nname = 'b'\nclocks = '64T, 8T'\n";
        let cells = Experiment::parse("a", text, "a.toml").unwrap().cells;
        let source = load_source("nim").unwrap();
        let settings = |[start, play, t]: [u64; 3], seed: u64| -> Settings {
            let json = json!({"format": 1, "game": source.name, "reasoner": "auto",
                "rules": fingerprint(&source.source.text), "agents": ["flat", "random"],
                "pairing": "round_robin", "seed": seed, "iterations": null, "milliseconds": play,
                "start_milliseconds": start, "t_milliseconds": t, "tolerance": 100, "openings": 0,
                "ply_limit": 10000});
            serde_json::from_value(json).unwrap()
        };
        let found = |matches: &[Settings], cell: usize, seed: u64| {
            let matches = matches.iter().map(|settings| (settings.clone(), 1)).collect();
            JournalStatus { matches }.t(&cells[cell], seed).map(|t| t.as_millis())
        };
        let (short, long) = (settings([64, 8, 4], 1), settings([64, 8, 1], 1));
        let both = [short.clone(), long.clone()];
        assert_eq!((found(&both, 0, 1), found(&both, 1, 1)), (Some(4), Some(1)));
        assert_eq!((found(&both[..1], 1, 1), found(&both, 1, 2)), (Some(4), Some(4)));
        let other = Settings { reasoner: "logic".to_owned(), ..short.clone() };
        assert_eq!(found(&[other, Settings { rules: "other".to_owned(), ..short }], 0, 1), None);
        let plain = Settings { t_milliseconds: None, ..long };
        assert_eq!(found(&[plain], 1, 1), None, "T was not measured");
    }

    #[test]
    fn agents_are_recognised_whatever_the_path_of_what_they_learnt() {
        let file = |name: &str| (name == "c4").then(|| "c4-12/network.safetensors".to_owned());
        let is_agent = |played: &str, text: &str| super::is_agent(played, text, file);
        let text = "uct(c=0.4, reuse=false) + ppaf(alpha=0.32, memorize, initial={initial})";
        assert!(is_agent("uct(reuse=false) + ppafm(initial=a/b.json)", text));
        assert!(!is_agent("uct(reuse=false) + ppafm", text));
        assert!(!is_agent("uct + ppafm(initial=a/b.json)", text));
        assert!(is_agent("uct(c=0.5)", "uct(c=0.50)"));
        assert!(!is_agent("uct(", "uct") && !is_agent("uct", "uct("));
        let zero = "zero(file={c4}, batch=1)";
        assert!(is_agent("zero(file=a.networks/c4-12/network.safetensors, batch=1)", zero));
        assert!(!is_agent("zero(file=a.networks/c4-13/network.safetensors, batch=1)", zero));
        assert!(!is_agent("zero(file=a.networks/c4-12/network.safetensors)", zero));
        assert!(
            !is_agent("zero(batch=1)", zero)
                && !is_agent("zero(batch=1)", "zero(file={c5}, batch=1)")
        );
    }
}
