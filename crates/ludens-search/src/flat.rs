//! Flat Monte Carlo: a bandit at the root and random playouts below, no tree.
//!
//! Each role selects among its own moves by UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), as if it
//! were alone, and learns only from its own payoff; so simultaneous moves and any number of roles
//! need no special treatment.

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, PerRole, Playout, Rng, Simulator, Uniform, View};

use crate::agent::{Agent, MoveStats, Report};
use crate::watch::Watch;

/// A flat Monte Carlo search.
pub struct Flat<G: Game> {
    game: Arc<G>,
    simulator: Box<dyn Simulator<G>>,
    rng: Rng,
    exploration: f64,
}

impl<G: Game> Flat<G> {
    /// Weight of the exploration term that suits payoffs between 0 and 1.
    pub const EXPLORATION: f64 = 0.7;

    /// A search with its own random number generator.
    pub fn new(game: Arc<G>, exploration: f64, seed: u64) -> Self {
        let simulator = Arc::clone(&game).simulator();
        Flat { game, simulator, rng: Rng::new(seed), exploration }
    }

    /// Runs one batch of playouts, as many as the simulator has lanes but at most `limit`.
    fn batch(&mut self, root: &G::State, arms: &mut [Arms], limit: u64) -> u64 {
        let size = (self.simulator.lanes() as u64).clamp(1, limit.max(1));
        let mut states = Vec::with_capacity(size as usize);
        let mut choices = Vec::with_capacity(size as usize);
        for _ in 0..size {
            let (state, chosen) = self.select(root, arms);
            states.push(state);
            choices.push(chosen);
        }
        let starts: Vec<_> = states.iter().collect();
        let mut playouts = Vec::with_capacity(starts.len());
        self.simulator.run(&starts, &mut Uniform, &mut self.rng, &mut playouts);
        for (chosen, playout) in choices.iter().zip(&playouts) {
            update(arms, chosen, playout);
        }
        size
    }

    fn select(&mut self, root: &G::State, arms: &mut [Arms]) -> (G::State, Vec<usize>) {
        let choose = |arms: &mut Arms| arms.select(self.exploration, &mut self.rng);
        let chosen: Vec<_> = arms.iter_mut().map(choose).collect();
        let joint: Vec<_> = arms.iter().zip(&chosen).map(|(arms, &arm)| arms.moves[arm]).collect();
        let mut state = root.clone();
        self.game.play(&mut state, &joint);
        (state, chosen)
    }
}

impl<G: Game> Agent<G> for Flat<G> {
    /// Runs at least one batch if there is anything to decide; the budget must limit time,
    /// iterations, or both.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        let mut arms: Vec<_> = view.legal.iter().map(|legal| Arms::new(legal)).collect();
        let stuck = arms.iter().any(|arms| arms.moves.is_empty());
        let forced = arms.iter().all(|arms| arms.moves.len() == 1);
        let mut iterations = 0;
        if !view.terminal && !stuck && !forced {
            loop {
                let left = budget.iterations.map_or(u64::MAX, |limit| limit - iterations);
                iterations += self.batch(state, &mut arms, left);
                if budget.is_spent(iterations) || budget.is_over() {
                    break;
                }
                if watch.is_due() && !watch.show(&report(&arms, iterations)) {
                    break;
                }
            }
        }
        report(&arms, iterations)
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

/// The report on all arms. Every role learns from every playout, so that the value of the state is known
/// for each of them.
fn report(arms: &[Arms], iterations: u64) -> Report {
    let worth =
        |arms: &Arms| (arms.total > 0).then(|| arms.sums.iter().sum::<f64>() / arms.total as f64);
    let moves: Vec<_> = arms.iter().map(Arms::stats).collect();
    let worth = arms.iter().map(worth).collect();
    Report { worth, ..Report::sorted(iterations, PerRole::from(moves)) }
}

fn update(arms: &mut [Arms], chosen: &[usize], playout: &Playout) {
    for ((arms, &arm), payoff) in arms.iter_mut().zip(chosen).zip(&playout.payoffs) {
        arms.sums[arm] += f64::from(*payoff);
    }
}

/// The moves of one role as arms of a bandit.
struct Arms {
    moves: Vec<Move>,
    visits: Vec<u64>,
    sums: Vec<f64>,
    total: u64,
}

impl Arms {
    fn new(moves: &[Move]) -> Self {
        let n = moves.len();
        Arms { moves: moves.to_vec(), visits: vec![0; n], sums: vec![0.0; n], total: 0 }
    }

    /// UCB1. A visit counts from its selection, so a batch spreads over the arms.
    fn select(&mut self, exploration: f64, rng: &mut Rng) -> usize {
        let arm = self.untried(rng).unwrap_or_else(|| self.highest_bound(exploration));
        self.visits[arm] += 1;
        self.total += 1;
        arm
    }

    fn untried(&self, rng: &mut Rng) -> Option<usize> {
        if self.total >= self.moves.len() as u64 {
            return None;
        }
        let untried = |&arm: &usize| self.visits[arm] == 0;
        let n = (0..self.moves.len()).filter(untried).count();
        (0..self.moves.len()).filter(untried).nth(rng.below(n))
    }

    fn highest_bound(&self, exploration: f64) -> usize {
        let log = (self.total as f64).ln();
        let bound = |arm: usize| {
            let n = self.visits[arm] as f64;
            self.sums[arm] / n + exploration * (log / n).sqrt()
        };
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for arm in 0..self.moves.len() {
            let bound = bound(arm);
            if bound > highest {
                (best, highest) = (arm, bound);
            }
        }
        best
    }

    fn stats(&self) -> Vec<MoveStats> {
        let stats = |arm: usize| {
            let visits = self.visits[arm];
            let mean = if visits == 0 { 0.0 } else { self.sums[arm] / visits as f64 };
            MoveStats { mv: self.moves[arm], visits, mean }
        };
        (0..self.moves.len()).map(stats).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::testgames::{Bid, Nim};
    use ludens_core::Role;

    fn think<G: Game>(game: G, seed: u64, iterations: u64) -> Report {
        let game = Arc::new(game);
        let mut flat = Flat::new(Arc::clone(&game), Flat::<G>::EXPLORATION, seed);
        flat.think(
            &game.initial(),
            &Budget::unlimited().with_iterations(iterations),
            &mut Watch::none(),
        )
    }

    #[test]
    fn each_role_finds_its_best_simultaneous_move() {
        let report = think(Bid, 3, 300);
        let best: Vec<_> = Role::all(3).map(|role| report.best(role).unwrap().0).collect();
        assert_eq!(best, [2, 1, 0]);
        assert_eq!(report.iterations, 300);
        for stats in &report.moves {
            assert_eq!(stats.iter().map(|stats| stats.visits).sum::<u64>(), 300);
        }
        assert!((report.moves[Role(1)][0].mean - 1.0).abs() < 1e-9);
        assert_eq!(report.worth[2], Some(0.5), "the third role always has half");
    }

    #[test]
    fn a_win_in_one_is_found() {
        assert_eq!(think(Nim(3), 1, 500).best(Role(0)), Some(Move(3)));
    }

    #[test]
    fn the_same_seed_gives_the_same_report() {
        assert_eq!(think(Nim(21), 5, 400), think(Nim(21), 5, 400));
        assert_ne!(think(Nim(21), 5, 400), think(Nim(21), 6, 400));
    }

    #[test]
    fn finished_and_forced_states_need_no_playouts() {
        let (nim, budget) = (Arc::new(Nim(1)), Budget::unlimited());
        let mut flat = Flat::new(Arc::clone(&nim), 1.0, 1);
        let forced = flat.think(&nim.initial(), &budget, &mut Watch::none());
        assert_eq!((forced.iterations, forced.best(Role(0))), (0, Some(Move(1))));
        assert_eq!(flat.think(&(0, 1), &budget, &mut Watch::none()).best(Role(0)), None);
    }

    #[test]
    fn a_spent_time_budget_allows_one_batch() {
        let nim = Arc::new(Nim(21));
        let mut flat = Flat::new(Arc::clone(&nim), 1.0, 1);
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        assert_eq!(flat.think(&nim.initial(), &budget, &mut Watch::none()).iterations, 1);
    }
}
