//! The player's server: how messages arrive, and who may send them.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use ludens_protocol::ServerLimits;

use crate::player::{FREE, LIMITS, ask, exchange, parts, patient_player, player};

/// Sends bytes, closes this side of the connection, and reads the answer.
fn exchange_and_close(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    // A server that answers early may not read all of it.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_message_without_a_length_ends_with_the_connection() {
    let player = player(1);
    for head in ["POST / HTTP/1.0\r\nSender: GAMESERVER\r\n\r\n", "POST / HTTP/1.1\nHost: h\n\n"] {
        let answer = exchange_and_close(player, format!("{head}( INFO )").as_bytes());
        assert_eq!(parts(&answer), (200, FREE.to_owned()), "{head}");
    }
    // Longer than any buffer on the way.
    let head = "POST / HTTP/1.0\r\n\r\n";
    let rules = "( role a ) ".repeat(50_000);
    let long = format!("{head}( START m a ({rules}) 1 1 )");
    assert_eq!(parts(&exchange_and_close(player, long.as_bytes())), (200, "ready".to_owned()));
    let cut = exchange_and_close(player, format!("{head}( PLAY m").as_bytes());
    assert_eq!(parts(&cut), (400, "the list at byte 0 is not closed".to_owned()));
    let longer = format!("{head}{}", "x".repeat(2 << 20));
    assert_eq!(parts(&exchange_and_close(player, longer.as_bytes())).0, 413);
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
}

#[test]
fn a_message_without_a_length_is_answered_though_its_host_does_not_close() {
    let answer = exchange(player(1), b"POST / HTTP/1.0\r\n\r\n( INFO )");
    assert_eq!(parts(&answer), (200, FREE.to_owned()));
}

#[test]
fn a_message_in_chunks_is_read_to_the_end() {
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunks = "5\r\n( INF\r\n3\r\nO )\r\n0\r\n\r\n";
    let answer = exchange(player(1), format!("{head}{chunks}").as_bytes());
    assert_eq!(parts(&answer), (200, FREE.to_owned()));
}

/// What a browser asks before it sends the message of a page.
const PREFLIGHT: &str = "OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://web\r\n\
    Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n";

const FROM_PAGE: &str =
    "POST / HTTP/1.1\r\nHost: h\r\nOrigin: http://web\r\nContent-Length: 8\r\n\r\n( INFO )";

#[test]
fn web_pages_are_refused_by_default() {
    let player = player(1);
    for request in [PREFLIGHT, FROM_PAGE] {
        let answer = exchange(player, request.as_bytes());
        assert_eq!(parts(&answer).0, 403, "{answer}");
        assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    }
}

#[test]
fn web_pages_are_admitted_on_request() {
    let player = patient_player(1, ServerLimits { cors: true, ..LIMITS });
    let preflight = exchange(player, PREFLIGHT.as_bytes()).to_lowercase();
    assert_eq!(parts(&preflight), (200, String::new()));
    for field in [
        "access-control-allow-origin: *",
        "access-control-allow-methods: post, get, options",
        "access-control-allow-headers: accept, content-type, sender, receiver",
        "access-control-max-age: 86400",
    ] {
        assert!(preflight.contains(&format!("{field}\r\n")), "{field} in {preflight}");
    }
    let answer = exchange(player, FROM_PAGE.as_bytes());
    assert_eq!(parts(&answer), (200, FREE.to_owned()));
    assert!(answer.to_lowercase().contains("access-control-allow-origin: *\r\n"), "{answer}");
    // A page must be able to read why its message was refused.
    let refused = exchange(player, FROM_PAGE.replace("INFO", "WHAT").as_bytes());
    assert_eq!(parts(&refused).0, 400);
    assert!(refused.to_lowercase().contains("access-control-allow-origin: *\r\n"), "{refused}");
    assert_eq!(ask(player, "( INFO )"), FREE, "hosts that are no pages still work");
}
