//! The trials: a good player passes them, and each bad player fails those for its fault.

use std::io::{Read, Write};
use std::net::{TcpListener as Socket, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Info, MoveText, Player, PlayerError, Setup};
use ludens_protocol::torture::{Grade, Options, Outcome, Subject, TRIALS, Verdict};
use ludens_protocol::{Address, Expression, Matches, Request, ServerLimits, serve};
use tokio::net::TcpListener;

pub(crate) const SMALL: Options = Options {
    start_clock: Duration::from_millis(500),
    play_clock: Duration::from_millis(500),
    connections: 50,
    parentheses: 20_000,
    memory: 512 << 20,
    most_busy: Duration::from_secs(20),
};

/// Plays the trial game without a reasoner: it takes the words from the last moves.
#[derive(Default)]
pub(crate) struct Listener {
    /// The name of the move, and the words, in the spelling of the rules.
    say: String,
    words: Vec<String>,
    said: [String; 2],
}

/// The words after each occurrence of a mark.
fn after<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    text.split(mark).skip(1).filter_map(|rest| rest.split(' ').next()).collect()
}

/// Uses up time as a search does, so that trials can interrupt it, but without a processor.
fn think_until(end: Instant) {
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::park_timeout(left);
    }
}

impl Player for Listener {
    fn info(&self) -> Info {
        Info { name: "listener".into() }
    }

    fn start(&mut self, setup: &Setup, _: Instant) -> Result<(), PlayerError> {
        // The third fact states a word; the name of its relation is only known from there.
        let rules = &setup.rules;
        let is_role = |word: &&str| !word.eq_ignore_ascii_case("role");
        let facts: Vec<&str> = rules.split('(').map(str::trim).filter(|f| !f.is_empty()).collect();
        let relation = facts.get(2).and_then(|fact| fact.split(' ').next());
        let relation = relation.filter(is_role).ok_or(PlayerError::Rules("others".into()))?;
        let words = after(rules, &format!("( {relation} "));
        let words = words.get(..3).ok_or(PlayerError::Rules("few words".into()))?;
        self.words = words.iter().map(|word| (*word).to_owned()).collect();
        let legal = ["( legal ?", "( LEGAL ?"].iter().find_map(|mark| rules.split(mark).nth(1));
        let legal = legal
            .and_then(|rest| rest.split("( ").nth(1))
            .ok_or(PlayerError::Rules("none".into()))?;
        legal.split(' ').next().unwrap_or("").clone_into(&mut self.say);
        self.said = [self.words[0].clone(), self.words[0].clone()];
        Ok(())
    }

    fn play(&mut self, last: &[MoveText], deadline: Instant) -> Result<MoveText, PlayerError> {
        for (said, mv) in self.said.iter_mut().zip(last) {
            let (mv, _) = Expression::first(mv).expect("it is a move");
            mv.items().last().expect("it has words").text().clone_into(said);
        }
        think_until(Instant::now() + deadline.saturating_duration_since(Instant::now()) / 2);
        let [left, right] = &self.said;
        Ok(format!("( {} {left} {right} {} )", self.say, self.words[1]))
    }

    fn stop(&mut self, _: &[MoveText]) {}

    fn abort(&mut self) {}
}

async fn good() -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    let make = || -> Box<dyn Player> { Box::new(Listener::default()) };
    let limits = ServerLimits { waiting: 20, ..ServerLimits::default() };
    tokio::spawn(serve(listener, Arc::new(Matches::new("Good", 2, Box::new(make))), limits));
    Address { host: "127.0.0.1".into(), port }
}

/// A player that serves one connection after the other.
pub(crate) fn simple(
    mut answer: impl FnMut(Request) -> Option<String> + Send + 'static,
) -> Address {
    let socket = Socket::bind("127.0.0.1:0").expect("a port is free");
    let port = socket.local_addr().expect("it has an address").port();
    std::thread::spawn(move || {
        for mut stream in socket.incoming().flatten() {
            let Some(request) = message(&mut stream) else { continue };
            let Some(text) = answer(request) else { continue };
            let _ =
                write!(stream, "HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n{text}", text.len());
        }
    });
    Address { host: "127.0.0.1".into(), port }
}

/// Reads a message.
pub(crate) fn message(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 1024];
        let read = stream.read(&mut part).unwrap_or(0);
        bytes.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse::<usize>().ok());
        if length.is_some_and(|length| body.len() >= length) || read == 0 {
            return body.parse().ok();
        }
    }
}

/// The good player with changed moves.
fn changed(change: impl Fn(String) -> String + Send + 'static) -> Address {
    let mut player = Listener::default();
    simple(move |request| {
        Some(match request {
            Request::Info => "( ( name Changed ) ( status available ) )".into(),
            Request::Start { role, rules, play_clock, .. } => {
                let setup = Setup { rules, role, play_clock };
                player.start(&setup, Instant::now()).map_or("busy".into(), |()| "ready".into())
            }
            Request::Play { last, .. } => {
                change(player.play(&last, Instant::now()).expect("it moves"))
            }
            _ => "done".into(),
        })
    })
}

pub(crate) async fn undergo(player: Address, options: Options, names: &[&str]) -> Vec<Outcome> {
    let subject = Subject::new(player, options).await;
    let mut outcomes = Vec::new();
    for trial in TRIALS.iter().filter(|trial| names.contains(&trial.name)) {
        outcomes.push(subject.undergo(trial).await);
    }
    assert_eq!(outcomes.len(), names.len());
    outcomes
}

pub(crate) fn verdicts(outcomes: &[Outcome]) -> Vec<(&str, Verdict)> {
    outcomes.iter().map(|outcome| (outcome.trial, outcome.verdict())).collect()
}

/// All complaints as one text.
pub(crate) fn complaints(outcome: &Outcome, grade: Grade) -> String {
    let complaints = outcome.notes.complaints.iter().filter(|complaint| complaint.grade == grade);
    complaints.map(|complaint| complaint.what.clone()).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_good_player_passes() {
    let all: Vec<&str> = TRIALS.iter().map(|trial| trial.name).collect();
    // Each part has its own player, so that parts run at the same time.
    let parts = all.chunks(4).map(|names| {
        let names = names.to_vec();
        tokio::spawn(async move { undergo(good().await, SMALL, &names).await })
    });
    for part in parts.collect::<Vec<_>>() {
        for outcome in part.await.expect("it ends") {
            assert!(
                [Verdict::Pass, Verdict::NotMeasured].contains(&outcome.verdict()),
                "{outcome:#?}"
            );
            if let Some(background) = &outcome.background {
                assert!(background.matches > 0 && background.stats.lost.is_empty(), "{outcome:#?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_moves_are_found() {
    let player = changed(|mv| mv.replace("say", "shout"));
    let outcomes = undergo(player, SMALL, &["info", "match"]).await;
    assert_eq!(verdicts(&outcomes), [("info", Verdict::Pass), ("match", Verdict::Fail)]);
    let complaints = complaints(&outcomes[1], Grade::Required);
    assert!(complaints.contains("4 answers lost") && complaints.contains("(IL)"), "{complaints}");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_spelling_is_found_where_it_matters() {
    let player = changed(|mv| mv.to_lowercase());
    let outcomes = undergo(player, SMALL, &["match", "spelling", "upper-case"]).await;
    let expected = [Verdict::Pass, Verdict::Fail, Verdict::Pass];
    assert_eq!(outcomes.iter().map(Outcome::verdict).collect::<Vec<_>>(), expected);
    let complaints = complaints(&outcomes[1], Grade::Required);
    assert!(complaints.contains("not spelt as the rules are"), "{complaints}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_that_trusts_its_own_moves_is_found() {
    let mut own = None;
    let mut player = Listener::default();
    let player = simple(move |request| {
        Some(match request {
            Request::Info => "available".into(),
            Request::Start { role, rules, play_clock, .. } => {
                own = None;
                let setup = Setup { rules, role, play_clock };
                player.start(&setup, Instant::now()).map_or("busy".into(), |()| "ready".into())
            }
            Request::Play { mut last, .. } => {
                // It plays the second role in this trial, and believes that its own move was made.
                if let (Some(own), Some(sent)) = (own.take(), last.get_mut(1)) {
                    *sent = own;
                }
                let mv = player.play(&last, Instant::now()).expect("it moves");
                own = Some(mv.clone());
                mv
            }
            _ => "done".into(),
        })
    });
    let outcomes = undergo(player, SMALL, &["second-role", "replaced-moves"]).await;
    let expected = [("second-role", Verdict::Pass), ("replaced-moves", Verdict::Fail)];
    assert_eq!(verdicts(&outcomes), expected, "{outcomes:#?}");
}

/// Serving one connection at a time is enough for good hosts, but fails with the first idle
/// connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_that_waits_for_each_connection_fails_with_an_idle_one() {
    let options = Options { connections: 2, ..SMALL };
    let outcomes = undergo(changed(|mv| mv), options, &["match", "idle"]).await;
    assert_eq!(verdicts(&outcomes), [("match", Verdict::Pass), ("idle", Verdict::Fail)]);
    let background = outcomes[1].background.as_ref().expect("there was a match");
    let lost = &background.stats.lost;
    assert!(lost.iter().any(|lost| lost.contains("(TO)")), "{background:?}");
}

/// A player with one thread and one match, as in the first competitions.
#[tokio::test(flavor = "multi_thread")]
async fn one_match_at_a_time_is_advised_against_only() {
    let mut player = Listener::default();
    let mut running: Option<String> = None;
    let player = simple(move |request| {
        let is_running = |id: &String| running.as_ref() == Some(id);
        Some(match request {
            Request::Info => "( ( name Single ) ( status available ) )".into(),
            Request::Start { id, role, rules, play_clock, .. } if running.is_none() => {
                running = Some(id);
                let setup = Setup { rules, role, play_clock };
                player.start(&setup, Instant::now()).expect("the rules are known");
                "ready".into()
            }
            Request::Play { id, last } if is_running(&id) => {
                let deadline = Instant::now() + SMALL.play_clock * 2;
                player.play(&last, deadline).expect("it moves")
            }
            Request::Stop { id, .. } | Request::Abort { id } if is_running(&id) => {
                running = None;
                "done".into()
            }
            _ => "busy".into(),
        })
    });
    let names = ["start-while-playing", "two-matches", "info-in-thought", "abort-in-thought"];
    // On a busy machine, a message may overtake the request for a move, but not every time.
    let mut advice = String::new();
    for _ in 0..4 {
        let outcomes = undergo(player.clone(), SMALL, &names).await;
        for outcome in &outcomes {
            assert_eq!(complaints(outcome, Grade::Required), "", "{outcome:#?}");
            advice += &complaints(outcome, Grade::Advised);
        }
        let expected = ["a second match is refused", "INFO had to wait", "ABORT had to wait"];
        if expected.iter().all(|words| advice.contains(words)) {
            return;
        }
    }
    panic!("{advice}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn memory_that_grows_is_found() {
    let mut hoard = Vec::new();
    let player = simple(move |request| {
        if request == Request::Info {
            hoard.push(vec![1u8; 64 << 20]);
        }
        Some("available".into())
    });
    let options = Options { memory: 32 << 20, ..SMALL };
    let outcomes = undergo(player, options, &["info", "memory"]).await;
    for outcome in &outcomes {
        assert_eq!(outcome.verdict(), Verdict::Fail, "{outcome:#?}");
        assert!(complaints(outcome, Grade::Required).contains("memory grew by"));
    }
}
