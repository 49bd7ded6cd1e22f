//! A curve in one line of text.

/// The heights of a bar.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Values as bars, from the smallest to the largest; if there are more than `width`, neighbours are averaged.
pub fn sparkline(values: &[f64], width: usize) -> String {
    let width = width.min(values.len());
    let part = |i: usize| &values[i * values.len() / width..(i + 1) * values.len() / width];
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means: Vec<f64> = (0..width).map(|i| mean(part(i))).collect();
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |value: &f64| {
        let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
        BARS[((share * BARS.len() as f64) as usize).min(BARS.len() - 1)]
    };
    means.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_from_the_smallest_to_the_largest_value() {
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 8), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[8.0, 4.0, 0.0], 10), "█▅▁");
        assert_eq!(sparkline(&[1.0, 3.0, 0.0, 0.0], 2), "█▁", "neighbours are averaged");
        assert_eq!((sparkline(&[], 5).as_str(), sparkline(&[2.0, 2.0], 5).as_str()), ("", "▁▁"));
    }
}
