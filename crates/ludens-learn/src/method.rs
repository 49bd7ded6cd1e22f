//! Methods: the training loops of two papers beside our own, as settings of one learner.

use std::fmt;
use std::str::FromStr;

use ludens_search::{Growth, RootNoise};

use crate::architecture::Architecture;
use crate::learner::Learning;
use crate::schedule::{Gating, Schedule};
use crate::self_play::{Choosing, SelfPlay, VisitCounts};
use crate::trainer::Training;

/// A method of learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Ours, made for a few minutes on CPUs: Gumbel search, proven values, training in step with play.
    #[default]
    Fast,
    /// `GGPZero` (Gunawan, Ruan, Thielscher and Narayanan 2020): iterations of self-play with the best network,
    /// training of a new one, and a match between them.
    GgpZero,
    /// Generalised `AlphaZero` (Goldwaser and Thielscher 2020): after each game, mini-batches from a buffer of
    /// the newest positions.
    Gaz,
    /// Descent (Cohen-Solal 2020): minimax values in place of policies, for games in which one role decides at
    /// a time.
    Descent,
}

/// All methods with their names.
const NAMES: [(Method, &str); 4] = [
    (Method::Fast, "fast"),
    (Method::GgpZero, "ggpzero"),
    (Method::Gaz, "gaz"),
    (Method::Descent, "descent"),
];

impl Method {
    /// The settings of the method. What the papers leave open is ours, and scaled to a machine with a few
    /// cores; `docs/learning.md` says which is which.
    pub fn settings(self) -> Learning {
        match self {
            Method::Fast => Learning::default(),
            Method::GgpZero => ggpzero(),
            Method::Gaz => gaz(),
            Method::Descent => descent(),
        }
    }
}

/// Self-play of both papers: PUCT with visit counts, nothing proven, no random opening.
fn paper_self_play(sampled_plies: usize, result: f32) -> SelfPlay {
    SelfPlay {
        simulations: 50,
        choosing: Choosing::Visits(VisitCounts {
            temperature: 1.0,
            sampled_plies,
            noise: RootNoise { share: 0.25, concentration: 10.0 },
            forced: 0.0,
            cap: None,
        }),
        growth: Growth::SquareRoot,
        solver: false,
        max_opening: 0,
        weighs_playouts: false,
        result,
        ..SelfPlay::default()
    }
}

/// Training of both papers: a constant rate, and play with the weights as they are.
fn paper_training(batch: usize, rate: f64) -> Training {
    Training { batch, rate, final_share: 1.0, averaging: 0.0, ..Training::default() }
}

fn ggpzero() -> Learning {
    Learning {
        method: Method::GgpZero,
        self_play: paper_self_play(15, 1.0),
        training: paper_training(64, 0.002),
        architecture: Architecture::GgpZero { depth: 20 },
        schedule: Schedule::Gated(Gating {
            n_recent: 10,
            epochs: 4.0,
            n_games: 32,
            sampled_plies: 4,
        }),
        symmetries: false,
        n_groups: 4,
        games_per_group: 16,
        ..Learning::default()
    }
}

fn gaz() -> Learning {
    Learning {
        method: Method::Gaz,
        self_play: paper_self_play(usize::MAX, 0.5),
        training: paper_training(128, 0.001),
        architecture: Architecture::Gaz,
        schedule: Schedule::PerGame { steps: 10, buffer: 20_000 },
        symmetries: false,
        n_groups: 4,
        games_per_group: 8,
        ..Learning::default()
    }
}

fn descent() -> Learning {
    Learning {
        method: Method::Descent,
        training: Training { ratio: 2.0, ..Training::default() },
        games_per_group: 16,
        ..Learning::default()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(method, _)| method == self).map(|(_, name)| name);
        f.write_str(name.expect("every method has a name"))
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = NAMES.iter().find(|(_, name)| *name == text).map(|(method, _)| *method);
        let unknown = || {
            format!(
                "no method is called `{text}`; there are `fast`, `ggpzero`, `gaz` and `descent`"
            )
        };
        known.ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_settings_know_their_method() {
        for (method, name) in NAMES {
            assert_eq!(name.parse(), Ok(method));
            assert_eq!(method.to_string(), name);
            assert_eq!(method.settings().method, method);
        }
        let error = "alphazero".parse::<Method>().unwrap_err();
        assert!(error.contains("`alphazero`") && error.contains("`gaz`"), "{error}");
    }

    #[test]
    fn the_papers_numbers_are_kept() {
        let ggpzero = Method::GgpZero.settings();
        assert_eq!((ggpzero.self_play.simulations, ggpzero.self_play.result), (50, 1.0));
        assert_eq!(ggpzero.architecture.to_string(), "ggpzero(depth=20)");
        let gaz = Method::Gaz.settings();
        assert_eq!((gaz.training.batch, gaz.self_play.result), (128, 0.5));
        assert_eq!(gaz.schedule, Schedule::PerGame { steps: 10, buffer: 20_000 });
        assert_eq!(gaz.architecture, Architecture::Gaz);
    }
}
