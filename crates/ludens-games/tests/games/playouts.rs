//! Uniform playouts of native games: every legal move has the same probability, in every mode.

use std::sync::Arc;

use ludens_core::{Cut, Game, Limit, Move, Rng, Role, ScalarSimulator, Simulator, View};
use ludens_games::{
    Duel, NativeSimulator, Rules, atarigo, breakthrough, domineering, havannah, knightthrough,
    misere_breakthrough, misere_domineering, misere_knightthrough, nogo,
};
use ludens_testkit::chi_square::chi_square;
use ludens_testkit::sampling::{
    Options, Summary, Way, check_decisions, check_simulator, some_starts,
};

/// A state after some random plies, or a terminal state before that.
fn random_state<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> G::State {
    let (mut state, mut view) = (game.initial(), View::default());
    for _ in 0..plies {
        game.look(&state, &mut view);
        if view.terminal {
            break;
        }
        let choose = |legal: &Vec<Move>| legal[rng.below(legal.len())];
        let joint: Vec<Move> = view.legal.iter().map(choose).collect();
        game.play(&mut state, &joint);
    }
    state
}

/// Recorded playouts make legal moves, and end where and how the game says.
fn recorded_playouts_obey_the_rules<R: Rules>(game: &Arc<Duel<R>>) {
    let mut simulator = NativeSimulator::new(Arc::clone(game));
    let (mut rng, mut view) = (Rng::new(3), View::default());
    for plies in 0..60 {
        let start = random_state(&**game, plies, &mut rng);
        let playout = simulator.record(&start, &mut rng);
        let mut state = start.clone();
        for joint in playout.moves.chunks(2) {
            game.look(&state, &mut view);
            assert!(!view.terminal, "no playout continues after the end");
            for (role, &m) in Role::all(2).zip(joint) {
                assert!(view.legal[role].contains(&m), "{}", game.move_name(role, m));
            }
            game.play(&mut state, joint);
        }
        game.look(&state, &mut view);
        assert!(view.terminal && playout.finished, "{:?}", game.facts(&state));
        assert_eq!(view.payoffs, playout.payoffs);
        assert_eq!(playout.plies as usize * 2, playout.moves.len());
    }
}

/// The first moves of many playouts from one state are spread evenly over its legal moves.
fn first_moves_are_uniform<R: Rules>(game: &Arc<Duel<R>>) {
    const DRAWS: usize = 4000;
    let mut simulator = NativeSimulator::new(Arc::clone(game));
    let (mut rng, mut view) = (Rng::new(4), View::default());
    for plies in (0..60).step_by(6) {
        let start = random_state(&**game, plies, &mut rng);
        game.look(&start, &mut view);
        if view.terminal {
            continue;
        }
        let mover = game.rules().mover(&start);
        let legal = &view.legal[Role(mover as u8)];
        let mut counts = vec![0; legal.len()];
        for _ in 0..DRAWS {
            let m = simulator.record(&start, &mut rng).moves[mover];
            counts[legal.binary_search(&m).expect("the move is legal")] += 1;
        }
        let test = chi_square(&counts, &vec![1.0; legal.len()]);
        assert!(test.fits(), "after {plies} plies: {test:?} {counts:?}");
    }
}

/// Where all lines of play can be enumerated, outcomes have the exact frequencies. The starts are
/// states after these numbers of plies.
fn outcomes_have_the_exact_frequencies<R: Rules>(game: &Arc<Duel<R>>, plies: &[usize]) {
    let mut rng = Rng::new(5);
    let starts: Vec<R::State> =
        plies.iter().map(|&plies| random_state(&**game, plies, &mut rng)).collect();
    let cuts = [(1, Cut::Draw), (3, Cut::Goal), (4, Cut::Nothing)];
    let cuts = cuts.map(|(plies, cut)| Limit { plies, cut });
    for limit in std::iter::once(Limit::default()).chain(cuts) {
        let options =
            Options { playouts: 2000, max_joints: 2_000_000, limit, ..Options::default() };
        let mut simulator = Arc::clone(game).simulator();
        let report = check_simulator(&**game, &mut *simulator, &starts, &options);
        report.unwrap_or_else(|f| panic!("{limit:?}: {f}"));
    }
}

/// Payoffs and lengths are those of the plain simulator, in every mode.
fn means_are_those_of_plain_playouts<R: Rules>(
    game: &Arc<Duel<R>>,
    playouts: usize,
    limit: Option<Limit>,
) {
    let mut rng = Rng::new(6);
    let mut plain = ScalarSimulator::new(Arc::clone(game));
    let mut native = NativeSimulator::new(Arc::clone(game));
    let start = random_state(&**game, 3, &mut rng);
    let limit = limit.unwrap_or_default();
    plain.limit(limit);
    native.limit(limit);
    let expected = Summary::of_playouts(&mut plain, Way::Run, &start, playouts, &mut rng).unwrap();
    for way in [Way::Run, Way::Stream] {
        let found = Summary::of_playouts(&mut native, way, &start, playouts, &mut rng).unwrap();
        expected.agrees(&found).unwrap_or_else(|what| panic!("{way:?}: {what}"));
    }
    let expected = Summary::of_tallies(&mut plain, &start, playouts, &mut rng).unwrap();
    let found = Summary::of_tallies(&mut native, &start, playouts, &mut rng).unwrap();
    expected.agrees(&found).unwrap_or_else(|what| panic!("tally: {what}"));
}

/// A policy sees the game's legal moves, keys and history, and is not called for forced moves.
fn policies_see_the_game<R: Rules>(game: &Arc<Duel<R>>) {
    let starts = some_starts(&**game, 6, 7);
    let starts: Vec<&R::State> = starts.iter().collect();
    let mut native = NativeSimulator::new(Arc::clone(game));
    let seen = check_decisions(&**game, &mut native, &starts, 8).unwrap_or_else(|f| panic!("{f}"));
    native.limit(Limit { plies: 2, cut: Cut::Draw });
    let few = check_decisions(&**game, &mut native, &starts, 8).unwrap_or_else(|f| panic!("{f}"));
    assert!(few > 0 && few < seen && few <= 12);
}

/// Keys are below their bound, and that of `noop` is the largest.
fn keys_are_below_their_bound<R: Rules>(game: &Arc<Duel<R>>) {
    let (mut rng, mut view, mut keys) = (Rng::new(9), View::default(), Vec::new());
    for plies in 0..60 {
        let state = random_state(&**game, plies, &mut rng);
        game.look_all(&state, &mut view);
        for (role, legal) in view.legal.entries() {
            game.codes(&state, role, legal, &mut keys);
        }
    }
    assert_eq!(keys.iter().max(), Some(&(game.n_codes() - 1)));
    let waiting = keys.iter().filter(|&&key| key == game.n_codes() - 1).count();
    assert_eq!(waiting, 60, "one role has only noop in each state");
}

/// Abandoned starts are not played.
fn abandoned_starts_are_discarded<R: Rules>(game: &Arc<Duel<R>>) {
    let mut native = NativeSimulator::new(Arc::clone(game));
    let room = native.room();
    (0..3).for_each(|tag| native.offer(tag, &game.initial()));
    assert_eq!(native.room(), room - 3);
    native.abandon();
    let mut outcomes = ludens_core::Outcomes::default();
    native.advance(&mut Rng::new(1), &mut outcomes);
    assert!(outcomes.tags.is_empty() && native.room() == room);
}

/// All checks of a game; those with exact numbers on a small board.
fn check<R: Rules>(game: Duel<R>, small: Duel<R>, plies: &[usize], playouts: usize) {
    let (game, small) = (Arc::new(game), Arc::new(small));
    for game in [&game, &small] {
        recorded_playouts_obey_the_rules(game);
        first_moves_are_uniform(game);
        policies_see_the_game(game);
        keys_are_below_their_bound(game);
    }
    abandoned_starts_are_discarded(&game);
    outcomes_have_the_exact_frequencies(&small, plies);
    means_are_those_of_plain_playouts(&game, playouts, None);
    let half = Limit { plies: 35, cut: Cut::Goal };
    means_are_those_of_plain_playouts(&game, playouts / 2, Some(half));
}

#[test]
fn atarigo() {
    check(atarigo::game(8), atarigo::game(3), &[0, 2, 4, 9], 4000);
}

#[test]
fn breakthrough() {
    check(breakthrough::game(8), breakthrough::game(4), &[4, 6, 9, 30], 4000);
}

#[test]
fn domineering() {
    check(domineering::game(8), domineering::game(4), &[0, 1, 3, 8], 4000);
}

#[test]
fn havannah() {
    check(havannah::game(8), havannah::game(3), &[10, 11, 12, 19], 3000);
}

#[test]
fn large_havannah() {
    check(havannah::large_game(11), havannah::large_game(2), &[0, 1, 2, 7], 600);
}

#[test]
fn knightthrough() {
    check(knightthrough::game(8), knightthrough::game(4), &[1, 3, 5, 30], 4000);
}

#[test]
fn misere_breakthrough() {
    check(misere_breakthrough::game(7), misere_breakthrough::game(4), &[3, 6, 9, 30], 4000);
}

#[test]
fn misere_domineering() {
    check(misere_domineering::game(7), misere_domineering::game(4), &[0, 1, 3, 8], 4000);
}

#[test]
fn misere_knightthrough() {
    check(misere_knightthrough::game(7), misere_knightthrough::game(4), &[1, 3, 5, 30], 4000);
}

#[test]
fn nogo() {
    check(nogo::game(8), nogo::game(3), &[0, 2, 4, 9], 4000);
}
