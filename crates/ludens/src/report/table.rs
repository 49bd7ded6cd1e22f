//! The tables of a standing.

use ludens_arena::standing::{AgentStanding, Scoreboard, Standing};
use ludens_arena::stats::{SprtState, Verdict};

/// The table of a standing, with its header: one agent per row.
pub(super) fn standing_table(standing: &Standing) -> Vec<Vec<String>> {
    let head = ["AGENT", "GAMES", "SCORE", "95 % INTERVAL", "W/D/L", "ELO", "INCIDENTS"];
    let rows = standing.agents.iter().map(row);
    std::iter::once(head.map(str::to_owned).to_vec()).chain(rows).collect()
}

fn row(agent: &AgentStanding) -> Vec<String> {
    let percent = |score: f64| format!("{:.1}", score * 100.0);
    vec![
        agent.name.clone(),
        agent.games.to_string(),
        format!("{} %", percent(agent.score)),
        format!("{} – {} %", percent(agent.interval.low), percent(agent.interval.high)),
        format!("{}/{}/{}", agent.wins, agent.draws, agent.losses),
        elo(agent),
        incidents(agent),
    ]
}

/// The Elo difference with its error: symmetric if possible, otherwise as an interval.
fn elo(agent: &AgentStanding) -> String {
    // Adding 0 turns what was rounded to -0 into 0.
    let shown = |elo: f64| format!("{:+}", elo.round() + 0.0);
    let end = |end: Option<f64>, far: &str| end.map_or(far.to_owned(), shown);
    match (agent.elo, agent.elo_interval) {
        (Some(elo), [Some(low), Some(high)]) => {
            format!("{} ± {:.0}", shown(elo), (high - low) / 2.0)
        }
        (None, [None, None]) => "–".to_owned(),
        (_, [low, high]) => format!("{} to {}", end(low, "−∞"), end(high, "+∞")),
    }
}

fn incidents(agent: &AgentStanding) -> String {
    let kinds =
        [(agent.illegal, "illegal"), (agent.crashes, "crashed"), (agent.timeouts, "too late")];
    let nonzero = kinds.iter().filter(|(count, _)| *count > 0);
    let shown: Vec<String> = nonzero.map(|(count, kind)| format!("{count} {kind}")).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// The points of every agent against every other, and the number of their games.
pub(super) fn cross_table(board: &Scoreboard) -> Vec<Vec<String>> {
    let names: Vec<String> = board.standing().agents.into_iter().map(|agent| agent.name).collect();
    let number = |agent: usize| format!("{}.", agent + 1);
    let head = ["AGAINST".to_owned()].into_iter().chain((0..names.len()).map(number)).collect();
    let cell = |agent: usize, other: usize| match board.versus(agent, other) {
        _ if agent == other => "·".to_owned(),
        [0, 0, 0] => "–".to_owned(),
        [losses, draws, wins] => {
            let points = wins as f64 + draws as f64 / 2.0;
            format!("{points}/{}", losses + draws + wins)
        }
    };
    let row = |(agent, name): (usize, &String)| {
        let name = format!("{} {name}", number(agent));
        std::iter::once(name).chain((0..names.len()).map(|other| cell(agent, other))).collect()
    };
    std::iter::once(head).chain(names.iter().enumerate().map(row)).collect()
}

/// The state of the sequential test, in a sentence.
pub(super) fn sprt_line(state: &SprtState) -> String {
    let verdict = match state.verdict {
        Verdict::Continue => "no verdict yet",
        Verdict::AcceptH0 => "H0 is accepted: the first agent is not stronger than elo0 says",
        Verdict::AcceptH1 => "H1 is accepted: the first agent is as strong as elo1 says",
    };
    let &SprtState { llr, lower, upper, games, .. } = state;
    format!("sequential test: {verdict} (LLR {llr:.2} in {lower:.2} … {upper:.2}, {games} games)")
}
