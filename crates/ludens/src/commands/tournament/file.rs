//! The TOML of a tournament.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_arena::clock::Allowance;
use ludens_arena::play::Terms;
use ludens_arena::schedule::Pairing;
use ludens_catalog::{AgentSpec, LoadedSource, ReasonerKind, load_agent, load_source, nearest};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::Tournament as Args;
use crate::cli::ReasonerArg;
use crate::contest::{Contest, Slip, USUAL_JOURNAL, plain, read_toml};
use crate::failure::Hinted;
use crate::units;

/// How many of something there are, if none make no sense.
#[derive(Clone, Copy)]
struct Several(u64);

impl<'de> Deserialize<'de> for Several {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(SeveralVisitor)
    }
}

/// Says in words of people what is expected.
struct SeveralVisitor;

impl Visitor<'_> for SeveralVisitor {
    type Value = Several;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(units::SOME)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Several, E> {
        match u64::try_from(number) {
            Ok(several) if several > 0 => Ok(Several(several)),
            _ => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }
}

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What it is called in the journal.
    name: Option<String>,
    agents: Vec<Spanned<String>>,
    games: Vec<Spanned<String>>,
    games_per_meeting: Several,
    iterations: Option<Several>,
    time: Option<Spanned<String>>,
    start_iterations: Option<Several>,
    start_time: Option<Spanned<String>>,
    pairing: Option<Pairing>,
    seed: Option<u64>,
    openings: Option<usize>,
    reasoner: Option<Spanned<String>>,
    journal: Option<PathBuf>,
}

/// A tournament in which everything is known to be right.
pub(super) struct Tournament {
    /// What it is called in the journal.
    pub(super) name: String,
    agents: Vec<AgentSpec>,
    games: Vec<String>,
    allowance: Allowance,
    start: Option<Allowance>,
    reasoner: Option<ReasonerKind>,
    written: Written,
}

impl Tournament {
    /// Reads a file. All names in it are looked up before the first game is played.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let (text, written): (String, Written) = read_toml(path)?;
        let slip = Slip { path, text: &text };
        let at = |spanned: &Spanned<String>| slip.place(Some(spanned.span()));
        if written.agents.is_empty() || written.games.is_empty() {
            let hint = "write `agents = [\"uct\", \"flat\"]` and `games = [\"tictactoe\"]`";
            let nothing = format!("{}: there are no agents or no games", path.display());
            return Err(Hinted::new(nothing, hint).into());
        }
        let agent = |text: &Spanned<String>| load_agent(text.as_ref()).with_context(|| at(text));
        let agents = written.agents.iter().map(agent).collect::<Result<_, _>>()?;
        let game = |text: &Spanned<String>| load_source(text.as_ref()).with_context(|| at(text));
        let games = written.games.iter().map(game).collect::<anyhow::Result<Vec<_>>>()?;
        refuse_twins(&games, |number| at(&written.games[number]))?;
        let games = games.into_iter().map(|game| game.name).collect();
        let reasoner = |text: &Spanned<String>| text.as_ref().parse().with_context(|| at(text));
        let reasoner = written.reasoner.as_ref().map(reasoner).transpose()?;
        let (allowance, start) = (allowance(&written, &slip)?, start(&written, &slip)?);
        let stem = path.file_stem().map_or("tournament".into(), |stem| stem.to_string_lossy());
        let name = written.name.clone().unwrap_or_else(|| stem.into_owned());
        Ok(Tournament { name, agents, games, allowance, start, reasoner, written })
    }

    /// The agents in canonical spelling.
    pub(super) fn names(&self) -> Vec<String> {
        self.agents.iter().map(ToString::to_string).collect()
    }

    /// Where games are written down.
    pub(super) fn journal(&self, args: &Args) -> PathBuf {
        let said = args.journal.clone().or_else(|| self.written.journal.clone());
        said.unwrap_or_else(|| USUAL_JOURNAL.into())
    }

    /// One contest for each game that was asked for.
    pub(super) fn contests(&self, args: &Args) -> anyhow::Result<Vec<Contest>> {
        let games = self.selected(&args.cells)?;
        Ok(games.into_iter().map(|game| self.contest(game, args)).collect())
    }

    fn contest(&self, game: &str, args: &Args) -> Contest {
        let n_games = args.games.unwrap_or(self.written.games_per_meeting.0 as usize);
        let usual = Contest::new(game, self.agents.clone(), self.allowance, n_games);
        let opening = self.written.openings.unwrap_or(usual.terms.opening);
        Contest {
            reasoner: ReasonerArg::new(self.reasoner, args.ground),
            terms: Terms { start: self.start, opening, ..usual.terms },
            pairing: self.written.pairing.unwrap_or(usual.pairing),
            seed: self.written.seed.unwrap_or(usual.seed),
            concurrency: args.crew.concurrency,
            together: args.crew.together,
            journal: self.journal(args),
            name: Some(format!("{}/{}", self.name, plain(game))),
            ..usual
        }
    }

    /// The games that were asked for: all of them, or those whose names were given, with or
    /// without parameters.
    fn selected(&self, cells: &[String]) -> anyhow::Result<Vec<&str>> {
        let all = || self.games.iter().map(String::as_str);
        let bare = |game: &str| game.split('(').next().unwrap_or(game).to_owned();
        let fits = |game: &str, cell: &String| game == cell || bare(game) == *cell;
        for cell in cells {
            if !all().any(|game| fits(game, cell)) {
                let hint = match nearest(cell, all()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
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

/// Games of a tournament are told apart by their names in the journal: those of a game that is listed
/// twice would be played once and counted twice.
fn refuse_twins(games: &[LoadedSource], place: impl Fn(usize) -> String) -> anyhow::Result<()> {
    let same_name = |a: &LoadedSource, b: &LoadedSource| plain(&a.name) == plain(&b.name);
    for (number, game) in games.iter().enumerate() {
        let is_twin =
            |other: &&LoadedSource| same_name(game, other) || game.source.text == other.source.text;
        let Some(twin) = games[..number].iter().find(is_twin) else { continue };
        let (name, other, place) = (&game.name, &twin.name, place(number));
        let (message, hint) = if game.source.text == twin.source.text {
            let hint = "list it once; more games of it are played with more games_per_meeting";
            (format!("{place}: `{name}` is the same game as `{other}` before it"), hint)
        } else {
            let hint = "give one of the files another name";
            (format!("{place}: `{name}` and `{other}` have the same name in the journal"), hint)
        };
        return Err(Hinted::new(message, hint).into());
    }
    Ok(())
}

/// What a move may cost.
fn allowance(written: &Written, slip: &Slip<'_>) -> anyhow::Result<Allowance> {
    let found = limits(written.iterations, written.time.as_ref(), slip)?;
    Ok(found.ok_or_else(|| {
        let message = format!("{} does not say what a move may cost", slip.path.display());
        Hinted::new(message, "add a line `iterations = 1000`, or `time = \"1s\"`")
    })?)
}

/// What getting ready for a game may cost.
fn start(written: &Written, slip: &Slip<'_>) -> anyhow::Result<Option<Allowance>> {
    limits(written.start_iterations, written.start_time.as_ref(), slip)
}

/// Limits, if there are any.
fn limits(
    iterations: Option<Several>,
    time: Option<&Spanned<String>>,
    slip: &Slip<'_>,
) -> anyhow::Result<Option<Allowance>> {
    let read = |text: &Spanned<String>| {
        let wrong = |what| anyhow::anyhow!("{}: {what}", slip.place(Some(text.span())));
        units::some_time(text.as_ref()).map_err(wrong)
    };
    let time = time.map(read).transpose()?;
    let iterations = iterations.map(|Several(number)| number);
    let any = iterations.is_some() || time.is_some();
    Ok(any.then_some(Allowance { time, iterations, bytes: None }))
}
