//! Clauses about playouts: the game's simulator follows the game's rules.

use std::sync::Arc;

use ludens_core::{Game, Move, Playout, Rng, Uniform, View};

use super::{Options, Violation, joint_names};

/// Runs playouts twice with the same seed, and replays their moves.
pub(super) fn check_playouts<G: Game>(game: &Arc<G>, options: &Options) -> Result<(), Violation> {
    let playouts = run(game, options);
    let repeated = run(game, options);
    for (number, (playout, again)) in playouts.iter().zip(&repeated).enumerate() {
        let what = if playout == again { None } else { Some("the same seed gives two playouts") };
        let replayed = || replay(&**game, &game.initial(), playout, |_, _, _| ());
        let result = what.map_or_else(replayed, |what| Err(what.into()));
        result.map_err(|what| violation(game, number as u32, playout, what))?;
    }
    Ok(())
}

fn run<G: Game>(game: &Arc<G>, options: &Options) -> Vec<Playout> {
    let mut simulator = Arc::clone(game).simulator();
    let initial = game.initial();
    let starts = vec![&initial; (options.games as usize).min(2)];
    let (mut playouts, mut rng) = (Vec::new(), Rng::new(options.seed));
    simulator.run(&starts, &mut Uniform, &mut rng, &mut playouts);
    playouts
}

/// Replays the moves of a playout; calls `visit` with every state before a joint move, its view, and
/// the previous joint move. Returns the first disagreement of playout and game.
pub(crate) fn replay<G: Game>(
    game: &G,
    start: &G::State,
    playout: &Playout,
    mut visit: impl FnMut(&G::State, &View, Option<&[Move]>),
) -> Result<(), String> {
    let (mut state, mut view) = (start.clone(), View::default());
    game.look(&state, &mut view);
    let mut previous = None;
    let n_roles = game.roles().len();
    for joint in playout.moves.chunks_exact(n_roles) {
        if view.terminal {
            return Err("a playout continues after the end".into());
        }
        let is_legal = |(legal, m): (&Vec<Move>, &Move)| legal.contains(m);
        if !view.legal.iter().zip(joint).all(is_legal) {
            return Err(format!("a playout makes {joint:?}, of which not all are legal"));
        }
        visit(&state, &view, previous);
        previous = Some(joint);
        game.play(&mut state, joint);
        game.look(&state, &mut view);
    }
    if playout.plies as usize * n_roles != playout.moves.len() {
        return Err(format!("{} joint moves are called {}", playout.moves.len(), playout.plies));
    }
    if playout.finished != view.terminal {
        return Err(format!("a playout says finished: {}, the game does not", playout.finished));
    }
    if playout.finished && playout.payoffs != view.payoffs {
        let (found, expected) = (&playout.payoffs, &view.payoffs);
        return Err(format!("a playout ends with {found:?}, the game with {expected:?}"));
    }
    Ok(())
}

fn violation<G: Game>(game: &Arc<G>, number: u32, playout: &Playout, what: String) -> Violation {
    let joints = playout.moves.chunks_exact(game.roles().len());
    let moves = joints.map(|joint| joint_names(&**game, joint)).collect();
    Violation { what, game: number, moves, facts: Vec::new() }
}
