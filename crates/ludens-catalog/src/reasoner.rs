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
use ludens_propnet::engine::Engine;
use ludens_propnet::{JitGame, LanesGame, MixedGame, Network, PropGame, ScalarGame};

use crate::error::CatalogError;
use crate::loader::Loader;
use crate::native::AnyNative;
use crate::nearest::nearest;

/// Something to do with a game of any type.
pub trait WithGame {
    /// What comes out of it.
    type Out;

    /// Does it.
    fn call<G: Game>(self, game: Arc<G>) -> Self::Out;
}

/// What a reasoner is made from.
pub struct Material<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The network of the rules, for reasoners that run on it.
    pub network: Option<Arc<Network>>,
    /// What making it may cost.
    pub budget: &'a Budget,
}

impl Material<'_> {
    fn network(&self) -> Result<Arc<Network>, Trouble> {
        let missing = || Trouble::Rules("the rules were not ground".into());
        self.network.clone().ok_or_else(missing)
    }
}

/// What the catalog asks of a game besides play.
trait Listed: Game + Sized {
    /// Whether it runs on a network.
    const IS_GROUND: bool;

    /// The same game with a limit to what one question may take.
    fn limited(self, time: Duration) -> Self;

    /// The game as one that speaks text.
    fn reasoner(self: Arc<Self>) -> Arc<dyn Reasoner>;

    /// The network that it runs on.
    fn network(&self) -> Option<&Arc<Network>>;
}

impl Listed for LogicGame {
    const IS_GROUND: bool = false;

    fn limited(self, time: Duration) -> Self {
        self.with_limits(Limits { time: Some(time), ..Limits::default() })
    }

    fn reasoner(self: Arc<Self>) -> Arc<dyn Reasoner> {
        self
    }

    fn network(&self) -> Option<&Arc<Network>> {
        None
    }
}

impl<E: Engine> Listed for PropGame<E> {
    const IS_GROUND: bool = true;

    /// A network is evaluated in a time that does not depend on the question.
    fn limited(self, _time: Duration) -> Self {
        self
    }

    fn reasoner(self: Arc<Self>) -> Arc<dyn Reasoner> {
        Arc::new(TextGame(self))
    }

    fn network(&self) -> Option<&Arc<Network>> {
        Some(&self.network)
    }
}

const NATIVE: &str =
    "Does not run the rules, but their twin that is written out in Rust, if there is one.";

macro_rules! reasoners {
    ($($kind:ident $name:literal $game:ty, $make:expr, $doc:literal;)*) => {
        /// How the rules of a game are run.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub enum ReasonerKind {
            /// The fastest that works.
            #[default]
            Auto,
            $(#[doc = $doc] $kind,)*
            /// Does not run the rules, but their twin that is written out in Rust.
            Native,
        }

        impl ReasonerKind {
            /// All kinds that run rules: `auto`, then the fastest first.
            pub const ALL: &'static [ReasonerKind] =
                &[ReasonerKind::Auto, $(ReasonerKind::$kind),*];

            /// All kinds that can be chosen: those that run rules, and `native`.
            pub const NAMED: &'static [ReasonerKind] =
                &[ReasonerKind::Auto, $(ReasonerKind::$kind,)* ReasonerKind::Native];

            /// The name by which it is chosen.
            pub fn name(self) -> &'static str {
                match self {
                    ReasonerKind::Auto => "auto",
                    $(ReasonerKind::$kind => $name,)*
                    ReasonerKind::Native => "native",
                }
            }

            /// What it is, in one sentence.
            pub fn doc(self) -> &'static str {
                match self {
                    ReasonerKind::Auto => "The fastest that works for the game.",
                    $(ReasonerKind::$kind => $doc,)*
                    ReasonerKind::Native => NATIVE,
                }
            }

            /// Whether it runs on a network, so that rules must be ground first.
            pub fn is_ground(self) -> bool {
                match self {
                    ReasonerKind::Auto | ReasonerKind::Native => false,
                    $(ReasonerKind::$kind => <$game as Listed>::IS_GROUND,)*
                }
            }

            /// Makes a game; `auto` takes the first that can be made of the material.
            pub fn make(self, material: &Material<'_>) -> Result<AnyGame, Trouble> {
                match self {
                    ReasonerKind::Auto => make_fastest(material),
                    $(ReasonerKind::$kind => {
                        let make: fn(&Material<'_>) -> Result<$game, Trouble> = $make;
                        make(material).map(|game| AnyGame::$kind(Arc::new(game)))
                    })*
                    ReasonerKind::Native => {
                        Err(Trouble::Rules("native games are not made of rules".into()))
                    }
                }
            }
        }

        /// A game whose reasoner is known only at run time.
        #[derive(Clone)]
        pub enum AnyGame {
            $(#[doc = $doc] $kind(Arc<$game>),)*
            /// Does not run the rules, but their twin that is written out in Rust.
            Native(AnyNative),
        }

        impl AnyGame {
            /// The reasoner it is run by.
            pub fn kind(&self) -> ReasonerKind {
                match self {
                    $(AnyGame::$kind(_) => ReasonerKind::$kind,)*
                    AnyGame::Native(_) => ReasonerKind::Native,
                }
            }

            /// The roles in the order of the rules.
            pub fn roles(&self) -> &[String] {
                match self {
                    $(AnyGame::$kind(game) => Game::roles(&**game),)*
                    AnyGame::Native(game) => game.roles(),
                }
            }

            /// Does something with the game in its own type.
            pub fn with<W: WithGame>(&self, visitor: W) -> W::Out {
                match self {
                    $(AnyGame::$kind(game) => visitor.call(Arc::clone(game)),)*
                    AnyGame::Native(game) => game.with(visitor),
                }
            }

            /// The same game with a limit to what one question may take; beyond it, questions
            /// fail. A game that is in use elsewhere stays as it is.
            #[must_use]
            pub fn limited(self, time: Duration) -> AnyGame {
                match self {
                    $(AnyGame::$kind(game) => AnyGame::$kind(match Arc::try_unwrap(game) {
                        Ok(game) => Arc::new(game.limited(time)),
                        Err(shared) => shared,
                    }),)*
                    // A native game answers in a time that does not depend on the question.
                    AnyGame::Native(game) => AnyGame::Native(game),
                }
            }

            /// The game as one that speaks text.
            pub fn reasoner(&self) -> Arc<dyn Reasoner> {
                match self {
                    $(AnyGame::$kind(game) => Arc::clone(game).reasoner(),)*
                    AnyGame::Native(game) => game.reasoner(),
                }
            }

            /// The network that the game runs on, if it runs on one.
            pub fn network(&self) -> Option<&Arc<Network>> {
                match self {
                    $(AnyGame::$kind(game) => game.network(),)*
                    AnyGame::Native(_) => None,
                }
            }
        }
    };
}

// A new reasoner is one line here, above all that are slower: `auto` takes the first that works.
reasoners! {
    Mixed "mixed" MixedGame, |material| Ok(MixedGame::new(material.network()?)),
        "As `jit` for playouts, as `scalar` for single states.";
    Jit "jit" JitGame, |material| Ok(JitGame::new(material.network()?)),
        "Grounds the rules to a network of gates and runs 256 games at once by machine code.";
    Lanes "lanes" LanesGame, |material| Ok(LanesGame::new(material.network()?)),
        "Grounds the rules to a network of gates and runs 256 games at once, on any machine.";
    Scalar "scalar" ScalarGame, |material| Ok(ScalarGame::new(material.network()?)),
        "Grounds the rules to a network of gates and evaluates it one state at a time.";
    Logic "logic" LogicGame, |material| LogicGame::load(material.rules, material.budget),
        "Runs the rules themselves: right for every game, and the measure of all others.";
}

fn make_fastest(material: &Material<'_>) -> Result<AnyGame, Trouble> {
    let mut last = Err(Trouble::Rules("no reasoner is built in".into()));
    let able = |kind: &ReasonerKind| !kind.is_ground() || material.network.is_some();
    let kinds = ReasonerKind::ALL.iter().filter(|kind| **kind != ReasonerKind::Auto);
    for kind in kinds.filter(|kind| able(kind)) {
        last = kind.make(material);
        if last.is_ok() {
            break;
        }
    }
    last
}

impl ReasonerKind {
    /// Loads rules with this reasoner within a budget; no cache is asked.
    pub fn load(self, rules: &Rules, budget: &Budget) -> Result<AnyGame, Trouble> {
        Loader::new(self, budget.clone()).load_rules(rules).map(|(game, _)| game)
    }
}

impl fmt::Display for ReasonerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ReasonerKind {
    type Err = CatalogError;

    fn from_str(text: &str) -> Result<Self, CatalogError> {
        let names = || Self::NAMED.iter().map(|kind| kind.name());
        Self::NAMED.iter().copied().find(|kind| kind.name() == text).ok_or_else(|| {
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
        for kind in ReasonerKind::NAMED {
            assert_eq!(kind.name().parse::<ReasonerKind>().unwrap(), *kind);
            assert!(kind.doc().ends_with('.'));
        }
        let slip = "lgoic".parse::<ReasonerKind>().unwrap_err();
        assert_eq!(slip.hint().unwrap(), "did you mean `logic`?");
    }

    #[test]
    fn the_reference_reasoner_is_the_last_resort() {
        assert_eq!(ReasonerKind::ALL.last(), Some(&ReasonerKind::Logic));
    }
}
