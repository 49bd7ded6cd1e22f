//! Trains the networks of cells, each once.
//!
//! A network is trained in a folder whose name ends in `.part`; the name of the finished one is that which
//! agents see, so that no game is played with half of a training.

use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_catalog::Cache;
use serde::{Deserialize, Serialize};

use super::networks::{NetworkSettings, REASONER};
use crate::event::{Event, Events};
use crate::initial_policy::{check_name, create};
use crate::load::LoadSettings;
use crate::stop::Stop;
use crate::training::{CHECKPOINT_FILE, Evaluation, METRICS_FILE, NETWORK_FILE, Training, Until};

/// Trains networks.
pub struct NetworkTrainer<'a> {
    /// The folder of all networks.
    pub folder: &'a Path,
    /// The seed of networks that have none of their own.
    pub seed: u64,
    /// How many threads train.
    pub n_threads: usize,
    /// The cache of the rules.
    pub cache: &'a Cache,
    /// Stops it early.
    pub stop: &'a Stop,
}

impl NetworkTrainer<'_> {
    /// The file of a network, which is trained if it does not exist, and trained further if its training was
    /// interrupted; `None` if the flag is raised meanwhile.
    pub fn file(
        &self,
        name: &str,
        settings: &NetworkSettings,
        events: &mut Events<'_>,
    ) -> anyhow::Result<Option<PathBuf>> {
        let folder_name = settings.folder_name(name, self.seed)?;
        let (folder, part) =
            (self.folder.join(&folder_name), self.folder.join(format!("{folder_name}.part")));
        let file = folder.join(NETWORK_FILE);
        let hint = "choose a journal in a folder without blanks, brackets, `,`, `=` and `+`";
        check_name(&file, hint)?;
        if file.exists() {
            return Ok(Some(file));
        }
        create(self.folder)?;
        if !self.train(name, settings, &part, events)? {
            return Ok(None);
        }
        std::fs::rename(&part, &folder)
            .with_context(|| format!("cannot rename {} to {}", part.display(), folder.display()))?;
        Ok(Some(file))
    }

    /// Trains in a folder; returns whether the training is finished.
    fn train(
        &self,
        name: &str,
        settings: &NetworkSettings,
        folder: &Path,
        events: &mut Events<'_>,
    ) -> anyhow::Result<bool> {
        // Without a checkpoint there is nothing from which an interrupted training could continue.
        if folder.exists() && !folder.join(CHECKPOINT_FILE).exists() {
            let within = || format!("cannot remove {}", folder.display());
            std::fs::remove_dir_all(folder).with_context(within)?;
        }
        if !folder.exists() {
            self.copy_shorter(settings, folder)?;
        }
        let load = LoadSettings::from(REASONER);
        let game = load.load_game(&settings.game, self.cache, events)?;
        let mut learning = settings.learning(self.seed);
        learning.n_threads = self.n_threads;
        let until = settings.until();
        if let Until::Time(_) = until {
            learning = learning.by_the_clock();
        }
        let training = Training {
            learning,
            until,
            folder,
            self_test: settings.self_test,
            evaluation: Evaluation::OFF,
            // Where a seed decides everything, the file has nothing that depends on the clock.
            trial: matches!(settings.until(), Until::Time(_)),
            keep: &[],
            keep_checkpoint: settings.can_be_continued(),
            journal: None,
            stop: self.stop,
        };
        let mut show = |metrics: &_| events(Event::Training { network: name, metrics });
        let trained = training.run(&game, &mut show);
        let trained = trained.with_context(|| format!("[networks.{name}]"))?;
        // A training ends when all is done, when its time is up, or when it is stopped.
        Ok(trained.metrics.progress >= 1.0 || !self.stop.is_raised())
    }

    /// Begins a training where the longest shorter one of the same recipe ended, if there is one.
    fn copy_shorter(&self, settings: &NetworkSettings, folder: &Path) -> anyhow::Result<()> {
        if !settings.can_be_continued() {
            return Ok(());
        }
        let within = || format!("cannot read {}", self.folder.display());
        let mut longest = None;
        for entry in std::fs::read_dir(self.folder).with_context(within)? {
            let path = entry.with_context(within)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.join(CHECKPOINT_FILE).exists() {
                longest = longest.max(settings.part_of_this(name, self.seed).map(|n| (n, path)));
            }
        }
        let Some((_, shorter)) = longest else { return Ok(()) };
        create(folder)?;
        // The checkpoint comes last: without one the folder is removed.
        for file in [METRICS_FILE, CHECKPOINT_FILE] {
            let (from, to) = (shorter.join(file), folder.join(file));
            std::fs::copy(&from, to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        Ok(())
    }
}

/// How long a network was trained.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingTime {
    /// Seconds of self-play and training.
    pub seconds: f64,
    /// Games of self-play.
    pub games: u64,
}

impl TrainingTime {
    /// The numbers in the last metrics beside the file of a network, if there are any.
    pub fn read(network: &Path) -> Option<Self> {
        let metrics = std::fs::read_to_string(network.with_file_name(METRICS_FILE)).ok()?;
        let last: TrainingTime = serde_json::from_str(metrics.lines().last()?).ok()?;
        Some(TrainingTime { seconds: (last.seconds * 10.0).round() / 10.0, ..last })
    }
}
