//! The HTTP server of a player: one message per connection, and no connection can block others.

mod arrival;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Cursor;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Response, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::matches::Matches;
use crate::request::Request;

/// What the server accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerLimits {
    /// Maximum length of a message in bytes.
    pub bytes: usize,
    /// How long a message may take to arrive.
    pub patience: Duration,
    /// Maximum number of connections without a complete message; beyond it the oldest is closed.
    pub waiting: usize,
    /// Minimum age of a connection before it is closed in favour of others: the message of a host may
    /// be in transit when a flood of connections arrives.
    pub respite: Duration,
    /// Whether web pages of any origin may send messages (CORS). Without it, a page that a user visits
    /// cannot control the player.
    pub cors: bool,
}

impl Default for ServerLimits {
    fn default() -> Self {
        let respite = Duration::from_millis(500);
        let patience = Duration::from_secs(5);
        ServerLimits { bytes: 16 << 20, patience, waiting: 500, respite, cors: false }
    }
}

/// Serves all connections, forever.
pub async fn serve(
    listener: TcpListener,
    matches: Arc<Matches>,
    limits: ServerLimits,
) -> Infallible {
    let queue = Arc::new(Queue { limits, waiting: Mutex::default() });
    for number in 0.. {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or the connection was closed before it was accepted.
            queue.clear();
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let (queue, matches) = (Arc::clone(&queue), Arc::clone(&matches));
        let closed = queue.enter(number);
        tokio::spawn(async move {
            tokio::select! {
                () = connect(stream, number, &queue, &matches) => {}
                // A connection that has left the queue is not closed.
                Ok(()) = closed => {}
            }
            queue.leave(number);
        });
    }
    unreachable!("numbers do not end")
}

/// Connections without a complete message, by number: the first is the oldest.
type Waiting = BTreeMap<u64, WaitingConnection>;

/// A connection without a complete message.
struct WaitingConnection {
    since: Instant,
    /// Closes the connection.
    close: oneshot::Sender<()>,
}

/// The connections without a complete message.
struct Queue {
    limits: ServerLimits,
    waiting: Mutex<Waiting>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection; the receiver gets a value when it must be closed.
    fn enter(&self, number: u64) -> oneshot::Receiver<()> {
        let (close, closed) = oneshot::channel();
        let mut waiting = self.lock();
        waiting.insert(number, WaitingConnection { since: Instant::now(), close });
        if waiting.len() > self.limits.waiting {
            self.close_oldest(&mut waiting);
        }
        closed
    }

    /// Closes all connections beyond the minimum age.
    fn clear(&self) {
        let mut waiting = self.lock();
        while self.close_oldest(&mut waiting) {}
    }

    /// Closes the oldest connection if it is beyond the minimum age.
    fn close_oldest(&self, waiting: &mut Waiting) -> bool {
        let Some(oldest) = waiting.first_entry() else { return false };
        if oldest.get().since.elapsed() < self.limits.respite {
            return false;
        }
        // It may have been closed already.
        let _ = oldest.remove().close.send(());
        true
    }

    /// Removes a connection whose message is complete, or that is closed.
    fn leave(&self, number: u64) {
        self.lock().remove(&number);
    }
}

async fn connect(stream: TcpStream, number: u64, queue: &Queue, matches: &Matches) {
    let limits = queue.limits;
    let (mut reader, writer) = stream.into_split();
    let Some(begun) = arrival::begin(&mut reader, limits).await else { return };
    let service = service_fn(|request| async move {
        let is_preflight = request.method() == Method::OPTIONS;
        let text = tokio::time::timeout(limits.patience, read(request, limits));
        let slow = Err((StatusCode::REQUEST_TIMEOUT, "the message arrived too slowly"));
        let text = text.await.unwrap_or(slow);
        queue.leave(number);
        let mut response = respond(text, matches).await;
        if limits.cors {
            admit_pages(response.headers_mut(), is_preflight);
        }
        Ok::<_, Infallible>(response)
    });
    let stream = tokio::io::join(Cursor::new(begun).chain(reader), writer);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .keep_alive(false)
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service);
    // An error of one connection affects no other.
    let _ = served.await;
}

/// Tells a browser that its page may send messages and read the answers. It asks that (a preflight) before
/// it sends a message with the header of a host.
fn admit_pages(headers: &mut HeaderMap, is_preflight: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    if !is_preflight {
        return;
    }
    for (name, value) in [
        ("access-control-allow-methods", "POST, GET, OPTIONS"),
        ("access-control-allow-headers", "Accept, Content-Type, Sender, Receiver"),
        ("access-control-allow-private-network", "true"),
        ("access-control-max-age", "86400"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Why a request is refused.
type Refusal = (StatusCode, &'static str);

/// The text of a message from a GET or POST request; `None` for other methods.
async fn read(
    request: hyper::Request<Incoming>,
    limits: ServerLimits,
) -> Result<Option<String>, Refusal> {
    // Most hosts are not web pages: a page that a user visits must not control the player.
    if request.headers().contains_key(header::ORIGIN) && !limits.cors {
        return Err((StatusCode::FORBIDDEN, "requests from web pages are refused"));
    }
    match *request.method() {
        Method::GET => {
            let path = request.uri().path_and_query().map_or("", |path| path.as_str());
            let message = path.trim_start_matches('/').replace('+', " ");
            Ok(Some(percent_decode_str(&message).decode_utf8_lossy().into_owned()))
        }
        Method::POST => {
            let declared = request.headers().get(header::CONTENT_LENGTH);
            let declared = declared.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
            if declared.is_some_and(|length| length > limits.bytes) {
                return Err((StatusCode::PAYLOAD_TOO_LARGE, "the message is too long"));
            }
            let body = Limited::new(request.into_body(), limits.bytes).collect().await;
            let body =
                body.map_err(|_| (StatusCode::BAD_REQUEST, "the message is not complete"))?;
            Ok(Some(String::from_utf8_lossy(&body.to_bytes()).into_owned()))
        }
        _ => Ok(None),
    }
}

async fn respond(
    text: Result<Option<String>, Refusal>,
    matches: &Matches,
) -> Response<Full<Bytes>> {
    let received = Instant::now();
    match text {
        Ok(None) => reply(StatusCode::OK, String::new()),
        Err((status, why)) => reply(status, why.to_owned()),
        Ok(Some(text)) => match text.parse::<Request>() {
            Ok(request) => reply(StatusCode::OK, matches.answer(request, received).await),
            Err(error) => reply(StatusCode::BAD_REQUEST, error.to_string()),
        },
    }
}

fn reply(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/acl");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
