//! One search loop for every algorithm: descend, evaluate, back up.
//!
//! The loop is cut at the evaluation. `gather` goes down the tree to a leaf and hands out a ticket;
//! `apply` takes what the leaf was found to be worth. So one search can hand out many leaves before
//! the first result comes back (visits under way count as lost, which spreads them), and many
//! searches that hand out one leaf each can share an evaluator without changing what any of them
//! computes. One leaf at a time is UCT as in Cazenave and Diemert 2017, algorithm 4: the tree is a
//! table of positions, one new entry a simulation.

mod guide;
mod tidying;
mod visit;
mod walk;

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use ludens_core::{Budget, Game, Limit, Move, Role, View, Views};
use rustc_hash::FxBuildHasher;

use crate::heuristic::Evaluator;
use crate::tree::{Needs, NodeId, Tree};
use crate::tree_policy::TreePolicy;
use tidying::Tidying;
use visit::Ticket;

pub(crate) use visit::End;
pub use visit::{Evaluation, Gathered};
pub(crate) use walk::Walked;

/// How a search behaves, whatever its policies are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Whether proven wins and losses are passed up the tree (MCTS-Solver, Winands et al. 2008).
    pub solver: bool,
    /// Whether what is below the move made is kept for the next one.
    pub reuse: bool,
    /// How many bytes the tree may hold; when it is full the search goes on without new nodes.
    pub max_bytes: usize,
    /// How long playouts may go on.
    pub limit: Limit,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { solver: false, reuse: true, max_bytes: 2 << 30, limit: Limit::default() }
    }
}

/// A search in the tree of a game.
pub struct Search<G: Game> {
    game: Arc<G>,
    policy: Box<dyn TreePolicy>,
    settings: Settings,
    pub(crate) tree: Tree,
    states: Vec<G::State>,
    table: HashTable<u32>,
    root: NodeId,
    tickets: Vec<Ticket>,
    /// Positions of tickets for which the tree has no room.
    outside: Vec<Option<G::State>>,
    free: Vec<u32>,
    view: View,
    views: Views,
    joint: Vec<Move>,
    chosen: Vec<u32>,
    payoffs: Vec<f32>,
    state_bytes: usize,
    full: bool,
    plies: u64,
    tidying: Tidying,
    guide: Option<Evaluator<G>>,
    /// Who is working on the search now, if several take turns.
    pub(crate) owner: u32,
}

impl<G: Game> Search<G> {
    /// A search with an empty tree. `needs` are those of the playout policies.
    pub fn new(
        game: Arc<G>,
        policy: Box<dyn TreePolicy>,
        settings: Settings,
        needs: Needs,
    ) -> Self {
        let n_roles = game.roles().len();
        let needs = needs.or(policy.needs());
        Search {
            tree: Tree::new(n_roles, needs),
            policy,
            settings,
            states: Vec::new(),
            table: HashTable::new(),
            root: NodeId(0),
            tickets: Vec::new(),
            outside: Vec::new(),
            free: Vec::new(),
            view: View::default(),
            views: Views::default(),
            joint: Vec::new(),
            chosen: Vec::new(),
            payoffs: Vec::new(),
            state_bytes: 0,
            full: false,
            plies: 0,
            tidying: Tidying::default(),
            guide: None,
            owner: 0,
            game,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// How the search behaves.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the tree keeps for policies.
    pub fn needs(&self) -> Needs {
        self.tree.needs()
    }

    /// How many joint moves were made so far, in the tree and in playouts.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The node that is searched.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Whether more simulations would change nothing.
    pub fn is_settled(&self) -> bool {
        self.tree.is_settled(self.root)
    }

    /// The position of a node.
    pub fn state(&self, id: NodeId) -> &G::State {
        &self.states[id.index()]
    }

    /// Empties the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.states.clear();
        self.table.clear();
        self.policy.clear();
        self.free_tickets();
        self.state_bytes = 0;
        self.full = false;
        self.root = NodeId(0);
    }

    /// Searches a position from now on, with what is known below it if the tree is to be reused.
    pub fn set_root(&mut self, state: &G::State) {
        self.set_root_within(state, &Budget::unlimited());
    }

    /// Searches a position from now on. What cannot be reached any more is thrown away if the time allows it.
    pub fn set_root_within(&mut self, state: &G::State, budget: &Budget) {
        self.abandon();
        let hash = Self::hash(state);
        let known = self.settings.reuse.then(|| self.find(state, hash)).flatten();
        match known {
            Some(node) if node == self.root => {}
            Some(node) if self.tidying.is_worth_it(self.tree.n_nodes(), self.full, budget) => {
                let n_nodes = self.tree.n_nodes();
                let ((), took) = budget.timed(|| self.keep_below(node));
                self.tidying.note(n_nodes, took);
            }
            Some(node) => self.root = node,
            None => {
                self.clear();
                (self.root, _) = self.find_or_insert(state.clone(), hash);
            }
        }
        if !self.tree.is_expanded(self.root) && !self.tree.is_settled(self.root) {
            self.expand(self.root);
        }
    }

    fn keep_below(&mut self, root: NodeId) {
        let kept = self.tree.retain(root);
        self.policy.retain(&kept);
        let mut old = (0..).map(NodeId);
        self.states.retain(|_| old.next().is_some_and(|old| kept.node(old).is_some()));
        // Positions take most of the memory, and a tree that was large once need not be so again.
        self.states.shrink_to_fit();
        self.state_bytes = self.states.iter().map(|state| self.game.state_bytes(state)).sum();
        self.table.retain(|id| match kept.node(NodeId(*id)) {
            Some(new) => {
                *id = new.0;
                true
            }
            None => false,
        });
        self.root = kept.node(root).expect("a node can be reached from itself");
        self.full = false;
    }

    /// The number under which a position is looked for.
    pub(crate) fn hash(state: &G::State) -> u64 {
        FxBuildHasher.hash_one(state)
    }

    /// Reads a little of what looking for a position would read, for its memory to be near soon.
    pub(crate) fn touch(&self, hash: u64) -> bool {
        self.table.find(hash, |_| false).is_some()
    }

    fn find(&self, state: &G::State, hash: u64) -> Option<NodeId> {
        let same = |&id: &u32| self.states[id as usize] == *state;
        self.table.find(hash, same).map(|&id| NodeId(id))
    }

    /// The node of a position, which is added if the tree does not have it, and whether it had it before.
    fn find_or_insert(&mut self, state: G::State, hash: u64) -> (NodeId, bool) {
        let states = &self.states;
        let same = |&id: &u32| states[id as usize] == state;
        let rehash = |id: &u32| FxBuildHasher.hash_one(&states[*id as usize]);
        let vacant = match self.table.entry(hash, same, rehash) {
            Entry::Occupied(known) => return (NodeId(*known.get()), true),
            Entry::Vacant(vacant) => vacant,
        };
        let id = self.tree.add();
        vacant.insert(id.0);
        self.state_bytes += self.game.state_bytes(&state);
        self.states.push(state);
        (id, false)
    }

    /// How many bytes the search holds.
    pub fn bytes(&self) -> usize {
        let inline = (self.states.capacity() - self.states.len()) * size_of::<G::State>();
        self.tree.bytes()
            + inline
            + self.state_bytes
            + self.table.capacity() * 5 * 8 / 7
            + self.policy.bytes()
    }

    /// Whether another node with its moves fits in. Memory grows by doubling, and for a moment the
    /// old is held beside the new: a search may take a third of its limit before it grows again.
    pub(crate) fn has_room(&mut self) -> bool {
        // A tree that was emptied keeps its memory, and need not grow before that is used again.
        let margin = (self.tree.edge_room() / 2).min(4096);
        let grows = self.states.len() == self.states.capacity()
            || self.tree.n_edges() + margin > self.tree.edge_room()
            || self.policy.grows();
        if !self.full && grows {
            self.full = self.bytes() * 3 > self.settings.max_bytes;
        }
        !self.full
    }

    /// Finds out what can be done in a node, or what it is worth.
    fn expand(&mut self, id: NodeId) {
        let (mut view, mut views) =
            (std::mem::take(&mut self.view), std::mem::take(&mut self.views));
        self.game.look(&self.states[id.index()], &mut view);
        views.clear(self.tree.n_roles());
        views.push(&view);
        self.expand_by(id, &views, 0);
        (self.view, self.views) = (view, views);
    }

    /// Enters what can be done in a node, or what it is worth.
    pub(crate) fn expand_by(&mut self, id: NodeId, views: &Views, i: usize) {
        if views.is_terminal(i) || views.legal(i).any(<[Move]>::is_empty) {
            self.tree.settle(id, views.payoffs(i));
            return;
        }
        if self.guide.is_some() {
            return self.expand_in_order(id, views.legal(i));
        }
        self.tree.expand(id, views.legal(i));
        if let Some(codes) = self.tree.codes_mut() {
            for (role, legal) in Role::all(self.game.roles().len()).zip(views.legal(i)) {
                self.game.codes(&self.states[id.index()], role, legal, codes);
            }
        }
    }
}
