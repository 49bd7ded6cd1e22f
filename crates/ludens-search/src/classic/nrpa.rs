//! Nested rollout policy adaptation (Rosin, 2011), for games of one role.
//!
//! A policy has a weight for each code of a move (`Game::codes`), and a playout draws moves with
//! softmax probabilities of the weights. A search of level `n` calls the search of level `n − 1`
//! many times and, after each call, adapts the policy to the best line found so far; the level
//! below starts with a copy of that policy. Searches are repeated while the budget lasts; the best
//! line of all is kept and followed.
//!
//! In games of several roles each role in turn plans as if it were alone: the others' moves are
//! drawn uniformly, lines are not kept, and the move with the highest mean payoff is the best. That
//! is a legal move, but not a strong one.

mod policy;

use std::mem;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, Role, View};

use self::policy::{Codes, Policy, Trace};
use super::meter::Meter;
use super::nested::draw_joint;
use super::plan::Plan;
use super::root::{deciders, has_ended, nothing_to_decide};
use super::root_stats::RootStats;
use crate::agent::{Agent, Report};
use crate::watch::Watch;

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NrpaOptions {
    /// The nesting level, at least 1.
    pub level: u32,
    /// The number of calls of the level below in each level.
    pub iterations: u32,
    /// The learning rate of an adaptation.
    pub alpha: f32,
}

impl NrpaOptions {
    /// The values of the paper.
    pub const PAPER: NrpaOptions = NrpaOptions { level: 3, iterations: 100, alpha: 1.0 };
}

/// A nested rollout policy adaptation.
pub struct Nrpa<G: Game> {
    game: Arc<G>,
    options: NrpaOptions,
    rng: Rng,
    plan: Plan<G>,
    codes: Codes,
    /// The policy and the best line of each level; level 0 is the playout.
    levels: Vec<Level>,
    view: View,
    state: Option<G::State>,
}

#[derive(Default)]
struct Level {
    policy: Policy,
    best: Trace,
}

/// One search from the root for a role.
struct Run<'a, 'b, S> {
    root: &'a S,
    role: Role,
    meter: &'a mut Meter<'b>,
    root_stats: &'a mut RootStats,
}

impl<G: Game> Nrpa<G> {
    /// The limit of a playout in joint moves: games must end, and rules that allow endless play are broken.
    const MAX_PLIES: usize = 100_000;

    /// A search with its own random number generator.
    pub fn new(game: Arc<G>, options: NrpaOptions, seed: u64) -> Self {
        let mut levels = Vec::new();
        levels.resize_with(options.level.max(1) as usize + 1, Level::default);
        Nrpa {
            game,
            options,
            rng: Rng::new(seed),
            plan: Plan::empty(),
            codes: Codes::default(),
            levels,
            view: View::default(),
            state: None,
        }
    }

    fn is_puzzle(&self) -> bool {
        self.game.roles().len() == 1
    }

    /// Whether more playouts are not allowed or would not help.
    fn is_done(&self, meter: &Meter<'_>) -> bool {
        meter.is_over() || (self.is_puzzle() && self.plan.payoff() >= 1.0)
    }

    /// Searches with the policy of a level and stores the best line there.
    fn search(&mut self, run: &mut Run<'_, '_, G::State>, level: usize) {
        self.levels[level].best.payoff = f32::NEG_INFINITY;
        for _ in 0..self.options.iterations.max(1) {
            if self.is_done(run.meter) {
                return;
            }
            if level == 1 {
                self.playout(run);
            } else {
                let (below, here) = self.levels.split_at_mut(level);
                below[level - 1].policy.copy(&here[0].policy);
                self.search(run, level - 1);
            }
            let (below, here) = self.levels.split_at_mut(level);
            let (below, here) = (&mut below[level - 1], &mut here[0]);
            // A line that is only as good replaces the old one, which keeps the search from stagnating.
            if below.best.payoff >= here.best.payoff {
                mem::swap(&mut below.best, &mut here.best);
            }
            here.policy.adapt(&here.best, self.options.alpha);
        }
    }

    /// Runs a playout by the policy of level 1 into the trace of level 0.
    fn playout(&mut self, run: &mut Run<'_, '_, G::State>) {
        let mut trace = mem::take(&mut self.levels[0].best);
        trace.clear();
        let state = match &mut self.state {
            Some(state) => {
                state.clone_from(run.root);
                state
            }
            empty => empty.insert(run.root.clone()),
        };
        let policy = &self.levels[1].policy;
        loop {
            self.game.look(state, &mut self.view);
            if has_ended(&self.view) || trace.n_steps() == Self::MAX_PLIES {
                break;
            }
            let legal = &self.view.legal[run.role];
            let step = self.codes.begin_step(&*self.game, state, run.role, legal, &mut trace);
            let chosen = policy.choose(trace.options(step), &mut self.rng);
            trace.choose(step, chosen);
            let len = trace.joints.len();
            draw_joint(&self.view, run.role, legal[chosen], &mut self.rng, &mut trace.joints);
            self.game.play(state, &trace.joints[len..]);
        }
        trace.payoff = self.view.payoffs[run.role];
        run.meter.spent += 1;
        run.root_stats.record(run.role, trace.joints[run.role.index()], trace.payoff);
        self.plan.offer(trace.payoff, &trace.joints, &[]);
        self.levels[0].best = trace;
    }
}

impl<G: Game> Nrpa<G> {
    /// Repeats searches, for each role that has a choice in turn, until the budget is spent or an
    /// optimal line is found; a unit of the budget is a playout. The mean of a move is that of all
    /// playouts that start with it.
    fn search_root(&mut self, state: &G::State, budget: &Budget) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        if let Some(report) = nothing_to_decide(&view) {
            return report;
        }
        self.plan.begin_at(state);
        let (mut root_stats, mut meter) = (RootStats::new(&view), Meter::new(budget));
        let roles: Vec<Role> = deciders(&view).collect();
        for &role in roles.iter().cycle() {
            if self.is_done(&meter) {
                break;
            }
            let top = self.levels.len() - 1;
            self.levels[top].policy.clear();
            let (meter, root_stats) = (&mut meter, &mut root_stats);
            self.search(&mut Run { root: state, role, meter, root_stats }, top);
        }
        if self.is_puzzle() {
            let planned = self.plan.next(1).map(|joint| joint[0]);
            let variation = self.plan.line(1);
            return Report { variation, ..root_stats.by_best(meter.spent, planned) };
        }
        self.plan = Plan::empty();
        root_stats.by_mean(meter.spent)
    }
}

impl<G: Game> Agent<G> for Nrpa<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        watch.shown(self.search_root(state, budget))
    }

    fn advance(&mut self, joint: &[Move]) {
        self.plan.advance(&self.game, joint);
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.plan = Plan::empty();
        self.codes = Codes::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::brute;
    use crate::classic::testgames::Lock;
    use crate::testgames::{Bid, Nim};
    use ludens_testkit::hash_game::{HashGame, Shape};

    const SECRET: [u32; 12] = [3, 0, 2, 1, 1, 3, 0, 2, 2, 1, 0, 3];
    const OPTIONS: NrpaOptions = NrpaOptions { level: 2, iterations: 40, alpha: 1.0 };

    fn budget(playouts: u64) -> Budget {
        Budget::unlimited().with_iterations(playouts)
    }

    #[test]
    fn a_lock_is_opened_and_the_line_is_followed() {
        let game = Arc::new(Lock::new(4, &SECRET));
        let mut nrpa = Nrpa::new(Arc::clone(&game), OPTIONS, 1);
        let mut state = game.initial();
        for (wheel, &secret) in SECRET.iter().enumerate() {
            let report = nrpa.think(&state, &budget(5_000), &mut Watch::none());
            assert_eq!(report.best(Role(0)), Some(Move(secret)), "wheel {wheel}");
            assert_eq!(report.iterations > 0, wheel == 0, "{}", report.iterations);
            game.play(&mut state, &[Move(secret)]);
            nrpa.advance(&[Move(secret)]);
        }
    }

    #[test]
    fn adaptation_solves_what_uniform_playouts_do_not() {
        let best = |alpha| {
            let game = Arc::new(Lock::new(4, &SECRET));
            let mut nrpa = Nrpa::new(game, NrpaOptions { alpha, ..OPTIONS }, 5);
            nrpa.think(&Vec::new(), &budget(1_500), &mut Watch::none());
            nrpa.plan.payoff()
        };
        assert!(best(1.0) > 0.99, "{}", best(1.0));
        assert!(best(0.0) < 0.8, "{}", best(0.0));
    }

    #[test]
    fn the_best_line_of_a_random_puzzle_is_found() {
        for seed in 0..10 {
            let shape = Shape { n_roles: 1, constant_sum: false, ..Shape::turn_taking(5) };
            let game = Arc::new(HashGame::new(shape, seed));
            let expected = brute::value(&*game, &game.initial())[Role(0)];
            let mut nrpa = Nrpa::new(Arc::clone(&game), OPTIONS, seed);
            nrpa.think(&game.initial(), &budget(10_000), &mut Watch::none());
            let found = nrpa.plan.payoff();
            let decided = found > f32::NEG_INFINITY;
            assert!(!decided || (found - expected).abs() < 1e-6, "{seed}: {found} for {expected}");
        }
    }

    #[test]
    fn games_of_several_roles_get_sensible_moves() {
        let mut nrpa = Nrpa::new(Arc::new(Bid), OPTIONS, 3);
        let report = nrpa.think(&None, &budget(4_000), &mut Watch::none());
        let best: Vec<_> = Role::all(3).map(|role| report.best(role).unwrap().0).collect();
        assert_eq!((best, report.iterations), (vec![2, 1, 0], 4_000));
        let mut nrpa = Nrpa::new(Arc::new(Nim(3)), OPTIONS, 3);
        assert_eq!(
            nrpa.think(&(3, 0), &budget(500), &mut Watch::none()).best(Role(0)),
            Some(Move(3))
        );
    }

    #[test]
    fn budgets_are_kept_and_seeds_repeat() {
        let think = |seed, playouts| {
            let mut nrpa = Nrpa::new(Arc::new(Lock::new(4, &SECRET)), NrpaOptions::PAPER, 0);
            nrpa.begin(seed);
            nrpa.think(&Vec::new(), &budget(playouts), &mut Watch::none())
        };
        for playouts in [0, 1, 3, 50] {
            assert_eq!(think(1, playouts).iterations, playouts);
            assert!(think(1, playouts).best(Role(0)).is_some());
        }
        assert_eq!(think(7, 50), think(7, 50));
        assert_ne!(think(7, 50), think(8, 50));
        let mut nrpa = Nrpa::new(Arc::new(Nim(1)), OPTIONS, 0);
        assert_eq!(nrpa.think(&(1, 0), &budget(9), &mut Watch::none()).iterations, 0);
        assert_eq!(nrpa.think(&(0, 1), &budget(9), &mut Watch::none()).best(Role(0)), None);
    }
}
