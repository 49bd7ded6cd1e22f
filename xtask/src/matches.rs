//! Plays a match over HTTP for every published game: our player takes all roles, several matches run in
//! parallel, and no reply may be late, illegal or missing.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use ludens_testkit::library::side_by_side;
use serde_json::Value;

use crate::workspace;

/// Options of the matches.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains this
    filter: Option<String>,
    /// The folder of the corpus; default `LUDENS_CORPUS`, or the one next to the project
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// The agent
    #[arg(long, default_value = "uct")]
    agent: String,
    /// The start clock and the play clock, in seconds
    #[arg(long, default_value_t = 1)]
    clock: u64,
    /// Maximum number of steps: some games end only with good play
    #[arg(long, default_value_t = 250)]
    most_steps: usize,
    /// How many matches run in parallel
    #[arg(long, default_value_t = 4)]
    concurrency: usize,
    /// Path of the command `ludens`; default the release build
    #[arg(long)]
    ludens: Option<PathBuf>,
}

/// A player process that is killed when it is dropped.
struct Player(Child);

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays a match of every game.
pub fn run(args: &Args) -> Result<()> {
    let Some(corpus) = workspace::corpus(args.corpus.as_deref()) else {
        println!("no corpus found: nothing to play");
        return Ok(());
    };
    let ludens = match &args.ludens {
        Some(path) => path.clone(),
        None => build()?,
    };
    let filter = args.filter.as_deref().unwrap_or("");
    let mut games = workspace::rules_below(&corpus.join("games"))?;
    games.retain(|path| path.to_string_lossy().contains(filter));
    ensure!(!games.is_empty(), "no game's name contains `{filter}`");
    let (_player, address) = start(&ludens, args)?;
    let results = side_by_side(args.concurrency, &games, |path| {
        let result = play(&ludens, path, &address, args);
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        match &result {
            Ok(steps) => println!("{name:32} {steps} steps"),
            Err(error) => println!("{name:32} FAILED: {error:#}"),
        }
        result
    });
    let steps: usize = results.iter().flatten().sum();
    let failed = results.iter().filter(|result| result.is_err()).count();
    println!("{} games, {steps} steps, {failed} failed", games.len());
    if failed > 0 {
        bail!("{failed} of {} matches failed", games.len());
    }
    Ok(())
}

/// Builds the command and returns its path.
fn build() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "-p", "ludens"])
        .current_dir(workspace::root())
        .status()?;
    ensure!(status.success(), "the command cannot be built");
    Ok(workspace::target().join("release").join("ludens"))
}

/// Starts a player on a free port and returns its address.
fn start(ludens: &Path, args: &Args) -> Result<(Player, String)> {
    let mut child = Command::new(ludens)
        .args(["player", "--port", "0", "--matches", "1000", "--json", "--agent", &args.agent])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut line = String::new();
    let out = child.stdout.take().context("the player has no output")?;
    let player = Player(child);
    BufReader::new(out).read_line(&mut line)?;
    let report: Value =
        serde_json::from_str(&line).context("the player does not report its address")?;
    let address = report["address"].as_str().context("the player does not report its address")?;
    Ok((player, address.to_owned()))
}

/// Plays a match and returns its number of steps.
fn play(ludens: &Path, rules: &Path, address: &str, args: &Args) -> Result<usize> {
    let clock = format!("{}s", args.clock);
    let journal = std::env::temp_dir().join(format!("ludens-match-{}", std::process::id()));
    let journal = journal.with_extension(rules.file_stem().unwrap_or_default());
    let run = Command::new(ludens)
        .arg("host")
        .arg(rules)
        .args([
            "--players",
            address,
            "--pairs",
            "--json",
            "--start-clock",
            &clock,
            "--play-clock",
            &clock,
        ])
        .args(["--grace", "0s", "--most-steps", &args.most_steps.to_string(), "--journal"])
        .arg(&journal)
        .output();
    for end in ["", "-wal", "-shm"] {
        let mut name = journal.clone().into_os_string();
        name.push(end);
        // The file may not exist.
        let _ = std::fs::remove_file(name);
    }
    let run = run?;
    let output = String::from_utf8_lossy(&run.stdout);
    let record: Value = output
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .with_context(|| String::from_utf8_lossy(&run.stderr).trim().to_owned())?;
    let errors = record["errors"].as_array().into_iter().flatten();
    let errors = errors.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    let errors: Vec<&str> = errors.filter(|error| !error.is_empty()).collect();
    ensure!(errors.is_empty(), "{} errors, such as `{}`", errors.len(), errors[0]);
    // Some rules leave a role without a move, and others never end, which is not the player's fault.
    let is_aborted = record["isAborted"] == true;
    ensure!(is_aborted || record["isCompleted"] == true, "the match is not completed");
    Ok(record["moves"].as_array().map_or(0, Vec::len))
}
