//! Contests in one process.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ludens_arena::record::IncidentKind;
use ludens_catalog::load_agent;

use super::*;
use crate::event::Event;

/// The message of a panicking agent.
const CRASH: &str = "this agent panics on purpose";

/// The message of a panic after the contests.
const LATER: &str = "a later panic";

fn contest(folder: &std::path::Path, name: &str) -> Contest {
    let agents = ["random", "random"].map(|text| load_agent(text).unwrap()).to_vec();
    let default = Contest::new("tictactoe", agents, Allowance::of_iterations(1), 6);
    Contest { journal: folder.join(name), concurrency: Some(2), ..default }
}

/// Plays a contest and returns its games.
fn play(contest: &Contest, making: &(dyn Fn(usize) + Sync)) -> Vec<GameRecord> {
    let opened = contest.open(&Cache::off(), &mut |_| {}).unwrap();
    let mut n_ended = 0;
    let report = opened.play_with(
        &Stop::new(),
        &mut |event| n_ended += usize::from(matches!(event, Event::GameEnded { .. })),
        making,
    );
    assert_eq!((report.unwrap().missing, n_ended), (0, contest.games));
    opened.recorded_games().unwrap()
}

#[test]
fn concurrent_contests_are_independent_even_if_an_agent_panics() {
    let folder = tempfile::tempdir().unwrap();
    let (sound, crashing) = (contest(folder.path(), "a"), contest(folder.path(), "b"));
    // Other tests may panic at the same time: only these two panics count.
    let (crashes, later) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (hook, counters) = (panic::take_hook(), [Arc::clone(&crashes), Arc::clone(&later)]);
    panic::set_hook(Box::new(move |info| {
        for (text, counter) in [CRASH, LATER].iter().zip(&counters) {
            let matches = info.payload_as_str().is_some_and(|message| message.contains(text));
            counter.fetch_add(usize::from(matches), Ordering::Relaxed);
        }
    }));
    let (fine, crashed) = thread::scope(|scope| {
        let fine = scope.spawn(|| play(&sound, &|_| {}));
        let crashed = scope.spawn(|| play(&crashing, &|agent| assert!(agent != 1, "{CRASH}")));
        (fine.join().unwrap(), crashed.join().unwrap())
    });
    let n_crashes = crashes.load(Ordering::Relaxed);
    assert!(thread::spawn(|| panic!("{LATER}")).join().is_err());
    panic::set_hook(hook);
    assert!(n_crashes > 0, "the hook is not replaced while contests run");
    assert_eq!(later.load(Ordering::Relaxed), 1, "a later panic reaches the hook");

    assert!(fine.iter().all(|game| game.is_valid() && game.incidents.is_empty()));
    assert!(crashed.iter().all(GameRecord::is_valid));
    let incidents =
        || crashed.iter().flat_map(|game| game.incidents.iter().map(move |i| (game, i)));
    assert!(crashed.iter().all(|game| !game.incidents.is_empty()));
    assert!(incidents().all(|(game, incident)| {
        let is_its = game.slot.seats[incident.seat] == 1;
        is_its && incident.kind == IncidentKind::Crash && incident.text.contains(CRASH)
    }));
}

#[test]
fn contests_are_plain_data() {
    let contest = contest(std::path::Path::new("journals"), "a");
    let text = serde_json::to_string(&contest).unwrap();
    assert!(text.contains("\"agents\":[\"random\",\"random\"]"), "{text}");
    assert_eq!(serde_json::from_str::<Contest>(&text).unwrap(), contest);
}

#[test]
fn a_raised_flag_leaves_games_for_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), "a");
    let (stop, opened) = (Stop::new(), contest.open(&Cache::off(), &mut |_| {}).unwrap());
    stop.raise();
    let report = opened.play(&stop, &mut |_| {}).unwrap();
    assert!(report.missing > 0, "no more games start");
    let report = opened.play(&Stop::new(), &mut |_| {}).unwrap();
    assert_eq!((report.missing, report.board.played()), (0, 6));
}

#[test]
fn the_first_agent_has_its_roles_in_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let roles = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let fixed = Contest { roles: roles(&["oplayer"]), ..contest(folder.path(), "a") };
    let games = play(&fixed, &|_| {});
    assert!(games.iter().all(|game| game.slot.seats == [1, 0]), "{games:?}");
    let seeds: BTreeSet<_> = games.iter().map(|game| game.slot.seed).collect();
    assert_eq!(seeds.len(), 6, "every game is another one");
    let error = |contest: Contest| {
        contest.open(&Cache::off(), &mut |_| {}).err().expect("it is refused").to_string()
    };
    let all = Contest { roles: roles(&["xplayer", "oplayer"]), ..fixed.clone() };
    assert_eq!(error(all.clone()), "the number of agents that have roles is 1, not 2");
    let alone = Contest { agents: all.agents[..1].to_vec(), ..all };
    assert!(play(&alone, &|_| {}).iter().all(|game| game.slot.seats == [0, 0]));
    let nobody = Contest { roles: roles(&["zplayer"]), ..fixed };
    assert_eq!(error(nobody), "the game has no role `zplayer`");
}
