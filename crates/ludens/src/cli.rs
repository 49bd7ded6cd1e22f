//! The verbs and what they have in common.

use std::time::Duration;

use anstream::ColorChoice;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ludens_catalog::ReasonerKind;
use ludens_core::Budget;

use crate::commands::{
    check::Check, completions::Completions, dump::Dump, fmt::Fmt, games::Games, perft::Perft,
    play::Play, reason::Reason, replay::Replay, show::Show,
};

const EXAMPLES: &str = "\
Examples:
  ludens games                    the games of the library
  ludens play tictactoe           play against the computer
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
    Show(Show),
    Play(Play),
    Check(Check),
    Fmt(Fmt),
    Perft(Perft),
    Reason(Reason),
    Replay(Replay),
    Dump(Dump),
    Completions(Completions),
}

/// How long one question to a reasoner may take, so that hostile rules end in an error.
pub const QUESTION_TIME: Duration = Duration::from_secs(10);

/// What preparing rules for play may cost.
pub fn load_budget() -> Budget {
    Budget::unlimited().with_bytes(2 << 30).with_time(Duration::from_mins(1))
}

/// How rules are run.
#[derive(Args, Clone, Copy)]
pub struct ReasonerArg {
    /// How the rules are run.
    #[arg(long, value_name = "REASONER", default_value = "auto", value_parser = reasoner_parser())]
    pub reasoner: ReasonerKind,
}

fn reasoner_parser() -> impl TypedValueParser<Value = ReasonerKind> {
    let value =
        |kind: &ReasonerKind| clap::builder::PossibleValue::new(kind.name()).help(kind.doc());
    PossibleValuesParser::new(ReasonerKind::ALL.iter().map(value))
        .map(|name| name.parse().expect("clap lets only known names pass"))
}
