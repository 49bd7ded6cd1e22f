//! Training of small and odd games.

mod methods;

use ludens_arena::journal::Journal;
use ludens_arena::record::Ending;
use ludens_catalog::{ReasonerKind, load_agent, load_game};
use ludens_learn::{Architecture, Schedule};

use super::*;

fn learning() -> Learning {
    let (schedule, architecture) = (Schedule::Rounds(4), Architecture::Compact(vec![32, 16]));
    let mut learning =
        Learning { n_groups: 2, games_per_group: 8, schedule, architecture, ..Learning::default() };
    learning.training.batch = 64;
    learning
}

fn load(name: &str) -> LoadedGame {
    load_game(name, ReasonerKind::Mixed, &Budget::unlimited()).unwrap()
}

/// A training without tests and matches.
pub(super) fn plain<'a>(
    learning: Learning,
    n: u64,
    folder: &'a Path,
    stop: &'a Stop,
) -> Training<'a> {
    let (until, self_test, evaluation) = (Until::Iterations(n), false, Evaluation::OFF);
    Training {
        learning,
        until,
        folder,
        self_test,
        evaluation,
        trial: false,
        keep: &[],
        keep_checkpoint: false,
        journal: None,
        stop,
    }
}

fn train(folder: &Path, learning: Learning, n: u64) -> anyhow::Result<Trained> {
    plain(learning, n, folder, &Stop::new()).run(&load("tictactoe"), &mut |_| {})
}

#[test]
fn the_same_seed_gives_the_same_network_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|n_threads| {
        let folder = folder.path().join(n_threads.to_string());
        let trained = train(&folder, Learning { n_threads, ..learning() }, 8).unwrap();
        assert!(trained.metrics.games > 0 && trained.metrics.steps > 0, "{trained:?}");
        NetworkFile::read(&trained.file).unwrap()
    });
    assert_eq!(one, two);
    assert_eq!(one.header.game, "tictactoe");
}

/// The checkpoint is copied away as if the process had been killed later.
#[test]
fn an_interrupted_training_ends_with_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let n = CHECKPOINT_ITERATIONS + 10;
    std::fs::create_dir(&killed).unwrap();
    let stop = Stop::new();
    let training = plain(learning(), n, &whole, &stop);
    let checkpoint = |folder: &Path| folder.join(CHECKPOINT_FILE);
    let game = load("tictactoe");
    let mut learner = training.learner(&game).unwrap();
    let progress = |i: u64| i as f64 / n as f64;
    for i in 0..CHECKPOINT_ITERATIONS {
        learner.iterate(progress(i), &Budget::unlimited());
    }
    std::fs::write(checkpoint(&killed), learner.checkpoint().unwrap()).unwrap();
    drop(learner);
    let resumed = train(&killed, learning(), n).unwrap();
    let uninterrupted = train(&whole, learning(), n).unwrap();
    assert_eq!(resumed.metrics.games, uninterrupted.metrics.games);
    let [resumed, whole] =
        [resumed, uninterrupted].map(|trained| NetworkFile::read(&trained.file).unwrap());
    assert_eq!(resumed, whole);
    assert!(!checkpoint(&killed).exists(), "nothing is left to continue");
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Stop::new();
    let training = plain(learning(), 1, folder.path(), &stop);
    let bytes = training.learner(&load("nim")).unwrap().checkpoint().unwrap();
    for (bytes, why) in [(&bytes[..], "another network"), (&bytes[..bytes.len() - 2], "damaged")] {
        std::fs::write(folder.path().join(CHECKPOINT_FILE), bytes).unwrap();
        let error = train(folder.path(), learning(), 1).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_network_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    train(folder.path(), learning(), 1).unwrap();
    let error = train(folder.path(), learning(), 1).unwrap_err().to_string();
    assert!(error.contains("already exists"), "{error}");
}

/// Games at the limits of the language.
fn odd_games() -> Vec<(&'static str, String)> {
    let numbers = |n: usize| (1..=n).map(|i| format!("(num {i})")).collect::<Vec<_>>().join(" ");
    let roles: Vec<_> = (1..=64).map(|i| format!("(role r{i})")).collect();
    let roles = roles.join(" ");
    let once = "(init start) (<= (next done) (true start)) (<= terminal (true done))";
    let forever = "(role you) (init p) (<= (next p) (true p)) (<= terminal (true never))
        (goal you 0) (<= (next never) (true never))";
    let many = format!(
        "(role you) {} {once} (<= (legal you (take ?n)) (num ?n))
        (<= (goal you 100) (true done)) (<= (goal you 0) (not (true done)))",
        numbers(20_000)
    );
    let crowd = format!(
        "{roles} {once} (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r)) (<= (goal ?r 50) (role ?r))"
    );
    vec![
        ("one legal move for ever", format!("{forever} (legal you wait)")),
        ("no end", format!("{forever} (legal you wait) (legal you stay)")),
        ("64 roles", crowd),
        ("20,000 moves", many),
    ]
}

#[test]
fn odd_games_are_trained_too() {
    let folder = tempfile::tempdir().unwrap();
    for (i, (name, text)) in odd_games().into_iter().enumerate() {
        let rules = folder.path().join(format!("{i}.kif"));
        std::fs::write(&rules, text).unwrap();
        let game = load(rules.to_str().unwrap());
        let mut learning = learning();
        learning.self_play.max_plies = 12;
        let folder = folder.path().join(i.to_string());
        let stop = Stop::new();
        let training = Training { self_test: true, ..plain(learning, 5, &folder, &stop) };
        let trained = training.run(&game, &mut |_| {}).unwrap();
        assert!(trained.metrics.games > 0, "{name}: {:?}", trained.metrics);
        let ends = !["one legal move for ever", "no end"].contains(&name);
        assert!(ends || trained.metrics.playouts <= 0.0, "playouts that do not end say nothing");
        let agent = load_agent(&format!("zero(file={})", trained.file.display())).unwrap();
        agent.check_game(&game.game).unwrap();
    }
}

#[test]
fn measuring_strength_does_not_change_what_is_learnt() {
    let (folder, game, stop) = (tempfile::tempdir().unwrap(), load("tictactoe"), Stop::new());
    let (quiet, measured) = (folder.path().join("quiet"), folder.path().join("measured"));
    let quiet = plain(learning(), 16, &quiet, &stop).run(&game, &mut |_| {}).unwrap();
    let evaluation = Evaluation::of_games(2);
    let training = Training {
        evaluation,
        self_test: true,
        trial: true,
        ..plain(learning(), 16, &measured, &stop)
    };
    let mut n_shown = 0;
    let trained = training.run(&game, &mut |metrics| n_shown += metrics.strength.len()).unwrap();
    let [without, mut with] =
        [&quiet, &trained].map(|trained| NetworkFile::read(&trained.file).unwrap());
    // Trial games are in the file, and nothing else is different.
    assert!(with.header.trials.network.is_some_and(|trial| trial.games > 0));
    assert_eq!(std::mem::take(&mut with.header.trials), trained.trials);
    assert_eq!(with, without);
    let games: Vec<_> = trained.measured.iter().map(|measured| measured.strength.len()).collect();
    assert_eq!((games, quiet.measured.len()), (vec![3; 4], 0));
    assert_eq!((n_shown, trained.metrics.strength.len()), (9, 3), "the last are in the result");
    assert_eq!(trained.measured[3].strength, trained.metrics.strength);
    let lines = std::fs::read_to_string(measured.join(METRICS_FILE)).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let with_strength = lines.iter().filter(|line| line["strength"].is_array()).count();
    assert_eq!(with_strength, 4, "{lines:?}");
    assert_eq!(lines[0]["strength"][1]["opponent"], "uct");
    let files = std::fs::read_dir(&measured).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("events.out.tfevents.")).count(), 1);
}

#[test]
fn new_networks_pass_the_self_test() {
    let (folder, stop) = (tempfile::tempdir().unwrap(), Stop::new());
    for name in ["tictactoe", "nim", "rockpaperscissors", "eight_puzzle", "pacman3p_6x6", "babel"] {
        let game = load(name);
        let training = plain(Learning::default(), 1, folder.path(), &stop);
        let learner = training.learner(&game).unwrap();
        let tested =
            training.test(&game, &*learner).unwrap_or_else(|why| panic!("{name}: {why:#}"));
        assert!(!tested.cut && tested.n_positions > 0, "{name}: {tested:?}");
    }
}

/// A record of tic-tac-toe has more than these bytes: ten facts, some moves and their probabilities.
const MIN_RECORD: usize = 30;

#[test]
fn memory_stays_within_its_bound() {
    let (mut learning, bytes) = (learning(), 4 << 20);
    limit_memory(&mut learning, bytes).unwrap();
    let replay_bytes = learning.replay_bytes;
    (learning.schedule, learning.training.ratio) = (Schedule::Rounds(400), 0.01);
    let (folder, stop) = (tempfile::tempdir().unwrap(), Stop::new());
    let training = plain(learning, 1, folder.path(), &stop);
    let mut learner = training.learner(&load("tictactoe")).unwrap();
    while learner.state().n_made as usize * MIN_RECORD < 2 * replay_bytes {
        learner.iterate(0.0, &Budget::unlimited());
        assert!(learner.bytes() <= bytes, "{}", learner.bytes());
    }
    assert!(learner.bytes() > replay_bytes / 2, "the buffer is full: {}", learner.bytes());
}

#[test]
fn too_little_memory_is_refused_with_the_least() {
    let mut learning = Learning::default();
    let error = limit_memory(&mut learning, 1 << 20).unwrap_err();
    assert!(error.to_string().contains("1 MiB are too little for 128 games"), "{error}");
    assert_eq!(error.hint(), "give at least 32 MiB");
    assert_eq!(limit_memory(&mut learning, 32 << 20), Ok(()));
    assert_eq!(learning.self_play.tree_bytes, 64 << 10);
}

#[test]
fn games_of_self_play_are_recorded() {
    let (folder, stop, game) = (tempfile::tempdir().unwrap(), Stop::new(), load("tictactoe"));
    let (path, out) = (folder.path().join("games.journal"), folder.path().join("out"));
    let training = Training { journal: Some(&path), ..plain(learning(), 40, &out, &stop) };
    training.run(&game, &mut |_| {}).unwrap();
    let journal = Journal::open_existing(&path).unwrap();
    let name = &journal.summaries().unwrap()[0].name;
    assert!(name.starts_with("out/tictactoe-"), "{name}");
    let games = journal.find(name).unwrap().unwrap().games().unwrap();
    assert_eq!(games.len(), 4);
    let reasoner = game.game.reasoner();
    for game in games {
        let mut state = reasoner.initial().unwrap();
        for joint in &game.moves {
            state = reasoner.next(&state, joint).unwrap();
        }
        let is_terminal = reasoner.answer(&state).unwrap().terminal;
        assert_eq!(game.ending == Ending::Terminal, is_terminal, "{game:?}");
        assert!(!game.moves.is_empty());
    }
}

/// Times that are over after the first iteration, at the end of the training, and never.
#[test]
fn copies_are_kept_after_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let (out, stop) = (folder.path().join("out"), Stop::new());
    let keep = [Duration::from_nanos(1), Duration::from_hours(1)];
    let training = Training { keep: &keep, ..plain(learning(), 8, &out, &stop) };
    let trained = training.run(&load("tictactoe"), &mut |_| {}).unwrap();
    let [first, never] = keep.map(|time| copy_file(&out, time));
    let (first, last) =
        (NetworkFile::read(&first).unwrap(), NetworkFile::read(&trained.file).unwrap());
    assert!(first != last && !never.exists());
}

/// Writing files takes time that is not measured as training: the clock runs out before it is reached.
#[test]
fn a_training_that_ends_by_the_clock_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let (out, total, stop) = (folder.path().join("out"), Duration::from_millis(300), Stop::new());
    let early: Vec<Duration> = (1..40).map(Duration::from_millis).collect();
    let (keep, until) = ([&early[..], &[total]].concat(), Until::Time(total));
    let training = Training { keep: &keep, until, ..plain(learning(), 8, &out, &stop) };
    let trained = training.run(&load("tictactoe"), &mut |_| {}).unwrap();
    let copy = NetworkFile::read(&copy_file(&out, total)).unwrap();
    assert_eq!(copy, NetworkFile::read(&trained.file).unwrap());
    assert!(!out.join(CHECKPOINT_FILE).exists());
}
