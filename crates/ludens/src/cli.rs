//! The verbs and their common arguments.

use std::time::Duration;

use anstream::ColorChoice;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ludens_catalog::{Cache, LoadedGame, LoadedSource, Loader, ReasonerKind};

use crate::commands::{
    accuracy::Accuracy, agents::Agents, analyze::Analyze, bench::Bench, check::Check,
    completions::Completions, dump::Dump, fmt::Fmt, games::Games, heuristic::Heuristic, host::Host,
    learn::Learn, match_::Match, perft::Perft, play::Play, player::Player, prepare::Prepare,
    reason::Reason, replay::Replay, reproduce::Reproduce, results::Results, show::Show,
    torture::Torture, tournament::Tournament, train::Train,
};
use crate::report::print_note;
use ludens_lab::{LoadSettings, units};

const EXAMPLES: &str = "\
Examples:
  ludens games                    the games of the library
  ludens agents                   the agents that can play
  ludens play tictactoe           play against the computer
  ludens match hex --agents uct flat --iterations 1000
                                  compare two agents
  ludens show connectfour         the properties of a game
  ludens check my.kif             the problems of rules
  ludens help perft               the options of a command

A GAME is a name of the library, a name with parameters such as `hex(size=5)`, a path to a
file with rules, or `-` for the standard input.

Exit codes: 0 success, 1 a problem was found, 2 wrong usage or unreadable input.";

/// Reads the rules of a game and plays it.
#[derive(Parser)]
#[command(name = "ludens", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Print JSON Lines, one object per line, instead of text.
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

    /// Ground rules again, and cache nothing.
    #[arg(long, global = true)]
    pub no_cache: bool,
}

impl Cli {
    /// The cache of networks.
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
    /// Applies the choice to all streams.
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
    Train(Train),
    Learn(Learn),
    Torture(Torture),
    Analyze(Analyze),
    Match(Match),
    Accuracy(Accuracy),
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

/// The reasoner and its limits.
#[derive(Args, Clone, Copy, Default)]
pub struct ReasonerArg {
    /// The reasoner that runs the rules; `auto` if not given, but `logic` in `reason` and `replay`.
    #[arg(long, value_name = "REASONER", value_parser = reasoner_parser())]
    reasoner: Option<ReasonerKind>,

    #[command(flatten)]
    pub ground: GroundArgs,
}

/// Limits of grounding.
#[derive(Args, Clone, Copy, Default)]
pub struct GroundArgs {
    /// The time limit of grounding; 30s if not given.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    ground_seconds: Option<Duration>,

    /// The memory limit of grounding; 2G if not given.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    ground_memory: Option<usize>,
}

impl GroundArgs {
    /// The settings of a reasoner with these limits.
    pub fn settings(&self, reasoner: Option<ReasonerKind>) -> LoadSettings {
        let &GroundArgs { ground_seconds: ground_time, ground_memory: ground_bytes } = self;
        LoadSettings { reasoner, ground_time, ground_bytes }
    }

    /// A loader for a reasoner with these limits.
    pub fn loader(&self, reasoner: ReasonerKind, cache: &Cache) -> Loader {
        self.settings(Some(reasoner)).loader(cache)
    }
}

impl ReasonerArg {
    /// The settings, with `auto` as the default reasoner.
    pub fn settings(&self) -> LoadSettings {
        self.ground.settings(self.reasoner)
    }

    /// The requested reasoner, or the default of the command.
    pub fn kind(&self, default: ReasonerKind) -> ReasonerKind {
        self.reasoner.unwrap_or(default)
    }

    /// Loads the game that `spec` names.
    pub fn load_game(
        &self,
        spec: &str,
        default: ReasonerKind,
        cache: &Cache,
    ) -> anyhow::Result<LoadedGame> {
        self.load_text(ludens_catalog::load_source(spec)?, default, cache)
    }

    /// Loads a game with the requested or the default reasoner, and prints a note if it fell back to
    /// the slower one.
    pub fn load_text(
        &self,
        source: LoadedSource,
        default: ReasonerKind,
        cache: &Cache,
    ) -> anyhow::Result<LoadedGame> {
        let settings = self.ground.settings(Some(self.kind(default)));
        Ok(settings.load_source(source, cache, &mut |event| print_note(&event))?)
    }
}

/// Parses the name of a reasoner.
pub fn reasoner_parser() -> impl TypedValueParser<Value = ReasonerKind> {
    let value =
        |kind: &ReasonerKind| clap::builder::PossibleValue::new(kind.name()).help(kind.doc());
    PossibleValuesParser::new(ReasonerKind::NAMED.iter().map(value))
        .map(|name| name.parse().expect("clap accepts known names only"))
}
