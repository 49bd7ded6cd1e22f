//! The record of a match in the format of the competition, and in that of the journal.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ludens_arena::record::{Effort, GameRecord, Incident, IncidentKind};
use ludens_arena::schedule::Slot;
use ludens_core::Trouble;
use ludens_protocol::{Fault, Hosted, Played, ResponseTimes};
use serde_json::{Value, json};

/// A match in the format of the competition, in the spelling of the rules; `names` are its players.
pub fn match_json(hosted: &Hosted, played: &Played, begun: SystemTime, names: &[String]) -> Value {
    let begun = begun.duration_since(UNIX_EPOCH).unwrap_or_default();
    let milliseconds = |after: Duration| (begun + after).as_millis() as u64;
    let times = played.times.iter().map(|&after| milliseconds(after));
    let spell = |terms: &[String]| -> Vec<String> {
        terms.iter().map(|term| hosted.symbols.spell(term)).collect()
    };
    let states = played.states.iter().map(|facts| format!("( {} )", spell(facts).join(" ")));
    let moves = played.moves.iter().map(|joint| spell(joint));
    let errors = played.faults.iter().map(|faults| faults.iter().map(Fault::code).collect());
    json!({
        "matchId": hosted.id,
        "randomToken": hosted.random_token(),
        "startTime": milliseconds(Duration::ZERO),
        "rulesheet": hosted.rules,
        "gameRoleNames": spell(hosted.reasoner.roles()),
        "isCompleted": played.given_up.is_none(),
        "isAborted": played.given_up.is_some(),
        "states": states.collect::<Vec<_>>(),
        "stateTimes": times.collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
        "errors": errors.collect::<Vec<Vec<_>>>(),
        "goalValues": played.goals,
        "startClock": seconds(hosted.start_clock),
        "playClock": seconds(hosted.play_clock),
        "playerNamesFromHost": names,
        "isPlayerHuman": vec![false; names.len()],
        "scrambled": hosted.scramble,
    })
}

/// A clock in seconds. Programs of the competition read clocks as whole numbers.
fn seconds(clock: Duration) -> Value {
    if clock.subsec_nanos() == 0 { json!(clock.as_secs()) } else { json!(clock.as_secs_f64()) }
}

/// The record of a match in the journal.
pub(super) fn game_record(slot: &Slot, outcome: &Result<Played, Trouble>) -> GameRecord {
    let void = |why: String| GameRecord::void(slot.clone(), why);
    let played = match outcome {
        Err(trouble) => return void(trouble.to_string()),
        Ok(played) => played,
    };
    let ended = played.flaw().map_or_else(|| GameRecord::new(slot.clone()), void);
    GameRecord {
        payoffs: played.goals.iter().map(|&goal| goal as f64 / 100.0).collect(),
        moves: played.moves.clone(),
        efforts: played.paces.iter().map(effort).collect(),
        incidents: incidents(played),
        ..ended
    }
}

fn effort(times: &ResponseTimes) -> Effort {
    Effort {
        decisions: times.asked,
        iterations: 0,
        micros: times.total.as_micros() as u64,
        longest_micros: times.longest.as_micros() as u64,
        by_ply: Vec::new(),
    }
}

/// The faults of players. The first entry is about the beginning of the match, which the journal counts as
/// part of the first step.
fn incidents(played: &Played) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, faults) in played.faults.iter().enumerate() {
        for (seat, fault) in faults.iter().enumerate() {
            let (kind, text) = match fault {
                Fault::None => continue,
                Fault::Late => (IncidentKind::Timeout, String::new()),
                Fault::Connection => (IncidentKind::Crash, "the connection failed".to_owned()),
                Fault::Illegal(answer) => (IncidentKind::Illegal, answer.clone()),
                Fault::Refused(answer) => {
                    (IncidentKind::Illegal, format!("`{answer}` as the answer to START"))
                }
            };
            let ply = at.saturating_sub(1);
            incidents.push(Incident { ply, seat, kind, text, late_micros: None });
        }
    }
    incidents
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_arena::record::Ending;
    use ludens_protocol::GivenUp;

    fn slot() -> Slot {
        let (index, game, meeting, round) = (3, 0, 0, 1);
        Slot { index, game, meeting, round, round_games: 2, seats: vec![1, 0], seed: 5 }
    }

    #[test]
    fn faults_become_incidents_of_their_step() {
        let illegal = || Fault::Illegal("( jump )".into());
        let played = Played {
            moves: vec![vec!["a".into(), "b".into()]; 2],
            faults: vec![
                vec![Fault::None, Fault::Connection],
                vec![Fault::None, Fault::Late],
                vec![illegal(), Fault::None],
            ],
            goals: vec![75, 25],
            paces: vec![ResponseTimes::default(); 2],
            ..Played::default()
        };
        let record = game_record(&slot(), &Ok(played));
        let found: Vec<_> = record.incidents.iter().map(|i| (i.ply, i.seat, i.kind)).collect();
        let expected = [
            (0, 1, IncidentKind::Crash),
            (0, 1, IncidentKind::Timeout),
            (1, 0, IncidentKind::Illegal),
        ];
        assert_eq!(found, expected);
        assert_eq!(record.payoffs, [0.75, 0.25]);
        assert!(record.is_valid());
    }

    #[test]
    fn whole_clocks_are_written_as_integers() {
        let shown = |milliseconds| seconds(Duration::from_millis(milliseconds)).to_string();
        assert_eq!([0, 2000, 1500].map(shown), ["0", "2", "1.5"]);
    }

    #[test]
    fn a_match_without_a_result_does_not_count() {
        let fault = Fault::Refused("busy".into());
        let busy = Played {
            faults: vec![vec![Fault::None, fault.clone()]],
            given_up: Some(GivenUp::NotStarted { role: "b".into(), fault }),
            paces: vec![ResponseTimes::default(); 2],
            ..Played::default()
        };
        let record = game_record(&slot(), &Ok(busy));
        let why = "the player of `b` does not play: it answered START with `busy`";
        assert_eq!(record.ending, Ending::Void(why.into()));
        assert_eq!((record.incidents[0].ply, record.incidents[0].seat), (0, 1));
        assert!(record.payoffs.is_empty());
        let endless = Played { given_up: Some(GivenUp::Steps(2)), ..Played::default() };
        let record = game_record(&slot(), &Ok(endless));
        assert_eq!(record.ending, Ending::Void("not over after 2 steps".into()));
        let no_goal = Played { without_goal: Some("b".into()), ..Played::default() };
        let record = game_record(&slot(), &Ok(no_goal));
        assert!(!record.is_valid());
        let record = game_record(&slot(), &Err(Trouble::Rules("no move".into())));
        assert!(!record.is_valid());
    }
}
