//! Running the playouts of one search or of many.
//!
//! Where playouts are uniform and nobody learns from their moves, they are a stream: leaves are offered
//! as long as there is room, and results are counted as they come. Else they are run in rounds, a
//! playout for each leaf that was gathered, with each mind's own policies and random numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Budget, Chooser, Game, Outcomes, Playout, Rng, Simulator, Turn};

use crate::mcts::Mind;
use crate::playout_policy::Chain;
use crate::search::{Evaluation, Gathered, Search};

/// Runs playouts.
pub struct Playouts<G: Game> {
    simulator: Box<dyn Simulator<G>>,
    outcomes: Outcomes,
    played: Vec<Playout>,
    tickets: Vec<u32>,
    states: Vec<G::State>,
}

impl<G: Game> Playouts<G> {
    /// Playouts by a simulator.
    pub fn new(simulator: Box<dyn Simulator<G>>) -> Self {
        let (outcomes, played) = (Outcomes::default(), Vec::new());
        Playouts { simulator, outcomes, played, tickets: Vec::new(), states: Vec::new() }
    }

    /// How many playouts run side by side.
    pub fn lanes(&self) -> usize {
        self.simulator.lanes()
    }

    /// Lets a mind search its root until the budget is spent, for one round at least. Gives back how
    /// many simulations were counted.
    pub fn run(&mut self, mind: &mut Mind<G>, budget: &Budget) -> u64 {
        let Mind { search, chain, rng, batch } = mind;
        let left = AtomicU64::new(budget.iterations.unwrap_or(u64::MAX).max(1));
        self.run_with(
            &mut Alone(search),
            &mut Hand { chain, rng, batch: (*batch).max(1) },
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
        if desk.open(|search| uniform && !search.needs().moves) {
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
            // Positions are cheaper to look at in great numbers: a quarter of the batch at a time.
            let room = (hand.batch - under_way).min(self.simulator.room());
            let enough = under_way == 0 || room * 4 >= hand.batch;
            let claimed = if enough { claim(left, room) } else { 0 };
            let (offered, settled) = desk.open(|search| self.offer(search, hand, claimed));
            under_way += offered;
            counted += (claimed - offered) as u64;
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
            desk.open(Search::abandon);
        }
        counted
    }

    /// Gathers leaves and offers them to the simulator; how many, and whether the root is settled.
    fn offer(&mut self, search: &mut Search<G>, hand: &mut Hand<'_>, n: usize) -> (usize, bool) {
        self.tickets.clear();
        hand.gather(search, n, &mut self.tickets);
        for &ticket in &self.tickets {
            self.simulator.offer(ticket, search.leaf(ticket));
        }
        (self.tickets.len(), search.is_settled())
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
                for (game, (&ticket, playout)) in self.tickets.iter().zip(&self.played).enumerate()
                {
                    search.apply(ticket, &evaluation(playout, game), hand.chain);
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
        self.tickets.clear();
        hand.gather(search, n, &mut self.tickets);
        for (game, &ticket) in self.tickets.iter().enumerate() {
            hand.chain.begin(search.tree(), search.path(ticket), game);
            states.push(search.leaf(ticket).clone());
        }
    }

    /// Lets many minds search their roots, each for so many simulations and each with one leaf at a
    /// time, as if it were alone; together they fill the lanes.
    pub fn run_together(&mut self, minds: &mut [&mut Mind<G>], budget: &Budget) -> Vec<u64> {
        let limit = budget.iterations.unwrap_or(u64::MAX).max(1);
        let mut counted = vec![0; minds.len()];
        if minds.iter().all(|mind| mind.is_plain()) {
            self.stream_together(minds, limit, budget, &mut counted);
        } else {
            while self.round_together(minds, limit, &mut counted) && !budget.is_over() {}
        }
        counted
    }

    fn stream_together(
        &mut self,
        minds: &mut [&mut Mind<G>],
        limit: u64,
        budget: &Budget,
        counted: &mut [u64],
    ) {
        // Each mind has one leaf under way, which is known by the mind's number.
        let Some(first) = minds.first_mut() else { return };
        // The shared numbers are a stream of their own, another one for each thought.
        let mut rng = Rng::new(first.rng.next_u64());
        let mut tickets = vec![0; minds.len()];
        let mut idle: Vec<usize> = (0..minds.len()).rev().collect();
        let mut under_way = 0;
        loop {
            while self.simulator.room() > 0 {
                let Some(i) = idle.pop() else { break };
                if let Some(ticket) = next_leaf(minds[i], limit, &mut counted[i]) {
                    tickets[i] = ticket;
                    self.simulator.offer(i as u32, minds[i].search.leaf(ticket));
                    under_way += 1;
                }
            }
            if under_way == 0 && idle.is_empty() || budget.is_over() {
                break;
            }
            self.outcomes.clear();
            self.simulator.advance(&mut rng, &mut self.outcomes);
            let n_roles = self.outcomes.payoffs.len() / self.outcomes.tags.len().max(1);
            for (k, &i) in self.outcomes.tags.iter().enumerate() {
                let i = i as usize;
                let evaluation = streamed(&self.outcomes, k, n_roles);
                let Mind { search, chain, .. } = &mut *minds[i];
                search.apply(tickets[i], &evaluation, chain);
                counted[i] += 1;
                idle.push(i);
                under_way -= 1;
            }
        }
        self.simulator.abandon();
        // Visits that are still under way, because time is up, would count as lost.
        for mind in minds.iter_mut() {
            mind.search.abandon();
        }
    }

    fn round_together(
        &mut self,
        minds: &mut [&mut Mind<G>],
        limit: u64,
        counted: &mut [u64],
    ) -> bool {
        self.tickets.clear();
        let mut playing = Vec::with_capacity(minds.len());
        for (i, mind) in minds.iter_mut().enumerate() {
            if let Some(ticket) = next_leaf(mind, limit, &mut counted[i]) {
                mind.chain.begin(mind.search.tree(), mind.search.path(ticket), 0);
                playing.push(i);
                self.tickets.push(ticket);
            }
        }
        if playing.is_empty() {
            return false;
        }
        self.played.clear();
        let mut starts = Vec::with_capacity(playing.len());
        let mut choosers = Vec::with_capacity(playing.len());
        let mut next = playing.iter().zip(&self.tickets).peekable();
        for (i, mind) in minds.iter_mut().enumerate() {
            if let Some((_, &ticket)) = next.next_if(|&(&playing, _)| playing == i) {
                let Mind { search, chain, rng, .. } = &mut **mind;
                starts.push(search.leaf(ticket));
                choosers.push((chain, rng));
            }
        }
        let mut unused = Rng::new(0);
        self.simulator.run(&starts, &mut Choosers(choosers), &mut unused, &mut self.played);
        for ((&i, &ticket), playout) in playing.iter().zip(&self.tickets).zip(&self.played) {
            let Mind { search, chain, .. } = &mut *minds[i];
            search.apply(ticket, &evaluation(playout, 0), chain);
            counted[i] += 1;
        }
        true
    }
}

/// The next leaf of a mind that still has simulations left.
fn next_leaf<G: Game>(mind: &mut Mind<G>, limit: u64, counted: &mut u64) -> Option<u32> {
    while *counted < limit && !mind.search.is_settled() {
        match mind.search.gather(&mut mind.chain, &mut mind.rng) {
            Gathered::Settled => *counted += 1,
            Gathered::Leaf(ticket) => return Some(ticket),
        }
    }
    None
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
}

impl Hand<'_> {
    /// Goes down the tree so many times; tickets of leaves are appended.
    fn gather<G: Game>(&mut self, search: &mut Search<G>, n: usize, tickets: &mut Vec<u32>) {
        if n > 1 {
            search.gather_many(n, self.chain, self.rng, tickets);
        } else if n == 1
            && let Gathered::Leaf(ticket) = search.gather(self.chain, self.rng)
        {
            tickets.push(ticket);
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

fn streamed(outcomes: &Outcomes, k: usize, n_roles: usize) -> Evaluation<'_> {
    Evaluation {
        payoffs: &outcomes.payoffs[k * n_roles..][..n_roles],
        moves: &[],
        terminal: outcomes.plies[k] == 0 && outcomes.finished[k],
        plies: outcomes.plies[k],
        game: 0,
    }
}

fn evaluation(playout: &Playout, game: usize) -> Evaluation<'_> {
    Evaluation {
        payoffs: playout.payoffs.as_slice(),
        moves: &playout.moves,
        terminal: playout.plies == 0 && playout.finished,
        plies: playout.plies,
        game,
    }
}

/// The policies of many minds, each with its own random numbers.
struct Choosers<'a>(Vec<(&'a mut Chain, &'a mut Rng)>);

impl Chooser for Choosers<'_> {
    fn choose(&mut self, turn: &Turn<'_>, _: &mut Rng) -> usize {
        let (chain, rng) = &mut self.0[turn.game];
        chain.choose(&Turn { game: 0, ..*turn }, rng)
    }
}
