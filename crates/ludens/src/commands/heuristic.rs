//! `ludens heuristic show`: the evaluation function of a game.

use std::cmp::Ordering;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use ludens_catalog::{Cache, ReasonerKind, WithGame};
use ludens_core::{Budget, Game, Role};
use ludens_search::{Construction, Counted, Heuristic as Function, Term};
use serde::Serialize;

use crate::Outcome;
use crate::cli::ReasonerArg;
use crate::console::Console;
use ludens_lab::{QUESTION_TIME, units};

const EXAMPLES: &str = "\
Examples:
  ludens heuristic show breakthrough
  ludens heuristic show chess --seconds 20 --top 30
  ludens heuristic show my.kif --simulations random --json";

/// Evaluation functions learnt for a game, as by the agents `heuristic`, `greedy`, `guided` and `auto`.
#[derive(Args)]
pub struct Heuristic {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Show(Show),
}

/// Learn the evaluation function of a game, and show its features and their weights.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
struct Show {
    /// A name of the library, a file, or `-`.
    game: String,

    /// The time for playing games.
    #[arg(long, value_name = "TIME", default_value = "5", value_parser = units::duration)]
    seconds: Duration,

    /// The maximum number of games.
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>)]
    games: Option<u64>,

    /// How the games are played.
    #[arg(long, value_name = "KIND", default_value = "uct")]
    simulations: Simulations,

    /// The number of single facts shown; the rest is only counted.
    #[arg(long, value_name = "N", default_value_t = 12)]
    top: usize,

    /// The seed of games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reasoner: ReasonerArg,
}

/// How the games are played from which the function is learnt.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Simulations {
    /// As simulations of a tree search.
    Uct,
    /// At random.
    Random,
}

/// Shows the function.
pub fn run(args: &Heuristic, cache: &Cache, console: &mut Console) -> anyhow::Result<Outcome> {
    let Verb::Show(args) = &args.verb;
    let mut loaded = args.reasoner.load_game(&args.game, ReasonerKind::Auto, cache)?;
    loaded.game = loaded.game.limited(QUESTION_TIME);
    let mut budget = Budget::unlimited().with_time(args.seconds);
    if let Some(games) = args.games {
        budget = budget.with_iterations(games);
    }
    let guided = args.simulations == Simulations::Uct;
    let construction = Construction { guided, ..Construction::default() };
    let function = loaded.game.with(Learning { construction, budget, seed: args.seed });
    let record = Record::new(&loaded.source.name, loaded.game.roles(), &function);
    if console.json {
        console.record("heuristic", &record)?;
    } else {
        print(&record, args.top, console)?;
    }
    Ok(if function.is_blank() { Outcome::Found } else { Outcome::Fine })
}

/// Learns the function of a game of any type.
struct Learning {
    construction: Construction,
    budget: Budget,
    seed: u64,
}

impl WithGame for Learning {
    type Out = Arc<Function>;

    fn call<G: Game>(self, game: Arc<G>) -> Arc<Function> {
        let evaluator = self.construction.build(&game, &game.initial(), &self.budget, self.seed);
        Arc::clone(evaluator.heuristic())
    }
}

/// The evaluation function as JSON.
#[derive(Serialize)]
struct Record<'a> {
    name: &'a str,
    games: u64,
    mean_plies: f64,
    roles: Vec<RoleRecord<'a>>,
    tables: Vec<TermRecord>,
    symbols: Vec<TermRecord>,
    rows: Vec<TermRecord>,
}

#[derive(Serialize)]
struct RoleRecord<'a> {
    role: &'a str,
    won: u32,
    lost: u32,
}

/// A feature.
#[derive(Serialize)]
struct TermRecord {
    counts: String,
    most: u32,
    /// For each role.
    weights: Vec<f64>,
    /// For each role, games won and lost in which something was counted.
    support: Vec<[u32; 2]>,
}

impl<'a> Record<'a> {
    fn new(name: &'a str, roles: &'a [String], function: &Function) -> Self {
        let decided = roles.iter().zip(&function.decided);
        let role = |(role, decided): (&'a String, &ludens_search::Decided)| RoleRecord {
            role,
            won: decided.wins,
            lost: decided.losses,
        };
        let mut record = Record {
            name,
            games: function.n_games,
            mean_plies: function.mean_plies,
            roles: decided.map(role).collect(),
            tables: Vec::new(),
            symbols: Vec::new(),
            rows: Vec::new(),
        };
        for term in &function.terms {
            let list = match &term.counted {
                Counted::Row(_) => &mut record.rows,
                Counted::Object(object) if object.symbol.is_some() => &mut record.symbols,
                Counted::Object(_) => &mut record.tables,
            };
            list.push(TermRecord::new(term, roles.len()));
        }
        for list in [&mut record.tables, &mut record.symbols, &mut record.rows] {
            list.sort_by(TermRecord::strongest_first);
        }
        record
    }
}

impl TermRecord {
    fn new(term: &Term, n_roles: usize) -> Self {
        let roles = || Role::all(n_roles);
        TermRecord {
            counts: shown(&term.counted),
            most: term.most,
            weights: roles().map(|role| term.weights[role]).collect(),
            support: roles().map(|role| [term.seen[role].wins, term.seen[role].losses]).collect(),
        }
    }

    fn strongest_first(&self, other: &Self) -> Ordering {
        let strength =
            |term: &Self| term.weights.iter().fold(0.0f64, |max, weight| max.max(weight.abs()));
        strength(other).total_cmp(&strength(self)).then_with(|| self.counts.cmp(&other.counts))
    }
}

/// A feature as a fact pattern, with `_` for any term.
fn shown(counted: &Counted) -> String {
    match counted {
        Counted::Row(fact) => fact.clone(),
        Counted::Object(object) if object.n_columns == 0 => object.table.clone(),
        Counted::Object(object) => {
            let symbol = |column| match &object.symbol {
                Some((at, symbol)) if *at == column => symbol.as_str(),
                _ => "_",
            };
            let columns: Vec<&str> = (0..object.n_columns).map(symbol).collect();
            format!("({} {})", object.table, columns.join(" "))
        }
    }
}

fn print(record: &Record<'_>, top: usize, console: &mut Console) -> anyhow::Result<()> {
    let Record { name, games, mean_plies, roles, tables, symbols, rows } = record;
    writeln!(console, "{}", title(name, *games, *mean_plies))?;
    if *games == 0 {
        return Ok(());
    }
    for RoleRecord { role, won, lost } in roles {
        writeln!(console, "  {role} won {won} and lost {lost}")?;
    }
    let lists = [
        ("Facts of a table", tables, usize::MAX),
        ("Facts with a symbol in a column", symbols, usize::MAX),
        ("Single facts", rows, top),
    ];
    for (title, terms, max) in lists {
        if terms.is_empty() {
            writeln!(console, "\n\x1b[1m{title}\x1b[0m: none depends on moves")?;
            continue;
        }
        writeln!(console, "\n\x1b[1m{title}\x1b[0m")?;
        let names = roles.iter().map(|role| role.role.to_uppercase());
        let head = ["COUNTS", "MAX"].map(str::to_owned).into_iter().chain(names);
        let head: Vec<String> = head.chain(["SEEN WON/LOST".to_owned()]).collect();
        let lines = terms.iter().take(max).map(line);
        console.table(&std::iter::once(head).chain(lines).collect::<Vec<_>>())?;
        if terms.len() > max {
            writeln!(console, "and {} others (all are in --json)", terms.len() - max)?;
        }
    }
    Ok(())
}

/// The title: the games from which the function was learnt. Without finished games it has no features.
fn title(name: &str, games: u64, mean_plies: f64) -> String {
    if games == 0 {
        return format!(
            "{name}: no game was finished, so there is no function; more --seconds may help"
        );
    }
    format!("{name}: from {games} games of {mean_plies:.1} plies on average")
}

fn line(term: &TermRecord) -> Vec<String> {
    let weights = term.weights.iter().map(|weight| format!("{weight:+.4}"));
    let support = term.support.iter().map(|[won, lost]| format!("{won}/{lost}"));
    let support = support.collect::<Vec<_>>().join(" ");
    let first = [term.counts.clone(), term.most.to_string()];
    first.into_iter().chain(weights).chain([support]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Object;

    #[test]
    fn unfinished_games_are_reported() {
        assert!(title("chess", 0, 0.0).starts_with("chess: no game was finished"));
        assert_eq!(title("nim", 3, 4.5), "nim: from 3 games of 4.5 plies on average");
    }

    #[test]
    fn features_are_fact_patterns() {
        let object = |symbol| Object { table: "cell".into(), n_columns: 3, symbol };
        assert_eq!(shown(&Counted::Object(object(None))), "(cell _ _ _)");
        assert_eq!(shown(&Counted::Object(object(Some((2, "x".into()))))), "(cell _ _ x)");
        assert_eq!(shown(&Counted::Row("(cell 1 1 x)".into())), "(cell 1 1 x)");
        let done = Object { table: "done".into(), n_columns: 0, symbol: None };
        assert_eq!(shown(&Counted::Object(done)), "done");
    }
}
