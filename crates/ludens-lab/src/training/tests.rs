//! Training of small and odd games.

use ludens_catalog::{ReasonerKind, load_agent, load_game};

use super::*;

fn learning() -> Learning {
    let mut learning =
        Learning { n_groups: 2, games_per_group: 8, rounds: 4, ..Learning::default() };
    (learning.training.batch, learning.trunk) = (64, vec![32, 16]);
    learning
}

fn load(name: &str) -> LoadedGame {
    load_game(name, ReasonerKind::Mixed, &Budget::unlimited()).unwrap()
}

fn train(folder: &Path, learning: Learning, n: u64) -> anyhow::Result<Trained> {
    let (until, stop) = (Until::Iterations(n), &Stop::new());
    Training { method: Method::SelfPlay(learning), until, folder, stop }
        .run(&load("tictactoe"), &mut |_| {})
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
    let training = Training {
        method: Method::SelfPlay(learning()),
        until: Until::Iterations(n),
        folder: &whole,
        stop: &stop,
    };
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
    let training = Training {
        method: Method::SelfPlay(learning()),
        until: Until::Iterations(1),
        folder: folder.path(),
        stop: &stop,
    };
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
        let (until, stop) = (Until::Iterations(5), &Stop::new());
        let method = Method::SelfPlay(learning);
        let training = Training { method, until, folder: &folder, stop };
        let trained = training.run(&game, &mut |_| {}).unwrap();
        assert!(trained.metrics.games > 0, "{name}: {:?}", trained.metrics);
        let agent = load_agent(&format!("zero(file={})", trained.file.display())).unwrap();
        agent.check_game(&game.game).unwrap();
    }
}
