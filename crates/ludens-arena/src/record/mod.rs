//! The record of a game.

mod decision;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::schedule::Slot;

pub use decision::{Decision, MoveVisits};

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule.
    #[serde(flatten)]
    pub slot: Slot,
    /// How it ended.
    pub ending: Ending,
    /// The payoff of each seat, in `0.0..=1.0`; empty if the game is void.
    pub payoffs: Vec<f64>,
    /// The joint moves as text.
    pub moves: Vec<Vec<String>>,
    /// How many of the first joint moves were random; all games of a round share them.
    pub opening: usize,
    /// The effort of each seat.
    pub efforts: Vec<Effort>,
    /// Faults, in order.
    pub incidents: Vec<Incident>,
    /// What the agents reported about their decisions, in order; empty unless
    /// [`Terms::keep_decisions`](crate::play::Terms::keep_decisions) is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// In a terminal state.
    Terminal,
    /// At the ply limit; counts as a draw.
    PlyLimit,
    /// Without a result, and not counted: the rules failed or define no result, or the game was
    /// aborted. The text says why.
    Void(String),
}

/// The effort of a seat in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// How many moves it chose; forced moves are not counted.
    pub decisions: u64,
    /// Units of work done, as its agent reported them.
    pub iterations: u64,
    /// Total thinking time in microseconds.
    pub micros: u64,
    /// Thinking time of the slowest decision, in microseconds.
    pub longest_micros: u64,
    /// The ply and the units of work of each decision, in order, if moves had a time limit; with a fixed
    /// number of iterations they would only repeat it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_ply: Vec<(usize, u64)>,
}

impl Effort {
    /// Adds one decision.
    pub fn add(&mut self, iterations: u64, time: Duration) {
        let micros = time.as_micros() as u64;
        self.decisions += 1;
        self.iterations += iterations;
        self.micros += micros;
        self.longest_micros = self.longest_micros.max(micros);
    }
}

/// A fault of a seat. A random legal move replaced its move, unless the fault occurred during
/// preparation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Incident {
    /// Joint moves made before.
    pub ply: usize,
    /// The seat at fault.
    pub seat: usize,
    /// The kind of fault.
    pub kind: IncidentKind,
    /// The illegal move, or the message of the panic.
    pub text: String,
    /// How late the answer was, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_micros: Option<u64>,
}

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// An illegal move, or none.
    Illegal,
    /// A panic.
    Crash,
    /// An answer after the deadline and the tolerance.
    Timeout,
}

impl GameRecord {
    /// The record of a game before its first move.
    pub fn new(slot: Slot) -> Self {
        GameRecord {
            efforts: vec![Effort::default(); slot.seats.len()],
            slot,
            ending: Ending::Terminal,
            payoffs: Vec::new(),
            moves: Vec::new(),
            opening: 0,
            incidents: Vec::new(),
            decisions: Vec::new(),
        }
    }

    /// The record of a game without a result.
    pub fn void(slot: Slot, reason: impl Into<String>) -> Self {
        GameRecord { ending: Ending::Void(reason.into()), ..GameRecord::new(slot) }
    }

    /// How many joint moves were made.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether it has a result.
    pub fn is_valid(&self) -> bool {
        !matches!(self.ending, Ending::Void(_))
    }

    /// The payoff of an agent, averaged over its seats; `None` if it did not play or the game is
    /// void.
    pub fn payoff_of(&self, agent: usize) -> Option<f64> {
        let own = || self.slot.seats.iter().zip(&self.payoffs).filter(|(at, _)| **at == agent);
        let seats = own().count();
        (seats > 0).then(|| own().map(|(_, payoff)| payoff).sum::<f64>() / seats as f64)
    }

    /// The half points of one agent against another: 2 for a win, 1 for a draw, 0 for a loss. Only
    /// the order of the payoffs counts: 60 to 40 is a win.
    pub fn half_points(&self, agent: usize, other: usize) -> Option<usize> {
        let lead = self.payoff_of(agent)? - self.payoff_of(other)?;
        Some(match lead {
            _ if lead > EPSILON => 2,
            _ if lead < -EPSILON => 0,
            _ => 1,
        })
    }

    /// The record without times, which differ from run to run.
    #[must_use]
    pub fn without_times(mut self) -> Self {
        for effort in &mut self.efforts {
            (effort.micros, effort.longest_micros) = (0, 0);
        }
        self
    }
}

/// Payoffs closer than this are equal: they are hundredths, whose means may differ by rounding.
pub(crate) const EPSILON: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn record(seats: &[usize], payoffs: &[f64]) -> GameRecord {
        let (index, game, meeting, round, round_games) = (0, 0, 0, 0, 2);
        let seats = seats.to_vec();
        let slot = Slot { index, game, meeting, round, round_games, seats, seed: 1 };
        let (payoffs, moves) = (payoffs.to_vec(), vec![vec!["a".into()]]);
        GameRecord { payoffs, moves, ..GameRecord::new(slot) }
    }

    #[test]
    fn agents_get_the_mean_of_their_seats() {
        let game = record(&[0, 1, 0], &[1.0, 0.5, 0.0]);
        assert_eq!(game.payoff_of(0), Some(0.5));
        assert_eq!(game.half_points(0, 1), Some(1));
        assert_eq!((game.payoff_of(2), game.half_points(0, 2)), (None, None));
        assert_eq!(record(&[1, 0], &[0.6, 0.4]).half_points(1, 0), Some(2));
        assert_eq!(record(&[1, 0], &[0.6, 0.4]).half_points(0, 1), Some(0));
    }

    #[test]
    fn payoffs_that_differ_by_rounding_are_a_draw() {
        let payoffs = [0.1 + 0.2, 0.3];
        assert!(payoffs[0] > payoffs[1]);
        assert_eq!(record(&[0, 1], &payoffs).half_points(0, 1), Some(1));
        assert_eq!(record(&[0, 1], &payoffs).half_points(1, 0), Some(1));
    }

    #[test]
    fn efforts_add_up_and_keep_the_slowest_decision() {
        let mut effort = Effort::default();
        for (iterations, micros) in [(5, 30), (7, 90), (1, 10)] {
            effort.add(iterations, Duration::from_micros(micros));
        }
        let (micros, longest_micros, by_ply) = (130, 90, Vec::new());
        let expected = Effort { decisions: 3, iterations: 13, micros, longest_micros, by_ply };
        assert_eq!(effort, expected);
    }

    #[test]
    fn efforts_without_plies_keep_their_format() {
        let text = r#"{"decisions":2,"iterations":9,"micros":50,"longest_micros":30}"#;
        let mut effort: Effort = serde_json::from_str(text).unwrap();
        assert_eq!((effort.iterations, &effort.by_ply), (9, &Vec::new()));
        assert_eq!(serde_json::to_string(&effort).unwrap(), text);
        effort.by_ply = vec![(0, 5), (2, 4)];
        let with_plies = serde_json::to_string(&effort).unwrap();
        assert!(with_plies.ends_with(r#","by_ply":[[0,5],[2,4]]}"#), "{with_plies}");
        assert_eq!(serde_json::from_str::<Effort>(&with_plies).unwrap(), effort);
    }

    #[test]
    fn records_are_written_flat_and_read_back() {
        let mut game = record(&[0, 1], &[1.0, 0.0]);
        game.ending = Ending::Void("because".into());
        let text = serde_json::to_string(&game).unwrap();
        assert!(text.starts_with(r#"{"slot":0,"game_idx":0,"#), "{text}");
        assert!(
            !text.contains("decisions\":["),
            "records without reports keep their format: {text}"
        );
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), game);
        let moves = vec![MoveVisits { name: "a".into(), visits: 3, mean: 0.25 }];
        game.decisions = vec![Decision { ply: 0, seat: 1, iterations: 3, value: None, moves }];
        let text = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), game);
    }
}
