//! `ludens dump`: prints a stage between text and play.

mod layers;
mod net;
mod symmetries;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use ludens_catalog::{
    AnyGame, Cache, CatalogError, LoadReport, LoadedSource, ReasonerKind, load_source,
};
use ludens_core::Trouble;
use ludens_gdl::tree::{Kind, NodeId, Tree, parse_rules_tree};
use ludens_learn::Architecture;
use ludens_propnet::Network;
use ludens_propnet::ground::ground;
use ludens_propnet::lanes::{Gates, LanePrograms, Task};
use serde::Serialize;

use crate::Outcome;
use crate::cli::GroundArgs;
use crate::console::Console;
use ludens_lab::{Hinted, load_budget};

const EXAMPLES: &str = "\
Examples:
  ludens dump tictactoe --stage rules
  ludens dump my.kif --stage tree
  ludens dump chess --stage plans
  ludens dump tictactoe --stage net
  ludens dump tictactoe --stage symmetries
  ludens dump tictactoe --stage program
  ludens dump connectfour --stage layers --network 'ggpzero(conv)' --svg layers.svg";

/// Print a stage between the text of rules and play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Dump {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The stage.
    #[arg(long, value_enum)]
    stage: Stage,

    /// The network whose layers are printed, as in `ludens train --network`; `compact` if not given.
    #[arg(long, value_name = "NETWORK")]
    network: Option<Architecture>,

    /// A file for a picture of the layers.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    ground: GroundArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Stage {
    /// Parentheses and words, with their byte positions.
    Tree,
    /// The normal form that reasoners share, one rule per line.
    Rules,
    /// The plans of the reference reasoner for each relation and each set of bound arguments.
    Plans,
    /// The grounded rules, one instance per line.
    Ground,
    /// The network, one gate per line, then its outputs.
    Net,
    /// Symmetries of the network: what they map to something else, by which `ludens train` multiplies samples.
    Symmetries,
    /// The layers of the network that `ludens train` would make for the game.
    Layers,
    /// The program for 256 lanes: gates of two inputs in the order of their evaluation.
    Program,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Stage::Tree => "tree",
            Stage::Rules => "rules",
            Stage::Plans => "plans",
            Stage::Ground => "ground",
            Stage::Net => "net",
            Stage::Symmetries => "symmetries",
            Stage::Layers => "layers",
            Stage::Program => "program",
        }
    }
}

#[derive(Serialize)]
struct Record<'a> {
    stage: &'static str,
    text: &'a str,
}

/// Prints line by line, since networks can be large.
type Sink<'a> = dyn FnMut(&str) -> anyhow::Result<()> + 'a;

/// Prints the stage.
pub fn run(args: &Dump, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    args.check()?;
    let source = load_source(&args.game)?;
    let stage = args.stage.name();
    let mut print = |text: &str| {
        if console.json {
            return Ok(console.record("dump", &Record { stage, text })?);
        }
        Ok(writeln!(console, "{text}")?)
    };
    match args.stage {
        Stage::Tree => print_all(&tree_lines(&source.source.text), &mut print)?,
        Stage::Rules => {
            print_all(&ludens_catalog::read_rules(&source)?.0.print(), &mut print)?;
        }
        Stage::Plans => print_all(&plan_lines(source)?, &mut print)?,
        Stage::Ground => print_ground(args, &source, &mut print)?,
        Stage::Net => net::print(&*network(args, &source, cache)?, &mut print)?,
        Stage::Symmetries => symmetries::print(&network(args, &source, cache)?, &mut print)?,
        Stage::Layers => layers::print(args, cache, &mut print)?,
        Stage::Program => print_program(network(args, &source, cache)?, &mut print)?,
    }
    Ok(Outcome::Fine)
}

impl Dump {
    /// Refuses options of another stage.
    fn check(&self) -> Result<(), Hinted> {
        let given =
            self.network.as_ref().map(|_| "--network").or(self.svg.as_ref().map(|_| "--svg"));
        let (Some(option), false) = (given, matches!(self.stage, Stage::Layers)) else {
            return Ok(());
        };
        let message = format!("the stage `{}` has no `{option}`", self.stage.name());
        Err(Hinted::new(message, "`--stage layers` has it"))
    }
}

fn print_all(lines: &str, print: &mut Sink<'_>) -> anyhow::Result<()> {
    lines.lines().try_for_each(print)
}

fn plan_lines(source: LoadedSource) -> anyhow::Result<String> {
    let loaded = ludens_catalog::load_text(source, ReasonerKind::Logic, &load_budget())?;
    let AnyGame::Logic(game) = loaded.game else {
        unreachable!("the reference reasoner was requested");
    };
    Ok(game.print_plans())
}

fn print_ground(args: &Dump, source: &LoadedSource, print: &mut Sink<'_>) -> anyhow::Result<()> {
    let rules = ludens_catalog::read_rules(source)?.0;
    let budget = args.ground.loader(ReasonerKind::Scalar, &Cache::off()).ground_budget();
    let grounding = ground(&rules, &budget).map_err(|trouble| not_grounded(source, trouble))?;
    grounding.lines().try_for_each(|line| print(&line))
}

fn network(args: &Dump, source: &LoadedSource, cache: &Cache) -> anyhow::Result<Arc<Network>> {
    let rules = ludens_catalog::read_rules(source)?.0;
    let loader = args.ground.loader(ReasonerKind::Scalar, cache);
    let network = loader.network(&rules, Some(&source.source.text), &mut LoadReport::default());
    Ok(network.map_err(|trouble| not_grounded(source, trouble))?)
}

fn print_program(network: Arc<Network>, print: &mut Sink<'_>) -> anyhow::Result<()> {
    let programs = LanePrograms::new(network, Gates::Two);
    for task in Task::ALL {
        print(&format!("{task:?}"))?;
        print_all(&programs.program(task).program.to_string(), print)?;
    }
    Ok(())
}

fn not_grounded(source: &LoadedSource, trouble: Trouble) -> CatalogError {
    let reasoner = ReasonerKind::Scalar;
    CatalogError::Reasoner { game: source.name.clone(), reasoner, trouble }
}

fn tree_lines(text: &str) -> String {
    let (tree, _) = parse_rules_tree(text);
    let mut out = String::new();
    for &root in &tree.roots {
        node_lines(text, &tree, root, 0, &mut out);
    }
    out
}

/// Lists are at most `MAX_DEPTH` deep, so recursion is bounded.
fn node_lines(text: &str, tree: &Tree, id: NodeId, depth: usize, out: &mut String) {
    let node = tree.node(id);
    let word = match node.kind {
        Kind::Atom => &text[node.span.range()],
        Kind::List { .. } => "(…)",
    };
    let place = format!("{}..{}", node.span.start, node.span.end);
    let _ = writeln!(out, "{place:>15}  {:indent$}{word}", "", indent = 2 * depth);
    for &child in tree.children(id) {
        node_lines(text, tree, child, depth + 1, out);
    }
}
