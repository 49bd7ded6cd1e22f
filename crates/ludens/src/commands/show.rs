//! `ludens show`: the properties of a game, or what a network has learnt about one.

mod features;
mod knowledge;
mod network;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use ludens_catalog::{Cache, LoadedGame, NetworkSize, ReasonerKind};
use ludens_core::Budget;
use ludens_lab::survey::{Options, Spread, Survey, survey_game};
use serde::Serialize;

use super::games::ParameterRecord;
use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use crate::load_records::{LoadRecord, NetworkRecord};
use ludens_lab::{Board, QUESTION_TIME, units};

const EXAMPLES: &str = "\
Examples:
  ludens show connectfour
  ludens show my.kif --seconds 10
  ludens show breakthrough --features
  ludens show connectfour --knowledge
  ludens show 'hex(size=5)' --rules > hex5.kif
  ludens show --network bt6/network.safetensors
  ludens show --network c4/network.safetensors connectfour --moves '(drop 4)' '(drop 4)'

With --network: how it was trained, its layers, its estimates on a position, the facts that change
its estimates most, and how well its estimates agree with the results of games that it plays
against itself by its priors alone.";

/// Show the properties of a game: its roles, its board, and statistics of random games; or what a
/// network has learnt.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// A name of the library, a file, or `-`; with a network, its game if not given.
    #[arg(required_unless_present = "network")]
    game: Option<String>,

    /// Show what the network in this file has learnt.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "features"])]
    network: Option<PathBuf>,

    /// With a network, the moves that lead to the position it estimates: turn by turn, the move of
    /// the role that decides, or one move for each role.
    #[arg(long, value_name = "MOVE", num_args = 1.., requires = "network")]
    moves: Vec<String>,

    /// The time for random games, or for games of the network.
    #[arg(long, value_name = "TIME", default_value = "2", value_parser = units::duration)]
    seconds: Duration,

    /// The maximum number of random games, or of games of the network: 1,000 if not given.
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,

    /// The seed of random games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reasoner: ReasonerArg,

    /// Print the text of the rules, and nothing else.
    #[arg(long)]
    rules: bool,

    /// Show which facts of a state the move codes contain, and nothing else.
    #[arg(long, conflicts_with = "rules")]
    features: bool,

    /// Show what the rules tell without play, such as symmetries, and nothing else.
    #[arg(long, conflicts_with_all = ["rules", "features", "network"])]
    knowledge: bool,
}

/// Shows the game.
pub fn run(args: &Show, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.network {
        return network::print(args, path, cache, console);
    }
    let game = args.game.as_deref().unwrap_or_default();
    if args.rules {
        let source = ludens_catalog::load_source(game)?;
        console.write_all(source.source.text.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let begun = Instant::now();
    let mut loaded = args.reasoner.load_game(game, ReasonerKind::Auto, cache)?;
    let load_time = begun.elapsed();
    if args.features {
        return features::print(&loaded, console);
    }
    if args.knowledge {
        return knowledge::print(&loaded, console);
    }
    loaded.game = loaded.game.limited(QUESTION_TIME);
    let mut budget = Budget::unlimited().with_time(args.seconds);
    if let Some(playouts) = args.playouts {
        budget = budget.with_iterations(playouts);
    }
    let options = Options { seed: args.seed, ..Options::default() };
    let survey = survey_game(&loaded.game, options, &budget);
    let facts = Facts::new(&loaded, load_time, &survey)?;
    if console.json {
        console.record("show", &facts)?;
    } else {
        let board = Board::of_samples(&loaded, &survey.samples);
        let drawn = board.draw(None, &facts.initial, console.board_style());
        console.write_all(text(&loaded, &facts).as_bytes())?;
        writeln!(console, "\n{}", drawn.trim_end())?;
    }
    Ok(Outcome::Fine)
}

/// The properties of a game as JSON.
#[derive(Serialize)]
struct Facts<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    provenance: &'a str,
    tags: &'a [String],
    parameters: Vec<ParameterRecord<'a>>,
    roles: &'a [String],
    reasoner: &'static str,
    rules: usize,
    relations: usize,
    /// The size of the network, if there is one.
    network: Option<NetworkRecord>,
    loading: LoadRecord,
    /// Distinct facts in some random games.
    fluents: usize,
    playouts: u64,
    finished: u64,
    length: Range,
    simultaneous: bool,
    seen: Vec<RoleRecord<'a>>,
    initial: Vec<String>,
    findings: Vec<&'a str>,
}

#[derive(Serialize)]
struct RoleRecord<'a> {
    role: &'a str,
    /// The number of legal moves in states with a choice.
    branching: Range,
    goals: &'a BTreeMap<i64, u64>,
}

#[derive(Serialize)]
struct Range {
    min: u64,
    max: u64,
    mean: f64,
}

impl From<Spread> for Range {
    fn from(spread: Spread) -> Self {
        let mean = (spread.mean() * 100.0).round() / 100.0;
        Range { min: spread.min, max: spread.max, mean }
    }
}

impl<'a> Facts<'a> {
    fn new(
        loaded: &'a LoadedGame,
        load_time: Duration,
        survey: &'a Survey,
    ) -> anyhow::Result<Self> {
        let header = &loaded.source.header;
        let rules = &loaded.rules;
        let mut stated: Vec<_> = rules.rules.iter().map(|rule| rule.head.relation).collect();
        stated.sort_unstable();
        stated.dedup();
        let seen = loaded.game.roles().iter().zip(&survey.roles).map(|(role, seen)| RoleRecord {
            role,
            branching: seen.choices.into(),
            goals: &seen.goals,
        });
        Ok(Facts {
            name: &loaded.source.name,
            title: &header.title,
            description: &header.description,
            provenance: &header.provenance,
            tags: &header.tags,
            parameters: header.parameters.iter().map(ParameterRecord::from).collect(),
            roles: loaded.game.roles(),
            reasoner: loaded.game.kind().name(),
            rules: rules.rules.len(),
            relations: stated.len(),
            network: loaded.game.network().map(|network| NetworkSize::from(&**network).into()),
            loading: LoadRecord::new(load_time, &loaded.report),
            fluents: survey.fluents,
            playouts: survey.playouts,
            finished: survey.finished,
            length: survey.length.into(),
            simultaneous: survey.simultaneous,
            seen: seen.collect(),
            initial: loaded.game.reasoner().initial()?,
            findings: survey.findings.iter().map(|finding| finding.message.as_str()).collect(),
        })
    }
}

fn text(loaded: &LoadedGame, facts: &Facts<'_>) -> String {
    let mut out = String::new();
    let title = if facts.title.is_empty() { facts.name } else { facts.title };
    let _ = writeln!(out, "\x1b[1m{title}\x1b[0m\n");
    if !facts.description.is_empty() {
        let _ = writeln!(out, "{}\n", wrap(facts.description, 90));
    }
    let mut field = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(out, "{name:<12} {value}");
        }
    };
    field("name", facts.name.to_owned());
    field("provenance", facts.provenance.to_owned());
    field("tags", facts.tags.join(", "));
    field("roles", facts.roles.join(", "));
    for p in &loaded.source.header.parameters {
        let value = p.default.map_or("?".to_owned(), |value| value.to_string());
        field("parameter", format!("{} = {value}, {}..{} ({})", p.name, p.min, p.max, p.doc));
    }
    field("rules", format!("{}, on {} relations", facts.rules, facts.relations));
    if let Some(network) = &facts.network {
        field("network", network.text());
    }
    field("loading", facts.loading.text(facts.reasoner));
    field("fluents", format!("{} seen", facts.fluents));
    let kind = if facts.simultaneous { "simultaneous" } else { "turn-taking" };
    let kind = if facts.roles.len() == 1 { "one role" } else { kind };
    field("moves", format!("{kind}, as seen in {} random games", facts.playouts));
    field("length", shown(&facts.length, "joint moves"));
    for role in &facts.seen {
        field("branching", format!("{}: {}", role.role, shown(&role.branching, "moves")));
    }
    for role in &facts.seen {
        field("goals", format!("{}: {}", role.role, goals(role.goals)));
    }
    for finding in &facts.findings {
        field("remark", (*finding).to_owned());
    }
    out
}

fn shown(range: &Range, unit: &str) -> String {
    if range.max == 0 {
        return "none seen".to_owned();
    }
    format!("{} to {} {unit}, mean {:.1}", range.min, range.max, range.mean)
}

fn goals(goals: &BTreeMap<i64, u64>) -> String {
    let total: u64 = goals.values().sum();
    let share = |(goal, &count): (&i64, &u64)| {
        format!("{goal} ({:.0} %)", 100.0 * count as f64 / total.max(1) as f64)
    };
    goals.iter().map(share).collect::<Vec<_>>().join(", ")
}

fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let len = word.chars().count();
        if column > 0 && column + 1 + len > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += len;
    }
    out
}
