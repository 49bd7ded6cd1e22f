//! The scheduler runs any function from a slot to a record: nothing here knows a game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::common::{names, scheduler, slots};
use ludens_arena::journal::Journal;
use ludens_arena::record::{Ending, GameRecord};
use ludens_arena::runner::{Observer, Scheduler};
use ludens_arena::schedule::Slot;
use ludens_arena::standing::Scoreboard;
use ludens_arena::stats::{EloScale, Sprt, Verdict};
use serde_json::json;

type Memory = BTreeMap<usize, GameRecord>;

/// A game that agent 0 wins.
fn won(slot: &Slot) -> GameRecord {
    let payoff = |&agent: &usize| if agent == 0 { 1.0 } else { 0.0 };
    let payoffs = slot.seats.iter().map(payoff).collect();
    let moves = vec![vec![slot.index.to_string()]];
    GameRecord { payoffs, moves, ..GameRecord::new(slot.clone()) }
}

/// Sets the stop flag after some games.
struct StopAfter(usize, Arc<AtomicBool>);

impl Observer for StopAfter {
    fn game_ended(&mut self, _game: &GameRecord, _board: &Scoreboard) {
        self.0 = self.0.saturating_sub(1);
        self.1.store(self.0 == 0, Ordering::Relaxed);
    }
}

#[test]
fn a_stopped_run_resumes_from_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let (names, slots, played) = (names(2), slots(2, 2, 20), Mutex::new(Vec::new()));
    let play = |slot: &Slot, _: &Arc<AtomicBool>| {
        played.lock().unwrap().push(slot.index);
        Some(won(slot))
    };
    for (stop_after, expected) in [(5, 5..=11), (usize::MAX, 9..=15)] {
        let journal = Journal::open(&path).unwrap();
        let mut experiment = journal.experiment("closure", &json!({})).unwrap();
        let scheduler = Scheduler { workers: 2, ..scheduler(&names, &slots) };
        let mut observer = StopAfter(stop_after, Arc::clone(&scheduler.stop));
        let report = scheduler.run(&play, &mut experiment, &mut observer).unwrap();
        // After the stop, two games of the same batch, two that wait to be written and one of each
        // worker may still be recorded.
        assert!(expected.contains(&report.played), "{} games", report.played);
    }
    let journal = Journal::open_existing(&path).unwrap();
    let games = journal.find("closure").unwrap().unwrap().games().unwrap();
    assert_eq!(games, slots.iter().map(won).collect::<Vec<_>>());
    let mut played = played.into_inner().unwrap();
    played.sort_unstable();
    assert_eq!(played, (0..20).collect::<Vec<_>>(), "every game was played once");
}

#[test]
fn games_run_on_the_requested_number_of_threads() {
    const WORKERS: usize = 3;
    let (names, slots) = (names(2), slots(2, 2, WORKERS));
    let (running, all_running) = (Mutex::new((0, 0)), Condvar::new());
    let play = |slot: &Slot, _: &Arc<AtomicBool>| {
        let mut state = running.lock().unwrap();
        state.0 += 1;
        state.1 = state.1.max(state.0);
        all_running.notify_all();
        // All games wait for each other; on fewer threads they give up, and the test fails.
        let patience = Duration::from_secs(10);
        let waited = all_running.wait_timeout_while(state, patience, |(_, most)| *most < WORKERS);
        waited.unwrap().0.0 -= 1;
        Some(won(slot))
    };
    let scheduler = Scheduler { workers: WORKERS, ..scheduler(&names, &slots) };
    let report = scheduler.run(&play, &mut Memory::new(), &mut ()).unwrap();
    assert_eq!((report.played, running.into_inner().unwrap().1), (WORKERS, WORKERS));
}

#[test]
fn a_panic_makes_its_game_void_and_no_other() {
    let (names, slots, mut ledger) = (names(2), slots(2, 2, 6), Memory::new());
    let play = |slot: &Slot, _: &Arc<AtomicBool>| {
        assert!(slot.index != 4, "lost connection");
        Some(won(slot))
    };
    let report = scheduler(&names, &slots).run(&play, &mut ledger, &mut ()).unwrap();
    assert_eq!((report.played, report.missing), (6, 0));
    assert_eq!(ledger[&4].ending, Ending::Void("lost connection".into()));
    assert_eq!((report.board.games(), report.board.played()), (5, 6));
}

#[test]
fn a_stop_reaches_games_in_progress_and_they_stay_missing() {
    let (names, slots, mut ledger) = (names(2), slots(2, 2, 30), Memory::new());
    let scheduler = Scheduler { workers: 2, ..scheduler(&names, &slots) };
    let play = |slot: &Slot, halt: &Arc<AtomicBool>| {
        if slot.index < 2 {
            return Some(won(slot));
        }
        scheduler.stop.store(true, Ordering::Relaxed);
        while !halt.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        None
    };
    let report = scheduler.run(&play, &mut ledger, &mut ()).unwrap();
    assert_eq!((report.played, report.missing), (2, 28));
    assert_eq!(ledger.keys().copied().collect::<Vec<_>>(), [0, 1]);
}

/// A cluster gives up the games of a lost machine: others continue, and the next run plays the missing
/// games.
#[test]
fn a_game_that_is_given_up_holds_no_other_back() {
    let (names, slots, mut ledger) = (names(2), slots(2, 2, 40), Memory::new());
    // The test cannot decide, but limits how far ahead games may start.
    let sprt = Sprt::new([5000.0, 6000.0], 1e-9, 1e-9, EloScale::Logistic).unwrap();
    let lead = Some(2);
    let scheduler = Scheduler { sprt: Some(sprt), lead, ..scheduler(&names, &slots) };
    let given_up = AtomicUsize::new(0);
    let play = |slot: &Slot, _: &Arc<AtomicBool>| {
        let first = slot.index == 3 && given_up.fetch_add(1, Ordering::Relaxed) == 0;
        (!first).then(|| won(slot))
    };
    let report = std::thread::scope(|scope| {
        // If the window did not move, the run would wait forever: it is stopped, and fails.
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let stop = &scheduler.stop;
        scope.spawn(move || {
            let hangs =
                wait.recv_timeout(Duration::from_secs(20)) == Err(RecvTimeoutError::Timeout);
            stop.store(hangs, Ordering::Relaxed);
        });
        let report = scheduler.run(&play, &mut ledger, &mut ()).unwrap();
        drop(done);
        report
    });
    assert_eq!((report.played, report.missing), (39, 1));
    let report = scheduler.run(&play, &mut ledger, &mut ()).unwrap();
    assert_eq!((report.played, report.missing), (1, 0));
}

#[test]
fn a_verdict_ends_the_run() {
    let (names, slots, mut ledger) = (names(2), slots(2, 2, 1000), Memory::new());
    let sprt = Sprt::new([0.0, 100.0], 0.05, 0.05, EloScale::Logistic).unwrap();
    let scheduler = Scheduler { sprt: Some(sprt), ..scheduler(&names, &slots) };
    let play = |slot: &Slot, _: &Arc<AtomicBool>| Some(won(slot));
    let report = scheduler.run(&play, &mut ledger, &mut ()).unwrap();
    let state = report.sprt.unwrap();
    assert_eq!(state.verdict, Verdict::AcceptH1);
    assert!(report.missing > 900, "{}", report.missing);
}

/// What another program recorded first counts, and is what observers see.
#[test]
fn games_that_another_program_recorded_first_are_not_played_twice() {
    struct Seen(BTreeSet<Vec<u64>>);
    impl Observer for Seen {
        fn game_ended(&mut self, game: &GameRecord, _board: &Scoreboard) {
            self.0.insert(game.payoffs.iter().map(|payoff| (payoff * 2.0) as u64).collect());
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let (names, slots) = (names(2), slots(2, 2, 4));
    let journal = Journal::open(&path).unwrap();
    let mut experiment = journal.experiment("shared", &json!({})).unwrap();
    let play = |slot: &Slot, _: &Arc<AtomicBool>| {
        let other = Journal::open(&path).unwrap();
        let drawn = GameRecord { payoffs: vec![0.5; 2], ..won(slot) };
        other.find("shared").unwrap().unwrap().record(&[drawn]).unwrap();
        Some(won(slot))
    };
    let mut seen = Seen(BTreeSet::new());
    let report = scheduler(&names, &slots).run(&play, &mut experiment, &mut seen).unwrap();
    assert_eq!((report.played, report.missing), (0, 0));
    assert_eq!(seen.0, BTreeSet::from([vec![1, 1]]));
    assert_eq!(report.board.versus(0, 1), [0, 4, 0]);
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_record_of_another_slot_is_a_bug() {
    let (names, slots) = (names(2), slots(2, 2, 2));
    let play = |_: &Slot, _: &Arc<AtomicBool>| Some(won(&slots[0]));
    let _ = scheduler(&names, &slots).run(&play, &mut Memory::new(), &mut ());
}
