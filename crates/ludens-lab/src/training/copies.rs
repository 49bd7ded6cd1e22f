//! Copies of the network at certain times of a training, so that one training gives a curve over time.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use ludens_learn::NetworkFile;

use super::Until;
use crate::hinted::Hinted;

/// The copies that are still to be made.
pub(super) struct Copies {
    /// The times, the latest first.
    times: Vec<Duration>,
}

impl Copies {
    /// Copies of a training that begins, or continues, after this time. What a continued training
    /// has written before its interruption stays; a time that is over and has no copy cannot have one.
    pub fn new(times: &[Duration], folder: &Path, continued: Option<Duration>) -> Self {
        let is_left = |time: &Duration| {
            continued.is_none_or(|elapsed| *time > elapsed && !copy_file(folder, *time).exists())
        };
        let mut times: Vec<Duration> = times.iter().copied().filter(is_left).collect();
        times.sort_by(|a, b| b.cmp(a));
        times.dedup();
        Copies { times }
    }

    /// Writes the copies that are due after a time of training.
    pub fn write(
        &mut self,
        elapsed: Duration,
        folder: &Path,
        network: impl Fn() -> NetworkFile,
    ) -> anyhow::Result<()> {
        while let Some(time) = self.times.pop_if(|time| *time <= elapsed) {
            let file = copy_file(folder, time);
            let written = network().write(&file);
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }
}

/// Refuses copies after the end of a training.
pub(super) fn check(times: &[Duration], until: Until) -> Result<(), Hinted> {
    let Until::Time(total) = until else { return Ok(()) };
    match times.iter().find(|&&time| time > total) {
        None => Ok(()),
        Some(&time) => {
            let (time, total) = (label(time), label(total));
            let message = format!("a copy after {time} is later than the end, after {total}");
            Err(Hinted::new(message, "train longer, or leave out that time"))
        }
    }
}

/// The file of the copy that a training in a folder makes after this time.
pub fn copy_file(folder: &Path, time: Duration) -> PathBuf {
    folder.join(format!("network-{}.safetensors", label(time)))
}

/// A time as part of a file name, each in one form: `15s`, `2m`, `90s`, `1500ms`.
fn label(time: Duration) -> String {
    let millis = time.as_millis();
    match millis {
        _ if millis > 0 && millis.is_multiple_of(60_000) => format!("{}m", millis / 60_000),
        _ if millis.is_multiple_of(1_000) => format!("{}s", millis / 1_000),
        _ => format!("{millis}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_one_name() {
        let labels = [15_000, 60_000, 90_000, 120_000, 1_500, 3_600_000]
            .map(|millis| label(Duration::from_millis(millis)));
        assert_eq!(labels, ["15s", "1m", "90s", "2m", "1500ms", "60m"]);
    }

    #[test]
    fn what_a_continued_training_has_written_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let times = [40, 10, 30, 20, 40].map(Duration::from_secs);
        std::fs::write(copy_file(folder.path(), times[2]), "written before the interruption")
            .unwrap();
        let left = |continued: Option<u64>| {
            let copies = Copies::new(&times, folder.path(), continued.map(Duration::from_secs));
            copies.times.iter().map(Duration::as_secs).collect::<Vec<_>>()
        };
        assert_eq!(left(Some(15)), [40, 20]);
        assert_eq!(left(Some(40)), [0; 0]);
        assert_eq!(left(None), [40, 30, 20, 10], "a new training writes all");
    }

    #[test]
    fn copies_after_the_end_are_refused() {
        let seconds = Duration::from_secs;
        let until = Until::Time(seconds(60));
        assert!(check(&[seconds(15), seconds(60)], until).is_ok());
        let error = check(&[seconds(120)], until).unwrap_err();
        assert_eq!(error.to_string(), "a copy after 2m is later than the end, after 1m");
        assert!(check(&[seconds(120)], Until::Games(3)).is_ok());
    }
}
