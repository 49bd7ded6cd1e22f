//! Results in formats for other programs.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use ludens_arena::export::{
    About, match_json as as_match_json, standing_csv, started, write_json_lines,
};
use ludens_arena::plot::{Estimate, Level, Row, RowPlot};
use ludens_arena::record::GameRecord;
use ludens_arena::standing::{AgentStanding, Standing};
use ludens_catalog::{Cache, LoadedGame, ReasonerKind, WithGame};
use ludens_core::Game;

use super::Found;
use crate::console::Console;
use crate::report::print_note;
use ludens_lab::contest::{fingerprint, plain};
use ludens_lab::{Hinted, LoadSettings};

/// Tables, one agent per line; the first column is the match.
pub(super) fn csv(found: &[Found], console: &mut Console) -> io::Result<()> {
    for (at, found) in found.iter().enumerate() {
        let table = standing_csv(&found.board().standing());
        let (head, rows) = table.split_once('\n').unwrap_or((&table, ""));
        if at == 0 {
            writeln!(console, "match,{head}")?;
        }
        for row in rows.lines() {
            writeln!(console, "{},{row}", quoted(&found.name))?;
        }
    }
    Ok(())
}

/// A cell of any content, quoted if necessary.
fn quoted(text: &str) -> String {
    let harmless = |c: char| c.is_alphanumeric() || "-_/. ".contains(c);
    if text.chars().all(harmless) {
        text.to_owned()
    } else {
        format!("\"{}\"", text.replace('"', "\"\""))
    }
}

/// Games, a line each.
pub(super) fn json_lines(found: &[Found], console: &mut Console) -> io::Result<()> {
    for found in found {
        let names = found.settings.names();
        let about = found.settings.about(&found.name, &names);
        write_json_lines(console, &about, &found.games)?;
    }
    Ok(())
}

/// A picture of the scores.
pub(super) fn svg(found: &[Found], path: &Path, console: &mut Console) -> anyhow::Result<()> {
    let rows: Vec<Row> = found.iter().flat_map(rows).collect();
    let title = match found {
        [one] => format!("{}, {}", one.settings.game, one.settings.allowance()),
        _ => "Scores".to_owned(),
    };
    let plot = RowPlot { title, axis: "mean payoff".into(), level: Some(Level(0.5)), rows };
    std::fs::write(path, plot.svg()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(writeln!(console, "wrote {}", path.display())?)
}

/// The row of the first of two agents if they share a point in every game, since the other has the
/// rest; otherwise the rows of all agents.
fn rows(found: &Found) -> Vec<Row> {
    let Standing { agents, .. } = found.board().standing();
    let row = |agent: &AgentStanding, label: String| Row {
        label,
        estimate: Estimate::new(agent.score, agent.interval),
        published: None,
        note: format!("{} games", agent.games),
    };
    let game = &found.settings.game;
    let shares_a_point = |game: &GameRecord| {
        let payoffs = game.payoff_of(0).zip(game.payoff_of(1));
        payoffs.is_some_and(|(first, second)| (first + second - 1.0).abs() < 1e-9)
    };
    let mut valid = found.games.iter().filter(|game| game.is_valid());
    match &agents[..] {
        [first, second] if valid.all(shares_a_point) => {
            vec![row(first, format!("{game}: {} against {}", first.name, second.name))]
        }
        all => all.iter().map(|agent| row(agent, format!("{game}: {}", agent.name))).collect(),
    }
}

/// Files of recorded matches, one for each game.
pub(super) fn match_json(
    found: &[Found],
    folder: &Path,
    cache: &Cache,
    console: &mut Console,
) -> anyhow::Result<()> {
    let unwritable = || format!("cannot write to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(unwritable)?;
    let mut count = 0;
    for found in found {
        let loaded = load(found, cache)?;
        let names = found.settings.names();
        let rulesheet = Some(loaded.source.source.text.as_str());
        let about = About { rulesheet, ..found.settings.about(&found.name, &names) };
        count += loaded.game.with(Writing { found, about: &about, folder })?;
    }
    Ok(writeln!(console, "wrote {count} games to {}", folder.display())?)
}

/// The game of a match, if its rules have not changed.
fn load(found: &Found, cache: &Cache) -> anyhow::Result<LoadedGame> {
    let game = &found.settings.game;
    let kind: ReasonerKind = found.settings.reasoner.parse()?;
    let settings = LoadSettings::from(kind);
    let loaded = settings.load_game(game, cache, &mut |event| print_note(&event))?;
    if fingerprint(&loaded.source.source.text) != found.settings.rules {
        let message =
            format!("the rules of `{game}` have changed since `{}` was played", found.name);
        let hint = "export the games with --jsonl, which needs no rules";
        return Err(Hinted::new(message, hint).into());
    }
    Ok(loaded)
}

/// Writes the games of a match.
struct Writing<'a> {
    found: &'a Found,
    about: &'a About<'a>,
    folder: &'a Path,
}

impl WithGame for Writing<'_> {
    type Out = anyhow::Result<usize>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let stem = plain(&self.found.name.replace('/', "-"));
        for record in &self.found.games {
            let finished = self.found.finished.get(&record.slot.index).copied().unwrap_or_default();
            let begun = started(record, finished);
            let text = as_match_json(&*game, self.about, record, begun)?.to_string();
            let path = self.folder.join(format!("{stem}.{:05}.json", record.slot.index));
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(self.found.games.len())
    }
}
