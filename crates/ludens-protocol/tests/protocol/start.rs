//! The start of a hosted match: players that do not accept START do not play.

use std::net::TcpListener as Socket;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use ludens_protocol::{Address, Fault, GivenUp, Hosted, Played, Request};

use crate::host::{hosted, player, three_steps};
use crate::torture::simple;

/// Without a start clock, START is sent once; its answer may take as long as a machine is busy.
const ONCE: (Duration, Duration) = (Duration::ZERO, Duration::from_mins(1));

fn match_of(players: [Address; 2], (start_clock, grace): (Duration, Duration)) -> Hosted {
    let hosted = hosted(players.map(Some).to_vec(), Arc::new(three_steps(2)));
    Hosted { start_clock, grace, ..hosted }
}

/// Plays a match of a good player, in the first role, and another one.
async fn meet(other: Address, clocks: (Duration, Duration)) -> Played {
    let hosted = match_of([player("two").await, other], clocks);
    hosted.play(|_| {}).await.expect("the rules are sound")
}

/// The faults at START as they are recorded, and why the match does not count.
fn at_start(played: &Played) -> (Vec<String>, String) {
    assert_eq!(played.faults.len(), 1, "there is no step: {played:?}");
    assert!(played.moves.is_empty() && played.goals.is_empty(), "{played:?}");
    let codes = played.faults[0].iter().map(Fault::code).collect();
    (codes, played.flaw().expect("it does not count"))
}

#[tokio::test]
async fn a_player_that_answers_busy_does_not_play() {
    let (sender, messages) = mpsc::channel();
    let busy = simple(move |request| {
        let _ = sender.send(request);
        Some("busy".into())
    });
    let played = meet(busy, ONCE).await;
    let why = "the player of `r1` does not play: it answered START with `busy`";
    assert_eq!(at_start(&played), (vec![String::new(), "IL busy".into()], why.to_owned()));
    let fault = Fault::Refused("busy".into());
    assert_eq!(played.given_up, Some(GivenUp::NotStarted { role: "r1".into(), fault }));
    // It gets no ABORT either: it may be in a match of another host.
    let sent: Vec<Request> = messages.try_iter().collect();
    assert!(matches!(sent[..], [Request::Start { .. }]), "{sent:?}");
}

#[tokio::test]
async fn a_player_that_answers_nothing_does_not_play() {
    let why = |what: &str| format!("the player of `r1` does not play: {what}");
    let codes = |code: &str| vec![String::new(), code.to_owned()];
    let empty = meet(simple(|_| Some(String::new())), ONCE).await;
    assert_eq!(at_start(&empty), (codes("IL null"), why("its answer to START was empty")));
    let closed = meet(simple(|_| None), ONCE).await;
    assert_eq!(at_start(&closed), (codes("CE"), why("the connection failed at START")));
    let deaf = Socket::bind("127.0.0.1:0").expect("a port is free");
    let port = deaf.local_addr().expect("it has an address").port();
    let clocks = (Duration::from_millis(400), Duration::ZERO);
    let silent = meet(Address { host: "127.0.0.1".into(), port }, clocks).await;
    assert_eq!(at_start(&silent), (codes("TO"), why("it did not answer START in time")));
}

#[tokio::test]
async fn a_player_that_is_busy_for_a_moment_plays() {
    let mut n_starts = 0;
    let busy_twice = simple(move |request| {
        n_starts += u32::from(matches!(request, Request::Start { .. }));
        Some(if n_starts < 3 { "busy" } else { "one" }.into())
    });
    let played = meet(busy_twice, (Duration::from_mins(1), Duration::ZERO)).await;
    assert_eq!(played.given_up, None);
    assert_eq!(played.faults, vec![vec![Fault::None; 2]; 4]);
    assert_eq!(played.moves, vec![["two", "one"]; 3]);
}

#[tokio::test]
async fn others_leave_a_match_that_does_not_begin() {
    let (sender, messages) = mpsc::channel();
    let willing = simple(move |request| {
        let _ = sender.send(request);
        Some("ready".into())
    });
    let hosted = match_of([willing, simple(|_| Some("BUSY".into()))], ONCE);
    let played = hosted.play(|_| {}).await.expect("the rules are sound");
    assert!(played.flaw().is_some());
    let sent: Vec<Request> = messages.try_iter().collect();
    assert!(matches!(sent[..], [Request::Start { .. }, Request::Abort { .. }]), "{sent:?}");
}
