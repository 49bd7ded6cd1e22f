//! Trained networks: the sections `[networks.NAME]` of a file, which agents name as `{NAME}`.

use std::path::PathBuf;
use std::time::Duration;

use ludens_catalog::{CatalogError, ReasonerKind, load_source};
use ludens_learn::{Architecture, Learning, Method};
use serde::{Deserialize, Serialize};

use crate::as_text;
use crate::contest::fingerprint;
use crate::hinted::Hinted;
use crate::training::{NETWORK_FILE, Until};

/// The reasoner with which networks are trained, whatever the reasoner of the matches is.
pub const REASONER: ReasonerKind = ReasonerKind::Mixed;

/// How a network is trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSettings {
    /// The game.
    pub game: String,
    /// The method, with its settings unless others are given here.
    #[serde(with = "as_text")]
    pub method: Method,
    /// The layers.
    #[serde(default, with = "as_text::optional", skip_serializing_if = "Option::is_none")]
    pub network: Option<Architecture>,
    /// How many iterations it is trained, or …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// … how many games of self-play, or …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// … for how many minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// Simulations of a move of self-play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// The weight of the result in the target of payoffs, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<f32>,
    /// The seed; that of the run if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether the network is tested before it learns, as it is by default. The test does not change what is
    /// learnt; very deep networks learn too slowly for it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub self_test: bool,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field")]
fn is_yes(flag: &bool) -> bool {
    *flag
}

impl NetworkSettings {
    /// When the training ends; `None` unless exactly one length is stated.
    fn length(&self) -> Option<Until> {
        match (self.iterations, self.games, self.minutes) {
            (Some(iterations), None, None) => Some(Until::Iterations(iterations)),
            (None, Some(games), None) => Some(Until::Games(games)),
            (None, None, Some(minutes)) => {
                Duration::try_from_secs_f64(minutes * 60.0).ok().map(Until::Time)
            }
            _ => None,
        }
    }

    /// When the training ends.
    pub fn until(&self) -> Until {
        self.length().expect("files with another number of lengths are refused")
    }

    /// How it is trained, on one thread.
    pub fn learning(&self, run_seed: u64) -> Learning {
        let mut learning = Learning { n_threads: 1, ..self.method.settings() };
        learning.seed = self.seed.unwrap_or(run_seed);
        if let Some(architecture) = &self.network {
            learning.architecture = architecture.clone();
        }
        let self_play = &mut learning.self_play;
        self_play.simulations = self.simulations.unwrap_or(self_play.simulations);
        self_play.result = self.result.unwrap_or(self_play.result);
        learning
    }

    /// The name of its folder: its own name, a fingerprint of everything else that the network depends on, and
    /// its length.
    pub fn folder_name(&self, name: &str, run_seed: u64) -> Result<String, CatalogError> {
        Ok(format!("{name}{}{}", self.recipe(run_seed)?, self.length_text()))
    }

    /// The part of that name between its own name and its length.
    fn recipe(&self, run_seed: u64) -> Result<String, CatalogError> {
        let rules = load_source(&self.game)?.source.text;
        // The debug format has every setting, also those that the file leaves to the method.
        let all = format!("{:?} {REASONER} {rules}", self.learning(run_seed));
        Ok(format!("-{}-", &fingerprint(&all)[..8]))
    }

    fn length_text(&self) -> String {
        match self.until() {
            Until::Iterations(n) => format!("{n}i"),
            Until::Games(n) => format!("{n}g"),
            Until::Time(time) => format!("{}m", time.as_secs_f64() / 60.0),
        }
    }

    /// Whether a training has the same network at the same time however long it will be, so that a shorter one
    /// can be continued: rates are constant, and a checkpoint discards no trees.
    pub fn can_be_continued(&self) -> bool {
        let learning = self.learning(0);
        let is_constant = learning.training.final_share >= 1.0;
        let by_the_clock = matches!(self.until(), Until::Time(_));
        is_constant && !by_the_clock && learning.schedule.plays_whole_games()
    }

    /// The length of a training whose folder has this name, if it is one of the same recipe that is not longer.
    pub fn part_of_this(&self, folder_name: &str, run_seed: u64) -> Option<u64> {
        let recipe = self.recipe(run_seed).ok()?;
        let length = &folder_name[folder_name.find(&recipe)? + recipe.len()..];
        let (unit, whole) = match self.until() {
            Until::Iterations(n) => ('i', n),
            Until::Games(n) => ('g', n),
            Until::Time(_) => return None,
        };
        length.strip_suffix(unit)?.parse().ok().filter(|&part| part <= whole)
    }

    /// Its file in that folder, relative to the folder of all networks.
    pub fn file(&self, name: &str, run_seed: u64) -> Result<PathBuf, CatalogError> {
        Ok(PathBuf::from(self.folder_name(name, run_seed)?).join(NETWORK_FILE))
    }

    /// Refuses settings that cannot be trained with; `path` is for messages.
    pub fn check(&self, name: &str, path: &str) -> Result<(), Hinted> {
        let refuse = |what: &str, hint: &str| {
            Err(Hinted::new(
                format!("cannot read {path}: the section [networks.{name}] {what}"),
                hint,
            ))
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name == INITIAL_NAME || !name.chars().all(is_plain) {
            let hint = "use letters, digits, `_` and `-`; `initial` is a playout policy";
            return refuse("has a name that agents cannot use", hint);
        }
        let stated = [self.iterations.is_some(), self.games.is_some(), self.minutes.is_some()];
        match stated.iter().filter(|is_stated| **is_stated).count() {
            0 => return refuse("does not say how long", LENGTHS),
            1 => {}
            _ => return refuse("says in several ways how long", LENGTHS),
        }
        let is_positive = |n: Option<u64>| n != Some(0);
        let is_long = self.minutes.is_none_or(|minutes| minutes > 0.0) && self.length().is_some();
        if !(is_positive(self.iterations) && is_positive(self.games) && is_long) {
            return refuse("trains for no time", LENGTHS);
        }
        if !is_positive(self.simulations) {
            return refuse(
                "searches without simulations",
                "write a number such as `simulations = 50`",
            );
        }
        if self.result.is_some_and(|result| !(0.0..=1.0).contains(&result)) {
            return refuse("has a `result` that is not from 0 to 1", "write `result = 0.5`");
        }
        Ok(())
    }

    /// In words.
    pub fn text(&self) -> String {
        let learning = self.learning(0);
        let length = match self.until() {
            Until::Iterations(n) => format!("{n} iterations"),
            Until::Games(n) => format!("{n} games"),
            Until::Time(time) => format!("{} minutes", time.as_secs_f64() / 60.0),
        };
        let seed = self.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
        format!(
            "{}, {}, {}, {length}, {} simulations, r = {}{seed}",
            self.game,
            self.method,
            learning.architecture,
            learning.self_play.simulations,
            learning.self_play.result
        )
    }
}

/// The name of the learnt playout policy, which is no network.
pub const INITIAL_NAME: &str = "initial";

const LENGTHS: &str = "write one of `iterations = 100`, `games = 1000` and `minutes = 5`";

/// The names in braces in the text of an agent.
pub fn names(agent: &str) -> impl Iterator<Item = &str> {
    agent.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
}

/// The text of an agent with values in place of names in braces.
pub fn filled(agent: &str, value: impl Fn(&str) -> String) -> String {
    let fill = |text: String, name| text.replace(&format!("{{{name}}}"), &value(name));
    names(agent).fold(agent.to_owned(), fill)
}

/// The text of an agent without what it has learnt.
pub fn unlearnt(agent: &str) -> String {
    filled(agent, |_| "none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> NetworkSettings {
        toml::from_str(&format!("game = 'tictactoe'\nmethod = 'ggpzero'\n{text}")).unwrap()
    }

    #[test]
    fn settings_that_cannot_be_trained_with_are_refused() {
        for (name, text, answer) in [
            ("a", "", "the section [networks.a] does not say how long"),
            ("a", "iterations = 5\ngames = 5", "says in several ways how long"),
            ("a", "games = 5\nminutes = 5", "says in several ways how long"),
            ("a", "games = 0", "trains for no time"),
            ("a", "iterations = 0", "trains for no time"),
            ("a", "minutes = -1", "trains for no time"),
            ("a", "minutes = nan", "trains for no time"),
            ("a", "minutes = 1e300", "trains for no time"),
            ("a", "games = 5\nsimulations = 0", "searches without simulations"),
            ("a", "games = 5\nresult = 1.5", "a `result` that is not from 0 to 1"),
            ("initial", "games = 5", "has a name that agents cannot use"),
            ("a b", "games = 5", "has a name that agents cannot use"),
        ] {
            let error = settings(text).check(name, "a.toml").unwrap_err().to_string();
            assert!(error.starts_with("cannot read a.toml: ") && error.contains(answer), "{error}");
        }
        let full =
            "minutes = 0.5\nnetwork = 'ggpzero(depth=3)'\nsimulations = 9\nresult = 0\nseed = 4";
        let full = settings(full);
        assert_eq!(full.check("a", "a.toml"), Ok(()));
        assert_eq!(full.until(), Until::Time(Duration::from_secs(30)));
        let text =
            "tictactoe, ggpzero, ggpzero(depth=3), 0.5 minutes, 9 simulations, r = 0, seed 4";
        assert_eq!(full.text(), text);
        let json = serde_json::to_string(&full).unwrap();
        assert_eq!(serde_json::from_str::<NetworkSettings>(&json).unwrap(), full);
    }

    #[test]
    fn the_folder_depends_on_everything() {
        let name = |text: &str, seed| settings(text).folder_name("a", seed).unwrap();
        let plain = name("games = 5", 1);
        assert!(plain.starts_with("a-") && plain.ends_with("-5g") && plain.len() == 13, "{plain}");
        let spelt_out = "games = 5\nseed = 1\nsimulations = 50\nresult = 1\nself_test = false";
        assert_eq!(plain, name(spelt_out, 2));
        let mut all =
            vec![plain, name("games = 5", 2), name("games = 6", 1), name("iterations = 5", 1)];
        all.push(name("games = 5\nnetwork = 'gaz'", 1));
        all.push(name("games = 5\nsimulations = 51", 1));
        all.push(name("games = 5\nresult = 0.5", 1));
        let other_game = NetworkSettings { game: "nim".to_owned(), ..settings("games = 5") };
        all.push(other_game.folder_name("a", 1).unwrap());
        let other_method = NetworkSettings { method: Method::Gaz, ..settings("games = 5") };
        all.push(other_method.folder_name("a", 1).unwrap());
        let n = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), n);
    }

    #[test]
    fn shorter_trainings_of_the_same_recipe_are_recognised() {
        let name = |text: &str, seed| settings(text).folder_name("b", seed).unwrap();
        let long = settings("iterations = 50");
        let part = |name: &str| long.part_of_this(name, 1);
        assert_eq!(part(&name("iterations = 5", 1)), Some(5));
        assert_eq!(part(&name("iterations = 50", 1)), Some(50));
        assert_eq!(part(&name("iterations = 51", 1)), None, "a longer one");
        assert_eq!(part(&name("iterations = 5", 2)), None, "another seed");
        assert_eq!(part(&name("iterations = 5\nsimulations = 9", 1)), None);
        assert_eq!(part(&name("games = 5", 1)), None, "another unit");
        assert_eq!(part(&format!("{}.part", name("iterations = 5", 1))), None, "not finished");
        assert!(long.can_be_continued() && !settings("minutes = 5").can_be_continued());
        let fast = NetworkSettings { method: Method::Fast, ..long.clone() };
        assert!(!fast.can_be_continued(), "its rate falls until the end");
    }

    #[test]
    fn names_in_braces_are_found_and_filled() {
        let agent = "zero(file={c4}, iterations=5) + x(initial={initial})";
        assert_eq!(names(agent).collect::<Vec<_>>(), ["c4", "initial"]);
        assert_eq!(
            filled(agent, str::to_uppercase),
            "zero(file=C4, iterations=5) + x(initial=INITIAL)"
        );
        assert_eq!(unlearnt("nn(file={a})"), "nn(file=none)");
        assert_eq!(names("uct").count() + names("{open").count(), 0);
    }
}
