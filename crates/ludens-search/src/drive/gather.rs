//! Gathering: which searches start visits, and which leaves are offered.

use ludens_core::{Budget, Game};

use super::descents::LeafVisit;
use super::{Contexts, Driver, Slot};
use crate::evaluator::{Evaluator, Leaf};
use crate::search::Search;

/// A single search gathers when at least 1 / `FREE_DIVISOR` of its batch is free, since views are cheaper in
/// bulk.
const FREE_DIVISOR: usize = 2;

/// Several searches gather when at least 1 / `IDLE_DIVISOR` of them are idle.
const IDLE_DIVISOR: usize = 4;

impl<G: Game> Driver<G> {
    /// Gathers leaves and offers them. Returns whether any leaf is in evaluation.
    pub(super) fn gather(
        &mut self,
        searches: &mut [&mut Search<G>],
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &mut dyn Evaluator<G>,
        budget: &Budget,
    ) -> bool {
        if searches.iter().all(|search| search.is_proven()) {
            return false;
        }
        let n_evaluating = self.slots.len();
        let mut starts = self.may_start(searches, contexts, evaluator);
        if starts {
            self.idle.retain(|&i| is_idle(searches, contexts, i));
        }
        loop {
            self.requests.clear();
            if starts {
                self.request(searches, contexts, evaluator.room());
            }
            let n_waiting = self.descents.n_waiting();
            if self.requests.is_empty() && n_waiting == 0 {
                break;
            }
            // The last few descents of a batch may wait for others while leaves are in evaluation. A single
            // descent gains nothing by waiting.
            let may_wait = n_evaluating > 0
                && contexts.progress.len() == 1
                && contexts.progress[0].n_left() > 0
                && (self.requests.len() != 1 || n_waiting > 0);
            let any_ended = self.descend(searches, contexts, evaluator, may_wait);
            if !any_ended && contexts.progress.len() == 1 {
                // The search has visits in progress, and is examined when it gathers again.
                break;
            }
            self.idle.retain(|&i| is_idle(searches, contexts, i));
            // A search whose visits have all ended at proven nodes starts another one at once.
            starts = self.idle.iter().any(|&i| contexts.progress[i as usize].n_active == 0);
            if !starts || evaluator.room() == 0 || budget.is_over() {
                break;
            }
        }
        self.slots.len() > 0
    }

    /// Whether enough visits may be started to make gathering worthwhile.
    fn may_start(
        &mut self,
        searches: &mut [&mut Search<G>],
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &dyn Evaluator<G>,
    ) -> bool {
        match (&*contexts.progress, &*searches) {
            _ if self.slots.len() + self.descents.n_waiting() == 0 => true,
            ([progress], [search]) => {
                let n_free = progress.n_free(search).min(evaluator.room());
                n_free * FREE_DIVISOR >= progress.batch.size(search)
            }
            (all, _) => self.idle.len() * IDLE_DIVISOR >= all.len(),
        }
    }

    /// Requests visits of idle searches, as many as their batches and the evaluator allow. Searches with
    /// visits in progress were considered in the first pass.
    fn request(
        &mut self,
        searches: &mut [&mut Search<G>],
        contexts: &mut Contexts<'_, '_, G>,
        mut room: usize,
    ) {
        for &i in &self.idle {
            let progress = &mut contexts.progress[i as usize];
            let claimed = progress.claim(progress.n_free(searches[i as usize]).min(room));
            self.requests.extend(std::iter::repeat_n(i, claimed));
            room -= claimed;
            if room == 0 {
                break;
            }
        }
    }

    /// Makes the requested descents and offers the leaves. Returns whether visits have ended without an
    /// evaluation.
    fn descend(
        &mut self,
        searches: &mut [&mut Search<G>],
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &mut dyn Evaluator<G>,
        may_wait: bool,
    ) -> bool {
        let lockstep = contexts.progress.iter().all(|progress| progress.batch.lockstep);
        let n_requests = self.requests.len();
        let size = if lockstep { n_requests.max(1) } else { 1 };
        let (mut begin, mut any_ended) = (0, false);
        loop {
            let end = (begin + size).min(n_requests);
            let requests = &self.requests[begin..end];
            self.descents.gather(searches, contexts.policies, requests, may_wait);
            for k in 0..self.descents.ended.proven.len() {
                self.finish(self.descents.ended.proven[k], contexts);
                any_ended = true;
            }
            for k in 0..self.descents.ended.leaves.len() {
                let leaf = self.descents.ended.leaves[k];
                any_ended |= !self.offer(leaf, searches, contexts, evaluator);
            }
            begin = end;
            if begin == n_requests {
                return any_ended;
            }
        }
    }

    /// Offers a leaf to the evaluator. Returns whether it is in evaluation now.
    pub(super) fn offer(
        &mut self,
        leaf: LeafVisit,
        searches: &mut [&mut Search<G>],
        contexts: &mut Contexts<'_, '_, G>,
        evaluator: &mut dyn Evaluator<G>,
    ) -> bool {
        let (search_idx, visit) = (leaf.search_idx as usize, leaf.visit);
        let policies = &mut contexts.policies[search_idx];
        let wants_views = self.descents.expands_leaves;
        if wants_views && !searches[search_idx].view_leaf(visit, &mut self.view) {
            // Only a leaf that the tree has no room for is terminal here.
            let payoffs = self.view.payoffs.as_slice();
            searches[search_idx].back_up_terminal(visit, payoffs, policies.chain);
            self.finish(leaf.search_idx, contexts);
            return false;
        }
        let game = contexts.progress[search_idx].number_leaf();
        let tag = self.slots.insert(Slot { leaf, game });
        let search = &*searches[search_idx];
        let (state, path) = (search.leaf_state(visit), search.path(visit));
        let legal = wants_views.then_some(&self.view.legal);
        evaluator.offer(tag, &Leaf { search_idx, search, state, path, game, legal }, policies);
        true
    }
}

/// Whether a search may start a visit. Updates `is_listed` accordingly.
fn is_idle<G: Game>(
    searches: &mut [&mut Search<G>],
    contexts: &mut Contexts<'_, '_, G>,
    search_idx: u32,
) -> bool {
    let (search, progress) =
        (&*searches[search_idx as usize], &mut contexts.progress[search_idx as usize]);
    progress.is_listed =
        progress.n_left() > 0 && progress.n_free(search) > 0 && !search.is_proven();
    progress.is_listed
}
