//! Playouts of the scalar evaluator are those of the generic simulator.

use std::sync::Arc;

use ludens_core::{Game, Outcomes, Rng, ScalarSimulator, Simulator, Tally, Turn};
use ludens_propnet::{Network, PropGame, Scalar};

use super::{for_library, game_start, network};

/// A policy that depends on everything in the turn.
struct TurnHash;

impl ludens_core::Chooser for TurnHash {
    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize {
        let previous = turn.previous().map_or(1, |moves| moves.iter().map(|m| m.index()).sum());
        let code = turn.features.code(turn.legal[0]) as usize;
        (rng.below(7) + previous + code + turn.role.index()) % turn.legal.len()
    }
}

/// Compares all kinds of playouts, from the initial state and from later states.
fn same_playouts(network: &Arc<Network>, engine: Scalar) -> Result<(), String> {
    let game = Arc::new(PropGame::with_engine(Arc::clone(network), engine));
    let mut generic = ScalarSimulator::new(Arc::clone(&game));
    let mut tuned = Arc::clone(&game).simulator();
    let seeds = || (Rng::new(5), Rng::new(5));
    let (mut rng, mut same_rng) = seeds();
    let (mut playouts, mut same) = (Vec::new(), Vec::new());
    generic.run(&[&game.initial()], &mut TurnHash, &mut rng, &mut playouts);
    tuned.run(&[&game.initial()], &mut TurnHash, &mut same_rng, &mut same);
    let mut state = game.initial();
    let n_roles = game.roles().len();
    let half = playouts[0].plies as usize / 2;
    playouts[0].moves.chunks(n_roles).take(half).for_each(|joint| game.play(&mut state, joint));
    let starts = [&state, &game.initial(), &state];
    generic.run(&starts, &mut TurnHash, &mut rng, &mut playouts);
    tuned.run(&starts, &mut TurnHash, &mut same_rng, &mut same);
    if playouts != same || rng != same_rng {
        return Err("runs differ".into());
    }
    let (mut tallies, mut same) = (vec![Tally::default(); 3], vec![Tally::default(); 3]);
    for playouts in [1, 3] {
        generic.tally(&starts, playouts, &mut rng, &mut tallies);
        tuned.tally(&starts, playouts, &mut same_rng, &mut same);
    }
    if tallies != same || rng != same_rng {
        return Err(format!("tallies differ:\n{tallies:?}\n{same:?}"));
    }
    let (mut outcomes, mut same) = (Outcomes::default(), Outcomes::default());
    for (tag, start) in (0..).zip(starts) {
        generic.offer(tag, start);
        tuned.offer(tag, start);
        generic.advance(&mut rng, &mut outcomes);
        tuned.advance(&mut same_rng, &mut same);
    }
    if outcomes == same { Ok(()) } else { Err(format!("{outcomes:?}\n{same:?}")) }
}

#[test]
fn playouts_are_those_of_the_generic_simulator() {
    for_library(|network| {
        let incremental =
            Scalar::incremental(network).ok_or("cannot be evaluated incrementally")?;
        same_playouts(network, incremental)?;
        same_playouts(network, Scalar::plain(network))
    });
}

/// The first role may run out of moves, and several goals of a role may hold at once.
const STUCK: &str = "
    (role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (legal a stay) (true (at 0)))
    (legal b left) (legal b right)
    (<= (next (at ?y)) (does a (go ?y))) (<= (next (at 0)) (does a stay))
    (<= (next (won ?m)) (does b ?m) (not (true (at 0))))
    (<= terminal (true (won left)) (true (at 2)))
    (goal a 30) (<= (goal a 70) (true (won left))) (goal b 50)";

#[test]
fn playouts_with_stuck_roles_or_several_goals_are_the_same() {
    let network = network(STUCK, 1 << 20).expect("small enough");
    let game = Arc::new(PropGame::scalar(Arc::clone(&network)));
    let mut tally = [Tally::default()];
    game.simulator().tally(&[&game_start(&network)], 100, &mut Rng::new(1), &mut tally);
    assert!(0 < tally[0].finished && tally[0].finished < 100, "{tally:?}");
    let incremental = Scalar::incremental(&network).expect("moves follow legality");
    same_playouts(&network, incremental).unwrap();
    same_playouts(&network, Scalar::plain(&network)).unwrap();
}
