//! Standings checked by hand, and exports that survive a round trip.

use crate::common::{Nim, flat_and_random, names, slots, terms};
use ludens_arena::clock::SystemClock;
use ludens_arena::export::{
    About, match_json, read_json_lines, standing_csv, started, write_json_lines,
};
use ludens_arena::play::{Terms, play_game};
use ludens_arena::record::{Effort, Ending, GameRecord, Incident, IncidentKind};
use ludens_arena::schedule::Slot;
use ludens_arena::standing::{EloAgainst, Scoreboard, Stage, Standing};
use ludens_arena::stats::{Moments, ScoreTally, elo_of, wilson};

/// A game of which only the result matters.
fn result(slot: Slot, payoffs: &[f64]) -> GameRecord {
    let (micros, longest_micros) = (500, 300);
    let by_ply = vec![(0, 6), (7, 4)];
    let effort = Effort { decisions: 2, iterations: 10, micros, longest_micros, by_ply };
    let efforts = vec![effort; payoffs.len()];
    let moves = vec![vec![slot.index.to_string()]];
    GameRecord { payoffs: payoffs.to_vec(), moves, efforts, ..GameRecord::new(slot) }
}

/// The results of the first games of a schedule, by seat.
fn results(n_agents: usize, payoffs: &[&[f64]]) -> Vec<GameRecord> {
    let slots = slots(n_agents, payoffs[0].len(), payoffs.len()).into_iter();
    slots.zip(payoffs).map(|(slot, payoffs)| result(slot, payoffs)).collect()
}

fn standing(n_agents: usize, games: &[GameRecord]) -> Standing {
    Scoreboard::of(&names(n_agents), games).standing()
}

fn counts(standing: &Standing, agent: usize) -> [u64; 3] {
    let agent = &standing.agents[agent];
    [agent.wins, agent.draws, agent.losses]
}

#[test]
fn a_role_that_moves_at_random_is_not_ranked() {
    // The third seat is nobody's; its payoff is the highest of all.
    let with_random = |n_agents: usize, payoffs: &[&[f64]]| {
        let mut games = results(n_agents, payoffs);
        for game in &mut games {
            game.slot.seats.push(n_agents);
            game.payoffs.push(1.0);
            game.efforts.push(Effort::default());
        }
        standing(n_agents, &games)
    };
    let payoffs: [&[f64]; 4] = [&[0.5, 0.0], &[0.0, 0.5], &[0.5, 0.0], &[0.5, 0.5]];
    let two = with_random(2, &payoffs);
    let names: Vec<&str> = two.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!((names.len(), names.contains(&"random")), (2, false));
    assert_eq!((counts(&two, 0), counts(&two, 1)), ([3, 1, 0], [0, 1, 3]));
    assert_eq!(two.elo_against, EloAgainst::Opponent);
    let payoffs: &[f64] = &[0.5, 0.0, 0.0];
    let three = with_random(3, &[payoffs; 6]);
    assert_eq!((three.agents.len(), three.elo_against), (3, EloAgainst::Mean));
    let alone = with_random(1, &[&[1.0], &[0.5], &[0.0]]);
    assert_eq!((alone.agents.len(), counts(&alone, 0)), (1, [1, 1, 1]));
}

#[test]
fn a_match_of_two_is_scored_by_hand() {
    // Seats 01, 10, 01, 10, 01, 10: agent 0 gets 1, 1, ½, 0, 1, ½.
    let win: &[f64] = &[1.0, 0.0];
    let (draw, loss): (&[f64], &[f64]) = (&[0.5, 0.5], &[0.0, 1.0]);
    let games = results(2, &[win, loss, draw, win, win, draw]);
    let board = Scoreboard::of(&names(2), &games);
    // Rounds: 2 points, ½ point, 1½ points.
    assert_eq!(board.scores(), Moments::from(&ScoreTally::of_pairs([0, 1, 0, 1, 1])));
    assert_eq!((board.versus(0, 1), board.versus(1, 0)), ([1, 2, 3], [3, 2, 1]));
    let standing = board.standing();
    assert_eq!((standing.games, standing.void, standing.duplicates), (6, 0, 0));
    assert_eq!((counts(&standing, 0), counts(&standing, 1)), ([3, 2, 1], [1, 2, 3]));
    let [first, second] = &standing.agents[..] else { panic!("two agents") };
    assert!((first.score - 4.0 / 6.0).abs() < 1e-12 && first.interval == wilson(4.0, 6.0));
    assert_eq!(standing.elo_against, EloAgainst::Opponent);
    assert!((first.elo.unwrap() - elo_of(4.0 / 6.0)).abs() < 1e-9);
    assert!((first.elo.unwrap() + second.elo.unwrap()).abs() < 1e-9);
    let [low, high] = second.elo_interval;
    assert_eq!(first.elo_interval, [high.map(|end| -end), low.map(|end| -end)]);
    assert!(first.superiority.unwrap() > 0.5);
    let seats: Vec<_> = first.seats.iter().map(|seat| (seat.games, seat.score)).collect();
    assert_eq!(seats, [(3, 2.5 / 3.0), (3, 0.5)]);
    assert_eq!((first.decisions, first.iterations), (12, 60));
}

/// A stopped match has rounds with one game. Its Elo corresponds to its score.
#[test]
fn games_of_unfinished_rounds_count_for_elo_too() {
    let win: &[f64] = &[1.0, 0.0];
    let loss: &[f64] = &[0.0, 1.0];
    // Rounds of agent 0: 2 points, 1 point, 2 points, and games of which the second is missing.
    let mut games = results(2, &[win, loss, win, win, win, loss, loss, loss, loss, loss]);
    games.retain(|game| game.slot.index != 7 && game.slot.index != 9);
    let board = Scoreboard::of(&names(2), &games);
    let groups = [ScoreTally::of_games([2, 0, 0]), ScoreTally::of_pairs([0, 0, 1, 0, 2])];
    assert_eq!(board.scores(), Moments::of(&groups));
    let standing = board.standing();
    let first = &standing.agents[0];
    assert_eq!((standing.games, first.score), (8, 5.0 / 8.0));
    assert!((first.elo.unwrap() - elo_of(first.score)).abs() < 1e-9, "{first:?}");
}

#[test]
fn games_of_three_have_one_winner_or_a_shared_first_place() {
    // Seats 012, 120, 201.
    let games = results(3, &[&[1.0, 0.0, 0.5], &[0.5, 0.5, 0.0], &[0.2, 0.2, 0.2]]);
    let standing = standing(3, &games);
    assert_eq!([0, 1, 2].map(|agent| counts(&standing, agent)), [[1, 1, 1], [0, 2, 1], [0, 2, 1]]);
    assert_eq!(standing.elo_against, EloAgainst::Mean);
    let total: f64 = standing.agents.iter().map(|agent| agent.elo.unwrap()).sum();
    assert!(total.abs() < 1e-6);
}

#[test]
fn agents_with_several_seats_are_one_agent() {
    // Seats 010, 100: agent 0 has the mean of two seats.
    let games = results(2, &[&[1.0, 0.5, 0.0], &[0.0, 1.0, 0.4]]);
    let standing = standing(2, &games);
    assert_eq!(counts(&standing, 0), [1, 1, 0]);
    assert!((standing.agents[0].score - 0.6).abs() < 1e-12);
}

#[test]
fn in_one_player_games_the_payoff_is_the_result() {
    let games = results(2, &[&[1.0], &[0.3]]);
    let more = results(1, &[&[0.0]]);
    let alone = standing(2, &games);
    assert_eq!((counts(&alone, 0), alone.elo_against), ([1, 0, 0], EloAgainst::Nobody));
    assert_eq!(counts(&standing(1, &more), 0), [0, 0, 1]);
}

#[test]
fn agents_that_never_met_have_no_elo() {
    let alone = standing(3, &results(3, &[&[1.0], &[0.3], &[0.5]]));
    assert_eq!(alone.elo_against, EloAgainst::Nobody);
    assert!(alone.agents.iter().all(|agent| agent.elo.is_none()), "{alone:?}");
    // Of three agents, two have met.
    let some = standing(3, &results(3, &[&[1.0, 0.0]]));
    assert_eq!(some.elo_against, EloAgainst::Mean);
    let known = [0, 1, 2].map(|agent| some.agents[agent].elo.is_some());
    assert_eq!((known, some.agents[2].elo_interval), ([true, true, false], [None, None]));
}

#[test]
fn void_games_and_duplicates_are_counted_separately() {
    let mut games = results(2, &[&[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0]]);
    games[1].ending = Ending::Void("rules".into());
    games[1].payoffs.clear();
    games[2].moves = games[0].moves.clone();
    let crash = IncidentKind::Crash;
    games[1].incidents.push(Incident {
        ply: 0,
        seat: 0,
        kind: crash,
        text: "x".into(),
        late_micros: None,
    });
    let standing = standing(2, &games);
    assert_eq!((standing.games, standing.void, standing.duplicates), (2, 1, 1));
    assert_eq!((standing.agents[0].games, standing.agents[1].crashes), (2, 1));
}

#[test]
fn standings_without_games_and_with_clean_scores_are_written() {
    let nothing = standing(2, &[]);
    assert_eq!(nothing.elo_against, EloAgainst::Nobody);
    let json = serde_json::to_value(&nothing).unwrap();
    assert_eq!(
        (&json["agents"][0]["interval"], &json["agents"][0]["elo"]),
        (&serde_json::json!([0.0, 1.0]), &serde_json::Value::Null)
    );
    let games = results(2, &[&[1.0, 0.0], &[0.0, 1.0]]);
    let clean = serde_json::to_value(standing(2, &games)).unwrap();
    let first = &clean["agents"][0];
    assert_eq!(
        (&first["score"], &first["elo"], &first["elo_interval"][1]),
        (&1.0.into(), &serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert!(first["elo_interval"][0].is_number());
}

#[test]
fn tables_are_written_with_commas() {
    let games = results(2, &[&[1.0, 0.0], &[1.0, 0.0]]);
    let named = ["uct(c=0.4, \"x\")".to_owned(), "random".to_owned()];
    let csv = standing_csv(&Scoreboard::of(&named, &games).standing());
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(
        lines[1],
        "\"uct(c=0.4, \"\"x\"\")\",2,0.5000,0.0945,0.9055,1,0,1,0.0,-392.5,392.5,0,0,0"
    );
    let cells = |line: &str| line.replace("\"uct(c=0.4, \"\"x\"\")\"", "uct").split(',').count();
    assert_eq!((cells(lines[0]), cells(lines[1])), (14, 14));
}

#[test]
fn json_lines_are_read_back() {
    let (game, names) = (Nim::new(2, 15), names(2));
    let make = flat_and_random(&game);
    let games: Vec<_> = slots(2, 2, 6)
        .iter()
        .map(|slot| play_game(&game, slot, &terms(20), &make, &SystemClock))
        .collect();
    let about = About {
        experiment: "e",
        game: "nim",
        agents: &names,
        rulesheet: None,
        start_clock: None,
        play_clock: None,
    };
    let mut text = Vec::new();
    write_json_lines(&mut text, &about, &games).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!((text.lines().count(), read_json_lines(&text).unwrap()), (6, games));
    let line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(
        (&line["schema"], &line["agents"]),
        (&"ludens-game/1".into(), &serde_json::json!(["agent 1", "agent 0"]))
    );
    assert!(read_json_lines("{\"slot\":").is_err());
}

#[test]
fn stages_are_sums_over_all_games_of_an_agent() {
    let games = results(2, &[&[1.0, 0.0], &[0.5, 0.5], &[1.0, 0.0]]);
    let board = Scoreboard::of(&names(2), &games);
    let stage = |iterations| Stage { decisions: 3, iterations };
    let expected = [(0, stage(18)), (5, stage(12))];
    for agent in [0, 1] {
        assert_eq!(board.stages(agent), &expected.into());
    }
}

#[test]
fn the_start_of_a_game_precedes_its_thinking_times() {
    let game = Nim::new(2, 7);
    let make = flat_and_random(&game);
    let mut record = play_game(&game, &slots(2, 2, 1)[0], &terms(5), &make, &SystemClock);
    (record.efforts[0].micros, record.efforts[1].micros) = (1_500_000, 700_900);
    assert_eq!((started(&record, 10_000), started(&record, 2000)), (7800, 0));
}

#[test]
fn match_json_has_every_state() {
    let (game, names) = (Nim::new(2, 7), names(2));
    let make = |number: usize| {
        let fair = number == 1;
        crate::common::scripted(move |heap| {
            Some(ludens_core::Move(if fair || heap.stones < 7 { 1 } else { 9 }))
        })
    };
    let mut record = play_game(&game, &slots(2, 2, 1)[0], &terms(5), &make, &SystemClock);
    let about = About {
        experiment: "e",
        game: "nim",
        agents: &names,
        rulesheet: Some("(role p0)"),
        start_clock: Some(9),
        play_clock: Some(3),
    };
    let json = match_json(&*game, &about, &record, 1_700_000_000_123).unwrap();
    assert_eq!(
        (&json["matchId"], &json["rulesheet"], &json["startClock"], &json["playClock"]),
        (&"e.0".into(), &"(role p0)".into(), &9.into(), &3.into())
    );
    assert_eq!(
        (&json["startTime"], &json["stateTimes"]),
        (&1_700_000_000_123u64.into(), &serde_json::json!([]))
    );
    assert_eq!(json["states"][0], "( (stones 7) (turn p0) )");
    assert_eq!(json["states"].as_array().unwrap().len(), record.plies() + 1);
    assert_eq!(json["moves"], serde_json::to_value(&record.moves).unwrap());
    assert_eq!((&json["errors"][0][0], &json["errors"][1][1]), (&"IL (take 9)".into(), &"".into()));
    assert_eq!((&json["isCompleted"], &json["isAborted"]), (&true.into(), &false.into()));
    let goals: Vec<i64> = record.payoffs.iter().map(|payoff| (payoff * 100.0) as i64).collect();
    assert_eq!(json["goalValues"], serde_json::to_value(goals).unwrap());
    let token = |record| match_json(&*game, &about, record, 0).unwrap()["randomToken"].clone();
    let mut next = record.clone();
    next.slot.index += 1;
    assert_eq!(token(&record).as_str().map(str::len), Some(32));
    assert_ne!(token(&record), token(&next), "games of a round share their seed");
    record.moves[1][1] = "(take 8)".into();
    let error = match_json(&*game, &about, &record, 0).unwrap_err();
    assert_eq!((error.ply, error.what.as_str()), (1, "(take 8)"));
    let short = Terms { ply_limit: 2, ..terms(5) };
    let record = play_game(&game, &slots(2, 2, 1)[0], &short, &make, &SystemClock);
    let about = About { start_clock: None, play_clock: None, ..about };
    let json = match_json(&*game, &about, &record, 0).unwrap();
    assert_eq!((&json["startClock"], &json["playClock"]), (&0.into(), &0.into()));
    assert_eq!((&json["isAborted"], &json["goalValues"]), (&true.into(), &serde_json::json!([])));
}
