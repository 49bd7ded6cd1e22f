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
    /// Whether the axis of the estimates is logarithmic.
    pub logarithmic: bool,
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

/// The least space for the labels of the estimates.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 370.0;

/// The least width of the picture.
const WIDTH: f64 = 780.0;

/// Width of a letter, estimated, since only the viewer knows the font.
const LETTER: f64 = 8.0;

/// Horizontal distance between series with error bars at the same parameter.
const SERIES_OFFSET: f64 = 6.0;

/// Up to this many parameters, each has a tick.
const MAX_NAMED: usize = 10;

impl LinePlot {
    /// The plot as SVG text.
    pub fn svg(&self) -> String {
        let y_axis = self.y_axis();
        let left = left(&y_axis);
        let x_axis = self.x_axis(left);
        let mut svg = Svg::new(self.width(), 430.0);
        svg.title(&self.title);
        for tick in y_axis.ticks() {
            let y = y_axis.place(tick);
            svg.line((left, y), (RIGHT, y), FAINT, 1.0);
            svg.text((left - 8.0, y + 4.0), Anchor::End, &label(tick));
        }
        for tick in self.parameters(&x_axis) {
            let x = x_axis.place(tick);
            svg.line((x, BOTTOM), (x, BOTTOM + 5.0), DARK, 1.0);
            svg.text((x, BOTTOM + 20.0), Anchor::Middle, &label(tick));
        }
        if let Some(Level(level)) = self.level {
            svg.line((left, y_axis.place(level)), (RIGHT, y_axis.place(level)), DARK, 1.0);
        }
        // Error bars at the same parameter must not overlap; without them, marks keep their place.
        let distance = if self.series.iter().any(Series::has_bars) { SERIES_OFFSET } else { 0.0 };
        for (number, series) in self.series.iter().enumerate() {
            let offset = (number as f64 - (self.series.len() - 1) as f64 / 2.0) * distance;
            series.draw(number, &x_axis.shifted(offset), &y_axis, &mut svg);
        }
        svg.text((f64::midpoint(left, RIGHT), BOTTOM + 44.0), Anchor::Middle, &self.x_axis);
        svg.upright_text((20.0, f64::midpoint(TOP, BOTTOM)), &self.y_axis);
        self.draw_legend(&mut svg);
        svg.finish()
    }

    fn x_axis(&self, left: f64) -> Axis {
        let points = self.series.iter().flat_map(|series| &series.points).map(|(x, _)| *x);
        let published = self.series.iter().flat_map(|series| &series.published).map(|(x, _)| *x);
        let (parameters, range) = (points.chain(published), (left + 10.0, RIGHT - 10.0));
        if self.doublings {
            Axis::of_ratios(parameters, range)
        } else {
            Axis::around(parameters, range)
        }
    }

    fn y_axis(&self) -> Axis {
        let points = self.series.iter().flat_map(|series| &series.points);
        let points = points.flat_map(|(_, estimate)| estimate.finite());
        let published = self.series.iter().flat_map(|series| &series.published).map(|(_, y)| *y);
        let numbers = points.chain(published).chain(self.level.map(|l| l.0));
        if self.logarithmic {
            Axis::of_ratios(numbers, (BOTTOM, TOP))
        } else {
            Axis::around(numbers, (BOTTOM, TOP))
        }
    }

    /// Wide enough for the longest name of a series.
    fn width(&self) -> f64 {
        let longest = self.series.iter().map(|series| series.name.chars().count()).max();
        WIDTH.max(RIGHT + 48.0 + longest.unwrap_or(0) as f64 * LETTER)
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

/// The left end of the axis of the parameter: right of the label of the estimates and the longest tick.
fn left(y_axis: &Axis) -> f64 {
    let longest = y_axis.ticks().into_iter().map(|tick| label(tick).chars().count()).max();
    LEFT.max(38.0 + longest.unwrap_or(0) as f64 * LETTER)
}

impl Series {
    fn has_bars(&self) -> bool {
        self.points.iter().any(|(_, at)| !at.low.is_nan() && !at.high.is_nan())
    }

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
            logarithmic: false,
            level: Some(Level(0.5)),
            series,
        };
        insta::assert_snapshot!(plot.svg());
    }

    #[test]
    fn estimates_can_have_a_logarithmic_axis_long_names_and_no_bars() {
        let point = |x, value| (x, Estimate { value, low: f64::NAN, high: f64::NAN });
        let name = "a name that is longer than the space beside a picture".to_owned();
        let series = |name, points| Series { name, points, published: Vec::new() };
        let series = vec![
            series(name, vec![point(0.0, 20.0), point(5.0, 2000.0)]),
            series("b".into(), vec![point(0.0, 200.0), point(5.0, 2e6)]),
        ];
        let (title, x_axis, y_axis) = (String::new(), String::new(), String::new());
        let (doublings, logarithmic, level) = (false, true, None);
        let plot = LinePlot { title, x_axis, y_axis, doublings, logarithmic, level, series };
        let svg = plot.svg();
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1032\""),
            "{svg}"
        );
        assert!(svg.contains(">1000000</text>") && !svg.contains(">500000</text>"), "{svg}");
        let lines: Vec<_> = svg.lines().filter(|line| line.starts_with("<polyline")).collect();
        let places = |line: &str| -> Vec<f64> {
            let points = line.split('"').nth(1).unwrap();
            points.split([' ', ',']).map(|number| number.parse().unwrap()).collect()
        };
        let (first, second) = (places(lines[0]), places(lines[1]));
        assert_eq!((first[0], first[2]), (second[0], second[2]), "marks keep their parameter");
        let ratio = |line: &[f64]| line[1] - line[3];
        assert!((ratio(&second) - 2.0 * ratio(&first)).abs() < 0.3, "{svg}");
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
            // Both axes are logarithmic or none.
            let (logarithmic, level) = (doublings, None);
            let plot = LinePlot { title, x_axis, y_axis, doublings, logarithmic, level, series };
            let svg = plot.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
