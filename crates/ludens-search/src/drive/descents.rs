//! Descents from the roots of trees to leaves, many at a time.
//!
//! The expensive parts, computing views and making moves, are batched over all descents, in one tree or in
//! many. Visits are counted from the first step on (virtual loss), so that descents in the same tree spread
//! as if they were made one after the other.

mod alone;

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

impl Descent {
    /// The index of its search, and its visit.
    fn ids(self) -> (u32, u32) {
        (self.search_idx, self.visit)
    }
}

/// A visit whose descent has ended at a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LeafVisit {
    pub search_idx: u32,
    pub visit: u32,
}

/// Descents in progress. A reusable buffer.
pub(crate) struct Descents<S> {
    active: Vec<Descent>,
    waiting: Waiting<S>,
    hashes: Vec<u64>,
    views: Views,
    /// Whether new leaves are expanded at once, because the evaluator wants views.
    pub expands_leaves: bool,
    /// The visits that have ended in the last call of [`Descents::gather`].
    pub ended: Ended,
}

/// What descents wait for.
struct Waiting<S> {
    /// Descents that wait for the view of their position.
    viewing: Vec<Descent>,
    /// Descents that wait for a move to be made, with the states and joint moves.
    moving: Vec<Descent>,
    states: Vec<S>,
    joints: Vec<Move>,
}

/// Visits that have ended.
#[derive(Default)]
pub(crate) struct Ended {
    /// Visits that have ended at a leaf.
    pub leaves: Vec<LeafVisit>,
    /// The searches of visits that have ended at proven nodes, once for each visit.
    pub proven: Vec<u32>,
}

/// The minimum number of views or moves in a call while there is other work.
const MIN_BATCH: usize = 8;

impl<S> Default for Descents<S> {
    fn default() -> Self {
        let waiting = Waiting {
            viewing: Vec::new(),
            moving: Vec::new(),
            states: Vec::new(),
            joints: Vec::new(),
        };
        Descents {
            active: Vec::new(),
            waiting,
            hashes: Vec::new(),
            views: Views::default(),
            expands_leaves: false,
            ended: Ended::default(),
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
        self.ended.leaves.clear();
        self.ended.proven.clear();
        if let &[search_idx] = requests
            && self.n_waiting() == 0
        {
            let i = search_idx as usize;
            return self.descend_alone(search_idx, searches[i], &mut policies[i]);
        }
        for &search_idx in requests {
            let search = &mut *searches[search_idx as usize];
            let (visit, at) = (search.start_visit(), search.root());
            self.active.push(Descent { search_idx, visit, at, is_leaf: false });
        }
        let min_batch = if may_wait { MIN_BATCH } else { 1 };
        loop {
            self.select(searches, policies);
            // Large batches of moves are cheaper, so descents that wait for views continue first.
            if self.waiting.viewing.len() >= min_batch {
                self.expand(searches, policies);
            } else if self.waiting.moving.len() >= min_batch {
                self.make_moves(searches, policies);
            } else {
                break;
            }
        }
    }

    /// The number of waiting descents.
    pub fn n_waiting(&self) -> usize {
        self.waiting.viewing.len() + self.waiting.moving.len()
    }

    /// Discards the waiting descents.
    pub fn clear(&mut self) {
        let Waiting { viewing, moving, states, joints } = &mut self.waiting;
        viewing.clear();
        moving.clear();
        states.clear();
        joints.clear();
    }

    /// Continues all descents to the frontier of the trees: one after the other, or, if the trees are
    /// larger than the cache, in lockstep with prefetches.
    fn select<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
    ) {
        let Descents { active, waiting, ended, .. } = self;
        // A single descent has no reads that a prefetch could overlap.
        let large = active.len() > 1 && exceeds_cache(searches);
        let max_steps = if large { 1 } else { usize::MAX };
        while !active.is_empty() {
            if large {
                prefetch(searches, active);
            }
            active.retain_mut(|descent| {
                let i = descent.search_idx as usize;
                let (search, policies) = (&mut *searches[i], &mut policies[i]);
                match search.select(descent.visit, descent.at, max_steps, policies.rng) {
                    Reached::Inner(at) => {
                        descent.at = at;
                        return true;
                    }
                    Reached::Closed(at) => {
                        let descent = Descent { at, ..*descent };
                        if let Some(end) = waiting.stop_at_closed(search, descent) {
                            ended.add(search, policies, descent.ids(), end);
                        }
                    }
                    Reached::Cycle(at) => ended.add(search, policies, descent.ids(), End::Leaf(at)),
                    Reached::Frontier(at) => waiting.move_from(search, Descent { at, ..*descent }),
                }
                false
            });
        }
    }

    /// Expands the nodes of the descents that wait for views.
    fn expand<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
    ) {
        let Descents { active, waiting, views, ended, .. } = self;
        let state = |descent: &Descent| searches[descent.search_idx as usize].state(descent.at);
        match &waiting.viewing[..] {
            [] => return,
            [one] => {
                let game = searches[one.search_idx as usize].game();
                game.look_many(&[state(one)], views);
            }
            [first, ..] => {
                let game = searches[first.search_idx as usize].game();
                let states: Vec<_> = waiting.viewing.iter().map(state).collect();
                game.look_many(&states, views);
            }
        }
        for (i, descent) in waiting.viewing.drain(..).enumerate() {
            let search = &mut *searches[descent.search_idx as usize];
            // Two descents may have waited for the same view.
            let (tree, at) = (search.tree(), descent.at);
            if !tree.is_expanded(at) && !tree.is_proven(at) {
                search.expand_by(at, views, i);
            }
            if descent.is_leaf {
                let end = if search.tree().is_proven(at) { End::Proven(at) } else { End::Leaf(at) };
                ended.add(search, &mut policies[descent.search_idx as usize], descent.ids(), end);
            } else {
                active.push(descent);
            }
        }
    }

    /// Makes the moves that descents wait for.
    fn make_moves<G: Game<State = S>>(
        &mut self,
        searches: &mut [&mut Search<G>],
        policies: &mut [Policies<'_, G>],
    ) {
        let Descents { active, waiting, hashes, ended, expands_leaves, .. } = self;
        let Waiting { viewing, moving, states, joints } = waiting;
        let Some(first) = moving.first() else { return };
        searches[first.search_idx as usize].game().play_many(states, joints);
        joints.clear();
        hashes.clear();
        hashes.extend(states.iter().map(Search::<G>::hash));
        if moving.len() > 1 && exceeds_cache(searches) {
            let found = |(descent, hash): &(&Descent, &u64)| {
                searches[descent.search_idx as usize].prefetch_position(**hash)
            };
            std::hint::black_box(moving.iter().zip(&*hashes).filter(found).count());
        }
        for ((descent, state), &hash) in moving.drain(..).zip(states.drain(..)).zip(&*hashes) {
            let i = descent.search_idx as usize;
            let (search, policies) = (&mut *searches[i], &mut policies[i]);
            match search.add_child(descent.visit, descent.at, (state, hash)) {
                Ok(known) if search.has_passed(descent.visit, known) => {
                    ended.add(search, policies, descent.ids(), End::Leaf(known));
                }
                Ok(at) => active.push(Descent { at, ..descent }),
                Err(End::Leaf(at)) if *expands_leaves => {
                    viewing.push(Descent { at, is_leaf: true, ..descent });
                }
                Err(end) => ended.add(search, policies, descent.ids(), end),
            }
        }
    }
}

impl<S: Clone> Waiting<S> {
    /// Lets a descent wait for the move that its visit selected last.
    #[inline]
    fn move_from<G: Game<State = S>>(&mut self, search: &Search<G>, descent: Descent) {
        self.moving.push(descent);
        self.states.push(search.state(descent.at).clone());
        search.append_joint(descent.visit, &mut self.joints);
    }

    /// Handles a descent at a node whose value is proven, or that is not expanded: it ends, or it waits for
    /// the view.
    #[inline]
    fn stop_at_closed<G: Game<State = S>>(
        &mut self,
        search: &mut Search<G>,
        descent: Descent,
    ) -> Option<End<S>> {
        if search.tree().is_proven(descent.at) {
            return Some(End::Proven(descent.at));
        }
        if !search.has_room() {
            return Some(End::Leaf(descent.at));
        }
        self.viewing.push(descent);
        None
    }
}

impl Ended {
    /// Ends a descent.
    #[inline]
    fn add<G: Game>(
        &mut self,
        search: &mut Search<G>,
        policies: &mut Policies<'_, G>,
        (search_idx, visit): (u32, u32),
        end: End<G::State>,
    ) {
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
