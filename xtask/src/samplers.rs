//! Compares all reasoners on all library games: states must agree bit by bit, one at a time and in lanes,
//! and so must mean payoffs and lengths of random playouts in every mode. Small games with exact
//! probabilities are in the tests of the test kit; this is for real games.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use ludens_catalog::{AnyGame, Material, ReasonerKind, WithGame};
use ludens_core::{Budget, Game, Rng};
use ludens_propnet::Network;
use ludens_testkit::library::{Entry, entries, on_all_cores};
use ludens_testkit::sampling::{Report, Summary, Way};

use crate::lanes::Compare;
use crate::workspace;

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Only games whose name contains this
    filter: Option<String>,
    /// Approximate number of joint moves for each reasoner, game and mode
    #[arg(long, default_value_t = 50_000)]
    plies: u64,
    /// The same for the reference reasoner, which is slow
    #[arg(long, default_value_t = 1000)]
    logic_plies: u64,
    /// A reasoner to check; may be repeated; default all
    #[arg(long, value_parser = workspace::parse_reasoner)]
    reasoner: Vec<ReasonerKind>,
    /// Seed of the random playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print a line for every game
    #[arg(long)]
    verbose: bool,
}

/// Bounds of the number of playouts.
const MIN_PLAYOUTS: u64 = 24;
const MAX_PLAYOUTS: u64 = 6000;

/// Maximum number of joint moves compared in lanes.
const LANE_PLIES: u64 = 4000;

/// Compares all games.
pub fn run(args: &Args) -> Result<()> {
    let filter = args.filter.as_deref().unwrap_or("");
    let mut games = entries(&workspace::games())?;
    games.retain(|entry| entry.name.contains(filter));
    let results = on_all_cores(&games, |entry| {
        let start = Instant::now();
        let result = check(entry, args);
        match &result {
            Ok(report) if args.verbose => {
                println!("{:24} {:6.1?} {}", entry.name, start.elapsed(), describe(report));
            }
            Ok(_) => {}
            Err(error) => println!("{:24} {error:#}", entry.name),
        }
        result
    });
    let all = results.iter().flatten().fold(Report::default(), |all, report| all.and(*report));
    let failed = results.iter().filter(|result| result.is_err()).count();
    println!("{} games, {}, {failed} games with differences", games.len(), describe(&all));
    if failed > 0 {
        bail!("{failed} games differ between reasoners");
    }
    Ok(())
}

fn describe(report: &Report) -> String {
    let Report { tests, playouts, worst } = report;
    format!(
        "{tests} tests of {playouts} random playouts, the worst {worst:.1} standard deviations off"
    )
}

/// Compares the reasoners of one game with the scalar evaluator.
fn check(entry: &Entry, args: &Args) -> Result<Report> {
    let rules = workspace::rules(&entry.rules)?;
    let budget = Budget::unlimited();
    let network = Arc::new(Network::load(&rules, &budget)?);
    let make = |kind: ReasonerKind| -> Result<AnyGame> {
        let network = Some(Arc::clone(&network));
        Ok(kind.make(&Material { rules: &rules, network, budget: &budget })?)
    };
    let scalar = make(ReasonerKind::Scalar)?;
    let length = scalar.with(Length { seed: args.seed })?;
    let times = |plies: u64| (plies / length.max(1)).clamp(MIN_PLAYOUTS, MAX_PLAYOUTS) as usize;
    let kinds =
        if args.reasoner.is_empty() { workspace::reasoners() } else { args.reasoner.clone() };
    let mut report = Report::default();
    for kind in kinds {
        let slow = kind == ReasonerKind::Logic;
        let playouts = times(if slow { args.logic_plies } else { args.plies });
        let ways = if slow { &[Way::Stream][..] } else { &Way::ALL };
        let expected = scalar.with(Play { way: Way::Stream, playouts, seed: args.seed })?;
        let game = make(kind)?;
        for &way in ways {
            // A seed different from that of the scalar evaluator.
            let seed = args.seed + 1000;
            let found = game.with(Play { way, playouts, seed }).with_context(|| kind.name())?;
            let agreed = expected.agrees(&found).map_err(anyhow::Error::msg);
            report = report.and(agreed.with_context(|| format!("{kind} {way:?}"))?);
        }
        if kind.is_ground() {
            let lane_plies = args.plies.min(LANE_PLIES) as u32;
            let compare = Compare { network: &network, lane_plies };
            game.with(compare).with_context(|| kind.name())?;
        }
    }
    Ok(report)
}

/// The estimated mean length of random playouts.
struct Length {
    seed: u64,
}

impl WithGame for Length {
    type Out = Result<u64>;

    fn call<G: Game>(self, game: Arc<G>) -> Result<u64> {
        const PLAYOUTS: usize = 8;
        let summary = Play { way: Way::Run, playouts: PLAYOUTS, seed: self.seed }.call(game)?;
        Ok(summary.plies.mean().round() as u64)
    }
}

/// Runs random playouts from the initial state.
struct Play {
    way: Way,
    playouts: usize,
    seed: u64,
}

impl WithGame for Play {
    type Out = Result<Summary>;

    fn call<G: Game>(self, game: Arc<G>) -> Result<Summary> {
        let start = game.initial();
        let mut simulator = game.simulator();
        let mut rng = Rng::stream(self.seed, &[self.way as u64]);
        Ok(match self.way {
            Way::Tally => Summary::of_tallies(&mut *simulator, &start, self.playouts, &mut rng)?,
            way => Summary::of_playouts(&mut *simulator, way, &start, self.playouts, &mut rng)?,
        })
    }
}
