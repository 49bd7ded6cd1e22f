//! What is kept of a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::schedule::Slot;

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the schedule it is.
    #[serde(flatten)]
    pub slot: Slot,
    /// How it ended.
    pub ending: Ending,
    /// What each seat got, in `0.0..=1.0`; empty if the game is void.
    pub payoffs: Vec<f64>,
    /// The joint moves as text.
    pub moves: Vec<Vec<String>>,
    /// How many joint moves at the beginning were drawn at random, the same for all games of a round.
    pub opening: usize,
    /// What each seat spent.
    pub efforts: Vec<Effort>,
    /// What went wrong, in order.
    pub incidents: Vec<Incident>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// As the rules say.
    Terminal,
    /// It was too long, and counts as a draw.
    PlyLimit,
    /// There is no result: the rules could not be evaluated or give none, or the match was given up; the text says why. Such a
    /// game does not count.
    Void(String),
}

/// What a seat spent on a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// How often it had a choice and thought about it.
    pub decisions: u64,
    /// Units of work it did, as its reports say.
    pub iterations: u64,
    /// How long it thought in all, in microseconds.
    pub micros: u64,
    /// The longest thought, in microseconds.
    pub longest_micros: u64,
}

impl Effort {
    /// Adds one thought.
    pub fn add(&mut self, iterations: u64, time: Duration) {
        let micros = time.as_micros() as u64;
        self.decisions += 1;
        self.iterations += iterations;
        self.micros += micros;
        self.longest_micros = self.longest_micros.max(micros);
    }
}

/// Something that a seat did wrong. A random legal move was made in its place, unless it happened
/// while the agent got ready.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Incident {
    /// Joint moves made before.
    pub ply: usize,
    /// Who did it.
    pub seat: usize,
    /// What it is.
    pub kind: IncidentKind,
    /// The illegal move, or what the crash said.
    pub text: String,
    /// How much too late the answer was, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_micros: Option<u64>,
}

/// The kinds of wrongs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// A move that is not legal, or none at all.
    Illegal,
    /// A panic.
    Crash,
    /// An answer after the time and the tolerance were over.
    Timeout,
}

impl GameRecord {
    /// How many joint moves were made.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether it counts.
    pub fn is_valid(&self) -> bool {
        !matches!(self.ending, Ending::Void(_))
    }

    /// What an agent got: the mean of its seats; `None` if it did not play or the game is void.
    pub fn payoff_of(&self, agent: usize) -> Option<f64> {
        let own = || self.slot.seats.iter().zip(&self.payoffs).filter(|(at, _)| **at == agent);
        let seats = own().count();
        (seats > 0).then(|| own().map(|(_, payoff)| payoff).sum::<f64>() / seats as f64)
    }

    /// The score of one agent against another: 1 for a win, ½ for a draw, 0 for a loss, in half
    /// points. Payoffs are compared, not their size: 60 to 40 is a win.
    pub fn half_points(&self, agent: usize, other: usize) -> Option<usize> {
        let lead = self.payoff_of(agent)? - self.payoff_of(other)?;
        Some(match lead {
            _ if lead > SAME => 2,
            _ if lead < -SAME => 0,
            _ => 1,
        })
    }

    /// The game without what depends on the speed of the machine, for comparisons.
    #[must_use]
    pub fn without_times(mut self) -> Self {
        for effort in &mut self.efforts {
            (effort.micros, effort.longest_micros) = (0, 0);
        }
        self
    }
}

/// Payoffs are hundredths; means of several may differ by rounding.
pub(crate) const SAME: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn record(seats: &[usize], payoffs: &[f64]) -> GameRecord {
        GameRecord {
            slot: Slot {
                index: 0,
                game: 0,
                meeting: 0,
                round: 0,
                round_games: 2,
                seats: seats.to_vec(),
                seed: 1,
            },
            ending: Ending::Terminal,
            payoffs: payoffs.to_vec(),
            moves: vec![vec!["a".into()]],
            opening: 0,
            efforts: vec![Effort::default(); seats.len()],
            incidents: Vec::new(),
        }
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
    fn records_are_written_flat_and_read_back() {
        let mut game = record(&[0, 1], &[1.0, 0.0]);
        game.ending = Ending::Void("because".into());
        let text = serde_json::to_string(&game).unwrap();
        assert!(text.starts_with(r#"{"slot":0,"game_idx":0,"#), "{text}");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), game);
    }
}
