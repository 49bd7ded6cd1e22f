//! The standing of a contest, as JSON.

use ludens_arena::runner::RunReport;
use ludens_arena::standing::Standing;
use ludens_arena::stats::SprtState;
use serde::Serialize;

use super::{Millis, Settings};

/// The last line of a contest: `agents` (each with `name`, `score`, `interval`, `wins`, `draws`,
/// `losses`, `elo` and more), `games`, and the numbers of played and missing games.
#[derive(Serialize)]
pub struct Summary<'a> {
    kind: &'static str,
    /// The name of the contest in the journal.
    experiment: &'a str,
    game: &'a str,
    seed: u64,
    iterations: Option<u64>,
    milliseconds: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_milliseconds: Option<Millis>,
    #[serde(flatten)]
    standing: Standing,
    /// Games of this run.
    played: usize,
    /// Games that are not played yet.
    missing: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<&'a SprtState>,
}

impl<'a> Summary<'a> {
    /// The standing of a contest after a run.
    pub fn new(experiment: &'a str, settings: &'a Settings, report: &'a RunReport) -> Self {
        Summary {
            kind: "standing",
            experiment,
            game: &settings.game,
            seed: settings.seed,
            iterations: settings.iterations,
            milliseconds: settings.milliseconds,
            start_iterations: settings.start_iterations,
            start_milliseconds: settings.start_milliseconds,
            standing: report.board.standing(),
            played: report.played,
            missing: report.missing,
            sprt: report.sprt.as_ref(),
        }
    }
}
