//! Messages from hosts to players.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ludens_gdl::scramble::in_one_line;

use crate::expression::{Expression, ExpressionError};

/// A message from a host to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Requests name and status.
    Info,
    /// Announces rules that may be played soon.
    Preview {
        /// The text of the rules, without the enclosing parentheses.
        rules: String,
        /// The time for the preview.
        clock: Duration,
    },
    /// Starts a match.
    Start {
        /// The match id.
        id: String,
        /// The role of the player.
        role: String,
        /// The text of the rules, without the enclosing parentheses.
        rules: String,
        /// The start clock.
        start_clock: Duration,
        /// The play clock.
        play_clock: Duration,
    },
    /// Requests a move.
    Play {
        /// The match id.
        id: String,
        /// The last joint move, in role order; empty at the first turn.
        last: Vec<String>,
    },
    /// Ends a match.
    Stop {
        /// The match id.
        id: String,
        /// The last joint move, in role order.
        last: Vec<String>,
    },
    /// Aborts a match.
    Abort {
        /// The match id.
        id: String,
    },
}

/// The maximum clock. Answering early is allowed, and a host that sent a longer clock and is gone
/// does not keep the machine busy for days.
pub const MAX_CLOCK: Duration = Duration::from_hours(1);

/// Why a text is not a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessageError {
    /// It is not a list.
    Expression(ExpressionError),
    /// It does not begin with a word.
    NoCommand,
    /// It begins with an unknown command.
    UnknownCommand(String),
    /// The arguments do not fit the command.
    Parts(&'static str),
    /// A clock is not a number of seconds.
    Clock(String),
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::Expression(error) => error.fmt(f),
            MessageError::NoCommand => {
                f.write_str("a message is a list that begins with a command, such as `( INFO )`")
            }
            MessageError::UnknownCommand(command) => write!(
                f,
                "`{command}` is not a command; commands are INFO, PREVIEW, START, PLAY, STOP and ABORT"
            ),
            MessageError::Parts(form) => write!(f, "the message should be `{form}`"),
            MessageError::Clock(clock) => write!(f, "`{clock}` is not a number of seconds"),
        }
    }
}

impl std::error::Error for MessageError {}

impl From<ExpressionError> for MessageError {
    fn from(error: ExpressionError) -> Self {
        MessageError::Expression(error)
    }
}

const INFO: &str = "( INFO )";
const PREVIEW: &str = "( PREVIEW (RULE …) CLOCK )";
const START: &str = "( START MATCH ROLE (RULE …) START_CLOCK PLAY_CLOCK )";
const PLAY: &str = "( PLAY MATCH (MOVE …) )";
const STOP: &str = "( STOP MATCH (MOVE …) )";
const ABORT: &str = "( ABORT MATCH )";

/// Parses a message. Text after it is ignored, and so are further arguments of START.
impl FromStr for Request {
    type Err = MessageError;

    fn from_str(text: &str) -> Result<Self, MessageError> {
        // Some editors write a byte order mark.
        let (message, _) = Expression::first(text.trim_start_matches('\u{feff}'))?;
        let mut items = message.items();
        let command = items.next().and_then(Expression::atom).ok_or(MessageError::NoCommand)?;
        let parts: Vec<Expression<'_>> = items.collect();
        match (command.to_ascii_uppercase().as_str(), &parts[..]) {
            ("INFO", []) => Ok(Request::Info),
            ("PREVIEW", &[rules, clock]) => {
                let rules = rules.inside().ok_or(MessageError::Parts(PREVIEW))?.to_owned();
                Ok(Request::Preview { rules, clock: seconds(clock)? })
            }
            ("START", &[id, role, rules, start_clock, play_clock, ..]) => {
                let form = MessageError::Parts(START);
                let (Some(id), Some(role), Some(rules)) = (id.atom(), role.atom(), rules.inside())
                else {
                    return Err(form);
                };
                Ok(Request::Start {
                    id: id.to_owned(),
                    role: role.to_owned(),
                    rules: rules.to_owned(),
                    start_clock: seconds(start_clock)?,
                    play_clock: seconds(play_clock)?,
                })
            }
            ("PLAY", &[id, last]) => {
                let id = id.atom().ok_or(MessageError::Parts(PLAY))?.to_owned();
                Ok(Request::Play { id, last: moves(last) })
            }
            ("STOP", &[id, last]) => {
                let id = id.atom().ok_or(MessageError::Parts(STOP))?.to_owned();
                Ok(Request::Stop { id, last: moves(last) })
            }
            ("ABORT", &[id]) => {
                let id = id.atom().ok_or(MessageError::Parts(ABORT))?.to_owned();
                Ok(Request::Abort { id })
            }
            (known, _) => Err(wrong_parts(known)),
        }
    }
}

fn wrong_parts(command: &str) -> MessageError {
    let form = match command {
        "INFO" => INFO,
        "PREVIEW" => PREVIEW,
        "START" => START,
        "PLAY" => PLAY,
        "STOP" => STOP,
        "ABORT" => ABORT,
        _ => return MessageError::UnknownCommand(command.to_owned()),
    };
    MessageError::Parts(form)
}

/// The moves of a list; an atom, in practice NIL, stands for no moves.
fn moves(list: Expression<'_>) -> Vec<String> {
    list.items().map(|item| item.to_string()).collect()
}

fn seconds(clock: Expression<'_>) -> Result<Duration, MessageError> {
    let wrong = || MessageError::Clock(clock.to_string());
    let seconds: f64 = clock.atom().and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
    if seconds.is_nan() || seconds < 0.0 {
        return Err(wrong());
    }
    Ok(Duration::from_secs_f64(seconds.min(MAX_CLOCK.as_secs_f64())))
}

/// The message as hosts write it. Rules are written on one line without comments: a comment at their
/// end would hide what follows, and not every player supports comments.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Info => f.write_str(INFO),
            Request::Preview { rules, clock } => {
                write!(f, "( PREVIEW ({}) {} )", in_one_line(rules), clock.as_secs_f64())
            }
            Request::Start { id, role, rules, start_clock, play_clock } => {
                let (start, play) = (start_clock.as_secs_f64(), play_clock.as_secs_f64());
                write!(f, "( START {id} {role} ({}) {start} {play})", in_one_line(rules))
            }
            Request::Play { id, last } => write!(f, "( PLAY {id} {} )", Moves(last)),
            Request::Stop { id, last } => write!(f, "( STOP {id} {} )", Moves(last)),
            Request::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

struct Moves<'a>(&'a [String]);

impl fmt::Display for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("NIL") } else { write!(f, "( {} )", self.0.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Request {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn error(text: &str) -> String {
        text.parse::<Request>().expect_err(text).to_string()
    }

    #[test]
    fn messages_of_hosts_are_read() {
        assert_eq!(read("( INFO )"), Request::Info);
        assert_eq!(read("(info) and more"), Request::Info);
        let rules = "( role a ) ( <= terminal ( true x ) )".to_owned();
        let clock = Duration::from_secs(10);
        let preview = Request::Preview { rules: rules.clone(), clock };
        assert_eq!(read(&format!("\u{feff}(PREVIEW ({rules}) 10)")), preview);
        let start = read(&format!("( START m.1 a ({rules}) 10 1.5 more parts)"));
        let (id, role, play_clock) = ("m.1".into(), "a".into(), Duration::from_millis(1500));
        assert_eq!(start, Request::Start { id, role, rules, start_clock: clock, play_clock });
        let no_moves = Request::Play { id: "m".into(), last: vec![] };
        assert_eq!(read("( PLAY m NIL )"), no_moves);
        assert_eq!(read("(play m nil)"), no_moves);
        let last = vec!["( mark 1 2 )".to_owned(), "noop".to_owned()];
        assert_eq!(read("(Stop m ((mark  1 2)noop))"), Request::Stop { id: "m".into(), last });
        assert_eq!(read("( ABORT m )"), Request::Abort { id: "m".into() });
    }

    #[test]
    fn invalid_messages_are_explained() {
        assert_eq!(error(""), "the message is empty");
        assert_eq!(error("( PLAY m"), "the list at byte 0 is not closed");
        assert_eq!(
            error("hello"),
            "a message is a list that begins with a command, such as `( INFO )`"
        );
        assert!(error("( DANCE m )").starts_with("`DANCE` is not a command"));
        assert_eq!(error("( PLAY m )"), "the message should be `( PLAY MATCH (MOVE …) )`");
        assert_eq!(error("( ABORT (m) )"), "the message should be `( ABORT MATCH )`");
        assert!(error("( START m r rules 1 1 )").starts_with("the message should be `( START"));
        for clock in ["-1", "soon", "(1)", "NaN"] {
            let text = format!("( PREVIEW () {clock} )");
            assert!(error(&text).ends_with("is not a number of seconds"), "{text}");
        }
        assert_eq!(
            read("( PREVIEW () 1e300 )"),
            Request::Preview { rules: String::new(), clock: MAX_CLOCK }
        );
    }

    fn requests() -> impl Strategy<Value = Request> {
        let word = "[a-z0-9._+-]{1,8}";
        let moves = prop::collection::vec("[a-z]{1,5}|\\( [a-z]{1,4} [0-9] \\)", 0..4);
        let clock = (0u32..100_000).prop_map(|millis| Duration::from_millis(millis.into()));
        prop_oneof![
            Just(Request::Info),
            ("[ a-z()]{0,9}", clock.clone())
                .prop_map(|(rules, clock)| Request::Preview { rules: fitting(&rules), clock }),
            (word, word, "[ a-z()]{0,20}", clock.clone(), clock).prop_map(
                |(id, role, rules, start_clock, play_clock)| {
                    let rules = fitting(&rules);
                    Request::Start { id, role, rules, start_clock, play_clock }
                }
            ),
            (word, moves.clone()).prop_map(|(id, last)| Request::Play { id, last }),
            (word, moves).prop_map(|(id, last)| Request::Stop { id, last }),
            word.prop_map(|id| Request::Abort { id }),
        ]
    }

    #[test]
    fn a_comment_at_the_end_of_rules_hides_nothing() {
        let rules = "; a game\n(role a) ; who\n(init x) ;;; the end".to_owned();
        let (id, role, clock) = ("m".to_owned(), "a".to_owned(), Duration::from_secs(1));
        let (start_clock, play_clock) = (clock, clock);
        let preview = Request::Preview { rules: rules.clone(), clock };
        let start = Request::Start { id, role, rules, start_clock, play_clock };
        assert_eq!(preview.to_string(), "( PREVIEW (( role a ) ( init x )) 1 )");
        assert_eq!(start.to_string(), "( START m a (( role a ) ( init x )) 1 1)");
    }

    /// The text in one line, without unbalanced parentheses.
    fn fitting(text: &str) -> String {
        let fits = Expression::first(&format!("({text})"))
            .is_ok_and(|(list, rest)| rest.is_empty() && list.inside() == Some(text));
        in_one_line(&if fits { text.to_owned() } else { text.replace(['(', ')'], "") })
    }

    proptest! {
        #[test]
        fn requests_survive_a_round_trip(request in requests()) {
            prop_assert_eq!(read(&request.to_string()), request);
        }

        #[test]
        fn any_text_is_handled(text in "\\PC{0,40}") {
            let _ = text.parse::<Request>();
        }

        #[test]
        fn any_text_of_parentheses_is_handled(text in "[() ;\nA-Z]{0,60}") {
            let _ = text.parse::<Request>();
        }
    }
}
