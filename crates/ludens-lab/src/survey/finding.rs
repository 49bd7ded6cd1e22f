//! The table of problems that random games can find.

use std::fmt;

use ludens_core::Trouble;
use ludens_gdl::Severity;

macro_rules! findings {
    ($($name:ident $id:literal $severity:ident $explanation:literal;)*) => {
        /// The kinds of problems that only play reveals.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum FindingKind {
            $(#[doc = $explanation] $name,)*
        }

        impl FindingKind {
            /// All kinds, in the order of the table.
            pub const ALL: &'static [FindingKind] = &[$(FindingKind::$name),*];

            /// The identifier shown to people and editors.
            pub fn id(self) -> &'static str {
                match self { $(FindingKind::$name => $id,)* }
            }

            /// Whether the problem is an error or a warning.
            pub fn severity(self) -> Severity {
                match self { $(FindingKind::$name => Severity::$severity,)* }
            }

            /// What the problem is, in one or two sentences.
            pub fn explanation(self) -> &'static str {
                match self { $(FindingKind::$name => $explanation,)* }
            }
        }
    };
}

findings! {
    NoMove "S0001" Error "A role has no legal move in a state that is not terminal, so the game cannot continue.";
    NoGoal "S0002" Error "A terminal state gives a role no goal value.";
    SeveralGoals "S0003" Warning "A terminal state gives a role several goal values; engines disagree about which one counts, and Ludens takes the largest.";
    GoalRange "S0004" Warning "A goal value is not between 0 and 100.";
    TooLong "S0005" Warning "A random game did not end within the maximum number of moves; every game must end.";
    OutsideBase "S0006" Warning "A fact of a state is not declared by `base`.";
    OutsideInput "S0007" Warning "A legal move is not declared by `input`.";
    NoInfluence "S0008" Warning "A role never had a choice in any random game.";
    NotShownToEnd "S0009" Warning "No random game ended within the time limit, so it is not shown that the game ends.";
    Exhausted "S0010" Warning "The reasoner reached its time or memory limit, so that random games show little or nothing.";
    EndsAtOnce "S0011" Warning "The initial state is terminal, so no move is ever made.";
    Unplayable "S0012" Error "The reasoner cannot run the rules at all.";
    Unbounded "S0013" Error "The rules have infinitely many consequences that play depends on: terms grow without bound, or a recursion without restriction reached the memory limit.";
}

impl FindingKind {
    /// The kind of problem that a reasoner's trouble indicates.
    pub fn of_trouble(trouble: &Trouble) -> Self {
        match trouble {
            Trouble::Unbounded(_) => FindingKind::Unbounded,
            Trouble::Exhausted(_) => FindingKind::Exhausted,
            _ => FindingKind::Unplayable,
        }
    }

    /// Whether it is a reason why no random game ended.
    pub(super) fn cuts_games_short(self) -> bool {
        use FindingKind::{Exhausted, NoMove, Unbounded, Unplayable};
        matches!(self, NoMove | Exhausted | Unbounded | Unplayable)
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// One problem that random games found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of problem.
    pub kind: FindingKind,
    /// Index of the role it concerns, if it concerns one.
    pub role_idx: Option<usize>,
    /// The problem, in lower case and without a full stop.
    pub message: String,
    /// The joint moves that lead to its first occurrence.
    pub line: Vec<Vec<String>>,
    /// The number of its occurrences.
    pub count: u64,
}
