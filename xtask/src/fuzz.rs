//! Fuzzes the front end and the reasoners, for a time or for a number of texts: hostile texts, which must
//! not cause failures; random rules and mutants of real games, on which all reasoners must agree. The work
//! is done in a child process, so that a stack overflow or an endless loop is detected as well as a panic.

mod feeding;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use ludens_catalog::ReasonerKind;
use ludens_testkit::fuzz::{Agreement, Failure, MAX_TIME, Reached, case, mutant};
use ludens_testkit::library::{entries, on_all_cores};

use crate::workspace;
use feeding::{Target, random_text};

/// Options of a campaign.
#[derive(clap::Args)]
pub struct Args {
    /// How long to feed texts
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// How many texts to feed, without a time limit
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    texts: Option<u64>,
    /// The number of the first text, to resume a campaign
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    from: u64,
    /// A kind of texts; may be repeated; default all
    #[arg(long, value_enum)]
    kind: Vec<Kind>,
    /// Seed of the texts; the same seed gives the same texts in the same order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Feed the text of a file instead, for example after a failure
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Feed only the text with this number
    #[arg(long, value_name = "NUMBER")]
    text: Option<u64>,
    /// A reasoner to check; may be repeated; default all
    #[arg(long, value_parser = workspace::parse_reasoner)]
    reasoner: Vec<ReasonerKind>,
    /// Run the campaign in this process
    #[arg(long, hide = true)]
    here: bool,
}

/// Kinds of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Kind {
    /// Damaged rules, for the front end and for each reasoner
    Hostile,
    /// Random rules, for all reasoners in lockstep
    Random,
    /// Games of the library and of others with a few parts changed, for all reasoners in lockstep
    Mutants,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Hostile => "hostile",
            Kind::Random => "random",
            Kind::Mutants => "mutants",
        }
    }
}

/// Runs the campaign, or replays one text.
pub fn run(args: &Args) -> Result<()> {
    if let Some(path) = &args.replay {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        return replay(&bytes, &args.kinds());
    }
    if let Some(number) = args.text {
        let (bytes, _) = args.text_of(&Seeds::read()?, number);
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

    fn text_kinds(&self) -> &[Kind] {
        if self.kind.is_empty() {
            &[Kind::Hostile, Kind::Random, Kind::Mutants]
        } else {
            &self.kind
        }
    }

    /// The text with a number, and its target. Hostile texts are distributed over the reasoners.
    fn text_of(&self, seeds: &Seeds, number: u64) -> (Vec<u8>, Target) {
        let (kinds, text_kinds) = (self.kinds(), self.text_kinds());
        let (round, at) = (number / text_kinds.len() as u64, number % text_kinds.len() as u64);
        match text_kinds[at as usize] {
            Kind::Hostile if round.is_multiple_of(2) => {
                (case(&seeds.library, self.seed, number), Target::FrontEnd)
            }
            Kind::Hostile => {
                let kind = kinds[(round / 2) as usize % kinds.len()];
                (case(&seeds.library, self.seed, number), Target::Reasoner(kind))
            }
            Kind::Random => (random_text(self.seed, number), Target::Lockstep(kinds)),
            Kind::Mutants => {
                (mutant(&seeds.all, self.seed, number).into_bytes(), Target::Lockstep(kinds))
            }
        }
    }

    /// Whether the campaign continues with this text.
    fn continues(&self, number: u64, elapsed: Duration) -> bool {
        match self.texts {
            Some(texts) => number < self.from + texts,
            None => elapsed < Duration::from_secs(self.seconds),
        }
    }
}

fn folder() -> PathBuf {
    workspace::target().join("fuzz")
}

fn replay_hint(path: &Path) -> String {
    format!("hint: `cargo xtask fuzz --replay {}` repeats it", path.display())
}

/// Feeds a text to all targets.
fn replay(bytes: &[u8], kinds: &[ReasonerKind]) -> Result<()> {
    let each = kinds.iter().map(|&kind| Target::Reasoner(kind));
    let all = [Target::FrontEnd, Target::Lockstep(kinds.to_vec())];
    for target in all.into_iter().chain(each) {
        let start = Instant::now();
        let result = target.feed(bytes);
        println!("{target}: {result:?} in {:.1?}", start.elapsed());
        if let Err(Failure { what }) = result {
            bail!("{what}");
        }
    }
    Ok(())
}

/// Starts the work in a child process and supervises it.
fn supervise(args: &Args) -> Result<()> {
    let _ = std::fs::remove_dir_all(folder());
    std::fs::create_dir_all(folder())?;
    let (amount, n) = match args.texts {
        Some(texts) => ("--texts", texts),
        None => ("--seconds", args.seconds),
    };
    let mut child = Command::new(std::env::current_exe()?)
        .args(["fuzz", "--here", amount, &n.to_string()])
        .args(["--seed", &args.seed.to_string(), "--from", &args.from.to_string()])
        .args(args.kinds().iter().flat_map(|kind| ["--reasoner", kind.name()]))
        .args(args.text_kinds().iter().flat_map(|kind| ["--kind", kind.name()]))
        .spawn()?;
    let status = wait(&mut child)?;
    if status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    let what = status.map_or("killed because it hung".to_owned(), |status| status.to_string());
    let mut lines = vec![format!("the process failed: {what}")];
    for entry in std::fs::read_dir(folder())? {
        lines.push(replay_hint(&entry?.path()));
    }
    bail!(lines.join("\n"))
}

/// Whether some worker has been busy with one text for far too long. Each keeps its text in a file that
/// is rewritten for every text.
fn is_stuck() -> bool {
    let ages = std::fs::read_dir(folder()).into_iter().flatten().filter_map(|entry| {
        let modified = entry.ok()?.metadata().ok()?.modified().ok()?;
        SystemTime::now().duration_since(modified).ok()
    });
    ages.max().is_some_and(|age| age > 6 * MAX_TIME)
}

/// Waits for a process, and kills it if it is stuck.
fn wait(child: &mut Child) -> Result<Option<ExitStatus>> {
    while !is_stuck() {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Statistics of one worker, or of all of them.
#[derive(Clone, Copy, Default)]
struct Tally {
    fed: u64,
    done: u64,
    given_up: u64,
    /// States in which reasoners were compared.
    states: u64,
    /// The longest time, and the number of its text.
    slowest: (Duration, u64),
}

impl Tally {
    fn record(&mut self, number: u64, agreed: Agreement, time: Duration) {
        self.fed += 1;
        self.done += u64::from(agreed.reached == Reached::Done);
        self.given_up += u64::from(agreed.reached == Reached::GivenUp);
        self.states += agreed.states;
        self.slowest = self.slowest.max((time, number));
    }

    fn add(self, other: Tally) -> Tally {
        Tally {
            fed: self.fed + other.fed,
            done: self.done + other.done,
            given_up: self.given_up + other.given_up,
            states: self.states + other.states,
            slowest: self.slowest.max(other.slowest),
        }
    }
}

/// The texts that are mutated.
struct Seeds {
    /// All rules of the library.
    library: Vec<String>,
    /// Also those of the corpus, if it exists.
    all: Vec<String>,
}

impl Seeds {
    fn read() -> Result<Seeds> {
        let games = entries(&workspace::games())?;
        let texts = games.iter().map(|entry| std::fs::read_to_string(&entry.rules));
        let library = texts.collect::<std::io::Result<Vec<_>>>()?;
        let mut all = library.clone();
        if let Some(corpus) = workspace::corpus(None) {
            let mut files: Vec<PathBuf> = std::fs::read_dir(corpus.join("games"))?
                .map(|entry| Ok(entry?.path()))
                .collect::<std::io::Result<_>>()?;
            files.sort();
            for file in files {
                all.push(String::from_utf8_lossy(&std::fs::read(file)?).into_owned());
            }
        }
        Ok(Seeds { library, all })
    }
}

fn campaign(args: &Args) -> Result<()> {
    let seeds = Seeds::read()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (start, next) = (Instant::now(), AtomicU64::new(args.from));
    let failed = AtomicBool::new(false);
    let workers: Vec<usize> = (0..cores).collect();
    let tallies = on_all_cores(&workers, |worker| {
        let file = folder().join(format!("worker-{worker}.kif"));
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if failed.load(Ordering::Relaxed) || !args.continues(number, start.elapsed()) {
                break;
            }
            let fed = feed_case(args, &seeds, number, &file);
            failed.fetch_or(fed.is_err(), Ordering::Relaxed);
            let (agreed, time) = fed?;
            tally.record(number, agreed, time);
            report_progress(args, number);
        }
        let _ = std::fs::remove_file(&file);
        Ok(tally)
    });
    let tallies = tallies.into_iter().collect::<Result<Vec<Tally>>>()?;
    let Tally { fed, done, given_up, states, slowest } =
        tallies.into_iter().fold(Tally::default(), Tally::add);
    println!(
        "seed {}, texts {} to {}: {fed} texts in {:.0?}, {done} passed all stages, \
         {given_up} exceeded their limits, {states} states compared, number {} took longest with {:.1?}: \
         no crash, no hang, no difference",
        args.seed,
        args.from,
        args.from + fed.saturating_sub(1),
        start.elapsed(),
        slowest.1,
        slowest.0
    );
    Ok(())
}

/// Reports the progress of long campaigns.
fn report_progress(args: &Args, number: u64) {
    let fed = number - args.from + 1;
    if let Some(texts) = args.texts
        && fed.is_multiple_of(1000)
    {
        eprintln!("{fed} of {texts} texts (resume with --from {number})");
    }
}

/// Feeds a text, which is kept in the file meanwhile.
fn feed_case(
    args: &Args,
    seeds: &Seeds,
    number: u64,
    file: &Path,
) -> Result<(Agreement, Duration)> {
    let (bytes, target) = args.text_of(seeds, number);
    std::fs::write(file, &bytes)?;
    let start = Instant::now();
    match target.feed(&bytes) {
        Ok(agreed) => Ok((agreed, start.elapsed())),
        Err(failure) => {
            let kept = folder().join(format!("seed-{}-text-{number}.kif", args.seed));
            std::fs::rename(file, &kept)?;
            bail!("{target}: {}\n{}", failure.what, replay_hint(&kept))
        }
    }
}
