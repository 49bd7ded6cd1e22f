//! Plots with one estimate per row.

use super::axis::{Axis, label};
use super::svg::{Anchor, COLOURS, DARK, FAINT, Svg};
use super::{Estimate, Level};

/// Estimates in rows, next to published values.
#[derive(Clone, PartialEq, Debug)]
pub struct RowPlot {
    /// The title.
    pub title: String,
    /// The label of the axis.
    pub axis: String,
    /// The reference line.
    pub level: Option<Level>,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// One row.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// The estimate.
    pub estimate: Estimate,
    /// The published value.
    pub published: Option<f64>,
    /// A note at the end, such as the number of games.
    pub note: String,
}

/// Width of the axis.
const WIDTH: f64 = 400.0;
const TOP: f64 = 50.0;
const ROW: f64 = 26.0;

impl RowPlot {
    /// The plot as SVG text.
    pub fn svg(&self) -> String {
        let level = self.level.map(|Level(number)| number);
        let numbers = self.rows.iter().flat_map(|row| row.estimate.finite().chain(row.published));
        let left = self.label_width();
        let axis = Axis::around(numbers.chain(level), (left, left + WIDTH));
        let bottom = TOP + ROW * self.rows.len() as f64;
        let mut svg = Svg::new(left + WIDTH + 160.0, bottom + 78.0);
        svg.title(&self.title);
        for tick in axis.ticks() {
            let x = axis.place(tick);
            svg.line((x, TOP), (x, bottom), FAINT, 1.0);
            svg.text((x, bottom + 18.0), Anchor::Middle, &label(tick));
        }
        if let Some(level) = level {
            svg.line((axis.place(level), TOP), (axis.place(level), bottom), DARK, 1.0);
        }
        for (number, row) in self.rows.iter().enumerate() {
            draw(row, &axis, (left, TOP + ROW * (number as f64 + 0.5)), &mut svg);
        }
        svg.text((left + WIDTH / 2.0, bottom + 38.0), Anchor::Middle, &self.axis);
        self.draw_legend((left, bottom + 62.0), &mut svg);
        svg.finish()
    }

    /// Space for the longest label, estimated, since only the viewer knows the font.
    fn label_width(&self) -> f64 {
        let longest = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        (longest as f64 * 7.5 + 24.0).clamp(100.0, 480.0)
    }

    /// Draws the legend.
    fn draw_legend(&self, (left, y): (f64, f64), svg: &mut Svg) {
        svg.mark((left + 6.0, y - 4.0), 0);
        svg.text((left + 18.0, y), Anchor::Start, "measured, with 95 % interval");
        if self.rows.iter().any(|row| row.published.is_some()) {
            svg.diamond((left + 226.0, y - 4.0), DARK);
            svg.text((left + 240.0, y), Anchor::Start, "published");
        }
    }
}

fn draw(row: &Row, axis: &Axis, (left, y): (f64, f64), svg: &mut Svg) {
    svg.text((left - 12.0, y + 4.0), Anchor::End, &row.label);
    svg.text((left + WIDTH + 12.0, y + 4.0), Anchor::Start, &row.note);
    let Estimate { value, low, high } = row.estimate;
    if !low.is_nan() && !high.is_nan() {
        let (low, high) = (axis.place(low), axis.place(high));
        svg.line((low, y), (high, y), COLOURS[0], 2.0);
        svg.line((low, y - 5.0), (low, y + 5.0), COLOURS[0], 2.0);
        svg.line((high, y - 5.0), (high, y + 5.0), COLOURS[0], 2.0);
    }
    if !value.is_nan() {
        svg.mark((axis.place(value), y), 0);
    }
    if let Some(published) = row.published.filter(|number| number.is_finite()) {
        svg.diamond((axis.place(published), y), DARK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;

    fn row(label: &str, wins: f64, published: Option<f64>) -> Row {
        let estimate = Estimate::new(wins / 100.0, wilson(wins, 100.0));
        Row { label: label.into(), estimate, published, note: "100 games".into() }
    }

    #[test]
    fn a_plot_of_rows_looks_like_this() {
        let rows = vec![row("breakthrough", 64.0, Some(0.66)), row("a < b & c", 50.0, None)];
        let title = "PPAF against UCT".into();
        let plot = RowPlot { title, axis: "score".into(), level: Some(Level(0.5)), rows };
        insta::assert_snapshot!(plot.svg());
    }

    #[test]
    fn non_finite_numbers_are_drawn_at_the_edge_or_not_at_all() {
        let mut plot =
            RowPlot { title: String::new(), axis: String::new(), level: None, rows: Vec::new() };
        let no_rows = plot.svg();
        let estimate = Estimate { value: f64::INFINITY, low: 190.0, high: f64::INFINITY };
        let infinite = Row { estimate, ..row("all won", 100.0, Some(f64::NAN)) };
        let estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
        plot.rows = vec![infinite, Row { estimate, ..row("nothing", 0.0, None) }];
        for svg in [no_rows, plot.svg()] {
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
