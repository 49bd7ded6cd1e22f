//! The speed of random games, by the CPU time of one thread; and the speed of searches.
//!
//! Several games or reasoners are compared by interleaved laps (one lap of each, then another), so that the
//! other load of the machine affects all of them alike; the median lap counts.

mod search;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use ludens_core::{Game, Rng, Simulator, Tally, View};

use ludens_catalog::{AnyGame, WithGame};

pub use search::{SearchLap, SearchSetup, SearchTrack, median_search, search_track};

/// The start states of random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Starts {
    /// The initial state.
    Initial,
    /// This number of distinct states, a few random moves away from it; fewer if there are fewer.
    Leaves(usize),
}

/// Random games of one measurement.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lap {
    /// The number of games.
    pub playouts: u64,
    /// The total number of joint moves.
    pub plies: u64,
    /// CPU time of this thread.
    pub seconds: f64,
}

impl Lap {
    /// Random games per second.
    pub fn playouts_per_second(&self) -> f64 {
        self.playouts as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }
}

/// Random games of one game from given starts.
pub trait Track {
    /// Plays for about `time`.
    fn lap(&mut self, time: Duration) -> Lap;

    /// The number of start states.
    fn n_starts(&self) -> usize;

    /// All games so far.
    fn sum(&self) -> Tally;
}

/// Prepares to play random games; the same seed gives the same games in the same order.
pub fn track(game: &AnyGame, starts: Starts, seed: u64) -> Box<dyn Track> {
    game.with(Preparing { starts, seed })
}

/// The lap of median speed; an empty one if there are none.
pub fn median(mut laps: Vec<Lap>) -> Lap {
    laps.sort_by(|a, b| a.playouts_per_second().total_cmp(&b.playouts_per_second()));
    laps.get(laps.len() / 2).copied().unwrap_or_default()
}

struct Preparing {
    starts: Starts,
    seed: u64,
}

impl WithGame for Preparing {
    type Out = Box<dyn Track>;

    fn call<G: Game>(self, game: Arc<G>) -> Box<dyn Track> {
        let mut rng = Rng::stream(self.seed, &[0]);
        let starts = match self.starts {
            Starts::Initial => vec![game.initial()],
            Starts::Leaves(n) => leaves(&*game, n, &mut rng),
        };
        let tallies = vec![Tally::default(); starts.len()];
        let rng = Rng::stream(self.seed, &[1]);
        let simulator = game.simulator();
        let min_chunk = (simulator.lanes() / starts.len().max(1)).max(1) as u64;
        Box::new(Running { simulator, starts, tallies, rng, chunk: min_chunk, min_chunk })
    }
}

/// The maximum number of random moves between the initial state and a leaf.
const LEAF_DEPTH: usize = 8;
/// The maximum number of attempts per leaf.
const MAX_ATTEMPTS: usize = 100;

/// Distinct states that are not terminal, in the order in which they were found.
fn leaves<G: Game>(game: &G, n: usize, rng: &mut Rng) -> Vec<G::State> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for _ in 0..n.saturating_mul(MAX_ATTEMPTS) {
        if found.len() == n {
            break;
        }
        let depth = 1 + rng.below(LEAF_DEPTH);
        if let Some(state) =
            random_state(game, depth, rng).filter(|state| seen.insert(state.clone()))
        {
            found.push(state);
        }
    }
    found
}

/// The state after `depth` random joint moves, unless it is terminal.
fn random_state<G: Game>(game: &G, depth: usize, rng: &mut Rng) -> Option<G::State> {
    let (mut state, mut view) = (game.initial(), View::default());
    for ply in 0..=depth {
        game.look(&state, &mut view);
        if view.is_over() {
            return None;
        }
        if ply < depth {
            let joint: Vec<_> =
                view.legal.iter().map(|moves| moves[rng.below(moves.len())]).collect();
            game.play(&mut state, &joint);
        }
    }
    Some(state)
}

struct Running<G: Game> {
    simulator: Box<dyn Simulator<G>>,
    starts: Vec<G::State>,
    tallies: Vec<Tally>,
    rng: Rng,
    /// The number of games from each start per call: small at first, since their length is unknown, then as
    /// large as fits, since simulators are fastest with many.
    chunk: u64,
    /// Smaller chunks leave lanes empty.
    min_chunk: u64,
}

impl<G: Game> Running<G> {
    /// The maximum growth factor of chunks.
    const MAX_GROWTH: u64 = 8;
    /// A lap ends when less than this fraction of it is left.
    const MIN_REST: f64 = 0.05;

    fn play_chunk(&mut self) {
        let starts: Vec<&G::State> = self.starts.iter().collect();
        self.simulator.tally(&starts, self.chunk, &mut self.rng, &mut self.tallies);
    }
}

impl<G: Game> Track for Running<G> {
    fn lap(&mut self, time: Duration) -> Lap {
        if self.starts.is_empty() {
            return Lap::default();
        }
        let before = self.sum();
        let begun = ThreadTime::now();
        let wanted = time.as_secs_f64();
        loop {
            self.play_chunk();
            let (after, seconds) = (self.sum(), begun.elapsed().as_secs_f64());
            let playouts = after.playouts - before.playouts;
            let left = wanted - seconds;
            if left < Self::MIN_REST * wanted {
                return Lap { playouts, plies: after.plies - before.plies, seconds };
            }
            let each = playouts as f64 / self.starts.len() as f64;
            let fitting = (each * left / seconds.max(1e-9)) as u64;
            self.chunk =
                fitting.min(self.chunk.saturating_mul(Self::MAX_GROWTH)).max(self.min_chunk);
        }
    }

    fn n_starts(&self) -> usize {
        self.starts.len()
    }

    fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        for tally in &self.tallies {
            sum.playouts += tally.playouts;
            sum.finished += tally.finished;
            sum.plies += tally.plies;
            let payoffs = tally.payoffs.as_slice();
            sum.payoffs.resize(payoffs.len(), 0.0);
            sum.payoffs.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Budget;

    use super::*;
    use ludens_catalog::{ReasonerKind, load_game};

    fn tictactoe(starts: Starts) -> Box<dyn Track> {
        let loaded = load_game("tictactoe", ReasonerKind::Auto, &Budget::unlimited()).unwrap();
        track(&loaded.game, starts, 1)
    }

    #[test]
    fn laps_add_up() {
        let mut track = tictactoe(Starts::Initial);
        let laps = [track.lap(Duration::from_millis(3)), track.lap(Duration::from_millis(3))];
        let sum = track.sum();
        assert_eq!(laps[0].playouts + laps[1].playouts, sum.playouts);
        assert_eq!((laps[0].plies + laps[1].plies, sum.finished), (sum.plies, sum.playouts));
        assert!(laps.iter().all(|lap| lap.seconds > 0.0 && lap.playouts > 0));
        assert!((5.0..9.0).contains(&(sum.plies as f64 / sum.playouts as f64)));
    }

    #[test]
    fn leaves_are_distinct_and_as_many_as_possible() {
        assert_eq!(tictactoe(Starts::Leaves(50)).n_starts(), 50);
        let text = "(role you) (init s) (<= (legal you ?m) (true s) (m ?m)) (m a) (m b)
            (<= (next (at ?m)) (does you ?m)) (<= (legal you end) (true (at ?m)))
            (<= (next e) (does you end)) (<= terminal (true e)) (goal you 50)";
        let rules = ludens_gdl::load(text).0.unwrap();
        let game = ReasonerKind::Auto.load(&rules, &Budget::unlimited()).unwrap();
        let mut track = track(&game, Starts::Leaves(10), 1);
        assert_eq!(track.n_starts(), 2);
        let lap = track.lap(Duration::from_millis(1));
        assert_eq!(lap.plies, lap.playouts, "one move is left everywhere");
    }

    #[test]
    fn games_without_leaves_are_not_played() {
        let text = "(role you) (legal you go) (goal you 0) (<= (next x) (does you go)) terminal";
        let rules = ludens_gdl::load(text).0.unwrap();
        let game = ReasonerKind::Auto.load(&rules, &Budget::unlimited()).unwrap();
        let mut track = track(&game, Starts::Leaves(3), 1);
        assert_eq!((track.n_starts(), track.lap(Duration::from_millis(1)).playouts), (0, 0));
    }

    #[test]
    fn the_median_lap_counts() {
        let lap = |playouts| Lap { playouts, plies: 0, seconds: 1.0 };
        assert_eq!(median(vec![lap(9), lap(1), lap(3)]).playouts, 3);
        assert_eq!(median(vec![]).playouts, 0);
    }
}
