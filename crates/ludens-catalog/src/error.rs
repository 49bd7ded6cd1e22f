//! Errors of loading, with hints.

use std::fmt;
use std::io;

use ludens_core::Trouble;
use ludens_core::spec::SpecError;
use ludens_gdl::{Diagnostic, Source};

use crate::native::NativeTwin;
use crate::parameter::Parameter;
use crate::reasoner::ReasonerKind;

/// Why something cannot be loaded.
#[derive(Debug)]
pub enum CatalogError {
    /// No game, reasoner or agent has this name.
    UnknownName {
        /// The kind of the name: `game`, `reasoner`, `agent`.
        what: &'static str,
        /// The name.
        name: String,
        /// The closest known name.
        nearest: Option<String>,
        /// Where to find all names.
        known: String,
    },
    /// The text is not a name with arguments.
    Spec {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: SpecError,
        /// A valid text.
        example: &'static str,
    },
    /// The game or part has no such parameter.
    UnknownParameter {
        /// The game or part.
        owner: String,
        /// The parameter.
        name: String,
        /// The closest known parameter.
        nearest: Option<String>,
        /// Its parameters.
        known: Vec<String>,
    },
    /// The value of a parameter is invalid.
    BadValue {
        /// The game or part.
        owner: String,
        /// The parameter.
        name: String,
        /// The value; `None` if there is none.
        value: Option<String>,
        /// The valid values.
        expected: String,
    },
    /// A parameter is given twice.
    GivenTwice {
        /// The game or part.
        owner: String,
        /// The parameter.
        name: String,
    },
    /// The parts of an agent cannot be combined.
    Composition {
        /// What is wrong.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// A file cannot be read.
    Unreadable {
        /// Its path, or `<stdin>`.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The rules have errors and cannot be loaded.
    Rules {
        /// The text.
        source: Box<Source>,
        /// All problems.
        problems: Vec<Diagnostic>,
    },
    /// The reasoner cannot run the rules.
    Reasoner {
        /// The game.
        game: String,
        /// The reasoner.
        reasoner: ReasonerKind,
        /// Why.
        trouble: Trouble,
    },
}

impl CatalogError {
    pub(crate) fn out_of_range(owner: &str, parameter: &Parameter, value: &str) -> Self {
        CatalogError::BadValue {
            owner: owner.to_owned(),
            name: parameter.name.clone(),
            value: Some(value.to_owned()),
            expected: format!("a whole number from {} to {}", parameter.min, parameter.max),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            CatalogError::UnknownName { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            CatalogError::UnknownName { known, .. } => Some(known.clone()),
            CatalogError::Spec { example, .. } => {
                Some(format!("write `name`, or `name(parameter=value)`, such as `{example}`"))
            }
            CatalogError::UnknownParameter { owner, known, .. } if known.is_empty() => {
                Some(format!("`{owner}` has no parameters"))
            }
            CatalogError::UnknownParameter { owner, known, nearest, .. } => {
                let meant = nearest.as_ref().map(|nearest| format!("did you mean `{nearest}`? "));
                let meant = meant.unwrap_or_default();
                Some(format!("{meant}`{owner}` has the parameters: {}", known.join(", ")))
            }
            CatalogError::BadValue { name, expected, .. } => {
                Some(format!("`{name}` is {expected}"))
            }
            CatalogError::GivenTwice { name, .. } => {
                Some(format!("write `{name}` once, with the value that you want"))
            }
            CatalogError::Composition { hint, .. } => Some(hint.clone()),
            CatalogError::Rules { .. } => {
                Some("`ludens check` shows all problems of the rules".into())
            }
            CatalogError::Reasoner { reasoner, trouble: Trouble::Exhausted(_), .. }
                if reasoner.is_ground() =>
            {
                Some(
                    "raise --ground-seconds or --ground-memory, or interpret the rules with \
                     --reasoner logic"
                        .into(),
                )
            }
            CatalogError::Reasoner { reasoner: ReasonerKind::Native, .. } => Some(format!(
                "these games of the library have native twins: {}; leave out --reasoner native to \
                 run the rules",
                NativeTwin::list_all()
            )),
            CatalogError::Unreadable { .. } | CatalogError::Reasoner { .. } => None,
        }
    }
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CatalogError::UnknownName { what, name, .. } => {
                write!(f, "no {what} is called `{name}`")
            }
            CatalogError::Spec { text, error, .. } => write!(f, "cannot read `{text}`: {error}"),
            CatalogError::UnknownParameter { owner, name, .. } => {
                write!(f, "`{owner}` has no parameter `{name}`")
            }
            CatalogError::BadValue { owner, name, value: Some(value), .. } => {
                write!(f, "`{name}` of `{owner}` cannot be `{value}`")
            }
            CatalogError::BadValue { owner, name, value: None, .. } => {
                write!(f, "`{name}` of `{owner}` needs a value")
            }
            CatalogError::GivenTwice { owner, name } => {
                write!(f, "`{name}` of `{owner}` is given twice")
            }
            CatalogError::Composition { what, .. } => f.write_str(what),
            CatalogError::Unreadable { path, error } => write!(f, "cannot read {path}: {error}"),
            CatalogError::Rules { source, problems } => {
                let grave =
                    |problem: &&Diagnostic| problem.is_error() || problem.code.blocks_play();
                let n = problems.iter().filter(grave).count();
                let s = if n == 1 { "" } else { "s" };
                write!(f, "{} cannot be played: {n} error{s} in the rules", source.name)
            }
            CatalogError::Reasoner { game, reasoner, trouble } => {
                write!(f, "the reasoner `{reasoner}` cannot run {game}: {trouble}")
            }
        }
    }
}

impl std::error::Error for CatalogError {}
