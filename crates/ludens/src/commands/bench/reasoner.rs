//! `ludens bench reasoner`: random games per second of CPU time.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludens_catalog::{
    Cache, CatalogError, LoadReport, Loader, Material, NetworkSize, ReasonerKind, load_source,
    read_rules,
};
use ludens_core::Trouble;
use ludens_gdl::Rules;
use ludens_lab::speed::{self, Lap, Starts, Track};
use ludens_propnet::Network;

use super::record::Record;
use super::{Games, look_up, print_failure};
use crate::Outcome;
use crate::cli::{GroundArgs, reasoner_parser};
use crate::console::Console;
use crate::report::StatusLine;
use ludens_lab::{QUESTION_TIME, units};

/// The name of the records' format.
pub(super) const VERB: &str = "bench-reasoner";

/// The number of interleaved laps; the median counts.
const LAPS: u32 = 5;

/// The reasoner that the others are compared with.
const BASELINE: ReasonerKind = ReasonerKind::Scalar;

/// Measure how many uniformly random games each reasoner plays per second.
///
/// Speeds are by CPU time of one thread. The laps of the reasoners are interleaved, so that other
/// load of the machine affects all of them alike, and ratios are medians of ratios within a round.
/// The cache is not used: grounding is measured too.
#[derive(Args)]
pub struct ReasonerBench {
    #[command(flatten)]
    games: Games,

    /// The time for each reasoner.
    #[arg(long, value_name = "TIME", default_value = "2", value_parser = units::duration)]
    seconds: Duration,

    /// A reasoner to measure; may be given several times; all if not given.
    #[arg(long, value_name = "REASONER", value_parser = reasoner_parser())]
    reasoner: Vec<ReasonerKind>,

    /// Also play from this number of distinct states near the initial one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    leaves: usize,

    /// The seed of random games.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    ground: GroundArgs,
}

/// Measures all games.
pub fn run(args: &ReasonerBench, console: &mut Console) -> anyhow::Result<Outcome> {
    look_up(args.games.names())?;
    if !console.json {
        writeln!(console, "{}", Record::head(args.leaves > 0))?;
    }
    args.games.each(VERB, console, |game, progress, console| {
        let mut bench = GameBench::new(args, game)?;
        progress.show(&format!("{game}: preparing"));
        let outcome = bench.prepare(console)?;
        bench.play(progress);
        progress.clear();
        for record in bench.records() {
            record.print(console)?;
        }
        Ok(outcome)
    })
}

/// One game with all reasoners that are measured.
struct GameBench<'a> {
    args: &'a ReasonerBench,
    name: String,
    rules: Rules,
    loader: Loader,
    network: Result<Arc<Network>, Trouble>,
    report: LoadReport,
    entrants: Vec<Entrant>,
}

/// A reasoner that is measured.
pub(super) struct Entrant {
    pub(super) kind: ReasonerKind,
    pub(super) roles: Vec<String>,
    /// The size of its network, if it has one.
    pub(super) size: Option<NetworkSize>,
    /// The time to build it.
    pub(super) compile: Duration,
    /// Games from the initial state.
    pub(super) track: Box<dyn Track>,
    pub(super) laps: Vec<Lap>,
    /// Games from other states, if requested.
    pub(super) leaf_track: Option<Box<dyn Track>>,
    pub(super) leaf_laps: Vec<Lap>,
}

impl<'a> GameBench<'a> {
    fn new(args: &'a ReasonerBench, game: &str) -> anyhow::Result<Self> {
        let source = load_source(game)?;
        let rules = read_rules(&source)?.0;
        let loader = args.ground.loader(ReasonerKind::Auto, &Cache::off());
        let not_grounded = Err(Trouble::Rules("the rules were not grounded".into()));
        let (report, entrants) = (LoadReport::default(), Vec::new());
        Ok(GameBench {
            args,
            name: source.name,
            rules,
            loader,
            network: not_grounded,
            report,
            entrants,
        })
    }

    fn kinds(&self) -> Vec<ReasonerKind> {
        if self.args.reasoner.is_empty() {
            return ReasonerKind::ALL[1..].to_vec();
        }
        self.args.reasoner.clone()
    }

    /// Grounds the rules once, and builds all reasoners.
    fn prepare(&mut self, console: &mut Console) -> anyhow::Result<Outcome> {
        let kinds = self.kinds();
        if kinds.iter().any(|kind| kind.is_ground() || *kind == ReasonerKind::Auto) {
            self.network = self.loader.network(&self.rules, None, &mut self.report);
        }
        let mut outcome = Outcome::Fine;
        for kind in kinds {
            match self.entrant(kind) {
                Ok(entrant) => self.entrants.push(entrant),
                Err(trouble) => {
                    let game = self.name.clone();
                    let error = CatalogError::Reasoner { game, reasoner: kind, trouble };
                    print_failure(VERB, &self.name, Some(kind.name()), &error.into(), console)?;
                    outcome = Outcome::Found;
                }
            }
        }
        Ok(outcome)
    }

    fn entrant(&self, kind: ReasonerKind) -> Result<Entrant, Trouble> {
        let network = match &self.network {
            Err(trouble) if kind.is_ground() => return Err(trouble.clone()),
            network => network.as_ref().ok().cloned(),
        };
        let budget = &self.args.ground.loader(kind, &Cache::off()).budget;
        let begun = std::time::Instant::now();
        let game = kind.make(&Material { rules: &self.rules, network, budget })?;
        let compile = begun.elapsed();
        let game = game.limited(QUESTION_TIME);
        let leaves = (self.args.leaves > 0).then_some(Starts::Leaves(self.args.leaves));
        Ok(Entrant {
            kind,
            roles: game.roles().to_vec(),
            size: game.network().map(|network| NetworkSize::from(&**network)),
            compile,
            track: speed::track(&game, Starts::Initial, self.args.seed),
            laps: Vec::new(),
            leaf_track: leaves.map(|leaves| speed::track(&game, leaves, self.args.seed)),
            leaf_laps: Vec::new(),
        })
    }

    /// Runs interleaved laps of all reasoners, after a warm-up lap.
    fn play(&mut self, progress: &StatusLine) {
        let time = self.args.seconds / LAPS;
        for lap in 0..=LAPS {
            for entrant in &mut self.entrants {
                progress.show(&format!("{}: {}, lap {lap} of {LAPS}", self.name, entrant.kind));
                let time = if lap == 0 { time / 2 } else { time };
                let own = entrant.track.lap(time);
                let from_leaves = entrant.leaf_track.as_mut().map(|track| track.lap(time));
                if lap > 0 {
                    entrant.laps.push(own);
                    entrant.leaf_laps.extend(from_leaves);
                }
            }
        }
    }

    fn records(&self) -> Vec<Record<'_>> {
        let baseline = self.entrants.iter().find(|entrant| entrant.kind == BASELINE);
        let record = |entrant| Record::new(&self.name, entrant, self.report.ground, baseline);
        self.entrants.iter().map(record).collect()
    }
}
