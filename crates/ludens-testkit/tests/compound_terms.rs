//! Small games in which terms are compared, built and matched, with expectations computed by hand.
//!
//! `data/compound_terms.txt` contains games: for each a title, the rules, and a transcript that every
//! reasoner must reproduce. Redundant parentheses do not change a fact.

use ludens_catalog::ReasonerKind;
use ludens_core::{Budget, Reasoner};
use ludens_testkit::naive::Naive;

const GAMES: &str = include_str!("data/compound_terms.txt");

struct SmallGame {
    title: String,
    rules: String,
    transcript: Vec<String>,
}

fn games() -> Vec<SmallGame> {
    let mut games: Vec<SmallGame> = Vec::new();
    for line in GAMES.lines().filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("# ") {
            let title = title.to_owned();
            games.push(SmallGame { title, rules: String::new(), transcript: Vec::new() });
            continue;
        }
        let game = games.last_mut().expect("a title comes first");
        if let Some(step) = line.strip_prefix("> ") {
            game.transcript.push(step.to_owned());
        } else {
            game.rules.extend([line, "\n"]);
        }
    }
    games
}

/// Plays the moves of a transcript, and replaces the expected answers by those of the reasoner.
fn transcript(game: &SmallGame, reasoner: &dyn Reasoner) -> Vec<String> {
    let mut state = reasoner.initial().unwrap();
    let mut lines = Vec::new();
    for expected in &game.transcript {
        let (verb, rest) = expected.split_once(' ').unwrap_or((expected, ""));
        let answer = reasoner.answer(&state).unwrap();
        lines.push(match verb {
            "state" => format!("state {}", state.join(" ")).trim_end().to_owned(),
            "legal" => {
                let role = rest.split(' ').next().unwrap();
                let index = reasoner.roles().iter().position(|other| other == role).unwrap();
                format!("legal {role} {}", answer.legal[index].join(" "))
            }
            "terminal" => {
                assert!(answer.terminal, "{}: the state is not terminal", game.title);
                let goal = |(role, values): (&String, &Vec<i64>)| format!(" {role} {}", values[0]);
                let goals: String = reasoner.roles().iter().zip(&answer.goals).map(goal).collect();
                format!("terminal{goals}")
            }
            "play" => {
                let (tree, _) = ludens_gdl::tree::parse_tree(rest);
                let text = |&root| rest[tree.node(root).span.range()].to_owned();
                let joint: Vec<String> = tree.roots.iter().map(text).collect();
                state = reasoner.next(&state, &joint).unwrap();
                expected.clone()
            }
            other => panic!("{}: no such step: {other}", game.title),
        });
    }
    lines
}

#[test]
fn every_reasoner_compares_compound_terms_part_by_part() {
    let games = games();
    assert!(games.len() >= 12, "only {} games", games.len());
    for game in &games {
        let (rules, problems) = ludens_gdl::load(&game.rules);
        let rules = rules.unwrap_or_else(|| panic!("{}: {problems:?}", game.title));
        for kind in ReasonerKind::ALL {
            let loaded = kind.load(&rules, &Budget::unlimited()).unwrap();
            let found = transcript(game, &*loaded.reasoner());
            assert_eq!(found, game.transcript, "{} by {kind}", game.title);
        }
        let naive = Naive::new(rules).unwrap();
        assert_eq!(transcript(game, &naive), game.transcript, "{} by the oracle", game.title);
    }
}
