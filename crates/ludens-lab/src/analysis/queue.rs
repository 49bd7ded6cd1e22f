//! Positions that wait to be analysed or are being analysed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::query::Query;
use crate::stop::Stop;

/// One position of a query.
#[derive(Clone)]
pub struct Job {
    /// The query.
    pub query: Arc<Query>,
    /// The number of turns before the position.
    pub turn: usize,
    /// Stops it early.
    pub stop: Stop,
}

/// Larger priorities first, then those that came first.
type Rank = (Reverse<i64>, u64);

#[derive(Default)]
struct Inner {
    waiting: BTreeMap<Rank, Job>,
    running: BTreeMap<u64, Job>,
    /// The number of jobs added so far.
    count: u64,
    closed: bool,
}

/// A queue that several threads work on.
#[derive(Default)]
pub struct Queue {
    inner: Mutex<Inner>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds all positions of a query at once, so that no worker begins before all of them are ranked.
    pub fn add(&self, query: &Arc<Query>) {
        let mut inner = self.lock();
        for &turn in &query.turns {
            inner.count += 1;
            let rank = (Reverse(query.priority), inner.count);
            let job = Job { query: Arc::clone(query), turn, stop: Stop::new() };
            inner.waiting.insert(rank, job);
        }
        drop(inner);
        self.changed.notify_all();
    }

    /// Waits for the next position, with its number; `None` if there will be none.
    pub fn next(&self) -> Option<(u64, Job)> {
        let mut inner = self.lock();
        loop {
            if let Some(((_, number), job)) = inner.waiting.pop_first() {
                inner.running.insert(number, job.clone());
                return Some((number, job));
            }
            if inner.closed {
                return None;
            }
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a position that was analysed.
    pub fn done(&self, number: u64) {
        self.lock().running.remove(&number);
    }

    /// No more queries will be added.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Terminates the positions of a query, or all of them. Returns the waiting ones, and the number of
    /// running ones.
    pub fn terminate(&self, id: Option<&Value>) -> (Vec<Job>, usize) {
        let mut inner = self.lock();
        let matches = |job: &Job| id.is_none_or(|id| job.query.id == *id);
        let stopped: Vec<_> = inner.running.values().filter(|job| matches(job)).collect();
        for job in &stopped {
            job.stop.raise();
        }
        let n_stopped = stopped.len();
        let (removed, kept) =
            std::mem::take(&mut inner.waiting).into_iter().partition(|(_, job)| matches(job));
        inner.waiting = kept;
        let removed: BTreeMap<Rank, Job> = removed;
        (removed.into_values().collect(), n_stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::query::{Line, Request};

    fn query(text: &str) -> Arc<Query> {
        match Line::read(text.as_bytes()).request {
            Ok(Request::Query(query)) => Arc::new(*query),
            other => panic!("{other:?}"),
        }
    }

    fn order(queue: &Queue) -> Vec<(String, usize)> {
        queue.close();
        let next = || queue.next().map(|(_, job)| (job.query.id.to_string(), job.turn));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn higher_priorities_come_first() {
        let queue = Queue::default();
        queue.add(&query(r#"{"id":1}"#));
        queue.add(&query(r#"{"id":2,"priority":5,"moves":["a","b"],"analyzeTurns":[2,0,2]}"#));
        queue.add(&query(r#"{"id":3,"priority":-1}"#));
        queue.add(&query(r#"{"id":4}"#));
        queue.add(&query(r#"{"id":5,"priority":5}"#));
        let ids: Vec<_> = order(&queue);
        let expected = [("2", 2), ("2", 0), ("5", 0), ("1", 0), ("4", 0), ("3", 0)];
        assert_eq!(ids, expected.map(|(id, turn)| (id.to_owned(), turn)));
    }

    #[test]
    fn only_the_given_query_is_terminated() {
        let queue = Queue::default();
        for id in [1, 2, 1, 3] {
            queue.add(&query(&format!("{{\"id\":{id}}}")));
        }
        let (number, running) = queue.next().unwrap();
        let (removed, stopped) = queue.terminate(Some(&1.into()));
        assert_eq!((removed.len(), stopped), (1, 1));
        assert!(running.stop.is_raised());
        queue.done(number);
        assert_eq!(queue.terminate(Some(&1.into())).1, 0);
        assert_eq!(queue.terminate(None).0.len(), 2);
        assert!(order(&queue).is_empty());
    }
}
