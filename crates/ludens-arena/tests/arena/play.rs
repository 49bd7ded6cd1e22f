//! Faults of agents are results, and the game continues.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{Heap, ManualClock, Nim, flat_and_random, scripted, slots, terms};
use ludens_arena::clock::{Allowance, Clock, SystemClock};
use ludens_arena::play::{Terms, play_game};
use ludens_arena::record::{Decision, Ending, GameRecord, IncidentKind};
use ludens_core::{Budget, Game, Move, PerRole, Role, View};
use ludens_search::{Agent, MoveStats, Random, Report, Watch};

/// The game of the first slot with two agents of the same kind.
fn played(
    make: &(dyn Fn(usize) -> Box<dyn Agent<Nim>> + Sync),
    terms: &Terms,
    clock: &dyn Clock,
) -> GameRecord {
    play_game(&Nim::new(2, 7), &slots(2, 2, 1)[0], terms, make, clock)
}

/// Ply, seat, kind and text of all incidents.
fn incidents(game: &GameRecord) -> Vec<(usize, usize, IncidentKind, &str)> {
    game.incidents.iter().map(|i| (i.ply, i.seat, i.kind, i.text.as_str())).collect()
}

#[test]
fn games_without_faults_are_recorded() {
    let game = played(&|_| scripted(|_| Some(Move(1))), &terms(5), &SystemClock);
    assert_eq!((game.ending.clone(), game.payoffs.clone()), (Ending::Terminal, vec![1.0, 0.0]));
    assert_eq!(game.moves[..2], [["(take 1)", "noop"], ["noop", "(take 1)"]]);
    assert_eq!((game.plies(), incidents(&game)), (7, vec![]));
    // The last move is forced, and so is no decision.
    let thoughts: Vec<_> = game.efforts.iter().map(|e| (e.decisions, e.iterations)).collect();
    assert_eq!(thoughts, [(3, 3), (3, 3)]);
}

/// Reports all moves: taking more stones has more visits and a higher mean.
struct Reporting;

impl Agent<Nim> for Reporting {
    fn think(&mut self, state: &Heap, _: &Budget, _: &mut Watch<'_>) -> Report {
        let stats = |mv: u32| MoveStats {
            mv: Move(mv),
            visits: u64::from(10 * mv),
            mean: f64::from(mv) / 3.0,
        };
        let stats: Vec<_> = (1..=state.stones.min(3)).map(stats).collect();
        Report::sorted(77, PerRole::filled(2, stats))
    }
    fn begin(&mut self, _seed: u64) {}
}

#[test]
fn records_keep_decisions_on_request() {
    let make = |_| -> Box<dyn Agent<Nim>> { Box::new(Reporting) };
    let without = played(&make, &terms(5), &*ManualClock::new());
    assert_eq!(without.decisions, []);
    let asked = Terms { keep_decisions: true, ..terms(5) };
    let game = played(&make, &asked, &*ManualClock::new());
    assert_eq!(GameRecord { decisions: Vec::new(), ..game.clone() }, without);
    // Seven stones: 3, 3 and the last one, which is no decision.
    let at: Vec<_> = game.decisions.iter().map(|d| (d.ply, d.seat, d.iterations)).collect();
    assert_eq!(at, [(0, 0, 77), (1, 1, 77)]);
    let moves: Vec<_> =
        game.decisions[1].moves.iter().map(|m| (m.name.as_str(), m.visits, m.mean)).collect();
    assert_eq!(moves, [("(take 3)", 30, 1.0), ("(take 2)", 20, 0.6667), ("(take 1)", 10, 0.3333)]);
    // (10 · 1/3 + 20 · 2/3 + 30 · 1) / 60
    assert_eq!(game.decisions[1].value, Some(0.7778));
}

#[test]
fn decisions_without_visits_have_no_value() {
    let stats = [MoveStats { mv: Move(1), visits: 0, mean: 0.0 }];
    assert_eq!(Decision::new(&*Nim::new(2, 7), 0, Role(0), 5, &stats).value, None);
}

#[test]
fn illegal_moves_are_replaced_by_random_ones() {
    let make = |number: usize| match number {
        0 => scripted(|heap| if heap.stones == 7 { Some(Move(9)) } else { Some(Move(1)) }),
        _ => scripted(|heap| if heap.stones > 2 { None } else { Some(Move(777)) }),
    };
    let game = played(&make, &terms(5), &SystemClock);
    assert_eq!(game.ending, Ending::Terminal);
    assert!(game.incidents.iter().all(|incident| incident.kind == IncidentKind::Illegal));
    assert_eq!(
        incidents(&game)[..2],
        [
            (0, 0, IncidentKind::Illegal, "(take 9)"),
            (1, 1, IncidentKind::Illegal, "no move was chosen"),
        ]
    );
    // The same seed gives the same replacements.
    assert_eq!(game.moves, played(&make, &terms(5), &SystemClock).moves);
}

#[test]
fn an_illegal_move_may_have_no_name() {
    let game = played(&|_| scripted(|_| Some(Move(777))), &terms(5), &SystemClock);
    assert_eq!(incidents(&game)[0], (0, 0, IncidentKind::Illegal, "move number 777"));
}

#[test]
fn panics_are_results() {
    let make = |number: usize| match number {
        0 => scripted(|_| panic!("out of {}", "luck")),
        _ => scripted(|_| Some(Move(1))),
    };
    let game = played(&make, &terms(5), &SystemClock);
    assert_eq!(game.ending, Ending::Terminal);
    assert!(game.incidents.len() > 1 && game.incidents.iter().all(|i| i.seat == 0));
    assert_eq!(incidents(&game)[0], (0, 0, IncidentKind::Crash, "out of luck"));
    assert_eq!(game.efforts[0].decisions, 0);
}

#[test]
fn agents_that_panic_outside_of_thinking_are_replaced_by_random_moves() {
    struct PanicsInBegin;
    impl Agent<Nim> for PanicsInBegin {
        fn think(&mut self, _: &Heap, _: &Budget, _: &mut Watch<'_>) -> Report {
            unreachable!("it has never seen a game begin")
        }
        fn begin(&mut self, _: u64) {
            panic!("deaf");
        }
    }
    struct PanicsInAdvance(Box<dyn Agent<Nim>>);
    impl Agent<Nim> for PanicsInAdvance {
        fn think(&mut self, state: &Heap, budget: &Budget, watch: &mut Watch<'_>) -> Report {
            self.0.think(state, budget, watch)
        }
        fn advance(&mut self, _: &[Move]) {
            panic!("shocked");
        }
        fn begin(&mut self, _: u64) {}
    }
    let make = |number: usize| -> Box<dyn Agent<Nim>> {
        if number == 0 {
            Box::new(PanicsInBegin)
        } else {
            Box::new(PanicsInAdvance(scripted(|_| Some(Move(1)))))
        }
    };
    let game = played(&make, &terms(5), &SystemClock);
    assert_eq!(game.ending, Ending::Terminal);
    assert_eq!(
        incidents(&game)[..2],
        [(0, 0, IncidentKind::Crash, "deaf"), (0, 1, IncidentKind::Crash, "shocked"),]
    );
}

#[test]
fn late_answers_do_not_count() {
    let terms = Terms {
        tolerance: Duration::from_millis(50),
        ..Terms::new(Allowance::of_time(Duration::from_secs(1)))
    };
    let clock = ManualClock::new();
    let sleeper = Arc::clone(&clock);
    let make = move |number: usize| {
        let clock = Arc::clone(&sleeper);
        match number {
            // Late by more than the tolerance in the first move, and by less in the others.
            0 => scripted(move |heap| {
                clock.advance(if heap.stones == 7 { 1200 } else { 1050 });
                Some(Move(1))
            }),
            _ => scripted(|_| Some(Move(1))),
        }
    };
    let game = played(&make, &terms, &*clock);
    assert_eq!(incidents(&game), [(0, 0, IncidentKind::Timeout, "the answer was 200 ms late")]);
    assert_eq!(game.incidents[0].late_micros, Some(200_000));
    assert_eq!(game.efforts[0].longest_micros, 1_200_000);
}

#[test]
fn plies_are_kept_only_with_a_time_limit() {
    let by_ply = |terms: &Terms| {
        let make = |_| -> Box<dyn Agent<Nim>> { Box::new(Reporting) };
        played(&make, terms, &*ManualClock::new()).efforts.into_iter().map(|e| e.by_ply)
    };
    assert_eq!(by_ply(&terms(5)).collect::<Vec<_>>(), [[], []]);
    let timed = Terms::new(Allowance::of_time(SECOND));
    assert_eq!(by_ply(&timed).collect::<Vec<_>>(), [[(0, 77)], [(1, 77)]]);
    // A random first move takes a ply and is no decision.
    let after_opening = by_ply(&Terms { opening: 1, ..timed });
    assert_eq!(after_opening.collect::<Vec<_>>()[1], [(1, 77)]);
}

/// Takes one stone at a time, and calls a function to prepare.
struct Preparing<F>(F);

impl<F: FnMut(&Heap, &Budget) + Send> Agent<Nim> for Preparing<F> {
    fn think(&mut self, state: &Heap, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        crate::common::Scripted(Box::new(|_| Some(Move(1)))).think(state, budget, watch)
    }
    fn prepare(&mut self, state: &Heap, budget: &Budget) -> Report {
        (self.0)(state, budget);
        Report::default()
    }
    fn begin(&mut self, _seed: u64) {}
}

/// Terms with a start clock of a number of iterations and a second.
fn prepared(iterations: u64) -> Terms {
    let start = Allowance { iterations: Some(iterations), ..Allowance::of_time(SECOND) };
    Terms { start: Some(start), tolerance: Duration::from_millis(50), ..terms(5) }
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn agents_prepare_once_a_game_and_only_if_the_terms_allow_it() {
    let calls: Arc<Mutex<Vec<(u32, Budget)>>> = Arc::default();
    let seen = Arc::clone(&calls);
    let make = move |_| -> Box<dyn Agent<Nim>> {
        let seen = Arc::clone(&seen);
        Box::new(Preparing(move |heap: &Heap, budget: &Budget| {
            seen.lock().unwrap().push((heap.stones, budget.clone()));
        }))
    };
    let clock = ManualClock::new();
    let without = played(&make, &terms(5), &*clock);
    assert_eq!(calls.lock().unwrap().len(), 0);
    // The random first moves are made afterwards: agents prepare for the initial state.
    let game = played(&make, &Terms { opening: 2, ..prepared(7) }, &*clock);
    assert_eq!((game.opening, incidents(&game)), (2, vec![]));
    for (stones, budget) in calls.lock().unwrap().iter() {
        assert_eq!((*stones, budget.iterations), (7, Some(7)));
        assert_eq!(budget.deadline, Some(clock.now() + SECOND));
    }
    assert_eq!(calls.lock().unwrap().len(), 2, "each seat once");
    let ready = played(&make, &prepared(7), &*clock);
    // Neither the moves nor the efforts change.
    assert_eq!(ready, without);
    let over = play_game(&Nim::new(2, 0), &slots(2, 2, 1)[0], &prepared(7), &make, &*clock);
    assert_eq!((over.ending, calls.lock().unwrap().len()), (Ending::Terminal, 4));
}

#[test]
fn faults_during_preparation_are_recorded() {
    let clock = ManualClock::new();
    let sleeper = Arc::clone(&clock);
    let make = move |number: usize| -> Box<dyn Agent<Nim>> {
        let clock = Arc::clone(&sleeper);
        match number {
            0 => Box::new(Preparing(move |_: &_, _: &_| clock.advance(1300))),
            _ => Box::new(Preparing(|_: &_, _: &_| panic!("not ready"))),
        }
    };
    let game = played(&make, &prepared(7), &*clock);
    assert_eq!(
        incidents(&game),
        [
            (0, 0, IncidentKind::Timeout, "the answer was 300 ms late"),
            (0, 1, IncidentKind::Crash, "not ready"),
        ]
    );
    assert_eq!(game.incidents[0].late_micros, Some(300_000));
    // Both continue, with a new agent in place of the one that panicked.
    assert_eq!((game.plies(), game.efforts[1].decisions), (7, 3));
    let patient = Terms { tolerance: SECOND, ..prepared(7) };
    assert_eq!(incidents(&played(&make, &patient, &*clock)).len(), 1, "only the panic");
}

#[test]
fn long_games_are_drawn() {
    let terms = Terms { ply_limit: 3, ..terms(5) };
    let game = played(&|_| scripted(|_| Some(Move(1))), &terms, &SystemClock);
    assert_eq!(
        (game.ending, game.payoffs, game.moves.len()),
        (Ending::PlyLimit, vec![0.5, 0.5], 3)
    );
}

#[test]
fn openings_are_random_and_the_same_for_the_round() {
    let (game, slots) = (Nim::new(2, 30), slots(2, 2, 40));
    let (make, terms) = (flat_and_random(&game), Terms { opening: 4, ..terms(5) });
    let games: Vec<_> =
        slots.iter().map(|slot| play_game(&game, slot, &terms, &make, &SystemClock)).collect();
    let opening = |record: &GameRecord| record.moves[..4].to_vec();
    assert!(games.iter().all(|record| record.opening == 4));
    assert!(games.chunks(2).all(|pair| opening(&pair[0]) == opening(&pair[1])));
    let mut different: Vec<_> = games.iter().map(opening).collect();
    different.sort();
    different.dedup();
    assert!(different.len() > 10, "{}", different.len());
}

#[test]
fn equal_agents_that_swap_seats_do_not_repeat_the_game() {
    let (game, slots) = (Nim::new(2, 40), slots(2, 2, 20));
    let make = |_| -> Box<dyn Agent<Nim>> { Box::new(Random::new(Arc::clone(&game), 0)) };
    let games: Vec<_> =
        slots.iter().map(|slot| play_game(&game, slot, &terms(5), &make, &SystemClock)).collect();
    assert!(games.chunks(2).all(|pair| pair[0].moves != pair[1].moves));
}

#[test]
fn openings_never_end_the_game() {
    let (game, slots) = (Nim::new(2, 3), slots(2, 2, 20));
    let (make, terms) = (flat_and_random(&game), Terms { opening: 8, ..terms(5) });
    for slot in &slots {
        let record = play_game(&game, slot, &terms, &make, &SystemClock);
        assert!(record.opening <= 2 && record.plies() > record.opening, "{record:?}");
    }
}

/// A game whose rules fail, as when a reasoner exhausts its limits.
struct Broken(Arc<Nim>);

impl Game for Broken {
    type State = crate::common::Heap;
    fn roles(&self) -> &[String] {
        self.0.roles()
    }
    fn initial(&self) -> crate::common::Heap {
        assert!(self.0.initial().stones != 13, "no beginning");
        self.0.initial()
    }
    fn look(&self, state: &Heap, view: &mut View) {
        assert!(state.stones > 4, "too hard");
        self.0.look(state, view);
        if state.stones > 20 {
            view.legal[Role(1)].clear();
        }
    }
    fn play(&self, state: &mut crate::common::Heap, joint: &[Move]) {
        self.0.play(state, joint);
    }
    fn move_name(&self, role: Role, m: Move) -> String {
        self.0.move_name(role, m)
    }
    fn facts(&self, state: &Heap) -> Vec<String> {
        self.0.facts(state)
    }
}

#[test]
fn games_whose_rules_fail_are_void() {
    for (stones, reason) in [(7, "too hard"), (13, "no beginning"), (21, "`p1` has no legal move")]
    {
        let game = Arc::new(Broken(Nim::new(2, stones)));
        let make = |_| -> Box<dyn Agent<Broken>> { Box::new(Random::new(Arc::clone(&game), 0)) };
        let record = play_game(&game, &slots(2, 2, 1)[0], &terms(5), &make, &SystemClock);
        assert_eq!((record.ending, record.payoffs), (Ending::Void(reason.into()), vec![]));
    }
}
