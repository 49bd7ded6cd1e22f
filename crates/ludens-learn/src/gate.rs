//! The match between a new network and the best so far, which decides whether the new one replaces it
//! (Gunawan et al. 2020).
//!
//! Games come in pairs. In the first, the new network has one role and the best one all others; in the second
//! it is the other way round. The role rotates from pair to pair. So both networks have every role equally
//! often, and in the same company: with two roles this is an exchange of seats. The mean payoff of a network
//! is taken over all roles that it had.
//!
//! If the payoffs are equal, as always in a game of two roles with a common payoff, there is a second match, in
//! which each network has all roles in turn.

use std::sync::{Arc, Mutex};

use ludens_core::{Budget, Game, Move, Rng, Role, View};
use ludens_search::{Driver, Job, Searcher, Watch};

use crate::encoder::Encoder;
use crate::evaluator::NetworkEvaluator;
use crate::network::Network;
use crate::schedule::Gating;
use crate::self_play::{Choosing, SelfPlay};
use crate::weights::Weights;

/// The result of a match between the new network and the best so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gate {
    /// The number of games.
    pub n_games: u64,
    /// The mean payoff of the new network.
    pub new: f64,
    /// The mean payoff of the best network so far.
    pub best: f64,
    /// Whether the new network has replaced it.
    pub accepted: bool,
}

/// A match to be played.
pub(crate) struct Contest<'a, G: Game> {
    pub game: &'a Arc<G>,
    pub encoder: &'a Arc<Encoder>,
    /// The new network and the best so far.
    pub networks: [&'a Arc<Weights>; 2],
    /// How self-play searches.
    pub self_play: &'a SelfPlay,
    pub gating: Gating,
    pub n_threads: usize,
    pub seed: u64,
}

/// The games that one thread plays side by side. It does not depend on the number of threads.
const CHUNK: usize = 16;

/// Which network has which role.
#[derive(Clone, Copy)]
enum Seating {
    /// One role against all others.
    Mixed,
    /// All roles.
    Teams,
}

impl Seating {
    /// The index of the network that has a role in a game.
    fn network(self, game_idx: usize, role_idx: usize, n_roles: usize) -> usize {
        let has_one = match self {
            Seating::Mixed => role_idx == game_idx / 2 % n_roles,
            Seating::Teams => true,
        };
        usize::from(has_one != game_idx.is_multiple_of(2))
    }
}

impl<G: Game> Contest<'_, G> {
    /// Plays the match; `None` if the budget ended before.
    pub fn play(&self, budget: &Budget) -> Option<Gate> {
        let mixed = self.play_seated(Seating::Mixed, budget)?;
        if mixed.new.total_cmp(&mixed.best).is_ne() {
            return Some(mixed);
        }
        let teams = self.play_seated(Seating::Teams, budget)?;
        Some(Gate { n_games: mixed.n_games + teams.n_games, ..teams })
    }

    fn play_seated(&self, seating: Seating, budget: &Budget) -> Option<Gate> {
        let cycle = 2 * self.game.roles().len();
        let n_games = self.gating.n_games.max(1).next_multiple_of(cycle);
        let starts: Vec<usize> = (0..n_games).step_by(CHUNK).collect();
        let results = Mutex::new(vec![None; starts.len()]);
        let queue = Mutex::new(starts.iter().enumerate());
        let work = || {
            while let Some((i, &start)) = next(&queue) {
                let games = start..(start + CHUNK).min(n_games);
                let result = Chunk::new(self, seating, games).play(budget);
                results.lock().expect("no thread panics while it stores a result")[i] = result;
            }
        };
        std::thread::scope(|scope| {
            (1..self.n_threads.min(starts.len())).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
        let results = results.into_inner().expect("no thread panics while it stores a result");
        let mut total = [Mean::default(); 2];
        for result in results {
            total.iter_mut().zip(result?).for_each(|(total, part)| total.add(part));
        }
        let [new, best] = total.map(Mean::value);
        Some(Gate { n_games: n_games as u64, new, best, accepted: new > best })
    }
}

/// Takes the next piece of work.
fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().expect("no thread panics while it takes a piece of work").next()
}

/// A mean payoff.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    n: f64,
}

impl Mean {
    fn add(&mut self, other: Mean) {
        self.sum += other.sum;
        self.n += other.n;
    }

    fn value(self) -> f64 {
        if self.n > 0.0 { self.sum / self.n } else { 0.5 }
    }
}

/// Some games of a match, side by side.
struct Chunk<'a, G: Game> {
    contest: &'a Contest<'a, G>,
    choosing: Choosing,
    evaluators: [NetworkEvaluator<G>; 2],
    games: Vec<Playing<G>>,
    means: [Mean; 2],
}

/// A game of a match.
struct Playing<G: Game> {
    state: G::State,
    /// The index of the network that has each role.
    networks: Vec<usize>,
    /// The search of each network.
    searchers: [Searcher<G>; 2],
    rng: Rng,
    n_plies: usize,
    over: bool,
}

impl<'a, G: Game> Chunk<'a, G> {
    fn new(contest: &'a Contest<'a, G>, seating: Seating, games: std::ops::Range<usize>) -> Self {
        let Contest { game, encoder, gating, .. } = contest;
        let mut self_play = contest.self_play.clone();
        if let Choosing::Visits(counts) = &mut self_play.choosing {
            *counts = counts.without_exploration(gating.sampled_plies);
        }
        let evaluator = |weights: &Arc<Weights>| {
            let network = Network::new(Arc::clone(weights));
            NetworkEvaluator::new(Arc::clone(game), Arc::clone(encoder), network, games.len())
        };
        let n_roles = game.roles().len();
        let playing = |i: usize| {
            let seed = |part| Rng::stream(contest.seed, &[i as u64, part]).next_u64();
            Playing {
                state: game.initial(),
                networks: (0..n_roles).map(|role| seating.network(i, role, n_roles)).collect(),
                searchers: [0, 1].map(|network| self_play.searcher(game, seed(network))),
                rng: Rng::new(seed(2)),
                n_plies: 0,
                over: false,
            }
        };
        Chunk {
            contest,
            evaluators: contest.networks.map(evaluator),
            games: games.clone().map(playing).collect(),
            choosing: self_play.choosing,
            means: [Mean::default(); 2],
        }
    }

    /// Plays all games; `None` if the budget ended before.
    fn play(mut self, budget: &Budget) -> Option<[Mean; 2]> {
        let (mut driver, mut view) = (Driver::default(), View::default());
        loop {
            self.end_games(&mut view);
            if self.games.iter().all(|game| game.over) {
                return Some(self.means);
            }
            for network in [0, 1] {
                self.search(network, &mut driver, budget);
            }
            if budget.is_over() {
                return None;
            }
            let choosing = &self.choosing;
            let in_progress = self.games.iter_mut().filter(|game| !game.over);
            in_progress.for_each(|game| game.advance(self.contest.game, choosing));
        }
    }

    /// Counts the payoffs of games that have ended. Games that are cut have no payoffs.
    fn end_games(&mut self, view: &mut View) {
        for playing in self.games.iter_mut().filter(|game| !game.over) {
            self.contest.game.look(&playing.state, view);
            let stuck = view.legal.iter().any(Vec::is_empty);
            playing.over =
                view.terminal || stuck || playing.n_plies >= self.contest.self_play.max_plies;
            if view.terminal {
                for (&network, &payoff) in playing.networks.iter().zip(view.payoffs.iter()) {
                    self.means[network].add(Mean { sum: f64::from(payoff), n: 1.0 });
                }
            }
        }
    }

    /// Searches with a network in all games in which one of its roles has a choice.
    fn search(&mut self, network: usize, driver: &mut Driver<G>, budget: &Budget) {
        let simulations = self.contest.self_play.simulations;
        let mut jobs = Vec::with_capacity(self.games.len());
        for playing in self.games.iter_mut().filter(|game| !game.over) {
            let Playing { state, networks, searchers, .. } = playing;
            let searcher = &mut searchers[network];
            let has_work = searcher.set_root(state);
            let (tree, root) = (searcher.search.tree(), searcher.search.root());
            let decides = |(role, owner): (Role, &usize)| {
                *owner == network && tree.range(root, role).len() > 1
            };
            if has_work && Role::all(networks.len()).zip(networks.iter()).any(decides) {
                jobs.push(Job { searcher, simulations, n_done: 0 });
            }
        }
        driver.drive(&mut jobs, &mut self.evaluators[network], budget, &mut Watch::none());
    }
}

impl<G: Game> Playing<G> {
    /// Makes the moves that the networks choose for their roles.
    fn advance(&mut self, game: &Arc<G>, choosing: &Choosing) {
        let mut joint: Vec<Move> = Vec::with_capacity(self.networks.len());
        for (role, &network) in Role::all(self.networks.len()).zip(&self.networks) {
            let search = &self.searchers[network].search;
            joint.push(choosing.choose(search, role, self.n_plies, &mut self.rng));
        }
        game.play(&mut self.state, &joint);
        self.n_plies += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With which other roles each network has each role, over one cycle.
    #[test]
    fn both_networks_have_every_role_equally_often_in_the_same_company() {
        for n_roles in 1..6 {
            let company = |network: usize| {
                let mut seats = Vec::new();
                for game_idx in 0..2 * n_roles {
                    let owner = |role| Seating::Mixed.network(game_idx, role, n_roles);
                    let own: Vec<bool> = (0..n_roles).map(|role| owner(role) == network).collect();
                    seats.extend(
                        (0..n_roles).filter(|&role| own[role]).map(|role| (role, own.clone())),
                    );
                }
                seats.sort();
                seats
            };
            assert_eq!(company(0), company(1), "{n_roles} roles");
            assert_eq!(company(0).len(), n_roles * n_roles);
        }
    }

    #[test]
    fn teams_have_all_roles_in_turn() {
        let owners = |game_idx| [0, 1, 2].map(|role| Seating::Teams.network(game_idx, role, 3));
        assert_eq!((owners(0), owners(1), owners(2)), ([0; 3], [1; 3], [0; 3]));
    }
}
