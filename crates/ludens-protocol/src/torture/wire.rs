//! Raw bytes over TCP, without an HTTP library: anything can be sent, and answers are parsed as
//! leniently as hosts parse them.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{timeout, timeout_at};

use crate::client::{Address, AskError};

/// Timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum length of an answer.
const MAX_ANSWER: u64 = 1 << 20;

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The body; hosts ignore the rest.
    pub text: String,
    /// The time since just before the request was sent. Hosts measure from just after that, but on a
    /// busy machine the sender may be delayed there, and measure too little.
    pub took: Duration,
}

/// Opens a connection to the player.
pub async fn connect(player: &Address) -> io::Result<TcpStream> {
    let place = (player.host.trim_matches(['[', ']']), player.port);
    timeout(CONNECT_TIMEOUT, TcpStream::connect(place))
        .await
        .map_err(|_| io::ErrorKind::TimedOut)?
}

/// Sends bytes over a new connection and waits for the answer.
pub async fn exchange(
    player: &Address,
    bytes: &[u8],
    patience: Duration,
) -> Result<Reply, AskError> {
    let mut stream = connect(player).await.map_err(|_| AskError::Connection)?;
    let asked = Instant::now();
    let sent = timeout(patience.max(CONNECT_TIMEOUT), stream.write_all(bytes)).await;
    // A player that answers early may not read all of it; its answer matters.
    sent.map_or(Err(AskError::Late), |_| Ok(()))?;
    listen(&mut stream, asked, patience).await
}

/// Waits for the answer to a request that was sent at `asked`.
pub async fn listen(
    stream: &mut TcpStream,
    asked: Instant,
    patience: Duration,
) -> Result<Reply, AskError> {
    let due = tokio::time::Instant::from_std(asked + patience);
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 4096];
        let read = timeout_at(due, stream.read(&mut part)).await;
        let read = read.map_err(|_| AskError::Late)?;
        bytes.extend_from_slice(&part[..*read.as_ref().unwrap_or(&0)]);
        let ended = !matches!(read, Ok(n) if n > 0) || bytes.len() as u64 > MAX_ANSWER;
        if let Some(text) = body(&bytes, ended) {
            return Ok(Reply { text, took: asked.elapsed() });
        }
        if ended {
            return Err(AskError::Connection);
        }
    }
}

/// The body of an answer, if it is complete: as long as its header says, or up to the end.
fn body(bytes: &[u8], ended: bool) -> Option<String> {
    let answer = String::from_utf8_lossy(bytes);
    let (head, text) = answer.split_once("\r\n\r\n").or_else(|| answer.split_once("\n\n"))?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.trim().eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    let complete = ended || length.is_some_and(|length| text.len() >= length);
    complete.then(|| text.trim().to_owned())
}

/// The HTTP request of most GGP hosts.
pub fn post(message: &str) -> Vec<u8> {
    let length = message.len();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: player\r\nSender: GAMESERVER\r\n\
         Receiver: \r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{message}"
    )
    .into_bytes()
}

/// Sends a message and waits for the answer.
pub async fn ask(player: &Address, message: &str, patience: Duration) -> Result<Reply, AskError> {
    exchange(player, &post(message), patience).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_complete_when_their_header_says_so() {
        let body = |text: &str, ended| body(text.as_bytes(), ended);
        assert_eq!(body("HTTP/1.0 200 OK\r\ncontent-LENGTH: 4\r\n\r\ndo", false), None);
        let whole = "HTTP/1.0 200 OK\r\ncontent-LENGTH: 4\r\n\r\ndone";
        assert_eq!(body(whole, false), Some("done".into()));
        assert_eq!(body("HTTP/1.0 200 OK\n\n ready\n", false), None);
        assert_eq!(body("HTTP/1.0 200 OK\n\n ready\n", true), Some("ready".into()));
        assert_eq!(body("ready", true), None);
    }
}
