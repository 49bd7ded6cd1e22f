//! Estimates of strength with their uncertainty.
//!
//! A *score* is the result of a game for one side: 1 for a win, ½ for a draw, 0 for a loss, or the
//! mean of several games. All numbers are from the point of view of the side whose scores were
//! tallied.

mod elo;
mod interval;
mod matrix;
mod moments;
mod normal;
mod ranking;
mod solve;
mod sprt;
mod tally;
mod ties;

pub use elo::{Elo, elo_of, likelihood_of_superiority, normalized_elo, score_of};
pub use interval::{Interval, score_interval, wilson};
pub use moments::Moments;
pub use normal::{Z95, normal_cdf};
pub use ranking::{Ranking, Rating};
pub use sprt::{EloScale, Sprt, SprtError, SprtState, Verdict};
pub use tally::ScoreTally;
