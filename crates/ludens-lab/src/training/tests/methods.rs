//! The methods of the papers, with their files.

use ludens_learn::{Gating, Method};

use super::*;

/// A method with few games, a small network and short searches.
fn small(method: Method) -> Learning {
    let mut learning = method.settings();
    (learning.n_groups, learning.games_per_group) = (1, 4);
    learning.self_play.simulations = 8;
    learning.architecture = "ggpzero(depth=2)".parse().unwrap();
    if let Schedule::Gated(gating) = &mut learning.schedule {
        *gating = Gating { n_games: 4, ..*gating };
    }
    learning
}

/// The checkpoint is copied away as if the process had been killed later. Whether and when others are made
/// does not matter.
#[test]
fn an_interrupted_training_by_any_method_ends_with_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let game = load("tictactoe");
    for method in [Method::GgpZero, Method::Gaz] {
        let folder = |kind: &str| folder.path().join(format!("{method}-{kind}"));
        let (whole, killed) = (folder("whole"), folder("killed"));
        std::fs::create_dir(&killed).unwrap();
        let mut learner = new_learner(&game.game, small(method)).unwrap();
        for i in 0..3 {
            learner.iterate(f64::from(i) / 5.0, &Budget::unlimited());
        }
        let checkpoint = killed.join(CHECKPOINT_FILE);
        std::fs::write(&checkpoint, learner.checkpoint().unwrap()).unwrap();
        let [resumed, whole] = [killed, whole].map(|folder| {
            let trained = train(&folder, small(method), 5).unwrap();
            assert_eq!(trained.metrics.games, 20, "{method}");
            assert_eq!(trained.metrics.gate.is_some(), method == Method::GgpZero, "{method}");
            NetworkFile::read(&trained.file).unwrap()
        });
        assert!(!checkpoint.exists(), "nothing is left to continue");
        assert_eq!(resumed, whole, "{method}");
        let expected = format!("method {method}, network ggpzero(depth=2), 8 simulations, result ");
        assert!(whole.header.training.starts_with(&expected), "{}", whole.header.training);
    }
}
