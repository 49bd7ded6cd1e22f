//! Nested Monte Carlo search (Cazenave, 2009), for games of one role.
//!
//! A search of level 0 is a playout. A search of level `n` plays one line to the end: at each step
//! it evaluates every move by a search of level `n − 1` and plays the next move of the best line
//! found so far, which it memorises. Searches are repeated while the budget lasts; the best line of
//! all is kept, and followed for as long as the match does.
//!
//! If a simulator runs many playouts in parallel lanes, a search of level 1 evaluates its moves by as
//! many playouts as there are lanes, which would be idle otherwise.
//!
//! In games of several roles each role in turn plans as if it were alone: the others' moves are
//! drawn uniformly. Such a line depends on the luck of the draw, so it is not kept, and the move with
//! the highest mean payoff is the best. That is a legal move, but not a strong one.

use std::sync::Arc;

use ludens_core::{Budget, Game, Limit, Move, Playout, Rng, Role, Simulator, Uniform, View};

use super::meter::Meter;
use super::plan::Plan;
use super::root::{deciders, has_ended, nothing_to_decide};
use super::root_stats::RootStats;
use crate::agent::{Agent, Report};
use crate::watch::Watch;

/// A nested Monte Carlo search.
pub struct Nested<G: Game> {
    game: Arc<G>,
    simulator: Box<dyn Simulator<G>>,
    level: u32,
    rng: Rng,
    plan: Plan<G>,
    batch: Batch<G>,
}

/// The children of a state whose playouts run in parallel lanes.
struct Batch<G: Game> {
    states: Vec<G::State>,
    /// The joint moves that lead to them.
    joints: Vec<Move>,
    playouts: Vec<Playout>,
}

/// One search from the root for a role.
struct Run<'a, 'b> {
    role: Role,
    meter: &'a mut Meter<'b>,
    root_stats: &'a mut RootStats,
    /// The joint moves from the root to the current state.
    path: Vec<Move>,
}

/// A line of joint moves and the payoff of the role.
struct Line {
    payoff: f32,
    joints: Vec<Move>,
}

impl<G: Game> Nested<G> {
    /// A level that solves most small puzzles in seconds.
    pub const LEVEL: u32 = 2;

    /// A search of a level of at least 1 with its own random number generator.
    pub fn new(game: Arc<G>, level: u32, seed: u64) -> Self {
        let simulator = Arc::clone(&game).simulator();
        let batch = Batch { states: Vec::new(), joints: Vec::new(), playouts: Vec::new() };
        let (rng, plan) = (Rng::new(seed), Plan::empty());
        Nested { game, simulator, level: level.max(1), rng, plan, batch }
    }

    /// Cuts off longer playouts, so that none takes longer than the budget allows.
    #[must_use]
    pub fn with_limit(mut self, limit: Limit) -> Self {
        self.simulator.limit(limit);
        self
    }

    fn is_puzzle(&self) -> bool {
        self.game.roles().len() == 1
    }

    /// Whether more playouts are not allowed or would not help.
    fn is_done(&self, meter: &Meter<'_>) -> bool {
        meter.is_over() || (self.is_puzzle() && self.plan.payoff() >= 1.0)
    }

    /// Searches a state at a level; returns the best line, or the best so far when the budget is
    /// spent.
    fn search(&mut self, run: &mut Run<'_, '_>, mut state: G::State, level: u32) -> Line {
        let n_roles = self.game.roles().len();
        let start = run.path.len();
        let mut best = Line { payoff: f32::NEG_INFINITY, joints: Vec::new() };
        let mut view = View::default();
        loop {
            self.game.look(&state, &mut view);
            if has_ended(&view) {
                if run.path.len() == start {
                    best.payoff = view.payoffs[run.role];
                    run.record(&mut self.plan, best.payoff, &[]);
                }
                break;
            }
            if level == 1 {
                self.evaluate_by_playouts(run, &state, &view, start, &mut best);
            } else {
                self.evaluate_by_searches(run, &state, &view, (level, start), &mut best);
            }
            let len = run.path.len() - start;
            // There is no move only if the budget ended before the first playout.
            let Some(joint) = best.joints.get(len..len + n_roles) else { break };
            if self.is_done(run.meter) {
                break;
            }
            let own = run.role.index();
            debug_assert!(
                view.legal[run.role].contains(&joint[own]),
                "the line continues from this state"
            );
            self.game.play(&mut state, joint);
            run.path.extend_from_slice(joint);
        }
        run.path.truncate(start);
        best
    }

    /// Evaluates each move of the role by a search of the level below.
    fn evaluate_by_searches(
        &mut self,
        run: &mut Run<'_, '_>,
        state: &G::State,
        view: &View,
        (level, start): (u32, usize),
        best: &mut Line,
    ) {
        for &mv in &view.legal[run.role] {
            if self.is_done(run.meter) {
                return;
            }
            let (len, mut child) = (run.path.len(), state.clone());
            draw_joint(view, run.role, mv, &mut self.rng, &mut run.path);
            self.game.play(&mut child, &run.path[len..]);
            let line = self.search(run, child, level - 1);
            best.improve(line.payoff, &run.path[start..], &line.joints);
            run.path.truncate(len);
        }
    }

    /// Evaluates each move of the role by playouts.
    fn evaluate_by_playouts(
        &mut self,
        run: &mut Run<'_, '_>,
        state: &G::State,
        view: &View,
        start: usize,
        best: &mut Line,
    ) {
        self.run_batch(state, view, run.role, run.meter.left());
        let (n_roles, len) = (self.game.roles().len(), run.path.len());
        let joints = self.batch.joints.chunks_exact(n_roles);
        for (joint, playout) in joints.zip(&self.batch.playouts) {
            let payoff = playout.payoffs[run.role];
            run.path.extend_from_slice(joint);
            run.record(&mut self.plan, payoff, &playout.moves);
            best.improve(payoff, &run.path[start..], &playout.moves);
            run.path.truncate(len);
        }
    }

    /// Runs a playout after each move, or as many as there are lanes, but at most `limit`.
    fn run_batch(&mut self, state: &G::State, view: &View, role: Role, limit: u64) {
        let legal = &view.legal[role];
        let repeats = (self.simulator.lanes() / legal.len()).max(1);
        let count = (legal.len() * repeats).min(usize::try_from(limit).unwrap_or(usize::MAX));
        let batch = &mut self.batch;
        batch.states.clear();
        batch.joints.clear();
        for &mv in legal.iter().cycle().take(count) {
            let (len, mut child) = (batch.joints.len(), state.clone());
            draw_joint(view, role, mv, &mut self.rng, &mut batch.joints);
            self.game.play(&mut child, &batch.joints[len..]);
            batch.states.push(child);
        }
        let starts: Vec<_> = batch.states.iter().collect();
        batch.playouts.clear();
        self.simulator.run(&starts, &mut Uniform, &mut self.rng, &mut batch.playouts);
    }
}

impl Run<'_, '_> {
    /// Records a playout that continues the path.
    fn record<G: Game>(&mut self, plan: &mut Plan<G>, payoff: f32, tail: &[Move]) {
        self.meter.spent += 1;
        self.root_stats.record(self.role, self.path[self.role.index()], payoff);
        plan.offer(payoff, &self.path, tail);
    }
}

impl Line {
    /// Replaces the line by another one, given in two parts, if that is better.
    fn improve(&mut self, payoff: f32, head: &[Move], tail: &[Move]) {
        if payoff > self.payoff {
            self.payoff = payoff;
            self.joints.clear();
            self.joints.extend_from_slice(head);
            self.joints.extend_from_slice(tail);
        }
    }
}

/// Appends a joint move with a given move of one role; the others' moves are drawn uniformly.
pub(super) fn draw_joint(view: &View, role: Role, mv: Move, rng: &mut Rng, out: &mut Vec<Move>) {
    for (other, legal) in view.legal.entries() {
        out.push(match legal[..] {
            _ if other == role => mv,
            // A forced move needs no random number.
            [only] => only,
            _ => legal[rng.below(legal.len())],
        });
    }
}

impl<G: Game> Nested<G> {
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
            let (meter, root_stats) = (&mut meter, &mut root_stats);
            let mut run = Run { role, meter, root_stats, path: Vec::new() };
            self.search(&mut run, state.clone(), self.level);
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

impl<G: Game> Agent<G> for Nested<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        watch.shown(self.search_root(state, budget))
    }

    fn advance(&mut self, joint: &[Move]) {
        self.plan.advance(&self.game, joint);
    }

    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.plan = Plan::empty();
    }
}

#[cfg(test)]
mod tests;
