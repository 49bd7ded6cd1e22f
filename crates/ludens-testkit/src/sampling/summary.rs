//! Compares the means of two simulators of a game that is too large for exact probabilities.

use ludens_core::{Game, Rng, Simulator, Tally};

use super::{Fault, Report, Way, gather};
use crate::exact::Ending;
use crate::z_test::Sample;

/// The number of playouts of a tally: the variance of their means gives the standard error. With
/// fewer playouts than the minimum, each has a tally of its own.
const BATCH: u64 = 4;
const MIN_BATCHED_PLAYOUTS: usize = 2000;

/// Payoffs and lengths of some playouts.
///
/// Compare only summaries of equal numbers of playouts: then the difference of the means is
/// symmetrically distributed, however skewed payoffs are, and false alarms are not too frequent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The payoffs of each role.
    pub payoffs: Vec<Sample>,
    /// The numbers of joint moves.
    pub plies: Sample,
    /// One for each playout that ended by the rules, zero for others.
    pub finished: Sample,
    /// The number of playouts.
    pub playouts: u64,
}

impl Summary {
    /// Summarises single playouts, by `Run` or `Stream`.
    pub fn of_playouts<G: Game>(
        simulator: &mut dyn Simulator<G>,
        way: Way,
        start: &G::State,
        playouts: usize,
        rng: &mut Rng,
    ) -> Result<Summary, Fault> {
        let starts = std::slice::from_ref(start);
        let found = gather::gather(simulator, way, starts, playouts, rng)?;
        let mut summary = Summary::default();
        found[0].iter().for_each(|ending| summary.add(ending));
        Ok(summary)
    }

    /// Summarises tallies.
    pub fn of_tallies<G: Game>(
        simulator: &mut dyn Simulator<G>,
        start: &G::State,
        playouts: usize,
        rng: &mut Rng,
    ) -> Result<Summary, Fault> {
        let batch = if playouts < MIN_BATCHED_PLAYOUTS { 1 } else { BATCH };
        let batches = playouts.div_ceil(batch as usize);
        let mut tallies = vec![Tally::default(); batches];
        simulator.tally(&vec![start; batches], batch, rng, &mut tallies);
        let mut summary = Summary::default();
        for tally in &tallies {
            if tally.playouts != batch {
                let what = format!("{} playouts instead of {batch}", tally.playouts);
                return Err(Fault { way: Way::Tally, start: 0, what });
            }
            summary.add_tally(tally);
        }
        Ok(summary)
    }

    fn add(&mut self, ending: &Ending) {
        self.payoffs.resize(ending.payoffs.len(), Sample::default());
        for (sample, &payoff) in self.payoffs.iter_mut().zip(&ending.payoffs) {
            sample.add(payoff as f64 / 100.0);
        }
        self.plies.add(f64::from(ending.plies));
        self.finished.add(f64::from(u8::from(ending.finished)));
        self.playouts += 1;
    }

    fn add_tally(&mut self, tally: &Tally) {
        let n = tally.playouts as f64;
        self.payoffs.resize(tally.payoffs.n_roles(), Sample::default());
        for (sample, sum) in self.payoffs.iter_mut().zip(&tally.payoffs) {
            sample.add(sum / n);
        }
        self.plies.add(tally.plies as f64 / n);
        self.finished.add(tally.finished as f64 / n);
        self.playouts += tally.playouts;
    }

    /// Whether the means agree.
    pub fn agrees(&self, other: &Summary) -> Result<Report, String> {
        let mut report = Report { playouts: other.playouts, ..Report::default() };
        let mut same = |what: &str, left: &Sample, right: &Sample| {
            let z = normal(left.z(right), (left.count() + right.count()) as f64 - 2.0);
            // Sums of floating-point payoffs differ in their last digits.
            let z = if (left.mean() - right.mean()).abs() < 1e-6 { 0.0 } else { z };
            let means = format!("{what} {:.4} and {:.4}", left.mean(), right.mean());
            report.record(&means, z)
        };
        same("mean lengths", &self.plies, &other.plies)?;
        same("shares of games that end", &self.finished, &other.finished)?;
        for (role_idx, (left, right)) in self.payoffs.iter().zip(&other.payoffs).enumerate() {
            same(&format!("mean payoffs of role {role_idx}"), left, right)?;
        }
        Ok(report)
    }
}

/// Student's deviate as a normal one (Wallace, 1959): with few playouts, the variance is not known
/// exactly, and large deviates are more frequent than those of the normal distribution.
fn normal(t: f64, freedom: f64) -> f64 {
    let scale = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
    t.signum() * scale * (freedom * (t * t / freedom).ln_1p()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_values_are_reproduced() {
        // The 0.999 quantiles of Student's and of the normal distribution.
        for (t, freedom) in [(4.144, 10.0), (3.385, 30.0), (3.174, 100.0)] {
            assert!((normal(t, freedom) - 3.0902).abs() < 0.01, "{freedom}");
        }
        assert!(normal(f64::NEG_INFINITY, 9.0) < -1e9);
    }
}
