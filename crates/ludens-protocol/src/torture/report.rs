//! Results of trials, which distinguish requirements of the protocol from good practice.

use std::time::Duration;

use super::background::BackgroundMatches;
use super::memory::Footprint;

/// The severity of a complaint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// Good practice; hosts work without it.
    Advised,
    /// Required: without it a player loses moves or matches.
    Required,
}

/// A requirement or advice that was not met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Its severity.
    pub grade: Grade,
    /// What happened, and what a host would see.
    pub what: String,
}

/// The verdict of a trial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// No complaints.
    Pass,
    /// No complaints, but something could not be measured.
    NotMeasured,
    /// Only advice was not met.
    Advice,
    /// A requirement was not met.
    Fail,
}

impl Verdict {
    /// All verdicts, best first.
    pub const ALL: [Verdict; 4] =
        [Verdict::Pass, Verdict::NotMeasured, Verdict::Advice, Verdict::Fail];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::NotMeasured => "not measured",
            Verdict::Advice => "advice",
            Verdict::Fail => "fail",
        }
    }
}

/// Notes of a trial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// Observations, as parts of one sentence.
    pub observed: Vec<String>,
    /// Complaints.
    pub complaints: Vec<Complaint>,
    /// What could not be measured, and why.
    pub unmeasured: Vec<String>,
    /// Whether the trial could not run, for one of these reasons.
    pub prevented: bool,
}

impl Notes {
    /// Adds an observation.
    pub(super) fn observe(&mut self, what: impl Into<String>) {
        self.observed.push(what.into());
    }

    /// Notes that something could not be measured.
    pub(super) fn not_measured(&mut self, what: impl Into<String>) {
        self.unmeasured.push(what.into());
    }

    /// Notes why the trial cannot run.
    pub(super) fn prevent(&mut self, why: impl AsRef<str>) {
        self.prevented = true;
        self.not_measured(format!("not run: {}", why.as_ref()));
    }

    /// Adds a complaint, unless it is there already.
    pub(super) fn complain(&mut self, grade: Grade, what: impl Into<String>) {
        let complaint = Complaint { grade, what: what.into() };
        if !self.complaints.contains(&complaint) {
            self.complaints.push(complaint);
        }
    }

    /// Complains unless a condition holds.
    pub(super) fn demand(&mut self, grade: Grade, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.complain(grade, otherwise());
        }
    }
}

/// A finished trial.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The name of the trial.
    pub trial: &'static str,
    /// Its notes.
    pub notes: Notes,
    /// How long it took.
    pub took: Duration,
    /// The matches played in the background, if there were any.
    pub background: Option<BackgroundMatches>,
    /// The memory of the player, if it could be measured.
    pub footprint: Option<Footprint>,
}

impl Outcome {
    /// Its verdict.
    pub fn verdict(&self) -> Verdict {
        match self.notes.complaints.iter().map(|complaint| complaint.grade).max() {
            Some(Grade::Required) => Verdict::Fail,
            Some(Grade::Advised) => Verdict::Advice,
            None if !self.notes.unmeasured.is_empty() => Verdict::NotMeasured,
            None => Verdict::Pass,
        }
    }

    /// The observations as one sentence.
    pub fn sentence(&self) -> String {
        let parts = self.notes.observed.iter().chain(&self.notes.unmeasured);
        parts.cloned().collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_complaint_decides() {
        let mut outcome = Outcome {
            trial: "t",
            notes: Notes::default(),
            took: Duration::ZERO,
            background: None,
            footprint: None,
        };
        assert_eq!(outcome.verdict(), Verdict::Pass);
        outcome.notes.not_measured("no access");
        assert_eq!(outcome.verdict(), Verdict::NotMeasured);
        outcome.notes.complain(Grade::Advised, "slow");
        outcome.notes.complain(Grade::Advised, "slow");
        assert_eq!((outcome.verdict(), outcome.notes.complaints.len()), (Verdict::Advice, 1));
        outcome.notes.complain(Grade::Required, "wrong");
        assert_eq!(outcome.verdict(), Verdict::Fail);
        outcome.notes.observe("3 moves");
        assert_eq!(outcome.sentence(), "3 moves; no access");
    }
}
