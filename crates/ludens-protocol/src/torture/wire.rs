//! Bytes sent and received without a library in between, so that anything can be sent, and answers are
//! read as leniently as hosts read them.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{timeout, timeout_at};

use crate::client::{Address, AskError};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// No answer is longer than this.
const MAX_ANSWER: u64 = 1 << 20;

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What stands after the head. Hosts look at nothing else.
    pub text: String,
    /// How long it took from when the question was sent. Hosts begin to count a little later, when it has
    /// been sent; but whoever sends may have to wait for a processor just then, and count too little.
    pub took: Duration,
}

/// A connection to the player.
pub async fn connect(player: &Address) -> io::Result<TcpStream> {
    let place = (player.host.trim_matches(['[', ']']), player.port);
    timeout(CONNECT, TcpStream::connect(place)).await.map_err(|_| io::ErrorKind::TimedOut)?
}

/// Sends bytes over a connection of their own and waits so long for the answer.
pub async fn exchange(
    player: &Address,
    bytes: &[u8],
    patience: Duration,
) -> Result<Reply, AskError> {
    let mut stream = connect(player).await.map_err(|_| AskError::Connection)?;
    let asked = Instant::now();
    let sent = timeout(patience.max(CONNECT), stream.write_all(bytes)).await;
    // Whoever answers early may not take all of it; the answer says more.
    sent.map_or(Err(AskError::Late), |_| Ok(()))?;
    listen(&mut stream, asked, patience).await
}

/// Waits for the answer on a connection, so long from when it was asked for.
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

/// The text of an answer, if it is complete: as long as the head says, or to the end.
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

/// A message in the form that most hosts of the competition give it.
pub fn post(message: &str) -> Vec<u8> {
    let length = message.len();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: player\r\nSender: GAMESERVER\r\n\
         Receiver: \r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{message}"
    )
    .into_bytes()
}

/// Sends a message and waits so long for the answer.
pub async fn ask(player: &Address, message: &str, patience: Duration) -> Result<Reply, AskError> {
    exchange(player, &post(message), patience).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_complete_when_their_head_says_so() {
        let body = |text: &str, ended| body(text.as_bytes(), ended);
        assert_eq!(body("HTTP/1.0 200 OK\r\ncontent-LENGTH: 4\r\n\r\ndo", false), None);
        let whole = "HTTP/1.0 200 OK\r\ncontent-LENGTH: 4\r\n\r\ndone";
        assert_eq!(body(whole, false), Some("done".into()));
        assert_eq!(body("HTTP/1.0 200 OK\n\n ready\n", false), None);
        assert_eq!(body("HTTP/1.0 200 OK\n\n ready\n", true), Some("ready".into()));
        assert_eq!(body("ready", true), None);
    }
}
