//! Variants of HTTP requests.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;

use super::report::{Grade, Notes};
use super::subject::{GRACE, Subject};
use super::wire::{self, Reply};
use crate::client::AskError;
use crate::info::PlayerInfo;

const INFO: &str = "( INFO )";

/// Whether an answer is one to INFO.
fn is_info(answer: &Result<Reply, AskError>) -> bool {
    answer.as_ref().is_ok_and(|reply| PlayerInfo::read(&reply.text) != PlayerInfo::default())
}

/// Headers of different hosts.
pub async fn heads(subject: &Subject, notes: &mut Notes) {
    let heads = [
        ("no header fields", "POST / HTTP/1.0\r\nContent-Length: 8"),
        (
            "the header of the Dresden controller",
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: h\r\n\
             Content-type: text/acl\r\nContent-length: 8",
        ),
        (
            "a header in lower case",
            "POST / HTTP/1.0\r\ncontent-type: text/acl\r\ncontent-length: 8",
        ),
        ("a header without spaces", "POST / HTTP/1.0\r\nHost:h\r\nContent-Length:8"),
        (
            "a header with more fields",
            "POST /any HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 10.0.0.1\r\nUser-Agent: farm\r\n\
             Connection: close\r\nContent-Length: 8",
        ),
    ];
    for (what, head) in heads {
        let message = format!("{head}\r\n\r\n{INFO}");
        let answer = wire::exchange(&subject.player, message.as_bytes(), GRACE).await;
        notes.demand(Grade::Required, is_info(&answer), || {
            format!("INFO with {what} was not answered")
        });
    }
    notes.observe("INFO with five different headers");
}

/// Messages with other white space and case.
pub async fn layouts(subject: &Subject, notes: &mut Notes) {
    let layouts = [
        (Grade::Required, "(INFO)"),
        (Grade::Required, "\r\n\t( INFO\r\n\t)\r\n"),
        (Grade::Advised, "( info )"),
        (Grade::Advised, "( INFO ) and more"),
    ];
    for (grade, message) in layouts {
        let answer = subject.ask(message, GRACE).await;
        notes
            .demand(grade, is_info(&answer), || format!("{message:?} was not answered as INFO is"));
    }
    notes.observe("INFO in four layouts");
}

/// A message in the URL, as typed into a browser.
pub async fn get(subject: &Subject, notes: &mut Notes) {
    let message = b"GET /%28%20INFO+%29 HTTP/1.1\r\nHost: h\r\n\r\n";
    let answer = wire::exchange(&subject.player, message, GRACE).await;
    notes.observe("INFO in the URL");
    notes.demand(Grade::Advised, is_info(&answer), || {
        "GET with INFO in the URL was not answered, so a browser cannot query the player".into()
    });
}

/// The preflight request of browsers.
pub async fn options(subject: &Subject, notes: &mut Notes) {
    let message = b"OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n";
    let answer = wire::exchange(&subject.player, message, GRACE).await;
    notes.observe("OPTIONS");
    notes.demand(Grade::Advised, answer.is_ok(), || "OPTIONS was not answered".into());
}

/// A message that arrives byte by byte: networks may split it anywhere.
pub async fn bytewise(subject: &Subject, notes: &mut Notes) {
    let answer = async {
        let broken = |_| AskError::Connection;
        let mut stream = wire::connect(&subject.player).await.map_err(broken)?;
        stream.set_nodelay(true).map_err(broken)?;
        for byte in wire::post(INFO) {
            stream.write_all(&[byte]).await.map_err(broken)?;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        wire::listen(&mut stream, Instant::now(), GRACE).await
    };
    let answer = answer.await;
    notes.observe("INFO, each byte by itself");
    notes.demand(Grade::Required, is_info(&answer), || {
        "a message that came byte by byte was not answered, and networks may cut it anywhere".into()
    });
}

/// A message in chunks of one byte, as HTTP/1.1 allows.
pub async fn chunked(subject: &Subject, notes: &mut Notes) {
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunks = INFO.split("").filter(|c| !c.is_empty()).collect::<Vec<_>>().join("\r\n1\r\n");
    let message = format!("{head}1\r\n{chunks}\r\n0\r\n\r\n");
    let answer = wire::exchange(&subject.player, message.as_bytes(), GRACE).await;
    notes.observe("INFO in chunks of one byte");
    notes.demand(Grade::Advised, is_info(&answer), || {
        "a message in chunks was not answered; hosts that use HTTP/1.1 may send some".into()
    });
}
