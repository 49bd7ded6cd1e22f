//! The limits of the agents of a cell: iterations per move, seconds per move, or clocks in units of T.
//!
//! T makes clocks of different games comparable (Mańdziuk and Świechowski 2012, section 4): with 16T
//! of preparation and 2T per move, there is time for 16 and for 2 random games, whatever the game is.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ludens_arena::clock::Allowance;
use serde::{Deserialize, Serialize};

use crate::contest::{Millis, Settings};
use crate::hinted::Hinted;
use crate::units::positive_duration;

/// The limits of agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Limit {
    /// No preparation, and a fixed number of iterations per move.
    Iterations {
        /// Iterations per move.
        iterations: u64,
    },
    /// No preparation, and a fixed time per move.
    Time {
        /// The time of a move.
        time: MoveTime,
    },
    /// A start clock and a move clock.
    Clocks {
        /// In units of T.
        clocks: Clocks,
        /// The meaning of T.
        t: Unit,
    },
}

/// The time of a move, written as `2s` or `500ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MoveTime(pub Duration);

/// A start clock and a move clock in units of T, written as `16T, 2T`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Clocks {
    /// For preparation.
    pub start: u32,
    /// For each move.
    pub play: u32,
}

/// The meaning of T.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// One simulation, whatever its time.
    #[default]
    Simulations,
    /// The mean time of a uniformly random game.
    Time,
    /// A thousandth of a second, whatever the game.
    Milliseconds,
}

/// The limits of preparation, if it is allowed, and of a move.
pub type Allowances = (Option<Allowance>, Allowance);

impl Limit {
    /// Whether T must be measured.
    pub fn needs_t(&self) -> bool {
        matches!(self, Limit::Clocks { t: Unit::Time, .. })
    }

    /// Whether moves have a time limit.
    pub fn is_timed(&self) -> bool {
        !matches!(self, Limit::Iterations { .. } | Limit::Clocks { t: Unit::Simulations, .. })
    }

    /// The allowances for a given T, which must be known if it is needed.
    pub fn allowances(&self, t: Option<Duration>) -> Allowances {
        match *self {
            Limit::Iterations { iterations } => (None, Allowance::of_iterations(iterations)),
            Limit::Time { time } => (None, Allowance::of_time(time.0)),
            Limit::Clocks { clocks: Clocks { start, play }, t: Unit::Simulations } => {
                let of = |simulations: u32| Allowance::of_iterations(simulations.into());
                (Some(of(start)), of(play))
            }
            Limit::Clocks { clocks: Clocks { start, play }, t: unit } => {
                let fixed = (unit == Unit::Milliseconds).then_some(Duration::from_millis(1));
                let t = fixed.or(t).expect("T was measured");
                let of = |times: u32| Allowance::of_time(t.saturating_mul(times));
                (Some(of(start)), of(play))
            }
        }
    }

    /// Whether a match of a journal had this limit.
    pub fn is_of(&self, settings: &Settings) -> bool {
        let t = settings.t_milliseconds.map(|t| t.0);
        if t.is_some() != self.needs_t() {
            return false;
        }
        let (start, play) = self.allowances(t);
        let start = start.unwrap_or_default();
        settings.iterations == play.iterations
            && settings.milliseconds == play.time.map(Millis)
            && settings.start_iterations == start.iterations
            && settings.start_milliseconds == start.time.map(Millis)
    }

    /// The relative amount of work of a move, compared with other cells of the experiment.
    pub fn work(&self) -> u64 {
        match *self {
            Limit::Iterations { iterations } => iterations,
            Limit::Time { time } => time.0.as_micros() as u64,
            Limit::Clocks { clocks, .. } => clocks.play.into(),
        }
    }
}

/// The limits that a file or a cell states, of which it may have one.
#[derive(Clone, Copy, Default)]
pub struct Stated {
    /// Iterations per move.
    pub iterations: Option<u64>,
    /// The time of a move.
    pub time: Option<MoveTime>,
    /// A start clock and a move clock.
    pub clocks: Option<Clocks>,
}

impl Stated {
    /// The names of those that are stated.
    fn names(&self) -> Vec<&'static str> {
        let Stated { iterations, time, clocks } = self;
        let all = [
            ("iterations", iterations.is_some()),
            ("time", time.is_some()),
            ("clocks", clocks.is_some()),
        ];
        all.into_iter().filter(|(_, is_stated)| *is_stated).map(|(name, _)| name).collect()
    }

    /// Refuses more than one; `place` begins the message.
    pub fn check(&self, place: &str) -> Result<(), Hinted> {
        let [a, b, ..] = self.names()[..] else { return Ok(()) };
        let hint =
            "limit moves by iterations, by a time, or by clocks in units of T, which `t` defines";
        Err(Hinted::new(format!("{place} has both `{a}` and `{b}`"), hint))
    }

    /// These, or others if none is stated.
    #[must_use]
    pub fn or(self, others: Stated) -> Stated {
        if self.names().is_empty() { others } else { self }
    }

    /// The limit, if one is stated.
    pub fn limit(self, t: Unit) -> Option<Limit> {
        let clocks = self.clocks.map(|clocks| Limit::Clocks { clocks, t });
        let time = self.time.map(|time| Limit::Time { time });
        clocks.or(time).or(self.iterations.map(|iterations| Limit::Iterations { iterations }))
    }
}

impl TryFrom<String> for MoveTime {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        positive_duration(&text).map(MoveTime)
    }
}

impl fmt::Display for MoveTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl From<MoveTime> for String {
    fn from(time: MoveTime) -> String {
        time.to_string()
    }
}

impl FromStr for Clocks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let times = |part: &str| part.trim().strip_suffix('T')?.trim_end().parse().ok();
        let both = text.split_once(',').and_then(|(a, b)| Some((times(a)?, times(b)?)));
        match both.filter(|(start, play)| *start > 0 && *play > 0) {
            Some((start, play)) => Ok(Clocks { start, play }),
            None => Err("expected a start clock and a move clock, such as `16T, 2T`".to_owned()),
        }
    }
}

impl TryFrom<String> for Clocks {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T, {}T", self.start, self.play)
    }
}

impl From<Clocks> for String {
    fn from(clocks: Clocks) -> String {
        clocks.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written() {
        for text in ["16T, 2T", "16T,2T", " 16 T , 2T "] {
            assert_eq!(text.parse(), Ok(Clocks { start: 16, play: 2 }), "{text}");
        }
        assert_eq!(Clocks { start: 16, play: 2 }.to_string(), "16T, 2T");
        for text in ["", "16T", "16, 2", "16T, 2T, 1T", "16T, 0T", "-1T, 2T", "1.5T, 2T"] {
            assert!(text.parse::<Clocks>().is_err(), "{text}");
        }
    }

    #[test]
    fn times_of_a_move_are_read_and_written_exactly() {
        for (text, millis, written) in [("2s", 2000, "2s"), ("500 ms", 500, "0.5s")] {
            let time = MoveTime::try_from(text.to_owned()).unwrap();
            assert_eq!(time, MoveTime(Duration::from_millis(millis)));
            assert_eq!(time.to_string(), written);
            assert_eq!(MoveTime::try_from(written.to_owned()), Ok(time));
        }
        for text in ["0s", "-1s", "x", "2T"] {
            assert!(MoveTime::try_from(text.to_owned()).is_err(), "{text}");
        }
        let limit = Limit::Time { time: MoveTime(Duration::from_secs(2)) };
        assert_eq!(limit.allowances(None), (None, Allowance::of_time(Duration::from_secs(2))));
        assert!(!limit.needs_t() && limit.is_timed());
    }

    #[test]
    fn t_is_a_simulation_or_a_time() {
        let clocks = Clocks { start: 16, play: 2 };
        let fixed = Limit::Clocks { clocks, t: Unit::Milliseconds };
        let of = |millis| Allowance::of_time(Duration::from_millis(millis));
        assert_eq!(fixed.allowances(None), (Some(of(16)), of(2)));
        assert!(!fixed.needs_t());
        let counted = Limit::Clocks { clocks, t: Unit::Simulations };
        let of = Allowance::of_iterations;
        assert_eq!(counted.allowances(None), (Some(of(16)), of(2)));
        let timed = Limit::Clocks { clocks, t: Unit::Time };
        let of = |micros| Allowance::of_time(Duration::from_micros(micros));
        let t = Some(Duration::from_micros(300));
        assert_eq!(timed.allowances(t), (Some(of(4800)), of(600)));
        assert!(timed.needs_t() && !counted.needs_t());
        let is_timed = [fixed, counted, timed].map(|limit| limit.is_timed());
        assert_eq!(is_timed, [true, false, true]);
    }

    #[test]
    fn limits_are_plain_keys_of_a_cell() {
        for (limit, json) in [
            (Limit::Iterations { iterations: 5 }, r#"{"iterations":5}"#),
            (Limit::Time { time: MoveTime(Duration::from_millis(500)) }, r#"{"time":"0.5s"}"#),
            (
                Limit::Clocks { clocks: Clocks { start: 16, play: 2 }, t: Unit::Time },
                r#"{"clocks":"16T, 2T","t":"time"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&limit).unwrap(), json);
            assert_eq!(serde_json::from_str::<Limit>(json).unwrap(), limit);
        }
    }
}
