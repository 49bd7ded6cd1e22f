//! Requests without a length. As in HTTP/1.0, the body of a POST without `Content-Length` ends with the
//! connection; newer versions of HTTP, and the library, take such a body for empty.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::{Instant, timeout_at};

use super::ServerLimits;

/// A longer header is left to the library, which refuses it.
const MAX_HEAD: usize = 64 << 10;

/// The first bytes of a request: up to its header at least, and all of it if its header has no length,
/// which is inserted. `None` if the header is not complete in time or the connection is broken.
pub(super) async fn begin(
    reader: &mut (impl AsyncRead + Unpin),
    limits: ServerLimits,
) -> Option<Vec<u8>> {
    let (deadline, mut bytes) = (Instant::now() + limits.patience, Vec::new());
    let end = timeout_at(deadline, read_head(reader, &mut bytes)).await.ok()?.ok()?;
    let Some(end) = end.filter(|&end| is_without_length(&bytes[..end])) else { return Some(bytes) };
    // A host that does not close its side of the connection gets its answer when the time is up; a message
    // that is cut off is refused as one whose parentheses are not closed.
    let _ = timeout_at(deadline, read_body(reader, &mut bytes, end + limits.bytes)).await;
    insert_length(&mut bytes, end);
    Some(bytes)
}

/// Reads until the header is complete; the result is its length, unless there is none.
async fn read_head(
    reader: &mut (impl AsyncRead + Unpin),
    bytes: &mut Vec<u8>,
) -> io::Result<Option<usize>> {
    let mut searched = 0;
    loop {
        if let Some(end) = end_of_head(bytes, searched) {
            return Ok(Some(end));
        }
        searched = bytes.len();
        if searched > MAX_HEAD || reader.read_buf(bytes).await? == 0 {
            return Ok(None);
        }
    }
}

/// Reads to the end of the connection, or beyond a length that is refused.
async fn read_body(
    reader: &mut (impl AsyncRead + Unpin),
    bytes: &mut Vec<u8>,
    most: usize,
) -> io::Result<()> {
    while bytes.len() <= most && reader.read_buf(bytes).await? > 0 {}
    Ok(())
}

/// The length of a header with its blank line, which ends behind the bytes that were searched before.
fn end_of_head(bytes: &[u8], searched: usize) -> Option<usize> {
    let from = searched.saturating_sub(2);
    let mut ends = (from..bytes.len()).filter(|&at| bytes[at] == b'\n');
    ends.find_map(|at| match bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// Whether a header is that of a POST that does not say where its body ends.
fn is_without_length(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let mut names = head.lines().skip(1).filter_map(|line| line.split(':').next());
    let says_length = |name: &str| {
        ["content-length", "transfer-encoding"].iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    head.starts_with("POST ") && !names.any(|name| says_length(name.trim()))
}

/// Adds the length of what follows a header of `end` bytes to its first line.
fn insert_length(bytes: &mut Vec<u8>, end: usize) {
    let first_line = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let field = format!("Content-Length: {}\r\n", bytes.len() - end);
    bytes.splice(first_line..first_line, field.into_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_header_is_found_however_it_arrives() {
        for head in ["POST / HTTP/1.0\r\nA: b\r\n\r\n", "POST / HTTP/1.0\nA: b\n\n"] {
            let message = format!("{head}( INFO )\n\n");
            for first in 0..head.len() {
                let begun = &message.as_bytes()[..first];
                assert_eq!(end_of_head(begun, 0), None, "{first}");
                assert_eq!(end_of_head(message.as_bytes(), first), Some(head.len()), "{first}");
            }
        }
    }

    #[test]
    fn only_a_post_without_length_is_completed() {
        let lacks = |head: &str| is_without_length(head.as_bytes());
        assert!(lacks("POST / HTTP/1.0\r\nSender: GAMESERVER\r\n\r\n"));
        assert!(!lacks("POST / HTTP/1.0\r\nCONTENT-length: 8\r\n\r\n"));
        assert!(!lacks("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
        assert!(!lacks("GET / HTTP/1.0\r\n\r\n"));
        let mut bytes = b"POST / HTTP/1.0\nA: b\n\n( INFO )".to_vec();
        insert_length(&mut bytes, 22);
        assert_eq!(bytes, b"POST / HTTP/1.0\nContent-Length: 8\r\nA: b\n\n( INFO )");
    }
}
