//! Watching a search while it runs.
//!
//! A tree search shows reports between two iterations of its loop. The loop is the same with and without a
//! watcher, with the same batches and random numbers, so that the result of a search with a given seed and
//! number of simulations does not depend on the watcher.

use std::ops::ControlFlow;
use std::time::Duration;

use ludens_core::Budget;

use crate::agent::Report;

/// Gets intermediate reports of a search; `Break` stops the search.
pub type Watcher<'a> = dyn FnMut(&Report) -> ControlFlow<()> + 'a;

/// The watcher of a search, if there is one, and when the next report is due.
pub struct Watch<'a> {
    watcher: Option<&'a mut Watcher<'a>>,
    every: Duration,
    alarm: Budget,
    /// Whether the watcher has stopped the search.
    stopped: bool,
}

impl<'a> Watch<'a> {
    /// No watcher.
    pub fn none() -> Self {
        let alarm = Budget::unlimited();
        Watch { watcher: None, every: Duration::MAX, alarm, stopped: false }
    }

    /// Shows a report after each interval, from now on.
    pub fn every(every: Duration, watcher: &'a mut Watcher<'a>) -> Self {
        let alarm = Budget::unlimited().with_time(every);
        Watch { watcher: Some(watcher), every, alarm, stopped: false }
    }

    /// Whether there is a watcher, which gets full reports.
    pub fn is_on(&self) -> bool {
        self.watcher.is_some()
    }

    /// The time between two reports.
    pub(crate) fn interval(&self) -> Duration {
        self.every
    }

    /// Whether a report is due.
    pub fn is_due(&self) -> bool {
        self.watcher.is_some() && !self.stopped && self.alarm.is_over()
    }

    /// Shows a report to the watcher, if there is one. Returns whether to continue; a watcher that has
    /// stopped the search gets no more reports.
    pub fn show(&mut self, report: &Report) -> bool {
        if let Some(watcher) = self.watcher.as_mut().filter(|_| !self.stopped) {
            self.stopped = watcher(report) == ControlFlow::Break(());
            self.alarm = Budget::unlimited().with_time(self.every);
        }
        !self.stopped
    }

    /// Shows the final report of an agent without intermediate reports, and returns it.
    pub(crate) fn shown(&mut self, report: Report) -> Report {
        self.show(&report);
        report
    }
}
