//! Many searches share one simulator, each with one leaf at a time, as if it were alone.

use ludens_core::{Budget, Chooser, Game, Rng, Turn};

use crate::gather::{Leaf, Walker};
use crate::mcts::Mind;
use crate::playout_policy::Chain;
use crate::playouts::{Playouts, evaluation, streamed};

/// Searches that wait for one another as long as there are fewer than this share of all: what they
/// need is cheaper in great numbers.
const SHARE: usize = 4;

/// The ticket of a search that has no leaf under way.
const NONE: u32 = u32::MAX;

/// The searches, and how far they are.
struct Team<'a, G: Game> {
    walkers: Vec<Walker<'a, G>>,
    counted: Vec<u64>,
    /// The ticket of each one's leaf.
    tickets: Vec<u32>,
    /// How many simulations each is to make.
    limit: u64,
}

impl<G: Game> Playouts<G> {
    /// Lets many minds search their roots, each for so many simulations and each with one leaf at a
    /// time; together they fill the lanes. Gives back how many simulations were counted for each. The
    /// playouts of all of them must have the same limit.
    pub fn run_together(&mut self, minds: &mut [&mut Mind<G>], budget: &Budget) -> Vec<u64> {
        let plain = minds.iter().all(|mind| mind.is_plain());
        // Shared random numbers are a stream of their own, another one for each thought.
        let seed = minds.first_mut().map_or(0, |mind| if plain { mind.rng.next_u64() } else { 0 });
        let n = minds.len();
        let limit = |mind: &&mut Mind<G>| mind.search.settings().limit;
        let common = minds.first().map(limit).unwrap_or_default();
        assert!(minds.iter().all(|mind| limit(mind) == common), "playouts have a common limit");
        self.simulator.limit(common);
        let mut team = Team {
            walkers: minds.iter_mut().map(|mind| walker(mind)).collect(),
            counted: vec![0; n],
            tickets: vec![NONE; n],
            limit: budget.iterations.unwrap_or(u64::MAX).max(1),
        };
        if plain {
            self.stream_together(&mut team, &mut Rng::new(seed), budget);
        } else {
            while self.round_together(&mut team) && !budget.is_over() {}
        }
        team.counted
    }

    fn stream_together(&mut self, team: &mut Team<'_, G>, rng: &mut Rng, budget: &Budget) {
        let mut idle: Vec<u32> = (0..team.walkers.len() as u32).collect();
        let mut under_way = 0;
        loop {
            if under_way == 0 || idle.len() * SHARE >= team.walkers.len() {
                under_way += self.offer_of(team, &mut idle);
            }
            if under_way == 0 || budget.is_over() {
                break;
            }
            self.outcomes.clear();
            self.simulator.advance(rng, &mut self.outcomes);
            let n_roles = self.outcomes.payoffs.len() / self.outcomes.tags.len().max(1);
            team.touch(&self.outcomes.tags);
            for (k, &i) in self.outcomes.tags.iter().enumerate() {
                team.apply(i, &streamed(&self.outcomes, k, n_roles));
            }
            under_way -= self.outcomes.tags.len();
            idle.extend_from_slice(&self.outcomes.tags);
        }
        if under_way > 0 {
            self.simulator.abandon();
        }
        // Visits that are still under way, because time is up, would count as lost.
        for walker in &mut team.walkers {
            walker.search.abandon();
        }
    }

    /// Offers a leaf of each idle search that has simulations left; how many.
    fn offer_of(&mut self, team: &mut Team<'_, G>, idle: &mut Vec<u32>) -> usize {
        let mut offered = 0;
        idle.retain(|&i| team.is_open(i));
        while !idle.is_empty() {
            let n = idle.len().min(self.simulator.room());
            if n == 0 {
                break;
            }
            self.walks.gather(&mut team.walkers, idle[..n].iter().copied(), false);
            for &Leaf { walker, ticket } in &self.walks.leaves {
                team.tickets[walker as usize] = ticket;
                self.simulator.offer(walker, team.walkers[walker as usize].search.leaf(ticket));
            }
            offered += self.walks.leaves.len();
            // Those without a leaf came to a position whose value is known: that was a simulation.
            let settled = idle[..n].iter().filter(|&&i| team.tickets[i as usize] == NONE);
            settled.for_each(|&i| team.counted[i as usize] += 1);
            idle.retain(|&i| team.tickets[i as usize] == NONE && team.is_open(i));
        }
        offered
    }

    /// One playout for each search that has simulations left; whether there was any.
    fn round_together(&mut self, team: &mut Team<'_, G>) -> bool {
        let mut playing: Vec<Leaf> = Vec::with_capacity(team.walkers.len());
        let mut idle: Vec<u32> = (0..team.walkers.len() as u32).collect();
        idle.retain(|&i| team.is_open(i));
        while !idle.is_empty() {
            self.walks.gather(&mut team.walkers, idle.iter().copied(), false);
            playing.extend_from_slice(&self.walks.leaves);
            for leaf in &self.walks.leaves {
                team.tickets[leaf.walker as usize] = leaf.ticket;
            }
            let settled = idle.iter().filter(|&&i| team.tickets[i as usize] == NONE);
            settled.for_each(|&i| team.counted[i as usize] += 1);
            idle.retain(|&i| team.tickets[i as usize] == NONE && team.is_open(i));
        }
        playing.sort_unstable_by_key(|leaf| leaf.walker);
        self.played.clear();
        if self.simulator.lanes() == 1 {
            self.play_one_by_one(team);
        } else {
            self.play_side_by_side(team);
        }
        for (leaf, playout) in playing.iter().zip(&self.played) {
            team.apply(leaf.walker, &evaluation(playout, 0));
        }
        !playing.is_empty()
    }

    /// A playout for each search that has a leaf.
    fn play_one_by_one(&mut self, team: &mut Team<'_, G>) {
        for (Walker { search, chain, rng }, &ticket) in team.walkers.iter_mut().zip(&team.tickets) {
            if ticket != NONE {
                chain.begin(search.tree(), search.path(ticket), 0);
                self.simulator.run(&[search.leaf(ticket)], *chain, rng, &mut self.played);
            }
        }
    }

    /// The same in lanes.
    fn play_side_by_side(&mut self, team: &mut Team<'_, G>) {
        let mut starts = Vec::new();
        let mut choosers = Vec::new();
        for (i, Walker { search, chain, rng }) in team.walkers.iter_mut().enumerate() {
            if team.tickets[i] != NONE {
                chain.begin(search.tree(), search.path(team.tickets[i]), 0);
                starts.push(search.leaf(team.tickets[i]));
                choosers.push((&mut **chain, &mut **rng));
            }
        }
        let mut unused = Rng::new(0);
        self.simulator.run(&starts, &mut Choosers(choosers), &mut unused, &mut self.played);
    }
}

impl<G: Game> Team<'_, G> {
    /// Whether a search has simulations left that could change anything.
    fn is_open(&self, i: u32) -> bool {
        let i = i as usize;
        self.counted[i] < self.limit && !self.walkers[i].search.is_settled()
    }

    /// Reads a little of what counting these searches' visits reads, so that memory that is far away
    /// comes for all of them at the same time.
    fn touch(&self, searches: &[u32]) {
        let touch = |&i: &u32| self.walkers[i as usize].search.touch_path(self.tickets[i as usize]);
        std::hint::black_box(searches.iter().map(touch).fold(0, |sum, read| sum ^ read));
    }

    fn apply(&mut self, i: u32, evaluation: &crate::search::Evaluation<'_>) {
        let i = i as usize;
        let Walker { search, chain, .. } = &mut self.walkers[i];
        search.apply(std::mem::replace(&mut self.tickets[i], NONE), evaluation, chain);
        self.counted[i] += 1;
    }
}

fn walker<G: Game>(mind: &mut Mind<G>) -> Walker<'_, G> {
    let Mind { search, chain, rng, .. } = mind;
    Walker { search, chain, rng }
}

/// The policies of many minds, each with its own random numbers.
struct Choosers<'a>(Vec<(&'a mut Chain, &'a mut Rng)>);

impl Chooser for Choosers<'_> {
    fn choose(&mut self, turn: &Turn<'_>, _: &mut Rng) -> usize {
        let (chain, rng) = &mut self.0[turn.game];
        chain.choose(&Turn { game: 0, ..*turn }, rng)
    }
}
