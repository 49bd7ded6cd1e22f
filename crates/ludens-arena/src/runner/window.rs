//! Which of the missing games may start.
//!
//! A sequential test counts rounds in schedule order, so games far ahead of the first open one are
//! wasted if the verdict comes before them. With a test, games therefore start only within a window
//! after the first open game, whose size is half the number of games finished before it.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::POLL_INTERVAL;
use crate::schedule::Slot;

/// Starts the missing games in schedule order.
pub(super) struct StartWindow<'a> {
    missing: &'a [&'a Slot],
    /// Games that were finished before the run.
    earlier: usize,
    /// The smallest size of the window; `None` for no limit.
    lead: Option<usize>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Position of the next game to start.
    next: usize,
    /// Positions of the games in progress, by slot index.
    open: BTreeMap<usize, usize>,
}

impl State {
    /// Position of the first game that is not finished.
    fn first_open(&self) -> usize {
        self.open.values().copied().min().unwrap_or(self.next)
    }
}

impl<'a> StartWindow<'a> {
    /// The window over the missing games, after `earlier` finished ones.
    pub(super) fn new(missing: &'a [&'a Slot], earlier: usize, lead: Option<usize>) -> Self {
        StartWindow { missing, earlier, lead, state: Mutex::default(), changed: Condvar::new() }
    }

    /// The next game, if there is one inside the window.
    pub(super) fn start(&self) -> Option<&'a Slot> {
        let mut state = self.state();
        let next = state.next;
        let slot = *self.missing.get(next)?;
        if let Some(lead) = self.lead {
            if next - state.first_open() >= self.size(&state, lead) {
                return None;
            }
            state.open.insert(slot.index, next);
        }
        state.next += 1;
        Some(slot)
    }

    /// How many games may be in progress on all workers together.
    pub(super) fn max_open(&self) -> usize {
        self.lead.map_or(usize::MAX, |lead| self.size(&self.state(), lead))
    }

    fn size(&self, state: &State, lead: usize) -> usize {
        let finished = self.earlier + state.first_open();
        lead.max(finished / 2).max(1)
    }

    /// Closes a game that is finished and counted, or given up.
    pub(super) fn close(&self, slot: &Slot) {
        if self.lead.is_some() {
            self.state().open.remove(&slot.index);
            self.changed.notify_all();
        }
    }

    /// Whether all games were started.
    pub(super) fn is_exhausted(&self) -> bool {
        self.state().next >= self.missing.len()
    }

    /// Waits until a game is closed, but not so long that a stop goes unnoticed.
    pub(super) fn wait(&self) {
        let waited = self.changed.wait_timeout(self.state(), POLL_INTERVAL);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No method panics while it holds the lock, so the state is valid even if poisoned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Pairing, Plan};

    fn slots(games: usize) -> Vec<Slot> {
        let pairing = Pairing::RoundRobin;
        let plan = Plan { n_agents: 2, roles: vec![2], pairing, games_per_meeting: games, seed: 1 };
        plan.slots().unwrap()
    }

    fn start_all(window: &StartWindow<'_>) -> Vec<usize> {
        std::iter::from_fn(|| window.start()).map(|slot| slot.index).collect()
    }

    #[test]
    fn games_start_within_a_window_after_the_first_open_one() {
        let slots = slots(100);
        let missing: Vec<&Slot> = slots.iter().collect();
        let window = StartWindow::new(&missing, 0, Some(4));
        assert_eq!(start_all(&window), [0, 1, 2, 3]);
        // The first one is still open.
        window.close(&slots[1]);
        window.close(&slots[3]);
        assert_eq!(start_all(&window), [0; 0]);
        window.close(&slots[0]);
        assert_eq!(start_all(&window), [4, 5]);
        for slot in [2, 4, 5] {
            window.close(&slots[slot]);
        }
        assert_eq!(start_all(&window).len(), 4);
        // The window grows with the number of finished games.
        (6..10).for_each(|slot| window.close(&slots[slot]));
        assert_eq!(start_all(&window).len(), 5);
        assert_eq!(StartWindow::new(&missing, 60, Some(4)).max_open(), 30);
    }

    #[test]
    fn without_a_lead_all_games_may_start() {
        let slots = slots(10);
        let missing: Vec<&Slot> = slots.iter().collect();
        let window = StartWindow::new(&missing, 0, None);
        assert!(!window.is_exhausted());
        assert_eq!(start_all(&window).len(), 10);
        assert!(window.is_exhausted());
    }
}
