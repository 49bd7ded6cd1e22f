//! Running the playouts of one search or of many.
//!
//! Where playouts are uniform and nobody learns from their moves, they are a stream: leaves are offered
//! as long as there is room, and results are counted as they come. Else they are run in rounds, a
//! playout for each leaf that was gathered, with each mind's own policies and random numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Budget, Chooser, Game, Outcomes, Playout, Rng, Simulator};

use crate::gather::{Leaf, Walker, Walks};
use crate::heuristic::Judge;
use crate::mcts::Mind;
use crate::playout_policy::Chain;
use crate::search::{Evaluation, Gathered, Search};

/// Runs playouts.
pub struct Playouts<G: Game> {
    pub(crate) simulator: Box<dyn Simulator<G>>,
    pub(crate) outcomes: Outcomes,
    pub(crate) played: Vec<Playout>,
    pub(crate) walks: Walks<G::State>,
    states: Vec<G::State>,
    /// Who says what some leaves are worth in place of a playout.
    pub(crate) judge: Option<Judge<G>>,
}

impl<G: Game> Playouts<G> {
    /// Playouts by a simulator.
    pub fn new(simulator: Box<dyn Simulator<G>>) -> Self {
        let (outcomes, played) = (Outcomes::default(), Vec::new());
        let (walks, states) = (Walks::default(), Vec::new());
        Playouts { simulator, outcomes, played, walks, states, judge: None }
    }

    /// How many playouts run side by side.
    pub fn lanes(&self) -> usize {
        self.simulator.lanes()
    }

    /// Lets a mind search its root until the budget is spent, for one round at least. Gives back how
    /// many simulations were counted.
    pub fn run(&mut self, mind: &mut Mind<G>, budget: &Budget) -> u64 {
        let Mind { search, chain, rng, batch, grows } = mind;
        let left = AtomicU64::new(budget.iterations.unwrap_or(u64::MAX).max(1));
        self.run_with(
            &mut Alone(search),
            &mut Hand { chain, rng, batch: (*batch).max(1), grows: *grows },
            &left,
            budget,
        )
    }

    /// Lets whoever has a hand in a search go on with it until no simulations are left or time is up.
    pub(crate) fn run_with(
        &mut self,
        desk: &mut impl Desk<G>,
        hand: &mut Hand<'_>,
        left: &AtomicU64,
        budget: &Budget,
    ) -> u64 {
        let uniform = hand.chain.is_uniform();
        let (limit, moves) = desk.open(|search| (search.settings().limit, search.needs().moves));
        self.simulator.limit(limit);
        if uniform && !moves {
            self.stream(desk, hand, left, budget)
        } else {
            self.rounds(desk, hand, left, budget)
        }
    }

    fn stream(
        &mut self,
        desk: &mut impl Desk<G>,
        hand: &mut Hand<'_>,
        left: &AtomicU64,
        budget: &Budget,
    ) -> u64 {
        let (mut counted, mut under_way) = (0, 0);
        loop {
            let mut claimed = 0;
            let (n_settled, settled) = desk.open(|search| {
                let batch = hand.batch_in(search);
                let room = batch.saturating_sub(under_way).min(self.simulator.room());
                // Positions are cheaper to look at in great numbers: half of the batch at a time.
                if under_way == 0 || room * 2 >= batch {
                    claimed = claim(left, room);
                }
                // The last few walks may wait for others, if there are playouts to go on with meanwhile.
                let n_playing = under_way - self.walks.n_waiting();
                let may_stay = n_playing > 0 && left.load(Ordering::Relaxed) > 0;
                self.offer(search, hand, (claimed, may_stay))
            });
            under_way = under_way + claimed - n_settled;
            counted += n_settled as u64;
            if under_way > 0 {
                self.outcomes.clear();
                self.simulator.advance(hand.rng, &mut self.outcomes);
                let n_ended = desk.open(|search| count(&self.outcomes, search, hand));
                under_way -= n_ended;
                counted += n_ended as u64;
            }
            let done = under_way == 0 && left.load(Ordering::Relaxed) == 0;
            if done || settled || budget.is_over() {
                break;
            }
        }
        if under_way > 0 {
            self.simulator.abandon();
            self.walks.forget();
            desk.open(Search::abandon);
        }
        counted
    }

    /// Gathers leaves and offers them to the simulator; how many visits came to positions whose value
    /// is known, and whether that of the root is.
    fn offer(
        &mut self,
        search: &mut Search<G>,
        hand: &mut Hand<'_>,
        (n, may_stay): (usize, bool),
    ) -> (usize, bool) {
        hand.gather(search, n, &mut self.walks, may_stay);
        if let Some(judge) = &mut self.judge {
            judge.judge(&mut self.walks, search, hand);
        }
        for &Leaf { ticket, .. } in &self.walks.leaves {
            self.simulator.offer(ticket, search.leaf(ticket));
        }
        (self.walks.n_settled, search.is_settled())
    }

    fn rounds(
        &mut self,
        desk: &mut impl Desk<G>,
        hand: &mut Hand<'_>,
        left: &AtomicU64,
        budget: &Budget,
    ) -> u64 {
        let mut counted = 0;
        loop {
            let claimed = claim(left, hand.batch);
            counted += claimed as u64;
            let mut states = std::mem::take(&mut self.states);
            states.clear();
            desk.open(|search| self.gather(search, hand, claimed, &mut states));
            self.played.clear();
            if let [state] = &states[..] {
                self.simulator.run(&[state], hand.chain, hand.rng, &mut self.played);
            } else {
                let starts: Vec<_> = states.iter().collect();
                self.simulator.run(&starts, hand.chain, hand.rng, &mut self.played);
            }
            self.states = states;
            let settled = desk.open(|search| {
                let leaves = self.walks.leaves.iter().zip(&self.played);
                for (game, (leaf, playout)) in leaves.enumerate() {
                    search.apply(leaf.ticket, &evaluation(playout, game), hand.chain);
                }
                search.is_settled()
            });
            if left.load(Ordering::Relaxed) == 0 || settled || budget.is_over() {
                return counted;
            }
        }
    }

    /// Gathers leaves for a round.
    fn gather(
        &mut self,
        search: &mut Search<G>,
        hand: &mut Hand<'_>,
        n: usize,
        states: &mut Vec<G::State>,
    ) {
        hand.gather(search, n, &mut self.walks, false);
        if let Some(judge) = &mut self.judge {
            judge.judge(&mut self.walks, search, hand);
        }
        for (game, &Leaf { ticket, .. }) in self.walks.leaves.iter().enumerate() {
            hand.chain.begin(search.tree(), search.path(ticket), game);
            states.push(search.leaf(ticket).clone());
        }
    }
}

/// Counts playouts of a stream that have ended.
fn count<G: Game>(outcomes: &Outcomes, search: &mut Search<G>, hand: &mut Hand<'_>) -> usize {
    let n_ended = outcomes.tags.len();
    let n_roles = outcomes.payoffs.len() / n_ended.max(1);
    for (k, &ticket) in outcomes.tags.iter().enumerate() {
        let evaluation = streamed(outcomes, k, n_roles);
        search.apply(ticket, &evaluation, hand.chain);
    }
    n_ended
}

/// Takes some of the simulations that are left; how many there were to take.
fn claim(left: &AtomicU64, wanted: usize) -> usize {
    let take = |left: u64| Some(left - left.min(wanted as u64));
    let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
    before.map_or(0, |before| before.min(wanted as u64) as usize)
}

/// What whoever works on a search has of their own.
pub(crate) struct Hand<'a> {
    pub chain: &'a mut Chain,
    pub rng: &'a mut Rng,
    pub batch: usize,
    pub grows: bool,
}

/// While a batch grows, so many visits were counted for each that is under way.
const VISITS_EACH: usize = 4;
/// A batch begins with so many leaves.
const LEAST: usize = 16;

impl Hand<'_> {
    /// How many visits may be under way. In a young tree many of them would know nothing of each
    /// other and go astray, so that a batch that was left to the search grows with the tree.
    fn batch_in<G: Game>(&self, search: &Search<G>) -> usize {
        if !self.grows {
            return self.batch;
        }
        let visits = search.tree().node(search.root()).visits as usize;
        (visits / VISITS_EACH).max(LEAST).min(self.batch)
    }

    /// Goes down the tree so many times and notes the leaves.
    fn gather<G: Game>(
        &mut self,
        search: &mut Search<G>,
        n: usize,
        walks: &mut Walks<G::State>,
        may_stay: bool,
    ) {
        if n == 1 && walks.n_waiting() == 0 {
            walks.leaves.clear();
            let gathered = search.gather(self.chain, self.rng);
            walks.n_settled = usize::from(gathered == Gathered::Settled);
            if let Gathered::Leaf(ticket) = gathered {
                walks.leaves.push(Leaf { walker: 0, ticket });
            }
        } else {
            let walker = Walker { search, chain: self.chain, rng: self.rng };
            walks.gather(&mut [walker], std::iter::repeat_n(0, n), may_stay);
        }
    }
}

/// Where a search lies: with one thread, or with several that take turns.
pub(crate) trait Desk<G: Game> {
    /// Works on the search.
    fn open<T>(&mut self, work: impl FnOnce(&mut Search<G>) -> T) -> T;
}

/// A search with one thread.
struct Alone<'a, G: Game>(&'a mut Search<G>);

impl<G: Game> Desk<G> for Alone<'_, G> {
    fn open<T>(&mut self, work: impl FnOnce(&mut Search<G>) -> T) -> T {
        work(self.0)
    }
}

pub(crate) fn streamed(outcomes: &Outcomes, k: usize, n_roles: usize) -> Evaluation<'_> {
    Evaluation {
        payoffs: &outcomes.payoffs[k * n_roles..][..n_roles],
        moves: &[],
        terminal: outcomes.plies[k] == 0 && outcomes.finished[k],
        plies: outcomes.plies[k],
        game: 0,
    }
}

pub(crate) fn evaluation(playout: &Playout, game: usize) -> Evaluation<'_> {
    Evaluation {
        payoffs: playout.payoffs.as_slice(),
        moves: &playout.moves,
        terminal: playout.plies == 0 && playout.finished,
        plies: playout.plies,
        game,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_start_in_which_the_game_is_over_is_its_end() {
        for (plies, finished) in [(0, true), (0, false), (1, true), (1, false)] {
            let playout = Playout { plies, finished, ..Playout::default() };
            let mut outcomes = Outcomes::default();
            outcomes.add(0, plies, finished, &[]);
            let is_end = plies == 0 && finished;
            assert_eq!(evaluation(&playout, 0).terminal, is_end);
            assert_eq!(streamed(&outcomes, 0, 0).terminal, is_end);
        }
    }
}
