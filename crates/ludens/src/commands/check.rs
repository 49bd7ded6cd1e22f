//! `ludens check`: all problems of rules, found statically and by play.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludens_catalog::{LoadedSource, ReasonerKind, WithGame, load_source, nearest};
use ludens_core::{Budget, Game, Trouble};
use ludens_gdl::{Code, Diagnostic, Source};
use ludens_lab::survey::{Domain, Finding, FindingKind, Options, Survey, survey};

use crate::Outcome;
use crate::check_records::{DiagnosticRecord, FindingRecord, Summary};
use crate::console::Console;
use crate::render::Renderer;
use ludens_lab::{Hinted, load_budget, units};

const EXAMPLES: &str = "\
Examples:
  ludens check my.kif
  ludens check --json games/*.kif
  ludens check --no-simulate generated.kif
  ludens check --explain E0304

Rules are first analysed, then played in random games. Errors give the exit code 1, warnings
only with --deny-warnings.";

/// The maximum number of problems of one file shown in full; the rest is only counted.
const MAX_SHOWN: usize = 200;

/// The minimum time limit of loading rules and of any single query, however short the games are.
const MIN_TIME_LIMIT: Duration = Duration::from_secs(10);

/// Show all problems of rules.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Check {
    /// Files with rules, names of the library, or `-` for the standard input.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    files: Vec<String>,

    /// Explain a code such as `E0304`.
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    explain: Option<String>,

    /// Play random games; this is the default.
    #[arg(long, overrides_with = "no_simulate")]
    simulate: bool,

    /// Play no random games.
    #[arg(long)]
    no_simulate: bool,

    /// The time for random games.
    #[arg(long, value_name = "TIME", default_value = "2", value_parser = units::duration)]
    seconds: Duration,

    /// The maximum number of random games.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    playouts: u64,

    /// The maximum number of joint moves of a random game.
    #[arg(long, value_name = "N", default_value_t = Options::default().max_plies)]
    max_depth: u32,

    /// The seed of random games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Return the exit code 1 for warnings too.
    #[arg(long)]
    deny_warnings: bool,
}

/// Checks the files; an unreadable file does not prevent the others from being checked.
pub fn run(args: &Check, console: &mut Console) -> anyhow::Result<Outcome> {
    if let Some(code) = &args.explain {
        return explain(code, console);
    }
    let mut outcome = Outcome::Fine;
    let mut unreadable = None;
    for file in &args.files {
        match load_source(file) {
            Ok(source) => {
                if check(args, &source, console)? == Outcome::Found {
                    outcome = Outcome::Found;
                }
            }
            Err(error) => {
                if let Some(earlier) = unreadable.replace(error) {
                    crate::failure::report(&earlier.into());
                }
            }
        }
    }
    unreadable.map_or(Ok(outcome), |error| Err(error.into()))
}

fn explain(code: &str, console: &mut Console) -> anyhow::Result<Outcome> {
    let read = Code::ALL.iter().map(|code| (code.id(), code.severity(), code.explanation()));
    let played =
        FindingKind::ALL.iter().map(|kind| (kind.id(), kind.severity(), kind.explanation()));
    let all: Vec<_> = read.chain(played).collect();
    let Some((id, severity, text)) = all.iter().find(|(id, ..)| id.eq_ignore_ascii_case(code))
    else {
        let hint = match nearest(code, all.iter().map(|(id, ..)| *id)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "codes look like E0304, W0404 or S0001".to_owned(),
        };
        return Err(Hinted::new(format!("no problem has the code `{code}`"), hint).into());
    };
    let severity = crate::check_records::severity_name(*severity);
    if console.json {
        let record = serde_json::json!({"kind": "explanation", "code": id, "severity": severity,
            "explanation": text});
        console.record("check", &record)?;
    } else {
        writeln!(console, "{id} ({severity}): {text}")?;
    }
    Ok(Outcome::Fine)
}

fn check(args: &Check, loaded: &LoadedSource, console: &mut Console) -> anyhow::Result<Outcome> {
    let mut problems = loaded.problems.clone();
    // A text that is refused as a whole is empty here, and must not be checked as empty rules.
    if problems.is_empty() || !loaded.source.text.is_empty() {
        problems.extend(ludens_gdl::check_text(&loaded.source.text));
    }
    show_problems(&loaded.source, &problems, console)?;
    let simulated = if args.no_simulate || !loaded.problems.is_empty() {
        None
    } else {
        simulate(args, &loaded.source.text).map(|survey| blame_recursion(survey, &problems))
    };
    let findings = simulated.as_ref().map_or(&[][..], |survey| &survey.findings);
    show_findings(loaded, findings, console)?;
    let severities = problems.iter().map(|problem| problem.severity);
    let severities: Vec<_> =
        severities.chain(findings.iter().map(|finding| finding.kind.severity())).collect();
    let summary = Summary::new(&loaded.name, &severities, simulated.as_ref());
    if console.json {
        console.record("check", &summary)?;
    } else {
        writeln!(console, "{}", summary.text())?;
    }
    let bad = summary.errors > 0 || (args.deny_warnings && summary.warnings > 0);
    Ok(if bad { Outcome::Found } else { Outcome::Fine })
}

fn show_problems(
    source: &Source,
    problems: &[Diagnostic],
    console: &mut Console,
) -> anyhow::Result<()> {
    if console.json {
        for problem in problems {
            console.record("check", &DiagnosticRecord::new(source, problem))?;
        }
        return Ok(());
    }
    let renderer = Renderer::new();
    for problem in problems.iter().take(MAX_SHOWN) {
        writeln!(console, "{}", renderer.render(source, problem))?;
    }
    if problems.len() > MAX_SHOWN {
        let more = problems.len() - MAX_SHOWN;
        writeln!(console, "… and {more} more; --json gives all of them\n")?;
    }
    Ok(())
}

fn show_findings(
    loaded: &LoadedSource,
    findings: &[Finding],
    console: &mut Console,
) -> anyhow::Result<()> {
    for finding in findings {
        let record = FindingRecord::new(&loaded.name, finding);
        if console.json {
            console.record("check", &record)?;
        } else {
            writeln!(console, "{}", record.text())?;
        }
    }
    Ok(())
}

/// Plays random games, if the rules can be played at all.
fn simulate(args: &Check, text: &str) -> Option<Survey> {
    let rules = ludens_gdl::load(text).0?;
    let budget = || load_budget().with_time(args.seconds.max(MIN_TIME_LIMIT));
    // The reference reasoner detects most problems of rules, and needs no grounding.
    let game = match ReasonerKind::Logic.load(&rules, &budget()) {
        Ok(game) => game.limited(args.seconds.max(MIN_TIME_LIMIT)),
        Err(trouble) => return Some(not_loaded(&trouble)),
    };
    // Rules whose declarations take too long to enumerate are played without them.
    let domain = Domain::of(text, &budget()).unwrap_or_default();
    let options = Options { max_plies: args.max_depth, seed: args.seed, ..Options::default() };
    let budget = Budget::unlimited().with_time(args.seconds).with_iterations(args.playouts);
    Some(game.with(Simulation { domain: &domain, options, budget: &budget }))
}

/// Rules that violate the recursion restriction and exhausted the memory are most likely infinite: a term
/// that branches fills the memory before it is nested too deeply.
fn blame_recursion(mut survey: Survey, problems: &[Diagnostic]) -> Survey {
    if problems.iter().any(|problem| problem.code == Code::Recursion) {
        for finding in &mut survey.findings {
            if finding.kind == FindingKind::Exhausted {
                finding.kind = FindingKind::Unbounded;
                finding.message += "; the rules seem to have infinitely many consequences";
            }
        }
    }
    survey
}

fn not_loaded(trouble: &Trouble) -> Survey {
    let finding = Finding {
        kind: FindingKind::of_trouble(trouble),
        role_idx: None,
        message: trouble.to_string(),
        line: Vec::new(),
        count: 1,
    };
    Survey { findings: vec![finding], ..Survey::default() }
}

struct Simulation<'a> {
    domain: &'a Domain,
    options: Options,
    budget: &'a Budget,
}

impl WithGame for Simulation<'_> {
    type Out = Survey;

    fn call<G: Game>(self, game: Arc<G>) -> Survey {
        survey(&*game, self.domain, self.options, self.budget)
    }
}
