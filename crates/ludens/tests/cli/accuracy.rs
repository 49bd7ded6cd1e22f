//! `ludens accuracy`, and the copies of `ludens train --keep` that it measures.

use crate::common::{Folder, ludens};

#[test]
fn agents_are_measured_on_positions_that_are_kept() {
    let folder = Folder::new();
    let file = folder.path("positions.jsonl").display().to_string();
    let base = ["accuracy", "tictactoe", "--agents", "solver", "random", "--iterations", "100000"];
    let drawn = ["--positions", "30", "--plies", "1-5", "--save", &file];
    let run = ludens(&[&base[..], &drawn].concat());
    assert_eq!(run.code, 0, "{}", run.all());
    for text in ["AGENT", "solver", "100.0 %", "30 positions after 1 to 5", "0 unsolved within"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    let loaded = ludens(&[&base[..], &["--load", &file]].concat());
    assert_eq!(loaded.out, run.out, "the same positions and the same moves");
    let record = &ludens(&[&base[..], &["--load", &file, "--json"]].concat()).json()[0];
    assert_eq!(record["schema"], "ludens/accuracy/1");
    assert_eq!(
        (&record["positions"], &record["agents"][0]["all"]["kept"]),
        (&30.into(), &30.into())
    );
    let foreign =
        ludens(&["accuracy", "nim", "--agents", "random", "--time", "1s", "--load", &file]);
    assert_eq!(foreign.code, 2);
    assert!(foreign.err.contains("positions of `tictactoe`"), "{}", foreign.err);
}

#[test]
fn copies_of_a_network_are_measured() {
    let folder = Folder::new();
    let out = folder.path("net").display().to_string();
    let train = ["train", "tictactoe", "--out", &out, "--iterations", "4", "--evaluate", "0"];
    let run = ludens(&[&train[..], &["--keep", "1ms", "--no-self-test"]].concat());
    assert_eq!(run.code, 0, "{}", run.all());
    let agent = format!("nn(file={out}/network-1ms.safetensors)");
    let measure = ["accuracy", "tictactoe", "--agents", &agent, "--iterations", "1"];
    let run = ludens(&[&measure[..], &["--positions", "10", "--plies", "1-4"]].concat());
    assert_eq!(run.code, 0, "{}", run.all());
    let late = ["train", "tictactoe", "--out", &out, "--minutes", "1", "--keep", "30s,2m"];
    let run = ludens(&late);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a copy after 2m is later than the end"), "{}", run.err);
}
