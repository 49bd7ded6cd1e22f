//! Two simulators of a game that is too large for exact probabilities: do their means agree?

use ludens_core::{Game, Rng, Simulator, Tally};

use super::{Fault, Report, Way, gather};
use crate::exact::Ending;
use crate::z_test::Sample;

/// The number of playouts of a tally: the variance of their means gives the standard error. If
/// there are few playouts, each has a tally of its own.
const BATCH: u64 = 4;
const MANY: usize = 2000;

/// Payoffs and lengths of some playouts.
///
/// Compare summaries of equal numbers of playouts only: then the difference of the means is
/// distributed symmetrically, however skew payoffs are, and the test is not alarmed too often.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The payoffs of each role.
    pub payoffs: Vec<Sample>,
    /// The numbers of joint moves.
    pub plies: Sample,
    /// One for each game that ended, zero for others.
    pub finished: Sample,
    /// How many playouts.
    pub playouts: u64,
}

impl Summary {
    /// Plays random games in a stream, or records them.
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

    /// Plays random games of which only sums are known.
    pub fn of_tallies<G: Game>(
        simulator: &mut dyn Simulator<G>,
        start: &G::State,
        playouts: usize,
        rng: &mut Rng,
    ) -> Result<Summary, Fault> {
        let batch = if playouts < MANY { 1 } else { BATCH };
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

    /// Whether the means of both can be the same.
    pub fn agrees(&self, other: &Summary) -> Result<Report, String> {
        let mut report = Report { playouts: other.playouts, ..Report::default() };
        let mut same = |what: &str, left: &Sample, right: &Sample| {
            let z = normal(left.z(right), (left.count() + right.count()) as f64 - 2.0);
            // Payoffs are fractions, whose sums differ in their last digits.
            let z = if (left.mean() - right.mean()).abs() < 1e-6 { 0.0 } else { z };
            let means = format!("{what} {:.4} and {:.4}", left.mean(), right.mean());
            report.note(&means, z)
        };
        same("mean lengths", &self.plies, &other.plies)?;
        same("shares of games that end", &self.finished, &other.finished)?;
        for (role_idx, (left, right)) in self.payoffs.iter().zip(&other.payoffs).enumerate() {
            same(&format!("mean payoffs of role {role_idx}"), left, right)?;
        }
        Ok(report)
    }
}

/// Student's deviate as a normal one (Wallace, 1959): with few playouts, the spread is not known
/// exactly, and large deviates are more frequent than those of the normal distribution.
fn normal(t: f64, freedom: f64) -> f64 {
    let scale = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
    t.signum() * scale * (freedom * (t * t / freedom).ln_1p()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_values_are_met() {
        // The 0.999 quantiles of Student's and of the normal distribution.
        for (t, freedom) in [(4.144, 10.0), (3.385, 30.0), (3.174, 100.0)] {
            assert!((normal(t, freedom) - 3.0902).abs() < 0.01, "{freedom}");
        }
        assert!(normal(f64::NEG_INFINITY, 9.0) < -1e9);
    }
}
