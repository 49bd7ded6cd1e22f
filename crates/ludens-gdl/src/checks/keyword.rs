//! The keywords of GDL.

use rustc_hash::FxHashMap;

use crate::symbol::{Symbol, Symbols};

/// A relation with a meaning in GDL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Keyword {
    Role,
    Init,
    True,
    Does,
    Next,
    Legal,
    Goal,
    Terminal,
    Base,
    Input,
}

impl Keyword {
    /// All keywords.
    pub const ALL: [Keyword; 10] = [
        Keyword::Role,
        Keyword::Init,
        Keyword::True,
        Keyword::Does,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
        Keyword::Base,
        Keyword::Input,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Does => "does",
            Keyword::Next => "next",
            Keyword::Legal => "legal",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
            Keyword::Base => "base",
            Keyword::Input => "input",
        }
    }

    /// Its number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Keyword::Terminal => 0,
            Keyword::Role | Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => 1,
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Input => 2,
        }
    }

    /// Its syntax.
    pub fn usage(self) -> &'static str {
        match self {
            Keyword::Role => "(role player)",
            Keyword::Init => "(init fact)",
            Keyword::True => "(true fact)",
            Keyword::Does => "(does player move)",
            Keyword::Next => "(next fact)",
            Keyword::Legal => "(legal player move)",
            Keyword::Goal => "(goal player value)",
            Keyword::Terminal => "terminal",
            Keyword::Base => "(base fact)",
            Keyword::Input => "(input player move)",
        }
    }

    /// Whether it can occur in the head of a rule or be a fact.
    pub fn can_be_stated(self) -> bool {
        !matches!(self, Keyword::True | Keyword::Does)
    }

    /// Whether it can occur in the body of a rule.
    pub fn can_be_used(self) -> bool {
        !matches!(self, Keyword::Init | Keyword::Next | Keyword::Base | Keyword::Input)
    }

    /// Whether the role is its first argument.
    pub fn begins_with_role(self) -> bool {
        matches!(self, Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Input)
    }
}

/// The keywords among the words of a description.
pub(crate) fn keywords_of(symbols: &Symbols) -> FxHashMap<Symbol, Keyword> {
    let found = |keyword: Keyword| Some((symbols.find(keyword.name())?, keyword));
    Keyword::ALL.into_iter().filter_map(found).collect()
}
