//! Plots of estimates over a parameter.

use super::axis::{Axis, label};
use super::svg::{Anchor, COLOURS, DARK, FAINT, Svg};
use super::{Estimate, Level};

/// Series of estimates over a parameter, such as strength over iterations.
#[derive(Clone, PartialEq, Debug)]
pub struct LinePlot {
    /// The title.
    pub title: String,
    /// The label of the parameter.
    pub x_axis: String,
    /// The label of the estimates.
    pub y_axis: String,
    /// Whether the axis of the parameter is logarithmic.
    pub doublings: bool,
    /// The reference line.
    pub level: Option<Level>,
    /// The series.
    pub series: Vec<Series>,
}

/// One line.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Parameters in ascending order, with the estimates.
    pub points: Vec<(f64, Estimate)>,
    /// Parameters with the published values.
    pub published: Vec<(f64, f64)>,
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 370.0;

/// Horizontal distance between series at the same parameter.
const SERIES_OFFSET: f64 = 6.0;

/// Up to this many parameters, each has a tick.
const MAX_NAMED: usize = 10;

impl LinePlot {
    /// The plot as SVG text.
    pub fn svg(&self) -> String {
        let (x_axis, y_axis) = self.axes();
        let mut svg = Svg::new(780.0, 430.0);
        svg.title(&self.title);
        for tick in y_axis.ticks() {
            let y = y_axis.place(tick);
            svg.line((LEFT, y), (RIGHT, y), FAINT, 1.0);
            svg.text((LEFT - 8.0, y + 4.0), Anchor::End, &label(tick));
        }
        for tick in self.parameters(&x_axis) {
            let x = x_axis.place(tick);
            svg.line((x, BOTTOM), (x, BOTTOM + 5.0), DARK, 1.0);
            svg.text((x, BOTTOM + 20.0), Anchor::Middle, &label(tick));
        }
        if let Some(Level(level)) = self.level {
            svg.line((LEFT, y_axis.place(level)), (RIGHT, y_axis.place(level)), DARK, 1.0);
        }
        for (number, series) in self.series.iter().enumerate() {
            // Error bars at the same parameter must not overlap.
            let offset = (number as f64 - (self.series.len() - 1) as f64 / 2.0) * SERIES_OFFSET;
            series.draw(number, &x_axis.shifted(offset), &y_axis, &mut svg);
        }
        svg.text((f64::midpoint(LEFT, RIGHT), BOTTOM + 44.0), Anchor::Middle, &self.x_axis);
        svg.upright_text((20.0, f64::midpoint(TOP, BOTTOM)), &self.y_axis);
        self.draw_legend(&mut svg);
        svg.finish()
    }

    fn axes(&self) -> (Axis, Axis) {
        let published = || self.series.iter().flat_map(|series| &series.published);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let numbers = points().flat_map(|(_, estimate)| estimate.finite());
        let numbers = numbers.chain(published().map(|(_, y)| *y)).chain(self.level.map(|l| l.0));
        let x_range = (LEFT + 10.0, RIGHT - 10.0);
        let parameters = points().map(|(x, _)| *x).chain(published().map(|(x, _)| *x));
        let x_axis = if self.doublings {
            Axis::of_ratios(parameters, x_range)
        } else {
            Axis::around(parameters, x_range)
        };
        (x_axis, Axis::around(numbers, (BOTTOM, TOP)))
    }

    /// The ticks: the parameters themselves if they are few.
    fn parameters(&self, x_axis: &Axis) -> Vec<f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        let mut found: Vec<f64> = points.map(|(x, _)| *x).filter(|x| x.is_finite()).collect();
        found.sort_by(f64::total_cmp);
        found.dedup();
        if found.len() > MAX_NAMED && !self.doublings { x_axis.ticks() } else { found }
    }

    fn draw_legend(&self, svg: &mut Svg) {
        let x = RIGHT + 24.0;
        for (number, series) in self.series.iter().enumerate() {
            let y = TOP + 20.0 * (number as f64 + 0.5);
            svg.mark((x, y - 4.0), number);
            svg.text((x + 12.0, y), Anchor::Start, &series.name);
        }
        if self.series.iter().any(|series| !series.published.is_empty()) {
            let y = TOP + 20.0 * (self.series.len() as f64 + 0.5);
            svg.diamond((x, y - 4.0), DARK);
            svg.text((x + 12.0, y), Anchor::Start, "published");
        }
    }
}

impl Series {
    fn draw(&self, number: usize, x_axis: &Axis, y_axis: &Axis, svg: &mut Svg) {
        let colour = COLOURS[number % COLOURS.len()];
        let known = self.points.iter().filter(|(x, at)| x.is_finite() && !at.value.is_nan());
        let known: Vec<_> = known.collect();
        let place = |x: f64, y: f64| (x_axis.place(x), y_axis.place(y));
        let line: Vec<_> = known.iter().map(|(x, at)| place(*x, at.value)).collect();
        svg.polyline(&line, colour);
        for (x, at) in known {
            if !at.low.is_nan() && !at.high.is_nan() {
                let (low, high) = (place(*x, at.low), place(*x, at.high));
                svg.line(low, high, colour, 1.5);
                svg.line((low.0 - 4.0, low.1), (low.0 + 4.0, low.1), colour, 1.5);
                svg.line((high.0 - 4.0, high.1), (high.0 + 4.0, high.1), colour, 1.5);
            }
            svg.mark(place(*x, at.value), number);
        }
        for (x, y) in self.published.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
            svg.diamond(place(*x, *y), colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;

    #[test]
    fn a_plot_of_lines_looks_like_this() {
        let point = |x: f64, wins: f64| (x, Estimate::new(wins / 200.0, wilson(wins, 200.0)));
        let series = vec![
            Series {
                name: "ppaf".into(),
                points: vec![point(1000.0, 110.0), point(10_000.0, 130.0)],
                published: vec![(10_000.0, 0.63)],
            },
            Series {
                name: "mast".into(),
                points: vec![point(1000.0, 104.0)],
                published: Vec::new(),
            },
        ];
        let plot = LinePlot {
            title: "Strength over iterations".into(),
            x_axis: "iterations a move".into(),
            y_axis: "score against uct".into(),
            doublings: true,
            level: Some(Level(0.5)),
            series,
        };
        insta::assert_snapshot!(plot.svg());
    }

    #[test]
    fn empty_and_broken_series_make_a_picture() {
        let broken = Estimate { value: f64::NAN, low: f64::NEG_INFINITY, high: f64::INFINITY };
        let points =
            vec![(f64::NAN, broken), (1.0, broken), (0.0, Estimate { value: 1.0, ..broken })];
        let series = vec![Series { name: "x".into(), points, published: vec![(f64::NAN, 1.0)] }];
        for (doublings, series) in [(true, series.clone()), (false, series), (true, Vec::new())] {
            let name = String::new;
            let (title, x_axis, y_axis) = (name(), name(), name());
            let svg = LinePlot { title, x_axis, y_axis, doublings, level: None, series }.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
