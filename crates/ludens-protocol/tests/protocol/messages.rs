//! Any bytes as messages: parsing ends in an error, or in a request that survives a round trip.

use std::time::{Duration, Instant};

use ludens_protocol::{Expression, PlayerInfo, Request};
use proptest::prelude::*;

/// What must hold for every text.
fn survives(text: &str) -> Result<(), TestCaseError> {
    let _ = PlayerInfo::read(text);
    if let Ok((expression, rest)) = Expression::first(text) {
        prop_assert!(text.ends_with(rest), "the rest is the end of the text");
        let written = expression.to_string();
        let (again, rest) = Expression::first(&written).expect("what is written can be read");
        prop_assert_eq!((again.to_string(), rest), (written.clone(), ""));
        prop_assert_eq!(again.items().count(), expression.items().count());
    }
    if let Ok(request) = text.parse::<Request>() {
        let written = request.to_string();
        prop_assert_eq!(written.parse::<Request>(), Ok(in_one_line(request)), "{}", written);
    }
    Ok(())
}

/// The request with its rules as they are written.
fn in_one_line(mut request: Request) -> Request {
    if let Request::Start { rules, .. } | Request::Preview { rules, .. } = &mut request {
        *rules = ludens_gdl::scramble::in_one_line(rules);
    }
    request
}

/// Parts of messages in any order, close enough to real ones that many parse.
fn parts() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "( ",
        " ) ",
        "(",
        ")",
        "INFO",
        "PREVIEW",
        "START",
        "PLAY",
        "STOP",
        "ABORT",
        " NIL ",
        " m ",
        " role ",
        " 1 ",
        "0.1",
        "1e99",
        "-1",
        "NaN",
        ";",
        "; x\n",
        "\n",
        "\t",
        "\u{feff}",
        "\u{0}",
        "ä",
        "\"",
        "|",
        "?x",
        "( PLAY m ",
        "( START m r (",
        ") 1 1 )",
        "( a b )",
    ]);
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn any_bytes_are_handled(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_parts_of_messages_are_handled(text in parts()) {
        survives(&text)?;
    }
}

/// Not a measurement of speed: an algorithm of quadratic time would take hours.
#[test]
fn long_messages_are_read_in_time() {
    let begun = Instant::now();
    let count = 1 << 20;
    let texts = [
        "(".repeat(count),
        ")".repeat(count),
        "()".repeat(count),
        format!("( PLAY m ({}) )", "( a ) ".repeat(count)),
        format!("( START m r ({}) 1 1 )", "( a ( b ) ) ".repeat(count)),
        format!("( INFO {})", "; ( \n".repeat(count)),
        format!("{}{}", "(".repeat(9_000), ")".repeat(9_000)),
    ];
    for text in &texts {
        let _ = text.parse::<Request>();
        let _ = PlayerInfo::read(text);
    }
    assert!(begun.elapsed() < Duration::from_mins(2), "{:?}", begun.elapsed());
}
