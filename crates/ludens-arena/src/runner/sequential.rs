//! A sequential test whose verdict does not depend on the order in which games finish.
//!
//! Rounds are counted in schedule order, up to the first incomplete one. The games alone determine
//! the verdict, whatever the number of threads.

use std::collections::BTreeMap;

use crate::record::GameRecord;
use crate::schedule::Slot;
use crate::stats::{ScoreTally, Sprt, SprtState, Verdict};

/// The test of the first agent against the second.
pub(super) struct SequentialTest {
    sprt: Sprt,
    /// Rounds of full size, in schedule order.
    rounds: Vec<Round>,
    /// The round of each game that is not finished.
    round_of: BTreeMap<usize, usize>,
    /// How many rounds are counted.
    counted: usize,
    tally: ScoreTally,
    state: SprtState,
}

#[derive(Default)]
struct Round {
    missing: usize,
    half_points: usize,
    /// Whether one of its games is void; then the round is not counted.
    void: bool,
}

/// The state of a sequential test of the first agent against the second after these games.
pub fn judge_games<'r>(
    sprt: Sprt,
    slots: &[Slot],
    games: impl IntoIterator<Item = &'r GameRecord>,
) -> SprtState {
    let mut test = SequentialTest::new(sprt, slots);
    games.into_iter().for_each(|game| test.add(game));
    test.into_state()
}

impl SequentialTest {
    /// A test without games.
    pub(super) fn new(sprt: Sprt, slots: &[Slot]) -> Self {
        let tally = ScoreTally::new(round_size(slots));
        let state = sprt.judge(&tally);
        let (rounds, round_of) = (Vec::new(), BTreeMap::new());
        let mut test = SequentialTest { sprt, rounds, round_of, counted: 0, tally, state };
        test.group(slots);
        test
    }

    /// Groups games into rounds, without a last round that is too short.
    fn group(&mut self, slots: &[Slot]) {
        let size = self.tally.games_per_group();
        let mut found: BTreeMap<(usize, usize, usize), Vec<usize>> = BTreeMap::new();
        for slot in slots.iter().filter(|slot| is_tested(slot)) {
            // Where rounds differ in size, every game is a round of its own.
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

    /// Counts rounds up to the first incomplete one or the verdict.
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

    /// The current state.
    pub(super) fn state(&self) -> &SprtState {
        &self.state
    }

    /// The final state.
    pub(super) fn into_state(self) -> SprtState {
        self.state
    }
}

fn is_tested(slot: &Slot) -> bool {
    slot.seats.contains(&0) && slot.seats.contains(&1)
}

/// The number of games of a round, or 1 where rounds differ.
fn round_size(slots: &[Slot]) -> usize {
    let mut sizes = slots.iter().filter(|slot| is_tested(slot)).map(|slot| slot.round_games);
    let first = sizes.next().unwrap_or(1);
    if sizes.all(|size| size == first) { first } else { 1 }
}
