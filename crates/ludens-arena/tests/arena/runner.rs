//! Many games on any number of threads, interrupted and resumed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::common::{Nim, flat_and_random, names, runner, scheduler, scripted, slots, terms};
use ludens_arena::clock::{Allowance, Pace};
use ludens_arena::play::{Request, Terms, Thinker};
use ludens_arena::record::{Ending, GameRecord, IncidentKind};
use ludens_arena::runner::{AgentRunner, Ledger, Observer, RunError, Scheduler, judge_games};
use ludens_arena::standing::Scoreboard;
use ludens_arena::stats::{EloScale, Sprt, Verdict};
use ludens_core::{Budget, Move};
use ludens_search::{Agent, Report, Watch};

type Memory = BTreeMap<usize, GameRecord>;

/// All games without times.
fn contents(ledger: &Memory) -> Vec<GameRecord> {
    ledger.values().cloned().map(GameRecord::without_times).collect()
}

/// Sets the stop flag after some games.
struct Interrupt {
    after: usize,
    seen: usize,
    stop: Arc<AtomicBool>,
}

impl Observer for Interrupt {
    fn game_ended(&mut self, _game: &GameRecord, board: &Scoreboard) {
        self.seen += 1;
        assert!(board.games() as usize >= self.seen);
        if self.seen == self.after {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn the_number_of_threads_and_concurrent_games_changes_nothing() {
    let (game, names, terms) = (Nim::new(3, 12), names(4), terms(30));
    let (slots, make) = (slots(4, 3, 8), flat_and_random(&game));
    let games = |workers, games_per_worker| {
        let mut ledger = Memory::new();
        let scheduler = Scheduler { workers, ..scheduler(&names, &slots) };
        let runner = AgentRunner { games_per_worker, ..runner(&game, &terms, &make) };
        let report = runner.run(&scheduler, &mut ledger, &mut ()).unwrap();
        assert_eq!((report.played, report.missing), (slots.len(), 0));
        contents(&ledger)
    };
    let one = games(1, 1);
    assert_eq!(one.len(), 32);
    assert!(one.iter().all(|game| game.ending == Ending::Terminal && game.incidents.is_empty()));
    for (workers, games_per_worker) in [(1, 5), (3, 1), (2, 4), (64, 64)] {
        assert_eq!(games(workers, games_per_worker), one, "{workers} × {games_per_worker}");
    }
}

#[test]
fn preparation_does_not_depend_on_the_number_of_threads() {
    let start = Some(Allowance::of_iterations(40));
    let (game, names, terms) = (Nim::new(3, 12), names(4), Terms { start, ..terms(30) });
    let (slots, make) = (slots(4, 3, 8), flat_and_random(&game));
    let games = |workers, games_per_worker, terms: &Terms| {
        let mut ledger = Memory::new();
        let scheduler = Scheduler { workers, ..scheduler(&names, &slots) };
        let runner = AgentRunner { games_per_worker, ..runner(&game, terms, &make) };
        runner.run(&scheduler, &mut ledger, &mut ()).unwrap();
        contents(&ledger)
    };
    let one = games(1, 1, &terms);
    assert!(one.len() == 32 && one.iter().all(|game| game.incidents.is_empty()));
    for (workers, games_per_worker) in [(1, 5), (2, 4), (64, 64)] {
        assert_eq!(games(workers, games_per_worker, &terms), one);
    }
    assert_ne!(
        games(1, 1, &Terms { start: None, ..terms }),
        one,
        "preparation uses random numbers"
    );
}

#[test]
fn openings_beyond_the_ply_limit_skip_no_game() {
    let (game, names) = (Nim::new(2, 15), names(2));
    let (slots, make) = (slots(2, 2, 9), flat_and_random(&game));
    let terms = Terms { opening: 3, ply_limit: 2, ..terms(5) };
    let runner = AgentRunner { games_per_worker: 2, ..runner(&game, &terms, &make) };
    let (scheduler, mut ledger) = (scheduler(&names, &slots), Memory::new());
    assert_eq!(runner.run(&scheduler, &mut ledger, &mut ()).unwrap().missing, 0);
    assert!(ledger.values().all(|game| game.ending == Ending::PlyLimit));
}

#[test]
fn a_stopped_run_resumes() {
    let (game, names, terms) = (Nim::new(2, 15), names(2), terms(20));
    let (slots, make) = (slots(2, 2, 60), flat_and_random(&game));
    let runner = AgentRunner { games_per_worker: 2, ..runner(&game, &terms, &make) };
    let mut whole = Memory::new();
    runner.run(&scheduler(&names, &slots), &mut whole, &mut ()).unwrap();
    let (mut ledger, mut runs, mut played) = (Memory::new(), 0, 0);
    loop {
        let stop = Arc::new(AtomicBool::new(false));
        let mut interrupt = Interrupt { after: 7, seen: 0, stop: Arc::clone(&stop) };
        let scheduler = Scheduler { workers: 2, stop, ..scheduler(&names, &slots) };
        let report = runner.run(&scheduler, &mut ledger, &mut interrupt).unwrap();
        runs += 1;
        played += report.played;
        assert_eq!(played + report.missing, slots.len());
        if report.missing == 0 {
            break;
        }
        assert!(report.played >= 7);
    }
    // Each run plays at least seven games, and few more than are in progress or waiting.
    assert!((3..=9).contains(&runs), "{runs}");
    assert_eq!(played, slots.len(), "no game was played twice");
    assert_eq!(contents(&ledger), contents(&whole));
}

#[test]
fn nothing_is_played_if_all_games_are_done_or_the_run_is_stopped() {
    let (game, names, terms) = (Nim::new(2, 9), names(2), terms(5));
    let (slots, make) = (slots(2, 2, 4), flat_and_random(&game));
    let (runner, mut ledger) = (runner(&game, &terms, &make), Memory::new());
    let stopped = Scheduler { stop: Arc::new(true.into()), ..scheduler(&names, &slots) };
    assert_eq!(runner.run(&stopped, &mut ledger, &mut ()).unwrap().missing, 4);
    let scheduler = scheduler(&names, &slots);
    assert_eq!(runner.run(&scheduler, &mut ledger, &mut ()).unwrap().played, 4);
    assert_eq!(runner.run(&scheduler, &mut ledger, &mut ()).unwrap().played, 0);
}

#[test]
fn games_of_another_schedule_are_refused() {
    let (game, names, terms) = (Nim::new(2, 9), names(2), terms(5));
    let (slots, make) = (slots(2, 2, 2), flat_and_random(&game));
    let (runner, mut ledger) = (runner(&game, &terms, &make), Memory::new());
    runner.run(&scheduler(&names, &slots), &mut ledger, &mut ()).unwrap();
    let mut other = slots.clone();
    other[1].seed += 1;
    let refused = runner.run(&scheduler(&names, &other), &mut ledger, &mut ());
    assert!(matches!(refused, Err(RunError::OtherSchedule(1))));
}

/// Agent 0 plays perfectly.
fn perfect_and_poor(number: usize) -> Box<dyn Agent<Nim>> {
    match number {
        0 => scripted(|heap| Some(Move((heap.stones % 4).max(1)))),
        _ => scripted(|_| Some(Move(1))),
    }
}

#[test]
fn a_sequential_test_ends_the_run_with_the_same_verdict_on_any_number_of_threads() {
    let (game, names, terms) = (Nim::new(2, 21), names(2), terms(1));
    let slots = slots(2, 2, 2000);
    let sprt = Sprt::new([0.0, 100.0], 0.05, 0.05, EloScale::Logistic).unwrap();
    let mut states = Vec::new();
    for (workers, games_per_worker) in [(1, 1), (2, 3)] {
        let mut ledger = Memory::new();
        let scheduler = Scheduler { sprt: Some(sprt), workers, ..scheduler(&names, &slots) };
        let runner = AgentRunner { games_per_worker, ..runner(&game, &terms, &perfect_and_poor) };
        let report = runner.run(&scheduler, &mut ledger, &mut ()).unwrap();
        assert!(report.missing > 0 && report.missing + ledger.len() == slots.len());
        let state = report.sprt.unwrap();
        assert_eq!(state, judge_games(sprt, &slots, ledger.values()));
        // The verdict is the same if the run is repeated.
        assert_eq!(runner.run(&scheduler, &mut ledger, &mut ()).unwrap().played, 0);
        states.push(state);
    }
    assert_eq!(states[0], states[1]);
    assert_eq!((states[0].verdict, states[0].counts.len()), (Verdict::AcceptH1, 5));
    assert_eq!(states[0].games as usize, 2 * states[0].counts.iter().sum::<u64>() as usize);
}

/// Without a lead, all 2000 games would start before the verdict.
#[test]
fn a_sequential_test_starts_few_games_that_it_does_not_need() {
    let (game, names, terms) = (Nim::new(2, 21), names(2), terms(1));
    let slots = slots(2, 2, 2000);
    let sprt = Some(Sprt::new([0.0, 100.0], 0.05, 0.05, EloScale::Logistic).unwrap());
    for workers in [1, 3] {
        let mut ledger = Memory::new();
        let scheduler = Scheduler { sprt, lead: Some(8), workers, ..scheduler(&names, &slots) };
        let runner = runner(&game, &terms, &perfect_and_poor);
        let runner = AgentRunner { games_per_worker: 1000, ..runner };
        let report = runner.run(&scheduler, &mut ledger, &mut ()).unwrap();
        let needed = report.sprt.unwrap().games as usize;
        let most = needed + (needed / 2).max(8);
        assert!(ledger.len() <= most, "{} of {most} games", ledger.len());
        // Without a test, all games are played.
        let scheduler = Scheduler { sprt: None, ..scheduler };
        assert_eq!(runner.run(&scheduler, &mut ledger, &mut ()).unwrap().missing, 0);
    }
}

/// Counts the requests of each call.
struct Counting<'a>(&'a Mutex<Vec<usize>>);

impl Thinker<Nim> for Counting<'_> {
    fn think_all(&mut self, requests: &mut [Request<'_, Nim>], pace: &Pace<'_>) {
        self.0.lock().unwrap().push(requests.len());
        requests.iter_mut().rev().for_each(|request| request.think(pace));
    }
}

#[test]
fn the_games_of_a_worker_think_together() {
    let (game, names, terms) = (Nim::new(2, 15), names(2), terms(10));
    let (slots, make) = (slots(2, 2, 12), flat_and_random(&game));
    let (mut alone, mut together) = (Memory::new(), Memory::new());
    let (scheduler, one) = (scheduler(&names, &slots), runner(&game, &terms, &make));
    one.run(&scheduler, &mut alone, &mut ()).unwrap();
    let sizes: &'static Mutex<Vec<usize>> = Box::leak(Box::default());
    let thinker = || -> Box<dyn Thinker<Nim>> { Box::new(Counting(sizes)) };
    let many = AgentRunner { games_per_worker: 6, thinker: &thinker, ..one };
    many.run(&scheduler, &mut together, &mut ()).unwrap();
    assert_eq!(contents(&alone), contents(&together));
    assert_eq!(sizes.lock().unwrap().iter().max(), Some(&6));
}

#[test]
fn a_thinker_that_fails_does_not_end_the_run() {
    struct Failing;
    impl Thinker<Nim> for Failing {
        fn think_all(&mut self, requests: &mut [Request<'_, Nim>], pace: &Pace<'_>) {
            requests[0].think(pace);
            panic!("the batch is lost");
        }
    }
    let (game, names, terms) = (Nim::new(2, 15), names(2), terms(10));
    let (slots, make) = (slots(2, 2, 4), flat_and_random(&game));
    let thinker = || -> Box<dyn Thinker<Nim>> { Box::new(Failing) };
    let runner = runner(&game, &terms, &make);
    let runner = AgentRunner { games_per_worker: 2, thinker: &thinker, ..runner };
    let (scheduler, mut ledger) = (scheduler(&names, &slots), Memory::new());
    assert_eq!(runner.run(&scheduler, &mut ledger, &mut ()).unwrap().missing, 0);
    let incidents: Vec<_> = ledger.values().flat_map(|game| &game.incidents).collect();
    assert!(!incidents.is_empty());
    assert!(
        incidents.iter().all(|i| i.kind == IncidentKind::Crash && i.text == "there was no answer")
    );
}

#[test]
fn agents_are_created_once_per_worker_and_begin_every_game() {
    struct Counted<'a>(&'a AtomicUsize, Box<dyn Agent<Nim>>);
    impl Agent<Nim> for Counted<'_> {
        fn think(
            &mut self,
            state: &crate::common::Heap,
            budget: &Budget,
            watch: &mut Watch<'_>,
        ) -> Report {
            self.1.think(state, budget, watch)
        }
        fn begin(&mut self, seed: u64) {
            self.0.fetch_add(1, Ordering::Relaxed);
            self.1.begin(seed);
        }
    }
    static MADE: AtomicUsize = AtomicUsize::new(0);
    static BEGUN: AtomicUsize = AtomicUsize::new(0);
    let make = |number: usize| -> Box<dyn Agent<Nim>> {
        MADE.fetch_add(1, Ordering::Relaxed);
        Box::new(Counted(&BEGUN, perfect_and_poor(number)))
    };
    let (game, names, terms) = (Nim::new(2, 15), names(2), terms(10));
    let slots = slots(2, 2, 10);
    runner(&game, &terms, &make)
        .run(&scheduler(&names, &slots), &mut Memory::new(), &mut ())
        .unwrap();
    assert_eq!((MADE.load(Ordering::Relaxed), BEGUN.load(Ordering::Relaxed)), (2, 20));
}

#[test]
fn a_ledger_that_fails_ends_the_run() {
    struct Full;
    impl Ledger for Full {
        type Error = &'static str;
        fn games(&self) -> Result<Vec<GameRecord>, &'static str> {
            Ok(Vec::new())
        }
        fn record(
            &mut self,
            _games: &[GameRecord],
        ) -> Result<Vec<Option<GameRecord>>, &'static str> {
            Err("the disk is full")
        }
    }
    let (game, names, terms) = (Nim::new(2, 15), names(2), terms(10));
    let slots = slots(2, 2, 500);
    let runner = AgentRunner { games_per_worker: 2, ..runner(&game, &terms, &perfect_and_poor) };
    let scheduler = Scheduler { workers: 3, ..scheduler(&names, &slots) };
    let failed = runner.run(&scheduler, &mut Full, &mut ());
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
}
