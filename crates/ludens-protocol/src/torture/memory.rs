//! Memory of the player, if it runs on this machine and the system reports it.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;

use super::report::Notes;
use super::subject::Subject;
use crate::client::Address;

/// Resident memory in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Before the trial.
    pub before: usize,
    /// The peak during it.
    pub peak: usize,
    /// After it.
    pub after: usize,
}

impl Footprint {
    /// The growth at the peak.
    pub fn growth(&self) -> usize {
        self.peak.saturating_sub(self.before)
    }
}

/// Memory stays bounded during all trials.
pub async fn bounded(subject: &Subject, notes: &mut Notes) {
    subject.check_memory(notes);
}

/// A process of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Process(u32);

impl Process {
    /// The process that listens at the player's address; `None` if it runs elsewhere, belongs to
    /// another user, or the system does not report it.
    pub async fn listening(player: &Address) -> Option<Self> {
        let place = (player.host.trim_matches(['[', ']']), player.port);
        let mut places = tokio::net::lookup_host(place).await.ok()?;
        // Only an address of this machine can be bound.
        let is_here = |place: SocketAddr| UdpSocket::bind((place.ip(), 0)).is_ok();
        places.find(|place| is_here(*place))?;
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
        let tables = tables.map(|table| std::fs::read_to_string(table).unwrap_or_default());
        let inodes: Vec<&str> =
            tables.iter().flat_map(|table| listeners(table, player.port)).collect();
        let socket = |inode: &&str| format!("socket:[{inode}]");
        let sockets: Vec<String> = inodes.iter().map(socket).collect();
        let folders = std::fs::read_dir("/proc").ok()?.filter_map(Result::ok);
        let mut processes = folders.filter_map(|folder| folder.file_name().to_str()?.parse().ok());
        processes.find(|process| holds(*process, &sockets)).map(Process)
    }

    /// Its resident memory in bytes; `None` if it has ended.
    pub fn resident(self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes << 10)
    }
}

/// The inodes of listening sockets on a port, from the table of the system.
fn listeners(table: &str, port: u16) -> impl Iterator<Item = &str> {
    let place = format!(":{port:04X}");
    table.lines().filter_map(move |line| {
        let mut columns = line.split_whitespace().skip(1);
        let (local, _remote, state) = (columns.next()?, columns.next()?, columns.next()?);
        // 0A is the state of a listening socket; the inode is the tenth column.
        (local.ends_with(&place) && state == "0A").then(|| columns.nth(5))?
    })
}

/// Whether a process has one of these sockets open.
fn holds(process: u32, sockets: &[String]) -> bool {
    let Ok(open) = std::fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let targets = open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    targets.into_iter().any(|target| sockets.iter().any(|socket| target == Path::new(socket)))
}

/// Samples the memory of a process.
pub struct MemorySampler {
    process: Process,
    before: usize,
    peak: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

/// Time between samples.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(20);

impl MemorySampler {
    /// Starts sampling.
    pub fn begin(process: Process) -> Option<Self> {
        let before = process.resident()?;
        let peak = Arc::new(AtomicUsize::new(before));
        let seen = Arc::clone(&peak);
        let task = tokio::spawn(async move {
            while let Some(resident) = process.resident() {
                seen.fetch_max(resident, Ordering::Relaxed);
                tokio::time::sleep(SAMPLE_INTERVAL).await;
            }
        });
        Some(MemorySampler { process, before, peak, task })
    }

    /// The footprint; `None` if the process has ended.
    pub fn end(self) -> Option<Footprint> {
        self.task.abort();
        let after = self.process.resident()?;
        let peak = self.peak.load(Ordering::Relaxed).max(after);
        Some(Footprint { before: self.before, peak, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_are_found_in_the_table_of_the_system() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:23BB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0
   1: 0100007F:23BB 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1
   2: 0100007F:23BC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0 0 10 0";
        assert_eq!(listeners(table, 9147).collect::<Vec<_>>(), ["4711"]);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn listeners_on_this_machine_are_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let address = Address { host: "127.0.0.1".into(), port };
        let process = Process::listening(&address).await.expect("it is this process");
        assert_eq!(process.0, std::process::id());
        let seen =
            MemorySampler::begin(process).and_then(MemorySampler::end).expect("it is still here");
        assert!(seen.before > 0 && seen.peak >= seen.after);
        drop(listener);
        assert_eq!(Process::listening(&address).await, None);
    }
}
