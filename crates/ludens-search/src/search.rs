//! A search in the tree of a game: selection, expansion and backup.
//!
//! Leaves are evaluated by [`crate::Driver`] and its evaluators. Many visits can be in progress before the
//! first evaluation is ready; they count as virtual losses meanwhile, which spreads them. One leaf at a
//! time is UCT as in Cazenave and Diemert 2017, algorithm 4: the tree is a table of positions, with one new
//! entry per simulation.

mod ordering;
mod pruning;
mod report;
mod root;
mod root_payoffs;
mod select;
mod visit;

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use ludens_core::{Budget, Chooser, Game, Limit, Move, Role, View, Views};
use rustc_hash::FxBuildHasher;

use crate::heuristic::HeuristicFunction;
use crate::playout_policy::Chain;
use crate::tree::{NodeId, SMALL_TREE, Tree};
use crate::tree_policy::TreePolicy;
use pruning::Pruning;
use root_payoffs::RootPayoffs;
use visit::Visit;

pub(crate) use select::Reached;
pub(crate) use visit::End;

/// The settings of a search that do not depend on its policies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Whether proven values are backed up (MCTS-Solver, Winands et al. 2008).
    pub solver: bool,
    /// Whether the subtree of the move made is kept for the next one.
    pub reuse: bool,
    /// The maximum number of bytes of the tree; when it is full the search continues without new nodes.
    pub max_bytes: usize,
    /// The limit of playouts.
    pub limit: Limit,
    /// The maximum number of simulations of a move, whatever the budget.
    pub max_simulations: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            solver: false,
            reuse: true,
            max_bytes: 2 << 30,
            limit: Limit::default(),
            max_simulations: u64::MAX,
        }
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
    visits: Vec<Visit>,
    /// Leaves for which the tree has no room, by visit.
    outside: Vec<Option<G::State>>,
    free: Vec<u32>,
    view: View,
    views: Views,
    chosen: Vec<u32>,
    payoffs: Vec<f32>,
    state_bytes: usize,
    full: bool,
    plies: u64,
    pruning: Pruning,
    /// The payoffs of all roles at the root, if they are kept.
    root_payoffs: Option<RootPayoffs>,
    /// The evaluation function that orders the moves of new nodes, if there is one.
    ordering: Option<HeuristicFunction<G>>,
    /// The thread that holds the search, if several share it.
    pub(crate) owner: u32,
}

impl<G: Game> Search<G> {
    /// A search with an empty tree, which keeps the data that its policies subscribe to.
    pub fn new(
        game: Arc<G>,
        policy: Box<dyn TreePolicy>,
        settings: Settings,
        chain: &Chain,
    ) -> Self {
        let n_roles = game.roles().len();
        let mut tree = Tree::new(n_roles);
        policy.subscribe(&mut tree);
        chain.subscribe(&mut tree);
        Search {
            tree,
            policy,
            settings,
            states: Vec::new(),
            table: HashTable::new(),
            root: NodeId(0),
            visits: Vec::new(),
            outside: Vec::new(),
            free: Vec::new(),
            view: View::default(),
            views: Views::default(),
            chosen: Vec::new(),
            payoffs: Vec::new(),
            state_bytes: 0,
            full: false,
            plies: 0,
            pruning: Pruning::default(),
            root_payoffs: None,
            ordering: None,
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

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of joint moves made so far, in the tree and in playouts.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Whether playouts with this chain are uniform, and only their payoffs are needed.
    pub(crate) fn is_plain(&self, chain: &Chain) -> bool {
        chain.is_uniform() && !self.tree.records_moves()
    }

    /// Whether the value of the root is proven, so that more simulations are useless.
    pub fn is_proven(&self) -> bool {
        self.tree.is_proven(self.root)
    }

    /// The position of a node.
    pub fn state(&self, id: NodeId) -> &G::State {
        &self.states[id.index()]
    }

    /// Clears the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.states.clear();
        self.table.clear();
        self.policy.clear();
        self.free_visits();
        self.state_bytes = 0;
        self.full = false;
        self.root = NodeId(0);
    }

    /// Sets the root, and reuses its subtree if the settings say so.
    pub fn set_root(&mut self, state: &G::State) {
        self.set_root_within(state, &Budget::unlimited());
    }

    /// Sets the root. Nodes that have become unreachable are pruned if time allows.
    pub fn set_root_within(&mut self, state: &G::State, budget: &Budget) {
        self.abandon();
        let hash = Self::hash(state);
        let known = self.settings.reuse.then(|| self.find(state, hash)).flatten();
        match known {
            Some(node) if node == self.root => {}
            Some(node) if self.pruning.is_worth_it(self.tree.n_nodes(), self.full, budget) => {
                let n_nodes = self.tree.n_nodes();
                let ((), took) = budget.timed(|| self.keep_below(node));
                self.pruning.record(n_nodes, took);
            }
            Some(node) => self.root = node,
            None => {
                self.clear();
                (self.root, _) = self.find_or_insert(state.clone(), hash);
            }
        }
        if !self.tree.is_expanded(self.root) && !self.tree.is_proven(self.root) {
            self.expand(self.root);
        }
    }

    fn keep_below(&mut self, root: NodeId) {
        let kept = self.tree.retain(root);
        self.policy.retain(&kept);
        let mut old = (0..).map(NodeId);
        self.states.retain(|_| old.next().is_some_and(|old| kept.node(old).is_some()));
        // Positions take most of the memory, and the tree may not become as large again.
        if self.states.capacity() > SMALL_TREE {
            self.states.shrink_to_fit();
        }
        self.state_bytes = self.states.iter().map(|state| self.game.state_bytes(state)).sum();
        self.table.retain(|id| match kept.node(NodeId(*id)) {
            Some(new) => {
                *id = new.0;
                true
            }
            None => false,
        });
        self.root = kept.node(root).expect("a node is reachable from itself");
        self.full = false;
    }

    /// The hash of a position.
    pub(crate) fn hash(state: &G::State) -> u64 {
        FxBuildHasher.hash_one(state)
    }

    /// Prefetches memory for the lookup of a position.
    pub(crate) fn prefetch_position(&self, hash: u64) -> bool {
        self.table.find(hash, |_| false).is_some()
    }

    fn find(&self, state: &G::State, hash: u64) -> Option<NodeId> {
        let same = |&id: &u32| self.states[id as usize] == *state;
        self.table.find(hash, same).map(|&id| NodeId(id))
    }

    /// The node of a position, which is added if it is new, and whether the tree already had it.
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

    /// Whether another node with its moves fits. Allocations grow by doubling, and the old one is held until
    /// it is copied: a search may hold a third of its limit before it grows again.
    #[inline]
    pub(crate) fn has_room(&mut self) -> bool {
        // A tree that was cleared keeps its allocations, and need not grow before they are filled.
        let margin = (self.tree.edge_room() / 2).min(4096);
        let grows = self.states.len() == self.states.capacity()
            || self.tree.n_edges() + margin > self.tree.edge_room()
            || self.policy.grows();
        if !self.full && grows {
            self.full = self.bytes() * 3 > self.settings.max_bytes;
        }
        !self.full
    }

    /// Whether the root has no priors and is not proven.
    pub(crate) fn lacks_root_priors(&self) -> bool {
        !self.tree.is_proven(self.root) && !self.tree.has_priors(self.root)
    }

    /// Writes the legal moves at the leaf of a visit to `view`, in the order of its edges. Returns `false`
    /// if the leaf is terminal, with its payoffs in `view`.
    pub(crate) fn view_leaf(&self, visit: u32, view: &mut View) -> bool {
        let Some(leaf) = self.expanded_leaf(visit) else {
            self.game.look(self.leaf_state(visit), view);
            return !view.terminal && !view.legal.iter().any(Vec::is_empty);
        };
        view.clear(self.tree.n_roles());
        for (role, legal) in Role::all(self.tree.n_roles()).zip(view.legal.iter_mut()) {
            legal.extend_from_slice(self.tree.moves(leaf, role));
        }
        true
    }

    /// Expands a node, or proves it if it is terminal.
    fn expand(&mut self, id: NodeId) {
        let (mut view, mut views) =
            (std::mem::take(&mut self.view), std::mem::take(&mut self.views));
        self.game.look(&self.states[id.index()], &mut view);
        views.clear(self.tree.n_roles());
        views.push(&view);
        self.expand_by(id, &views, 0);
        (self.view, self.views) = (view, views);
    }

    /// Expands a node by its view, or proves it if it is terminal.
    pub(crate) fn expand_by(&mut self, id: NodeId, views: &Views, i: usize) {
        if views.is_terminal(i) || views.legal(i).any(<[Move]>::is_empty) {
            self.tree.prove(id, views.payoffs(i));
            return;
        }
        if self.ordering.is_some() {
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
