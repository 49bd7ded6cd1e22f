//! Plots with error bars, as SVG text.
//!
//! [`RowPlot`] shows one estimate per row, next to the published value; [`LinePlot`] shows estimates
//! over a parameter. The colours are those of Okabe and Ito (2008), which colour-blind readers can
//! distinguish, and marks differ in shape too.

mod axis;
mod lines;
mod rows;
mod svg;

use crate::stats::Interval;

pub use lines::{LinePlot, Series};
pub use rows::{Row, RowPlot};

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// A score with its interval.
    pub fn new(value: f64, interval: Interval) -> Self {
        Estimate { value, low: interval.low, high: interval.high }
    }

    /// The finite numbers, which the axis must cover.
    fn finite(self) -> impl Iterator<Item = f64> {
        [self.low, self.value, self.high].into_iter().filter(|number| number.is_finite())
    }
}

/// A reference line, such as the score of equal agents.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level(pub f64);
