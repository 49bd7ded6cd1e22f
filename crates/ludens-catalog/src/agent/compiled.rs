//! Agents of the catalog's own games, compiled once.
//!
//! Agents are compiled for each type of game. A crate that built them through generic code would compile all
//! of them again, for every type: this table refers to code that was compiled in this crate.

use std::any::Any;
use std::sync::Arc;

use ludens_core::Game;
use ludens_games::atarigo::FirstCapture;
use ludens_games::domineering::Dominoes;
use ludens_games::go::Stones;
use ludens_games::havannah::HavannahRules;
use ludens_games::nogo::NoCapture;
use ludens_games::{Duel, PieceRace};
use ludens_logic::LogicGame;
use ludens_propnet::PropGame;
use ludens_search::Agent;

use super::spec::AgentSpec;

type Build<G> = fn(&AgentSpec, Arc<G>, u64) -> Box<dyn Agent<G>>;

/// How agents of games of one type are built.
struct Builder<G: Game> {
    alone: Build<G>,
    pooled: Build<G>,
}

impl<G: Game> Builder<G> {
    const NEW: Builder<G> =
        Builder { alone: AgentSpec::build_for, pooled: AgentSpec::build_pooled_for };

    /// The compiled one for a type of game.
    fn find() -> &'static Builder<G> {
        let found = BUILDERS.iter().find_map(|builder| builder.downcast_ref());
        found.expect("a game of the catalog; `build_for` builds agents of other types")
    }
}

/// One for each type that [`AnyGame`](crate::AnyGame) can have.
static BUILDERS: [&(dyn Any + Send + Sync); 8] = [
    &Builder::<PropGame>::NEW,
    &Builder::<LogicGame>::NEW,
    &Builder::<Duel<PieceRace>>::NEW,
    &Builder::<Duel<Dominoes>>::NEW,
    &Builder::<Duel<Stones<FirstCapture>>>::NEW,
    &Builder::<Duel<Stones<NoCapture>>>::NEW,
    &Builder::<Duel<HavannahRules<3, 192>>>::NEW,
    &Builder::<Duel<HavannahRules<10, 640>>>::NEW,
];

impl AgentSpec {
    /// The agent for a game of the catalog. [`AgentSpec::build_for`] is for games of other types.
    pub fn build<G: Game>(&self, game: Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
        (Builder::find().alone)(self, game, seed)
    }

    /// The agent for a game of the catalog in which many agents share one evaluator. Here `auto` is a batch
    /// of 1, since the other agents fill the lanes.
    pub fn build_pooled<G: Game>(&self, game: Arc<G>, seed: u64) -> Box<dyn Agent<G>> {
        (Builder::find().pooled)(self, game, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReasonerKind, WithGame, load_agent, load_game};
    use ludens_core::Budget;

    struct Build;

    impl WithGame for Build {
        type Out = usize;

        fn call<G: Game>(self, game: Arc<G>) -> usize {
            load_agent("uct").unwrap().build(game, 1).searchers().len()
        }
    }

    #[test]
    fn every_type_of_the_catalog_is_compiled() {
        let rules = [ReasonerKind::Mixed, ReasonerKind::Logic].map(|kind| ("tictactoe", kind));
        let native = ludens_games::GAMES.iter().map(|game| (game.name, ReasonerKind::Native));
        let large = [("havannah(size=10)", ReasonerKind::Native)];
        for (name, kind) in native.chain(rules).chain(large) {
            let loaded = load_game(name, kind, &Budget::unlimited()).unwrap();
            assert_eq!(loaded.game.with(Build), 1, "{name} {kind}");
        }
    }
}
