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
use ludens_core::{Game, Move, Rng, Role, View, Views};
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
    pub(crate) tree: Tree,
    states: Vec<G::State>,
    table: HashTable<u32>,
    needs: Needs,
    root: NodeId,
    tickets: Vec<Ticket<G::State>>,
    free: Vec<u32>,
    view: View,
    views: Views,
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
            views: Views::default(),
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
        self.tree.expand(id, views.legal(i));
        if let Some(codes) = self.tree.codes_mut() {
            for (role, legal) in Role::all(self.game.roles().len()).zip(views.legal(i)) {
                self.game.codes(&self.states[id.index()], role, legal, codes);
            }
        }
    }

    /// Goes down the tree once.
    pub fn gather(&mut self, chain: &mut Chain, rng: &mut Rng) -> Gathered {
        let ticket = self.take_ticket();
        let end = self.descend(ticket, rng);
        if self.end_at(ticket, end, chain) { Gathered::Leaf(ticket) } else { Gathered::Settled }
    }

    /// A ticket for another visit.
    pub(crate) fn take_ticket(&mut self) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            let path = Path::new(self.tree.n_roles());
            self.tickets.push(Ticket { path, leaf: None, state: None, owner: None });
            (self.tickets.len() - 1) as u32
        });
        let ticket = &mut self.tickets[number as usize];
        ticket.path.clear();
        ticket.owner = Some(self.owner);
        number
    }

    fn descend(&mut self, ticket: u32, rng: &mut Rng) -> End<G::State> {
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
            let child = match self.step(ticket, id, rng) {
                Some(child) => child,
                None => match self.follow(ticket, id) {
                    Ok(known) => known,
                    Err(end) => return end,
                },
            };
            if self.has_met(ticket, child) {
                return End::Leaf(child);
            }
            id = child;
        }
    }

    /// Every role chooses in a node; those with one legal move have no choice. Where that leads, if
    /// it is known.
    #[inline]
    pub(crate) fn step(&mut self, ticket: u32, node: NodeId, rng: &mut Rng) -> Option<NodeId> {
        let n_roles = self.tree.n_roles();
        let mut chosen = [0u32; ludens_core::RoleSet::MAX_ROLES];
        let path = &mut self.tickets[ticket as usize].path;
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
        let chosen = &chosen[..n_roles];
        path.push(node).extend_from_slice(chosen);
        self.tree.begin_visit(node, chosen);
        self.tree.child(node, chosen)
    }

    /// Whether a visit has been in a node before. Rules may lead back to a position; a simulation that
    /// went on from there might never end in the tree.
    pub(crate) fn has_met(&self, ticket: u32, node: NodeId) -> bool {
        self.tickets[ticket as usize].path.contains(node)
    }

    /// Appends the joint move that a visit made last.
    pub(crate) fn append_joint(&self, ticket: u32, joint: &mut Vec<Move>) {
        let chosen = self.tickets[ticket as usize].path.last().expect("a step was made");
        joint.extend(chosen.iter().map(|&edge| self.tree.edge(edge as usize).mv));
    }

    /// Makes the joint move that a visit chose last, for the first time.
    fn follow(&mut self, ticket: u32, id: NodeId) -> Result<NodeId, End<G::State>> {
        let mut joint = std::mem::take(&mut self.joint);
        joint.clear();
        self.append_joint(ticket, &mut joint);
        let mut state = self.states[id.index()].clone();
        self.game.play(&mut state, &joint);
        self.joint = joint;
        self.arrive(ticket, id, state)
    }

    /// Enters the position to which the last joint move of a visit led: the node, if it was known.
    pub(crate) fn arrive(
        &mut self,
        ticket: u32,
        from: NodeId,
        state: G::State,
    ) -> Result<NodeId, End<G::State>> {
        let known = self.find(&state);
        if known.is_none() && !self.has_room() {
            return Err(End::Outside(state));
        }
        let child = known.unwrap_or_else(|| self.insert(state));
        let chosen = self.tickets[ticket as usize].path.last().expect("a step was made");
        self.tree.link(from, chosen, child);
        if known.is_some() { Ok(child) } else { Err(End::Leaf(child)) }
    }

    /// A visit is at its end; whether that is a leaf to be evaluated.
    pub(crate) fn end_at(&mut self, number: u32, end: End<G::State>, chain: &mut Chain) -> bool {
        let ticket = &mut self.tickets[number as usize];
        match end {
            End::Settled(id) => {
                self.count_settled(number, id, chain);
                return false;
            }
            End::Leaf(id) => (ticket.leaf, ticket.state) = (Some(id), None),
            End::Outside(state) => (ticket.leaf, ticket.state) = (None, Some(state)),
        }
        true
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
    pub fn apply(&mut self, ticket: u32, evaluation: &Evaluation<'_>, chain: &mut Chain) {
        let number = ticket as usize;
        if let Some(leaf) = self.tickets[number].leaf.filter(|_| evaluation.terminal) {
            self.tree.settle(leaf, evaluation.payoffs);
        }
        self.back_up(number, evaluation, chain);
        self.hand_back(ticket);
    }

    fn hand_back(&mut self, ticket: u32) {
        self.free.push(ticket);
        let ticket = &mut self.tickets[ticket as usize];
        (ticket.state, ticket.owner) = (None, None);
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
        self.hand_back(number);
    }

    fn back_up(&mut self, number: usize, evaluation: &Evaluation<'_>, chain: &mut Chain) {
        let full = self.policy.grows() && !self.has_room();
        let Ticket { path, .. } = &self.tickets[number];
        self.plies += path.len() as u64 + u64::from(evaluation.plies);
        for (node, chosen) in path.steps() {
            self.tree.end_visit(node, chosen, evaluation.payoffs);
        }
        let Evaluation { payoffs, moves, game, .. } = *evaluation;
        if let Some(mut amaf) = self.tree.amaf.take() {
            amaf.learn(&self.tree, &Episode { tree: &self.tree, path, game, moves, payoffs });
            self.tree.amaf = Some(amaf);
        }
        let episode = Episode { tree: &self.tree, path, game, moves, payoffs };
        self.policy.learn(&episode, full);
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
                self.tree.cancel_visit(node, chosen);
            }
            self.free.push(number as u32);
        }
    }
}

/// Where a way through the tree ends.
pub(crate) enum End<S> {
    /// At a node whose value is known.
    Settled(NodeId),
    /// At a node that is to be evaluated.
    Leaf(NodeId),
    /// At a position for which the tree has no room.
    Outside(S),
}
