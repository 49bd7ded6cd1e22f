//! Whether the roles of a game take turns, as Descent needs it.

use std::fmt;

use ludens_core::{Game, Rng, View};

/// Why Descent cannot learn a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Facts or moves are not known in advance.
    UnknownNames,
    /// There is no move in the initial state.
    NothingToPlay,
    /// Several roles decide at once.
    Simultaneous {
        /// The roles that decide.
        roles: Vec<String>,
        /// How many joint moves were made before.
        ply: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::UnknownNames => f.write_str("its facts or moves are not known in advance"),
            Refusal::NothingToPlay => f.write_str("it has no move in the initial state"),
            Refusal::Simultaneous { roles, ply } => write!(
                f,
                "{} decide at once after {ply} moves, and Descent is defined for games in which one role \
                 decides at a time",
                roles.join(" and ")
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// How many states of random games are looked at.
const MAX_STATES: usize = 4000;

/// Plays random games, and says why Descent cannot learn the game. Simultaneous decisions that are rare may
/// remain unnoticed; the search has a value for them (see `tree.rs`).
pub fn check<G: Game>(game: &G, max_plies: u32, rng: &mut Rng) -> Result<(), Refusal> {
    let (mut state, mut view, mut ply) = (game.initial(), View::default(), 0);
    for _ in 0..MAX_STATES {
        game.look(&state, &mut view);
        let over = view.is_over();
        if over && ply == 0 {
            return Err(Refusal::NothingToPlay);
        }
        if over || ply >= max_plies as usize {
            (state, ply) = (game.initial(), 0);
            continue;
        }
        let decides = |(_, legal): &(&String, &Vec<_>)| legal.len() > 1;
        let deciders = game.roles().iter().zip(&view.legal).filter(decides);
        let roles: Vec<String> = deciders.map(|(name, _)| name.clone()).collect();
        if roles.len() > 1 {
            return Err(Refusal::Simultaneous { roles, ply });
        }
        let joint = view.random_joint(rng);
        game.play(&mut state, &joint);
        ply += 1;
    }
    Ok(())
}
