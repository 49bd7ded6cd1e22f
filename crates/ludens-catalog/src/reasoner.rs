//! The table of reasoners, and games whose type is known only at run time.
//!
//! Between components a game is an [`AnyGame`]; [`WithGame`] dispatches once, so that the code
//! inside is compiled for the concrete type of the game.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{Budget, Game, Reasoner, TextGame, Trouble, WithGame};
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};
use ludens_propnet::{Engine, Network, PropGame};

use crate::error::CatalogError;
use crate::loader::Loader;
use crate::native::AnyNative;
use crate::nearest::nearest;

/// The input of a reasoner.
pub struct Material<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The network of the rules, for reasoners that run on it.
    pub network: Option<Arc<Network>>,
    /// The budget of building it.
    pub budget: &'a Budget,
}

impl Material<'_> {
    fn network(&self) -> Result<Arc<Network>, Trouble> {
        let missing = || Trouble::Rules("the rules were not grounded".into());
        self.network.clone().ok_or_else(missing)
    }
}

/// The implementation that runs a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ReasonerKind {
    /// The fastest that works.
    #[default]
    Auto,
    /// As `Jit` for playouts, as `Scalar` for single states.
    Mixed,
    /// The network in 256 lanes, as machine code.
    Jit,
    /// The network in 256 lanes, on any machine.
    Lanes,
    /// The network, one state at a time.
    Scalar,
    /// An interpreter of the rules.
    Logic,
    /// Not the rules, but their implementation in Rust.
    Native,
}

impl ReasonerKind {
    /// All kinds that run rules: `auto`, then the fastest first.
    pub const ALL: &'static [ReasonerKind] = &[
        ReasonerKind::Auto,
        ReasonerKind::Mixed,
        ReasonerKind::Jit,
        ReasonerKind::Lanes,
        ReasonerKind::Scalar,
        ReasonerKind::Logic,
    ];

    /// All kinds that can be chosen: those that run rules, and `native`.
    pub const NAMED: &'static [ReasonerKind] = &[
        ReasonerKind::Auto,
        ReasonerKind::Mixed,
        ReasonerKind::Jit,
        ReasonerKind::Lanes,
        ReasonerKind::Scalar,
        ReasonerKind::Logic,
        ReasonerKind::Native,
    ];

    /// Its name, and a description in one sentence.
    fn name_and_doc(self) -> (&'static str, &'static str) {
        match self {
            ReasonerKind::Auto => ("auto", "The fastest that works for the game."),
            ReasonerKind::Mixed => {
                ("mixed", "As `jit` for playouts, as `scalar` for single states.")
            }
            ReasonerKind::Jit => (
                "jit",
                "Grounds the rules to a network of gates and runs 256 games at once as machine code.",
            ),
            ReasonerKind::Lanes => (
                "lanes",
                "Grounds the rules to a network of gates and runs 256 games at once, on any machine.",
            ),
            ReasonerKind::Scalar => (
                "scalar",
                "Grounds the rules to a network of gates and evaluates it one state at a time.",
            ),
            ReasonerKind::Logic => (
                "logic",
                "Interprets the rules: correct for every game, and the reference for all others.",
            ),
            ReasonerKind::Native => {
                ("native", "Runs an implementation in Rust instead of the rules, if there is one.")
            }
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name_and_doc().0
    }

    /// A description in one sentence.
    pub fn doc(self) -> &'static str {
        self.name_and_doc().1
    }

    /// Whether it runs on a network, so that rules must be grounded first.
    pub fn is_ground(self) -> bool {
        use ReasonerKind::{Jit, Lanes, Mixed, Scalar};
        matches!(self, Mixed | Jit | Lanes | Scalar)
    }

    /// Builds a game; `auto` builds the first kind that succeeds.
    pub fn make(self, material: &Material<'_>) -> Result<AnyGame, Trouble> {
        let ground: fn(Arc<Network>) -> PropGame = match self {
            ReasonerKind::Auto => return build_fastest(material),
            ReasonerKind::Mixed => PropGame::mixed,
            ReasonerKind::Jit => PropGame::jit,
            ReasonerKind::Lanes => PropGame::lanes,
            ReasonerKind::Scalar => PropGame::scalar,
            ReasonerKind::Logic => {
                let game = LogicGame::load(material.rules, material.budget)?;
                return Ok(AnyGame::Logic(Arc::new(game)));
            }
            ReasonerKind::Native => {
                return Err(Trouble::Rules("native games are not built from rules".into()));
            }
        };
        Ok(AnyGame::Ground(Arc::new(ground(material.network()?))))
    }
}

/// A game whose reasoner is known only at run time.
#[derive(Clone)]
pub enum AnyGame {
    /// Runs on a network.
    Ground(Arc<PropGame>),
    /// Interprets the rules.
    Logic(Arc<LogicGame>),
    /// Runs an implementation in Rust instead of the rules.
    Native(AnyNative),
}

impl AnyGame {
    /// Its reasoner.
    pub fn kind(&self) -> ReasonerKind {
        match self {
            AnyGame::Ground(game) => match game.engine {
                Engine::Mixed(_) => ReasonerKind::Mixed,
                Engine::Jit(_) => ReasonerKind::Jit,
                Engine::Lanes(_) => ReasonerKind::Lanes,
                Engine::Scalar(_) => ReasonerKind::Scalar,
            },
            AnyGame::Logic(_) => ReasonerKind::Logic,
            AnyGame::Native(_) => ReasonerKind::Native,
        }
    }

    /// The roles in the order of the rules.
    pub fn roles(&self) -> &[String] {
        match self {
            AnyGame::Ground(game) => Game::roles(&**game),
            AnyGame::Logic(game) => Game::roles(&**game),
            AnyGame::Native(game) => game.roles(),
        }
    }

    /// Calls a visitor with the game in its concrete type.
    pub fn with<W: WithGame>(&self, visitor: W) -> W::Out {
        match self {
            AnyGame::Ground(game) => visitor.call(Arc::clone(game)),
            AnyGame::Logic(game) => visitor.call(Arc::clone(game)),
            AnyGame::Native(game) => game.with(visitor),
        }
    }

    /// The same game with a time limit for each query; beyond it, queries fail. Only `logic` has a
    /// limit, since the time of other reasoners does not depend on the query.
    #[must_use]
    pub fn limited(self, time: Duration) -> AnyGame {
        let limits = Limits { time: Some(time), ..Limits::default() };
        self.map_logic(|game| game.with_limits(limits))
    }

    /// The same game with limits of all kinds; queries also fail when the flag is set.
    #[must_use]
    pub fn limited_to(self, limits: Limits, stop: Arc<AtomicBool>) -> AnyGame {
        self.map_logic(|game| game.with_limits(limits).with_stop(stop))
    }

    fn map_logic(self, change: impl FnOnce(LogicGame) -> LogicGame) -> AnyGame {
        match self {
            AnyGame::Logic(game) => AnyGame::Logic(Arc::new(change(Arc::unwrap_or_clone(game)))),
            other => other,
        }
    }

    /// The game as a reasoner on texts.
    pub fn reasoner(&self) -> Arc<dyn Reasoner> {
        match self {
            AnyGame::Ground(game) => Arc::new(TextGame(Arc::clone(game))),
            AnyGame::Logic(game) => Arc::clone(game) as Arc<dyn Reasoner>,
            AnyGame::Native(game) => game.reasoner(),
        }
    }

    /// The network of the game, if it has one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        match self {
            AnyGame::Ground(game) => Some(&game.network),
            AnyGame::Logic(_) | AnyGame::Native(_) => None,
        }
    }
}

fn build_fastest(material: &Material<'_>) -> Result<AnyGame, Trouble> {
    let mut last = Err(Trouble::Rules("no reasoner is built in".into()));
    let possible = |kind: &ReasonerKind| !kind.is_ground() || material.network.is_some();
    let kinds = ReasonerKind::ALL.iter().filter(|kind| **kind != ReasonerKind::Auto);
    for kind in kinds.filter(|kind| possible(kind)) {
        last = kind.make(material);
        if last.is_ok() {
            break;
        }
    }
    last
}

impl ReasonerKind {
    /// Loads rules with this reasoner within a budget, without a cache.
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
    fn names_round_trip_and_misspelt_ones_have_a_hint() {
        for kind in ReasonerKind::NAMED {
            assert_eq!(kind.name().parse::<ReasonerKind>().unwrap(), *kind);
            assert!(kind.doc().ends_with('.'));
        }
        let error = "lgoic".parse::<ReasonerKind>().unwrap_err();
        assert_eq!(error.hint().unwrap(), "did you mean `logic`?");
    }

    #[test]
    fn the_reference_reasoner_is_the_last_resort() {
        assert_eq!(ReasonerKind::ALL.last(), Some(&ReasonerKind::Logic));
    }
}
