//! Playouts and evaluation of many states at once: none is lost, duplicated, favoured or mixed up.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Outcomes, Rng, Role, Simulator, Tally, View, Views};
use ludens_propnet::{Bits, Network, PropGame};
use ludens_testkit::library::{Entry, check_every_game};

type Playouts = Box<dyn Simulator<PropGame>>;

fn load(text: &str) -> Arc<PropGame> {
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    let network = Network::load(&rules, &Budget::unlimited()).expect("the rules are grounded");
    Arc::new(PropGame::jit(Arc::new(network)))
}

/// A game of `n` forced moves with a payoff of `n` hundredths; starts differ in `n`.
fn countdown() -> Arc<PropGame> {
    let mut text = String::from(
        "(role you) (init (left 9)) (legal you on) (<= terminal (true (left 0)))
        (<= (next (left ?m)) (true (left ?n)) (after ?m ?n)) (<= (next (from ?n)) (true (from ?n)))
        (<= (goal you ?n) (true (from ?n)))",
    );
    for n in 0..100 {
        write!(text, "(after {n} {}) (init (from {n})) (init (left {n}))", n + 1)
            .expect("strings take all");
    }
    load(&text)
}

fn start(game: &PropGame, n: u32) -> Bits {
    let facts = [format!("(left {n})"), format!("(from {n})")];
    game.parse_state(&facts).expect("the facts are known")
}

#[test]
fn streams_return_every_playout_with_its_own_tag() {
    let game = countdown();
    let mut simulator = Arc::clone(&game).simulator();
    // The first leaf is terminal.
    let starts: Vec<Bits> = (0..98).map(|n| start(&game, n)).collect();
    let (mut rng, mut out) = (Rng::new(5), Outcomes::default());
    let (mut offered, mut seen) = (0u32, vec![0u32; 5000]);
    while out.tags.len() < 5000 {
        while simulator.room() > 0 && offered < 5000 {
            simulator.offer(offered, &starts[rng.below(7) * 14 + offered as usize % 14]);
            offered += 1;
        }
        let before = out.tags.len();
        simulator.advance(&mut rng, &mut out);
        assert!(out.tags.len() > before, "playouts under way end");
    }
    for (i, &tag) in out.tags.iter().enumerate() {
        seen[tag as usize] += 1;
        assert!(out.finished[i]);
        let plies = out.plies[i];
        assert_eq!(plies % 14, tag % 14, "the leaf's own length");
        assert!((out.payoffs[i] - plies as f32 / 100.0).abs() < 1e-6, "the leaf's own payoff");
    }
    assert!(seen.iter().all(|&n| n == 1), "every playout ends once");
    simulator.advance(&mut rng, &mut out);
    assert_eq!(out.tags.len(), 5000, "no playout is in progress any more");
}

#[test]
fn no_leaf_of_a_stream_waits_forever() {
    let game = countdown();
    let mut simulator = Arc::clone(&game).simulator();
    let starts: Vec<Bits> = (0..10).map(|n| start(&game, n)).collect();
    let (mut rng, mut out) = (Rng::new(6), Outcomes::default());
    let mut offered = 0u32;
    while offered < 20_000 {
        while simulator.room() > 0 {
            simulator.offer(offered, &starts[rng.below(10)]);
            offered += 1;
        }
        out.clear();
        simulator.advance(&mut rng, &mut out);
        let oldest = out.tags.iter().min().expect("playouts under way end");
        assert!(offered - oldest < 2000, "{oldest} ends after {offered} were offered");
    }
}

#[test]
fn tallies_count_every_playout_of_every_start() {
    let game = countdown();
    let mut simulator = Arc::clone(&game).simulator();
    // Few and many playouts are distributed in different ways; some starts are terminal.
    for (n_starts, playouts) in [
        (1, vec![0, 1, 5, 1000, 5000]),
        (2, vec![0, 1, 15, 16, 5000]),
        (99, vec![1, 15, 16, 17, 100, 4097]),
        (600, vec![1, 16]),
    ] {
        let lengths: Vec<u64> = (1..=n_starts).map(|n| n % 100).collect();
        let starts: Vec<Bits> = lengths.iter().map(|&n| start(&game, n as u32)).collect();
        let starts: Vec<&Bits> = starts.iter().collect();
        for playouts in playouts {
            let mut tallies = vec![Tally::default(); starts.len()];
            simulator.tally(&starts, playouts, &mut Rng::new(1), &mut tallies);
            for (&n, tally) in lengths.iter().zip(&tallies) {
                assert_eq!((tally.playouts, tally.finished), (playouts, playouts));
                assert_eq!(tally.plies, n * playouts, "of {playouts} playouts");
                let sum: f64 = tally.payoffs.iter().sum();
                assert!((sum - (n * playouts) as f64 / 100.0).abs() < 1e-2, "{sum}");
            }
        }
    }
}

/// One random choice decides between a short playout that is won and a long one that is lost. A
/// simulator that stops when enough playouts have ended counts too many of the short ones.
const SHORT_WINS: &str = "(role you) (init (at 0)) (legal you a) (legal you b)
    (<= (next (won)) (true (at 0)) (does you a))
    (<= (next (at 1)) (true (at 0)) (does you b))
    (<= (next (at ?n)) (true (at ?m)) (distinct ?m 0) (after ?m ?n))
    (<= terminal (true (won))) (<= terminal (true (at 40)))
    (<= (goal you 100) (true (won))) (<= (goal you 0) (true (at 40)))";

fn short_wins() -> Arc<PropGame> {
    let mut text = SHORT_WINS.to_owned();
    (0..40).for_each(|n| write!(text, "(after {n} {})", n + 1).expect("strings take all"));
    load(&text)
}

/// Checks that half of the playouts are won, up to five standard deviations, and that the number of
/// moves is consistent with that.
fn check_fairness(tally: &Tally) {
    let n = tally.playouts as f64;
    let won = tally.payoffs.iter().sum::<f64>();
    assert!((won - n / 2.0).abs() < 5.0 * n.sqrt() / 2.0, "{won} of {n} are won");
    assert_eq!(tally.plies, won as u64 + 40 * (tally.playouts - won as u64));
}

#[test]
fn short_playouts_are_not_favoured() {
    let game = short_wins();
    let start = game.initial();
    for (n_starts, playouts) in [(1, 3000), (300, 10), (300, 16), (40, 500), (3, 5000)] {
        let mut simulator = Arc::clone(&game).simulator();
        let mut tallies = vec![Tally::default(); n_starts];
        simulator.tally(&vec![&start; n_starts], playouts, &mut Rng::new(9), &mut tallies);
        let mut sum = Tally { payoffs: vec![0.0].into(), ..Tally::default() };
        for tally in &tallies {
            assert_eq!(tally.playouts, playouts);
            sum.playouts += tally.playouts;
            sum.plies += tally.plies;
            sum.payoffs[Role(0)] += tally.payoffs[Role(0)];
            assert!(
                playouts < 100 || tally.payoffs[Role(0)] > 0.0,
                "every start has its own playouts"
            );
        }
        check_fairness(&sum);
    }
    check_fairness(&streamed(&mut Arc::clone(&game).simulator(), &start, 5000));
}

/// Runs `playouts` playouts of a state as a stream.
fn streamed(simulator: &mut Playouts, start: &Bits, playouts: u32) -> Tally {
    let (mut rng, mut out) = (Rng::new(3), Outcomes::default());
    let mut offered = 0;
    while out.tags.len() < playouts as usize {
        while simulator.room() > 0 && offered < playouts {
            simulator.offer(offered, start);
            offered += 1;
        }
        simulator.advance(&mut rng, &mut out);
    }
    let mut sum = Tally::default();
    for (i, payoff) in out.payoffs.iter().enumerate() {
        sum.add(&[*payoff], out.plies[i], out.finished[i]);
    }
    sum
}

/// States and joint moves of random playouts, including their last moves.
fn random_turns(game: &PropGame, n: usize, rng: &mut Rng) -> Vec<(Bits, Vec<Move>)> {
    let (mut state, mut view, mut turns) = (game.initial(), View::default(), Vec::new());
    let mut n_playouts = 0;
    while turns.len() < n && n_playouts < n {
        game.look(&state, &mut view);
        if view.is_over() {
            (state, n_playouts) = (game.initial(), n_playouts + 1);
            continue;
        }
        let joint: Vec<_> = view.legal.iter().map(|moves| moves[rng.below(moves.len())]).collect();
        turns.push((state.clone(), joint.clone()));
        game.play(&mut state, &joint);
    }
    turns
}

fn check_batches(network: &Arc<Network>) -> Result<(), String> {
    let scalar = PropGame::scalar(Arc::clone(network));
    let lanes = PropGame::jit(Arc::clone(network));
    let (mut rng, mut view, mut views) = (Rng::new(4), View::default(), Views::default());
    // More than 256 states, then a few in the same buffers.
    let n = if network.net.gates.len() > 20_000 { 60 } else { 300 };
    for n in [n, 7] {
        let turns = random_turns(&scalar, n, &mut rng);
        let mut states: Vec<Bits> = turns.iter().map(|(state, _)| state.clone()).collect();
        let joints: Vec<Move> = turns.iter().flat_map(|(_, joint)| joint.clone()).collect();
        lanes.play_many(&mut states, &joints);
        lanes.look_many(&states.iter().collect::<Vec<_>>(), &mut views);
        if views.len() != turns.len() {
            return Err(format!("{} views of {} states", views.len(), turns.len()));
        }
        for (i, (mut state, joint)) in turns.into_iter().enumerate() {
            scalar.play(&mut state, &joint);
            scalar.look(&state, &mut view);
            let same = states[i] == state
                && views.is_terminal(i) == view.terminal
                && (!view.terminal || views.payoffs(i) == view.payoffs.as_slice());
            if !same || !views.legal(i).eq(&view.legal) {
                return Err(format!("the state after {joint:?} differs in lane {i}"));
            }
        }
    }
    Ok(())
}

#[test]
fn batches_agree_with_the_scalar_evaluator() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    check_every_game(&folder, |entry: &Entry| {
        let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
        let rules = ludens_gdl::load(&text).0.ok_or("does not load")?;
        let network = Network::load(&rules, &Budget::unlimited()).map_err(|t| t.to_string())?;
        check_batches(&Arc::new(network))
    });
}
