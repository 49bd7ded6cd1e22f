//! A planner for games of one role: best-first search for a line with the highest payoff.
//!
//! States are expanded in the order of three queues ([`frontier`]): novelty (Lipovetzky and Geffner 2012, 2017),
//! nearness to the goal by the rules ([`ludens_core::Guide`]), and breadth first. Facts that only count moves are
//! ignored when positions are compared. Before it, depth-first search looks for plans by what the goal needs and by dead
//! ends ([`backtracking`]). What remains of the budget goes to nested Monte Carlo search, which is better where plans are
//! long and dead ends many. The best line found is kept and played.
//!
//! Games of several roles are played by [`Nested`].

mod backtracking;
mod frontier;
mod novelty;
mod space;

use std::sync::Arc;

use ludens_core::{Budget, Game, Guide, Limit, Move, Role, View, Views};

use self::backtracking::Backtracking;
use self::frontier::Frontier;
use self::novelty::Novelty;
use self::space::Space;
use super::meter::Meter;
use super::nested::Nested;
use super::plan::Plan;
use super::root::untried;
use super::root_stats::RootStats;
use crate::agent::{Agent, Report};
use crate::watch::Watch;

/// The shares of the budget at whose ends depth-first search and best-first search stop.
const BACKTRACKING_SHARE: f64 = 0.3;
const SEARCH_SHARE: f64 = 0.7;

/// States are expanded together until they have about this many successors, since rules are evaluated faster
/// for many states at once.
const BATCH: usize = 128;

/// Random games of some puzzles hardly end: longer playouts are cut off.
const MAX_PLIES: u32 = 1_000;

/// The only role.
const ROLE: Role = Role(0);

/// A planner.
pub struct Planner<G: Game> {
    game: Arc<G>,
    guide: Option<Box<dyn Guide>>,
    /// Facts that only count moves.
    counters: Vec<u32>,
    search: Option<Search<G>>,
    nested: Nested<G>,
    plan: Plan<G>,
    max_bytes: usize,
}

/// A search from a state.
struct Search<G: Game> {
    root: G::State,
    backtracking: Option<Backtracking<G>>,
    space: Space<G>,
    frontier: Frontier,
    novelty: Novelty,
    buffers: Buffers<G>,
}

/// Successors that are evaluated together.
struct Buffers<G: Game> {
    from: Vec<(u32, Move)>,
    states: Vec<G::State>,
    joints: Vec<Move>,
    view: View,
    views: Views,
    facts: Vec<u32>,
}

impl<G: Game> Planner<G> {
    /// A planner whose search holds at most about this many bytes.
    pub fn new(game: Arc<G>, max_bytes: usize, seed: u64) -> Self {
        let structure = game.structure().filter(|_| game.roles().len() == 1);
        let guide = structure.as_ref().and_then(|structure| structure.guide(ROLE));
        let counters = structure.map_or(Vec::new(), |structure| structure.counters());
        let limit = Limit { plies: MAX_PLIES, ..Limit::default() };
        let nested = Nested::new(Arc::clone(&game), Nested::<G>::LEVEL, seed).with_limit(limit);
        Planner { game, guide, counters, search: None, nested, plan: Plan::empty(), max_bytes }
    }

    /// Searches until a plan with the highest payoff is found, all states are expanded, or the budget is over.
    fn search(&mut self, meter: &mut Meter<'_>) {
        let best = self.game.payoff_range(ROLE).1;
        while let Some(search) = &mut self.search {
            let bytes = search.bytes();
            let full = bytes > self.max_bytes || meter.rest().is_full(bytes);
            if meter.is_over() || full || self.plan.payoff() >= best {
                return;
            }
            search.gather(&*self.game);
            if search.buffers.states.is_empty() {
                return;
            }
            meter.spent += search.buffers.states.len() as u64;
            search.evaluate(&*self.game, &mut self.guide, &self.counters, &mut self.plan);
        }
    }

    /// Depth-first search, by the same rules.
    fn backtrack(&mut self, meter: &mut Meter<'_>) {
        let best = self.game.payoff_range(ROLE).1;
        let search = self.search.as_mut().and_then(|search| search.backtracking.as_mut());
        if let Some(search) = search.filter(|search| search.bytes() < self.max_bytes) {
            search.search(&*self.game, &self.counters, (best, &mut self.plan), meter);
        }
    }

    /// Begins a search from a state, unless there is one.
    fn set_root(&mut self, state: &G::State) {
        if self.search.as_ref().is_none_or(|search| search.root != *state) {
            self.game.expect_batches();
            self.search = self.begin_search(state);
        }
    }

    /// A search from a state; `None` if the game does not number its facts.
    fn begin_search(&mut self, state: &G::State) -> Option<Search<G>> {
        let n_facts = self.game.vocabulary()?.n_facts()?;
        let outlook = self.game.structure().and_then(|structure| structure.outlook());
        let mut search = Search {
            root: state.clone(),
            backtracking: outlook.map(|outlook| Backtracking::new(&*self.game, state, outlook)),
            space: Space::new(),
            frontier: Frontier::default(),
            novelty: Novelty::new(n_facts),
            buffers: Buffers::default(),
        };
        search.add(&*self.game, state.clone(), None, &mut self.guide, &self.counters);
        Some(search)
    }

    /// Lets nested search improve the plan.
    fn improve(&mut self, state: &G::State, budget: &Budget) -> Report {
        let report = self.nested.think(state, budget, &mut Watch::none());
        let line: Vec<Move> = report.variation.concat();
        let (mut at, mut view) = (state.clone(), View::default());
        for &mv in &line {
            self.game.play(&mut at, &[mv]);
        }
        self.game.look(&at, &mut view);
        if view.terminal {
            self.plan.offer(view.payoffs[ROLE], &line, &[]);
        }
        report
    }

    fn report(&self, view: &View, spent: u64) -> Report {
        let planned = self.plan.next(1).map(|joint| joint[0]);
        let best = self.game.payoff_range(ROLE).1;
        let (nodes, bytes) =
            self.search.as_ref().map_or((0, 0), |s| (s.space.len() as u64, s.bytes() as u64));
        Report {
            variation: self.plan.line(1),
            proven: (self.plan.payoff() >= best).then(|| vec![best]),
            plies: spent,
            nodes,
            bytes,
            ..RootStats::new(view).by_best(spent, planned)
        }
    }
}

impl<G: Game> Search<G> {
    /// Makes all moves in the next states.
    fn gather(&mut self, game: &G) {
        let Search { space, frontier, buffers, .. } = self;
        buffers.clear();
        while buffers.states.len() < BATCH {
            let Some(node) = frontier.pop() else { break };
            game.look(space.state(node), &mut buffers.view);
            for &mv in &buffers.view.legal[ROLE] {
                buffers.from.push((node, mv));
                buffers.states.push(space.state(node).clone());
                buffers.joints.push(mv);
            }
        }
        game.play_many(&mut buffers.states, &buffers.joints);
    }

    /// Adds the successors; lines that have ended are offered as plans.
    fn evaluate(
        &mut self,
        game: &G,
        guide: &mut Option<Box<dyn Guide>>,
        counters: &[u32],
        plan: &mut Plan<G>,
    ) {
        let states = std::mem::take(&mut self.buffers.states);
        let mut views = std::mem::take(&mut self.buffers.views);
        game.look_many(&states.iter().collect::<Vec<_>>(), &mut views);
        for (i, state) in states.into_iter().enumerate() {
            let (parent, mv) = self.buffers.from[i];
            if views.is_terminal(i) {
                let payoff = views.payoffs(i)[0];
                if payoff > plan.payoff() {
                    plan.offer(payoff, &self.space.path(parent), &[mv]);
                }
            } else if views.legal(i).all(|legal| !legal.is_empty()) {
                self.add(game, state, Some((parent, mv)), guide, counters);
            }
        }
        self.buffers.views = views;
    }

    /// Adds a state, unless its position is known.
    fn add(
        &mut self,
        game: &G,
        state: G::State,
        from: Option<(u32, Move)>,
        guide: &mut Option<Box<dyn Guide>>,
        counters: &[u32],
    ) {
        let facts = &mut self.buffers.facts;
        facts.clear();
        let vocabulary = game.vocabulary().expect("its facts are numbered");
        vocabulary.fact_ids(&state, facts);
        let nearness = guide.as_mut().map_or(0.0, |guide| guide.nearness(facts));
        facts.retain(|fact| counters.binary_search(fact).is_err());
        if self.space.add(game, state, from, facts) {
            self.frontier.push(self.novelty.add(facts, nearness), nearness);
        }
    }

    fn bytes(&self) -> usize {
        self.space.bytes() + self.frontier.bytes() + self.novelty.bytes()
    }
}

impl<G: Game> Default for Buffers<G> {
    fn default() -> Self {
        Buffers {
            from: Vec::new(),
            states: Vec::new(),
            joints: Vec::new(),
            view: View::default(),
            views: Views::default(),
            facts: Vec::new(),
        }
    }
}

impl<G: Game> Buffers<G> {
    fn clear(&mut self) {
        self.from.clear();
        self.states.clear();
        self.joints.clear();
    }
}

impl<G: Game> Agent<G> for Planner<G> {
    /// A unit of the budget is a state, or a playout of nested search.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        if self.game.roles().len() != 1 {
            return self.nested.think(state, budget, watch);
        }
        let mut view = View::default();
        self.game.look(state, &mut view);
        // A forced move leaves time for those after it.
        if view.is_over() {
            return untried(&view);
        }
        self.plan.begin_at(state);
        self.set_root(state);
        let (first, both) = (budget.part(BACKTRACKING_SHARE), budget.part(SEARCH_SHARE));
        let mut meter = Meter::new(&first);
        self.backtrack(&mut meter);
        let spent = meter.spent;
        let mut meter = Meter::new(&both);
        meter.spent = spent;
        self.search(&mut meter);
        let mut spent = meter.spent;
        if self.plan.payoff() < self.game.payoff_range(ROLE).1 {
            let left = budget.iterations.map(|limit| limit.saturating_sub(spent));
            let mut rest = budget.clone();
            rest.iterations = left;
            spent += self.improve(state, &rest).iterations;
        }
        watch.shown(self.report(&view, spent))
    }

    fn advance(&mut self, joint: &[Move]) {
        self.plan.advance(&self.game, joint);
        self.nested.advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        (self.search, self.plan) = (None, Plan::empty());
        self.nested.begin(seed);
    }
}

#[cfg(test)]
mod tests;
