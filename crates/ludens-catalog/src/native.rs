//! Native games: library games that are also implemented in Rust, with the same names of games,
//! roles, moves and facts.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ludens_core::{Answer, Game, Reasoner, TextGame, Trouble, WithGame};
use ludens_games::{GAMES, NativeGame, with_game};

use crate::header::Header;
use crate::library::find;

/// The native twin of a library game with given parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeTwin {
    /// The name of both.
    pub name: &'static str,
    /// Its only parameter.
    pub size: u32,
}

impl NativeTwin {
    /// The native game with the name of a library game, whatever its parameters.
    fn named(name: &str) -> Option<&'static NativeGame> {
        GAMES.iter().find(|game| game.name == name)
    }

    /// The twin of a library game, given its header after substitution of parameters.
    pub(crate) fn of(name: &str, header: &Header) -> Option<NativeTwin> {
        let game = Self::named(name)?;
        let [size] = &header.parameters[..] else { return None };
        let value = u32::try_from(size.default?).ok()?;
        let fits = size.name == game.size.name && game.size.range.contains(&value);
        fits.then_some(NativeTwin { name: game.name, size: value })
    }

    /// The sizes for which a library game has a twin; `None` if there are none.
    pub fn sizes(name: &str) -> Option<RangeInclusive<u32>> {
        let native = &Self::named(name)?.size;
        let parameters = &find(name)?.header.parameters;
        let size = parameters.iter().find(|parameter| parameter.name == native.name)?;
        let bound = |bound: i64| u32::try_from(bound.max(0)).unwrap_or(u32::MAX);
        let min = bound(size.min).max(*native.range.start());
        Some(min..=bound(size.max).min(*native.range.end()))
    }

    /// A list of all games with twins.
    pub(crate) fn list_all() -> String {
        let words = |game: &NativeGame| {
            let sizes = Self::sizes(game.name)?;
            Some(format!("{}({}={}..{})", game.name, game.size.name, sizes.start(), sizes.end()))
        };
        GAMES.iter().filter_map(words).collect::<Vec<_>>().join(", ")
    }
}

/// A native game whose type is known only at run time.
#[derive(Clone)]
pub struct AnyNative {
    twin: NativeTwin,
    roles: Vec<String>,
    reasoner: Arc<dyn Reasoner>,
}

impl AnyNative {
    /// The game, if there is one.
    pub fn new(twin: NativeTwin) -> Option<Self> {
        with_game(twin.name, twin.size, BuildNative(twin))
    }

    /// The roles in the order of the rules.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The game as a reasoner on texts.
    pub fn reasoner(&self) -> Arc<dyn Reasoner> {
        Arc::clone(&self.reasoner)
    }

    /// Calls a visitor with the game in its concrete type.
    pub fn with<W: WithGame>(&self, visitor: W) -> W::Out {
        let out = with_game(self.twin.name, self.twin.size, visitor);
        out.expect("the game exists")
    }
}

struct BuildNative(NativeTwin);

impl WithGame for BuildNative {
    type Out = AnyNative;

    fn call<G: Game>(self, game: Arc<G>) -> AnyNative {
        let roles = game.roles().to_vec();
        AnyNative { twin: self.0, roles, reasoner: Arc::new(LegalityChecked(TextGame(game))) }
    }
}

/// Checks that moves are legal, since native games rely on it and texts may be anything.
struct LegalityChecked<G>(TextGame<G>);

impl<G: Game> Reasoner for LegalityChecked<G> {
    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn initial(&self) -> Result<Vec<String>, Trouble> {
        self.0.initial()
    }

    fn answer(&self, facts: &[String]) -> Result<Answer, Trouble> {
        self.0.answer(facts)
    }

    fn next(&self, facts: &[String], moves: &[String]) -> Result<Vec<String>, Trouble> {
        let legal = self.answer(facts)?.legal;
        for (role_idx, (text, legal)) in moves.iter().zip(&legal).enumerate() {
            if !legal.contains(text) {
                return Err(Trouble::Move { role_idx, text: text.clone() });
            }
        }
        self.0.next(facts, moves)
    }
}
