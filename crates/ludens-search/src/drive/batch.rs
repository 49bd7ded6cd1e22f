//! How many visits of a search may be in progress, and how many are left to be started.

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Game, Role};

use crate::search::Search;

/// How many visits of a search may be in progress at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The maximum.
    pub max: usize,
    /// The number as long as the tree is small.
    pub initial: usize,
    /// The number of root visits for each visit in progress while the batch grows.
    pub visits_per_active: usize,
    /// Whether the descents of a batch are made in lockstep, with bulk views and moves.
    pub lockstep: bool,
}

/// The growth of a batch of playouts, which are cheap and noisy.
const VISITS_PER_PLAYOUT: usize = 4;

/// The initial size of a growing batch of playouts.
const INITIAL_PLAYOUTS: usize = 16;

/// The growth of a batch for a network, whose evaluations are few and good.
const VISITS_PER_EVALUATION: usize = 16;

/// The largest growing batch where several roles decide at the root. Each role learns the values of its moves
/// from what the others do meanwhile; visits in progress spread the others over moves that they would not
/// choose. In Babel, teams of `uct` with 0.5 s get 0.55 with 16 visits at once and 0.69 with 4.
const SIMULTANEOUS: usize = 4;

/// Whether more than one role has a choice at the root.
fn several_decide<G: Game>(search: &Search<G>) -> bool {
    let (tree, root) = (search.tree(), search.root());
    let decides = |&role: &Role| tree.range(root, role).len() > 1;
    Role::all(tree.n_roles()).filter(decides).nth(1).is_some()
}

impl Batch {
    /// A constant number of visits, at least one.
    pub fn fixed(size: usize) -> Self {
        let size = size.max(1);
        Batch { max: size, initial: size, visits_per_active: 1, lockstep: true }
    }

    /// A batch that grows with the tree: in a small tree, many concurrent visits would be selected without
    /// each other's results, and mostly be wasted.
    pub fn growing(max: usize) -> Self {
        let initial = INITIAL_PLAYOUTS.min(max);
        Batch { initial, visits_per_active: VISITS_PER_PLAYOUT, ..Batch::fixed(max) }
    }

    /// A batch that grows slowly from one visit, for evaluators that say more than a playout.
    pub fn growing_slowly(max: usize) -> Self {
        Batch { initial: 1, visits_per_active: VISITS_PER_EVALUATION, ..Batch::fixed(max) }
    }

    /// The size for a search.
    pub(crate) fn size<G: Game>(&self, search: &Search<G>) -> usize {
        if self.initial >= self.max {
            return self.max;
        }
        let visits = search.tree().node(search.root()).visits as usize;
        let size = (visits / self.visits_per_active).max(self.initial).min(self.max);
        if size > SIMULTANEOUS && several_decide(search) { SIMULTANEOUS } else { size }
    }
}

/// The progress of a search within a drive.
pub(crate) struct Progress<'a> {
    pub batch: Batch,
    /// Visits that are left to be started, by this driver or others.
    pub left: &'a AtomicU64,
    /// Visits in progress.
    pub n_active: usize,
    /// Visits that have ended.
    pub n_done: u64,
    /// The number by which playout policies identify the next leaf.
    pub next_game: usize,
    /// Leaves in evaluation.
    pub n_offered: usize,
    /// Whether it is in the list of searches that may start a visit.
    pub is_listed: bool,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(batch: Batch, left: &'a AtomicU64) -> Self {
        Progress {
            batch,
            left,
            n_active: 0,
            n_done: 0,
            next_game: 0,
            n_offered: 0,
            is_listed: true,
        }
    }

    /// How many more visits the batch allows.
    pub(crate) fn n_free<G: Game>(&self, search: &Search<G>) -> usize {
        self.batch.size(search).saturating_sub(self.n_active)
    }

    /// How many visits are left to be started.
    pub(crate) fn n_left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Claims up to `wanted` of the visits that are left. Returns how many it got.
    pub(crate) fn claim(&mut self, wanted: usize) -> usize {
        let take = |left: u64| Some(left - left.min(wanted as u64));
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        let claimed = before.map_or(0, |before| before.min(wanted as u64) as usize);
        self.n_active += claimed;
        claimed
    }

    /// A visit has ended. Returns whether the search has to be listed among those that may start a visit.
    pub(crate) fn finish(&mut self) -> bool {
        self.n_active -= 1;
        self.n_done += 1;
        !std::mem::replace(&mut self.is_listed, true)
    }

    /// Assigns the number by which playout policies identify a leaf that is offered now.
    pub(crate) fn number_leaf(&mut self) -> usize {
        if self.n_offered == 0 {
            self.next_game = 0;
        }
        self.n_offered += 1;
        self.next_game += 1;
        self.next_game - 1
    }
}
