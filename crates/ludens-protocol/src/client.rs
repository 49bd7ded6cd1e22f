//! Sending messages to players: one connection per message, with a timeout.

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

/// The address of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Host name or IP address.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// The default port of players.
pub const DEFAULT_PORT: u16 = 9147;

/// A text that is not an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddressError(String);

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not the address of a player, such as `http://127.0.0.1:{DEFAULT_PORT}`",
            self.0
        )
    }
}

impl std::error::Error for AddressError {}

/// `http://host:port`; only the host is required.
impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(text.to_owned());
        let rest = text.strip_prefix("http://").unwrap_or(text);
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
            None => (rest, DEFAULT_PORT),
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
    /// The connection failed.
    Connection,
    /// The answer took too long.
    Late,
}

/// Timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum length of an answer.
const MAX_ANSWER: usize = 1 << 20;

/// Sends a message and waits for the answer.
pub async fn ask(
    player: &Address,
    message: String,
    patience: Duration,
) -> Result<String, AskError> {
    let broken = |_| AskError::Connection;
    let place = (player.host.trim_matches(['[', ']']), player.port);
    let stream = timeout(CONNECT_TIMEOUT, TcpStream::connect(place)).await.map_err(broken)?;
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

/// The HTTP request of a GGP host.
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
            assert!(error.contains("is not the address of a player"), "{error}");
        }
    }
}
