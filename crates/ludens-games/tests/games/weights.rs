//! Weighted playouts: the probability of each move is proportional to its weight, and the reported
//! draws are those of the playout.

use std::collections::BTreeMap;
use std::sync::Arc;

use ludens_core::{
    Chooser, DrawStats, FixedWeights, Game, Move, Rng, Role, Turn, View, WeightsVersion, WithGame,
};
use ludens_games::{GAMES, with_game};
use ludens_testkit::chi_square::chi_square;

/// Fixed weights; keeps the reported draws.
struct Fixed {
    weights: [Vec<f32>; 2],
    versions: [WeightsVersion; 2],
    stats: Vec<DrawStats>,
}

impl Fixed {
    /// Weights from very small to very large ones.
    fn spread(n_codes: usize, width: f32, rng: &mut Rng) -> Self {
        let mut table =
            || (0..n_codes).map(|_| (width * (rng.unit() as f32 - 0.5)).exp()).collect();
        let versions = [WeightsVersion::fresh(), WeightsVersion::fresh()];
        Fixed { weights: [table(), table()], versions, stats: Vec::new() }
    }
}

impl FixedWeights for Fixed {
    fn weights(&self, role: Role) -> &[f32] {
        &self.weights[role.index()]
    }

    fn version(&self, role: Role) -> WeightsVersion {
        self.versions[role.index()]
    }

    fn record_draws(&mut self, _game: usize, stats: &[DrawStats]) {
        self.stats = stats.to_vec();
    }
}

impl Chooser for Fixed {
    fn choose(&mut self, _turn: &Turn<'_>, _rng: &mut Rng) -> usize {
        panic!("native simulators draw without calling the policy")
    }

    fn fixed_weights(
        &mut self,
        _: usize,
        _: usize,
        n_codes: usize,
    ) -> Option<&mut dyn FixedWeights> {
        assert!(self.weights.iter().all(|weights| weights.len() == n_codes));
        Some(self)
    }
}

/// An upper bound of the keys of a game: that of `noop` is the largest.
fn n_codes<G: Game>(game: &G) -> usize {
    let mut view = View::default();
    game.look(&game.initial(), &mut view);
    let waiting = view.legal[Role(1)][0];
    game.code(&game.initial(), Role(1), waiting) as usize + 1
}

/// The role to move, its legal moves and their keys; `None` in a terminal state.
fn turn<G: Game>(game: &G, state: &G::State) -> Option<(Role, Vec<Move>, Vec<u32>)> {
    let mut view = View::default();
    game.look(state, &mut view);
    let waiting = |role: Role| {
        view.legal[role].len() == 1 && game.move_name(role, view.legal[role][0]) == "noop"
    };
    let role = Role::all(2).find(|&role| !view.terminal && !waiting(role))?;
    let (legal, mut codes) = (view.legal[role].clone(), Vec::new());
    game.codes(state, role, &legal, &mut codes);
    Some((role, legal, codes))
}

/// The drawn keys and the sum of 1/z for each key, computed by replaying the moves.
fn replay<G: Game>(
    game: &G,
    start: &G::State,
    moves: &[Move],
    policy: &Fixed,
) -> [(Vec<u32>, BTreeMap<u32, f64>); 2] {
    let (mut found, mut state) = (<[(Vec<u32>, BTreeMap<u32, f64>); 2]>::default(), start.clone());
    for joint in moves.chunks(2) {
        let (role, legal, codes) = turn(game, &state).expect("no playout continues after the end");
        let weight = |code: &u32| f64::from(policy.weights[role.index()][*code as usize]);
        let z: f64 = codes.iter().map(weight).sum();
        let (chosen, shares) = &mut found[role.index()];
        let place = legal.binary_search(&joint[role.index()]).expect("the move is legal");
        chosen.push(codes[place]);
        for code in codes {
            *shares.entry(code).or_default() += 1.0 / z;
        }
        game.play(&mut state, joint);
    }
    assert!(turn(game, &state).is_none(), "playouts run to the end");
    found
}

/// The reported draws are those of the playouts.
struct ReportedDraws(u64);

impl WithGame for ReportedDraws {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        let mut simulator = Arc::clone(&game).simulator();
        let mut rng = Rng::new(self.0);
        for (round, width) in [(0, 0.0), (3, 4.0), (6, 12.0), (1, 30.0), (11, 1.0)] {
            let mut policy = Fixed::spread(n_codes(&*game), width, &mut rng);
            let start = advanced(&*game, round, &mut rng);
            let mut playouts = Vec::new();
            simulator.run(&[&start], &mut policy, &mut rng, &mut playouts);
            let found = replay(&*game, &start, &playouts[0].moves, &policy);
            for (role, (chosen, shares)) in found.into_iter().enumerate() {
                if playouts[0].payoffs[Role(role as u8)] > 0.0 {
                    compare(&policy.stats[role], &chosen, shares);
                }
            }
        }
    }
}

/// A state after some random moves, or the initial one if the game ends before.
fn advanced<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> G::State {
    let mut state = game.initial();
    for _ in 0..plies {
        let Some((role, legal, _)) = turn(game, &state) else { return game.initial() };
        let m = legal[rng.below(legal.len())];
        debug_assert!(role.index() < 2);
        game.play(&mut state, &[m, m]);
    }
    if turn(game, &state).is_some() { state } else { game.initial() }
}

fn compare(stats: &DrawStats, chosen: &[u32], mut shares: BTreeMap<u32, f64>) {
    assert_eq!(stats.chosen, chosen);
    let all = stats.dense_shares.iter().enumerate().map(|(code, &share)| (code as u32, share));
    let reported: Vec<_> = stats.shares.iter().copied().chain(all).collect();
    for &(code, share) in &reported {
        *shares.entry(code).or_default() -= f64::from(share);
    }
    let largest = reported.iter().map(|share| f64::from(share.1)).fold(0.0, f64::max);
    for (code, rest) in shares {
        assert!(rest.abs() <= 1e-5 * largest, "{code}: {rest} of {largest}");
    }
}

#[test]
fn reported_draws_are_those_of_the_playouts() {
    for game in GAMES {
        for size in game.size.range.clone() {
            let reported = (1..=3).map(|seed| with_game(game.name, size, ReportedDraws(seed)));
            assert!(reported.flatten().count() == 3, "{} {size}", game.name);
        }
    }
}

/// The first moves of many playouts are as frequent as their weights predict.
struct MoveFrequencies;

impl WithGame for MoveFrequencies {
    type Out = ();

    fn call<G: Game>(self, game: Arc<G>) {
        const DRAWS: usize = 20_000;
        let mut simulator = Arc::clone(&game).simulator();
        let (mut rng, mut playouts) = (Rng::new(7), Vec::new());
        for plies in [0, 5, 9] {
            let mut policy = Fixed::spread(n_codes(&*game), 3.0, &mut rng);
            let start = advanced(&*game, plies, &mut rng);
            let Some((role, legal, codes)) = turn(&*game, &start) else { continue };
            let mut counts = vec![0; legal.len()];
            for _ in 0..DRAWS {
                playouts.clear();
                simulator.run(&[&start], &mut policy, &mut rng, &mut playouts);
                let m = playouts[0].moves[role.index()];
                counts[legal.binary_search(&m).expect("the move is legal")] += 1;
            }
            let weight = |code: &u32| f64::from(policy.weights[role.index()][*code as usize]);
            let weights: Vec<f64> = codes.iter().map(weight).collect();
            let fit = chi_square(&counts, &weights);
            assert!(fit.fits(), "after {plies} plies: {counts:?} are not {weights:?}: {fit:?}");
        }
    }
}

#[test]
fn moves_are_as_frequent_as_their_weights_predict() {
    for (game, size) in GAMES.iter().flat_map(|game| [(game, 4), (game, 5)]) {
        with_game(game.name, size, MoveFrequencies).expect("it has the size");
    }
}
