//! Max-n: every role maximises its own payoff (Luckhardt and Irani, 1986), with iterative
//! deepening.
//!
//! At a state in which one role decides, the state is worth the outcome that the role prefers;
//! `preference.rs` says how ties are broken. Where several roles decide at the same time the
//! outcomes of all joint moves are solved as `matrix.rs` says: a mixed equilibrium for two roles
//! with a constant sum, a stated guess otherwise. At the depth limit an estimate stands in.
//!
//! Little can be pruned without knowing more about payoffs: only a move after which its role has
//! everything and the others nothing ends the search of a state.

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
    /// Whether some state of the search at hand had several roles decide.
    met_simultaneous: bool,
    verdict: Option<Verdict>,
}

/// The memory of one ply, used again for every state at that distance from the root.
struct Ply<G: Game> {
    state: Option<G::State>,
    view: View,
    joint: Vec<Move>,
    picks: Vec<u32>,
    /// What the state turned out to be worth.
    worth: Payoffs,
    /// What each joint move led to, one payoff for each role.
    outcomes: Vec<f32>,
    /// How many states were searched below each joint move.
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
    /// The deepest search: beyond it the stack could overflow, and no tree is looked through so far.
    const MAX_DEPTH: u32 = 512;

    /// A search that asks `value` what states at the depth limit are worth.
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

    /// How deep the last search came and what it found; `None` if there was nothing to decide or
    /// no time to look one move ahead. Values that pass through simultaneous moves are never
    /// proven.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// An estimate of a state, between what finished games can be worth.
    pub(super) fn estimate(&mut self, state: &G::State, out: &mut Payoffs) {
        out.resize(self.game.roles().len(), 0.5);
        estimate(&mut *self.value, state, out);
    }

    /// Searches the whole tree to a depth; says whether all games in it ended before.
    fn iterate(&mut self, meter: &mut Meter<'_>, depth: u32) -> Result<bool, OutOfBudget> {
        self.make_room(depth as usize + 1);
        self.node(meter, 0, depth)
    }

    fn make_room(&mut self, plies: usize) {
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
        let complete = self.children(meter, here, ply, depth)?;
        self.settle(here);
        Ok(complete)
    }

    /// Fills the outcomes of all joint moves of a state.
    fn children(
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
            // The root continues, since all its moves are reported.
            if ply > 0 && lone.is_some_and(|role| is_unbeatable(role, outcome)) {
                return Ok(child_complete);
            }
        }
        Ok(complete)
    }

    /// Puts the state after a joint move one ply further down.
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

    /// What a state is worth, from the outcomes of its joint moves.
    fn settle(&mut self, here: &mut Ply<G>) {
        let n_roles = here.view.legal.n_roles();
        here.worth.resize(n_roles, 0.0);
        if let Some(role) = lone_decider(&here.view) {
            let outcomes = here.outcomes.chunks_exact(n_roles);
            // Of equal outcomes the first one is as good as any: they are equal for everyone.
            let best = outcomes.max_by(|a, b| compare(role, a, b)).expect("somebody has a move");
            here.worth.iter_mut().zip(best).for_each(|(worth, &payoff)| *worth = payoff);
        } else {
            self.met_simultaneous = true;
            let joints = Joints::of(&here.view);
            self.matrix.settle(&here.view.legal, joints, &here.outcomes, &mut here.worth);
        }
    }

    fn told(spent: u64, moves: PerRole<Vec<MoveStats>>) -> Report {
        Report { iterations: spent, plies: spent, moves, ..Report::default() }
    }

    /// What the root knows after a whole iteration.
    fn report(&self) -> PerRole<Vec<MoveStats>> {
        let root = &self.plies[0];
        let lone = lone_decider(&root.view);
        let ranked = |role| match lone {
            Some(decider) => ranked_outcomes(root, decider, role),
            None => ranked_mix(root, &self.matrix, role),
        };
        PerRole::from(Role::all(root.view.legal.n_roles()).map(ranked).collect::<Vec<_>>())
    }
}

/// The moves of a role at a root where one role decides. Ties keep the order of the legal moves.
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

/// The moves of a role at a root where several decide, as the root's matrix was solved: what is
/// played most comes first, then what is worth most.
fn ranked_mix<G: Game>(root: &Ply<G>, matrix: &Matrix, role: Role) -> Vec<MoveStats> {
    let (legal, r) = (&root.view.legal[role], role.index());
    let (mix, means) = (&matrix.mixes[r], &matrix.means[r]);
    let mut visits = vec![0; legal.len()];
    let picks = matrix.picks.iter().skip(r).step_by(matrix.mixes.len());
    picks.zip(&root.efforts).for_each(|(&pick, effort)| visits[pick as usize] += effort);
    let mut order: Vec<usize> = (0..legal.len()).collect();
    order.sort_by(|&a, &b| mix[b].total_cmp(&mix[a]).then(means[b].total_cmp(&means[a])));
    let stats = |i: usize| MoveStats { mv: legal[i], visits: visits[i], mean: means[i] };
    order.into_iter().map(stats).collect()
}

impl<G: Game> Agent<G> for MaxN<G> {
    /// Looks deeper and deeper until the budget is spent or the whole game is searched; a unit of
    /// the budget is a state. The report is that of the deepest search that was completed; visits
    /// are the states below a move, means are its values. A watcher sees every completed search,
    /// however long it took, because the next one may take much longer.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        self.verdict = None;
        self.met_simultaneous = false;
        if let Some(report) = nothing_to_decide(&view) {
            return report;
        }
        let (mut meter, mut moves) = (Meter::new(budget), untried(&view).moves);
        self.make_room(1);
        self.plies[0].state = Some(state.clone());
        for depth in 1..=Self::MAX_DEPTH {
            let Ok(complete) = self.iterate(&mut meter, depth) else { break };
            moves = self.report();
            let (payoffs, proven) =
                (self.plies[0].worth.clone(), complete && !self.met_simultaneous);
            self.verdict = Some(Verdict { depth, payoffs, proven });
            if complete || !watch.show(&Self::told(meter.spent, moves.clone())) {
                break;
            }
        }
        let proven = self.verdict.as_ref().and_then(Verdict::proven_payoffs);
        Report { proven, ..Self::told(meter.spent, moves) }
    }

    fn begin(&mut self, seed: u64) {
        self.value.begin(seed);
        self.verdict = None;
    }
}

#[cfg(test)]
mod tests;
