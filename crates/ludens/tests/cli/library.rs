//! `games`, `show`, `dump`, `perft`, `completions`, and properties of all commands.

use crate::common::{Folder, TINY, command, ludens, ludens_with};

#[test]
fn games_lists_and_filters() {
    let all = ludens(&["games"]);
    assert_eq!(all.code, 0);
    assert!(all.out.starts_with("NAME"));
    let tictactoe = all.out.lines().find(|line| line.starts_with("tictactoe ")).unwrap();
    assert!(tictactoe.contains("Tic-tac-toe") && tictactoe.contains("two-player"));

    let four = ludens(&["games", "--json", "--tag", "paper", "--players", "2"]).json();
    assert!(four.iter().all(|game| game["schema"] == "ludens/games/1" && game["players"] == 2));
    let hex = ludens(&["games", "--json"]).json().into_iter().find(|game| game["name"] == "hex");
    assert_eq!(hex.unwrap()["parameters"][0]["name"], "size");

    assert_eq!(ludens(&["games", "--players", "63"]).out, "no game of the library matches\n");
    insta::assert_snapshot!(ludens(&["games", "--tag", "papre"]).all());
}

#[test]
fn show_prints_the_properties_of_a_game() {
    // The size of the network and the times of loading vary.
    let mut run = ludens(&["show", "tictactoe", "--playouts", "200"]);
    let varies = |line: &&str| !line.starts_with("network ") && !line.starts_with("loading ");
    run.out = run.out.lines().filter(varies).flat_map(|line| [line, "\n"]).collect();
    insta::assert_snapshot!(run.all());
    let shown = ludens(&["show", "tictactoe", "--playouts", "50", "--json"]).json().remove(0);
    assert_eq!(shown["schema"], "ludens/show/1");
    assert_eq!(shown["roles"], serde_json::json!(["xplayer", "oplayer"]));
    assert_eq!(shown["simultaneous"], false);
    assert_eq!(shown["length"]["max"], 9);
}

#[test]
fn show_prints_rules_with_parameters() {
    let run = ludens(&["show", "hex(size=4)", "--rules"]);
    assert!(run.out.contains("\n(size 4)") && run.out.starts_with(";;; title: Hex"));
}

#[test]
fn show_tells_what_the_rules_show_without_play() {
    let text = ludens(&["show", "tictactoe", "--knowledge"]).out;
    assert!(text.contains("15 besides the identity, 8 of them exchange roles"), "{text}");
    assert!(text.contains("moves that win at once are recognised"), "{text}");
    let sudoku = ludens(&["show", "sudoku", "--knowledge", "--json"]).json().remove(0);
    assert_eq!(sudoku["schema"], "ludens/knowledge/1");
    assert_eq!(sudoku["dead_ends"], true);
    assert!(sudoku["needed"].as_u64().is_some_and(|n| (1..=9).contains(&n)), "{sudoku}");
    let hanoi = ludens(&["show", "hanoi", "--knowledge", "--json"]).json().remove(0);
    assert!(!hanoi["counters"].as_array().unwrap().is_empty(), "{hanoi}");
    let refused = ludens(&["show", "hanoi", "--knowledge", "--reasoner", "logic"]);
    assert!(
        refused.code == 2 && refused.err.contains("the rules are not grounded"),
        "{}",
        refused.all()
    );
}

#[test]
fn dump_prints_stages() {
    let folder = Folder::new();
    let file = folder.file("t.kif", "(role You) (<= (p ?x) (or (q ?x) (r ?x)))");
    insta::assert_snapshot!(ludens(&["dump", &file, "--stage", "rules"]).all());
    insta::assert_snapshot!(ludens(&["dump", &file, "--stage", "tree"]).all());
    let json = ludens(&["dump", &file, "--stage", "rules", "--json"]).json();
    assert_eq!((json.len(), &json[0]["text"]), (3, &serde_json::json!("(role you)")));
    let broken = ludens_with(&["dump", "-", "--stage", "rules"], b"(role you");
    assert_eq!(broken.code, 1);
    assert!(broken.err.contains("<stdin>:1:1") && broken.err.contains("E0004"));
}

#[test]
fn dump_draws_layers_and_refuses_their_options_elsewhere() {
    let folder = Folder::new();
    let picture = folder.path("layers.svg").display().to_string();
    let layers = ["dump", "tictactoe", "--stage", "layers", "--svg", &picture];
    assert_eq!(ludens(&layers).code, 0);
    assert!(std::fs::read_to_string(&picture).unwrap().starts_with("<svg"));
    for option in [["--network", "gaz"], ["--svg", &picture]] {
        let run = ludens(&[&["dump", "tictactoe", "--stage", "net"][..], &option].concat());
        let message = format!("the stage `net` has no `{}`", option[0]);
        assert!(run.code == 2 && run.err.contains(&message), "{}", run.err);
        assert!(run.err.contains("hint: `--stage layers`") && run.out.is_empty(), "{}", run.err);
    }
}

#[test]
fn perft_counts_tictactoe() {
    let run = ludens(&["perft", "tictactoe", "--depth", "9"]);
    let (table, total) = run.out.trim_end().rsplit_once('\n').unwrap();
    insta::assert_snapshot!(table);
    assert!(total.starts_with("255168 games, 5478 states, "), "{total}");
}

#[test]
fn perft_reports_insufficient_memory() {
    let run = ludens(&["perft", "tictactoe", "--depth", "6", "--memory", "1"]);
    assert!(run.out.contains("states did not fit into memory"));
    let run = ludens(&["perft", "tictactoe", "--depth", "6", "--memory", "1", "--json"]).json();
    let depth = |depth: usize| &run[depth];
    assert_eq!(depth(6)["paths"], 54720);
    assert_eq!(depth(6)["payoffs"], serde_json::json!([0, 532_800]));
    assert!(depth(6)["states"].is_null() && depth(0)["states"] == 1);
    assert_eq!((&run[7]["kind"], &run[7]["games"]), (&"total".into(), &6768.into()));
}

#[test]
fn perft_reads_rules_from_the_input() {
    let run = ludens_with(&["perft", "-", "-d", "5", "--json"], TINY.as_bytes()).json();
    assert_eq!(run.last().unwrap()["games"], 2);
    assert_ne!(run.last().unwrap()["reasoner"], "logic", "rules are grounded if possible");
    let args = ["perft", "-", "-d", "5", "--json", "--reasoner", "logic"];
    let slow = ludens_with(&args, TINY.as_bytes()).json();
    assert_eq!(slow.last().unwrap()["reasoner"], "logic");
    assert_eq!(run[..run.len() - 1], slow[..slow.len() - 1], "reasoners agree");
}

#[test]
fn mistakes_are_answered_with_a_hint() {
    insta::assert_snapshot!(ludens(&["perft", "tictacto", "-d", "1"]).all());
    insta::assert_snapshot!(ludens(&["perft", "hex(size=99)", "-d", "1"]).all());
    assert_eq!(ludens(&["perft", "tictactoe", "-d", "1", "--reasoner", "magic"]).code, 2);
    assert_eq!(ludens(&["paly", "tictactoe"]).code, 2);
    assert_eq!(ludens(&["perft", "tictactoe", "-d", "1", "--memory", "5x"]).code, 2);
}

#[test]
fn every_command_has_help_with_examples() {
    let help = ludens(&["--help"]).out;
    for verb in [
        "games",
        "agents",
        "show",
        "play",
        "player",
        "host",
        "learn",
        "analyze",
        "match",
        "tournament",
        "results",
        "reproduce",
        "check",
        "fmt",
        "perft",
        "reason",
        "replay",
        "dump",
        "bench",
        "completions",
    ] {
        assert!(help.contains(&format!("  {verb} ")), "{verb}");
        let run = ludens(&[verb, "--help"]);
        assert!(run.code == 0 && run.out.contains("Examples:\n  "), "{verb}");
    }
}

#[test]
fn completions_are_generated_for_shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = ludens(&["completions", shell]);
        assert!(run.code == 0 && run.out.contains("perft"), "{shell}");
    }
}

#[test]
fn colours_are_only_for_terminals_or_on_request() {
    let plain = ludens(&["show", "tictactoe", "--playouts", "1"]);
    assert!(!plain.out.contains('\x1b'));
    let requested = ludens(&["show", "tictactoe", "--playouts", "1", "--color", "always"]);
    assert!(requested.out.contains("\x1b[1m"));
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    for args in [&["games"][..], &["show", "chess", "--rules"], &["completions", "bash"]] {
        let mut child = command(args).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && err.is_empty(), "{args:?}: {err}");
    }
}
