//! Games of every kind: small variants of library rules, and games with known values.

use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, Role, View};
use ludens_gdl::Rules;
use ludens_logic::LogicGame;
use ludens_propnet::PropGame;
use ludens_testkit::tree_game::TreeGame;

/// Rules of the library, with some text replaced.
fn rules(name: &str, changes: &[(&str, &str)]) -> Rules {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut text = std::fs::read_to_string(folder.join(name)).expect("the library has the game");
    for (old, new) in changes {
        assert!(text.contains(old), "{name} does not contain {old}");
        text = text.replace(old, new);
    }
    ludens_gdl::load(&text).0.expect("the rules load")
}

/// A grounded game: single states one by one, playouts in 256 lanes.
pub fn ground(name: &str, changes: &[(&str, &str)]) -> Arc<PropGame> {
    Arc::new(PropGame::load(&rules(name, changes), &Budget::unlimited()).expect("it is grounded"))
}

/// A game that interprets the rules without grounding.
pub fn logic(name: &str, changes: &[(&str, &str)]) -> Arc<LogicGame> {
    Arc::new(LogicGame::load(&rules(name, changes), &Budget::unlimited()).expect("it loads"))
}

/// Two roles with simultaneous moves, three rounds.
pub const THREE_ROUNDS: (&str, &[(&str, &str)]) =
    ("rockpaperscissors.kif", &[("(rounds 9)", "(rounds 3)")]);

/// Three roles on a board of four by four.
pub const THREE_ROLES: (&str, &[(&str, &str)]) =
    ("connectfour_3p.kif", &[("(columns 8)", "(columns 4)"), ("(rows 6)", "(rows 4)")]);

/// One role, ten moves of eight pieces.
pub const PUZZLE: (&str, &[(&str, &str)]) =
    ("eight_puzzle.kif", &[("(true (step 50))", "(true (step 10))")]);

/// A game tree given as text.
pub fn tree(text: &str) -> Arc<TreeGame> {
    Arc::new(TreeGame::parse(text).expect("the tree is valid"))
}

/// A position of random play in which only one role decides and exactly one of its many moves wins,
/// with that role and move.
pub fn win_in_one<G: Game>(game: &G, seed: u64) -> (G::State, Role, Move) {
    let mut rng = Rng::new(seed);
    let mut view = View::default();
    let mut state = game.initial();
    loop {
        game.look(&state, &mut view);
        if view.terminal {
            state = game.initial();
            continue;
        }
        if let Some((role, mv)) = winning_move(game, &state, &view) {
            return (state, role, mv);
        }
        let joint = view.random_joint(&mut rng);
        game.play(&mut state, &joint);
    }
}

fn winning_move<G: Game>(game: &G, state: &G::State, view: &View) -> Option<(Role, Move)> {
    let mut deciders = view.legal.entries().filter(|(_, legal)| legal.len() > 1);
    let (role, legal) = deciders.next()?;
    if legal.len() < 6 || deciders.next().is_some() {
        return None;
    }
    let wins = |&&mv: &&Move| {
        let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
        joint[role.index()] = mv;
        let (mut after, mut view) = (state.clone(), View::default());
        game.play(&mut after, &joint);
        game.look(&after, &mut view);
        view.terminal && view.payoffs[role] >= 1.0
    };
    let winning: Vec<&Move> = legal.iter().filter(wins).collect();
    if let [&only] = winning[..] { Some((role, only)) } else { None }
}

/// Positions of a random game.
pub fn positions<G: Game>(game: &G) -> Vec<G::State> {
    let (mut rng, mut view) = (Rng::new(8), View::default());
    let (mut state, mut states) = (game.initial(), Vec::new());
    for _ in 0..4 {
        game.look(&state, &mut view);
        if view.terminal {
            break;
        }
        states.push(state.clone());
        let joint = view.random_joint(&mut rng);
        game.play(&mut state, &joint);
    }
    states
}
