//! Going down trees many times at once.
//!
//! What is dear on the way, looking at positions and making moves, is done for all walks together,
//! be they in one tree or each in a tree of its own. Visits count from step to step, so that walks in
//! the same tree avoid each other as if they had gone one after the other.

use ludens_core::{Game, Move, Rng, Views};

use crate::playout_policy::Chain;
use crate::search::{End, Search};
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
    joints: Vec<Move>,
    views: Views,
    /// Where walks have ended.
    pub leaves: Vec<Leaf>,
}

impl<S> Default for Walks<S> {
    fn default() -> Self {
        Walks {
            walking: Vec::new(),
            looking: Vec::new(),
            moving: Vec::new(),
            states: Vec::new(),
            joints: Vec::new(),
            views: Views::default(),
            leaves: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + std::hash::Hash + Send + Sync + 'static> Walks<S> {
    /// Lets walkers go down their trees, one walk for each number in `who`, and notes the leaves;
    /// visits to positions whose value is known are counted already.
    pub fn gather<G: Game<State = S>>(
        &mut self,
        walkers: &mut [Walker<'_, G>],
        who: impl Iterator<Item = u32>,
    ) {
        self.leaves.clear();
        self.walking.clear();
        for walker in who {
            let search = &mut *walkers[walker as usize].search;
            let (ticket, at) = (search.take_ticket(), search.root());
            self.walking.push(Walk { walker, ticket, at });
        }
        while !self.walking.is_empty() {
            let mut walking = std::mem::take(&mut self.walking);
            for walk in walking.drain(..) {
                self.walk(&mut walkers[walk.walker as usize], walk);
            }
            self.walking = walking;
            self.look(walkers);
            self.make_moves(walkers);
        }
    }

    /// Goes on with a walk as far as the tree is known.
    fn walk<G: Game<State = S>>(&mut self, walker: &mut Walker<'_, G>, mut walk: Walk) {
        loop {
            let search = &mut *walker.search;
            if search.tree().settled(walk.at).is_some() {
                return self.end(walker, walk, End::Settled(walk.at));
            }
            if !search.tree().is_expanded(walk.at) {
                if !search.has_room() {
                    return self.end(walker, walk, End::Leaf(walk.at));
                }
                return self.looking.push(walk);
            }
            match search.step(walk.ticket, walk.at, walker.rng) {
                Some(child) if search.has_met(walk.ticket, child) => {
                    return self.end(walker, walk, End::Leaf(child));
                }
                Some(child) => walk.at = child,
                None => {
                    self.moving.push(walk);
                    self.states.push(search.state(walk.at).clone());
                    return search.append_joint(walk.ticket, &mut self.joints);
                }
            }
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
            if !tree.is_expanded(walk.at) && tree.settled(walk.at).is_none() {
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
        for (walk, state) in moving.drain(..).zip(states.drain(..)) {
            let walker = &mut walkers[walk.walker as usize];
            match walker.search.arrive(walk.ticket, walk.at, state) {
                Ok(known) if walker.search.has_met(walk.ticket, known) => {
                    self.end(walker, walk, End::Leaf(known));
                }
                Ok(at) => self.walking.push(Walk { at, ..walk }),
                Err(end) => self.end(walker, walk, end),
            }
        }
        (self.moving, self.states) = (moving, states);
        self.joints.clear();
    }

    fn end<G: Game<State = S>>(&mut self, walker: &mut Walker<'_, G>, walk: Walk, end: End<S>) {
        if walker.search.end_at(walk.ticket, end, walker.chain) {
            self.leaves.push(Leaf { walker: walk.walker, ticket: walk.ticket });
        }
    }
}
