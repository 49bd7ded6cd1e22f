//! The agent `descent`: best-first minimax with the values of a network.
//!
//! The tree grows by one state at a time, the one at the end of the best line (Korf and Chickering 1996),
//! without a limit of depth; proven values are backed up, and closed lines are not searched again
//! (Cohen-Solal 2021, completed unbounded minimax). The move that was chosen most often is made, since its
//! value has been tested most (the safest move, Cohen-Solal 2020).

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, PerRole, Role, View};
use ludens_search::{Agent, Line, MoveStats, Report, Watch};

use super::expander::{Expander, StateValues};
use super::search::Search;
use super::tree::{EdgeId, NodeId, Status};

/// The longest principal variation.
const MAX_LINE: usize = 64;

/// The limits of a search, beside those of its budget.
#[derive(Clone, Copy, Debug)]
pub struct TreeLimits {
    /// The maximum number of evaluated states of a move.
    pub evaluations: u64,
    /// About how many bytes the tree may hold.
    pub bytes: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        TreeLimits { evaluations: u64::MAX, bytes: 1 << 30 }
    }
}

/// Plays by best-first minimax. A unit of work is an evaluated state, terminal or not.
pub struct BestFirst<G: Game> {
    game: Arc<G>,
    values: Box<dyn StateValues<G>>,
    expander: Expander<G>,
    search: Search<G>,
    limits: TreeLimits,
    /// How many joint moves were made.
    ply: u32,
}

impl<G: Game> BestFirst<G> {
    /// An agent with these values.
    pub fn new(game: Arc<G>, values: Box<dyn StateValues<G>>, limits: TreeLimits) -> Self {
        BestFirst {
            expander: Expander::new(Arc::clone(&game)),
            search: Search::new(&*game, 0.0, u32::MAX),
            values,
            limits,
            ply: 0,
            game,
        }
    }

    /// Expands one state. Returns the number of evaluated states.
    fn step(&mut self) -> u64 {
        let mut n_evaluated = 0;
        if self.search.walk(&self.game) {
            let search = std::iter::once(&mut self.search);
            n_evaluated = self.expander.expand(search, &mut *self.values);
        }
        self.search.end_walk();
        n_evaluated
    }

    fn bytes(&self, state: &G::State) -> usize {
        self.search.tree().bytes(self.game.state_bytes(state))
    }

    fn report(&self, n_evaluated: u64, state: &G::State, watched: bool) -> Report {
        let (tree, root) = (self.search.tree(), self.search.root().expect("the root is expanded"));
        let values = tree.value(root);
        let moves = Role::all(tree.n_roles()).map(|role| self.ranked(root, role));
        Report {
            iterations: n_evaluated,
            moves: PerRole::from(moves.collect::<Vec<_>>()),
            variation: self.variation(root),
            proven: (self.search.status() == Status::Proven).then(|| values.to_vec()),
            plies: n_evaluated,
            nodes: tree.len() as u64,
            bytes: self.bytes(state) as u64,
            worth: if watched {
                values.iter().map(|&v| Some(f64::from(v))).collect()
            } else {
                Vec::new()
            },
            ..Report::default()
        }
    }

    /// The edges of a node where one role decides, the safest first. If the best value is settled, nothing
    /// more can be learnt about it; otherwise the edge chosen most often is the safest.
    fn safest(&self, id: NodeId, role: Role) -> Vec<EdgeId> {
        let tree = self.search.tree();
        let mut edges: Vec<EdgeId> = tree.edges(id).collect();
        edges.sort_by(|&a, &b| tree.compare(role, b, a));
        if tree.edge_status(edges[0]) == Status::Open {
            let open = |edge: EdgeId| tree.edge_status(edge) == Status::Open;
            edges.sort_by_key(|&edge| std::cmp::Reverse((open(edge), tree.visits(edge))));
        }
        edges
    }

    /// The moves of a role at the root, the best first.
    fn ranked(&self, root: NodeId, role: Role) -> Vec<MoveStats> {
        let tree = self.search.tree();
        let mv = |edge: EdgeId| tree.joint(edge)[role.index()];
        let mean = |edge: EdgeId| f64::from(tree.edge_value(edge)[role.index()]);
        let visits = |edge: EdgeId| u64::from(tree.visits(edge));
        match tree.node(root).decider {
            Some(decider) if decider == role => {
                let stats = |&e: &EdgeId| MoveStats { mv: mv(e), visits: visits(e), mean: mean(e) };
                self.safest(root, role).iter().map(stats).collect()
            }
            Some(_) => {
                let (first, mean) = (tree.edges(root).start, tree.value(root)[role.index()]);
                let visits = tree.edges(root).map(visits).sum();
                vec![MoveStats { mv: mv(first), visits, mean: f64::from(mean) }]
            }
            None => self.averaged(root, role),
        }
    }

    /// The moves of a role where several decide, by their mean over joint moves.
    fn averaged(&self, root: NodeId, role: Role) -> Vec<MoveStats> {
        let tree = self.search.tree();
        let mut sums: Vec<(Move, u64, f64, f64)> = Vec::new();
        for edge in tree.edges(root) {
            let mv = tree.joint(edge)[role.index()];
            let place = sums.iter().position(|sum| sum.0 == mv).unwrap_or_else(|| {
                sums.push((mv, 0, 0.0, 0.0));
                sums.len() - 1
            });
            let (_, visits, total, n) = &mut sums[place];
            *visits += u64::from(tree.visits(edge));
            *total += f64::from(tree.edge_value(edge)[role.index()]);
            *n += 1.0;
        }
        let stats = |(mv, visits, total, n)| MoveStats { mv, visits, mean: total / n };
        let mut moves: Vec<MoveStats> = sums.into_iter().map(stats).collect();
        moves.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        moves
    }

    fn variation(&self, root: NodeId) -> Line {
        let tree = self.search.tree();
        let (mut line, mut at) = (Line::new(), Some(root));
        while let Some(id) = at.filter(|_| line.len() < MAX_LINE) {
            let Some(role) = tree.node(id).decider else { break };
            let Some(&edge) = self.safest(id, role).first() else { break };
            line.push(tree.joint(edge).to_vec());
            at = tree.child(edge);
        }
        line
    }
}

impl<G: Game> Agent<G> for BestFirst<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        let mut view = View::default();
        self.game.look(state, &mut view);
        if view.is_over() {
            return untried(&view);
        }
        self.values.begin();
        self.search.begin_below(state, self.ply);
        // The root is expanded even without time.
        let mut n_evaluated = if self.search.root().is_none() { self.step() } else { 0 };
        let budget = budget.at_most(self.limits.evaluations, self.limits.bytes);
        while self.search.status() == Status::Open
            && !budget.is_spent(n_evaluated)
            && !budget.is_over()
            && !budget.is_full(self.bytes(state))
        {
            n_evaluated += self.step();
            if watch.is_due() && !watch.show(&self.report(n_evaluated, state, true)) {
                break;
            }
        }
        let report = self.report(n_evaluated, state, watch.is_on());
        watch.show(&report);
        report
    }

    fn advance(&mut self, _: &[Move]) {
        self.ply += 1;
    }

    fn begin(&mut self, _: u64) {
        self.ply = 0;
        self.search.reset();
    }
}

/// The moves of a state where the game is over.
fn untried(view: &View) -> Report {
    let stats = |&mv: &Move| MoveStats { mv, visits: 0, mean: 0.0 };
    let moves = view.legal.iter().map(|legal| legal.iter().map(stats).collect());
    Report { moves: PerRole::from(moves.collect::<Vec<Vec<MoveStats>>>()), ..Report::default() }
}
