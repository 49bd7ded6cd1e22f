//! The verbs and what they have in common.

use std::time::Duration;

use anstream::ColorChoice;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ludens_catalog::{Cache, GroundLimits, LoadedGame, LoadedSource, Loader, ReasonerKind};
use ludens_core::Budget;

use crate::commands::{
    agents::Agents, analyze::Analyze, bench::Bench, check::Check, completions::Completions,
    dump::Dump, fmt::Fmt, games::Games, heuristic::Heuristic, host::Host, learn::Learn,
    match_::Match, perft::Perft, play::Play, player::Player, prepare::Prepare, reason::Reason,
    replay::Replay, reproduce::Reproduce, results::Results, show::Show, torture::Torture,
    tournament::Tournament,
};
use crate::units;

const EXAMPLES: &str = "\
Examples:
  ludens games                    the games of the library
  ludens agents                   who can play
  ludens play tictactoe           play against the computer
  ludens match hex --agents uct flat --iterations 1000
                                  who is better
  ludens show connectfour         what a game is like
  ludens check my.kif             what is wrong with rules
  ludens help perft               all about one verb

A GAME is a name of the library, a name with parameters such as `hex(size=5)`, a path to a
file with rules, or `-` for the standard input.

Exit codes: 0 all is well, 1 something was found, 2 wrong usage or unreadable input.";

/// Reads the rules of a game and plays it.
#[derive(Parser)]
#[command(name = "ludens", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Print JSON Lines, one object a line, instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,

    /// When to use colours; `auto` means on a terminal, unless `NO_COLOR` is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: Color,

    /// Ground rules anew, and keep nothing for the next time.
    #[arg(long, global = true)]
    pub no_cache: bool,
}

impl Cli {
    /// Where networks are kept.
    pub fn cache(&self) -> Cache {
        if self.no_cache { Cache::off() } else { Cache::of_user() }
    }
}

/// When to use colours.
#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes it the choice of all streams.
    pub fn write_global(self) {
        let choice = match self {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::AlwaysAnsi,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    Games(Games),
    Agents(Agents),
    Show(Show),
    Play(Play),
    Player(Player),
    Host(Host),
    Heuristic(Heuristic),
    Prepare(Prepare),
    Learn(Learn),
    Torture(Torture),
    Analyze(Analyze),
    Match(Match),
    Tournament(Tournament),
    Results(Results),
    Check(Check),
    Fmt(Fmt),
    Perft(Perft),
    Reason(Reason),
    Replay(Replay),
    Reproduce(Reproduce),
    Dump(Dump),
    Bench(Bench),
    Completions(Completions),
}

/// How long one question to a reasoner may take, so that hostile rules end in an error.
pub const QUESTION_TIME: Duration = Duration::from_secs(10);

/// What preparing rules for play may cost, grounding aside.
const LOAD_TIME: Duration = Duration::from_mins(1);
const LOAD_BYTES: usize = 2 << 30;

/// What preparing rules may cost where they are not ground.
pub fn load_budget() -> Budget {
    Budget::unlimited().with_bytes(LOAD_BYTES).with_time(LOAD_TIME)
}

/// How rules are run.
#[derive(Args, Clone, Copy, Default)]
pub struct ReasonerArg {
    /// How the rules are run; `auto` if not given, but `logic` in `reason` and `replay`.
    #[arg(long, value_name = "REASONER", value_parser = reasoner_parser())]
    reasoner: Option<ReasonerKind>,

    #[command(flatten)]
    pub ground: GroundArgs,
}

/// What grounding may cost.
#[derive(Args, Clone, Copy, Default)]
pub struct GroundArgs {
    /// How long grounding may take; 30s if not given.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    ground_seconds: Option<Duration>,

    /// How much memory grounding may take; 2G if not given.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    ground_memory: Option<usize>,
}

impl GroundArgs {
    /// A loader with these limits.
    pub fn loader(&self, reasoner: ReasonerKind, cache: &Cache) -> Loader {
        let usual = GroundLimits::default();
        let ground = GroundLimits {
            time: self.ground_seconds.unwrap_or(usual.time),
            bytes: self.ground_memory.unwrap_or(usual.bytes),
        };
        // Rules that cannot be ground have the usual time left after that was tried.
        let budget = Budget::unlimited()
            .with_bytes(LOAD_BYTES.max(ground.bytes))
            .with_time(LOAD_TIME.saturating_add(ground.time));
        Loader { reasoner, budget, ground, cache: cache.clone() }
    }
}

impl ReasonerArg {
    /// A reasoner, if a certain one is wanted, with limits for grounding.
    pub fn new(reasoner: Option<ReasonerKind>, ground: GroundArgs) -> Self {
        ReasonerArg { reasoner, ground }
    }

    /// A certain reasoner, with the usual limits.
    pub fn of(reasoner: ReasonerKind) -> Self {
        ReasonerArg::new(Some(reasoner), GroundArgs::default())
    }

    /// The reasoner that was asked for, or else the usual one.
    pub fn kind(&self, usual: ReasonerKind) -> ReasonerKind {
        self.reasoner.unwrap_or(usual)
    }

    /// Loads the game that `spec` means.
    pub fn load_game(
        &self,
        spec: &str,
        usual: ReasonerKind,
        cache: &Cache,
    ) -> anyhow::Result<LoadedGame> {
        self.load_text(ludens_catalog::load_source(spec)?, usual, cache)
    }

    /// Loads a game with the reasoner that was asked for, or else the usual one, and tells if it
    /// will be slower than it could be.
    pub fn load_text(
        &self,
        source: LoadedSource,
        usual: ReasonerKind,
        cache: &Cache,
    ) -> anyhow::Result<LoadedGame> {
        let loader = self.ground.loader(self.kind(usual), cache);
        let loaded = loader.load_text(source)?;
        if let Some(trouble) = &loaded.report.fallback {
            anstream::eprintln!(
                "\x1b[1;36mnote\x1b[0m: {} could not be ground within {} and {} ({trouble}); \
                 using the reference reasoner (slower)",
                loaded.source.name,
                units::shown_duration(loader.ground.time),
                units::shown_bytes(loader.ground.bytes),
            );
        }
        Ok(loaded)
    }
}

/// Lets names of reasoners pass.
pub fn reasoner_parser() -> impl TypedValueParser<Value = ReasonerKind> {
    let value =
        |kind: &ReasonerKind| clap::builder::PossibleValue::new(kind.name()).help(kind.doc());
    PossibleValuesParser::new(ReasonerKind::NAMED.iter().map(value))
        .map(|name| name.parse().expect("clap lets only known names pass"))
}
