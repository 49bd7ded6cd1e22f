//! Asking players: one connection a message, and a limit to how long an answer may take.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Version, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Where a player listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Name or number of the machine.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// Where players listen if nobody says otherwise.
pub const USUAL_PORT: u16 = 9147;

/// A text that is no address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddressError(String);

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no address of a player, such as `http://127.0.0.1:{USUAL_PORT}`", self.0)
    }
}

impl std::error::Error for AddressError {}

/// `http://host:port`, of which all but the host may be missing.
impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(text.to_owned());
        let rest = text.strip_prefix("http://").unwrap_or(text);
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
            None => (rest, USUAL_PORT),
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
        if host.is_empty() || !host.chars().all(fits) {
            return Err(wrong());
        }
        Ok(Address { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}", self.host, self.port)
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskError {
    /// The player cannot be reached, or the connection broke.
    Connection,
    /// It took too long.
    Late,
}

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// No answer is longer than this.
const MAX_ANSWER: usize = 1 << 20;

/// Sends a message and waits so long for the answer.
pub async fn ask(
    player: &Address,
    message: String,
    patience: Duration,
) -> Result<String, AskError> {
    let broken = |_| AskError::Connection;
    let place = (player.host.trim_matches(['[', ']']), player.port);
    let stream = timeout(CONNECT, TcpStream::connect(place)).await.map_err(broken)?;
    let stream = TokioIo::new(stream.map_err(|_| AskError::Connection)?);
    let answer = async move {
        let (mut sender, connection) = http1::handshake(stream).await.ok()?;
        let driver = tokio::spawn(connection);
        let response = sender.send_request(request(player, message)?).await.ok()?;
        let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await.ok()?;
        driver.abort();
        Some(String::from_utf8_lossy(&body.to_bytes()).trim().to_owned())
    };
    let answer = timeout(patience, answer).await.map_err(|_| AskError::Late)?;
    answer.ok_or(AskError::Connection)
}

/// A message in the form that hosts of the competition give it.
fn request(player: &Address, message: String) -> Option<Request<Full<Bytes>>> {
    Request::post("/")
        .version(Version::HTTP_10)
        .header(header::ACCEPT, "text/delim")
        .header(header::HOST, format!("{}:{}", player.host, player.port))
        .header("Sender", "GAMESERVER")
        .header("Receiver", "")
        .header(header::CONTENT_TYPE, "text/acl")
        .header(header::CONTENT_LENGTH, message.len())
        .body(Full::new(Bytes::from(message)))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let read = |text: &str| text.parse::<Address>().map(|address| address.to_string());
        assert_eq!(read("http://127.0.0.1:9148/"), Ok("http://127.0.0.1:9148".into()));
        assert_eq!(read("player.example"), Ok("http://player.example:9147".into()));
        assert_eq!(read("[::1]:80"), Ok("http://[::1]:80".into()));
        for wrong in ["", "http://", "a b", "host:port", "host:70000", "https://host/x"] {
            let error = read(wrong).expect_err(wrong).to_string();
            assert!(error.contains("is no address of a player"), "{error}");
        }
    }
}
