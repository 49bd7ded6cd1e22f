//! A player behind its port: messages of hosts, and hostile ones.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use ludens_core::{Draft, Info, MoveText, Player, PlayerError, Setup};
use ludens_protocol::{Matches, ServerLimits, serve};
use tokio::net::TcpListener;

/// An event that happens once.
struct Event {
    happened: Mutex<bool>,
    changed: Condvar,
}

impl Event {
    const fn new() -> Self {
        Event { happened: Mutex::new(false), changed: Condvar::new() }
    }

    fn set(&self) {
        *self.happened.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let happened = self.happened.lock().unwrap();
        drop(self.changed.wait_while(happened, |happened| !*happened).unwrap());
    }
}

/// The player in the role `thinker` has begun to think.
static THINKING: Event = Event::new();

/// The player in the role `hopeless` has begun to prepare.
static PREPARING: Event = Event::new();

/// The preview of rules that contain `slow` may end.
static PREVIEW_MAY_END: Event = Event::new();

/// Answers with its role and the last moves, or misbehaves if its role says so.
#[derive(Default)]
struct Parrot {
    role: String,
    draft: Draft,
}

impl Parrot {
    /// Thinks until the match ends, as a search that polls its stop flag, and notes a move if there is
    /// one.
    fn overthink(&self, best: Option<&str>) {
        while !self.draft.is_stopped() {
            if let Some(best) = best {
                self.draft.write(best.to_owned());
            }
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }
}

impl Player for Parrot {
    fn info(&self) -> Info {
        Info { name: "parrot".into() }
    }

    fn draft(&self) -> Draft {
        self.draft.clone()
    }

    fn preview(&mut self, rules: &str, _deadline: Instant) {
        assert!(!rules.contains("ruin"), "this is meant to happen");
        if rules.contains("slow") {
            PREVIEW_MAY_END.wait();
        }
    }

    fn start(&mut self, setup: &Setup, _deadline: Instant) -> Result<(), PlayerError> {
        self.role.clone_from(&setup.role);
        if self.role == "nobody" {
            return Err(PlayerError::UnknownRole(self.role.clone()));
        }
        assert!(self.role != "ruin", "this is meant to happen");
        if self.role == "unready" {
            self.overthink(None);
        }
        if self.role == "hopeless" {
            PREPARING.set();
            self.overthink(None);
            return Err(PlayerError::Rules("they have no end".into()));
        }
        Ok(())
    }

    fn play(&mut self, last: &[MoveText], _deadline: Instant) -> Result<MoveText, PlayerError> {
        match self.role.as_str() {
            "sleeper" => self.overthink(Some("( best so far )")),
            "dreamer" => self.overthink(None),
            "thinker" => {
                THINKING.set();
                self.overthink(None);
            }
            "wreck" => panic!("this is meant to happen"),
            "nobody" | "ruin" => return Err(PlayerError::OutOfOrder("no match has begun")),
            _ => {}
        }
        Ok(format!("( {} {} )", self.role, last.join(" ")))
    }

    fn stop(&mut self, _last: &[MoveText]) {}

    fn abort(&mut self) {}
}

pub(crate) const LIMITS: ServerLimits = ServerLimits {
    bytes: 1 << 20,
    patience: Duration::from_millis(300),
    waiting: 20,
    respite: Duration::from_millis(200),
    cors: false,
};

/// A player of at most `capacity` matches at the same time.
pub(crate) fn player(capacity: usize) -> SocketAddr {
    patient_player(capacity, LIMITS)
}

pub(crate) fn patient_player(capacity: usize, limits: ServerLimits) -> SocketAddr {
    let make = || -> Box<dyn Player> { Box::new(Parrot::default()) };
    serving(Matches::new("Parrot", capacity, Box::new(make)), limits)
}

/// Matches behind a port.
fn serving(matches: Matches, limits: ServerLimits) -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.expect("there is a runtime").block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            sender.send(listener.local_addr().expect("it has an address")).expect("it is awaited");
            serve(listener, Arc::new(matches), limits).await
        })
    });
    receiver.recv().expect("it listens")
}

/// Sends bytes and reads the answer until the connection is closed.
pub(crate) fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    // A server that answers early may not read all of it.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Status and body of the answer to a message.
fn send(address: SocketAddr, message: &str) -> (u16, String) {
    let head =
        "POST / HTTP/1.0\r\nSender: GAMESERVER\r\nContent-Type: text/acl\r\nContent-Length: ";
    let answer = exchange(address, format!("{head}{}\r\n\r\n{message}", message.len()).as_bytes());
    parts(&answer)
}

pub(crate) fn parts(answer: &str) -> (u16, String) {
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let text = answer.split_once("\r\n\r\n").map_or("", |(_, text)| text);
    (status, text.to_owned())
}

pub(crate) fn ask(address: SocketAddr, message: &str) -> String {
    let (status, text) = send(address, message);
    assert_eq!(status, 200, "{message}: {text}");
    text
}

fn start(id: &str, role: &str) -> String {
    format!("( START {id} {role} (( role a ) ( role b )) 1 1)")
}

pub(crate) const FREE: &str = "( ( name Parrot ) ( status available ) ( species computer ) )";
const BUSY: &str = "( ( name Parrot ) ( status busy ) ( species computer ) )";

#[test]
fn a_match_is_played_from_beginning_to_end() {
    let player = player(1);
    assert_eq!(ask(player, "( INFO )"), FREE);
    assert_eq!(ask(player, "( PREVIEW (( role a )) 1 )"), "ready");
    assert_eq!(ask(player, &start("m", "a")), "ready");
    assert_eq!(ask(player, "( INFO )"), BUSY);
    assert_eq!(ask(player, "( PREVIEW (( role a )) 1 )"), "busy");
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
    assert_eq!(ask(player, "( PLAY m ( ( mark 1 2 ) noop ) )"), "( a ( mark 1 2 ) noop )");
    assert_eq!(ask(player, "( STOP m ( noop noop ) )"), "done");
    assert_eq!(ask(player, "( INFO )"), FREE);
}

#[test]
fn a_preview_never_prevents_a_match() {
    let player = player(1);
    assert_eq!(ask(player, "( PREVIEW (( role ruin )) 1 )"), "ready");
    // The answer comes in time, the preview continues, and a second one is refused.
    assert_eq!(ask(player, "( PREVIEW (( role slow )) 1 )"), "ready");
    assert_eq!(ask(player, "( PREVIEW (( role a )) 1 )"), "busy");
    assert_eq!(ask(player, &start("m", "a")), "ready");
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
    PREVIEW_MAY_END.set();
}

/// Always makes the same move.
struct StandIn;

impl Player for StandIn {
    fn info(&self) -> Info {
        Info { name: "stand-in".into() }
    }

    fn start(&mut self, _setup: &Setup, _deadline: Instant) -> Result<(), PlayerError> {
        Ok(())
    }

    fn play(&mut self, last: &[MoveText], _deadline: Instant) -> Result<MoveText, PlayerError> {
        Ok(format!("( anything {} )", last.join(" ")))
    }

    fn stop(&mut self, _last: &[MoveText]) {}

    fn abort(&mut self) {}
}

#[test]
fn a_stand_in_moves_for_a_player_without_a_move() {
    let make = || -> Box<dyn Player> { Box::new(Parrot::default()) };
    let reserve = || -> Box<dyn Player> { Box::new(StandIn) };
    let matches = Matches::new("Parrot", 9, Box::new(make)).with_reserve(Box::new(reserve));
    let player = serving(matches, LIMITS);
    // A player with a best move so far needs no stand-in; others note nothing, panic, or are not ready.
    for (role, expected) in [
        ("a", "( a noop )"),
        ("sleeper", "( best so far )"),
        ("dreamer", "( anything noop )"),
        ("wreck", "( anything noop )"),
        ("unready", "( anything noop )"),
        ("nobody", "( anything noop )"),
        ("ruin", "( anything noop )"),
    ] {
        assert_eq!(ask(player, &start(role, role)), "ready", "{role}");
        assert_eq!(ask(player, &format!("( PLAY {role} ( noop ) )")), expected, "{role}");
        assert_eq!(ask(player, &format!("( STOP {role} NIL )")), "done", "{role}");
    }
}

#[test]
fn unexpected_messages_disturb_no_match() {
    let player = player(2);
    for message in ["( PLAY m NIL )", "( STOP m NIL )", "( ABORT m )"] {
        assert_eq!(ask(player, message), "busy", "{message}");
    }
    assert_eq!(ask(player, &start("m", "a")), "ready");
    assert_eq!(ask(player, &start("m", "b")), "busy");
    assert_eq!(ask(player, &start("n", "b")), "ready");
    assert_eq!(ask(player, &start("o", "c")), "busy");
    assert_eq!(ask(player, "( PLAY n NIL )"), "( b  )");
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
    assert_eq!(ask(player, "( ABORT m )"), "aborted");
    assert_eq!(ask(player, "( PLAY m NIL )"), "busy");
    assert_eq!(ask(player, &start("p", "nobody")), "busy");
    assert_eq!(ask(player, &start("p", "ruin")), "busy");
    assert_eq!(ask(player, &start("o", "c")), "ready");
    assert_eq!(ask(player, "( PLAY n NIL )"), "( b  )");
}

/// Hosts of the competition send one match id to all players, and messages do not name the role.
#[test]
fn a_second_role_in_a_match_is_refused_aloud() {
    let (sender, refusals) = std::sync::mpsc::channel();
    let make = || -> Box<dyn Player> { Box::new(Parrot::default()) };
    let matches = Matches::new("Parrot", 2, Box::new(make));
    let matches = matches.on_refusal(move |refusal| sender.send(refusal.to_string()).unwrap());
    let player = serving(matches, LIMITS);
    let log = || refusals.try_recv().expect("a refusal is logged before it is answered");
    assert_eq!(ask(player, &start("m", "a")), "ready");
    assert_eq!(ask(player, &start("m", "b")), "busy");
    let refused = "START of the match `m` for the role `b` is answered `busy`: this player has the role `a` in \
        a match with that id; a player process can have one role for each match id";
    assert_eq!(log(), refused);
    // The first role is played on, and the second gets a match of its own under another id.
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
    assert_eq!(ask(player, &start("n", "b")), "ready");
    assert_eq!(ask(player, "( PLAY n NIL )"), "( b  )");
    assert_eq!(ask(player, "( PLAY m ( x y ) )"), "( a x y )");
    assert_eq!(ask(player, &start("m", "a")), "busy");
    assert!(log().ends_with("that match is running"));
    assert_eq!(ask(player, &start("o", "a")), "busy");
    assert!(log().ends_with("2 matches are running, and no more are allowed"));
    assert!(refusals.try_recv().is_err());
}

#[test]
fn every_request_is_answered_in_time() {
    let player = player(9);
    for (role, expected) in [("sleeper", "( best so far )"), ("dreamer", "nil"), ("wreck", "nil")] {
        assert_eq!(ask(player, &start(role, role)), "ready");
        assert_eq!(ask(player, &format!("( PLAY {role} NIL )")), expected);
        // A player that still thinks about that turn has no move for the next one.
        assert_eq!(ask(player, &format!("( PLAY {role} ( noop ) )")), "nil");
        assert_eq!(ask(player, &format!("( ABORT {role} )")), "aborted");
    }
    assert_eq!(ask(player, &start("u", "unready")), "ready");
    assert_eq!(ask(player, "( PLAY u NIL )"), "nil");
}

#[test]
fn other_requests_are_answered_during_thought() {
    let player = player(1);
    assert_eq!(ask(player, "( START m thinker () 1 900 )"), "ready");
    let thinking = std::thread::spawn(move || ask(player, "( PLAY m NIL )"));
    THINKING.wait();
    assert_eq!(ask(player, "( INFO )"), BUSY);
    assert_eq!(ask(player, &start("n", "a")), "busy");
    // The clock is fifteen minutes; ABORT ends the thinking.
    assert_eq!(ask(player, "( ABORT m )"), "aborted");
    assert_eq!(thinking.join().expect("it is answered"), "( thinker  )");
    assert_eq!(ask(player, "( INFO )"), FREE);
}

#[test]
fn an_aborted_match_does_not_end_its_successor() {
    let player = player(2);
    let first = std::thread::spawn(move || ask(player, "( START m hopeless () 900 1 )"));
    PREPARING.wait();
    assert_eq!(ask(player, "( ABORT m )"), "aborted");
    assert_eq!(ask(player, &start("m", "a")), "ready", "the name is free again");
    assert_eq!(first.join().expect("it is answered"), "busy");
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
}

#[test]
fn invalid_messages_are_refused_with_a_reason() {
    let player = player(1);
    assert_eq!(ask(player, &start("m", "a")), "ready");
    let (status, text) = send(player, &"(".repeat(100_000));
    assert_eq!((status, text.contains("within more than")), (400, true), "{text}");
    assert_eq!(send(player, "( DANCE )").0, 400);
    assert_eq!(send(player, "").0, 400);
    assert_eq!(send(player, "\u{0}\u{fffd}").0, 400);
    let huge = "POST / HTTP/1.0\r\nContent-Length: 2000000000\r\n\r\n( INFO )";
    assert_eq!(parts(&exchange(player, huge.as_bytes())).0, 413);
    assert_eq!(send(player, &" ".repeat(2 << 20)).0, 413);
    let page =
        "POST / HTTP/1.1\r\nHost: h\r\nOrigin: http://web\r\nContent-Length: 8\r\n\r\n( INFO )";
    assert_eq!(parts(&exchange(player, page.as_bytes())).0, 403);
    exchange(player, b"\xff\xfe\x00 garbage \r\n\r\n");
    exchange(player, b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n( INFO )");
    let get = "GET /%28+INFO%20%29 HTTP/1.1\r\nHost: h\r\n\r\n";
    assert_eq!(parts(&exchange(player, get.as_bytes())), (200, BUSY.to_owned()));
    let options = "OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n";
    assert_eq!(parts(&exchange(player, options.as_bytes())), (200, String::new()));
    assert_eq!(ask(player, "( PLAY m NIL )"), "( a  )");
}

#[test]
fn idle_connections_block_no_others() {
    let player = player(1);
    assert_eq!(ask(player, &start("m", "sleeper")), "ready");
    let thinking = std::thread::spawn(move || ask(player, "( PLAY m NIL )"));
    let idle: Vec<_> = (0..100).map(|_| TcpStream::connect(player).expect("it listens")).collect();
    let mut slow = TcpStream::connect(player).expect("it listens");
    slow.write_all(b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n( ").expect("it is taken");
    assert_eq!(ask(player, "( INFO )"), BUSY);
    // The player closes both: the oldest when others come, the slow one after its timeout.
    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("it is closed");
    assert_eq!(parts(&answer).0, 408, "{answer}");
    for mut stream in idle {
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert_eq!(thinking.join().expect("it is answered"), "( best so far )");
}

#[test]
fn a_flood_of_connections_does_not_cut_off_a_message_in_transit() {
    let minute = Duration::from_mins(1);
    let player = patient_player(1, ServerLimits { patience: minute, respite: minute, ..LIMITS });
    let mut host = TcpStream::connect(player).expect("it listens");
    let crowd: Vec<_> = (0..100).map(|_| TcpStream::connect(player).expect("it listens")).collect();
    // When a later connection is answered, all of them were accepted.
    assert_eq!(ask(player, "( INFO )"), FREE);
    host.write_all(b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )").expect("it is taken");
    let mut answer = String::new();
    host.read_to_string(&mut answer).expect("there is an answer");
    assert_eq!(parts(&answer), (200, FREE.to_owned()));
    drop(crowd);
}
