//! `ludens agents`: the agents that can play, with their parameters.

use std::io::Write;

use clap::Args;
use ludens_catalog::{
    Named, PartKind, PartParameter, ValueKind, load_agent, reference_page, unknown_agent,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Outcome;
use crate::console::Console;

const EXAMPLES: &str = "\
Examples:
  ludens agents
  ludens agents ppaf
  ludens agents --json | jq -r .name
  ludens play tictactoe --against 'uct(c=0.4) + ppaf(alpha=0.32, memorize)'

An agent is a tree policy, alone or with an evaluator and playout policies that are tried in order,
or a whole search. A playout policy alone is added to `uct`.";

/// List the agents, or describe one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Agents {
    /// A tree policy, a playout policy, an evaluator or a search.
    name: Option<String>,

    /// Print the reference page, as Markdown.
    #[arg(long, conflicts_with_all = ["name", "json"])]
    markdown: bool,
}

/// Lists the agents.
pub fn run(args: &Agents, console: &mut Console) -> anyhow::Result<Outcome> {
    match &args.name {
        _ if args.markdown => console.write_all(reference_page().as_bytes())?,
        Some(name) => {
            let mut found = Named::find_all(name).peekable();
            found.peek().ok_or_else(|| unknown_agent(name))?;
            for named in found {
                if console.json {
                    console.record("agents", &Record::from(named))?;
                } else {
                    describe(named, console)?;
                }
            }
        }
        None if console.json => {
            Named::all().try_for_each(|named| console.record("agents", &Record::from(named)))?;
        }
        None => list(console)?,
    }
    Ok(Outcome::Fine)
}

/// Prints all names, each with a sentence.
fn list(console: &mut Console) -> std::io::Result<()> {
    let width = Named::all().map(|named| named.name().len()).max().unwrap_or(0);
    for kind in PartKind::ALL {
        writeln!(console, "\x1b[1m{}\x1b[0m", kind.plural())?;
        for named in Named::all().filter(|named| named.part.kind() == kind) {
            writeln!(console, "  \x1b[36m{:width$}\x1b[0m  {}", named.name(), named.doc())?;
        }
        writeln!(console)?;
    }
    writeln!(console, "`ludens agents NAME` shows the parameters")
}

/// Prints the description and the parameters of one name.
fn describe(named: Named, console: &mut Console) -> std::io::Result<()> {
    let kind = named.part.kind();
    writeln!(console, "\x1b[1m{}\x1b[0m, a {}", named.name(), kind.name())?;
    writeln!(console, "  {}", named.doc())?;
    if !named.aliases().is_empty() {
        writeln!(console, "  also called {}", named.aliases().join(", "))?;
    }
    if !named.paper().is_empty() {
        writeln!(console, "  paper: {}", named.paper())?;
    }
    for (name, value) in named.fixed() {
        writeln!(console, "  always has {name}={value}")?;
    }
    let parameters: Vec<_> = named.parameters().collect();
    if !parameters.is_empty() {
        writeln!(console)?;
        let head = ["PARAMETER", "DEFAULT", "VALUES", "MEANING"].map(str::to_owned).to_vec();
        let row = |p: &&PartParameter| {
            [p.name, p.default, &p.values(), p.doc].map(str::to_owned).to_vec()
        };
        let rows = parameters.iter().map(row);
        console.table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())?;
    }
    writeln!(console, "\nexamples")?;
    named.examples().iter().try_for_each(|example| writeln!(console, "  {example}"))
}

/// A name of the table as JSON.
#[derive(Serialize)]
struct Record {
    name: &'static str,
    kind: &'static str,
    aliases: &'static [&'static str],
    doc: &'static str,
    paper: &'static str,
    /// The canonical text of the agent with this name alone.
    agent: String,
    parameters: Vec<Value>,
    examples: Vec<String>,
}

impl From<Named> for Record {
    fn from(named: Named) -> Self {
        let agent = load_agent(&named.shortest()).map(|agent| agent.to_string());
        Record {
            name: named.name(),
            kind: named.part.kind().name(),
            aliases: named.aliases(),
            doc: named.doc(),
            paper: named.paper(),
            agent: agent.unwrap_or_default(),
            parameters: named.parameters().map(parameter).collect(),
            examples: named.examples(),
        }
    }
}

/// A parameter as JSON.
fn parameter(p: &PartParameter) -> Value {
    let mut record = json!({"name": p.name, "default": p.default, "doc": p.doc});
    let (kind, more) = match p.kind {
        ValueKind::Number { min, max } => ("number", json!({"min": min, "max": max})),
        ValueKind::Whole { min, max } => ("integer", json!({"min": min, "max": max})),
        ValueKind::Flag => ("flag", json!({})),
        ValueKind::Choice(words) => ("choice", json!({"choices": words})),
        ValueKind::Bytes { min } => ("bytes", json!({"min": min})),
        ValueKind::PolicyFile | ValueKind::NetworkFile => ("file", json!({})),
    };
    record["kind"] = kind.into();
    for (key, value) in more.as_object().into_iter().flatten() {
        record[key] = value.clone();
    }
    if let Some(word) = p.word {
        record["word"] = word.into();
    }
    record
}
