//! A thread with its games in progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use ludens_core::Game;

use super::{Crew, Run};
use crate::clock::Pace;
use crate::play::{AgentPool, Table, Thinker, guarded};
use crate::record::GameRecord;
use crate::schedule::Slot;

/// What a worker needs to know.
pub(super) struct Worker<'a, G: Game> {
    pub(super) run: &'a Run<'a, G>,
    pub(super) crew: &'a Crew<'a, G>,
    pub(super) missing: &'a [&'a Slot],
    /// The first of the missing games that nobody has begun.
    pub(super) next: &'a AtomicUsize,
    pub(super) halt: &'a Arc<AtomicBool>,
}

impl<G: Game> Worker<'_, G> {
    /// Plays until there are no more games, or a halt. Games in progress are then given up.
    pub(super) fn work(&self, results: &SyncSender<GameRecord>) {
        let mut pool = AgentPool::new(self.crew.agents);
        let mut thinker = (self.crew.thinker)();
        let mut tables: Vec<Table<G>> = Vec::new();
        loop {
            self.fill(&mut tables, &mut pool, results);
            if tables.is_empty() || self.is_halted() {
                return;
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
        results: &SyncSender<GameRecord>,
    ) {
        while tables.len() < self.run.games_per_worker.max(1) && !self.is_halted() {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&slot) = self.missing.get(next) else { return };
            match Table::open(Arc::clone(&self.run.game), slot.clone(), self.run.terms, pool) {
                Ok(table) => self.keep_or_send(table, tables, pool, results),
                Err(void) => self.send(*void, results),
            }
        }
    }

    fn think(
        &self,
        tables: &mut [Table<G>],
        pool: &mut AgentPool<'_, G>,
        thinker: &mut dyn Thinker<G>,
    ) {
        let (allowance, clock) = (self.run.terms.allowance, self.run.clock);
        let pace = Pace { allowance, clock, stop: Some(self.halt) };
        let mut requests = Vec::new();
        for table in tables {
            table.ask(pool, &mut requests);
        }
        // Requests that a broken thinker leaves open count as crashes of their agents.
        let _ = guarded(|| thinker.think_all(&mut requests, &pace));
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
