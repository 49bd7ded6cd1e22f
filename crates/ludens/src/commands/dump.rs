//! `ludens dump`: what a stage between text and play looks like.

use std::fmt::Write as _;
use std::io::Write;

use clap::{Args, ValueEnum};
use ludens_catalog::{AnyGame, CatalogError, LoadedSource, ReasonerKind, load_source, load_text};
use ludens_core::Budget;
use ludens_gdl::tree::{Kind, NodeId, Tree, parse_tree};
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;

const EXAMPLES: &str = "\
Examples:
  ludens dump tictactoe --stage rules
  ludens dump my.kif --stage tree
  ludens dump chess --stage plans";

/// Print a stage between the text of rules and play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Dump {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The stage.
    #[arg(long, value_enum)]
    stage: Stage,
}

#[derive(Clone, Copy, ValueEnum)]
enum Stage {
    /// Parentheses and words, with the bytes where they stand.
    Tree,
    /// The normal form that reasoners share, one rule a line.
    Rules,
    /// How the reference reasoner runs each relation, for each way of calling it.
    Plans,
}

#[derive(Serialize)]
struct Record<'a> {
    stage: &'static str,
    text: &'a str,
}

/// Prints the stage.
pub fn run(args: &Dump, console: &mut Console) -> anyhow::Result<Outcome> {
    let loaded = load_source(&args.game)?;
    let text = &loaded.source.text;
    let (stage, lines) = match args.stage {
        Stage::Tree => ("tree", tree_lines(text)),
        Stage::Plans => ("plans", plan_lines(loaded)?),
        Stage::Rules => match ludens_gdl::load(text) {
            (Some(rules), _) => ("rules", rules.print()),
            (None, more) => {
                let problems = loaded.problems.into_iter().chain(more).collect();
                let source = Box::new(loaded.source);
                return Err(CatalogError::Rules { source, problems }.into());
            }
        },
    };
    if console.json {
        lines.lines().try_for_each(|text| console.record("dump", &Record { stage, text }))?;
    } else {
        console.write_all(lines.as_bytes())?;
    }
    Ok(Outcome::Fine)
}

fn plan_lines(source: LoadedSource) -> anyhow::Result<String> {
    let loaded = load_text(source, ReasonerKind::Logic, &Budget::unlimited())?;
    match loaded.game {
        AnyGame::Logic(game) => Ok(game.print_plans()),
        AnyGame::Scalar(_) => unreachable!("the reference reasoner was asked for"),
    }
}

fn tree_lines(text: &str) -> String {
    let (tree, _) = parse_tree(text);
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
