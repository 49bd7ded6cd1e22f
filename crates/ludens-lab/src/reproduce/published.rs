//! Published results: a score, wins and losses, or a mean payoff.

use serde::{Deserialize, Serialize};

use super::file::CellFile;
use super::verdict::percent;
use crate::hinted::Hinted;

/// Games that the first agent won and lost, in percent; the rest was drawn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Wins.
    pub win: f64,
    /// Losses.
    pub loss: f64,
}

impl Results {
    /// The score, in which draws count as half.
    fn score(self) -> f64 {
        self.win + (100.0 - self.win - self.loss) / 2.0
    }
}

/// What a paper gives for a cell.
pub struct Published {
    /// The score in percent, if there is one.
    pub score: Option<f64>,
    /// The wins and losses that make it, if the paper gives them.
    pub results: Option<Results>,
}

impl Published {
    /// The result of a cell; `path` is for messages. A score is the mean payoff of the first agent in
    /// percent, so that a payoff is a score in other units.
    pub fn read(cell: &CellFile, path: &str) -> Result<Self, Hinted> {
        let what = match (cell.score, cell.win, cell.loss, cell.payoff) {
            (score, None, None, None) => return Ok(Published { score, results: None }),
            (None, None, None, Some(payoff)) => {
                return Ok(Published { score: Some(percent(payoff)), results: None });
            }
            (None, Some(win), Some(loss), None) => {
                let results = Results { win, loss };
                return Ok(Published { score: Some(results.score()), results: Some(results) });
            }
            (.., Some(_)) => "has both a `payoff` and another result",
            (Some(_), ..) => "has both a `score` and wins or losses",
            _ => "has only one of `win` and `loss`",
        };
        let message = format!("cannot read {path}: the cell `{}` {what}", cell.name);
        let hint = "write `score = 60`, or `win = 50` and `loss = 30`, or `payoff = 0.6`";
        Err(Hinted::new(message, hint))
    }
}
