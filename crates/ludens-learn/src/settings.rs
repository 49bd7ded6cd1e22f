//! The settings of a training by name: one table for `--set NAME=VALUE`, its help, and what files say about how
//! their network was trained.

use std::fmt;
use std::str::FromStr;

use ludens_search::Growth;

use crate::learner::Learning;
use crate::schedule::Schedule;
use crate::self_play::{Choosing, PlayoutCap};

/// A setting of a training.
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Reads it; `None` if the method does not have it.
    get: fn(&Learning) -> Option<String>,
    /// Changes it.
    set: fn(&mut Learning, &str) -> Result<(), String>,
}

impl Setting {
    /// Its value; `None` if the method does not have it.
    pub fn value(&self, learning: &Learning) -> Option<String> {
        (self.get)(learning)
    }
}

/// A value within bounds.
fn within<T: FromStr + PartialOrd + fmt::Display + Copy>(
    text: &str,
    min: T,
    max: T,
) -> Result<T, String> {
    let valid = |value: &T| *value >= min && *value <= max;
    let wrong = || format!("`{text}` is not a number from {min} to {max}");
    text.parse().ok().filter(valid).ok_or_else(wrong)
}

/// Assigns a value if it is valid.
fn assign<T>(field: &mut T, value: Result<T, String>) -> Result<(), String> {
    *field = value?;
    Ok(())
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| format!("`{text}` is neither `true` nor `false`"))
}

/// What is said of a setting that only the other way of choosing moves has.
fn other_choosing<T>() -> Result<T, String> {
    Err("the method chooses moves in another way, and does not have it".to_owned())
}

/// A setting that is a number in a field.
macro_rules! number {
    ($name:literal, $doc:literal, $($field:ident).+, $min:expr, $max:expr) => {
        Setting {
            name: $name,
            doc: $doc,
            get: |learning| Some(learning.$($field).+.to_string()),
            set: |learning, text| assign(&mut learning.$($field).+, within(text, $min, $max)),
        }
    };
}

/// A setting that is `true` or `false`.
macro_rules! flag {
    ($name:literal, $doc:literal, $($field:ident).+) => {
        Setting {
            name: $name,
            doc: $doc,
            get: |learning| Some(learning.$($field).+.to_string()),
            set: |learning, text| assign(&mut learning.$($field).+, yes_or_no(text)),
        }
    };
}

/// A setting of one way of choosing moves.
macro_rules! choosing {
    ($name:literal, $doc:literal, $pattern:pat => $value:expr, $min:expr, $max:expr) => {
        Setting {
            name: $name,
            doc: $doc,
            get: |learning| match &learning.self_play.choosing {
                $pattern => Some($value.to_string()),
                _ => None,
            },
            set: |learning, text| match &mut learning.self_play.choosing {
                $pattern => assign(&mut $value, within(text, $min, $max)),
                _ => other_choosing(),
            },
        }
    };
}

/// All settings.
pub const SETTINGS: &[Setting] = &[
    number!(
        "simulations",
        "simulations of a move of self-play",
        self_play.simulations,
        1,
        1_000_000
    ),
    number!(
        "result",
        "weight r of the result in the target of payoffs",
        self_play.result,
        0.0,
        1.0
    ),
    number!("exploration", "weight of exploration by PUCT", self_play.exploration, 0.0, 1000.0),
    Setting {
        name: "growth",
        doc: "how exploration grows with visits: `sqrt` or `none`",
        get: |learning| {
            let is_none = learning.self_play.growth == Growth::None;
            Some(if is_none { "none" } else { "sqrt" }.to_owned())
        },
        set: |learning, text| {
            learning.self_play.growth = match text {
                "sqrt" => Growth::SquareRoot,
                "none" => Growth::None,
                _ => return Err(format!("`{text}` is neither `sqrt` nor `none`")),
            };
            Ok(())
        },
    },
    number!("reduction", "how much less an unvisited move counts", self_play.reduction, -1.0, 1.0),
    flag!("solver", "whether proven values are backed up and end games", self_play.solver),
    flag!("proven_lines", "whether the positions of a proof are learnt", self_play.proven_lines),
    Setting {
        name: "mix",
        doc: "weight of random playouts in the values of leaves; `auto` for what results suggest",
        get: |learning| {
            Some(learning.self_play.mix.map_or("auto".to_owned(), |mix| mix.to_string()))
        },
        set: |learning, text| {
            let value = if text == "auto" { Ok(None) } else { within(text, 0.0, 1.0).map(Some) };
            assign(&mut learning.self_play.mix, value)
        },
    },
    number!(
        "opening",
        "most random moves at the beginning of a game",
        self_play.max_opening,
        0,
        1000
    ),
    number!(
        "max_plies",
        "joint moves after which a game is cut",
        self_play.max_plies,
        1,
        1_000_000
    ),
    choosing!(
        "considered", "moves that Gumbel root selection considers",
        Choosing::Gumbel { n_considered: n, .. } => *n, 1, 65_536
    ),
    choosing!(
        "c_visit", "visits added to the most visited move in the scale of values (Danihelka et al. 2022)",
        Choosing::Gumbel { improvement: i, .. } => i.visits, 0.0, 1e6
    ),
    choosing!(
        "c_scale", "scale of values in the improved policy (Danihelka et al. 2022)",
        Choosing::Gumbel { improvement: i, .. } => i.values, 0.0, 1e3
    ),
    choosing!(
        "temperature", "moves are sampled by visits^(1/temperature)",
        Choosing::Visits(v) => v.temperature, 0.0, 100.0
    ),
    choosing!(
        "sampled_plies", "joint moves of a game that are sampled; then the most visited is made",
        Choosing::Visits(v) => v.sampled_plies, 0, usize::MAX
    ),
    choosing!(
        "noise", "share of Dirichlet noise in the priors of the root",
        Choosing::Visits(v) => v.noise.share, 0.0, 1.0
    ),
    choosing!(
        "concentration", "the noise has α = concentration / legal moves",
        Choosing::Visits(v) => v.noise.concentration, 1e-3, 1e6
    ),
    choosing!(
        "forced", "factor of forced playouts, which are not learnt (Wu 2019)",
        Choosing::Visits(v) => v.forced, 0.0, 1000.0
    ),
    Setting {
        name: "cap",
        doc: "playout-cap randomisation (Wu 2019): probability of a full search and simulations of a short one, \
              as `0.25/8`; `none`",
        get: |learning| match &learning.self_play.choosing {
            Choosing::Visits(v) => {
                Some(v.cap.map_or("none".to_owned(), |PlayoutCap { full, simulations }| {
                    format!("{full}/{simulations}")
                }))
            }
            Choosing::Gumbel { .. } => None,
        },
        set: |learning, text| {
            let Choosing::Visits(v) = &mut learning.self_play.choosing else {
                return other_choosing();
            };
            v.cap = match text.split_once('/') {
                None if text == "none" => None,
                Some((full, n)) => Some(PlayoutCap {
                    full: within(full, 0.0, 1.0)?,
                    simulations: within(n, 1, 1_000_000)?,
                }),
                None => return Err(format!("`{text}` is not of the form `0.25/8`")),
            };
            Ok(())
        },
    },
    number!("batch", "positions of a mini-batch", training.batch, 1, 1_000_000),
    number!("rate", "learning rate at the beginning", training.rate, 0.0, 10.0),
    number!(
        "final_rate",
        "learning rate at the end, as a share of the first",
        training.final_share,
        0.0,
        1.0
    ),
    number!("decay", "weight decay", training.decay, 0.0, 1.0),
    number!("ratio", "how often each position is learnt", training.ratio, 0.0, 1e6),
    number!(
        "window",
        "share of all positions that are learnt, the newest",
        training.window,
        0.0,
        1.0
    ),
    number!(
        "averaging",
        "share of the averaged weights kept in a step",
        training.averaging,
        0.0,
        1.0
    ),
    flag!("symmetries", "whether samples are multiplied by the symmetries of the game", symmetries),
    Setting {
        name: "rounds",
        doc: "rounds of moves between two trainings",
        get: |learning| match learning.schedule {
            Schedule::Rounds(n) => Some(n.to_string()),
            Schedule::PerGame { .. } | Schedule::Gated(_) => None,
        },
        set: |learning, text| match &mut learning.schedule {
            Schedule::Rounds(n) => assign(n, within(text, 1, 1_000_000)),
            _ => Err("the method plays whole games, and does not have it".to_owned()),
        },
    },
    number!("groups", "groups of games side by side", n_groups, 1, 4096),
    number!("games", "games of a group", games_per_group, 1, 65_536),
];

impl Learning {
    /// Changes the setting with a name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let names: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
            return Err(format!("no setting is called `{name}`; there are {}", names.join(", ")));
        };
        (setting.set)(self, value).map_err(|why| format!("{name}: {why}"))
    }

    /// The settings that are not those of the method, with their values.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let usual = self.method.settings();
        let changed = |setting: &Setting| {
            let value = setting.value(self)?;
            (setting.value(&usual).as_ref() != Some(&value)).then_some((setting.name, value))
        };
        SETTINGS.iter().filter_map(changed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;

    #[test]
    fn settings_round_trip_and_are_told_when_they_change() {
        for method in [Method::Fast, Method::GgpZero, Method::Gaz, Method::Descent] {
            let mut learning = method.settings();
            assert_eq!(learning.changed(), [], "{method}");
            for setting in SETTINGS {
                if let Some(value) = setting.value(&learning) {
                    learning.set(setting.name, &value).unwrap();
                }
            }
            assert_eq!(learning, method.settings(), "{method}");
        }
        let mut learning = Method::Fast.settings();
        for (name, value) in [("c_scale", "0.1"), ("solver", "false"), ("growth", "none")] {
            learning.set(name, value).unwrap();
        }
        let changed: Vec<String> =
            learning.changed().into_iter().map(|(name, value)| format!("{name} {value}")).collect();
        assert_eq!(changed, ["growth none", "solver false", "c_scale 0.1"]);
        let mut paper = Method::Gaz.settings();
        paper.set("cap", "0.25/8").unwrap();
        assert_eq!(paper.changed(), [("cap", "0.25/8".to_owned())]);
    }

    #[test]
    fn wrong_names_and_values_are_refused() {
        for (name, value, why) in [
            ("colour", "1", "no setting is called `colour`; there are simulations, result"),
            ("ratio", "many", "ratio: `many` is not a number from 0 to 1000000"),
            ("ratio", "NaN", "ratio: `NaN` is not a number"),
            ("simulations", "0", "simulations: `0` is not a number from 1"),
            ("solver", "maybe", "solver: `maybe` is neither `true` nor `false`"),
            ("temperature", "1", "temperature: the method chooses moves in another way"),
            ("growth", "log", "growth: `log` is neither"),
        ] {
            let error = Method::Fast.settings().set(name, value).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
