//! Loads rules that explode with every reasoner within limits. Each is loaded in its own process, whose
//! time and memory are measured: a reasoner may reject the rules, give up or answer, but must not exceed
//! its limits.

mod texts;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_catalog::{GroundLimits, Loader, ReasonerKind};
use ludens_core::{Budget, Reasoner, Trouble};
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};
use ludens_testkit::library::side_by_side;
use serde::{Deserialize, Serialize};

use crate::child::{self, mebibytes};
use crate::workspace;
use texts::{Text, all};

/// Limits of the reasoners.
#[derive(clap::Args)]
pub struct Args {
    /// Only texts whose name contains this
    filter: Option<String>,
    /// Time limit of loading, and of the first query
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Memory limit of loading
    #[arg(long, default_value_t = 256)]
    megabytes: u64,
    /// A reasoner to check; may be repeated; default all and `auto`
    #[arg(long, value_parser = workspace::parse_reasoner)]
    reasoner: Vec<ReasonerKind>,
    /// Load the text of this name in this process
    #[arg(long, hide = true)]
    here: bool,
}

/// Factor on the sum of the time limits, since parsing a large text takes time too, other processes
/// are running, and limits are not checked in every step.
const TIME_FACTOR: u32 = 4;

/// Memory allowance besides the limit: the program, the text and its tree.
const OVERHEAD_BYTES: u64 = 192 << 20;

/// Allowances of memory and time per byte of text, for its tree and rules; texts are limited to
/// 16 MiB before they are parsed.
const BYTES_PER_BYTE: u64 = 80;
const TIME_PER_BYTE: Duration = Duration::from_micros(2);

/// The result of a reasoner on a text.
#[derive(Serialize, Deserialize, Debug)]
struct Outcome {
    /// `rejected`, `given up` or `answered`, with the reason.
    what: String,
    load_seconds: f64,
    answer_seconds: f64,
}

/// Loads every text with every reasoner.
pub fn run(args: &Args) -> Result<()> {
    let filter = args.filter.as_deref().unwrap_or("");
    let kinds = args.kinds();
    if args.here {
        let text = all().into_iter().find(|text| text.name == filter);
        let text = text.context("no such text")?;
        let outcome = load_and_query(&(text.write)(), kinds[0], args);
        println!("{}", serde_json::to_string(&outcome)?);
        return Ok(());
    }
    let texts = all().into_iter().filter(|text| text.name.contains(filter));
    let pairs: Vec<(Text, ReasonerKind)> =
        texts.flat_map(|text| kinds.iter().map(move |&kind| (text, kind))).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let results = side_by_side(cores, &pairs, |(text, kind)| {
        let result = check(*text, *kind, args);
        let line = result.as_ref().map_or_else(|error| format!("FAILED: {error:#}"), Clone::clone);
        println!("{:24} {:8} {line}", text.name, kind.name());
        result
    });
    let failed = results.iter().filter(|result| result.is_err()).count();
    println!("{} texts and reasoners, {failed} exceed the limits", pairs.len());
    if failed > 0 {
        bail!("{failed} reasoners exceed their limits");
    }
    Ok(())
}

impl Args {
    fn kinds(&self) -> Vec<ReasonerKind> {
        let all = || [vec![ReasonerKind::Auto], workspace::reasoners()].concat();
        if self.reasoner.is_empty() { all() } else { self.reasoner.clone() }
    }

    fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }

    fn bytes(&self) -> u64 {
        self.megabytes << 20
    }
}

/// Loads a text in another process and returns the result.
fn check(text: Text, kind: ReasonerKind, args: &Args) -> Result<String> {
    let length = (text.write)().len() as u64;
    let bytes = args.bytes() + OVERHEAD_BYTES + length * BYTES_PER_BYTE;
    let time = args.time() * 2 * TIME_FACTOR + TIME_PER_BYTE * length as u32;
    let limits = child::ProcessLimits { time, bytes };
    let words = ["hostile", text.name, "--here", "--reasoner", kind.name()].map(str::to_owned);
    let numbers = ["--seconds".to_owned(), args.seconds.to_string()];
    let sizes = ["--megabytes".to_owned(), args.megabytes.to_string()];
    let ended = child::run_self(&[&words[..], &numbers, &sizes].concat(), limits)?;
    if !ended.is_success() {
        bail!("{}", ended.verdict());
    }
    let outcome: Outcome = serde_json::from_str(&ended.output).context("no verdict")?;
    let (load, answer) = (outcome.load_seconds, outcome.answer_seconds);
    let all = format!("total {:.2} s, {}", ended.time.as_secs_f64(), mebibytes(ended.peak));
    let cost = format!("load {load:.2} s, answer {answer:.2} s, {all}");
    Ok(format!("{cost}: {}", outcome.what))
}

/// Loads a text and makes the first query.
fn load_and_query(text: &str, kind: ReasonerKind, args: &Args) -> Outcome {
    let (rules, problems) = ludens_gdl::load(text);
    let mut outcome = Outcome { what: String::new(), load_seconds: 0.0, answer_seconds: 0.0 };
    let Some(rules) = rules else {
        let first = problems.iter().find(|problem| problem.code.blocks_play());
        outcome.what = format!("rejected: {}", first.map_or("", |problem| &problem.message));
        return outcome;
    };
    let start = Instant::now();
    let loaded = load(&rules, kind, args);
    outcome.load_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let answer = loaded.and_then(|reasoner| reasoner.answer(&reasoner.initial()?));
    outcome.answer_seconds = start.elapsed().as_secs_f64();
    outcome.what = match answer {
        Ok(answer) => {
            let moves: Vec<usize> = answer.legal.iter().map(Vec::len).collect();
            format!("answered: {moves:?} legal moves")
        }
        Err(trouble) if trouble.is_exhausted() => format!("given up: {trouble}"),
        Err(trouble) => format!("rejected: {trouble}"),
    };
    outcome
}

fn load(rules: &Rules, kind: ReasonerKind, args: &Args) -> Result<Arc<dyn Reasoner>, Trouble> {
    let bytes = args.bytes() as usize;
    if kind == ReasonerKind::Logic {
        let budget = Budget::unlimited().with_time(args.time()).with_bytes(bytes);
        let limits = Limits { time: Some(args.time()), bytes };
        return Ok(Arc::new(LogicGame::load(rules, &budget)?.with_limits(limits)));
    }
    // Grounding has its own limits, so that there is time left for the fallback.
    let budget = Budget::unlimited().with_time(2 * args.time()).with_bytes(bytes);
    let mut loader = Loader::new(kind, budget);
    loader.ground = GroundLimits { time: args.time(), bytes };
    Ok(loader.load_rules(rules)?.0.limited(args.time()).reasoner())
}
