//! Move ordering by an evaluation function (Mańdziuk and Świechowski 2012, section 3.3, third use).

use ludens_core::{Game, Move, Role};

use super::Search;
use crate::heuristic::HeuristicFunction;
use crate::tree::NodeId;

impl<G: Game> Search<G> {
    /// Orders the moves of new nodes by the values of the positions after them, the best first, for
    /// policies that try moves in order.
    pub fn order_by(&mut self, function: Option<HeuristicFunction<G>>) {
        self.ordering = function;
    }

    /// Expands a node with the best moves of each role first.
    pub(super) fn expand_in_order<'a>(
        &mut self,
        id: NodeId,
        legal: impl Iterator<Item = &'a [Move]> + Clone,
    ) {
        let Some(mut function) = self.ordering.take() else { return };
        let mut ordered: Vec<Vec<Move>> = legal.map(<[Move]>::to_vec).collect();
        let mut estimates: Vec<Vec<f32>> = vec![Vec::new(); ordered.len()];
        for role in Role::all(ordered.len()) {
            if ordered[role.index()].len() > 1 {
                estimates[role.index()] = self.order(id, role, &mut ordered, &mut function);
            }
        }
        self.ordering = Some(function);
        self.tree.expand(id, ordered.iter().map(Vec::as_slice));
        for (role, values) in Role::all(estimates.len()).zip(&estimates) {
            if !values.is_empty() {
                self.tree.estimate(id, role, values);
            }
        }
        if let Some(codes) = self.tree.codes_mut() {
            for (role, legal) in Role::all(ordered.len()).zip(&ordered) {
                self.game.codes(&self.states[id.index()], role, legal, codes);
            }
        }
    }

    /// Orders the moves of a role. Returns the estimates of its payoffs in that order, if a policy
    /// subscribes to them. The simultaneous moves of other roles are unknown: their first moves are
    /// assumed.
    fn order(
        &mut self,
        id: NodeId,
        role: Role,
        legal: &mut [Vec<Move>],
        function: &mut HeuristicFunction<G>,
    ) -> Vec<f32> {
        let n_moves = legal[role.index()].len();
        let mut states = vec![self.states[id.index()].clone(); n_moves];
        let first: Vec<Move> = legal.iter().map(|legal| legal[0]).collect();
        let mut joints = Vec::with_capacity(n_moves * legal.len());
        for &mv in &legal[role.index()] {
            let joint = Role::all(legal.len()).zip(&first);
            joints.extend(joint.map(|(of, &first)| if of == role { mv } else { first }));
        }
        self.game.play_many(&mut states, &joints);
        let value = |state| function.values(state)[role.index()];
        let values: Vec<f64> = states.iter().map(value).collect();
        let mut order: Vec<usize> = (0..n_moves).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        legal[role.index()] = order.iter().map(|&i| legal[role.index()][i]).collect();
        if !self.tree.keeps_estimates() {
            return Vec::new();
        }
        let heuristic = function.heuristic();
        order.into_iter().map(|i| heuristic.estimate(role, values[i])).collect()
    }
}
