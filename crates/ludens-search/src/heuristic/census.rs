//! Playouts whose states are counted.
//!
//! Where a simulator can count facts in many playouts at once, it does; otherwise states are counted
//! here one by one, which is the truth that it is compared with.

use std::sync::Arc;

use ludens_core::{Census, Game, Limit, Rng, Role, RowGroups, Simulator, Vocabulary};

use super::elements::{Elements, GameCounts};
use super::ledger::Ledger;
use super::rows::Rows;
use super::select::RandomGame;
use crate::evaluator::{Demand, Evaluated, Evaluation, Evaluator, Leaf, Policies};

/// Evaluates leaves by uniformly random playouts, and keeps what was counted in their states and in
/// those on the path to the leaf.
pub(super) struct CensusPlayouts<G: Game> {
    game: Arc<G>,
    simulator: Box<dyn Simulator<G>>,
    pub rows: Rows<G>,
    pub elements: Elements,
    pub ledger: Ledger,
    /// The facts of each element, where they are known beforehand.
    groups: RowGroups,
    starts: Vec<Start<G::State>>,
    averages: Vec<f32>,
    census: Census,
}

/// A game to be played.
struct Start<S> {
    tag: u32,
    state: S,
    /// What was counted before it.
    counts: GameCounts,
}

impl<G: Game> CensusPlayouts<G> {
    /// Nothing is counted yet.
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
            averages: Vec::new(),
            census: Census::default(),
            rows,
            elements,
        }
    }

    /// Adds a game that begins with a state, after some states that count too.
    pub fn add<'s>(&mut self, tag: u32, state: &G::State, path: impl Iterator<Item = &'s G::State>)
    where
        G::State: 's,
    {
        let mut counts = GameCounts::default();
        for above in path {
            let most = &mut self.ledger.most;
            counts.add(above, &mut self.rows, &mut self.elements, most);
        }
        self.starts.push(Start { tag, state: state.clone(), counts });
    }

    /// Plays all games that were added.
    pub fn play(&mut self, rng: &mut Rng, out: &mut Evaluated) {
        let starts = std::mem::take(&mut self.starts);
        if starts.is_empty() {
            return;
        }
        let states: Vec<_> = starts.iter().map(|start| &start.state).collect();
        let (groups, census) = (&self.groups, &mut self.census);
        if !groups.is_empty() && self.simulator.census(&states, groups, rng, census) {
            self.keep_census(starts, rng, out);
        } else {
            for start in starts {
                self.play_one(start, rng, out);
            }
        }
    }

    /// Plays a game and counts its states one by one.
    fn play_one(&mut self, start: Start<G::State>, rng: &mut Rng, out: &mut Evaluated) {
        let Start { tag, state, mut counts } = start;
        let (mut random, mut plies) = (RandomGame::new(&self.game, &state), 0);
        while !random.is_over() && plies < Limit::LONGEST {
            let (rows, elements) = (&mut self.rows, &mut self.elements);
            counts.add(&random.state, rows, elements, &mut self.ledger.most);
            random.step(rng);
            plies += 1;
        }
        let finished = random.view.terminal;
        let payoffs = random.view.payoffs.as_slice();
        self.keep(&counts, (payoffs, finished), rng);
        let terminal = plies == 0 && finished;
        out.add(tag, &Evaluation { terminal, plies, ..Evaluation::of(payoffs) });
    }

    /// Keeps games that the simulator has played and counted.
    fn keep_census(&mut self, starts: Vec<Start<G::State>>, rng: &mut Rng, out: &mut Evaluated) {
        let census = std::mem::take(&mut self.census);
        let (n_roles, n_groups) = (self.game.roles().len(), self.groups.len());
        for (i, Start { tag, mut counts, .. }) in starts.into_iter().enumerate() {
            counts.sums.resize(n_groups, 0);
            let counted = &census.counts[i * n_groups..][..n_groups];
            counts.sums.iter_mut().zip(counted).for_each(|(sum, &count)| *sum += count);
            let (plies, finished) = (census.plies[i], census.finished[i]);
            counts.n_states += plies;
            let payoffs = &census.payoffs[i * n_roles..][..n_roles];
            self.keep(&counts, (payoffs, finished), rng);
            let terminal = plies == 0 && finished;
            out.add(tag, &Evaluation { terminal, plies, ..Evaluation::of(payoffs) });
        }
        self.ledger.most.resize(n_groups, 0);
        for (most, &count) in self.ledger.most.iter_mut().zip(&census.most) {
            *most = count.max(*most);
        }
        self.census = census;
    }

    /// Keeps what was counted in a game, if it has ended.
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
        self.play(policies[0].rng, out);
    }

    fn abandon(&mut self) {
        self.starts.clear();
    }
}
