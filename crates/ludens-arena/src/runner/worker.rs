//! A thread with its games in progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use ludens_core::Game;

use super::gate::Gate;
use super::{Crew, Run};
use crate::clock::{Allowance, Pace};
use crate::play::{AgentPool, Request, Table, Thinker, guarded};
use crate::record::GameRecord;

/// What a worker needs to know.
pub(super) struct Worker<'a, G: Game> {
    pub(super) run: &'a Run<'a, G>,
    pub(super) crew: &'a Crew<'a, G>,
    /// Which games may be begun.
    pub(super) gate: &'a Gate<'a>,
    /// How many workers there are.
    pub(super) n_workers: usize,
    pub(super) halt: &'a Arc<AtomicBool>,
}

impl<G: Game> Worker<'_, G> {
    /// Plays until there are no more games, or a halt. Games in progress are then given up.
    pub(super) fn work(&self, results: &SyncSender<GameRecord>) {
        let mut pool = AgentPool::new(self.crew.agents);
        let mut thinker = (self.crew.thinker)();
        let mut tables: Vec<Table<G>> = Vec::new();
        let _alarm = Alarm(self.halt);
        loop {
            self.fill(&mut tables, &mut pool, &mut *thinker, results);
            if self.is_halted() || tables.is_empty() && self.gate.is_exhausted() {
                return;
            }
            if tables.is_empty() {
                self.gate.wait();
                continue;
            }
            self.think(&mut tables, &mut pool, &mut *thinker);
            // Thoughts that a halt cut short must not become moves.
            if self.is_halted() {
                return;
            }
            for mut table in std::mem::take(&mut tables) {
                table.make_moves();
                self.keep_or_send(table, &mut tables, &mut pool, results);
            }
        }
    }

    /// Begins games until there are enough.
    fn fill(
        &self,
        tables: &mut Vec<Table<G>>,
        pool: &mut AgentPool<'_, G>,
        thinker: &mut dyn Thinker<G>,
        results: &SyncSender<GameRecord>,
    ) {
        let share = self.gate.most_begun().div_ceil(self.n_workers);
        let enough = self.run.games_per_worker.min(share).max(1);
        while tables.len() < enough {
            let mut fresh = self.open(enough - tables.len(), pool, results);
            self.prepare(&mut fresh, thinker);
            // Agents that a halt cut short are not ready.
            if fresh.is_empty() || self.is_halted() {
                return;
            }
            for mut table in fresh {
                table.begin();
                self.keep_or_send(table, tables, pool, results);
            }
        }
    }

    /// Sets up so many games, or fewer if there are no more.
    fn open(
        &self,
        count: usize,
        pool: &mut AgentPool<'_, G>,
        results: &SyncSender<GameRecord>,
    ) -> Vec<Table<G>> {
        let mut fresh = Vec::new();
        while fresh.len() < count && !self.is_halted() {
            let Some(slot) = self.gate.begin() else { break };
            match Table::open(Arc::clone(&self.run.game), slot.clone(), self.run.terms, pool) {
                Ok(table) => fresh.push(table),
                Err(void) => self.send(*void, results),
            }
        }
        fresh
    }

    /// Lets the agents of new games get ready.
    fn prepare(&self, fresh: &mut [Table<G>], thinker: &mut dyn Thinker<G>) {
        let Some(start) = self.run.terms.start else { return };
        let mut requests = Vec::new();
        for table in fresh {
            table.ask_to_prepare(&mut requests);
        }
        self.answer(&mut requests, start, thinker);
    }

    fn think(
        &self,
        tables: &mut [Table<G>],
        pool: &mut AgentPool<'_, G>,
        thinker: &mut dyn Thinker<G>,
    ) {
        let mut requests = Vec::new();
        for table in tables {
            table.ask(pool, &mut requests);
        }
        self.answer(&mut requests, self.run.terms.allowance, thinker);
    }

    fn answer(
        &self,
        requests: &mut [Request<'_, G>],
        allowance: Allowance,
        thinker: &mut dyn Thinker<G>,
    ) {
        let pace = Pace { allowance, clock: self.run.clock, stop: Some(self.halt) };
        // Requests that a broken thinker leaves open count as crashes of their agents.
        let _ = guarded(|| thinker.think_all(requests, &pace));
    }

    /// Goes on with a game, or hands it over if it has ended.
    fn keep_or_send(
        &self,
        table: Table<G>,
        tables: &mut Vec<Table<G>>,
        pool: &mut AgentPool<'_, G>,
        results: &SyncSender<GameRecord>,
    ) {
        if table.is_over() {
            self.send(table.close(pool), results);
        } else {
            tables.push(table);
        }
    }

    /// Hands a game over. If nobody takes it any more, there is no use in playing on.
    fn send(&self, game: GameRecord, results: &SyncSender<GameRecord>) {
        if results.send(game).is_err() {
            self.halt.store(true, Ordering::Relaxed);
        }
    }

    fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }
}

/// Halts the run if its worker panics: others would wait for ever for the games it had begun.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
