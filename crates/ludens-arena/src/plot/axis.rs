//! Axes: from numbers to coordinates.

/// An axis that maps a range of numbers to a range of coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    /// Whether the scale is logarithmic.
    logarithmic: bool,
}

impl Axis {
    /// A linear axis that covers all numbers.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let (low, high) = range(numbers);
        let step = step(high - low);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Axis { low, high, from, to, logarithmic: false }
    }

    /// A logarithmic axis that covers all positive numbers, with a margin.
    pub(super) fn of_ratios(numbers: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let (low, high) = range(numbers.filter(|number| *number > 0.0).map(f64::log2));
        let margin = (high - low) * 0.05;
        Axis { low: low - margin, high: high + margin, from, to, logarithmic: true }
    }

    /// The coordinate of a number; numbers outside are clamped.
    pub(super) fn place(&self, number: f64) -> f64 {
        let number = if self.logarithmic { number.max(f64::MIN_POSITIVE).log2() } else { number };
        let share = (number.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// The axis shifted by some coordinates.
    pub(super) fn shifted(&self, by: f64) -> Self {
        Axis { from: self.from + by, to: self.to + by, ..*self }
    }

    /// Round numbers along the axis.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            return self.round_ratios();
        }
        let step = step(self.high - self.low);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|tick| tick as f64 * step).collect()
    }

    /// Powers of ten along a logarithmic axis, with twice and five times each of them if they are few.
    fn round_ratios(&self) -> Vec<f64> {
        let (low, high) = (self.low * 2f64.log10(), self.high * 2f64.log10());
        let factors: &[f64] =
            if high - low > MAX_DIVIDED_POWERS { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = (low.floor() as i32..=high.floor() as i32).map(|power| 10f64.powi(power));
        let numbers = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
        numbers.filter(|number| (low..=high).contains(&number.log10())).collect()
    }
}

/// Up to this many powers of ten, twice and five times each of them have ticks too.
const MAX_DIVIDED_POWERS: f64 = 3.0;

/// Minimum and maximum, or some range if they are equal or missing.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers.filter(|number| number.is_finite()) {
        range = (range.0.min(number), range.1.max(number));
    }
    match range {
        (low, high) if low > high => (0.0, 1.0),
        (low, high) if high - low <= 0.0 => (low - 0.5, high + 0.5),
        range => range,
    }
}

/// A step of 1, 2 or 5 times a power of ten, for about five ticks.
fn step(span: f64) -> f64 {
    let power = 10f64.powf((span / 5.0).log10().floor());
    let factor = span / 5.0 / power;
    let round = match factor {
        _ if factor < 1.5 => 1.0,
        _ if factor < 3.5 => 2.0,
        _ if factor < 7.5 => 5.0,
        _ => 10.0,
    };
    power * round
}

/// The label of a tick.
pub(super) fn label(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (low, high) in [(0.0, 1.0), (0.42, 0.58), (-310.0, 97.0), (3.0, 3.0), (1e6, 9e6)] {
            let axis = Axis::around([low, high].into_iter(), (0.0, 100.0));
            let ticks = axis.ticks();
            assert!((3..=12).contains(&ticks.len()), "{low} {high}: {ticks:?}");
            assert!(ticks.iter().all(|tick| (0.0..=100.0).contains(&axis.place(*tick))));
            assert!(axis.place(low) <= axis.place(high));
        }
        let labels: Vec<_> = Axis::around([0.0, 1.0].into_iter(), (0.0, 1.0))
            .ticks()
            .into_iter()
            .map(label)
            .collect();
        assert_eq!(labels, ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    }

    #[test]
    fn ratios_are_equally_far_apart() {
        let axis = Axis::of_ratios([1000.0, 2000.0, 4000.0].into_iter(), (0.0, 100.0));
        let places = [1000.0, 2000.0, 4000.0].map(|number| axis.place(number));
        assert!((places[1] - places[0] - (places[2] - places[1])).abs() < 1e-9);
        assert!(axis.place(0.0) >= 0.0);
    }

    #[test]
    fn ticks_of_ratios_are_powers_of_ten_and_parts_of_a_few_powers() {
        let ticks = |low: f64, high: f64| {
            let axis = Axis::of_ratios([low, high].into_iter(), (0.0, 100.0));
            axis.ticks().into_iter().map(label).collect::<Vec<_>>()
        };
        assert_eq!(ticks(40.0, 900.0), ["50", "100", "200", "500", "1000"]);
        assert_eq!(ticks(0.5, 10.0), ["0.5", "1", "2", "5", "10"]);
        assert_eq!(ticks(3.0, 2e5), ["10", "100", "1000", "10000", "100000"]);
    }
}
