//! The order of answers: priorities, reports during the search, termination of queries.

use serde_json::{Value, json};

use super::Talk;
use crate::common::{Folder, TINY};

/// A query without an effective limit.
fn endless(id: &str) -> Value {
    json!({"id": id, "game": "tictactoe", "maxTime": 1e6, "reportDuringSearchEvery": 0.01})
}

#[test]
fn higher_priorities_come_first_and_terminated_queries_end() {
    let mut talk = Talk::new(&["--threads", "1", "--iterations", "20"]);
    talk.say(&endless("long"));
    // The only thread is busy from here on.
    let first = talk.hear().unwrap();
    assert_eq!((&first["id"], &first["isDuringSearch"]), (&"long".into(), &true.into()));
    for (id, priority) in [("low", -1), ("plain", 0), ("gone", 9), ("high", 5), ("later", 0)] {
        talk.say(&json!({"id": id, "game": "tictactoe", "priority": priority}));
    }
    talk.say(&json!({"id": "t1", "action": "terminate", "terminateId": "gone"}));
    talk.say(&json!({"id": "t2", "action": "terminate", "terminateId": "nobody"}));
    talk.say(&json!({"id": "t3", "action": "terminate", "terminateId": "long"}));
    let (answers, code) = talk.end();
    let ended = |answer: &&Value| answer["isDuringSearch"] != true;
    let ended: Vec<_> = answers.iter().filter(ended).collect();
    let ids: Vec<_> = ended.iter().map(|answer| answer["id"].as_str().unwrap()).collect();
    let queue = |id: &&&str| !id.starts_with('t') && **id != "gone";
    assert_eq!(
        ids.iter().filter(queue).collect::<Vec<_>>(),
        [&"long", &"high", &"plain", &"later", &"low"]
    );
    let of = |id: &str| ended.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!((&of("gone")["noResults"], &of("gone")["turnNumber"]), (&true.into(), &0.into()));
    assert_eq!((&of("t1")["terminated"], &of("t1")["terminateId"]), (&1.into(), &"gone".into()));
    assert_eq!((&of("t2")["terminated"], &of("t3")["terminated"]), (&0.into(), &1.into()));
    assert!(of("long")["rootInfo"]["visits"].as_u64().unwrap() > 0);
    assert_eq!(code, Some(0));
}

#[test]
fn reports_come_during_the_search_until_all_is_terminated() {
    for agent in ["uct", "uct + mast", "uct(threads=2, parallel=tree)", "flat"] {
        let mut talk = Talk::new(&["--threads", "2"]);
        let mut query = endless("q");
        query["agent"] = agent.into();
        talk.say(&query);
        let mut before = 0;
        for _ in 0..3 {
            let report = talk.hear().unwrap();
            assert_eq!(report["isDuringSearch"], true, "{agent}: {report}");
            let visits = report["rootInfo"]["visits"].as_u64().unwrap();
            assert!(visits > before, "{agent}");
            before = visits;
        }
        talk.say(&json!({"id": "all", "action": "terminate_all"}));
        let (rest, code) = talk.end();
        let ended = |answer: &&Value| answer["isDuringSearch"] == false;
        assert_eq!(rest.iter().filter(ended).count(), 1, "{agent}");
        assert!(rest.iter().any(|answer| answer["terminated"] == 1), "{agent}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn the_version_is_reported_and_games_are_reloaded() {
    let folder = Folder::new();
    let game = folder.file("tiny.kif", TINY);
    let mut talk = Talk::new(&["--iterations", "10"]);
    talk.say(&json!({"id": "v", "action": "query_version"}));
    let version = talk.hear().unwrap();
    assert_eq!((&version["program"], &version["protocol"]), (&"ludens".into(), &1.into()));
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    let moves = |talk: &mut Talk| {
        talk.say(&json!({"id": 1, "game": game}));
        talk.hear().unwrap()["legal"]["you"].clone()
    };
    assert_eq!(moves(&mut talk), 2);
    folder.file("tiny.kif", format!("{TINY}(<= (legal you wait) (true start))"));
    assert_eq!(moves(&mut talk), 2, "the game is already loaded");
    talk.say(&json!({"id": "c", "action": "clear_cache"}));
    assert_eq!(talk.hear().unwrap(), json!({"id": "c", "action": "clear_cache"}));
    assert_eq!(moves(&mut talk), 3);
}

#[test]
fn closing_the_output_ends_the_engine() {
    let mut talk = Talk::new(&["--iterations", "20"]);
    talk.say(&endless("q"));
    assert!(talk.hear().is_some());
    let Talk { mut child, input, output } = talk;
    drop(output);
    // The search notices at its next report, although it has a long time left.
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
