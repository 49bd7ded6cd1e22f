//! `ludens torture`: tests whether a player conforms to the protocol and survives hostile input.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludens_catalog::nearest;
use ludens_protocol::Address;
use ludens_protocol::torture::{self, Complaint, Grade, Options, Subject, TRIALS, Trial, Verdict};
use serde_json::{Value, json};

use crate::Outcome;
use crate::console::Console;
use crate::report::StatusLine;
use ludens_lab::{Hinted, units};

const EXAMPLES: &str = "\
Examples:
  ludens torture http://127.0.0.1:9147
  ludens torture localhost:9147 --play-clock 3s
  ludens torture localhost:9147 --only match spelling idle
  ludens torture --list

Any player of the competition can be tested, not only ours. `fail` means that hosts would see lost moves
or no player at all; `advice` is good practice that is not required; `not measured` gives the reason, such
as a player that is busy: every trial waits until the matches of earlier ones are over, for up to 20 s.
During hostile trials matches are played, and none of their moves may be lost. Players that keep some
seconds in reserve need a longer play clock, and one of whole seconds.
Test only your own players: others may not survive it.

Exit codes: 0 nothing failed, 1 a trial failed or could not run, 2 wrong usage or no player listens.";

/// Test a player with messages of hosts and with hostile input.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Torture {
    /// The address of the player, such as `http://127.0.0.1:9147`.
    #[arg(required_unless_present = "list", value_name = "URL")]
    player: Option<Address>,

    /// Show the names of all trials.
    #[arg(long)]
    list: bool,

    /// Run these trials only.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,

    /// The time limit of each move and of preparation.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::positive_duration)]
    play_clock: Duration,

    /// The number of idle connections.
    #[arg(long, value_name = "N", default_value_t = Options::default().connections)]
    connections: usize,

    /// The maximum growth of the player's memory.
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = units::bytes)]
    memory: usize,
}

/// Runs the trials, one after the other.
pub fn run(args: &Torture, console: &mut Console) -> anyhow::Result<Outcome> {
    let trials = args.trials()?;
    let Some(player) = args.player.as_ref().filter(|_| !args.list) else {
        return list(&trials, console);
    };
    // Every connection needs a file; if no more are allowed, the trial reports it.
    let _ = rlimit::increase_nofile_limit(args.connections as u64 + 1000);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let subject = runtime.block_on(Subject::new(player.clone(), args.options()));
    if !runtime.block_on(subject.is_reachable()) {
        let hint = "`ludens player` starts one";
        return Err(Hinted::new(format!("no player listens on {player}"), hint).into());
    }
    let results = undergo(&subject, &trials, &runtime, console)?;
    summarise(&results, console)?;
    let is_bad =
        |result: &torture::Outcome| result.verdict() == Verdict::Fail || result.notes.prevented;
    Ok(if results.iter().any(is_bad) { Outcome::Found } else { Outcome::Fine })
}

impl Torture {
    fn options(&self) -> Options {
        let (start_clock, play_clock) = (self.play_clock, self.play_clock);
        let (connections, memory) = (self.connections, self.memory);
        Options { start_clock, play_clock, connections, memory, ..Options::default() }
    }

    /// The selected trials, in running order.
    fn trials(&self) -> anyhow::Result<Vec<&'static Trial>> {
        let names = || TRIALS.iter().map(|trial| trial.name);
        if let Some(unknown) = self.only.iter().find(|name| !names().any(|known| known == *name)) {
            let hint = match nearest(unknown, names()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "`ludens torture --list` shows all".to_owned(),
            };
            return Err(Hinted::new(format!("there is no trial `{unknown}`"), hint).into());
        }
        let wanted = |trial: &&Trial| {
            self.only.is_empty() || self.only.iter().any(|name| name == trial.name)
        };
        Ok(TRIALS.iter().filter(wanted).collect())
    }
}

fn list(trials: &[&Trial], console: &mut Console) -> anyhow::Result<Outcome> {
    if !console.json {
        let row = |trial: &&Trial| {
            let meanwhile = if trial.accompanied { " (during a match)" } else { "" };
            vec![trial.name.to_owned(), format!("{}{meanwhile}", trial.about)]
        };
        console.table(&trials.iter().map(row).collect::<Vec<_>>())?;
        return Ok(Outcome::Fine);
    }
    for trial in trials {
        let record = json!({ "kind": "listed", "trial": trial.name, "about": trial.about,
            "accompanied": trial.accompanied });
        console.record("torture", &record)?;
    }
    Ok(Outcome::Fine)
}

fn undergo(
    subject: &Arc<Subject>,
    trials: &[&Trial],
    runtime: &tokio::runtime::Runtime,
    console: &mut Console,
) -> anyhow::Result<Vec<torture::Outcome>> {
    let mut results = Vec::new();
    for (number, trial) in (1..).zip(trials) {
        let progress = StatusLine::new();
        progress.show(&format!("{number} of {}: {}, {}", trials.len(), trial.name, trial.about));
        let result = runtime.block_on(subject.undergo(trial));
        drop(progress);
        print_result(&result, console)?;
        console.flush()?;
        results.push(result);
    }
    Ok(results)
}

/// Prints the result of a trial: a line, and another one for each complaint.
fn print_result(result: &torture::Outcome, console: &mut Console) -> anyhow::Result<()> {
    if console.json {
        return Ok(console.record("torture", &record(result))?);
    }
    let colour = match result.verdict() {
        Verdict::Pass => 32,
        Verdict::NotMeasured => 36,
        Verdict::Advice => 33,
        Verdict::Fail => 31,
    };
    let (name, verdict) = (result.trial, result.verdict().name());
    let width = TRIALS.iter().map(|trial| trial.name.len()).max().unwrap_or(0);
    let sentence = result.sentence();
    writeln!(console, "{name:width$}  \x1b[1;{colour}m{verdict:12}\x1b[0m  {sentence}")?;
    for complaint in &result.notes.complaints {
        let grade = grade_name(complaint.grade);
        writeln!(console, "{:width$}  {grade:12}  {}", "", complaint.what)?;
    }
    Ok(())
}

fn grade_name(grade: Grade) -> &'static str {
    match grade {
        Grade::Required => "required",
        Grade::Advised => "advised",
    }
}

fn record(result: &torture::Outcome) -> Value {
    let complaint = |complaint: &Complaint| json!({ "grade": grade_name(complaint.grade), "what": complaint.what });
    let complaints: Vec<Value> = result.notes.complaints.iter().map(complaint).collect();
    let meanwhile = result.background.as_ref().map(|background| {
        let stats = &background.stats;
        json!({ "matches": background.matches, "refused": background.refused, "moves": stats.moves,
            "lost": stats.lost, "slow": stats.slow,
            "slowest_ms": units::milliseconds(stats.slowest) })
    });
    let memory = result
        .footprint
        .map(|seen| json!({ "before": seen.before, "peak": seen.peak, "after": seen.after }));
    json!({ "kind": "trial", "trial": result.trial, "verdict": result.verdict().name(), "ran": !result.notes.prevented,
        "observed": result.sentence(), "complaints": complaints, "meanwhile": meanwhile,
        "memory": memory, "seconds": result.took.as_secs_f64() })
}

fn summarise(results: &[torture::Outcome], console: &mut Console) -> anyhow::Result<()> {
    let count = |verdict| results.iter().filter(|result| result.verdict() == verdict).count();
    let [pass, not_measured, advice, fail] = Verdict::ALL.map(count);
    let background = results.iter().filter_map(|result| result.background.as_ref());
    let moves: u32 = background.clone().map(|background| background.stats.moves).sum();
    let lost: usize = background.map(|background| background.stats.lost.len()).sum();
    if console.json {
        let record = json!({ "kind": "summary", "trials": results.len(), "pass": pass,
            "not_measured": not_measured, "advice": advice, "fail": fail,
            "moves_meanwhile": moves, "lost_meanwhile": lost });
        return Ok(console.record("torture", &record)?);
    }
    writeln!(
        console,
        "\n{} trials: {pass} passed, {advice} with advice, {not_measured} not measured, {fail} failed; \
         {lost} of {moves} moves of matches played meanwhile were lost",
        results.len()
    )?;
    Ok(())
}
