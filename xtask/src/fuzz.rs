//! Feeds hostile texts for some seconds. The work is done in a process of its own, so that an
//! exhausted stack or an endless loop is found as well as a panic.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_core::{Budget, Reasoner, Trouble};
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};
use ludens_testkit::fuzz::{MAX_TIME, Reached, Target, case, feed};
use ludens_testkit::library::{entries, on_all_cores};

use crate::workspace;

/// How long, and with which texts.
#[derive(clap::Args)]
pub struct Args {
    /// How long to go on
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Which texts; the same seed gives the same texts in the same order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Feed the text of a file instead, as after a failure
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Feed only the text with this number
    #[arg(long, value_name = "NUMBER")]
    text: Option<u64>,
    /// Work here instead of in another process
    #[arg(long, hide = true)]
    here: bool,
}

/// Runs the campaign, or replays one text.
pub fn run(args: &Args) -> Result<()> {
    if let Some(path) = &args.replay {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        return replay(&bytes);
    }
    if let Some(number) = args.text {
        let bytes = case(&seeds()?, args.seed, number);
        let file = folder().join(format!("seed-{}-text-{number}.kif", args.seed));
        std::fs::create_dir_all(folder())?;
        std::fs::write(&file, &bytes)?;
        println!("{}: {} bytes", file.display(), bytes.len());
        return replay(&bytes);
    }
    if args.here { campaign(args) } else { supervise(args) }
}

fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace::root().join("target")).join("fuzz")
}

fn replay_hint(path: &Path) -> String {
    format!("hint: `cargo xtask fuzz --replay {}` repeats it", path.display())
}

fn replay(bytes: &[u8]) -> Result<()> {
    for target in [Target::FrontEnd, Target::Reasoner] {
        let begin = Instant::now();
        let result = feed(target, bytes, &load);
        println!("{target:?}: {result:?} in {:.1?}", begin.elapsed());
        if let Err(failure) = result {
            bail!("{}", failure.what);
        }
    }
    Ok(())
}

/// Mutated rules can ask for any amount of work, so that all of it is limited.
fn load(rules: &Rules) -> Result<Box<dyn Reasoner>, Trouble> {
    let budget = Budget::unlimited().with_time(Duration::from_millis(200)).with_bytes(64 << 20);
    let limits = Limits { time: Some(Duration::from_millis(50)), bytes: 64 << 20 };
    Ok(Box::new(LogicGame::load(rules, &budget)?.with_limits(limits)))
}

/// Starts the work in another process and watches it.
fn supervise(args: &Args) -> Result<()> {
    let _ = std::fs::remove_dir_all(folder());
    std::fs::create_dir_all(folder())?;
    let mut child = Command::new(std::env::current_exe()?)
        .args(["fuzz", "--here", "--seconds", &args.seconds.to_string()])
        .args(["--seed", &args.seed.to_string()])
        .spawn()?;
    let patience = Duration::from_secs(args.seconds) + 6 * MAX_TIME;
    let status = wait(&mut child, patience)?;
    if status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    let what = status.map_or("no end in sight".to_owned(), |status| status.to_string());
    let mut lines = vec![format!("the process that was fed ended badly: {what}")];
    for entry in std::fs::read_dir(folder())? {
        lines.push(replay_hint(&entry?.path()));
    }
    bail!(lines.join("\n"))
}

/// Waits for a process, but not for ever.
fn wait(child: &mut Child, patience: Duration) -> Result<Option<ExitStatus>> {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// What one worker, or all of them, have seen.
#[derive(Clone, Copy, Default)]
struct Tally {
    fed: u64,
    done: u64,
    given_up: u64,
    /// The longest time, and the number of the text that took it.
    slowest: (Duration, u64),
}

impl Tally {
    fn note(&mut self, number: u64, reached: Reached, time: Duration) {
        self.fed += 1;
        self.done += u64::from(reached == Reached::Done);
        self.given_up += u64::from(reached == Reached::GivenUp);
        self.slowest = self.slowest.max((time, number));
    }

    fn add(self, other: Tally) -> Tally {
        Tally {
            fed: self.fed + other.fed,
            done: self.done + other.done,
            given_up: self.given_up + other.given_up,
            slowest: self.slowest.max(other.slowest),
        }
    }
}

/// The texts that are mutated: all rules of the library.
fn seeds() -> Result<Vec<String>> {
    let games = entries(&workspace::games())?;
    let texts = games.iter().map(|entry| std::fs::read_to_string(&entry.rules));
    Ok(texts.collect::<std::io::Result<_>>()?)
}

fn campaign(args: &Args) -> Result<()> {
    let seeds = seeds()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (begin, next) = (Instant::now(), AtomicU64::new(0));
    let duration = Duration::from_secs(args.seconds);
    let workers: Vec<usize> = (0..cores).collect();
    let tallies = on_all_cores(&workers, |worker| {
        let file = folder().join(format!("worker-{worker}.kif"));
        let mut tally = Tally::default();
        while begin.elapsed() < duration {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (reached, time) = feed_case(&seeds, args.seed, number, &file)?;
            tally.note(number, reached, time);
        }
        std::fs::remove_file(&file)?;
        Ok(tally)
    });
    let tallies = tallies.into_iter().collect::<Result<Vec<Tally>>>()?;
    let Tally { fed, done, given_up, slowest } =
        tallies.into_iter().fold(Tally::default(), Tally::add);
    println!(
        "seed {}: {fed} texts in {:.0?}, {done} came through, {given_up} were given up, \
         number {} took longest with {:.1?}: no harm done",
        args.seed,
        begin.elapsed(),
        slowest.1,
        slowest.0
    );
    Ok(())
}

/// The text is kept in the file while it is fed.
fn feed_case(seeds: &[String], seed: u64, number: u64, file: &Path) -> Result<(Reached, Duration)> {
    let bytes = case(seeds, seed, number);
    std::fs::write(file, &bytes)?;
    let target = if number.is_multiple_of(2) { Target::FrontEnd } else { Target::Reasoner };
    let begin = Instant::now();
    match feed(target, &bytes, &load) {
        Ok(reached) => Ok((reached, begin.elapsed())),
        Err(failure) => {
            let kept = folder().join(format!("seed-{seed}-text-{number}.kif"));
            std::fs::rename(file, &kept)?;
            bail!("{target:?}: {}\n{}", failure.what, replay_hint(&kept))
        }
    }
}
