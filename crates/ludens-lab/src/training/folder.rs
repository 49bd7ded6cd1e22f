//! The folder of a training: the network, the checkpoint, the metrics, the events of `TensorBoard`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ludens_learn::{AnyLearner, NetworkFile, write_whole};

use super::metrics::Metrics;
use super::tensorboard::EventFile;
use crate::hinted::Hinted;

/// The file of the network in the folder.
pub const NETWORK_FILE: &str = "network.safetensors";

/// The file of the metrics in the folder, one JSON object a line.
pub const METRICS_FILE: &str = "metrics.jsonl";

/// The file from which an interrupted training continues.
pub const CHECKPOINT_FILE: &str = "checkpoint.safetensors";

/// An open folder.
pub(super) struct Folder<'a> {
    path: &'a Path,
    metrics: File,
    events: EventFile,
    /// Whether the training begins, and is not continued.
    pub is_new: bool,
}

impl<'a> Folder<'a> {
    /// Creates the folder, or restores the training from the checkpoint in it. A network without a
    /// checkpoint is finished, and not overwritten.
    pub fn open(path: &'a Path, learner: &mut dyn AnyLearner) -> anyhow::Result<Self> {
        let within = || format!("cannot write to {}", path.display());
        std::fs::create_dir_all(path).with_context(within)?;
        let (network, checkpoint) = (path.join(NETWORK_FILE), path.join(CHECKPOINT_FILE));
        let is_new = !checkpoint.exists();
        if !is_new {
            restore(&checkpoint, learner)?;
        } else if network.exists() {
            let message = format!("{} already exists", network.display());
            return Err(Hinted::new(message, "choose another folder, or remove this one").into());
        }
        let metrics = path.join(METRICS_FILE);
        let metrics = OpenOptions::new().create(true).append(true).open(metrics);
        let (metrics, events) =
            (metrics.with_context(within)?, EventFile::create(path).with_context(within)?);
        Ok(Folder { path, metrics, events, is_new })
    }

    /// Adds a line to the metrics, and an event.
    pub fn write_metrics(&mut self, metrics: &Metrics) -> anyhow::Result<()> {
        let line = serde_json::to_string(metrics).context("metrics are valid JSON")?;
        writeln!(self.metrics, "{line}").context("cannot write metrics")?;
        self.events.write(metrics.steps, &metrics.scalars()).context("cannot write events")
    }

    /// Writes the network.
    pub fn save_network(&self, network: &NetworkFile) -> anyhow::Result<PathBuf> {
        let file = self.path.join(NETWORK_FILE);
        network.write(&file).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// Writes a checkpoint, for which trees are discarded.
    pub fn save_checkpoint(&self, learner: &mut dyn AnyLearner) -> anyhow::Result<()> {
        let file = self.path.join(CHECKPOINT_FILE);
        let checkpoint = learner.checkpoint().map_err(anyhow::Error::from);
        let written = checkpoint.and_then(|bytes| Ok(write_whole(&file, &bytes)?));
        written.with_context(|| format!("cannot write {}", file.display()))
    }

    /// Removes the checkpoint of a training of which nothing is left to continue.
    pub fn remove_checkpoint(&self) {
        std::fs::remove_file(self.path.join(CHECKPOINT_FILE)).ok();
    }
}

fn restore(checkpoint: &Path, learner: &mut dyn AnyLearner) -> anyhow::Result<()> {
    let place = || format!("cannot continue from {}", checkpoint.display());
    let bytes = std::fs::read(checkpoint).with_context(place)?;
    learner.restore(&bytes).map_err(|error| {
        let hint =
            "continue with the same game, reasoner, seed and memory, or choose another folder";
        Hinted::new(format!("{}: {error}", place()), hint).into()
    })
}
