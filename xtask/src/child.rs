//! Runs work in a child process: a stack overflow, excessive memory or an endless loop ends only that
//! process, and its memory can be measured.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Limits of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessLimits {
    /// Time limit.
    pub time: Duration,
    /// Memory limit.
    pub bytes: u64,
}

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It exited.
    Exit(ExitStatus),
    /// It was killed at the time limit.
    TooLong,
    /// It was killed at the memory limit.
    TooLarge,
}

/// A process that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// Its output.
    pub output: String,
    /// Its peak memory; 0 if the system does not report it.
    pub peak: u64,
    /// Its wall-clock time.
    pub time: Duration,
}

impl Ended {
    /// Whether it exited successfully.
    pub fn is_success(&self) -> bool {
        matches!(self.end, End::Exit(status) if status.success())
    }

    /// A description of how it ended.
    pub fn verdict(&self) -> String {
        let cost = format!("after {:.1?} with {}", self.time, mebibytes(self.peak));
        match self.end {
            End::Exit(status) => format!("{status} {cost}"),
            End::TooLong => format!("killed at the time limit {cost}"),
            End::TooLarge => format!("killed at the memory limit {cost}"),
        }
    }
}

/// A number of bytes in mebibytes.
pub fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Runs this program with other arguments, within limits.
pub fn run_self(args: &[String], limits: ProcessLimits) -> Result<Ended> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(args);
    watch(command, limits)
}

/// Runs a command within limits.
pub fn watch(mut command: Command, limits: ProcessLimits) -> Result<Ended> {
    let start = Instant::now();
    let mut child =
        command.stdout(Stdio::piped()).spawn().context("the process cannot be started")?;
    let mut pipe = child.stdout.take().context("the process has an output")?;
    // The output is read concurrently, since a full pipe would block the process.
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        pipe.read_to_end(&mut output).map(|_| String::from_utf8_lossy(&output).into_owned())
    });
    let (end, peak) = wait(&mut child, limits, start)?;
    let output = reader.join().ok().and_then(Result::ok).unwrap_or_default();
    Ok(Ended { end, output, peak, time: start.elapsed() })
}

fn wait(child: &mut Child, limits: ProcessLimits, start: Instant) -> Result<(End, u64)> {
    let file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let end = loop {
        if let Some(status) = child.try_wait()? {
            return Ok((End::Exit(status), peak));
        }
        peak = peak.max(peak_in(&file));
        if peak > limits.bytes {
            break End::TooLarge;
        }
        if start.elapsed() > limits.time {
            break End::TooLong;
        }
        // Polls short work often enough for its peak, and long work rarely.
        let pause =
            (start.elapsed() / 50).clamp(Duration::from_millis(1), Duration::from_millis(20));
        std::thread::sleep(pause);
    };
    child.kill()?;
    child.wait()?;
    Ok((end, peak))
}

/// The peak memory of this process.
pub fn own_peak() -> u64 {
    peak_in("/proc/self/status")
}

fn peak_in(file: &str) -> u64 {
    std::fs::read_to_string(file).map_or(0, |status| kibibytes(&status, "VmHWM:") << 10)
}

/// The available memory.
pub fn free_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo");
    text.map_or(u64::MAX, |text| kibibytes(&text, "MemAvailable:") << 10)
}

/// The number after a name in a file of `/proc`.
fn kibibytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: ProcessLimits) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        watch(command, limits).unwrap()
    }

    const GENEROUS: ProcessLimits = ProcessLimits { time: Duration::from_mins(1), bytes: 1 << 40 };

    #[test]
    fn output_and_status_are_returned() {
        let ended = shell("echo one; exit 3", GENEROUS);
        assert_eq!(ended.output, "one\n");
        assert!(!ended.is_success() && ended.verdict().starts_with("exit status: 3"));
        assert!(shell("true", GENEROUS).is_success());
    }

    #[test]
    fn processes_are_killed_at_their_limits() {
        let short = ProcessLimits { time: Duration::from_millis(50), ..GENEROUS };
        assert_eq!(shell("exec sleep 60", short).end, End::TooLong);
        if own_peak() > 0 {
            let small = ProcessLimits { bytes: 1, ..GENEROUS };
            assert_eq!(shell("exec sleep 60", small).end, End::TooLarge);
        }
    }

    #[test]
    fn numbers_of_proc_files_are_parsed() {
        assert_eq!(kibibytes("VmRSS:\t  12 kB\nVmHWM:\t 345 kB\n", "VmHWM:"), 345);
        assert_eq!(kibibytes("VmHWM: none", "VmHWM:"), 0);
    }
}
