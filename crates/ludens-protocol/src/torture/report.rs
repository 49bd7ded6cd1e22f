//! What a trial showed. What the protocol demands and what is merely better practice are kept apart.

use std::time::Duration;

use super::companion::Company;
use super::memory::Footprint;

/// How much a demand weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// Hosts do without it, but it makes for a better player.
    Advised,
    /// Without it a player loses moves or matches.
    Required,
}

/// A demand that was not met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// How much it weighs.
    pub grade: Grade,
    /// What happened, and what a host would see.
    pub what: String,
}

/// What a trial comes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// All demands were met.
    Pass,
    /// A part could not be looked at; nothing else was found.
    NotMeasured,
    /// Something could be better.
    Advice,
    /// Something that is required is missing.
    Fail,
}

impl Verdict {
    /// All of them, from the best to the worst.
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

/// What is noted during a trial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// What was seen, in parts of one sentence.
    pub observed: Vec<String>,
    /// Demands that were not met.
    pub complaints: Vec<Complaint>,
    /// What could not be looked at, and why.
    pub unmeasured: Vec<String>,
}

impl Notes {
    /// Notes what was seen.
    pub(super) fn observe(&mut self, what: impl Into<String>) {
        self.observed.push(what.into());
    }

    /// Notes that something could not be looked at.
    pub(super) fn not_measured(&mut self, what: impl Into<String>) {
        self.unmeasured.push(what.into());
    }

    /// Notes a complaint; the same one is noted once.
    pub(super) fn complain(&mut self, grade: Grade, what: impl Into<String>) {
        let complaint = Complaint { grade, what: what.into() };
        if !self.complaints.contains(&complaint) {
            self.complaints.push(complaint);
        }
    }

    /// Complains unless something holds.
    pub(super) fn demand(&mut self, grade: Grade, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.complain(grade, otherwise());
        }
    }
}

/// A trial that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The name of the trial.
    pub trial: &'static str,
    /// What was noted.
    pub notes: Notes,
    /// How long it took.
    pub took: Duration,
    /// How the match went that was played meanwhile, if there was one.
    pub company: Option<Company>,
    /// The memory of the player, if it could be looked at.
    pub footprint: Option<Footprint>,
}

impl Outcome {
    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        match self.notes.complaints.iter().map(|complaint| complaint.grade).max() {
            Some(Grade::Required) => Verdict::Fail,
            Some(Grade::Advised) => Verdict::Advice,
            None if !self.notes.unmeasured.is_empty() => Verdict::NotMeasured,
            None => Verdict::Pass,
        }
    }

    /// What was seen, as one sentence.
    pub fn sentence(&self) -> String {
        let said = self.notes.observed.iter().chain(&self.notes.unmeasured);
        said.cloned().collect::<Vec<_>>().join("; ")
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
            company: None,
            footprint: None,
        };
        assert_eq!(outcome.verdict(), Verdict::Pass);
        outcome.notes.not_measured("nobody looked");
        assert_eq!(outcome.verdict(), Verdict::NotMeasured);
        outcome.notes.complain(Grade::Advised, "slow");
        outcome.notes.complain(Grade::Advised, "slow");
        assert_eq!((outcome.verdict(), outcome.notes.complaints.len()), (Verdict::Advice, 1));
        outcome.notes.complain(Grade::Required, "wrong");
        assert_eq!(outcome.verdict(), Verdict::Fail);
        outcome.notes.observe("it was asked");
        assert_eq!(outcome.sentence(), "it was asked; nobody looked");
    }
}
