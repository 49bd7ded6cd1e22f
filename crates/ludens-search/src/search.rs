//! One search loop for every algorithm: descend, evaluate, back up.
//!
//! The loop is cut at the evaluation. `gather` goes down the tree to a leaf and hands out a ticket;
//! `apply` takes what the leaf was found to be worth. So one search can hand out many leaves before
//! the first result comes back (visits under way count as lost, which spreads them), and many
//! searches that hand out one leaf each can share an evaluator without changing what any of them
//! computes. One leaf at a time is UCT as in Cazenave and Diemert 2017, algorithm 4: the tree is a
//! table of positions, one new entry a simulation.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use ludens_core::{Game, Move, Rng, Role, View};
use rustc_hash::FxBuildHasher;

use crate::episode::{Episode, Path};
use crate::playout_policy::Chain;
use crate::tree::{Needs, NodeId, Tree};
use crate::tree_policy::{Choice, TreePolicy};

/// How a search behaves, whatever its policies are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Whether proven wins and losses are passed up the tree (MCTS-Solver, Winands et al. 2008).
    pub solver: bool,
    /// Whether what is below the move made is kept for the next one.
    pub reuse: bool,
    /// How many bytes the tree may hold; when it is full the search goes on without new nodes.
    pub max_bytes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { solver: false, reuse: true, max_bytes: 2 << 30 }
    }
}

/// What going down the tree led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gathered {
    /// A leaf to be evaluated, under this ticket.
    Leaf(u32),
    /// A position whose value is known; the visit is counted already.
    Settled,
}

/// A visit under way.
struct Ticket<S> {
    path: Path,
    leaf: Option<NodeId>,
    /// The position, where the tree has no room for it.
    state: Option<S>,
    /// Who asked; `None` if the ticket is free.
    owner: Option<u32>,
}

/// What an evaluation found out.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// What the leaf is worth to each role.
    pub payoffs: &'a [f32],
    /// The joint moves of the playout, if they were recorded.
    pub moves: &'a [Move],
    /// Whether the leaf is the end of the game.
    pub terminal: bool,
    /// How many joint moves the playout took.
    pub plies: u32,
    /// The number by which policies know the playout.
    pub game: usize,
}

/// A search in the tree of a game.
pub struct Search<G: Game> {
    game: Arc<G>,
    policy: Box<dyn TreePolicy>,
    settings: Settings,
    tree: Tree,
    states: Vec<G::State>,
    table: HashTable<u32>,
    needs: Needs,
    root: NodeId,
    tickets: Vec<Ticket<G::State>>,
    free: Vec<u32>,
    view: View,
    joint: Vec<Move>,
    payoffs: Vec<f32>,
    state_bytes: usize,
    full: bool,
    plies: u64,
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
            needs,
            root: NodeId(0),
            tickets: Vec::new(),
            free: Vec::new(),
            view: View::default(),
            joint: Vec::new(),
            payoffs: Vec::new(),
            state_bytes: 0,
            full: false,
            plies: 0,
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
        self.needs
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
        self.tree.settled(self.root).is_some()
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
        self.tickets.clear();
        self.free.clear();
        self.state_bytes = 0;
        self.full = false;
        self.root = NodeId(0);
    }

    /// Searches a position from now on, with what is known below it if the tree is to be reused.
    pub fn set_root(&mut self, state: &G::State) {
        self.abandon();
        let known = self.settings.reuse.then(|| self.find(state)).flatten();
        match known {
            Some(node) if node == self.root => {}
            Some(node) => self.keep_below(node),
            None => {
                self.clear();
                self.root = self.insert(state.clone());
            }
        }
        if !self.tree.is_expanded(self.root) && self.tree.settled(self.root).is_none() {
            self.expand(self.root);
        }
    }

    fn keep_below(&mut self, root: NodeId) {
        let (order, kept) = self.tree.retain(root);
        self.policy.retain(&kept);
        self.states = order.iter().map(|old| self.states[old.index()].clone()).collect();
        self.table.clear();
        self.state_bytes = 0;
        for i in 0..self.states.len() {
            self.state_bytes += self.game.state_bytes(&self.states[i]);
            self.note(NodeId(i as u32));
        }
        self.root = NodeId(0);
        self.full = false;
    }

    fn find(&self, state: &G::State) -> Option<NodeId> {
        let hash = FxBuildHasher.hash_one(state);
        let same = |&id: &u32| self.states[id as usize] == *state;
        self.table.find(hash, same).map(|&id| NodeId(id))
    }

    fn note(&mut self, id: NodeId) {
        let states = &self.states;
        let hash = |id: &u32| FxBuildHasher.hash_one(&states[*id as usize]);
        self.table.insert_unique(hash(&id.0), id.0, hash);
    }

    /// Adds a position that the tree does not have.
    fn insert(&mut self, state: G::State) -> NodeId {
        let id = self.tree.add();
        self.state_bytes += self.game.state_bytes(&state);
        self.states.push(state);
        self.note(id);
        id
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
    fn has_room(&mut self) -> bool {
        let grows = self.states.len() == self.states.capacity()
            || self.tree.n_edges() + 4096 > self.tree.edge_room();
        if !self.full && grows {
            self.full = self.bytes() * 3 > self.settings.max_bytes;
        }
        !self.full
    }

    /// Finds out what can be done in a node, or what it is worth.
    fn expand(&mut self, id: NodeId) {
        self.game.look(&self.states[id.index()], &mut self.view);
        if self.view.terminal || self.view.legal.iter().any(Vec::is_empty) {
            self.tree.settle(id, self.view.payoffs.as_slice());
            return;
        }
        self.tree.expand(id, self.view.legal.iter().map(Vec::as_slice));
        if let Some(codes) = self.tree.codes_mut() {
            for (role, legal) in self.view.legal.entries() {
                self.game.codes(&self.states[id.index()], role, legal, codes);
            }
        }
    }

    /// Goes down the tree once.
    pub fn gather(&mut self, chain: &mut Chain, rng: &mut Rng, several: bool) -> Gathered {
        let number = self.free.pop().unwrap_or_else(|| {
            let path = Path::new(self.tree.n_roles());
            self.tickets.push(Ticket { path, leaf: None, state: None, owner: None });
            (self.tickets.len() - 1) as u32
        });
        let mut path = std::mem::take(&mut self.tickets[number as usize].path);
        path.clear();
        let end = self.descend(&mut path, rng);
        let ticket = &mut self.tickets[number as usize];
        ticket.path = path;
        match end {
            End::Settled(id) => {
                self.free.push(number);
                self.count_settled(number, id, chain);
                return Gathered::Settled;
            }
            End::Leaf(id) => (ticket.leaf, ticket.state) = (Some(id), None),
            End::Outside(state) => (ticket.leaf, ticket.state) = (None, Some(state)),
        }
        ticket.owner = Some(self.owner);
        if several {
            for (node, chosen) in ticket.path.steps() {
                self.tree.begin_visit(node, chosen);
            }
        }
        Gathered::Leaf(number)
    }

    fn descend(&mut self, path: &mut Path, rng: &mut Rng) -> End<G::State> {
        let mut id = self.root;
        loop {
            if !self.tree.is_expanded(id) && self.tree.settled(id).is_none() {
                if !self.has_room() {
                    return End::Leaf(id);
                }
                self.expand(id);
            }
            if self.tree.settled(id).is_some() {
                return End::Settled(id);
            }
            self.select(path, id, rng);
            let chosen = path.last().expect("a step was just made");
            let child = match self.tree.child(id, chosen) {
                Some(child) => child,
                None => match self.follow(id, path) {
                    Followed::Known(child) => child,
                    Followed::New(child) => return End::Leaf(child),
                    Followed::Outside(state) => return End::Outside(state),
                },
            };
            // Rules may lead back to a position; a simulation that did would never end in the tree.
            if path.contains(child) {
                return End::Leaf(child);
            }
            id = child;
        }
    }

    /// Every role chooses; those with one legal move have no choice.
    fn select(&mut self, path: &mut Path, node: NodeId, rng: &mut Rng) {
        let n_roles = self.tree.n_roles();
        let mut chosen = [0u32; ludens_core::RoleSet::MAX_ROLES];
        for role in Role::all(n_roles) {
            let range = self.tree.range(node, role);
            let place = if range.len() > 1 {
                let choice = Choice { tree: &self.tree, path, node, role };
                self.policy.select(&choice, rng)
            } else {
                0
            };
            chosen[role.index()] = (range.start + place) as u32;
        }
        path.push(node).extend_from_slice(&chosen[..n_roles]);
    }

    /// Makes the joint move at the end of a way for the first time.
    fn follow(&mut self, id: NodeId, path: &Path) -> Followed<G::State> {
        let chosen = path.last().expect("a step was just made");
        self.joint.clear();
        self.joint.extend(chosen.iter().map(|&edge| self.tree.edge(edge as usize).mv));
        let mut state = self.states[id.index()].clone();
        self.game.play(&mut state, &self.joint);
        if let Some(known) = self.find(&state) {
            self.tree.link(id, chosen, known);
            return Followed::Known(known);
        }
        if !self.has_room() {
            return Followed::Outside(state);
        }
        let child = self.insert(state);
        self.tree.link(id, chosen, child);
        Followed::New(child)
    }

    /// The position that a ticket asks about.
    pub fn leaf(&self, ticket: u32) -> &G::State {
        let ticket = &self.tickets[ticket as usize];
        let inside = || ticket.leaf.map(|id| &self.states[id.index()]);
        ticket.state.as_ref().or_else(inside).expect("a ticket has a position")
    }

    /// The way to the position that a ticket asks about.
    pub fn path(&self, ticket: u32) -> &Path {
        &self.tickets[ticket as usize].path
    }

    /// Counts what a leaf was found to be worth.
    pub fn apply(
        &mut self,
        ticket: u32,
        evaluation: &Evaluation<'_>,
        chain: &mut Chain,
        several: bool,
    ) {
        let number = ticket as usize;
        if several {
            for (node, chosen) in self.tickets[number].path.steps() {
                self.tree.end_visit(node, chosen);
            }
        }
        self.free.push(ticket);
        (self.tickets[number].state, self.tickets[number].owner) = (None, None);
        if let Some(leaf) = self.tickets[number].leaf.filter(|_| evaluation.terminal) {
            self.tree.settle(leaf, evaluation.payoffs);
        }
        self.back_up(number, evaluation, chain);
    }

    /// Counts a visit that led to a position whose value is known.
    fn count_settled(&mut self, number: u32, id: NodeId, chain: &mut Chain) {
        let mut payoffs = std::mem::take(&mut self.payoffs);
        payoffs.clear();
        payoffs.extend_from_slice(self.tree.settled(id).expect("the value is known"));
        chain.begin(&self.tree, &self.tickets[number as usize].path, 0);
        let evaluation =
            Evaluation { payoffs: &payoffs, moves: &[], terminal: false, plies: 0, game: 0 };
        self.back_up(number as usize, &evaluation, chain);
        self.payoffs = payoffs;
    }

    fn back_up(&mut self, number: usize, evaluation: &Evaluation<'_>, chain: &mut Chain) {
        let Ticket { path, .. } = &self.tickets[number];
        self.plies += path.len() as u64 + u64::from(evaluation.plies);
        for (node, chosen) in path.steps() {
            self.tree.count_visit(node, chosen, evaluation.payoffs);
        }
        let Evaluation { payoffs, moves, game, .. } = *evaluation;
        if let Some(mut amaf) = self.tree.amaf.take() {
            amaf.learn(&self.tree, &Episode { tree: &self.tree, path, game, moves, payoffs });
            self.tree.amaf = Some(amaf);
        }
        let episode = Episode { tree: &self.tree, path, game, moves, payoffs };
        self.policy.learn(&episode);
        chain.learn(&episode);
        if self.settings.solver {
            crate::solver_backup::prove(&mut self.tree, &self.tickets[number].path);
        }
    }

    /// Visits that whoever is working on the search has under way are none any more.
    pub fn abandon(&mut self) {
        for (number, ticket) in self.tickets.iter_mut().enumerate() {
            if ticket.owner != Some(self.owner) {
                continue;
            }
            (ticket.owner, ticket.state) = (None, None);
            for (node, chosen) in ticket.path.steps() {
                // One leaf at a time is not counted as under way.
                if self.tree.node(node).pending > 0 {
                    self.tree.end_visit(node, chosen);
                }
            }
            self.free.push(number as u32);
        }
    }
}

enum End<S> {
    Settled(NodeId),
    Leaf(NodeId),
    /// A position for which the tree has no room.
    Outside(S),
}

enum Followed<S> {
    Known(NodeId),
    New(NodeId),
    Outside(S),
}
