//! Feeds hostile texts for some seconds: to the front end, to each reasoner, and random rules to
//! each reasoner in lockstep with the reference reasoner. The work is done in a process of its own, so that an
//! exhausted stack or an endless loop is found as well as a panic.

mod feeding;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_catalog::ReasonerKind;
use ludens_testkit::fuzz::{Failure, MAX_TIME, Reached, case};
use ludens_testkit::library::{entries, on_all_cores};

use crate::workspace;
use feeding::{Feeding, random_text};

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
    /// Which reasoner, several times for several; all if there is none
    #[arg(long, value_parser = workspace::parse_reasoner)]
    reasoner: Vec<ReasonerKind>,
    /// Work here instead of in another process
    #[arg(long, hide = true)]
    here: bool,
}

/// Runs the campaign, or replays one text.
pub fn run(args: &Args) -> Result<()> {
    if let Some(path) = &args.replay {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        return replay(&bytes, &args.kinds());
    }
    if let Some(number) = args.text {
        let (bytes, _) = args.text_of(&seeds()?, number);
        let file = folder().join(format!("seed-{}-text-{number}.kif", args.seed));
        std::fs::create_dir_all(folder())?;
        std::fs::write(&file, &bytes)?;
        println!("{}: {} bytes", file.display(), bytes.len());
        return replay(&bytes, &args.kinds());
    }
    if args.here { campaign(args) } else { supervise(args) }
}

impl Args {
    fn kinds(&self) -> Vec<ReasonerKind> {
        if self.reasoner.is_empty() { workspace::reasoners() } else { self.reasoner.clone() }
    }

    /// The text with a number, and what is done with it: each reasoner gets its share.
    fn text_of(&self, seeds: &[String], number: u64) -> (Vec<u8>, Feeding) {
        let kinds = self.kinds();
        let kind = kinds[(number / 3) as usize % kinds.len()];
        match number % 3 {
            0 => (case(seeds, self.seed, number), Feeding::FrontEnd),
            1 => (case(seeds, self.seed, number), Feeding::Reasoner(kind)),
            _ => (random_text(self.seed, number), Feeding::Agreement(kind)),
        }
    }
}

fn folder() -> PathBuf {
    workspace::target().join("fuzz")
}

fn replay_hint(path: &Path) -> String {
    format!("hint: `cargo xtask fuzz --replay {}` repeats it", path.display())
}

/// Does everything with a text.
fn replay(bytes: &[u8], kinds: &[ReasonerKind]) -> Result<()> {
    let each = kinds.iter().flat_map(|&kind| [Feeding::Reasoner(kind), Feeding::Agreement(kind)]);
    for feeding in [Feeding::FrontEnd].into_iter().chain(each) {
        let begin = Instant::now();
        let result = feeding.feed(bytes);
        println!("{feeding:?}: {result:?} in {:.1?}", begin.elapsed());
        if let Err(Failure { what }) = result {
            bail!("{what}");
        }
    }
    Ok(())
}

/// Starts the work in another process and watches it.
fn supervise(args: &Args) -> Result<()> {
    let _ = std::fs::remove_dir_all(folder());
    std::fs::create_dir_all(folder())?;
    let mut child = Command::new(std::env::current_exe()?)
        .args(["fuzz", "--here", "--seconds", &args.seconds.to_string()])
        .args(["--seed", &args.seed.to_string()])
        .args(args.kinds().iter().flat_map(|kind| ["--reasoner", kind.name()]))
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
            let (reached, time) = feed_case(args, &seeds, number, &file)?;
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
fn feed_case(
    args: &Args,
    seeds: &[String],
    number: u64,
    file: &Path,
) -> Result<(Reached, Duration)> {
    let (bytes, feeding) = args.text_of(seeds, number);
    std::fs::write(file, &bytes)?;
    let begin = Instant::now();
    match feeding.feed(&bytes) {
        Ok(reached) => Ok((reached, begin.elapsed())),
        Err(failure) => {
            let kept = folder().join(format!("seed-{}-text-{number}.kif", args.seed));
            std::fs::rename(file, &kept)?;
            bail!("{feeding:?}: {}\n{}", failure.what, replay_hint(&kept))
        }
    }
}
