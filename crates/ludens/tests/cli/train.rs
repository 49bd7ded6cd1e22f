//! `ludens train` and `ludens show --network`.

use crate::common::{Folder, ludens};

#[test]
fn a_network_is_trained_measured_and_shown() {
    let folder = Folder::new();
    let out = folder.path("net").display().to_string();
    let train = ["train", "tictactoe", "--out", &out, "--iterations", "8", "--evaluate", "2"];
    let run = ludens(&[&train[..], &["--threads", "1", "--memory", "64M"]].concat());
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(run.out.contains("AGAINST UCT 1000"), "{}", run.out);
    let measured = run.err.lines().filter(|line| line.contains("· random ")).count();
    assert_eq!(measured, 3, "one line whenever the strength was measured: {}", run.err);
    let network = format!("{out}/network.safetensors");
    let shown = ludens(&["show", "--network", &network, "--playouts", "50"]);
    assert_eq!(shown.code, 0, "{}", shown.all());
    for text in ["Network for tictactoe", "seed 1:", "trunk.0", "Most valued facts", "ESTIMATE"] {
        assert!(shown.out.contains(text), "{text}: {}", shown.out);
    }
    let moves = ["show", "--json", "--network", &network, "--moves", "(mark 2 2)"];
    let record = &ludens(&[&moves[..], &["--playouts", "20"]].concat()).json()[0];
    assert_eq!(record["schema"], "ludens/network/1");
    assert_eq!(record["position"][1]["moves"].as_array().map(Vec::len), Some(8));
    assert_eq!(record["calibration"].as_array().map(Vec::len), Some(10));
    let refused = ludens(&["show", "--network", &network, "nim"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("does not fit nim"), "{}", refused.err);
    assert!(refused.err.contains("trained for tictactoe"), "{}", refused.err);
}

#[test]
fn files_that_are_no_networks_and_wrong_options_are_refused() {
    let folder = Folder::new();
    let run = ludens(&["show", "--network", &folder.file("x.safetensors", "hello")]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("damaged") && run.err.contains("hint"), "{}", run.err);
    assert!(ludens(&["show"]).err.contains("required"));
    let out = folder.path("net").display().to_string();
    let run = ludens(&["train", "tictactoe", "--out", &out, "--memory", "1M", "--threads", "1"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("at least 32 MiB"), "{}", run.err);
}
