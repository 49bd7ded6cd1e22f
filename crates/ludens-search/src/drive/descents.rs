//! Descents from the roots of trees to leaves, many at a time.
//!
//! The expensive parts, computing views and making moves, are batched over all descents, in one tree or in
//! many. Visits are counted from the first step on (virtual loss), so that descents in the same tree spread
//! as if they were made one after the other.

use ludens_core::{Game, Move, Views};

use crate::evaluator::Policies;
use crate::search::{End, Reached, Search};
use crate::tree::NodeId;

/// A descent in progress.
#[derive(Clone, Copy)]
struct Descent {
    search_idx: u32,
    visit: u32,
    at: NodeId,
    /// Whether it ends here, and only the view is missing.
    is_leaf: bool,
}

/// A visit whose descent has ended at a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LeafVisit {
    pub search_idx: u32,
    pub visit: u32,
}

/// Descents in progress, and what they wait for. A reusable buffer.
pub(crate) struct Descents<S> {
    active: Vec<Descent>,
    /// Descents that wait for the view of their position.
    viewing: Vec<Descent>,
    /// Descents that wait for a move to be made, with the states and joint moves.
    moving: Vec<Descent>,
    states: Vec<S>,
    hashes: Vec<u64>,
    joints: Vec<Move>,
    views: Views,
    /// Whether new leaves are expanded at once, because the evaluator wants views.
    pub expands_leaves: bool,
    /// Visits that have ended at a leaf.
    pub leaves: Vec<LeafVisit>,
    /// The searches of visits that have ended at proven nodes, once for each visit.
    pub proven: Vec<u32>,
}

/// The minimum number of views or moves in a call while there is other work.
const MIN_BATCH: usize = 8;

impl<S> Default for Descents<S> {
    fn default() -> Self {
        Descents {
            active: Vec::new(),
            viewing: Vec::new(),
            moving: Vec::new(),
            states: Vec::new(),
            hashes: Vec::new(),
            joints: Vec::new(),
            views: Views::default(),
            expands_leaves: false,
            leaves: Vec::new(),
            proven: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + std::hash::Hash + Send + Sync + 'static> Descents<S> {
    /// Starts a descent in each requested search and lists the visits that end. With `may_wait`, the last
    /// few descents of a batch wait for others until the next call.
    pub fn gather<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
        requests: &[u32],
        may_wait: bool,
    ) {
        self.leaves.clear();
        self.proven.clear();
        for &search_idx in requests {
            let search = &mut *searches[search_idx as usize];
            let (visit, at) = (search.start_visit(), search.root());
            self.active.push(Descent { search_idx, visit, at, is_leaf: false });
        }
        let min_batch = if may_wait { MIN_BATCH } else { 1 };
        loop {
            self.select(searches, policies);
            // Large batches of moves are cheaper, so descents that wait for views continue first.
            if self.viewing.len() >= min_batch {
                self.expand(searches, policies);
            } else if self.moving.len() >= min_batch {
                self.make_moves(searches, policies);
            } else {
                break;
            }
        }
    }

    /// The number of waiting descents.
    pub fn n_waiting(&self) -> usize {
        self.viewing.len() + self.moving.len()
    }

    /// Discards the waiting descents.
    pub fn clear(&mut self) {
        self.viewing.clear();
        self.moving.clear();
        self.states.clear();
        self.joints.clear();
    }

    /// Continues all descents to the frontier of the trees: one after the other, or, if the trees are
    /// larger than the cache, in lockstep with prefetches.
    fn select<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
    ) {
        let mut active = std::mem::take(&mut self.active);
        let large = exceeds_cache(searches);
        let max_steps = if large { 1 } else { usize::MAX };
        while !active.is_empty() {
            if large {
                prefetch(searches, &active);
            }
            active.retain_mut(|descent| self.continue_one(searches, policies, descent, max_steps));
        }
        self.active = active;
    }

    /// Continues a descent by at most `max_steps` steps. Returns whether it can continue at once.
    fn continue_one<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
        descent: &mut Descent,
        max_steps: usize,
    ) -> bool {
        let i = descent.search_idx as usize;
        let (search, policies) = (&mut *searches[i], &mut policies[i]);
        match search.select(descent.visit, descent.at, max_steps, policies.rng) {
            Reached::Inner(at) => {
                descent.at = at;
                return true;
            }
            Reached::Closed(at) => self.end_at_closed(search, policies, Descent { at, ..*descent }),
            Reached::Cycle(at) => self.end(search, policies, *descent, End::Leaf(at)),
            Reached::Frontier(at) => {
                self.moving.push(Descent { at, ..*descent });
                self.states.push(search.state(at).clone());
                search.append_joint(descent.visit, &mut self.joints);
            }
        }
        false
    }

    /// Handles a descent at a node whose value is proven, or that is not expanded.
    fn end_at_closed<G: Game<State = S>>(
        &mut self,
        search: &mut Search<G>,
        policies: &mut Policies<'_, G>,
        descent: Descent,
    ) {
        if search.tree().is_proven(descent.at) {
            self.end(search, policies, descent, End::Proven(descent.at));
        } else if search.has_room() {
            self.viewing.push(descent);
        } else {
            self.end(search, policies, descent, End::Leaf(descent.at));
        }
    }

    /// Expands the nodes of the descents that wait for views.
    fn expand<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
    ) {
        let state = |descent: &Descent| searches[descent.search_idx as usize].state(descent.at);
        match &self.viewing[..] {
            [] => return,
            [one] => {
                let game = searches[one.search_idx as usize].game();
                game.look_many(&[state(one)], &mut self.views);
            }
            [first, ..] => {
                let game = searches[first.search_idx as usize].game();
                let states: Vec<_> = self.viewing.iter().map(state).collect();
                game.look_many(&states, &mut self.views);
            }
        }
        let mut viewing = std::mem::take(&mut self.viewing);
        for (i, descent) in viewing.drain(..).enumerate() {
            let search = &mut *searches[descent.search_idx as usize];
            // Two descents may have waited for the same view.
            let tree = search.tree();
            if !tree.is_expanded(descent.at) && !tree.is_proven(descent.at) {
                search.expand_by(descent.at, &self.views, i);
            }
            if descent.is_leaf {
                self.end_viewed(search, &mut policies[descent.search_idx as usize], descent);
            } else {
                self.active.push(descent);
            }
        }
        self.viewing = viewing;
    }

    /// Ends a descent at a new node that was expanded for its evaluator.
    fn end_viewed<G: Game<State = S>>(
        &mut self,
        search: &mut Search<G>,
        policies: &mut Policies<'_, G>,
        descent: Descent,
    ) {
        let at = descent.at;
        let end = if search.tree().is_proven(at) { End::Proven(at) } else { End::Leaf(at) };
        self.end(search, policies, descent, end);
    }

    /// Makes the moves that descents wait for.
    fn make_moves<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
    ) {
        let Some(first) = self.moving.first() else { return };
        searches[first.search_idx as usize].game().play_many(&mut self.states, &self.joints);
        let (mut moving, mut states) =
            (std::mem::take(&mut self.moving), std::mem::take(&mut self.states));
        self.hashes.clear();
        self.hashes.extend(states.iter().map(Search::<G>::hash));
        if exceeds_cache(searches) {
            let found = |(descent, hash): &(&Descent, &u64)| {
                searches[descent.search_idx as usize].prefetch_position(**hash)
            };
            std::hint::black_box(moving.iter().zip(&self.hashes).filter(found).count());
        }
        let hashes = std::mem::take(&mut self.hashes);
        for ((descent, state), &hash) in moving.drain(..).zip(states.drain(..)).zip(&hashes) {
            let i = descent.search_idx as usize;
            let (search, policies) = (&mut *searches[i], &mut policies[i]);
            match search.add_child(descent.visit, descent.at, (state, hash)) {
                Ok(known) if search.has_passed(descent.visit, known) => {
                    self.end(search, policies, descent, End::Leaf(known));
                }
                Ok(at) => self.active.push(Descent { at, ..descent }),
                Err(End::Leaf(at)) if self.expands_leaves => {
                    self.viewing.push(Descent { at, is_leaf: true, ..descent });
                }
                Err(end) => self.end(search, policies, descent, end),
            }
        }
        (self.moving, self.states, self.hashes) = (moving, states, hashes);
        self.joints.clear();
    }

    fn end<G: Game<State = S>>(
        &mut self,
        search: &mut Search<G>,
        policies: &mut Policies<'_, G>,
        descent: Descent,
        end: End<S>,
    ) {
        let Descent { search_idx, visit, .. } = descent;
        if search.end_descent(visit, end, policies.chain) {
            self.leaves.push(LeafVisit { search_idx, visit });
        } else {
            self.proven.push(search_idx);
        }
    }
}

/// Trees with more nodes than this in total do not fit into the cache.
const CACHED_NODES: usize = 30_000;

/// Whether trees are so large that most reads are cache misses.
fn exceeds_cache<G: Game>(searches: &[&mut Search<G>]) -> bool {
    let mut n_nodes = searches.iter().map(|search| search.tree().n_nodes());
    n_nodes.try_fold(0, |sum, n| (sum + n < CACHED_NODES).then_some(sum + n)).is_none()
}

/// Prefetches memory that each descent is about to read. The reads are independent, so that their cache
/// misses overlap.
fn prefetch<G: Game>(searches: &[&mut Search<G>], active: &[Descent]) {
    let tree = |descent: &Descent| searches[descent.search_idx as usize].tree();
    let nodes = active.iter().fold(0, |sum, descent| sum ^ tree(descent).node(descent.at).visits);
    let expanded = active.iter().filter(|descent| tree(descent).is_expanded(descent.at));
    let edges = expanded.fold(0, |sum, descent| sum ^ tree(descent).prefetch_edges(descent.at));
    std::hint::black_box(nodes ^ edges);
}
