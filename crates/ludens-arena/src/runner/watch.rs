//! A sequential test that does not depend on which game happens to end first.
//!
//! Rounds count in the order of the schedule, and only as far as all before them are complete.
//! So the verdict is fixed by the games alone, whatever the number of threads.

use std::collections::BTreeMap;

use crate::record::GameRecord;
use crate::schedule::Slot;
use crate::stats::{ScoreTally, Sprt, SprtState, Verdict};

/// Watches the games of the first agent against the second.
pub(super) struct Watch {
    sprt: Sprt,
    /// Complete rounds in the order of the schedule.
    rounds: Vec<Round>,
    /// To which round a game belongs.
    round_of: BTreeMap<usize, usize>,
    /// How many rounds were counted.
    counted: usize,
    tally: ScoreTally,
    state: SprtState,
}

#[derive(Default)]
struct Round {
    missing: usize,
    half_points: usize,
    /// Whether one of its games does not count; then the round does not.
    void: bool,
}

/// How a sequential test of the first agent against the second stands after these games.
pub fn judge_games<'r>(
    sprt: Sprt,
    slots: &[Slot],
    games: impl IntoIterator<Item = &'r GameRecord>,
) -> SprtState {
    let mut watch = Watch::new(sprt, slots);
    games.into_iter().for_each(|game| watch.add(game));
    watch.into_state()
}

impl Watch {
    /// Nothing counted yet.
    pub(super) fn new(sprt: Sprt, slots: &[Slot]) -> Self {
        let tally = ScoreTally::new(round_size(slots));
        let state = sprt.judge(&tally);
        let mut watch =
            Watch { sprt, rounds: Vec::new(), round_of: BTreeMap::new(), counted: 0, tally, state };
        watch.group(slots);
        watch
    }

    /// Groups games into rounds; a last round that is too short is left out.
    fn group(&mut self, slots: &[Slot]) {
        let size = self.tally.games_per_group();
        let mut found: BTreeMap<(usize, usize, usize), Vec<usize>> = BTreeMap::new();
        for slot in slots.iter().filter(|slot| is_watched(slot)) {
            // Where rounds differ in size, every game stands alone.
            let alone = if size == 1 { slot.index } else { 0 };
            found.entry((slot.meeting, slot.round, alone)).or_default().push(slot.index);
        }
        let mut rounds: Vec<Vec<usize>> =
            found.into_values().filter(|games| games.len() == size).collect();
        rounds.sort_unstable();
        for (number, games) in rounds.into_iter().enumerate() {
            self.round_of.extend(games.iter().map(|game| (*game, number)));
            self.rounds.push(Round { missing: games.len(), ..Round::default() });
        }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &GameRecord) {
        let Some(number) = self.round_of.remove(&game.slot.index) else { return };
        let round = &mut self.rounds[number];
        round.missing -= 1;
        match game.half_points(0, 1) {
            Some(half_points) => round.half_points += half_points,
            None => round.void = true,
        }
        self.count();
    }

    /// Counts rounds up to the first that is not complete, or up to the verdict.
    fn count(&mut self) {
        while self.state.verdict == Verdict::Continue
            && let Some(round) = self.rounds.get(self.counted).filter(|round| round.missing == 0)
        {
            self.counted += 1;
            if !round.void {
                self.tally.add(round.half_points);
                self.state = self.sprt.judge(&self.tally);
            }
        }
    }

    /// How the test stands.
    pub(super) fn state(&self) -> &SprtState {
        &self.state
    }

    /// How the test stands at the end.
    pub(super) fn into_state(self) -> SprtState {
        self.state
    }
}

fn is_watched(slot: &Slot) -> bool {
    slot.seats.contains(&0) && slot.seats.contains(&1)
}

/// The number of games of a round, or 1 where rounds differ.
fn round_size(slots: &[Slot]) -> usize {
    let mut sizes = slots.iter().filter(|slot| is_watched(slot)).map(|slot| slot.round_games);
    let first = sizes.next().unwrap_or(1);
    if sizes.all(|size| size == first) { first } else { 1 }
}
