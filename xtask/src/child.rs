//! Work in a process of its own, so that an exhausted stack, too much memory or an endless loop
//! ends that process and not this one, and its memory can be measured.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// What the process may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How much memory it may hold.
    pub bytes: u64,
}

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Exit(ExitStatus),
    /// It took too long and was stopped.
    TooLong,
    /// It took too much memory and was stopped.
    TooLarge,
}

/// A process that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub output: String,
    /// The most memory that it held; 0 where the system does not say.
    pub peak: u64,
    /// How long it ran.
    pub time: Duration,
}

impl Ended {
    /// Whether it ended by itself and well.
    pub fn is_well(&self) -> bool {
        matches!(self.end, End::Exit(status) if status.success())
    }

    /// How it ended, in words.
    pub fn verdict(&self) -> String {
        let cost = format!("after {:.1?} with {}", self.time, mebibytes(self.peak));
        match self.end {
            End::Exit(status) => format!("{status} {cost}"),
            End::TooLong => format!("stopped for taking too long {cost}"),
            End::TooLarge => format!("stopped for taking too much memory {cost}"),
        }
    }
}

/// A number of bytes for people.
pub fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Runs this program with other arguments and watches it.
pub fn run_self(args: &[String], limits: Limits) -> Result<Ended> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(args);
    watch(command, limits)
}

/// Runs a command and watches it.
pub fn watch(mut command: Command, limits: Limits) -> Result<Ended> {
    let begin = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().context("no process can be started")?;
    let mut pipe = child.stdout.take().context("the process has an output")?;
    // The output is read meanwhile, since a full pipe would stop the process.
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        pipe.read_to_end(&mut output).map(|_| String::from_utf8_lossy(&output).into_owned())
    });
    let (end, peak) = wait(&mut child, limits, begin)?;
    let output = reader.join().ok().and_then(Result::ok).unwrap_or_default();
    Ok(Ended { end, output, peak, time: begin.elapsed() })
}

fn wait(child: &mut Child, limits: Limits, begin: Instant) -> Result<(End, u64)> {
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
        if begin.elapsed() > limits.time {
            break End::TooLong;
        }
        // Short work is seen often enough for its peak, long work is not disturbed.
        let pause =
            (begin.elapsed() / 50).clamp(Duration::from_millis(1), Duration::from_millis(20));
        std::thread::sleep(pause);
    };
    child.kill()?;
    child.wait()?;
    Ok((end, peak))
}

/// The most memory that this process has held so far.
pub fn own_peak() -> u64 {
    peak_in("/proc/self/status")
}

fn peak_in(file: &str) -> u64 {
    std::fs::read_to_string(file).map_or(0, |status| kibibytes(&status, "VmHWM:") << 10)
}

/// How much memory new work can have.
pub fn free_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo");
    text.map_or(u64::MAX, |text| kibibytes(&text, "MemAvailable:") << 10)
}

/// The number behind a name, in a text of the kernel's making.
fn kibibytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        watch(command, limits).unwrap()
    }

    const MANY: Limits = Limits { time: Duration::from_mins(1), bytes: 1 << 40 };

    #[test]
    fn output_and_status_come_through() {
        let ended = shell("echo one; exit 3", MANY);
        assert_eq!(ended.output, "one\n");
        assert!(!ended.is_well() && ended.verdict().starts_with("exit status: 3"));
        assert!(shell("true", MANY).is_well());
    }

    #[test]
    fn what_takes_too_long_or_too_much_is_stopped() {
        let brief = Limits { time: Duration::from_millis(50), ..MANY };
        assert_eq!(shell("exec sleep 60", brief).end, End::TooLong);
        if own_peak() > 0 {
            let poor = Limits { bytes: 1, ..MANY };
            assert_eq!(shell("exec sleep 60", poor).end, End::TooLarge);
        }
    }

    #[test]
    fn numbers_are_read_from_the_kernel_s_texts() {
        assert_eq!(kibibytes("VmRSS:\t  12 kB\nVmHWM:\t 345 kB\n", "VmHWM:"), 345);
        assert_eq!(kibibytes("VmHWM: none", "VmHWM:"), 0);
    }
}
