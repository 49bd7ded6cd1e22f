//! The table of reasoners, and games whose type is known only at run time.
//!
//! Between components a game is an [`AnyGame`]; [`WithGame`] leaves that world once, so that
//! whatever runs inside is compiled for the game's own type.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Reasoner, TextGame, Trouble};
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};
use ludens_propnet::ScalarGame;

use crate::error::CatalogError;
use crate::nearest::nearest;

/// Something to do with a game of any type.
pub trait WithGame {
    /// What comes out of it.
    type Out;

    /// Does it.
    fn call<G: Game>(self, game: Arc<G>) -> Self::Out;
}

macro_rules! reasoners {
    ($($kind:ident $name:literal $game:ty, $load:expr, $limit:expr, $reasoner:expr, $doc:literal;)*) => {
        /// How the rules of a game are run.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub enum ReasonerKind {
            /// The fastest that works.
            #[default]
            Auto,
            $(#[doc = $doc] $kind,)*
        }

        impl ReasonerKind {
            /// All kinds: `auto`, then the fastest first.
            pub const ALL: &'static [ReasonerKind] =
                &[ReasonerKind::Auto, $(ReasonerKind::$kind),*];

            /// The name by which it is chosen.
            pub fn name(self) -> &'static str {
                match self { ReasonerKind::Auto => "auto", $(ReasonerKind::$kind => $name,)* }
            }

            /// What it is, in one sentence.
            pub fn doc(self) -> &'static str {
                match self {
                    ReasonerKind::Auto => "The fastest that works for the game.",
                    $(ReasonerKind::$kind => $doc,)*
                }
            }

            /// Loads rules with this reasoner; `auto` tries one after the other.
            pub fn load(self, rules: &Rules, budget: &Budget) -> Result<AnyGame, Trouble> {
                match self {
                    ReasonerKind::Auto => load_fastest(rules, budget),
                    $(ReasonerKind::$kind => {
                        $load(rules, budget).map(|game| AnyGame::$kind(Arc::new(game)))
                    })*
                }
            }
        }

        /// A game whose reasoner is known only at run time.
        #[derive(Clone)]
        pub enum AnyGame {
            $(#[doc = $doc] $kind(Arc<$game>),)*
        }

        impl AnyGame {
            /// The reasoner it is run by.
            pub fn kind(&self) -> ReasonerKind {
                match self { $(AnyGame::$kind(_) => ReasonerKind::$kind,)* }
            }

            /// The roles in the order of the rules.
            pub fn roles(&self) -> &[String] {
                match self { $(AnyGame::$kind(game) => Game::roles(&**game),)* }
            }

            /// Does something with the game in its own type.
            pub fn with<W: WithGame>(&self, visitor: W) -> W::Out {
                match self { $(AnyGame::$kind(game) => visitor.call(Arc::clone(game)),)* }
            }

            /// The same game with a limit to what one question may take; beyond it, questions
            /// fail. A game that is in use elsewhere stays as it is.
            #[must_use]
            pub fn limited(self, time: Duration) -> AnyGame {
                match self {
                    $(AnyGame::$kind(game) => AnyGame::$kind(match Arc::try_unwrap(game) {
                        Ok(game) => Arc::new($limit(game, time)),
                        Err(shared) => shared,
                    }),)*
                }
            }

            /// The game as one that speaks text.
            pub fn reasoner(&self) -> Arc<dyn Reasoner> {
                match self { $(AnyGame::$kind(game) => $reasoner(Arc::clone(game)),)* }
            }
        }
    };
}

// A new reasoner is one line here, above all that are slower and no more reliable: `auto` takes
// the first that works, and grounding can take long to find out that it does not.
reasoners! {
    Logic "logic" LogicGame, LogicGame::load, limit_logic, |game| game,
        "Runs the rules themselves: right for every game, and the measure of all others.";
    Scalar "scalar" ScalarGame, ScalarGame::load, |game, _| game, |game| Arc::new(TextGame(game)),
        "Grounds the rules to a network of gates and evaluates it one state at a time.";
}

fn limit_logic(game: LogicGame, time: Duration) -> LogicGame {
    game.with_limits(Limits { time: Some(time), ..Limits::default() })
}

fn load_fastest(rules: &Rules, budget: &Budget) -> Result<AnyGame, Trouble> {
    let mut last = Err(Trouble::Rules("no reasoner is built in".into()));
    for kind in ReasonerKind::ALL.iter().filter(|kind| **kind != ReasonerKind::Auto) {
        last = kind.load(rules, budget);
        if last.is_ok() {
            break;
        }
    }
    last
}

impl fmt::Display for ReasonerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ReasonerKind {
    type Err = CatalogError;

    fn from_str(text: &str) -> Result<Self, CatalogError> {
        let names = || Self::ALL.iter().map(|kind| kind.name());
        Self::ALL.iter().copied().find(|kind| kind.name() == text).ok_or_else(|| {
            CatalogError::UnknownName {
                what: "reasoner",
                name: text.to_owned(),
                nearest: nearest(text, names()).map(str::to_owned),
                known: format!("the reasoners are: {}", names().collect::<Vec<_>>().join(", ")),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_slips_are_answered() {
        for kind in ReasonerKind::ALL {
            assert_eq!(kind.name().parse::<ReasonerKind>().unwrap(), *kind);
            assert!(kind.doc().ends_with('.'));
        }
        let slip = "lgoic".parse::<ReasonerKind>().unwrap_err();
        assert_eq!(slip.hint().unwrap(), "did you mean `logic`?");
    }
}
