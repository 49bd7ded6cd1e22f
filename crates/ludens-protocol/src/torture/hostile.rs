//! Hostile connections. Their answers do not matter; the match in the background does.

use std::io;
use std::time::Duration;

use ludens_core::Rng;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::report::Notes;
use super::subject::Subject;
use super::wire;
use crate::client::AskError;

/// Opens connections, and counts those that failed on this side and those that were refused.
async fn open(subject: &Subject, count: usize) -> (Vec<TcpStream>, usize, usize) {
    let mut opening = JoinSet::new();
    for _ in 0..count {
        let player = subject.player.clone();
        opening.spawn(async move { wire::connect(&player).await });
    }
    let (mut streams, mut local, mut refused) = (Vec::new(), 0, 0);
    while let Some(Ok(opened)) = opening.join_next().await {
        match opened {
            Ok(stream) => streams.push(stream),
            Err(error) if is_local(&error) => local += 1,
            Err(_) => refused += 1,
        }
    }
    (streams, local, refused)
}

/// Whether this process or machine has too many open files.
fn is_local(error: &io::Error) -> bool {
    const TOO_MANY_FILES: [i32; 2] = [23, 24];
    error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// Idle connections.
pub async fn idle(subject: &Subject, notes: &mut Notes) {
    let count = subject.options.connections;
    let (streams, local, refused) = open(subject, count).await;
    notes.observe(format!("{} idle connections, {refused} refused", streams.len()));
    note_missing(notes, streams.len(), local, count);
    sleep(subject.hold()).await;
}

/// Notes that some of the connections could not be opened on this side.
fn note_missing(notes: &mut Notes, opened: usize, local: usize, count: usize) {
    if local > 0 && notes.unmeasured.is_empty() {
        let what = format!("this process may open only {opened} of {count} connections");
        notes.not_measured(what);
    }
}

/// Floods of connections that close without a message. A player that closes connections to make room
/// may close that of a host whose message is in transit.
pub async fn crowds(subject: &Subject, notes: &mut Notes) {
    let (count, end) = (subject.options.connections, Instant::now() + subject.hold());
    let mut crowds = 0;
    while Instant::now() < end {
        let (streams, local, _) = open(subject, count).await;
        note_missing(notes, streams.len(), local, count);
        crowds += 1;
        sleep(Duration::from_millis(20)).await;
        drop(streams);
    }
    notes.observe(format!("{crowds} crowds of {count} connections, one after the other"));
}

/// Messages that arrive so slowly that they never end, half of them in the header, half in the body.
pub async fn slow_loris(subject: &Subject, notes: &mut Notes) {
    let count = (subject.options.connections / 20).max(4);
    let end = Instant::now() + subject.hold();
    let mut dripping = JoinSet::new();
    for number in 0..count {
        let player = subject.player.clone();
        dripping.spawn(async move {
            let mut stream = wire::connect(&player).await?;
            let head = if number % 2 == 0 { "X-Slow: " } else { "Content-Length: 9999\r\n\r\n" };
            stream.write_all(format!("POST / HTTP/1.0\r\n{head}").as_bytes()).await?;
            while Instant::now() < end {
                stream.write_all(b"(").await?;
                sleep(Duration::from_millis(100)).await;
            }
            io::Result::Ok(())
        });
    }
    let ended = dripping.join_all().await;
    let cut = ended.iter().filter(|ended| ended.is_err()).count();
    notes.observe(format!("{count} connections with a byte every 0.1 s, {cut} cut by the player"));
}

/// Sends bytes and keeps the connection open long enough to cost a move; returns how the player
/// reacted.
async fn impose(subject: &Subject, bytes: &[u8]) -> &'static str {
    match wire::exchange(&subject.player, bytes, subject.hold()).await {
        Ok(_) => "answered",
        Err(AskError::Connection) => "closed",
        Err(AskError::Late) => "left open",
    }
}

/// A message that claims a length of two billion bytes.
pub async fn huge_length(subject: &Subject, notes: &mut Notes) {
    let message = "POST / HTTP/1.0\r\nContent-Length: 2000000000\r\n\r\n( INFO )";
    let taken = impose(subject, message.as_bytes()).await;
    notes.observe(format!("Content-Length 2000000000 was {taken}"));
}

/// Invalid lengths.
pub async fn wrong_length(subject: &Subject, notes: &mut Notes) {
    let lengths = ["-1", "many", "99999999999999999999999999", "8, 9", ""];
    let messages = lengths
        .map(|length| format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n( INFO )"));
    let [a, b, c, d, e] = messages.each_ref().map(|message| impose(subject, message.as_bytes()));
    let (a, b, c, d, e) = tokio::join!(a, b, c, d, e);
    notes.observe(format!("lengths {lengths:?} were {:?}", [a, b, c, d, e]));
}

/// Random bytes.
pub async fn garbage(subject: &Subject, notes: &mut Notes) {
    const TIMES: u64 = 100;
    for number in 0..TIMES {
        let mut rng = Rng::stream(1, &[number]);
        let length = 1 << rng.below(16);
        let bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        // A player may wait for the end of the line or of the connection.
        let brief = Duration::from_millis(20);
        let _ = wire::exchange(&subject.player, &bytes, brief).await;
    }
    notes.observe(format!("{TIMES} times up to 32 KiB of random bytes"));
}

/// Messages truncated by closing the connection.
pub async fn truncated(subject: &Subject, notes: &mut Notes) {
    let whole = wire::post("( PLAY nothing NIL )");
    for end in 0..whole.len() {
        let Ok(mut stream) = wire::connect(&subject.player).await else { continue };
        // A player may refuse to read it.
        let _ = stream.write_all(&whole[..end]).await;
    }
    notes.observe(format!("a message cut off after each of its {} bytes", whole.len()));
}

/// A header without end.
pub async fn huge_head(subject: &Subject, notes: &mut Notes) {
    const BYTES: usize = 16 << 20;
    let mut taken = Vec::new();
    for line in ["x".repeat(1 << 16), "X-More: and more\r\n".repeat(1 << 12)] {
        let end = Instant::now() + subject.hold();
        let sent = async {
            let mut stream = wire::connect(&subject.player).await.ok()?;
            stream.write_all(b"POST / HTTP/1.0\r\nX-Long: ").await.ok()?;
            for _ in 0..BYTES / line.len() {
                stream.write_all(line.as_bytes()).await.ok()?;
            }
            sleep_until(end).await;
            Some(())
        };
        taken.push(match timeout(subject.hold(), sent).await {
            Ok(None) => "cut by the player",
            _ => "left open",
        });
    }
    notes.observe(format!("one line and many lines of 16 MiB in the header were {taken:?}"));
}
