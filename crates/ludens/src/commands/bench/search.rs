//! `ludens bench search`: simulations per second of CPU time.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use ludens_catalog::{AgentSpec, Cache, LoadedGame, ReasonerKind, load_agent};
use ludens_lab::speed::{self, SearchLap, SearchSetup, SearchTrack};

use super::search_record::Record;
use super::{each, look_up};
use crate::Outcome;
use crate::cli::{GroundArgs, reasoner_parser};
use crate::console::Console;
use crate::report::StatusLine;
use ludens_lab::{QUESTION_TIME, units};

/// The name of the records' format.
pub(super) const VERB: &str = "bench-search";

/// The number of interleaved laps; the median counts.
const LAPS: u32 = 5;

/// The maximum number of searches that share an evaluator.
const MAX_TOGETHER: u64 = 65_536;

/// Measure how many simulations agents run per second.
///
/// An agent searches the initial state with an empty tree, repeatedly. Speeds are by CPU time. The
/// laps of the agents of one game are interleaved, so that other load of the machine affects all of
/// them alike. Without a GAME, UCT and PPAF are measured on breakthrough, connect four and Havannah:
/// from rules and native, alone and with 256 searches that share an evaluator.
#[derive(Args)]
pub struct SearchBench {
    /// Names of the library, or files; a default set of games and agents if none are given.
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// An agent to measure; may be given several times. `uct` if not given.
    #[arg(long, value_name = "AGENT", requires = "games", value_parser = agent)]
    agent: Vec<AgentSpec>,

    /// The number of simulations of each search.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = RangedU64ValueParser::<u64>::new().range(1..)
    )]
    iterations: u64,

    /// The total time of each agent.
    #[arg(long, value_name = "TIME", default_value = "5", value_parser = units::duration)]
    seconds: Duration,

    /// The reasoner that runs the rules; `auto` if not given.
    #[arg(long, value_name = "REASONER", requires = "games", value_parser = reasoner_parser())]
    reasoner: Option<ReasonerKind>,

    /// The number of searches that share one evaluator, each with one leaf at a time.
    #[arg(
        long,
        value_name = "N",
        requires = "games",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_TOGETHER)
    )]
    together: Option<usize>,

    /// The seed of random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    ground: GroundArgs,
}

/// Parses an agent; clap prints the error and its hint.
fn agent(text: &str) -> Result<AgentSpec, String> {
    load_agent(text).map_err(|error| match error.hint() {
        Some(hint) => format!("{error}\nhint: {hint}"),
        None => error.to_string(),
    })
}

/// One game with the agents that are measured on it.
struct Race {
    game: String,
    reasoner: ReasonerKind,
    /// Each agent with the number of its searches that share an evaluator.
    agents: Vec<(AgentSpec, usize)>,
}

/// A race of the default set.
struct DefaultRace {
    game: &'static str,
    reasoner: ReasonerKind,
    agents: [(&'static str, usize); 2],
}

/// The default set: batches and many searches on rules, the textbook algorithm and a policy that
/// learns on native games.
const DEFAULT_RACES: [DefaultRace; 4] = [
    DefaultRace::of_rules("breakthrough"),
    DefaultRace::of_rules("connectfour"),
    DefaultRace::native("breakthrough"),
    DefaultRace::native("havannah(size=8)"),
];

impl DefaultRace {
    const fn of_rules(game: &'static str) -> Self {
        DefaultRace { game, reasoner: ReasonerKind::Auto, agents: [("uct", 1), ("uct", 256)] }
    }

    const fn native(game: &'static str) -> Self {
        DefaultRace {
            game,
            reasoner: ReasonerKind::Native,
            agents: [("uct(batch=1)", 1), ("ppaf", 1)],
        }
    }

    fn race(&self) -> anyhow::Result<Race> {
        let agent = |&(text, together): &(&str, usize)| Ok((load_agent(text)?, together));
        let agents = self.agents.iter().map(agent).collect::<anyhow::Result<_>>()?;
        Ok(Race { game: self.game.to_owned(), reasoner: self.reasoner, agents })
    }
}

impl SearchBench {
    fn races(&self) -> anyhow::Result<Vec<Race>> {
        if self.games.is_empty() {
            return DEFAULT_RACES.iter().map(DefaultRace::race).collect();
        }
        let together = self.together.unwrap_or(1);
        let given = self.agent.iter().map(|agent| (agent.clone(), together));
        let mut agents: Vec<_> = given.collect();
        if agents.is_empty() {
            agents.push((AgentSpec::default(), together));
        }
        let race = |game: &String| Race {
            game: game.clone(),
            reasoner: self.reasoner.unwrap_or_default(),
            agents: agents.clone(),
        };
        Ok(self.games.iter().map(race).collect())
    }
}

/// Measures all games.
pub fn run(args: &SearchBench, console: &mut Console) -> anyhow::Result<Outcome> {
    let races = args.races()?;
    look_up(races.iter().map(|race| race.game.as_str()))?;
    if !console.json {
        writeln!(console, "{}", Record::head())?;
    }
    let named = races.iter().map(|race| (race.game.as_str(), race));
    each(named, VERB, console, |race, progress, console| {
        let loader = args.ground.loader(race.reasoner, &Cache::off());
        let loaded = loader.load_game(&race.game)?;
        let mut entrants = entrants(args, race, loaded)?;
        run_laps(args, &mut entrants, progress);
        progress.clear();
        for entrant in &entrants {
            Record::new(entrant, &entrants[0], args.iterations).print(console)?;
        }
        Ok(Outcome::Fine)
    })
}

/// An agent that is measured.
pub(super) struct Entrant {
    pub(super) game: String,
    pub(super) reasoner: ReasonerKind,
    pub(super) agent: AgentSpec,
    pub(super) together: usize,
    pub(super) track: Box<dyn SearchTrack>,
    pub(super) laps: Vec<SearchLap>,
}

fn entrants(args: &SearchBench, race: &Race, loaded: LoadedGame) -> anyhow::Result<Vec<Entrant>> {
    let game = loaded.game.limited(QUESTION_TIME);
    let entrant = |(agent, together): &(AgentSpec, usize)| {
        let (agent, together) = (agent.clone(), *together);
        let (iterations, seed) = (args.iterations, args.seed);
        let setup = SearchSetup { agent: agent.clone(), iterations, together, seed };
        Ok(Entrant {
            game: loaded.source.name.clone(),
            reasoner: game.kind(),
            agent,
            together,
            track: speed::search_track(&game, setup)?,
            laps: Vec::new(),
        })
    };
    race.agents.iter().map(entrant).collect()
}

/// Runs interleaved laps of all agents, after a short warm-up lap.
fn run_laps(args: &SearchBench, entrants: &mut [Entrant], progress: &StatusLine) {
    let time = args.seconds / LAPS;
    for lap in 0..=LAPS {
        for entrant in &mut *entrants {
            let Entrant { game, agent, track, laps, .. } = entrant;
            progress.show(&format!("{game}: {agent}, lap {lap} of {LAPS}"));
            if lap == 0 {
                track.lap(time / 10);
            } else {
                laps.push(track.lap(time));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_agents_and_games_exist() {
        for default in &DEFAULT_RACES {
            let race = default.race().unwrap();
            let source = ludens_catalog::load_source(&race.game).unwrap();
            assert!(race.reasoner != ReasonerKind::Native || source.native.is_some());
        }
    }
}
