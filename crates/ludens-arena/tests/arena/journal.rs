//! Recorded games survive a crash of the program, and none counts twice.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Heap, Nim, flat_and_random, names, runner, scheduler, slots, terms};
use ludens_arena::clock::SystemClock;
use ludens_arena::journal::{Journal, JournalError};
use ludens_arena::play::{AgentMaker, Terms, play_game};
use ludens_arena::record::GameRecord;
use ludens_arena::runner::Observer;
use ludens_arena::schedule::Slot;
use ludens_arena::standing::Scoreboard;
use ludens_core::Budget;
use ludens_search::{Agent, Report, Watch};
use serde_json::json;

const GAMES: usize = 40;
const STONES: u32 = 15;

fn schedule() -> Vec<Slot> {
    slots(2, 2, GAMES)
}

/// Plays the missing games of the experiment.
fn play(journal: &Journal, observer: &mut dyn Observer) -> usize {
    play_with(journal, &flat_and_random(&Nim::new(2, STONES)), observer)
}

fn play_with(
    journal: &Journal,
    agents: &AgentMaker<'_, Nim>,
    observer: &mut dyn Observer,
) -> usize {
    let (game, names, slots, terms) = (Nim::new(2, STONES), names(2), schedule(), terms(20));
    let mut experiment = journal.experiment("nim", &json!({"games": GAMES})).unwrap();
    let runner = runner(&game, &terms, agents);
    runner.run(&scheduler(&names, &slots), &mut experiment, observer).unwrap().played
}

/// The games of an uninterrupted run.
fn undisturbed() -> Vec<GameRecord> {
    let journal = Journal::in_memory().unwrap();
    play(&journal, &mut ());
    recorded(&journal)
}

fn recorded(journal: &Journal) -> Vec<GameRecord> {
    let games = journal.find("nim").unwrap().unwrap().games().unwrap();
    games.into_iter().map(GameRecord::without_times).collect()
}

/// The journal of the child process; not set in other runs of this program.
const CHILD: &str = "LUDENS_ARENA_TEST_CHILD";

/// Prints every game.
struct Printing;

impl Observer for Printing {
    fn game_ended(&mut self, game: &GameRecord, _board: &Scoreboard) {
        println!("game {}", game.slot.index);
    }
}

/// An agent that blocks forever when it begins one game too many.
struct Waiting(usize, Box<dyn Agent<Nim>>);

impl Agent<Nim> for Waiting {
    fn think(&mut self, state: &Heap, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.1.think(state, budget, watch)
    }

    fn begin(&mut self, seed: u64) {
        if self.0 == 0 {
            // The parent never writes.
            let _ = std::io::stdin().read(&mut [0]);
        }
        self.0 -= 1;
        self.1.begin(seed);
    }
}

/// The child process; does nothing in other processes.
#[test]
fn child_that_is_killed() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let agents = flat_and_random(&Nim::new(2, STONES));
    let waiting = |number| -> Box<dyn Agent<Nim>> { Box::new(Waiting(13, agents(number))) };
    play_with(&Journal::open(Path::new(&path)).unwrap(), &waiting, &mut Printing);
}

#[test]
fn a_killed_run_loses_and_duplicates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    for already in [0, 13] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "journal::child_that_is_killed", "--nocapture"])
            .env(CHILD, &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let printed = lines.map(Result::unwrap).filter(|line| line.contains("game ")).take(13);
        assert_eq!(printed.count(), 13);
        child.kill().unwrap();
        child.wait().unwrap();
        let journal = Journal::open_existing(&path).unwrap();
        let done = journal.find("nim").unwrap().unwrap().done_slots().unwrap();
        assert_eq!(done, (0..already + 13).collect::<Vec<_>>(), "every printed game is recorded");
    }
    let journal = Journal::open(&path).unwrap();
    assert_eq!(play(&journal, &mut ()), GAMES - 26);
    assert_eq!(recorded(&journal), undisturbed());
    assert_eq!(play(&journal, &mut ()), 0);
}

#[test]
fn a_game_is_written_once_and_read_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let games = undisturbed();
    let journal = Journal::open(&path).unwrap();
    let experiment = journal.experiment("nim", &json!({})).unwrap();
    assert_eq!(experiment.record(&games[3..5]).unwrap(), [true, true]);
    let mut changed = games[4].clone();
    changed.payoffs = vec![0.25, 0.75];
    assert_eq!(experiment.record(&[changed, games[0].clone()]).unwrap(), [false, true]);
    // Another experiment has its own games.
    let other = journal.experiment("other", &json!({})).unwrap();
    assert_eq!(other.record(&games[4..5]).unwrap(), [true]);
    drop(journal);
    let journal = Journal::open_existing(&path).unwrap();
    let experiment = journal.find("nim").unwrap().unwrap();
    assert_eq!(experiment.done_slots().unwrap(), [0, 3, 4]);
    assert_eq!(experiment.games().unwrap(), [games[0].clone(), games[3].clone(), games[4].clone()]);
    let summaries = journal.summaries().unwrap();
    let games: Vec<_> = summaries.iter().map(|s| (s.name.as_str(), s.games)).collect();
    assert_eq!(games, [("nim", 3), ("other", 1)]);
    assert!(summaries[0].last_game_at.as_ref().is_some_and(|at| at.ends_with('Z')));
}

#[test]
fn plies_survive_the_journal_and_earlier_journals_have_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let mut games = undisturbed();
    games.truncate(2);
    games[0].efforts[1].by_ply = vec![(1, 20), (3, 9)];
    let journal = Journal::open(&path).unwrap();
    journal.experiment("nim", &json!({})).unwrap().record(&games).unwrap();
    assert_eq!(journal.find("nim").unwrap().unwrap().games().unwrap(), games);
    let select = "SELECT efforts FROM games ORDER BY slot";
    let connection = rusqlite::Connection::open(&path).unwrap();
    let mut statement = connection.prepare(select).unwrap();
    let texts = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let has_plies: Vec<_> = texts.map(|text| text.unwrap().contains("by_ply")).collect();
    assert_eq!(has_plies, [true, false], "without plies, games are written as they always were");
}

/// Games with reports of flat Monte Carlo on every decision.
fn games_with_decisions() -> Vec<GameRecord> {
    let game = Nim::new(2, STONES);
    let (make, terms) = (flat_and_random(&game), Terms { keep_decisions: true, ..terms(20) });
    let play = |slot: &Slot| play_game(&game, slot, &terms, &make, &SystemClock);
    schedule()[..4].iter().map(play).collect()
}

#[test]
fn decisions_are_kept_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let games = games_with_decisions();
    assert!(games.iter().all(|game| game.decisions.len() > 2));
    let journal = Journal::open(&path).unwrap();
    let plain = journal.experiment("plain", &json!({})).unwrap();
    plain.record(&games).unwrap();
    assert_eq!(plain.decisions(0).unwrap(), []);
    let mut training = journal.experiment("training", &json!({})).unwrap();
    training.record(&games[..1]).unwrap();
    training.keep_decisions().unwrap();
    assert_eq!(training.record(&games).unwrap(), [false, true, true, true]);
    drop(journal);
    let journal = Journal::open_existing(&path).unwrap();
    let training = journal.find("training").unwrap().unwrap();
    for (slot, game) in games.iter().enumerate() {
        let kept = if slot == 0 { Vec::new() } else { game.decisions.clone() };
        assert_eq!(training.decisions(slot).unwrap(), kept);
    }
    assert_eq!(training.decisions(99).unwrap(), []);
    assert_eq!(journal.find("plain").unwrap().unwrap().decisions(1).unwrap(), []);
    // Standings need no decisions, and do not read them.
    assert!(training.games().unwrap().iter().all(|game| game.decisions.is_empty()));
}

#[test]
fn kept_decisions_are_compact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let games = games_with_decisions();
    let journal = Journal::open(&path).unwrap();
    let mut experiment = journal.experiment("nim", &json!({})).unwrap();
    experiment.keep_decisions().unwrap();
    experiment.record(&games).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    let sum = "SELECT sum(length(body)) FROM decisions";
    let stored: usize = other.query_row(sum, [], |row| row.get(0)).unwrap();
    let plain = |game: &GameRecord| serde_json::to_string(&game.decisions).unwrap().len();
    let plain: usize = games.iter().map(plain).sum();
    assert!(2 * stored < plain, "{stored} of {plain} bytes");
    other.execute_batch("UPDATE decisions SET body = replace(body, '[[0,', '[[9,')").unwrap();
    let error = experiment.decisions(0).unwrap_err().to_string();
    assert_eq!(error, "the journal is damaged: decisions: a move without a name");
}

/// Journals of the first release have no table of decisions.
#[test]
fn a_journal_without_decisions_is_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let tables = || -> Vec<String> {
        let other = rusqlite::Connection::open(&path).unwrap();
        let select = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
        let mut statement = other.prepare(select).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let journal = Journal::open(&path).unwrap();
    let experiment = journal.experiment("nim", &json!({})).unwrap();
    experiment.record(&games_with_decisions()).unwrap();
    assert_eq!(experiment.decisions(0).unwrap(), []);
    assert_eq!(tables(), ["experiments", "games"]);
    // Once there is one, it opens as before.
    journal.experiment("nim", &json!({})).unwrap().keep_decisions().unwrap();
    drop(journal);
    assert_eq!(tables(), ["decisions", "experiments", "games"]);
    assert_eq!(Journal::open_existing(&path).unwrap().summaries().unwrap()[0].games, 4);
}

#[test]
fn the_end_of_every_game_is_known() {
    let now = || {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.unwrap().as_millis() as u64
    };
    let (journal, before) = (Journal::in_memory().unwrap(), now());
    play(&journal, &mut ());
    let times = journal.find("nim").unwrap().unwrap().finish_times().unwrap();
    assert_eq!(times.keys().copied().collect::<Vec<_>>(), (0..GAMES).collect::<Vec<_>>());
    // The database rounds to milliseconds.
    let range = before - 1..=now() + 1;
    assert!(times.values().all(|time| range.contains(time)), "{range:?}: {times:?}");
}

#[test]
fn two_writers_share_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let games = undisturbed();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let journal = Journal::open(&path).unwrap();
                let experiment = journal.experiment("nim", &json!({})).unwrap();
                for game in &games {
                    experiment.record(std::slice::from_ref(game)).unwrap();
                }
            });
        }
    });
    assert_eq!(recorded(&Journal::open(&path).unwrap()), games);
}

/// After the first game of this run, records other games for the rest of the schedule.
struct Rival<'a> {
    journal: &'a Journal,
    games: Vec<GameRecord>,
    observed: Vec<GameRecord>,
}

impl Observer for Rival<'_> {
    fn game_ended(&mut self, game: &GameRecord, _board: &Scoreboard) {
        let experiment = self.journal.find("nim").unwrap().unwrap();
        experiment.record(&std::mem::take(&mut self.games)).unwrap();
        self.observed.push(game.clone());
    }
}

#[test]
fn games_recorded_by_another_program_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let (journal, other) = (Journal::open(&path).unwrap(), Journal::open(&path).unwrap());
    let mut games = undisturbed();
    for game in &mut games {
        game.payoffs.reverse();
    }
    let mut rival = Rival { journal: &other, games: games.split_off(10), observed: Vec::new() };
    let (game, names, slots, terms) = (Nim::new(2, STONES), names(2), schedule(), terms(20));
    let mut experiment = journal.experiment("nim", &json!({"games": GAMES})).unwrap();
    let report = runner(&game, &terms, &flat_and_random(&game))
        .run(&scheduler(&names, &slots), &mut experiment, &mut rival)
        .unwrap();
    let written = experiment.games().unwrap();
    assert_eq!((written.len(), report.missing), (GAMES, 0));
    rival.observed.sort_by_key(|game| game.slot.index);
    assert_eq!(rival.observed, written);
    assert_eq!(report.board.standing(), Scoreboard::of(&names, &written).standing());
    assert_eq!(report.played, 10);
}

#[test]
fn a_new_journal_can_be_opened_concurrently() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..30 {
        let path = folder.path().join(format!("journal-{round}.db"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| drop(Journal::open(&path).unwrap()));
            }
        });
    }
}

/// The error message of a journal that cannot be opened, and is not changed.
fn refused(path: &Path) -> String {
    let before = std::fs::read(path).unwrap();
    let Err(error) = Journal::open(path) else { panic!("it was opened") };
    assert_eq!(std::fs::read(path).unwrap(), before);
    error.to_string()
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let missing = Journal::open_existing(&file("none.db"));
    assert!(matches!(missing, Err(JournalError::Missing(_))) && !file("none.db").exists());

    std::fs::write(file("text"), "dear diary, ".repeat(100)).unwrap();
    assert!(refused(&file("text")).contains("is not a journal\nhint: "));

    let foreign = rusqlite::Connection::open(file("foreign.db")).unwrap();
    foreign.execute_batch("CREATE TABLE birds (name TEXT)").unwrap();
    drop(foreign);
    assert!(refused(&file("foreign.db")).contains("is not a journal\nhint: "));

    drop(Journal::open(&file("newer.db")).unwrap());
    let newer = rusqlite::Connection::open(file("newer.db")).unwrap();
    newer.execute_batch("PRAGMA user_version = 7").unwrap();
    drop(newer);
    let message = refused(&file("newer.db"));
    assert!(
        message.contains("has version 7, but this program supports versions up to 1\nhint: "),
        "{message}"
    );

    let Err(error) = Journal::open(folder.path()) else { panic!("a folder was opened") };
    assert!(error.to_string().contains("cannot use the journal"), "{error}");
}

/// All pages are overwritten except the first, which identifies the file.
#[test]
fn a_corrupt_file_is_reported_with_its_name_and_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    journal.experiment("nim", &json!({})).unwrap().record(&undisturbed()).unwrap();
    drop(journal);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[4096..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let journal = Journal::open_existing(&path).unwrap();
    let messages = [
        journal.summaries().unwrap_err().to_string(),
        journal.experiment("nim", &json!({})).err().unwrap().to_string(),
    ];
    for message in messages {
        let begin = format!("the journal {} is damaged: ", path.display());
        assert!(message.starts_with(&begin) && message.contains("\nhint: "), "{message}");
    }
}

#[test]
fn damaged_rows_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    let experiment = journal.experiment("nim", &json!({})).unwrap();
    experiment.record(&undisturbed()[..1]).unwrap();
    let hand = rusqlite::Connection::open(&path).unwrap();
    hand.execute_batch("UPDATE games SET moves = '[[3'").unwrap();
    let error = experiment.games().unwrap_err().to_string();
    assert!(error.starts_with("the journal is damaged: moves: "), "{error}");
}

#[test]
fn a_longer_schedule_resumes_a_shorter_one() {
    let (game, names, terms) = (Nim::new(2, 15), names(2), terms(20));
    let make = flat_and_random(&game);
    let mut ledger = BTreeMap::new();
    for (games, expected) in [(7, 7), (12, 5)] {
        let slots = slots(2, 2, games);
        let report =
            runner(&game, &terms, &make).run(&scheduler(&names, &slots), &mut ledger, &mut ());
        assert_eq!(report.unwrap().played, expected);
    }
}
