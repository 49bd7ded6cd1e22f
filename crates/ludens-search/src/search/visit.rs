//! A visit: down the tree to a leaf, and back up with the evaluation of the leaf.

use ludens_core::{Game, Move};

use super::Search;
use crate::episode::{Episode, Path};
use crate::evaluator::Evaluation;
use crate::playout_policy::Chain;
use crate::tree::NodeId;

/// A visit in progress.
pub(super) struct Visit {
    pub(super) path: Path,
    /// The node of the leaf; `None` if the tree has no room for the position.
    leaf: Option<NodeId>,
    /// The thread that started it; `None` if the visit is over.
    owner: Option<u32>,
}

/// Where a descent ends.
pub(crate) enum End<S> {
    /// At a node whose value is proven.
    Proven(NodeId),
    /// At a node to be evaluated.
    Leaf(NodeId),
    /// At a position for which the tree has no room.
    Outside(S),
}

impl<G: Game> Search<G> {
    /// Starts a visit at the root and returns its number.
    pub(crate) fn start_visit(&mut self) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            let path = Path::new(self.tree.n_roles());
            self.visits.push(Visit { path, leaf: None, owner: None });
            (self.visits.len() - 1) as u32
        });
        let visit = &mut self.visits[number as usize];
        visit.path.clear();
        visit.owner = Some(self.owner);
        number
    }

    /// Starts a visit that ends at the root, for the evaluation of the root itself.
    pub(crate) fn visit_root(&mut self) -> u32 {
        let number = self.start_visit();
        self.visits[number as usize].leaf = Some(self.root);
        number
    }

    /// Frees all visits, keeping their allocations.
    pub(super) fn free_visits(&mut self) {
        self.visits.iter_mut().for_each(|visit| visit.owner = None);
        self.outside.clear();
        self.free.clear();
        self.free.extend((0..self.visits.len() as u32).rev());
    }

    /// Whether a visit has passed through a node.
    pub(crate) fn has_passed(&self, visit: u32, node: NodeId) -> bool {
        self.visits[visit as usize].path.contains(node)
    }

    /// Appends the joint move that a visit selected last.
    pub(crate) fn append_joint(&self, visit: u32, joint: &mut Vec<Move>) {
        let (node, chosen) = self.visits[visit as usize].path.last().expect("a move was selected");
        joint.extend(self.tree.chosen_moves(node, chosen));
    }

    /// Adds the position after the joint move that a visit selected last. Returns the node if the tree
    /// had it already, and the end of the descent otherwise.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call per visit: 2 % of all instructions of UCT")]
    pub(crate) fn add_child(
        &mut self,
        visit: u32,
        from: NodeId,
        (state, hash): (G::State, u64),
    ) -> Result<NodeId, End<G::State>> {
        let (child, known) = if self.has_room() {
            self.find_or_insert(state, hash)
        } else {
            match self.find(&state, hash) {
                Some(known) => (known, true),
                None => return Err(End::Outside(state)),
            }
        };
        let (_, chosen) = self.visits[visit as usize].path.last().expect("a move was selected");
        self.tree.link(from, chosen, child);
        if known { Ok(child) } else { Err(End::Leaf(child)) }
    }

    /// Ends a descent. Returns whether the leaf has to be evaluated; otherwise the visit is already backed
    /// up.
    #[inline]
    pub(crate) fn end_descent(
        &mut self,
        number: u32,
        end: End<G::State>,
        chain: &mut Chain,
    ) -> bool {
        let visit = &mut self.visits[number as usize];
        match end {
            End::Proven(id) => {
                visit.leaf = Some(id);
                self.back_up_proven(number, id, chain);
                return false;
            }
            End::Leaf(id) => visit.leaf = Some(id),
            End::Outside(state) => {
                visit.leaf = None;
                self.keep_outside(number, state);
            }
        }
        true
    }

    /// Stores a position for which the tree has no room.
    #[cold]
    fn keep_outside(&mut self, number: u32, state: G::State) {
        self.outside.resize_with(self.visits.len(), || None);
        self.outside[number as usize] = Some(state);
    }

    /// The position at which a visit has ended.
    pub(crate) fn leaf_state(&self, visit: u32) -> &G::State {
        match self.visits[visit as usize].leaf {
            Some(id) => &self.states[id.index()],
            None => self.outside[visit as usize].as_ref().expect("a leaf has a position"),
        }
    }

    /// The node at which a visit has ended, if it is in the tree and expanded.
    pub(crate) fn expanded_leaf(&self, visit: u32) -> Option<NodeId> {
        self.visits[visit as usize].leaf.filter(|&id| self.tree.is_expanded(id))
    }

    /// The path of a visit.
    pub(crate) fn path(&self, visit: u32) -> &Path {
        &self.visits[visit as usize].path
    }

    /// Prefetches memory for the backup of a visit.
    pub(crate) fn prefetch_path(&self, visit: u32) -> u32 {
        let steps = self.visits[visit as usize].path.steps();
        steps.fold(0, |sum, (node, chosen)| sum ^ self.tree.prefetch_step(node, chosen))
    }

    /// Backs up the evaluation of the leaf of a visit, which playout policies identify by `game`.
    pub(crate) fn back_up(
        &mut self,
        visit: u32,
        evaluation: &Evaluation<'_>,
        game: usize,
        chain: &mut Chain,
    ) {
        if let Some(leaf) = self.visits[visit as usize].leaf.filter(|_| evaluation.terminal) {
            self.tree.prove(leaf, evaluation.payoffs);
        }
        self.accept_priors(visit, evaluation.priors);
        self.update(visit as usize, evaluation, game, chain);
        self.end_visit(visit);
    }

    /// Backs up a visit whose leaf is terminal, and for which the tree has no room.
    pub(crate) fn back_up_terminal(&mut self, visit: u32, payoffs: &[f32], chain: &mut Chain) {
        chain.begin(&self.tree, &self.visits[visit as usize].path, 0);
        let evaluation = Evaluation { terminal: true, ..Evaluation::of(payoffs) };
        self.back_up(visit, &evaluation, 0, chain);
    }

    /// Stores the priors from an evaluation of the root, which is not counted as a simulation.
    pub(crate) fn accept_root(&mut self, visit: u32, evaluation: &Evaluation<'_>) {
        self.accept_priors(visit, evaluation.priors);
        self.end_visit(visit);
    }

    fn accept_priors(&mut self, visit: u32, priors: &[f32]) {
        if let Some(leaf) = self.expanded_leaf(visit).filter(|_| !priors.is_empty()) {
            self.tree.set_priors(leaf, priors);
        }
    }

    fn end_visit(&mut self, visit: u32) {
        self.free.push(visit);
        self.visits[visit as usize].owner = None;
    }

    /// Backs up a visit that has ended at a node whose value is proven.
    fn back_up_proven(&mut self, number: u32, id: NodeId, chain: &mut Chain) {
        let mut payoffs = std::mem::take(&mut self.payoffs);
        payoffs.clear();
        payoffs.extend_from_slice(self.tree.proven(id).expect("the value is proven"));
        chain.begin(&self.tree, &self.visits[number as usize].path, 0);
        self.update(number as usize, &Evaluation::of(&payoffs), 0, chain);
        self.payoffs = payoffs;
        self.end_visit(number);
    }

    #[inline]
    fn update(
        &mut self,
        number: usize,
        evaluation: &Evaluation<'_>,
        game: usize,
        chain: &mut Chain,
    ) {
        let full = self.policy.grows() && !self.has_room();
        let Visit { path, .. } = &self.visits[number];
        self.plies += path.len() as u64 + u64::from(evaluation.plies);
        for (node, chosen) in path.steps() {
            self.tree.end_visit(node, chosen, evaluation.payoffs);
        }
        if let Some(kept) = &mut self.root_payoffs {
            kept.add(path, evaluation.payoffs);
        }
        let Evaluation { payoffs, moves, .. } = *evaluation;
        let (rules, states) = (&self.game, &self.states);
        let facts = &|id: NodeId, out: &mut Vec<u32>| {
            if let Some(vocabulary) = rules.vocabulary() {
                vocabulary.fact_ids(&states[id.index()], out);
            }
        };
        if let Some(mut amaf) = self.tree.amaf.take() {
            let episode = Episode { tree: &self.tree, path, game, moves, payoffs, facts };
            amaf.learn(&self.tree, &episode);
            self.tree.amaf = Some(amaf);
        }
        let episode = Episode { tree: &self.tree, path, game, moves, payoffs, facts };
        self.policy.learn(&episode, full);
        chain.learn(&episode);
        if self.settings.solver && self.may_prove(number) {
            crate::solver_backup::prove(&mut self.tree, &self.visits[number].path);
        }
    }

    /// Whether the end of a visit or the node above it is proven, so that nodes above may be as well.
    #[inline]
    fn may_prove(&self, number: usize) -> bool {
        let Visit { path, leaf, .. } = &self.visits[number];
        let is_proven = |id: NodeId| self.tree.is_proven(id);
        leaf.is_none_or(is_proven) || path.last().is_some_and(|(above, _)| is_proven(above))
    }

    /// Cancels the visits that the current owner has in progress.
    pub(crate) fn abandon(&mut self) {
        for (number, visit) in self.visits.iter_mut().enumerate() {
            if visit.owner != Some(self.owner) {
                continue;
            }
            visit.owner = None;
            for (node, chosen) in visit.path.steps() {
                self.tree.cancel_visit(node, chosen);
            }
            self.free.push(number as u32);
        }
    }
}
