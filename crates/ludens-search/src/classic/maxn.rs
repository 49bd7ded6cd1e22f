//! Max-n: every role maximises its own payoff (Luckhardt and Irani, 1986), with iterative
//! deepening.
//!
//! If one role decides, the value of a state is the outcome that the role prefers, with ties broken
//! as in `preference.rs`. If several roles decide simultaneously, the outcomes of all joint moves
//! are solved as in `matrix.rs`: a mixed equilibrium for two roles with a constant sum, a stated
//! guess otherwise. At the depth limit the value is an estimate.
//!
//! Little can be pruned without knowing more about payoffs: only a move that gives its role the
//! highest payoff and all others the lowest cuts off the remaining moves.

use std::mem;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Payoffs, PerRole, Role, View};

use super::matrix::{Joints, Matrix};
use super::meter::{Meter, OutOfBudget};
use super::preference::{compare, is_unbeatable};
use super::root::{Verdict, has_ended, lone_decider, nothing_to_decide, untried};
use super::value::{StateValue, estimate};
use crate::agent::{Agent, MoveStats, Report};
use crate::watch::Watch;

/// A max-n search.
pub struct MaxN<G: Game> {
    game: Arc<G>,
    value: Box<dyn StateValue<G>>,
    plies: Vec<Ply<G>>,
    matrix: Matrix,
    /// Whether several roles decide in some state of the current search.
    met_simultaneous: bool,
    verdict: Option<Verdict>,
}

/// The buffers of one ply, reused for every state at that distance from the root.
struct Ply<G: Game> {
    state: Option<G::State>,
    view: View,
    joint: Vec<Move>,
    picks: Vec<u32>,
    /// The value of the state.
    worth: Payoffs,
    /// The outcome of each joint move, one payoff for each role.
    outcomes: Vec<f32>,
    /// The number of states searched below each joint move.
    efforts: Vec<u64>,
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Self {
        Ply {
            state: None,
            view: View::default(),
            joint: Vec::new(),
            picks: Vec::new(),
            worth: Payoffs::default(),
            outcomes: Vec::new(),
            efforts: Vec::new(),
        }
    }
}

impl<G: Game> MaxN<G> {
    /// The depth limit: a deeper recursion could overflow the stack, and no tree is searched that far.
    const MAX_DEPTH: u32 = 512;

    /// A search that evaluates states at the depth limit by `value`.
    pub fn new(game: Arc<G>, value: Box<dyn StateValue<G>>) -> Self {
        MaxN {
            game,
            value,
            plies: Vec::new(),
            matrix: Matrix::default(),
            met_simultaneous: false,
            verdict: None,
        }
    }

    /// The depth and the value of the last search; `None` if there was nothing to decide or no time
    /// to complete depth 1. Values that depend on simultaneous moves are never proven.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// An estimate of the value of a state, strictly between 0 and 1.
    pub(super) fn estimate(&mut self, state: &G::State, out: &mut Payoffs) {
        out.resize(self.game.roles().len(), 0.5);
        estimate(&mut *self.value, state, out);
    }

    /// Searches the whole tree to a depth; returns whether every line ended before it.
    fn iterate(&mut self, meter: &mut Meter<'_>, depth: u32) -> Result<bool, OutOfBudget> {
        self.reserve_plies(depth as usize + 1);
        self.node(meter, 0, depth)
    }

    fn reserve_plies(&mut self, plies: usize) {
        if self.plies.len() < plies {
            self.plies.resize_with(plies, Ply::default);
        }
    }

    fn node(&mut self, meter: &mut Meter<'_>, ply: usize, depth: u32) -> Result<bool, OutOfBudget> {
        meter.tick()?;
        let mut here = mem::take(&mut self.plies[ply]);
        let complete = self.expand(meter, &mut here, ply, depth);
        self.plies[ply] = here;
        complete
    }

    fn expand(
        &mut self,
        meter: &mut Meter<'_>,
        here: &mut Ply<G>,
        ply: usize,
        depth: u32,
    ) -> Result<bool, OutOfBudget> {
        let state = here.state.as_ref().expect("the parent put a state here");
        self.game.look(state, &mut here.view);
        if has_ended(&here.view) {
            here.worth.clone_from(&here.view.payoffs);
            return Ok(true);
        }
        if depth == 0 {
            self.estimate(state, &mut here.worth);
            return Ok(false);
        }
        let complete = self.search_children(meter, here, ply, depth)?;
        self.back_up(here);
        Ok(complete)
    }

    /// Searches all joint moves of a state and fills in their outcomes.
    fn search_children(
        &mut self,
        meter: &mut Meter<'_>,
        here: &mut Ply<G>,
        ply: usize,
        depth: u32,
    ) -> Result<bool, OutOfBudget> {
        let (joints, lone) = (Joints::of(&here.view), lone_decider(&here.view));
        here.outcomes.clear();
        here.efforts.clear();
        let mut complete = !joints.sampled;
        for number in 0..joints.count {
            let before = meter.spent;
            self.step(here, ply, joints, number);
            let child_complete = self.node(meter, ply + 1, depth - 1)?;
            let outcome = self.plies[ply + 1].worth.as_slice();
            here.outcomes.extend_from_slice(outcome);
            here.efforts.push(meter.spent - before);
            complete &= child_complete;
            // No cutoff at the root, since all its moves are reported.
            if ply > 0 && lone.is_some_and(|role| is_unbeatable(role, outcome)) {
                return Ok(child_complete);
            }
        }
        Ok(complete)
    }

    /// Writes the successor for a joint move into the next ply.
    fn step(&mut self, here: &mut Ply<G>, ply: usize, joints: Joints, number: usize) {
        here.picks.clear();
        joints.picks(&here.view.legal, number, &mut here.picks);
        here.joint.clear();
        let moves = here.view.legal.iter().zip(&here.picks);
        here.joint.extend(moves.map(|(legal, &pick)| legal[pick as usize]));
        let child = &mut self.plies[ply + 1].state;
        child.clone_from(&here.state);
        self.game.play(child.as_mut().expect("the parent has a state"), &here.joint);
    }

    /// Backs up the outcomes of the joint moves to the state.
    fn back_up(&mut self, here: &mut Ply<G>) {
        let n_roles = here.view.legal.n_roles();
        here.worth.resize(n_roles, 0.0);
        if let Some(role) = lone_decider(&here.view) {
            let outcomes = here.outcomes.chunks_exact(n_roles);
            // Equal outcomes are equal for every role, so that any of them will do.
            let best = outcomes.max_by(|a, b| compare(role, a, b)).expect("the decider has a move");
            here.worth.iter_mut().zip(best).for_each(|(worth, &payoff)| *worth = payoff);
        } else {
            self.met_simultaneous = true;
            let joints = Joints::of(&here.view);
            self.matrix.solve(&here.view.legal, joints, &here.outcomes, &mut here.worth);
        }
    }

    fn report(spent: u64, moves: PerRole<Vec<MoveStats>>) -> Report {
        Report { iterations: spent, plies: spent, moves, ..Report::default() }
    }

    /// The moves of the root after a complete iteration, the best ones first.
    fn ranked_moves(&self) -> PerRole<Vec<MoveStats>> {
        let root = &self.plies[0];
        let lone = lone_decider(&root.view);
        let ranked = |role| match lone {
            Some(decider) => ranked_outcomes(root, decider, role),
            None => ranked_strategy(root, &self.matrix, role),
        };
        PerRole::from(Role::all(root.view.legal.n_roles()).map(ranked).collect::<Vec<_>>())
    }
}

/// The moves of a role at a root where one role decides, by outcome. Ties keep the order of the legal moves.
fn ranked_outcomes<G: Game>(root: &Ply<G>, decider: Role, role: Role) -> Vec<MoveStats> {
    let legal = &root.view.legal[role];
    if role != decider {
        let (visits, mean) = (root.efforts.iter().sum(), f64::from(root.worth[role]));
        return legal.iter().map(|&mv| MoveStats { mv, visits, mean }).collect();
    }
    let outcome = |i: usize| &root.outcomes[i * root.worth.n_roles()..][..root.worth.n_roles()];
    let mut order: Vec<usize> = (0..legal.len()).collect();
    order.sort_by(|&a, &b| compare(role, outcome(b), outcome(a)));
    let stats = |i: usize| {
        let mean = f64::from(outcome(i)[role.index()]);
        MoveStats { mv: legal[i], visits: root.efforts[i], mean }
    };
    order.into_iter().map(stats).collect()
}

/// The moves of a role at a root where several roles decide, by their probability in the mixed
/// strategy of the root's matrix, then by their expected payoff.
fn ranked_strategy<G: Game>(root: &Ply<G>, matrix: &Matrix, role: Role) -> Vec<MoveStats> {
    let (legal, r) = (&root.view.legal[role], role.index());
    let (strategy, means) = (&matrix.strategies[r], &matrix.means[r]);
    let mut visits = vec![0; legal.len()];
    let picks = matrix.picks.iter().skip(r).step_by(matrix.strategies.len());
    picks.zip(&root.efforts).for_each(|(&pick, effort)| visits[pick as usize] += effort);
    let mut order: Vec<usize> = (0..legal.len()).collect();
    order.sort_by(|&a, &b| strategy[b].total_cmp(&strategy[a]).then(means[b].total_cmp(&means[a])));
    let stats = |i: usize| MoveStats { mv: legal[i], visits: visits[i], mean: means[i] };
    order.into_iter().map(stats).collect()
}

impl<G: Game> Agent<G> for MaxN<G> {
    /// Deepens iteratively until the budget is spent or the whole tree is searched; a unit of the
    /// budget is a state. The report is that of the deepest complete iteration; visits are the
    /// states searched below a move, means are the values of moves. A watcher sees every complete
    /// iteration, however long it took, because the next one may take much longer.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        self.verdict = None;
        self.met_simultaneous = false;
        if let Some(report) = nothing_to_decide(&view) {
            return report;
        }
        let (mut meter, mut moves) = (Meter::new(budget), untried(&view).moves);
        self.reserve_plies(1);
        self.plies[0].state = Some(state.clone());
        for depth in 1..=Self::MAX_DEPTH {
            let Ok(complete) = self.iterate(&mut meter, depth) else { break };
            moves = self.ranked_moves();
            let (payoffs, proven) =
                (self.plies[0].worth.clone(), complete && !self.met_simultaneous);
            self.verdict = Some(Verdict { depth, payoffs, proven });
            if complete || !watch.show(&Self::report(meter.spent, moves.clone())) {
                break;
            }
        }
        let proven = self.verdict.as_ref().and_then(Verdict::proven_payoffs);
        Report { proven, ..Self::report(meter.spent, moves) }
    }

    fn begin(&mut self, seed: u64) {
        self.value.begin(seed);
        self.verdict = None;
    }
}

#[cfg(test)]
mod tests;
