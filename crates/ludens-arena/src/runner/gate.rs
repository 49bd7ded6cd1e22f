//! Which of the missing games may be begun.
//!
//! A sequential test counts rounds in the order of the schedule. Games that are far ahead of the
//! first one that has not ended are of no use if the verdict comes before them, so that with a
//! test, games are begun only so far ahead as half of those that are over by then, and a few.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::LOOK_UP;
use crate::schedule::Slot;

/// Hands out games in the order of the schedule.
pub(super) struct Gate<'a> {
    missing: &'a [&'a Slot],
    /// Games that were over before the run.
    earlier: usize,
    /// How many games may be begun ahead of the first that has not ended, at the least; `None` for
    /// any number.
    lead: Option<usize>,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// The first of the missing games that nobody has begun.
    next: usize,
    /// Games in progress: where they stand among the missing ones, by their place in the schedule.
    begun: BTreeMap<usize, usize>,
}

impl State {
    /// Where the first of the missing games stands that is not over.
    fn first_open(&self) -> usize {
        self.begun.values().copied().min().unwrap_or(self.next)
    }
}

impl<'a> Gate<'a> {
    /// All missing games, after so many that are over already.
    pub(super) fn new(missing: &'a [&'a Slot], earlier: usize, lead: Option<usize>) -> Self {
        Gate { missing, earlier, lead, state: Mutex::default(), moved: Condvar::new() }
    }

    /// The next game, if there is one and it may be begun.
    pub(super) fn begin(&self) -> Option<&'a Slot> {
        let mut state = self.state();
        let next = state.next;
        let slot = *self.missing.get(next)?;
        if let Some(lead) = self.lead {
            if next - state.first_open() >= self.reach(&state, lead) {
                return None;
            }
            state.begun.insert(slot.index, next);
        }
        state.next += 1;
        Some(slot)
    }

    /// How many games may be in progress, which workers share: none takes all of them.
    pub(super) fn most_begun(&self) -> usize {
        self.lead.map_or(usize::MAX, |lead| self.reach(&self.state(), lead))
    }

    /// How far ahead of the first open game others may be begun.
    fn reach(&self, state: &State, lead: usize) -> usize {
        let over = self.earlier + state.first_open();
        lead.max(over / 2).max(1)
    }

    /// A game is over and counted.
    pub(super) fn end(&self, slot: &Slot) {
        if self.lead.is_some() {
            self.state().begun.remove(&slot.index);
            self.moved.notify_all();
        }
    }

    /// Whether all games were begun.
    pub(super) fn is_exhausted(&self) -> bool {
        self.state().next >= self.missing.len()
    }

    /// Waits until a game ends, or a moment: somebody may want an end of the run.
    pub(super) fn wait(&self) {
        let waited = self.moved.wait_timeout(self.state(), LOOK_UP);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics half-way, so that the state is right whoever has panicked.
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

    fn begin_all(gate: &Gate<'_>) -> Vec<usize> {
        std::iter::from_fn(|| gate.begin()).map(|slot| slot.index).collect()
    }

    #[test]
    fn games_are_begun_a_little_ahead_of_the_first_open_one() {
        let slots = slots(100);
        let missing: Vec<&Slot> = slots.iter().collect();
        let gate = Gate::new(&missing, 0, Some(4));
        assert_eq!(begin_all(&gate), [0, 1, 2, 3]);
        // The first one is open, whatever the others do.
        gate.end(&slots[1]);
        gate.end(&slots[3]);
        assert_eq!(begin_all(&gate), [0; 0]);
        gate.end(&slots[0]);
        assert_eq!(begin_all(&gate), [4, 5]);
        for slot in [2, 4, 5] {
            gate.end(&slots[slot]);
        }
        assert_eq!(begin_all(&gate).len(), 4);
        // The longer it takes, the farther ahead games may be.
        (6..10).for_each(|slot| gate.end(&slots[slot]));
        assert_eq!(begin_all(&gate).len(), 5);
        assert_eq!(Gate::new(&missing, 60, Some(4)).most_begun(), 30);
    }

    #[test]
    fn without_a_lead_all_games_may_be_begun() {
        let slots = slots(10);
        let missing: Vec<&Slot> = slots.iter().collect();
        let gate = Gate::new(&missing, 0, None);
        assert!(!gate.is_exhausted());
        assert_eq!(begin_all(&gate).len(), 10);
        assert!(gate.is_exhausted());
    }
}
