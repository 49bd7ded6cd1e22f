//! Monte Carlo tree search as an agent: a search, the policies of its playouts, and who runs them.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Chooser, Game, Move, PerRole, Rng, Role, View};

use crate::agent::{Agent, MoveStats, Report, Watch};
use crate::heuristic::{Evaluator, Judge};
use crate::line::line;
use crate::playout_policy::Chain;
use crate::playouts::Playouts;
use crate::search::{Search, Settings};
use crate::tree::{Chosen, Edge, NodeId};
use crate::tree_policy::TreePolicy;
use crate::watch::Watcher;

/// What one player has in mind: its tree, its playout policies, its random numbers.
pub struct Mind<G: Game> {
    /// The search.
    pub search: Search<G>,
    /// The policies of its playouts.
    pub chain: Chain,
    /// Its random numbers.
    pub rng: Rng,
    /// How many leaves are evaluated at once; 0 as long as nobody has said.
    pub batch: usize,
    /// Whether it begins with fewer, as long as the tree is small.
    pub grows: bool,
}

impl<G: Game> Mind<G> {
    /// A mind that knows nothing yet.
    pub fn new(
        game: Arc<G>,
        policy: Box<dyn TreePolicy>,
        chain: Chain,
        settings: Settings,
        batch: usize,
    ) -> Self {
        let search = Search::new(game, policy, settings, chain.needs());
        Mind { search, chain, rng: Rng::new(0), batch, grows: false }
    }

    /// Whether its playouts are uniform and nothing but their payoffs is learnt from.
    pub fn is_plain(&self) -> bool {
        self.chain.is_uniform() && !self.search.needs().moves
    }

    /// If nobody has said how many leaves are evaluated at once: as many as run side by side, but few as
    /// long as the tree is small. A mind that learns from its playouts takes one at a time, because a
    /// policy that is adapted to hundreds of playouts which it could not know of each other overshoots.
    #[must_use]
    pub fn suited_to(mut self, lanes: usize) -> Self {
        if self.batch == 0 {
            self.grows = self.is_plain() && lanes > 1;
            self.batch = if self.grows { lanes } else { 1 };
        }
        self
    }

    /// Another game begins.
    pub fn begin(&mut self, seed: u64) {
        self.search.clear();
        self.chain.new_game();
        self.rng = Rng::new(seed);
    }

    /// Thinking about a position begins; whether there is anything to think about.
    pub fn set_root(&mut self, state: &G::State) -> bool {
        self.set_root_within(state, &Budget::unlimited())
    }

    /// Thinking about a position begins, for which there is a budget; whether there is anything to think about.
    pub fn set_root_within(&mut self, state: &G::State, budget: &Budget) -> bool {
        self.search.set_root_within(state, budget);
        let game = Arc::clone(self.search.game());
        self.chain.next_move(&|| game.facts(state).join(" "));
        let (tree, root) = (self.search.tree(), self.search.root());
        let decides = |role| tree.range(root, role).len() > 1;
        !tree.is_settled(root) && Role::all(tree.n_roles()).any(decides)
    }

    /// What thinking led to.
    pub fn report(&self, iterations: u64) -> Report {
        let (tree, root) = (self.search.tree(), self.search.root());
        let mut report = Report {
            iterations,
            nodes: tree.n_nodes() as u64,
            bytes: (self.search.bytes() + self.chain.bytes()) as u64,
            settled: tree.settled(root).map(<[f32]>::to_vec),
            ..Report::default()
        };
        let moves = if tree.is_expanded(root) { self.root_moves() } else { self.legal_moves() };
        report.moves = moves;
        report.variation = line(tree, root, None, usize::MAX);
        report
    }

    /// The root is settled before its moves were needed: a finished game, or one that cannot go on.
    fn legal_moves(&self) -> PerRole<Vec<MoveStats>> {
        let mut view = View::default();
        self.search.game().look(self.search.state(self.search.root()), &mut view);
        let unknown = |&mv: &Move| MoveStats { mv, visits: 0, mean: 0.0 };
        view.legal
            .iter()
            .map(|legal| legal.iter().map(unknown).collect())
            .collect::<Vec<_>>()
            .into()
    }

    fn root_moves(&self) -> PerRole<Vec<MoveStats>> {
        let (tree, root) = (self.search.tree(), self.search.root());
        let of_role = |role| {
            let edges = tree.edges(root, role);
            let moves = tree.moves(root, role);
            let mut stats: Vec<_> =
                edges.iter().zip(moves).map(|(edge, &mv)| edge_stats(edge, mv)).collect();
            if let [only] = &mut stats[..] {
                only.visits = u64::from(tree.node(root).visits);
            }
            let rank = |stats: &MoveStats| {
                let edge = moves.iter().position(|&mv| mv == stats.mv).map(|place| &edges[place]);
                (edge.is_some_and(Edge::is_lost), !self.wins(root, role, stats.mv))
            };
            stats.sort_by(|a, b| {
                let (rank_a, rank_b) = (rank(a), rank(b));
                // A proven win first and proven losses last, then by visits, then by means.
                (rank_a.1.cmp(&rank_b.1).then(rank_a.0.cmp(&rank_b.0)))
                    .then(b.visits.cmp(&a.visits))
                    .then(b.mean.total_cmp(&a.mean))
            });
            stats
        };
        Role::all(tree.n_roles()).map(of_role).collect::<Vec<_>>().into()
    }

    /// Whether a move of the one role that decides is proven to give it what the root is worth.
    fn wins(&self, root: NodeId, role: Role, mv: Move) -> bool {
        let tree = self.search.tree();
        let (Some(value), Some(decider)) = (tree.settled(root), tree.decider(root)) else {
            return false;
        };
        if decider != role {
            return false;
        }
        let Some(place) = tree.moves(root, role).iter().position(|&known| known == mv) else {
            return false;
        };
        let chosen = Chosen::Alone((tree.range(root, role).start + place) as u32);
        let child = tree.child(root, chosen).and_then(|child| tree.settled(child));
        child.is_some_and(|payoffs| payoffs[role.index()] >= value[role.index()])
    }
}

fn edge_stats(edge: &Edge, mv: Move) -> MoveStats {
    MoveStats { mv, visits: u64::from(edge.visits), mean: edge.mean() }
}

/// Monte Carlo tree search.
pub struct Mcts<G: Game> {
    mind: Mind<G>,
    playouts: Playouts<G>,
}

impl<G: Game> Mcts<G> {
    /// An agent whose playouts are run by the game's own simulator. A batch of 0 is as many leaves
    /// as suit both.
    pub fn new(
        game: Arc<G>,
        policy: Box<dyn TreePolicy>,
        chain: Chain,
        settings: Settings,
        batch: usize,
    ) -> Self {
        let playouts = Playouts::new(Arc::clone(&game).simulator());
        let mind = Mind::new(game, policy, chain, settings, batch).suited_to(playouts.lanes());
        Mcts { mind, playouts }
    }

    /// Lets an evaluation function order moves, and judge leaves in place of playouts.
    pub(crate) fn guide(&mut self, order: Option<Evaluator<G>>, judge: Option<Judge<G>>) {
        self.mind.search.guide_by(order);
        self.playouts.judge = judge;
    }

    /// Its mind.
    pub fn mind(&self) -> &Mind<G> {
        &self.mind
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report {
        let (mut iterations, before) = (0, self.mind.search.plies());
        if self.mind.set_root_within(state, budget) {
            iterations = self.playouts.run(&mut self.mind, budget);
        }
        let plies = self.mind.search.plies() - before;
        Report { plies, ..self.mind.report(iterations) }
    }

    fn think_watched(
        &mut self,
        state: &G::State,
        budget: &Budget,
        every: Duration,
        watch: &mut Watch<'_>,
    ) -> Report {
        let (mut iterations, before) = (0, self.mind.search.plies());
        if self.mind.set_root_within(state, budget) {
            let mut watcher = Watcher::new(every, watch);
            iterations = self.playouts.run_watched(&mut self.mind, budget, &mut watcher);
        }
        let plies = self.mind.search.plies() - before;
        Report { plies, ..self.mind.report_in_full(iterations) }
    }

    fn begin(&mut self, seed: u64) {
        self.mind.begin(seed);
    }

    fn mind(&mut self) -> Option<&mut Mind<G>> {
        Some(&mut self.mind)
    }
}
