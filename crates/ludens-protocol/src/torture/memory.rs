//! How much memory the player takes, if it runs on this machine and the system tells.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::client::Address;

/// Resident memory in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Before a trial.
    pub before: usize,
    /// The most that was seen during it.
    pub peak: usize,
    /// After it.
    pub after: usize,
}

impl Footprint {
    /// How much it has grown at the most.
    pub fn growth(&self) -> usize {
        self.peak.saturating_sub(self.before)
    }
}

/// A process of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Process(u32);

impl Process {
    /// The process that listens where the player does; nothing if it is elsewhere, belongs to somebody
    /// else, or the system does not tell.
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

    /// Its resident memory in bytes; nothing if it has ended.
    pub fn resident(self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes << 10)
    }
}

/// The inodes of the sockets of a table that listen on a port.
fn listeners(table: &str, port: u16) -> impl Iterator<Item = &str> {
    let place = format!(":{port:04X}");
    table.lines().filter_map(move |line| {
        let mut columns = line.split_whitespace().skip(1);
        let (local, _remote, state) = (columns.next()?, columns.next()?, columns.next()?);
        // 0A is the state of a socket that listens; the inode is the tenth column.
        (local.ends_with(&place) && state == "0A").then(|| columns.nth(5))?
    })
}

/// Whether a process has one of these open.
fn holds(process: u32, sockets: &[String]) -> bool {
    let Ok(open) = std::fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let targets = open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    targets.into_iter().any(|target| sockets.iter().any(|socket| target == Path::new(socket)))
}

/// Looks at a process again and again.
pub struct Watch {
    process: Process,
    before: usize,
    peak: Arc<AtomicUsize>,
    looking: JoinHandle<()>,
}

/// How often it looks.
const LOOK: Duration = Duration::from_millis(20);

impl Watch {
    /// Begins to look.
    pub fn begin(process: Process) -> Option<Self> {
        let before = process.resident()?;
        let peak = Arc::new(AtomicUsize::new(before));
        let seen = Arc::clone(&peak);
        let looking = tokio::spawn(async move {
            while let Some(resident) = process.resident() {
                seen.fetch_max(resident, Ordering::Relaxed);
                tokio::time::sleep(LOOK).await;
            }
        });
        Some(Watch { process, before, peak, looking })
    }

    /// What was seen; nothing if the process has ended meanwhile.
    pub fn end(self) -> Option<Footprint> {
        self.looking.abort();
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
    async fn who_listens_on_this_machine_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let address = Address { host: "127.0.0.1".into(), port };
        let process = Process::listening(&address).await.expect("it is this process");
        assert_eq!(process.0, std::process::id());
        let seen = Watch::begin(process).and_then(Watch::end).expect("it is still here");
        assert!(seen.before > 0 && seen.peak >= seen.after);
        drop(listener);
        assert_eq!(Process::listening(&address).await, None);
    }
}
