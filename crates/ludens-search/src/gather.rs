//! Going down trees many times at once.
//!
//! What is dear on the way, looking at positions and making moves, is done for all walks together,
//! be they in one tree or each in a tree of its own. Visits count from step to step, so that walks in
//! the same tree avoid each other as if they had gone one after the other.

use ludens_core::{Game, Move, Rng, Views};

use crate::playout_policy::Chain;
use crate::search::{End, Search, Walked};
use crate::tree::NodeId;

/// Who goes down a tree.
pub(crate) struct Walker<'a, G: Game> {
    pub search: &'a mut Search<G>,
    pub chain: &'a mut Chain,
    pub rng: &'a mut Rng,
}

/// A walk under way.
#[derive(Clone, Copy)]
struct Walk {
    /// The number of the walker.
    walker: u32,
    ticket: u32,
    at: NodeId,
}

/// A leaf at which a walk has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// The number of the walker.
    pub walker: u32,
    pub ticket: u32,
}

/// Walks under way, and what they wait for. A buffer, filled again and again.
pub(crate) struct Walks<S> {
    walking: Vec<Walk>,
    /// Those that wait for a look at their position.
    looking: Vec<Walk>,
    /// Those that wait for a move to be made, with the states and joint moves.
    moving: Vec<Walk>,
    states: Vec<S>,
    /// The numbers of the positions that moves have led to.
    hashes: Vec<u64>,
    joints: Vec<Move>,
    views: Views,
    /// Where walks have ended.
    pub leaves: Vec<Leaf>,
    /// How many walks have ended at positions whose value is known.
    pub n_settled: usize,
}

/// Looking at fewer positions than this, or making fewer moves, is not worth the trouble as long as
/// there is something else to do.
const FEW: usize = 8;

impl<S> Default for Walks<S> {
    fn default() -> Self {
        Walks {
            walking: Vec::new(),
            looking: Vec::new(),
            moving: Vec::new(),
            states: Vec::new(),
            hashes: Vec::new(),
            joints: Vec::new(),
            views: Views::default(),
            leaves: Vec::new(),
            n_settled: 0,
        }
    }
}

impl<S: Clone + Eq + std::hash::Hash + Send + Sync + 'static> Walks<S> {
    /// Lets walkers go down their trees, one walk for each number in `who`, and notes the leaves;
    /// visits to positions whose value is known are counted already. If walks may stay behind, the last
    /// few wait for company until the next time.
    pub fn gather<G: Game<State = S>>(
        &mut self,
        walkers: &mut [Walker<'_, G>],
        who: impl Iterator<Item = u32>,
        may_stay: bool,
    ) {
        self.leaves.clear();
        self.n_settled = 0;
        for walker in who {
            let search = &mut *walkers[walker as usize].search;
            let (ticket, at) = (search.take_ticket(), search.root());
            self.walking.push(Walk { walker, ticket, at });
        }
        let enough = if may_stay { FEW } else { 1 };
        loop {
            self.descend(walkers);
            // The more moves are made at once the better: those who have just looked go on first.
            if self.looking.len() >= enough {
                self.look(walkers);
            } else if self.moving.len() >= enough {
                self.make_moves(walkers);
            } else {
                break;
            }
        }
    }

    /// How many walks have stayed behind.
    pub fn n_waiting(&self) -> usize {
        self.looking.len() + self.moving.len()
    }

    /// Forgets walks that have stayed behind.
    pub fn forget(&mut self) {
        self.looking.clear();
        self.moving.clear();
        self.states.clear();
        self.joints.clear();
    }

    /// Goes on with all walks as far as the trees are known: one after the other, or, where most reads wait
    /// for far memory, one step of each after the other.
    fn descend<G: Game<State = S>>(&mut self, walkers: &mut [Walker<'_, G>]) {
        let mut walking = std::mem::take(&mut self.walking);
        let is_far = is_far(walkers);
        let most = if is_far { 1 } else { usize::MAX };
        while !walking.is_empty() {
            if is_far {
                touch(walkers, &walking);
            }
            walking.retain_mut(|walk| self.go_on(&mut walkers[walk.walker as usize], walk, most));
        }
        self.walking = walking;
    }

    /// Goes on with a walk by so many steps at most; whether it can go on at once.
    fn go_on<G: Game<State = S>>(
        &mut self,
        walker: &mut Walker<'_, G>,
        walk: &mut Walk,
        most: usize,
    ) -> bool {
        match walker.search.walk(walk.ticket, walk.at, most, walker.rng) {
            Walked::On(at) => {
                walk.at = at;
                return true;
            }
            Walked::Stopped(at) => self.stop(walker, Walk { at, ..*walk }),
            Walked::Back(at) => self.end(walker, *walk, End::Leaf(at)),
            Walked::Out(at) => {
                self.moving.push(Walk { at, ..*walk });
                self.states.push(walker.search.state(at).clone());
                walker.search.append_joint(walk.ticket, &mut self.joints);
            }
        }
        false
    }

    /// A walk has come to a node whose value is known, or whose moves are not.
    fn stop<G: Game<State = S>>(&mut self, walker: &mut Walker<'_, G>, walk: Walk) {
        if walker.search.tree().is_settled(walk.at) {
            self.end(walker, walk, End::Settled(walk.at));
        } else if walker.search.has_room() {
            self.looking.push(walk);
        } else {
            self.end(walker, walk, End::Leaf(walk.at));
        }
    }

    /// Looks at the positions that walks wait for.
    fn look<G: Game<State = S>>(&mut self, walkers: &mut [Walker<'_, G>]) {
        let Some(first) = self.looking.first() else { return };
        let game = std::sync::Arc::clone(walkers[first.walker as usize].search.game());
        let state = |walk: &Walk| walkers[walk.walker as usize].search.state(walk.at);
        let states: Vec<_> = self.looking.iter().map(state).collect();
        game.look_many(&states, &mut self.views);
        for (i, walk) in self.looking.drain(..).enumerate() {
            let search = &mut *walkers[walk.walker as usize].search;
            // Two walks may have waited for the same look.
            let tree = search.tree();
            if !tree.is_expanded(walk.at) && !tree.is_settled(walk.at) {
                search.expand_by(walk.at, &self.views, i);
            }
            self.walking.push(walk);
        }
    }

    /// Makes the moves that walks wait for.
    fn make_moves<G: Game<State = S>>(&mut self, walkers: &mut [Walker<'_, G>]) {
        let Some(first) = self.moving.first() else { return };
        let game = std::sync::Arc::clone(walkers[first.walker as usize].search.game());
        game.play_many(&mut self.states, &self.joints);
        let (mut moving, mut states) =
            (std::mem::take(&mut self.moving), std::mem::take(&mut self.states));
        let search = |walk: &Walk| &*walkers[walk.walker as usize].search;
        self.hashes.clear();
        self.hashes.extend(states.iter().map(Search::<G>::hash));
        if is_far(walkers) {
            let touched =
                moving.iter().zip(&self.hashes).filter(|(walk, hash)| search(walk).touch(**hash));
            std::hint::black_box(touched.count());
        }
        let hashes = std::mem::take(&mut self.hashes);
        for ((walk, state), &hash) in moving.drain(..).zip(states.drain(..)).zip(&hashes) {
            let walker = &mut walkers[walk.walker as usize];
            match walker.search.arrive(walk.ticket, walk.at, (state, hash)) {
                Ok(known) if walker.search.has_met(walk.ticket, known) => {
                    self.end(walker, walk, End::Leaf(known));
                }
                Ok(at) => self.walking.push(Walk { at, ..walk }),
                Err(end) => self.end(walker, walk, end),
            }
        }
        (self.moving, self.states, self.hashes) = (moving, states, hashes);
        self.joints.clear();
    }

    fn end<G: Game<State = S>>(&mut self, walker: &mut Walker<'_, G>, walk: Walk, end: End<S>) {
        if walker.search.end_at(walk.ticket, end, walker.chain) {
            self.leaves.push(Leaf { walker: walk.walker, ticket: walk.ticket });
        } else {
            self.n_settled += 1;
        }
    }
}

/// Trees with more nodes than this in all do not fit into near memory.
const NEAR: usize = 30_000;

/// Whether trees are so large that most reads wait for far memory.
fn is_far<G: Game>(walkers: &[Walker<'_, G>]) -> bool {
    let mut n_nodes = walkers.iter().map(|walker| walker.search.tree().n_nodes());
    n_nodes.try_fold(0, |sum, n| (sum + n < NEAR).then_some(sum + n)).is_none()
}

/// Reads a little of what each walk is about to read. None of these reads waits for another, so that
/// memory that is far away comes for all of them at the same time.
fn touch<G: Game>(walkers: &[Walker<'_, G>], walking: &[Walk]) {
    let tree = |walk: &Walk| walkers[walk.walker as usize].search.tree();
    let nodes = walking.iter().fold(0, |sum, walk| sum ^ tree(walk).node(walk.at).visits);
    let expanded = walking.iter().filter(|walk| tree(walk).is_expanded(walk.at));
    let edges = expanded.fold(0, |sum, walk| sum ^ tree(walk).touch(walk.at));
    std::hint::black_box(nodes ^ edges);
}
