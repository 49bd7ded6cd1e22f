//! A best-first search that walks down a tree and stops where a state must be expanded, so that the states of
//! many searches can be expanded together.

use ludens_core::Game;

use super::tree::{EdgeId, Expansion, NodeId, Status, Tree};

/// A search in progress.
pub struct Search<G: Game> {
    tree: Tree<G::State>,
    /// The moves that were made since the tree began, then those of the walk.
    path: Vec<(NodeId, EdgeId)>,
    n_made: usize,
    /// Where the walk is; `None` at a state that is not expanded.
    at: Option<NodeId>,
    /// The state to be expanded, and its ply.
    leaf: Option<(G::State, u32)>,
    root: Option<NodeId>,
    /// After this many joint moves nothing is expanded.
    max_plies: u32,
}

impl<G: Game> Search<G> {
    /// A search without a root.
    pub fn new(game: &G, haste: f32, max_plies: u32) -> Self {
        Search {
            tree: Tree::new(game, haste),
            path: Vec::new(),
            n_made: 0,
            at: None,
            leaf: None,
            root: None,
            max_plies,
        }
    }

    /// Its tree.
    pub fn tree(&self) -> &Tree<G::State> {
        &self.tree
    }

    /// The root; `None` until it is expanded.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// What is left to search.
    pub fn status(&self) -> Status {
        self.root.map_or(Status::Open, |root| self.tree.node(root).status)
    }

    /// Begins a new tree at a state with legal moves, after a number of joint moves.
    pub fn begin(&mut self, state: G::State, ply: u32) {
        self.reset();
        self.leaf = Some((state, ply));
    }

    /// Forgets everything; a root must follow.
    pub fn reset(&mut self) {
        self.tree.clear();
        self.path.clear();
        self.n_made = 0;
        (self.root, self.at, self.leaf) = (None, None, None);
    }

    /// Continues at a state after a number of joint moves with what the tree knows about it. Everything else
    /// is discarded.
    pub fn begin_below(&mut self, state: &G::State, ply: u32) {
        match self.tree.find(state, ply) {
            Some(id) if Some(id) == self.root => self.stop_walk(),
            Some(id) => {
                self.tree.keep_below(id);
                self.path.clear();
                self.n_made = 0;
                (self.root, self.leaf) = (Some(0), None);
                self.at = self.root;
            }
            None => self.begin(state.clone(), ply),
        }
    }

    /// Makes the move of an edge of the root, which leads to a state that is neither terminal nor without
    /// legal moves. The tree is kept, and the values of states before are still backed up.
    pub fn make(&mut self, game: &G, edge: EdgeId) {
        self.stop_walk();
        let root = self.root.expect("a move is made after a search");
        self.path.push((root, edge));
        self.n_made += 1;
        self.enter(game, root, edge);
        self.root = self.at;
    }

    /// Continues at the root with an empty tree.
    pub fn forget(&mut self) {
        self.stop_walk();
        let root = self.root.map(|root| self.tree.node(root));
        let root = root.map(|node| (node.state.clone(), node.ply)).or_else(|| self.leaf.take());
        let (state, ply) = root.expect("a search has a root");
        self.begin(state, ply);
    }

    /// Enters the state to which an edge leads: a node, or a leaf.
    fn enter(&mut self, game: &G, node: NodeId, edge: EdgeId) {
        self.at = self.tree.child(edge);
        if self.at.is_some() {
            return;
        }
        let (mut state, ply) = (self.tree.node(node).state.clone(), self.tree.node(node).ply + 1);
        game.play(&mut state, self.tree.joint(edge));
        self.at = self.tree.find(&state, ply);
        match self.at {
            Some(child) => self.tree.link(edge, child),
            None => self.leaf = Some((state, ply)),
        }
    }

    /// Walks on along the best moves after which something is left to search. Returns whether a state must
    /// be expanded; otherwise the walk is over.
    pub fn walk(&mut self, game: &G) -> bool {
        while let Some(node) = self.at {
            // Another path may have shown that nothing is left here.
            let open = self.tree.node(node).status == Status::Open;
            let Some(edge) = self.tree.best_open(node).filter(|_| open) else { return false };
            self.tree.visit(edge);
            self.path.push((node, edge));
            self.enter(game, node, edge);
        }
        true
    }

    /// The state to be expanded.
    pub fn leaf(&self) -> Option<&G::State> {
        self.leaf.as_ref().map(|(state, _)| state)
    }

    /// Whether the game is cut after the moves of the leaf.
    pub fn is_last(&self) -> bool {
        self.leaf.as_ref().is_some_and(|(_, ply)| ply + 1 >= self.max_plies)
    }

    /// Expands the leaf, and continues there.
    pub fn expand(&mut self, expansion: Expansion<'_>) {
        let (state, ply) = self.leaf.take().expect("a walk has ended at a leaf");
        let id = self.tree.add(state, ply, expansion);
        self.at = Some(id);
        if let Some(&(_, edge)) = self.path.last() {
            self.tree.link(edge, id);
        }
        self.root.get_or_insert(id);
    }

    /// Ends the walk: values are backed up from where it is, and the next one begins at the root.
    pub fn end_walk(&mut self) {
        self.tree.back_up_path(&self.path);
        self.stop_walk();
    }

    /// Returns to the root without backing up.
    fn stop_walk(&mut self) {
        self.path.truncate(self.n_made);
        if self.root.is_some() {
            (self.at, self.leaf) = (self.root, None);
        }
    }
}
