//! A search that checks itself at every call: simulations are counted exactly, counts add up in every
//! node, and only legal moves are made.

use std::sync::Arc;

use ludens_core::{
    Budget, Chooser, Game, Limit, Move, Outcomes, Playout, Rng, Role, Simulator, Tally, View,
};
use ludens_search::{
    Chain, Driver, Evaluator, Job, NodeId, Playouts, Report, Searcher, Settings, Tree, TreePolicy,
    Watch, drive,
};

use crate::policies::{MakeChain, MakeTree};

/// A search with its own simulator.
pub struct Thinker<G: Game> {
    /// The search.
    pub searcher: Searcher<G>,
    playouts: Playouts<G>,
}

/// A search with an empty tree.
pub fn searcher<G: Game>(
    game: &Arc<G>,
    make: (MakeTree, MakeChain),
    settings: Settings,
    batch: usize,
    seed: u64,
) -> Searcher<G> {
    let mut searcher = Searcher::new(Arc::clone(game), make.0(), make.1(), settings, batch);
    searcher.begin(seed);
    searcher
}

impl<G: Game> Thinker<G> {
    /// A thinker whose playouts are checked move by move.
    pub fn new(
        game: &Arc<G>,
        policy: Box<dyn TreePolicy>,
        chain: Chain,
        settings: Settings,
        batch: usize,
    ) -> Self {
        let searcher = Searcher::new(Arc::clone(game), policy, chain, settings, batch);
        let inner = Arc::clone(game).simulator();
        let checked = Checked { game: Arc::clone(game), inner, limit: settings.limit };
        Thinker { searcher, playouts: Playouts::new(Box::new(checked)) }
    }

    /// Searches a state and checks that all counts add up.
    pub fn think(&mut self, state: &G::State, iterations: u64) -> Report {
        let mut counted = 0;
        if self.searcher.set_root(state) {
            let before = self.root_visits();
            let budget = Budget::unlimited().with_iterations(iterations);
            counted = run(&mut self.playouts, &mut self.searcher, &budget);
            let visited = self.root_visits() - before;
            if is_proven(&self.searcher) {
                // Once the root is proven, simulations end in it.
                assert!(visited <= counted && counted <= iterations);
            } else {
                assert_eq!((counted, visited), (iterations, iterations), "simulations");
            }
        }
        check_counts(self.searcher.search.tree());
        let report = self.searcher.report(counted);
        check_moves(&**self.searcher.search.game(), state, &report);
        report
    }

    fn root_visits(&self) -> u64 {
        let search = &self.searcher.search;
        u64::from(search.tree().node(search.root()).visits)
    }
}

/// Drives one search; returns the number of simulations.
pub fn run<G: Game>(
    evaluator: &mut dyn Evaluator<G>,
    searcher: &mut Searcher<G>,
    budget: &Budget,
) -> u64 {
    let mut jobs = [Job::new(searcher, budget)];
    drive(&mut jobs, evaluator, budget, &mut Watch::none());
    jobs[0].n_done
}

/// Drives many searches together; returns the number of simulations of each.
pub fn run_together<G: Game>(
    evaluator: &mut dyn Evaluator<G>,
    searchers: &mut [Searcher<G>],
    budget: &Budget,
) -> Vec<u64> {
    let jobs = searchers.iter_mut().map(|searcher| Job::new(searcher, budget));
    let mut jobs: Vec<_> = jobs.collect();
    Driver::pooled().drive(&mut jobs, evaluator, budget, &mut Watch::none());
    jobs.iter().map(|job| job.n_done).collect()
}

/// Whether the value of the root is proven.
pub fn is_proven<G: Game>(searcher: &Searcher<G>) -> bool {
    searcher.search.tree().proven(searcher.search.root()).is_some()
}

/// Checks that in every node the visits of the moves of each role that decides add up.
pub fn check_counts(tree: &Tree) {
    for id in (0..tree.n_nodes() as u32).map(NodeId) {
        for role in Role::all(tree.n_roles()) {
            let edges = tree.edges(id, role);
            if edges.len() > 1 {
                let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
                assert_eq!(visits, tree.node(id).visits, "visits of {id:?}, {role:?}");
                let in_range = |value, visits| value >= 0.0 && value <= f64::from(visits);
                assert!(
                    edges.iter().all(|edge| in_range(edge.value, edge.visits)),
                    "payoffs of {id:?}"
                );
            }
        }
    }
}

/// Checks that a report contains every legal move exactly once.
fn check_moves<G: Game>(game: &G, state: &G::State, report: &Report) {
    let mut view = View::default();
    game.look(state, &mut view);
    for (role, legal) in view.legal.entries() {
        let mut named: Vec<Move> = report.moves[role].iter().map(|stats| stats.mv).collect();
        let mut legal = legal.clone();
        named.sort_unstable();
        legal.sort_unstable();
        assert_eq!(named, legal, "moves of {role:?}");
    }
}

/// A simulator that replays and checks every playout whose moves are recorded.
struct Checked<G: Game> {
    game: Arc<G>,
    inner: Box<dyn Simulator<G>>,
    limit: Limit,
}

impl<G: Game> Checked<G> {
    fn replay(&self, start: &G::State, playout: &Playout) {
        if playout.moves.is_empty() && playout.plies > 0 {
            return;
        }
        let (mut state, mut view) = (start.clone(), View::default());
        for joint in playout.moves.chunks_exact(self.game.roles().len()) {
            self.game.look(&state, &mut view);
            assert!(!view.terminal, "a playout continued after a terminal state");
            let legal = view.legal.iter().zip(joint).all(|(legal, mv)| legal.contains(mv));
            assert!(legal, "a playout made an illegal move");
            self.game.play(&mut state, joint);
        }
        self.game.look(&state, &mut view);
        assert_eq!(view.terminal, playout.finished, "the end of a playout");
        assert!(playout.plies <= self.limit.plies, "the length of a playout");
        if !view.terminal && playout.plies == self.limit.plies {
            self.limit.cut.judge(&*self.game, &state, &mut view);
        }
        assert_eq!(view.payoffs, playout.payoffs, "the payoffs of a playout");
    }
}

impl<G: Game> Simulator<G> for Checked<G> {
    fn lanes(&self) -> usize {
        self.inner.lanes()
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
        self.inner.limit(limit);
    }

    fn run(
        &mut self,
        starts: &[&G::State],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        let first = out.len();
        self.inner.run(starts, chooser, rng, out);
        assert_eq!(out.len() - first, starts.len(), "one playout from each start");
        starts.iter().zip(&out[first..]).for_each(|(start, playout)| self.replay(start, playout));
    }

    fn tally(&mut self, starts: &[&G::State], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        self.inner.tally(starts, playouts, rng, out);
    }

    fn room(&self) -> usize {
        self.inner.room()
    }

    fn offer(&mut self, tag: u32, start: &G::State) {
        self.inner.offer(tag, start);
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        self.inner.advance(rng, out);
    }

    fn abandon(&mut self) {
        self.inner.abandon();
    }
}
