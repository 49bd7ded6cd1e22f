//! Games and standings in formats that other programs read. Output goes to a writer that the caller
//! provides.

use std::fmt;
use std::io::{self, Write};

use ludens_core::{Game, Move, Rng, Role, View};
use serde::Serialize;
use serde_json::{Value, json};

use crate::fingerprint::Fingerprint;
use crate::record::{Ending, GameRecord, IncidentKind};
use crate::schedule::Slot;
use crate::standing::Standing;

/// Stands for the agent of a role that the host of a match plays at random.
const UNRANKED: &str = "random";

/// What an export needs besides the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About<'a> {
    /// The experiment, which gives matches their names.
    pub experiment: &'a str,
    /// The game.
    pub game: &'a str,
    /// The names of all agents.
    pub agents: &'a [String],
    /// The text of the rules, if there is one.
    pub rulesheet: Option<&'a str>,
    /// The start clock in seconds, if there is one.
    pub start_clock: Option<u64>,
    /// The play clock in seconds, if there is one.
    pub play_clock: Option<u64>,
}

/// Why a record cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unplayable {
    /// Joint moves made before.
    pub ply: usize,
    /// The illegal move, or another reason.
    pub what: String,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the record does not fit the game at ply {}: {}", self.ply, self.what)
    }
}

impl std::error::Error for Unplayable {}

/// A line of an export.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    experiment: &'a str,
    game: &'a str,
    /// Names by seat.
    agents: Vec<&'a str>,
    plies: usize,
    #[serde(flatten)]
    record: &'a GameRecord,
}

/// Writes games as JSON Lines, one game per line.
pub fn write_json_lines<'r>(
    out: &mut dyn Write,
    about: &About<'_>,
    games: impl IntoIterator<Item = &'r GameRecord>,
) -> io::Result<()> {
    for record in games {
        let &About { experiment, game, .. } = about;
        let (agents, plies) = (seated(about, record), record.plies());
        let line = Line { schema: "ludens-game/1", experiment, game, agents, plies, record };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Reads games from JSON Lines; fields that are not part of the record are ignored.
pub fn read_json_lines(text: &str) -> serde_json::Result<Vec<GameRecord>> {
    text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect()
}

/// An estimate of when a game began, from when it ended and how long its seats thought, one after
/// the other; in milliseconds. It is too early if they thought at the same time, as with a host.
pub fn started(record: &GameRecord, finished: u64) -> u64 {
    let micros: u64 = record.efforts.iter().map(|effort| effort.micros).sum();
    finished.saturating_sub(micros / 1000)
}

/// The game as match JSON, with the field names of ggp-base and all fields its reader requires:
/// clocks are 0 if there were none, and `stateTimes` is empty, since records do not have them. The
/// game began `started` milliseconds after 1970.
pub fn match_json<G: Game>(
    game: &G,
    about: &About<'_>,
    record: &GameRecord,
    started: u64,
) -> Result<Value, Unplayable> {
    let states = states(game, record)?;
    let completed = record.ending == Ending::Terminal;
    let goal = |payoff: &f64| (payoff * 100.0).round() as i64;
    let goals: Vec<i64> =
        if completed { record.payoffs.iter().map(goal).collect() } else { Vec::new() };
    let n_roles = record.slot.seats.len();
    let mut value = json!({
        "schema": "ludens-match/1",
        "matchId": format!("{}.{}", about.experiment, record.slot.index),
        "randomToken": random_token(about, &record.slot),
        "startTime": started,
        "startClock": about.start_clock.unwrap_or(0),
        "playClock": about.play_clock.unwrap_or(0),
        "gameMetaURL": about.game,
        "tournamentNameFromHost": about.experiment,
        "playerNamesFromHost": seated(about, record),
        "isPlayerHuman": vec![false; n_roles],
        "gameRoleNames": game.roles(),
        "moves": record.moves,
        "states": states,
        "stateTimes": [],
        "errors": errors(record),
        "goalValues": goals,
        "isCompleted": completed,
        "isAborted": !completed,
    });
    if let Some(rulesheet) = about.rulesheet {
        value["rulesheet"] = rulesheet.into();
    }
    Ok(value)
}

/// The standings as comma-separated values, one agent per line.
pub fn standing_csv(standing: &Standing) -> String {
    let head = "agent,games,score,low,high,wins,draws,losses,elo,elo_low,elo_high,illegal,crashes,timeouts";
    let mut csv = format!("{head}\n");
    for agent in &standing.agents {
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let [low, high] = agent.elo_interval.map(number);
        let cells = [
            quoted(&agent.name),
            agent.games.to_string(),
            format!("{:.4}", agent.score),
            format!("{:.4}", agent.interval.low),
            format!("{:.4}", agent.interval.high),
            agent.wins.to_string(),
            agent.draws.to_string(),
            agent.losses.to_string(),
            number(agent.elo),
            low,
            high,
            agent.illegal.to_string(),
            agent.crashes.to_string(),
            agent.timeouts.to_string(),
        ];
        csv.push_str(&cells.join(","));
        csv.push('\n');
    }
    csv
}

/// A cell quoted as in RFC 4180.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A text that identifies the game: 32 hexadecimal digits. The games of a round share their seed, and so do
/// experiments.
fn random_token(about: &About<'_>, slot: &Slot) -> String {
    let mut name = Fingerprint::default();
    name.add(about.experiment.as_bytes());
    let mut rng = Rng::stream(slot.seed, &[slot.index as u64, name.value()]);
    format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64())
}

/// The names of the agents in role order.
fn seated<'a>(about: &About<'a>, record: &GameRecord) -> Vec<&'a str> {
    let name = |&agent: &usize| about.agents.get(agent).map_or(UNRANKED, String::as_str);
    record.slot.seats.iter().map(name).collect()
}

/// Replays the record and writes every state as a list of facts.
fn states<G: Game>(game: &G, record: &GameRecord) -> Result<Vec<String>, Unplayable> {
    let (mut state, mut view) = (game.initial(), View::default());
    let written = |state: &G::State| format!("( {} )", game.facts(state).join(" "));
    let mut states = vec![written(&state)];
    for (ply, names) in record.moves.iter().enumerate() {
        let unplayable = |what: String| Unplayable { ply, what };
        game.look(&state, &mut view);
        if view.terminal || names.len() != view.legal.n_roles() {
            return Err(unplayable("the game is over, or has another number of roles".into()));
        }
        let find = |(role, name): (Role, &String)| -> Result<Move, Unplayable> {
            let mut legal = view.legal[role].iter().copied();
            legal
                .find(|&m| game.move_name(role, m) == *name)
                .ok_or_else(|| unplayable(name.clone()))
        };
        let joint: Result<Vec<Move>, _> = Role::all(names.len()).zip(names).map(find).collect();
        game.play(&mut state, &joint?);
        states.push(written(&state));
    }
    Ok(states)
}

/// Errors of each ply and role, in the codes of GGP hosts.
fn errors(record: &GameRecord) -> Vec<Vec<String>> {
    let mut errors = vec![vec![String::new(); record.slot.seats.len()]; record.moves.len()];
    for incident in &record.incidents {
        let cell = errors.get_mut(incident.ply).and_then(|row| row.get_mut(incident.seat));
        if let Some(cell) = cell {
            *cell = match incident.kind {
                IncidentKind::Illegal => format!("IL {}", incident.text),
                IncidentKind::Crash => "CE".to_owned(),
                IncidentKind::Timeout => "TO".to_owned(),
            };
        }
    }
    errors
}
