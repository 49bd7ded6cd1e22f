//! `ludens games`: the library as a table.

use std::io::Write;

use clap::Args;
use ludens_catalog::{Entry, NativeTwin, Parameter, library, nearest};
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use ludens_lab::Hinted;

const EXAMPLES: &str = "\
Examples:
  ludens games
  ludens games --tag simultaneous --players 2
  ludens games --json | jq -r .name

NATIVE lists the sizes for which a game is also implemented in Rust; `--reasoner native` runs this
implementation instead of the rules.";

/// List the games of the library.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Games {
    /// Only games with this tag; may be given several times.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Only games with this number of roles.
    #[arg(long, value_name = "N")]
    players: Option<usize>,
}

#[derive(Serialize)]
struct Game<'a> {
    name: &'a str,
    title: &'a str,
    players: usize,
    roles: &'a [String],
    tags: &'a [String],
    description: &'a str,
    provenance: &'a str,
    parameters: Vec<ParameterRecord<'a>>,
    version: &'a str,
    /// The sizes for which the game is implemented in Rust; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    native: Option<NativeSizes>,
}

/// Smallest and largest size of a native game.
#[derive(Serialize)]
struct NativeSizes {
    min: u32,
    max: u32,
}

/// A parameter as JSON.
#[derive(Serialize)]
pub struct ParameterRecord<'a> {
    name: &'a str,
    min: i64,
    max: i64,
    default: Option<i64>,
    doc: &'a str,
}

impl<'a> From<&'a Parameter> for ParameterRecord<'a> {
    fn from(p: &'a Parameter) -> Self {
        ParameterRecord { name: &p.name, min: p.min, max: p.max, default: p.default, doc: &p.doc }
    }
}

/// Lists the games.
pub fn run(args: &Games, console: &mut Console) -> anyhow::Result<Outcome> {
    for tag in &args.tag {
        check_tag(tag)?;
    }
    let games: Vec<_> = library().iter().filter(|entry| matches(args, entry)).collect();
    if console.json {
        games.iter().try_for_each(|entry| console.record("games", &record(entry)))?;
    } else if games.is_empty() {
        writeln!(console, "no game of the library matches")?;
    } else {
        let head = ["NAME", "PLAYERS", "NATIVE", "TITLE", "TAGS"].map(str::to_owned).to_vec();
        let rows = games.iter().map(|entry| row(entry));
        console.table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())?;
    }
    Ok(Outcome::Fine)
}

fn matches(args: &Games, entry: &Entry) -> bool {
    let has = |tag: &String| entry.header.tags.contains(tag);
    args.tag.iter().all(has) && args.players.is_none_or(|n| n == entry.header.roles.len())
}

/// An unknown tag is an error, not an empty result.
fn check_tag(tag: &str) -> Result<(), Hinted> {
    let mut tags: Vec<_> =
        library().iter().flat_map(|entry| &entry.header.tags).map(String::as_str).collect();
    tags.sort_unstable();
    tags.dedup();
    if tags.contains(&tag) {
        return Ok(());
    }
    let hint = match nearest(tag, tags.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("the tags are: {}", tags.join(", ")),
    };
    Err(Hinted::new(format!("no game has the tag `{tag}`"), hint))
}

fn row(entry: &Entry) -> Vec<String> {
    let header = &entry.header;
    let players = header.roles.len().to_string();
    let native = native_sizes(entry).map(|sizes| format!("{}..{}", sizes.min, sizes.max));
    let (title, tags) = (header.title.clone(), header.tags.join(", "));
    vec![entry.name.to_owned(), players, native.unwrap_or_default(), title, tags]
}

fn native_sizes(entry: &Entry) -> Option<NativeSizes> {
    let sizes = NativeTwin::sizes(entry.name)?;
    Some(NativeSizes { min: *sizes.start(), max: *sizes.end() })
}

fn record(entry: &'static Entry) -> Game<'static> {
    let header = &entry.header;
    Game {
        name: entry.name,
        title: &header.title,
        players: header.roles.len(),
        roles: &header.roles,
        tags: &header.tags,
        description: &header.description,
        provenance: &header.provenance,
        parameters: header.parameters.iter().map(ParameterRecord::from).collect(),
        version: &header.version,
        native: native_sizes(entry),
    }
}
