//! Tournaments: many agents in many games, described by a TOML file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use ludens_arena::clock::Allowance;
use ludens_arena::play::Terms;
use ludens_arena::schedule::Pairing;
use ludens_catalog::{AgentSpec, LoadedSource, ReasonerKind, load_agent, load_source, nearest};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;

use super::naming::plain;
use super::toml_file::{TomlFile, read_toml};
use super::{Contest, DEFAULT_JOURNAL};
use crate::hinted::Hinted;
use crate::load::LoadSettings;
use crate::units;

/// A number of at least 1.
#[derive(Clone, Copy)]
struct Positive(u64);

impl<'de> Deserialize<'de> for Positive {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(PositiveVisitor)
    }
}

struct PositiveVisitor;

impl Visitor<'_> for PositiveVisitor {
    type Value = Positive;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(units::POSITIVE)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Positive, E> {
        match u64::try_from(number) {
            Ok(positive) if positive > 0 => Ok(Positive(positive)),
            _ => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }
}

/// The content of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TournamentFile {
    /// Its name in the journal.
    name: Option<String>,
    agents: Vec<Spanned<String>>,
    games: Vec<Spanned<String>>,
    games_per_meeting: Positive,
    iterations: Option<Positive>,
    time: Option<Spanned<String>>,
    start_iterations: Option<Positive>,
    start_time: Option<Spanned<String>>,
    pairing: Option<Pairing>,
    seed: Option<u64>,
    openings: Option<usize>,
    reasoner: Option<Spanned<String>>,
    journal: Option<PathBuf>,
}

/// Overrides of a tournament file; `None` for the value of the file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TournamentOptions {
    /// How many games each meeting has.
    pub games: Option<usize>,
    /// Only these games of the file; all if empty.
    pub cells: Vec<String>,
    /// How many threads play.
    pub concurrency: Option<usize>,
    /// How many games each thread plays at the same time.
    pub together: Option<usize>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// How long grounding may take.
    pub ground_time: Option<Duration>,
    /// How much memory grounding may take.
    pub ground_bytes: Option<usize>,
}

/// A tournament whose file was read and checked.
pub struct Tournament {
    /// Its name in the journal.
    pub name: String,
    agents: Vec<AgentSpec>,
    games: Vec<String>,
    allowance: Allowance,
    start: Option<Allowance>,
    reasoner: Option<ReasonerKind>,
    written: TournamentFile,
}

impl Tournament {
    /// Reads a file and checks all names in it.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let (text, written): (String, TournamentFile) = read_toml(path)?;
        let file = TomlFile { path, text: &text };
        let at = |spanned: &Spanned<String>| file.place(Some(spanned.span()));
        if written.agents.is_empty() || written.games.is_empty() {
            let hint = "write `agents = [\"uct\", \"flat\"]` and `games = [\"tictactoe\"]`";
            let nothing = format!("{}: there are no agents or no games", path.display());
            return Err(Hinted::new(nothing, hint).into());
        }
        let agent = |text: &Spanned<String>| load_agent(text.as_ref()).with_context(|| at(text));
        let agents = written.agents.iter().map(agent).collect::<Result<_, _>>()?;
        let game = |text: &Spanned<String>| load_source(text.as_ref()).with_context(|| at(text));
        let games = written.games.iter().map(game).collect::<anyhow::Result<Vec<_>>>()?;
        refuse_duplicates(&games, |number| at(&written.games[number]))?;
        let games = games.into_iter().map(|game| game.name).collect();
        let reasoner = |text: &Spanned<String>| text.as_ref().parse().with_context(|| at(text));
        let reasoner = written.reasoner.as_ref().map(reasoner).transpose()?;
        let (allowance, start) = (allowance(&written, &file)?, start(&written, &file)?);
        let stem = path.file_stem().map_or("tournament".into(), |stem| stem.to_string_lossy());
        let name = written.name.clone().unwrap_or_else(|| stem.into_owned());
        Ok(Tournament { name, agents, games, allowance, start, reasoner, written })
    }

    /// The agents in canonical spelling.
    pub fn names(&self) -> Vec<String> {
        self.agents.iter().map(ToString::to_string).collect()
    }

    /// The journal.
    pub fn journal(&self, options: &TournamentOptions) -> PathBuf {
        let chosen = options.journal.clone().or_else(|| self.written.journal.clone());
        chosen.unwrap_or_else(|| DEFAULT_JOURNAL.into())
    }

    /// One contest for each selected game.
    pub fn contests(&self, options: &TournamentOptions) -> anyhow::Result<Vec<Contest>> {
        let games = self.selected(&options.cells)?;
        Ok(games.into_iter().map(|game| self.contest(game, options)).collect())
    }

    fn contest(&self, game: &str, options: &TournamentOptions) -> Contest {
        let n_games = options.games.unwrap_or(self.written.games_per_meeting.0 as usize);
        let default = Contest::new(game, self.agents.clone(), self.allowance, n_games);
        let opening = self.written.openings.unwrap_or(default.terms.opening);
        Contest {
            load: LoadSettings {
                reasoner: self.reasoner,
                ground_time: options.ground_time,
                ground_bytes: options.ground_bytes,
            },
            terms: Terms { start: self.start, opening, ..default.terms },
            pairing: self.written.pairing.unwrap_or(default.pairing),
            seed: self.written.seed.unwrap_or(default.seed),
            concurrency: options.concurrency,
            together: options.together,
            journal: self.journal(options),
            name: Some(format!("{}/{}", self.name, plain(game))),
            ..default
        }
    }

    /// The games with the given names, with or without parameters; all if there are none.
    fn selected(&self, cells: &[String]) -> anyhow::Result<Vec<&str>> {
        let all = || self.games.iter().map(String::as_str);
        let bare = |game: &str| game.split('(').next().unwrap_or(game).to_owned();
        let fits = |game: &str, cell: &String| game == cell || bare(game) == *cell;
        for cell in cells {
            if !all().any(|game| fits(game, cell)) {
                let hint = match nearest(cell, all()) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("its games are: {}", self.games.join(", ")),
                };
                let message = format!("the tournament has no game `{cell}`");
                return Err(Hinted::new(message, hint).into());
            }
        }
        let wanted = |game: &&str| cells.is_empty() || cells.iter().any(|cell| fits(game, cell));
        Ok(all().filter(wanted).collect())
    }
}

/// The journal identifies the games of a tournament by name: a game that is listed twice would be played
/// once and counted twice.
fn refuse_duplicates(
    games: &[LoadedSource],
    place: impl Fn(usize) -> String,
) -> anyhow::Result<()> {
    let same_name = |a: &LoadedSource, b: &LoadedSource| plain(&a.name) == plain(&b.name);
    for (number, game) in games.iter().enumerate() {
        let is_same =
            |other: &&LoadedSource| same_name(game, other) || game.source.text == other.source.text;
        let Some(earlier) = games[..number].iter().find(is_same) else { continue };
        let (name, other, place) = (&game.name, &earlier.name, place(number));
        let (message, hint) = if game.source.text == earlier.source.text {
            let hint = "list it once; increase games_per_meeting to play more games of it";
            (format!("{place}: `{name}` is the same game as `{other}` before it"), hint)
        } else {
            let hint = "give one of the files another name";
            (format!("{place}: `{name}` and `{other}` have the same name in the journal"), hint)
        };
        return Err(Hinted::new(message, hint).into());
    }
    Ok(())
}

/// The limits of a move.
fn allowance(written: &TournamentFile, file: &TomlFile<'_>) -> anyhow::Result<Allowance> {
    let found = limits(written.iterations, written.time.as_ref(), file)?;
    Ok(found.ok_or_else(|| {
        let message = format!("{} has no limit for moves", file.path.display());
        Hinted::new(message, "add a line `iterations = 1000`, or `time = \"1s\"`")
    })?)
}

/// The limits of preparation.
fn start(written: &TournamentFile, file: &TomlFile<'_>) -> anyhow::Result<Option<Allowance>> {
    limits(written.start_iterations, written.start_time.as_ref(), file)
}

/// Limits, if there are any.
fn limits(
    iterations: Option<Positive>,
    time: Option<&Spanned<String>>,
    file: &TomlFile<'_>,
) -> anyhow::Result<Option<Allowance>> {
    let read = |text: &Spanned<String>| {
        let wrong = |what| anyhow::anyhow!("{}: {what}", file.place(Some(text.span())));
        units::positive_duration(text.as_ref()).map_err(wrong)
    };
    let time = time.map(read).transpose()?;
    let iterations = iterations.map(|Positive(number)| number);
    let any = iterations.is_some() || time.is_some();
    Ok(any.then_some(Allowance { time, iterations, bytes: None }))
}
