//! `check` and `fmt`.

use crate::common::{Folder, TINY, ludens, ludens_with};

#[test]
fn check_shows_every_problem_with_its_place() {
    let folder = Folder::new();
    let file = folder.file("bad.kif", "(role you)\n(<= (legal you go)\n    ())\n(p))\n");
    let run = ludens(&["check", &file]);
    insta::assert_snapshot!(folder.neutral(&run.all()));
    let run = ludens(&["check", "--json", &file]);
    assert_eq!(run.code, 1);
    let records = run.json();
    let empty = records.iter().find(|record| record["code"] == "E0006").unwrap();
    assert_eq!(empty["schema"], "ludens/check/1");
    assert_eq!((&empty["line"], &empty["column"]), (&3.into(), &5.into()));
    assert_eq!((&empty["start"], &empty["end"]), (&34.into(), &35.into()));
    assert_eq!(empty["severity"], "error");
    let summary = records.last().unwrap();
    assert_eq!((&summary["kind"], &summary["file"]), (&"summary".into(), &file.as_str().into()));
}

#[test]
fn check_plays_valid_rules() {
    let folder = Folder::new();
    let file = folder.file("tiny.kif", TINY);
    let run = ludens(&["check", "--json", "--playouts", "20", &file]);
    let summary = run.json().pop().unwrap();
    assert_eq!((run.code, &summary["playouts"], &summary["finished"]), (0, &20.into(), &20.into()));
    let run = ludens(&["check", "--json", "--no-simulate", &file]);
    assert!(run.json().pop().unwrap().get("playouts").is_none());
}

/// The codes that random games give for rules.
fn found(rules: &str) -> Vec<String> {
    let args = ["check", "--json", "--playouts", "30", "--max-depth", "50", "-"];
    let records = ludens_with(&args, rules.as_bytes()).json();
    let findings = records.iter().filter(|record| record["kind"] == "finding");
    findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn check_finds_problems_that_only_play_reveals() {
    let head = "(role you) (init (at 1)) (<= (legal you ?m) (choice ?m)) (choice a) (choice b) ";
    let step = "(<= (next (at 2)) (does you a)) (<= (next (at 3)) (does you b)) ";
    let end = "(<= terminal (true (at 2))) (<= terminal (true (at 3))) ";
    let with = |more: &str| found(&format!("{head}{step}{end}{more}"));
    let none: [&str; 0] = [];
    assert_eq!(with("(goal you 100)"), none);
    assert_eq!(with("(<= (goal you 100) (true (at 2)))"), ["S0002"]);
    assert_eq!(with("(goal you 100) (goal you 50)"), ["S0003"]);
    assert_eq!(with("(goal you 101)"), ["S0004"]);
    assert_eq!(with("(goal you 100) (base (at 1)) (base (at 2))"), ["S0006"]);
    assert_eq!(with("(goal you 100) (input you a)"), ["S0007"]);
    assert_eq!(with("(goal you 100) (input you a) (input you b)"), none);
    assert_eq!(with("(goal you 100) (role me) (legal me noop) (goal me 0)"), ["S0008"]);
    assert_eq!(with("(goal you 100) (role me) (goal me 0)"), ["S0001"]);
    assert_eq!(with("(goal you 100) (<= terminal (true (at 1)))"), ["S0011", "S0008"]);
    let endless =
        format!("{head}(<= (next (at 1)) (does you ?m)) (goal you 1) (<= terminal (true x))");
    assert_eq!(found(&endless), ["S0005", "S0009"]);
}

#[test]
fn check_prints_the_moves_that_lead_to_a_finding() {
    let rules = TINY.replace("(<= (goal you 0) (true (done lose)))\n", "");
    let run = ludens_with(&["check", "--playouts", "9", "-"], rules.as_bytes());
    insta::assert_snapshot!(run.all());
}

#[test]
fn check_explains_codes() {
    insta::assert_snapshot!(ludens(&["check", "--explain", "e0004"]).all());
    assert!(ludens(&["check", "--explain", "S0001"]).out.contains("no legal move"));
    assert_eq!(ludens(&["check", "--explain", "X"]).code, 2);
    assert_eq!(ludens(&["check"]).code, 2);
}

#[test]
fn check_names_unreadable_files_and_continues() {
    let folder = Folder::new();
    let bad = folder.file("bad.kif", "(role you");
    let run = ludens(&["check", "nowhere.kif", "/", &bad, "also/nowhere"]);
    assert_eq!(run.code, 2);
    for path in ["nowhere.kif", "/", "also/nowhere"] {
        assert!(run.err.contains(&format!("cannot read {path}: ")), "{}", run.err);
    }
    assert!(run.out.contains("E0004"));
}

#[test]
fn hostile_texts_are_handled() {
    let deep = "(".repeat(100_000);
    let broad = format!("(role you) (p {})", "x ".repeat(200_000));
    for text in [&b"\xff\xfe(role"[..], b"a\0b", deep.as_bytes(), broad.as_bytes(), b""] {
        let run = ludens_with(&["check", "--no-simulate", "-"], text);
        assert!((0..=1).contains(&run.code) && run.out.len() < 100_000, "{}", run.out.len());
        assert!(ludens_with(&["fmt", "-"], text).code <= 1);
    }
}

#[test]
fn fmt_rewrites_in_place_and_is_idempotent() {
    let folder = Folder::new();
    let file =
        folder.file("messy.kif", "(role   you)  \n\n\n\n(<= (legal you go)\n(true   start))\n");
    let check = ludens(&["fmt", "--check", &file]);
    assert_eq!((check.code, folder.neutral(&check.out)), (1, "would change messy.kif\n".into()));
    let run = ludens(&["fmt", &file]);
    assert_eq!((run.code, folder.neutral(&run.out)), (0, "formatted messy.kif\n".into()));
    let neat = std::fs::read_to_string(&file).unwrap();
    assert!(neat.contains("(role you)\n"), "{neat}");
    let again = ludens(&["fmt", "--check", &file]);
    assert_eq!((again.code, again.out.as_str()), (0, ""));
    assert_eq!(ludens(&["fmt", "--stdout", &file]).out, neat);
    assert_eq!(ludens_with(&["fmt", "-"], b"(role  you)").out, "(role you)\n");
}

#[test]
fn fmt_does_not_change_unreadable_files() {
    let folder = Folder::new();
    let file = folder.file("bad.kif", "(role you\n(init  x)");
    let run = ludens(&["fmt", &file]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("E0004"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "(role you\n(init  x)");
    let run = ludens(&["fmt", "nowhere.kif"]);
    assert!(run.code == 2 && run.err.contains("nowhere.kif"));
}

#[cfg(unix)]
#[test]
fn fmt_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let file = folder.file("real.kif", "(role   you)");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.kif");
    symlink(&file, &link).unwrap();
    assert_eq!(ludens(&["fmt", link.to_str().unwrap()]).code, 0);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "(role you)\n");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn infinite_rules_are_abandoned_and_reported() {
    let rules = "(role you) (init (n z)) (legal you go) (goal you 0) (big z)
        (<= (next (n (s ?x))) (true (n ?x))) (<= (big (s ?x)) (big ?x)) (<= (big ?x) (big (s ?x)))
        (<= terminal (big (s q)))";
    assert_eq!(found(rules), ["S0013"]);
    let run = ludens_with(&["perft", "-", "-d", "2", "--ground-memory", "64M"], rules.as_bytes());
    assert_eq!(run.code, 1);
    let (note, error) = run.err.split_once('\n').unwrap();
    assert!(
        note.starts_with("note: <stdin> could not be grounded within 30 s and 64 MiB"),
        "{note}"
    );
    assert!(error.starts_with("error: the reasoner gave up: "), "{error}");
    let folder = Folder::new();
    let file = folder.file("endless.kif", rules);
    let answer = ludens_with(&["reason", &file], b"{\"id\":1}").json().remove(0);
    assert_eq!(answer["error"]["code"], "exhausted");
}

#[test]
fn infinitely_many_consequences_are_an_error() {
    let needed_at_once = "(role you) (init p) (num z) (<= (num (s ?x)) (num ?x)) (goal you 0)
         (<= (legal you (pick ?x)) (num ?x)) (<= terminal (num q))";
    let needed_later =
        "(role you) (init (step 0)) (succ 0 1) (succ 1 2) (legal you go) (goal you 0)
         (<= (num z) (true (step 2))) (<= (num (s ?x)) (num ?x)) (<= terminal (num (t ?x)))
         (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))";
    let growing_state = "(role you) (init (n z)) (legal you go) (goal you 0)
         (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n q)))";
    for rules in [needed_at_once, needed_later, growing_state] {
        let run = ludens_with(&["check", "-"], rules.as_bytes());
        assert_eq!(run.code, 1, "{rules}");
        assert!(run.out.contains("error[S0013]"), "{}", run.out);
    }
}

#[test]
fn rules_in_one_list_are_played() {
    let rules = "; as published\n((role you) (init p) (legal you go) (distinct a b)
        (<= (next q) (does you go)) (<= terminal (true q)) (goal you 100))";
    let folder = Folder::new();
    let file = folder.file("wrapped.kif", rules);
    for (args, input) in [(["perft", "-", "-d", "2"], rules), (["perft", &file, "-d", "2"], "")] {
        let run = ludens_with(&args, input.as_bytes());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    }
    let run = ludens(&["check", &file]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("W0410") && run.out.contains("W0411"), "{}", run.out);
    let answer = ludens_with(&["reason", &file], b"{\"moves\": [\"go\"]}").json().remove(0);
    assert_eq!(answer["next"][0], "q", "{answer}");
}
