//! Checks that the playouts of a simulator are uniformly random.
//!
//! [`check_simulator`] compares the three interfaces of a simulator ([`Way`]) with the exact
//! probabilities of a small game ([`crate::exact`]); [`check_decisions`] replays recorded playouts,
//! move by move, and compares the turns that a policy got in each lane with the game's legal moves;
//! [`Summary`] compares two simulators of a game that is too large for exact probabilities.
//! Every test has a false-alarm rate of at most 10⁻⁶, and seeds are fixed.

mod decisions;
mod gather;
mod summary;

use std::fmt;

use ludens_core::{Game, Limit, Rng, Simulator, Tally, View};

use crate::chi_square::{ChiSquare, MAX_Z, chi_square};
use crate::contract::random_joint;
use crate::exact::{Ending, Endings, Moments, endings};

pub use decisions::check_decisions;
pub use summary::Summary;

/// An interface of a simulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// [`Simulator::run`] with the uniform policy.
    Run,
    /// [`Simulator::tally`].
    Tally,
    /// [`Simulator::offer`] and [`Simulator::advance`].
    Stream,
}

impl Way {
    /// All interfaces.
    pub const ALL: [Way; 3] = [Way::Run, Way::Tally, Way::Stream];
}

/// How thorough a check is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of playouts from each start by each interface.
    pub playouts: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Games with more joint moves than this are too large for exact probabilities.
    pub max_joints: usize,
    /// The limit of playouts.
    pub limit: Limit,
}

impl Default for Options {
    fn default() -> Self {
        Options { playouts: 4000, seed: 1, max_joints: 200_000, limit: Limit::default() }
    }
}

/// A fault of a simulator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The interface.
    pub way: Way,
    /// The index of the start.
    pub start: usize,
    /// A description.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} from start {}: {}", self.way, self.start, self.what)
    }
}

impl std::error::Error for Fault {}

/// Statistics of a check without faults.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Report {
    /// The number of tests.
    pub tests: u32,
    /// The number of playouts.
    pub playouts: u64,
    /// The largest deviate, in standard deviations; beyond [`MAX_Z`] it would be a fault.
    pub worst: f64,
}

impl Report {
    /// Records a test with its deviate; both sides count, since samples can be too even as well.
    fn record(&mut self, what: &str, z: f64) -> Result<(), String> {
        self.tests += 1;
        self.worst = self.worst.max(z.abs());
        if z.abs() < MAX_Z {
            Ok(())
        } else {
            Err(format!("{what}: {z:.1} standard deviations off"))
        }
    }

    /// The sum of both reports.
    #[must_use]
    pub fn and(self, other: Report) -> Report {
        Report {
            tests: self.tests + other.tests,
            playouts: self.playouts + other.playouts,
            worst: self.worst.max(other.worst),
        }
    }
}

/// The initial state and others that random play reaches, all different; including terminal ones,
/// since a search may start a playout there too.
pub fn some_starts<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::State> {
    let mut starts = vec![game.initial()];
    let (mut rng, mut view) = (Rng::new(seed), View::default());
    for _ in 0..4 * count {
        let mut state = game.initial();
        let depth = 1 + rng.below(4);
        for _ in 0..depth {
            game.look(&state, &mut view);
            if view.is_over() {
                break;
            }
            game.play(&mut state, &random_joint(&view, &mut rng));
        }
        if starts.len() < count && !starts.contains(&state) {
            starts.push(state);
        }
    }
    starts
}

/// Compares a simulator with the exact probabilities of all endings, by every interface.
pub fn check_simulator<G: Game>(
    game: &G,
    simulator: &mut dyn Simulator<G>,
    starts: &[G::State],
    options: &Options,
) -> Result<Report, Fault> {
    let exact = |start| endings(game, start, options.limit, options.max_joints);
    let exact: Option<Vec<Endings>> = starts.iter().map(exact).collect();
    simulator.limit(options.limit);
    let exact = exact.expect("the game is small enough for exact probabilities");
    let mut report = Report::default();
    for way in Way::ALL {
        let mut rng = Rng::stream(options.seed, &[way as u64]);
        let found = gather::gather(simulator, way, starts, options.playouts, &mut rng)?;
        for (start, (found, exact)) in found.iter().zip(&exact).enumerate() {
            report.playouts += found.len() as u64;
            let at = |what| Fault { way, start, what };
            check_sample(found, exact, simulator.lanes(), &mut report).map_err(at)?;
        }
    }
    check_sums(simulator, starts, &exact, options, &mut report)?;
    Ok(report)
}

/// Tests the endings of one start: the frequency of each, and the independence of playouts in
/// neighbouring lanes and of consecutive playouts in a lane.
fn check_sample(
    found: &[Ending],
    exact: &Endings,
    lanes: usize,
    report: &mut Report,
) -> Result<(), String> {
    let weights: Vec<f64> = exact.0.values().copied().collect();
    let possible: Vec<&Ending> = exact.0.keys().collect();
    let index = |ending: &Ending| {
        let index = possible.binary_search(&ending);
        index.map_err(|_| format!("{ending:?} cannot happen"))
    };
    let indices: Vec<usize> = found.iter().map(index).collect::<Result<_, _>>()?;
    let mut counts = vec![0; weights.len()];
    for &index in &indices {
        counts[index] += 1;
    }
    report.record("frequencies of endings", chi_square(&counts, &weights).z)?;
    check_single_endings(&counts, &weights, report)?;
    if weights.len() > 1 && weights.len().pow(2) * 20 < found.len() {
        for lag in [1, 2, lanes.max(3)] {
            let z = pairs(&indices, &weights, lag).z;
            report.record(&format!("pairs of endings {lag} apart"), z)?;
        }
    }
    Ok(())
}

/// Among hundreds of endings a single one that is missing, or twice as frequent as it should be, is
/// lost in χ², so that each is also checked separately. For up to a thousand endings the bounds keep
/// the rate of false alarms: counts are close to a Poisson distribution, whose probability is
/// exp(-mean) at zero, and some 10⁻¹⁰ beyond seven standard deviations for a mean of 50 or more.
fn check_single_endings(
    counts: &[u64],
    weights: &[f64],
    report: &mut Report,
) -> Result<(), String> {
    const MIN_MEAN_IF_MISSING: f64 = 22.0;
    const MIN_MEAN: f64 = 50.0;
    const MAX_DEVIATION: f64 = 7.0;
    report.tests += 1;
    let draws: u64 = counts.iter().sum();
    for (index, (&count, weight)) in counts.iter().zip(weights).enumerate() {
        let expected = draws as f64 * weight;
        let deviation = (count as f64 - expected) / (expected * (1.0 - weight)).sqrt();
        let missing = count == 0 && expected > MIN_MEAN_IF_MISSING;
        if missing || (expected > MIN_MEAN && *weight < 0.5 && deviation.abs() > MAX_DEVIATION) {
            return Err(format!("ending {index} occurred {count} times instead of {expected:.1}"));
        }
    }
    Ok(())
}

/// Tests pairs at a lag. Overlapping pairs are dependent, so that each ending is used once.
fn pairs(indices: &[usize], weights: &[f64], lag: usize) -> ChiSquare {
    let mut counts = vec![0; weights.len().pow(2)];
    for block in indices.chunks_exact(2 * lag) {
        let (left, right) = block.split_at(lag);
        left.iter().zip(right).for_each(|(a, b)| counts[a * weights.len() + b] += 1);
    }
    let product: Vec<f64> =
        weights.iter().flat_map(|a| weights.iter().map(move |b| a * b)).collect();
    chi_square(&counts, &product)
}

/// Compares the means of sums over many playouts.
fn check_sums<G: Game>(
    simulator: &mut dyn Simulator<G>,
    starts: &[G::State],
    exact: &[Endings],
    options: &Options,
    report: &mut Report,
) -> Result<(), Fault> {
    let mut tallies = vec![Tally::default(); starts.len()];
    let refs: Vec<&G::State> = starts.iter().collect();
    let mut rng = Rng::stream(options.seed, &[Way::ALL.len() as u64]);
    simulator.tally(&refs, options.playouts as u64, &mut rng, &mut tallies);
    for (start, (tally, exact)) in tallies.iter().zip(exact).enumerate() {
        let at = |what| Fault { way: Way::Tally, start, what };
        report.playouts += tally.playouts;
        check_tally(tally, exact, options.playouts as u64, report).map_err(at)?;
    }
    Ok(())
}

fn check_tally(
    tally: &Tally,
    exact: &Endings,
    playouts: u64,
    report: &mut Report,
) -> Result<(), String> {
    if tally.playouts != playouts {
        return Err(format!("{} playouts instead of {playouts}", tally.playouts));
    }
    let n = playouts as f64;
    let mut mean = |what: &str, sum: f64, Moments { mean, variance }: Moments| {
        let off = sum / n - mean;
        // Sums of floating-point numbers are not exact.
        let z = if off.abs() < 1e-6 { 0.0 } else { off / (variance / n).sqrt() };
        report.record(what, z)
    };
    mean("mean length", tally.plies as f64, exact.moments(|e| f64::from(e.plies)))?;
    let finished = exact.moments(|e| f64::from(u8::from(e.finished)));
    mean("share of games that end", tally.finished as f64, finished)?;
    for (role, sum) in tally.payoffs.entries() {
        let payoff = |e: &Ending| e.payoffs[role.index()] as f64 / 100.0;
        mean(&format!("mean payoff of role {}", role.0), *sum, exact.moments(payoff))?;
    }
    Ok(())
}
