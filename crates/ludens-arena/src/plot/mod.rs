//! Plots with error bars, as SVG text.
//!
//! Two kinds are enough for what the arena measures: [`RowPlot`] shows one estimate a row, with
//! what was published beside it, and [`LinePlot`] shows how estimates change with a parameter.
//! Colours are those of Okabe and Ito (2008), which are told apart by colour-blind eyes too, and
//! every series has a mark of its own shape.

mod axis;
mod lines;
mod rows;
mod svg;

use crate::stats::Interval;

pub use lines::{LinePlot, Series};
pub use rows::{Row, RowPlot};

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The number.
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

    /// The numbers that are finite: what a picture must make room for.
    fn finite(self) -> impl Iterator<Item = f64> {
        [self.low, self.value, self.high].into_iter().filter(|number| number.is_finite())
    }
}

/// A horizontal or vertical line that says where nothing is gained or lost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level(pub f64);
