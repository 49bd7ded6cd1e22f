//! Playouts whose states are counted.
//!
//! If a simulator can count facts in many playouts at once, it does; otherwise states are counted here one
//! by one, which is the reference for the simulator.

use std::sync::Arc;

use ludens_core::{Census, Game, Limit, Rng, Role, RowGroups, Simulator, Vocabulary};

use super::elements::{Elements, GameCounts};
use super::ledger::Ledger;
use super::rows::Rows;
use super::select::RandomGame;
use crate::evaluator::{Demand, Evaluated, Evaluation, Evaluator, Leaf, Policies};

/// Evaluates leaves by uniformly random playouts, and keeps the counts of elements in their states and in
/// those on the path to the leaf.
pub(super) struct CensusPlayouts<G: Game> {
    game: Arc<G>,
    simulator: Box<dyn Simulator<G>>,
    pub rows: Rows<G>,
    pub elements: Elements,
    pub ledger: Ledger,
    /// The facts of each element, if the game knows its facts in advance.
    groups: RowGroups,
    starts: Vec<Start<G::State>>,
    /// Counts whose allocations are reused.
    spare: Vec<GameCounts>,
    averages: Vec<f32>,
    census: Census,
}

/// A pending playout.
struct Start<S> {
    tag: u32,
    state: S,
    /// The counts on the path to its state.
    counts: GameCounts,
}

impl<G: Game> CensusPlayouts<G> {
    /// An evaluator without counts yet.
    pub fn new(game: &Arc<G>, rows: Rows<G>, elements: Elements) -> Self {
        let ranges = Role::all(game.roles().len()).map(|role| game.payoff_range(role));
        CensusPlayouts {
            game: Arc::clone(game),
            simulator: Arc::clone(game).simulator(),
            groups: match game.vocabulary().and_then(Vocabulary::n_facts) {
                Some(_) => elements.groups(),
                None => RowGroups::default(),
            },
            ledger: Ledger::new(ranges),
            starts: Vec::new(),
            spare: Vec::new(),
            averages: Vec::new(),
            census: Census::default(),
            rows,
            elements,
        }
    }

    /// Adds a playout from a state, after a path of states that are counted too.
    pub fn add<'s>(&mut self, tag: u32, state: &G::State, path: impl Iterator<Item = &'s G::State>)
    where
        G::State: 's,
    {
        let mut counts = self.spare.pop().unwrap_or_default();
        for ancestor in path {
            let max_counts = &mut self.ledger.max_counts;
            counts.add(ancestor, &mut self.rows, &mut self.elements, max_counts);
        }
        self.starts.push(Start { tag, state: state.clone(), counts });
    }

    /// Runs all playouts that were added.
    pub fn run(&mut self, rng: &mut Rng, out: &mut Evaluated) {
        let mut starts = std::mem::take(&mut self.starts);
        if starts.is_empty() {
            return;
        }
        let states: Vec<_> = starts.iter().map(|start| &start.state).collect();
        let (groups, census) = (&self.groups, &mut self.census);
        if !groups.is_empty() && self.simulator.census(&states, groups, rng, census) {
            self.keep_census(&mut starts, rng, out);
        } else {
            for start in &mut starts {
                self.run_one(start, rng, out);
            }
        }
        for mut start in starts.drain(..) {
            start.counts.clear();
            self.spare.push(start.counts);
        }
        self.starts = starts;
    }

    /// Runs a playout and counts its states one by one.
    fn run_one(&mut self, start: &mut Start<G::State>, rng: &mut Rng, out: &mut Evaluated) {
        let Start { tag, state, counts } = start;
        let (mut random, mut plies) = (RandomGame::new(&self.game, state), 0);
        while !random.is_over() && plies < Limit::LONGEST {
            let (rows, elements) = (&mut self.rows, &mut self.elements);
            counts.add(&random.state, rows, elements, &mut self.ledger.max_counts);
            random.step(rng);
            plies += 1;
        }
        let finished = random.view.terminal;
        let payoffs = random.view.payoffs.as_slice();
        self.keep(counts, (payoffs, finished), rng);
        let terminal = plies == 0 && finished;
        out.add(*tag, &Evaluation { terminal, plies, ..Evaluation::of(payoffs) });
    }

    /// Keeps the playouts that the simulator has run and counted.
    fn keep_census(&mut self, starts: &mut [Start<G::State>], rng: &mut Rng, out: &mut Evaluated) {
        let census = std::mem::take(&mut self.census);
        let (n_roles, n_groups) = (self.game.roles().len(), self.groups.len());
        for (i, Start { tag, counts, .. }) in starts.iter_mut().enumerate() {
            counts.sums.resize(n_groups, 0);
            let counted = &census.counts[i * n_groups..][..n_groups];
            counts.sums.iter_mut().zip(counted).for_each(|(sum, &count)| *sum += count);
            let (plies, finished) = (census.plies[i], census.finished[i]);
            counts.n_states += plies;
            let payoffs = &census.payoffs[i * n_roles..][..n_roles];
            self.keep(counts, (payoffs, finished), rng);
            let terminal = plies == 0 && finished;
            out.add(*tag, &Evaluation { terminal, plies, ..Evaluation::of(payoffs) });
        }
        self.ledger.max_counts.resize(n_groups, 0);
        for (max, &count) in self.ledger.max_counts.iter_mut().zip(&census.most) {
            *max = count.max(*max);
        }
        self.census = census;
    }

    /// Keeps the counts of a playout, if it has reached a terminal state.
    fn keep(&mut self, counts: &GameCounts, (payoffs, finished): (&[f32], bool), rng: &mut Rng) {
        if finished && counts.n_states > 0 {
            self.averages.clear();
            self.averages.extend(counts.averages().map(|average| average as f32));
            self.averages.resize(self.elements.list.len(), 0.0);
            self.ledger.keep(&self.averages, (payoffs, counts.n_states), rng);
        }
    }
}

impl<G: Game> Evaluator<G> for CensusPlayouts<G> {
    fn capacity(&self) -> usize {
        self.simulator.lanes()
    }

    fn room(&self) -> usize {
        usize::MAX
    }

    fn begin(&mut self, demand: &Demand) {
        self.simulator.limit(demand.limit);
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, _: &mut Policies<'_, G>) {
        let path = leaf.path.steps().map(|(node, _)| leaf.search.state(node));
        self.add(tag, leaf.state, path);
    }

    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated) {
        self.run(policies[0].rng, out);
    }

    fn abandon(&mut self) {
        self.starts.clear();
    }
}
