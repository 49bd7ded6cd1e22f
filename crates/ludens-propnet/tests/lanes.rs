//! Lanes and machine code agree with the scalar evaluator, state by state.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use ludens_core::{
    Budget, Cut, Game, Limit, Playout, Rng, Simulator, Tally, TextGame, Uniform, View,
};
use ludens_propnet::{Engine, Network, PropGame};
use ludens_testkit::library::{Entry, check_every_game};
use ludens_testkit::lockstep::{Options, lockstep};
use ludens_testkit::sampling::{Fault, Summary, Way};
use ludens_testkit::z_test::Sample;

fn load(entry: &Entry) -> Result<Arc<Network>, String> {
    let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
    let rules = ludens_gdl::load(&text).0.ok_or("does not load")?;
    Network::load(&rules, &Budget::unlimited()).map(Arc::new).map_err(|t| t.to_string())
}

fn on_every_library_game(check: impl Fn(&Arc<Network>) -> Result<(), String> + Sync) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    check_every_game(&folder, |entry| check(&load(entry)?));
}

/// Compares single states.
fn single(game: PropGame) -> Result<(), String> {
    let options = Options { games: 2, max_plies: 200, ..Options::default() };
    let scalar = TextGame(Arc::new(PropGame::scalar(Arc::clone(&game.network))));
    lockstep(&scalar, &TextGame(Arc::new(game)), &options).map_err(|d| d.to_string())?;
    Ok(())
}

#[test]
fn single_states_agree() {
    on_every_library_game(|network| {
        single(PropGame::lanes(Arc::clone(network))).map_err(|d| format!("lanes: {d}"))?;
        single(PropGame::jit(Arc::clone(network))).map_err(|d| format!("jit: {d}"))
    });
}

fn steps(game: &PropGame, n_steps: usize) -> Result<(), String> {
    match game.check_steps(n_steps, 16)? {
        0 => Err("nothing was compared".into()),
        _ => Ok(()),
    }
}

#[test]
fn every_lane_of_every_step_agrees() {
    on_every_library_game(|network| {
        // Large games take longer for each state.
        let n_steps = if network.net.gates.len() > 20_000 { 30 } else { 120 };
        steps(&PropGame::lanes(Arc::clone(network)), n_steps / 3)?;
        steps(&PropGame::jit(Arc::clone(network)), n_steps)
    });
}

/// Replays recorded playouts move by move and compares their ends.
fn replays(network: &Arc<Network>) -> Result<(), String> {
    let scalar = PropGame::scalar(Arc::clone(network));
    let game = Arc::new(PropGame::jit(Arc::clone(network)));
    let mut simulator = Arc::clone(&game).simulator();
    let start = game.initial();
    let mut playouts: Vec<Playout> = Vec::new();
    simulator.run(&[&start; 300], &mut Uniform, &mut Rng::new(3), &mut playouts);
    let mut view = View::default();
    for playout in playouts.iter().step_by(20) {
        let mut state = start.clone();
        let mut plies = 0;
        for joint in playout.moves.chunks(network.roles.len()) {
            scalar.look(&state, &mut view);
            let legal = view.legal.entries().zip(joint).all(|((_, legal), m)| legal.contains(m));
            if view.terminal || !legal {
                return Err(format!("an illegal move at ply {plies}"));
            }
            scalar.play(&mut state, joint);
            plies += 1;
        }
        scalar.look(&state, &mut view);
        let is_stuck = view.legal.iter().any(Vec::is_empty);
        if playout.plies != plies
            || playout.finished != view.terminal
            || !(view.terminal || is_stuck)
        {
            return Err(format!("{playout:?} does not end as replayed"));
        }
        if playout.finished && playout.payoffs != view.payoffs {
            return Err(format!("payoffs {:?} are {:?} replayed", playout.payoffs, view.payoffs));
        }
    }
    Ok(())
}

#[test]
fn recorded_playouts_can_be_replayed() {
    on_every_library_game(replays);
}

/// Compares the payoffs of playouts that are cut off with those of the scalar evaluator in the last state.
fn cuts(network: &Arc<Network>, limit: Limit) -> Result<(), String> {
    let scalar = PropGame::scalar(Arc::clone(network));
    let game = Arc::new(PropGame::jit(Arc::clone(network)));
    let mut simulator = Arc::clone(&game).simulator();
    simulator.limit(limit);
    let (start, mut playouts) = (game.initial(), Vec::new());
    simulator.run(&[&start; 300], &mut Uniform, &mut Rng::new(3), &mut playouts);
    let mut view = View::default();
    for playout in playouts.iter().step_by(20) {
        let mut state = start.clone();
        playout.moves.chunks(network.roles.len()).for_each(|joint| scalar.play(&mut state, joint));
        scalar.look(&state, &mut view);
        let terminal = view.terminal;
        if playout.plies == limit.plies && !terminal {
            limit.cut.judge(&scalar, &state, &mut view);
        }
        let same = playout.finished == terminal && playout.payoffs == view.payoffs;
        if playout.plies > limit.plies || !same {
            return Err(format!("{playout:?} is worth {:?} replayed", view.payoffs));
        }
    }
    Ok(())
}

/// Compares payoffs and lengths of uniform playouts that are cut off with those of the scalar evaluator.
fn cut_means(network: &Arc<Network>, limit: Limit) -> Result<(), String> {
    const PLAYOUTS: usize = 400;
    let scalar = Arc::new(PropGame::scalar(Arc::clone(network)));
    let lanes = Arc::new(PropGame::jit(Arc::clone(network)));
    let (start, mut rng) = (scalar.initial(), Rng::new(4));
    let (mut scalar, mut lanes) = (scalar.simulator(), lanes.simulator());
    scalar.limit(limit);
    lanes.limit(limit);
    let text = |fault: Fault| fault.to_string();
    let (way, rng) = (Way::Stream, &mut rng);
    let expected = Summary::of_playouts(&mut *scalar, way, &start, PLAYOUTS, rng).map_err(text)?;
    let found = Summary::of_playouts(&mut *lanes, way, &start, PLAYOUTS, rng).map_err(text)?;
    expected.agrees(&found).map_err(|what| format!("stream: {what}"))?;
    let found = Summary::of_tallies(&mut *lanes, &start, PLAYOUTS, rng).map_err(text)?;
    expected.agrees(&found).map_err(|what| format!("tally: {what}"))?;
    let (expected, found) = (sums(&mut *scalar, &start), sums(&mut *lanes, &start));
    let is_same = |(left, right): (&Sample, &Sample)| {
        left.agrees(right) || (left.mean() - right.mean()).abs() < 1e-6
    };
    let same = expected.iter().zip(&found).all(is_same);
    if same { Ok(()) } else { Err(format!("sums {found:?} instead of {expected:?}")) }
}

/// Lengths, finished playouts and payoffs of so many playouts that lanes are not examined one by one.
fn sums<G: Game>(simulator: &mut dyn Simulator<G>, start: &G::State) -> Vec<Sample> {
    let mut tallies = vec![Tally::default(); 40];
    simulator.tally(&vec![start; tallies.len()], 16, &mut Rng::new(5), &mut tallies);
    let mut samples = vec![Sample::default(); 2 + tallies[0].payoffs.n_roles()];
    for tally in &tallies {
        assert_eq!(tally.playouts, 16);
        let counts = [tally.plies as f64, tally.finished as f64];
        let numbers = counts.iter().chain(&tally.payoffs);
        samples.iter_mut().zip(numbers).for_each(|(sample, &number)| sample.add(number));
    }
    samples
}

#[test]
fn playouts_that_are_cut_off_agree() {
    on_every_library_game(|network| {
        for (plies, cut) in [(1, Cut::Goal), (6, Cut::Draw), (25, Cut::Goal)] {
            let limit = Limit { plies, cut };
            let describe = |what| format!("{limit:?}: {what}");
            cuts(network, limit).map_err(describe)?;
            cut_means(network, limit).map_err(describe)?;
        }
        Ok(())
    });
}

/// Two roles whose moves exclude each other in all sampled playouts but not in the rules: the
/// assumption that they can share leaves is wrong later, and playouts must detect that.
#[test]
fn wrong_assumptions_about_leaves_are_detected() {
    let mut text = String::from(
        "(role a) (role b) (init (turn a)) (init (step 0)) (init (luck 0))
        (<= (legal a (go ?n)) (true (turn a)) (number ?n))
        (<= (legal b (go ?n)) (true (turn b)) (number ?n))
        (<= (legal a wait) (not (true (turn a)))) (<= (legal b wait) (not (true (turn b))))
        (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
        (<= (next (turn a)) (true (luck 9)) (does a (go 3)))
        (<= (next (luck ?m)) (true (luck ?n)) (after ?n ?m) (does a (go 0)))
        (<= (next (luck ?n)) (true (luck ?n)) (does a wait))
        (<= (next (luck ?n)) (true (luck ?n)) (does a (go ?m)) (distinct ?m 0))
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
        (<= terminal (true (step 30))) (<= (goal a 100) (true (turn a))) (goal b 50)
        (<= (goal a 0) (not (true (turn a))))",
    );
    for n in 0..40 {
        write!(text, "(after {n} {}) (number {n})", n + 1).expect("strings take all");
    }
    let rules = ludens_gdl::load(&text).0.expect("the rules load");
    let network = Arc::new(Network::load(&rules, &Budget::unlimited()).expect("they are grounded"));
    let game = Arc::new(PropGame::jit(Arc::clone(&network)));
    let Engine::Jit(engine) = &game.engine else { unreachable!("the engine is compiled") };
    let sharing = engine.for_playouts();
    assert!(!Arc::ptr_eq(&sharing, engine), "moves of different turns share leaves");
    // Both turns at once, which takes more luck than the sample has.
    let facts = ["(turn a)", "(turn b)", "(step 0)", "(luck 9)"].map(str::to_owned);
    let start = game.parse_state(&facts).expect("the facts are known");
    let mut simulator = Arc::clone(&game).simulator();
    let mut tally = [Tally::default()];
    simulator.tally(&[&start], 1000, &mut Rng::new(1), &mut tally);
    assert_eq!(tally[0].finished, 1000);
    assert!(Arc::ptr_eq(&engine.for_playouts(), engine), "the assumption is dropped");
}
