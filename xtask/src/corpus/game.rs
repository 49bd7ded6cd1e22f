//! The checks of one game.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cpu_time::ProcessTime;
use ludens_catalog::{AnyGame, Material, ReasonerKind};
use ludens_core::{Budget, Reasoner};
use ludens_gdl::Rules;
use ludens_propnet::Network;
use ludens_testkit::fuzz::front_end;
use serde::{Deserialize, Serialize};

use super::trace::{self, Trace};
use crate::child::own_peak;
use crate::lanes::{Compare, compare_steps};

/// Limits of grounding.
#[derive(Clone, Copy)]
pub struct GroundingLimits {
    pub time: Duration,
    pub bytes: u64,
}

/// The result of one game.
#[derive(Serialize, Deserialize, Default)]
pub struct Verdict {
    pub name: String,
    /// An error before any reasoner is used.
    pub problem: Option<String>,
    /// The network, if the rules could be grounded.
    pub network: Option<Size>,
    /// The reason if they could not.
    pub given_up: Option<GivenUp>,
    /// The result of each reasoner.
    pub reasoners: Vec<Checked>,
    /// The peak memory of the process.
    pub peak: u64,
}

/// The size of a network.
#[derive(Serialize, Deserialize)]
pub struct Size {
    pub fluents: usize,
    pub moves: usize,
    pub gates: usize,
    /// Wall-clock and CPU time: the machine may be shared.
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Whether it exceeded its wall-clock limit.
    pub late: bool,
    /// The peak memory of the process when the network was complete.
    pub peak: u64,
}

/// Rules that cannot be grounded within the limits.
#[derive(Serialize, Deserialize)]
pub struct GivenUp {
    pub why: String,
    pub seconds: f64,
    pub peak: u64,
    /// The time from then to the first answer of the reference reasoner, in wall-clock and CPU time.
    pub answer_seconds: f64,
    pub answer_cpu_seconds: f64,
}

/// The result of one reasoner.
#[derive(Serialize, Deserialize, Default)]
pub struct Checked {
    pub reasoner: String,
    pub load_seconds: f64,
    /// The number of recorded states, and the time for them.
    pub states: usize,
    pub check_seconds: f64,
    /// States compared with the plain evaluator, one at a time and in lanes.
    pub compared: u64,
    /// Anomalies of the rules.
    pub anomalies: Vec<String>,
    pub problem: Option<String>,
}

impl Verdict {
    /// Whether anything failed.
    pub fn has_problem(&self) -> bool {
        self.problem.is_some() || self.reasoners.iter().any(|checked| checked.problem.is_some())
    }
}

/// Checks a game with some reasoners.
pub fn check(
    folder: &Path,
    name: &str,
    kinds: &[ReasonerKind],
    limits: GroundingLimits,
) -> Verdict {
    let mut verdict = Verdict { name: name.to_owned(), ..Verdict::default() };
    if let Err(problem) = check_all(folder, kinds, limits, &mut verdict) {
        verdict.problem = Some(format!("{problem:#}"));
    }
    verdict
}

fn check_all(
    folder: &Path,
    kinds: &[ReasonerKind],
    limits: GroundingLimits,
    verdict: &mut Verdict,
) -> Result<()> {
    let path = folder.join("games").join(format!("{}.kif", verdict.name));
    let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
    front_end(&bytes).map_err(anyhow::Error::msg)?;
    let (source, _) = ludens_gdl::Source::from_bytes(verdict.name.clone(), &bytes);
    let rules = ludens_gdl::load(&source.text).0.context("does not load")?;
    let trace = trace::find(folder, &verdict.name)?;
    // Grounding comes first, so that its peak memory is not hidden by other work.
    let network = ground(&rules, kinds, limits, verdict)?;
    for &kind in kinds.iter().filter(|kind| !kind.is_ground() || network.is_some()) {
        let mut checked = Checked { reasoner: kind.to_string(), ..Checked::default() };
        let result = check_reasoner(&rules, network.as_ref(), kind, trace.as_ref(), &mut checked);
        checked.problem = result.err().map(|problem| format!("{problem:#}"));
        verdict.reasoners.push(checked);
    }
    Ok(())
}

/// Grounds the rules if a reasoner needs it; if that exceeds its limits, measures the time to the
/// first answer of the reference reasoner.
fn ground(
    rules: &Rules,
    kinds: &[ReasonerKind],
    limits: GroundingLimits,
    verdict: &mut Verdict,
) -> Result<Option<Arc<Network>>> {
    if !kinds.iter().any(|kind| kind.is_ground()) {
        return Ok(None);
    }
    let start = Stopwatch::start();
    let budget = Budget::unlimited().with_time(limits.time).with_bytes(limits.bytes as usize);
    let found = Network::load(rules, &budget);
    let ((seconds, cpu_seconds), peak) = (start.seconds(), own_peak());
    match found {
        Ok(network) => {
            let (fluents, moves) = (network.fluents.len(), network.does.len());
            let gates = network.net.gates.len();
            let late = seconds > limits.time.as_secs_f64();
            let size = Size { fluents, moves, gates, seconds, cpu_seconds, late, peak };
            verdict.network = Some(size);
            Ok(Some(Arc::new(network)))
        }
        Err(trouble) if trouble.is_exhausted() => {
            let why = trouble.to_string();
            let start = Stopwatch::start();
            let logic = load(rules, None, ReasonerKind::Logic)?.reasoner();
            logic.answer(&logic.initial()?)?;
            let (answer_seconds, answer_cpu_seconds) = start.seconds();
            let given_up = GivenUp { why, seconds, peak, answer_seconds, answer_cpu_seconds };
            verdict.given_up = Some(given_up);
            Ok(None)
        }
        Err(trouble) => bail!("cannot be grounded: {trouble}"),
    }
}

/// Wall-clock and CPU time of this process.
struct Stopwatch(Instant, ProcessTime);

impl Stopwatch {
    fn start() -> Self {
        Stopwatch(Instant::now(), ProcessTime::now())
    }

    fn seconds(&self) -> (f64, f64) {
        (self.0.elapsed().as_secs_f64(), self.1.elapsed().as_secs_f64())
    }
}

/// Time limits of loading and of one query.
const LOAD_TIME: Duration = Duration::from_mins(1);
const ANSWER_TIME: Duration = Duration::from_secs(30);

fn load(rules: &Rules, network: Option<&Arc<Network>>, kind: ReasonerKind) -> Result<AnyGame> {
    let budget = Budget::unlimited().with_time(LOAD_TIME);
    let material = Material { rules, network: network.cloned(), budget: &budget };
    Ok(kind.make(&material)?.limited(ANSWER_TIME))
}

/// The number of joint moves compared in lanes, for each game and reasoner.
const LANE_PLIES: u32 = 4000;

fn check_reasoner(
    rules: &Rules,
    network: Option<&Arc<Network>>,
    kind: ReasonerKind,
    trace: Option<&Trace>,
    checked: &mut Checked,
) -> Result<()> {
    let start = Instant::now();
    let game = load(rules, network, kind)?;
    checked.load_seconds = start.elapsed().as_secs_f64();
    let reasoner: Arc<dyn Reasoner> = game.reasoner();
    let start = Instant::now();
    let result = trace::check(&*reasoner, trace, checked);
    checked.check_seconds = start.elapsed().as_secs_f64();
    result?;
    if let Some(network) = network.filter(|_| kind.is_ground()) {
        checked.compared = game.with(Compare { network, lane_plies: LANE_PLIES })?;
        checked.compared += compare_steps(network, kind)?;
    }
    Ok(())
}
