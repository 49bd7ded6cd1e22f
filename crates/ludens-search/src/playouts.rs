//! Running the playouts of one search or of many.
//!
//! Where playouts are uniform and nobody learns from their moves, they are a stream: leaves are offered
//! as long as there is room, and results are counted as they come. Else they are run in rounds, a
//! playout for each leaf that was gathered, with each mind's own policies and random numbers.

use ludens_core::{Budget, Chooser, Game, Outcomes, Playout, Rng, Simulator, Turn};

use crate::mcts::Mind;
use crate::playout_policy::Chain;
use crate::search::{Evaluation, Gathered};

/// Runs playouts.
pub struct Playouts<G: Game> {
    simulator: Box<dyn Simulator<G>>,
    outcomes: Outcomes,
    played: Vec<Playout>,
    tickets: Vec<u32>,
}

impl<G: Game> Playouts<G> {
    /// Playouts by a simulator.
    pub fn new(simulator: Box<dyn Simulator<G>>) -> Self {
        let outcomes = Outcomes::default();
        Playouts { simulator, outcomes, played: Vec::new(), tickets: Vec::new() }
    }

    /// How many playouts run side by side.
    pub fn lanes(&self) -> usize {
        self.simulator.lanes()
    }

    /// Lets a mind search its root until the budget is spent, for one round at least. Gives back how
    /// many simulations were counted.
    pub fn run(&mut self, mind: &mut Mind<G>, budget: &Budget) -> u64 {
        if is_stream(mind) {
            self.stream(mind, budget)
        } else {
            self.rounds(mind, budget)
        }
    }

    fn stream(&mut self, mind: &mut Mind<G>, budget: &Budget) -> u64 {
        let limit = budget.iterations.unwrap_or(u64::MAX).max(1);
        let (mut begun, mut counted, mut under_way) = (0, 0, 0);
        let several = mind.batch > 1;
        loop {
            while under_way < mind.batch && begun < limit && self.simulator.room() > 0 {
                begun += 1;
                match mind.search.gather(&mut mind.chain, &mut mind.rng, several) {
                    Gathered::Settled => counted += 1,
                    Gathered::Leaf(ticket) => {
                        self.simulator.offer(ticket, mind.search.leaf(ticket));
                        under_way += 1;
                    }
                }
                if mind.is_settled() {
                    break;
                }
            }
            if under_way > 0 {
                self.outcomes.clear();
                self.simulator.advance(&mut mind.rng, &mut self.outcomes);
                let n_ended = count(&self.outcomes, mind, several);
                under_way -= n_ended;
                counted += n_ended as u64;
            }
            if counted >= limit || mind.is_settled() || budget.is_over() {
                break;
            }
        }
        self.simulator.abandon();
        mind.search.abandon();
        counted
    }

    fn rounds(&mut self, mind: &mut Mind<G>, budget: &Budget) -> u64 {
        let limit = budget.iterations.unwrap_or(u64::MAX).max(1);
        let several = mind.batch > 1;
        let mut counted = 0;
        loop {
            self.tickets.clear();
            let size = (mind.batch as u64).min(limit - counted) as usize;
            for _ in 0..size {
                match mind.search.gather(&mut mind.chain, &mut mind.rng, several) {
                    Gathered::Settled => counted += 1,
                    Gathered::Leaf(ticket) => self.tickets.push(ticket),
                }
            }
            counted += self.tickets.len() as u64;
            self.round(mind, several);
            if counted >= limit || mind.is_settled() || budget.is_over() {
                return counted;
            }
        }
    }

    /// Runs the playouts of the leaves that were gathered.
    fn round(&mut self, mind: &mut Mind<G>, several: bool) {
        self.played.clear();
        let Mind { search, chain, rng, .. } = mind;
        for (game, &ticket) in self.tickets.iter().enumerate() {
            chain.begin(search.tree(), search.path(ticket), game);
        }
        if let [ticket] = self.tickets[..] {
            self.simulator.run(&[search.leaf(ticket)], chain, rng, &mut self.played);
        } else {
            let starts: Vec<_> = self.tickets.iter().map(|&ticket| search.leaf(ticket)).collect();
            self.simulator.run(&starts, chain, rng, &mut self.played);
        }
        for (game, (&ticket, playout)) in self.tickets.iter().zip(&self.played).enumerate() {
            search.apply(ticket, &evaluation(playout, game), chain, several);
        }
    }

    /// Lets many minds search their roots, each for so many simulations and each with one leaf at a
    /// time, as if it were alone; together they fill the lanes.
    pub fn run_together(&mut self, minds: &mut [&mut Mind<G>], budget: &Budget) -> Vec<u64> {
        let limit = budget.iterations.unwrap_or(u64::MAX).max(1);
        let mut counted = vec![0; minds.len()];
        if minds.iter().all(|mind| is_stream(mind)) {
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
        let Some(first) = minds.first() else { return };
        let mut rng = first.rng.clone();
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
                search.apply(tickets[i], &evaluation, chain, false);
                counted[i] += 1;
                idle.push(i);
                under_way -= 1;
            }
        }
        self.simulator.abandon();
        // The shared numbers were drawn from the first mind's: let it go on with others.
        minds[0].rng.next_u64();
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
            search.apply(ticket, &evaluation(playout, 0), chain, false);
            counted[i] += 1;
        }
        true
    }
}

/// Whether nothing but payoffs is needed of a mind's playouts, and they are uniform.
fn is_stream<G: Game>(mind: &Mind<G>) -> bool {
    mind.chain.is_uniform() && !mind.search.needs().moves
}

/// The next leaf of a mind that still has simulations left.
fn next_leaf<G: Game>(mind: &mut Mind<G>, limit: u64, counted: &mut u64) -> Option<u32> {
    while *counted < limit && !mind.is_settled() {
        match mind.search.gather(&mut mind.chain, &mut mind.rng, false) {
            Gathered::Settled => *counted += 1,
            Gathered::Leaf(ticket) => return Some(ticket),
        }
    }
    None
}

/// Counts playouts of a stream that have ended.
fn count<G: Game>(outcomes: &Outcomes, mind: &mut Mind<G>, several: bool) -> usize {
    let n_ended = outcomes.tags.len();
    let n_roles = outcomes.payoffs.len() / n_ended.max(1);
    for (k, &ticket) in outcomes.tags.iter().enumerate() {
        let evaluation = streamed(outcomes, k, n_roles);
        mind.search.apply(ticket, &evaluation, &mut mind.chain, several);
    }
    n_ended
}

fn streamed(outcomes: &Outcomes, k: usize, n_roles: usize) -> Evaluation<'_> {
    Evaluation {
        payoffs: &outcomes.payoffs[k * n_roles..][..n_roles],
        moves: &[],
        terminal: outcomes.plies[k] == 0 && outcomes.finished[k],
        game: 0,
    }
}

fn evaluation(playout: &Playout, game: usize) -> Evaluation<'_> {
    Evaluation {
        payoffs: playout.payoffs.as_slice(),
        moves: &playout.moves,
        terminal: playout.plies == 0 && playout.finished,
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
