//! The speed of an agent, as JSON and as a row of a table.

use std::io::{self, Write};

use ludens_lab::speed::{self, SearchLap};
use serde::Serialize;

use super::search::{Entrant, VERB};
use super::short;
use crate::console::Console;

/// The speed of one agent on one game, by CPU time.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    kind: &'static str,
    game: &'a str,
    reasoner: &'static str,
    agent: String,
    /// The batch size of a search, if it has one tree.
    batch: Option<usize>,
    /// Searches that share an evaluator.
    together: usize,
    /// Simulations of each search.
    iterations: u64,
    simulations_per_s: f64,
    /// Joint moves in trees and playouts, if the agent reports them.
    plies_per_s: Option<f64>,
    /// Joint moves per second, relative to those of the first agent of the game.
    plies_ratio: Option<f64>,
    /// Nodes of a tree after the search.
    nodes: u64,
    bytes_per_node: Option<f64>,
    /// Simulations per second in each lap; the median is the figure above.
    laps: Vec<f64>,
}

impl<'a> Record<'a> {
    /// The record of an agent, relative to the first one of the game.
    pub(super) fn new(entrant: &'a Entrant, first: &Entrant, iterations: u64) -> Self {
        let speed = speed::median_search(entrant.laps.clone());
        let trees = speed.thoughts.max(1) * entrant.together as u64;
        Record {
            kind: "speed",
            game: &entrant.game,
            reasoner: entrant.reasoner.name(),
            agent: entrant.agent.to_string(),
            batch: entrant.track.batch(),
            together: entrant.together,
            iterations,
            simulations_per_s: rounded(speed.simulations_per_second(), 10.0),
            plies_per_s: (speed.plies > 0).then(|| rounded(speed.plies_per_second(), 10.0)),
            plies_ratio: plies_ratio(&entrant.laps, &first.laps),
            nodes: speed.nodes / trees,
            bytes_per_node: (speed.nodes > 0).then(|| rounded(speed.bytes_per_node(), 10.0)),
            laps: entrant
                .laps
                .iter()
                .map(|lap| rounded(lap.simulations_per_second(), 10.0))
                .collect(),
        }
    }

    /// The titles of the columns.
    pub(super) fn head() -> String {
        format!(
            "{:<18} {:<8} {:<16} {:>6} {:>8} {:>13} {:>13} {:>7} {:>8} {:>10}",
            "GAME",
            "REASONER",
            "AGENT",
            "BATCH",
            "TOGETHER",
            "SIMULATIONS/S",
            "PLIES/S",
            "RATIO",
            "NODES",
            "BYTES/NODE"
        )
    }

    fn row(&self) -> String {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        format!(
            "{:<18} {:<8} {:<16} {:>6} {:>8} {:>13.0} {:>13} {:>7} {:>8} {:>10}",
            short(self.game),
            self.reasoner,
            self.agent,
            or_dash(self.batch.map(|batch| batch.to_string())),
            self.together,
            self.simulations_per_s,
            or_dash(self.plies_per_s.map(|plies| format!("{plies:.0}"))),
            or_dash(self.plies_ratio.map(|ratio| format!("{ratio:.2}"))),
            self.nodes,
            or_dash(self.bytes_per_node.map(|bytes| format!("{bytes:.0}"))),
        )
    }

    /// Prints the record, or a row of the table.
    pub(super) fn print(&self, console: &mut Console) -> io::Result<()> {
        if console.json {
            return console.record(VERB, self);
        }
        writeln!(console, "{}", self.row())
    }
}

/// The ratio of joint moves per second in the median round; `None` if one of them made none.
fn plies_ratio(laps: &[SearchLap], first: &[SearchLap]) -> Option<f64> {
    let ratio = |(lap, first): (&SearchLap, &SearchLap)| {
        (lap.plies > 0 && first.plies > 0)
            .then(|| lap.plies_per_second() / first.plies_per_second())
    };
    let mut ratios = laps.iter().zip(first).map(ratio).collect::<Option<Vec<_>>>()?;
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).map(|ratio| rounded(*ratio, 1e3))
}

fn rounded(number: f64, scale: f64) -> f64 {
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_computed_within_rounds() {
        let lap = |plies| SearchLap { plies, seconds: 2.0, ..SearchLap::default() };
        let laps = [lap(50), lap(10), lap(30)];
        let first = [lap(100), lap(100), lap(10)];
        assert_eq!(plies_ratio(&laps, &first), Some(0.5));
        assert_eq!(plies_ratio(&laps, &[lap(1), lap(0), lap(1)]), None);
        assert_eq!(plies_ratio(&[], &[]), None);
    }
}
