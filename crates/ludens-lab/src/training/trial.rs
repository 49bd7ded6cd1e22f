//! Trial games at the end of a training, by which `zero` decides between the network and playouts.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ludens_catalog::{LoadedGame, try_network};
use ludens_core::{Budget, Rng};
use ludens_learn::{NetworkFile, Trials};

use crate::stop::Stop;

/// The share of the training time that trial games take.
const SHARE: f64 = 0.05;

/// The shortest time of all trial games, and the longest.
const MIN_TIME: Duration = Duration::from_secs(2);
const MAX_TIME: Duration = Duration::from_mins(1);

/// The longest time of a move.
const MAX_MOVE_TIME: Duration = Duration::from_millis(200);

/// Plays trial games with a network that was trained for some time, on some threads.
pub(super) fn try_out(
    game: &LoadedGame,
    network: &Arc<NetworkFile>,
    trained: Duration,
    seed: u64,
    n_threads: usize,
    stop: &Stop,
) -> Trials {
    let time = trained.mul_f64(SHARE).clamp(MIN_TIME, MAX_TIME);
    let budget = Budget::unlimited().with_time(time).with_stop(stop.flag());
    let play = |thread: usize| {
        let seed = Rng::stream(seed, &[thread as u64]).next_u64();
        try_network(&game.game, network, MAX_MOVE_TIME, seed, &budget)
    };
    let play = &play;
    let trials = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..n_threads.max(1)).map(|thread| scope.spawn(move || play(thread))).collect();
        let trials = threads.into_iter().map(|thread| thread.join().expect("no game panics"));
        trials.collect::<Vec<_>>()
    });
    trials.into_iter().fold(Trials::default(), Trials::and)
}
