//! Games between agents of this process, several at a time on each worker.

use std::sync::Arc;

use ludens_core::Game;

use super::ledger::Ledger;
use super::queue::Queue;
use super::{Observer, RunError, RunReport, Scheduler};
use crate::clock::{Allowance, Clock, Pace};
use crate::play::{AgentMaker, AgentPool, InTurn, OngoingGame, Request, Terms, Thinker, guarded};

/// Plays games between agents.
///
/// Each worker has several games in progress and answers the requests of all of them together
/// ([`Thinker`]).
pub struct AgentRunner<'a, G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// The terms of every game.
    pub terms: &'a Terms,
    /// Creates agents.
    pub agents: &'a AgentMaker<'a, G>,
    /// Creates the thinker of each worker.
    pub thinker: &'a ThinkerMaker<'a, G>,
    /// How many games each worker plays at the same time.
    pub games_per_worker: usize,
    /// Measures thinking time.
    pub clock: &'a dyn Clock,
}

/// Creates a thinker; called on the thread of its worker.
pub type ThinkerMaker<'a, G> = dyn Fn() -> Box<dyn Thinker<G>> + Sync + 'a;

impl<'a, G: Game> AgentRunner<'a, G> {
    /// A runner of one game at a time on each worker, whose agents think in turn.
    pub fn in_turn(
        game: Arc<G>,
        terms: &'a Terms,
        agents: &'a AgentMaker<'a, G>,
        clock: &'a dyn Clock,
    ) -> Self {
        let thinker = &|| -> Box<dyn Thinker<G>> { Box::new(InTurn) };
        AgentRunner { game, terms, agents, thinker, games_per_worker: 1, clock }
    }

    /// Plays all games that the ledger lacks.
    pub fn run<L: Ledger>(
        &self,
        scheduler: &Scheduler<'_>,
        ledger: &mut L,
        observer: &mut dyn Observer,
    ) -> Result<RunReport, RunError<L::Error>> {
        scheduler.run_workers(&|queue| self.work(queue), ledger, observer)
    }

    /// Plays games from a queue until it is finished. When it is stopped, games in progress are
    /// given up.
    pub fn work(&self, queue: &Queue<'_>) {
        let pool = AgentPool::new(self.agents);
        Worker { runner: self, queue, pool, thinker: (self.thinker)() }.work();
    }
}

/// One thread with its agents.
struct Worker<'a, 'r, G: Game> {
    runner: &'a AgentRunner<'r, G>,
    queue: &'a Queue<'a>,
    pool: AgentPool<'a, G>,
    thinker: Box<dyn Thinker<G>>,
}

impl<G: Game> Worker<'_, '_, G> {
    fn work(&mut self) {
        let mut games: Vec<OngoingGame<G>> = Vec::new();
        loop {
            self.fill(&mut games);
            if self.queue.is_stopped() || games.is_empty() && self.queue.is_finished() {
                return;
            }
            if games.is_empty() {
                self.queue.wait();
                continue;
            }
            self.choose_moves(&mut games);
            // Searches that the stop interrupted must not decide moves.
            if self.queue.is_stopped() {
                return;
            }
            for mut game in std::mem::take(&mut games) {
                game.make_moves();
                self.keep_or_deliver(game, &mut games);
            }
        }
    }

    /// Starts games until there are enough.
    fn fill(&mut self, games: &mut Vec<OngoingGame<G>>) {
        let enough = self.runner.games_per_worker.min(self.queue.share()).max(1);
        while games.len() < enough {
            let mut new = self.open(enough - games.len());
            self.prepare(&mut new);
            // Agents whose preparation the stop interrupted are not prepared.
            if new.is_empty() || self.queue.is_stopped() {
                return;
            }
            for mut game in new {
                game.begin();
                self.keep_or_deliver(game, games);
            }
        }
    }

    /// Sets up at most `count` games.
    fn open(&mut self, count: usize) -> Vec<OngoingGame<G>> {
        let mut new = Vec::new();
        while new.len() < count
            && let Some(slot) = self.queue.try_take()
        {
            let (game, terms) = (Arc::clone(&self.runner.game), self.runner.terms);
            match OngoingGame::open(game, slot.clone(), terms, &mut self.pool) {
                Ok(game) => new.push(game),
                Err(void) => self.queue.deliver(*void),
            }
        }
        new
    }

    /// Lets the agents of new games prepare.
    fn prepare(&mut self, new: &mut [OngoingGame<G>]) {
        let Some(start) = self.runner.terms.start else { return };
        let mut requests = Vec::new();
        for game in new {
            game.request_preparation(&mut requests);
        }
        self.answer(&mut requests, start);
    }

    fn choose_moves(&mut self, games: &mut [OngoingGame<G>]) {
        let mut requests = Vec::new();
        for game in games {
            game.request_moves(&mut self.pool, &mut requests);
        }
        self.answer(&mut requests, self.runner.terms.allowance);
    }

    fn answer(&mut self, requests: &mut [Request<'_, G>], allowance: Allowance) {
        let stop = Some(self.queue.stop_flag());
        let pace = Pace { allowance, clock: self.runner.clock, stop };
        // Requests that a panic leaves unanswered count as crashes of their agents.
        let _ = guarded(|| self.thinker.think_all(requests, &pace));
    }

    /// Keeps a game in progress; delivers it if it has ended.
    fn keep_or_deliver(&mut self, game: OngoingGame<G>, games: &mut Vec<OngoingGame<G>>) {
        if game.is_over() {
            self.queue.deliver(game.close(&mut self.pool));
        } else {
            games.push(game);
        }
    }
}
