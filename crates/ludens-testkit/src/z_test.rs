//! The z-test of the means of two samples.

pub use crate::chi_square::MAX_Z;

/// Count, mean and variance of numbers, added one by one (Welford, 1962).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Sample {
    /// Adds a number.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
    }

    /// The number of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance of the population they are from; 0 for less than two numbers.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        (self.variance() / self.count.max(1) as f64).sqrt()
    }

    /// The difference of the means in standard errors.
    pub fn z(&self, other: &Sample) -> f64 {
        let off = self.mean - other.mean;
        let error = self.error().hypot(other.error());
        if off == 0.0 { 0.0 } else { off / error }
    }

    /// Whether the means agree; false alarms are one in 10⁶ ([`MAX_Z`], two-sided).
    pub fn agrees(&self, other: &Sample) -> bool {
        self.z(other).abs() < MAX_Z
    }

    /// Whether the mean agrees with a number.
    pub fn agrees_with(&self, mean: f64) -> bool {
        self.agrees(&Sample { count: 1, mean, squares: 0.0 })
    }
}

impl Extend<f64> for Sample {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sample = Sample::default();
        sample.extend(values);
        sample
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn means_and_variances_are_correct() {
        let sample: Sample = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert!((sample.mean() - 5.0).abs() < 1e-12);
        assert!((sample.variance() - 32.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn equal_means_agree_and_unequal_ones_do_not() {
        let mut rng = Rng::new(3);
        let mut draw =
            |offset: f64| -> Sample { (0..40_000).map(|_| rng.unit() + offset).collect() };
        let (a, b, c) = (draw(0.0), draw(0.0), draw(0.02));
        assert!(a.agrees(&b) && a.agrees_with(0.5));
        assert!(!a.agrees(&c) && !c.agrees_with(0.5));
    }

    #[test]
    fn different_constants_disagree() {
        let (one, two): (Sample, Sample) =
            ([1.0; 3].into_iter().collect(), [2.0; 3].into_iter().collect());
        assert!(one.agrees(&one) && !one.agrees(&two));
    }
}
