//! Messages during a match, and messages that belong to no match.

use std::time::{Duration, Instant};

use super::conformance::{attempt, end, play};
use super::game::Wording;
use super::play::{Match, abort, start};
use super::report::{Grade, Notes};
use super::subject::{GRACE, Subject};
use crate::request::Request;

/// A repeated START and one of another match do not disturb the running match.
pub async fn start_while_playing(subject: &Subject, notes: &mut Notes) {
    let wording = Wording::plain();
    let Some(mut game) = attempt(subject, notes, 0).await else { return };
    game.step(false).await;
    let patience = subject.options.start_clock + GRACE;
    let again = subject.ask(&start(subject, &game.id, &wording, 1), patience).await;
    let again = again.map_or("nothing".into(), |reply| reply.text);
    game.step(false).await;
    let other = subject.fresh_id();
    let second = subject.ask(&start(subject, &other, &wording, 1), patience).await;
    let second = second.map_or("nothing".into(), |reply| reply.text);
    game.finish().await;
    abort(subject, &other).await;
    notes.observe(format!("the same START got `{again}`, another one `{second}`"));
    notes.demand(Grade::Advised, again == "busy", || {
        format!("START of a running match got `{again}` instead of `busy`")
    });
    end(game, notes).await;
}

/// Two matches at once.
pub async fn two_matches(subject: &Subject, notes: &mut Notes) {
    let Some(mut first) = attempt(subject, notes, 0).await else { return };
    match Match::start(subject, Wording::plain(), 1).await {
        None => {
            let what = "a second match is refused while one is running, so it is missed";
            notes.complain(Grade::Advised, what);
            first.finish().await;
        }
        Some(mut second) => {
            tokio::join!(first.finish(), second.finish());
            end(second, notes).await;
        }
    }
    end(first, notes).await;
}

/// Messages about an unknown match are answered and change nothing.
pub async fn unknown_match(subject: &Subject, notes: &mut Notes) {
    send_unknown(subject, notes, "while no match was running").await;
    let Some(mut game) = attempt(subject, notes, 1).await else { return };
    game.step(false).await;
    send_unknown(subject, notes, "during a match").await;
    game.finish().await;
    end(game, notes).await;
}

async fn send_unknown(subject: &Subject, notes: &mut Notes, when: &str) {
    let (id, last) = (subject.fresh_id(), Vec::new());
    let requests = [
        Request::Play { id: id.clone(), last: last.clone() },
        Request::Stop { id: id.clone(), last },
        Request::Abort { id },
    ];
    for (request, name) in requests.iter().zip(["PLAY", "STOP", "ABORT"]) {
        let patience = subject.options.play_clock + GRACE;
        let answer = subject.ask(&request.to_string(), patience).await;
        notes.demand(Grade::Required, answer.is_ok(), || {
            format!("{name} of an unknown match had no answer {when}: its host would wait in vain")
        });
        let text = answer.map_or("nothing".into(), |reply| reply.text);
        notes.demand(Grade::Advised, text == "busy", || {
            format!("{name} of an unknown match got `{text}` instead of `busy` {when}")
        });
    }
}

/// An aborted match makes room for another.
pub async fn give_up(subject: &Subject, notes: &mut Notes) {
    let Some(mut game) = attempt(subject, notes, 0).await else { return };
    game.step(false).await;
    let answered = game.abort().await;
    notes.demand(Grade::Advised, answered, || "ABORT had no answer within a second".into());
    play(subject, notes, Wording::plain(), 1).await;
}

/// How long a player thinks before it is interrupted.
fn time_to_interrupt(subject: &Subject) -> Duration {
    subject.options.play_clock / 4
}

/// Sends a message while the player thinks; returns whether it was answered before the move, or
/// `None` if the move came too early.
async fn interrupt(game: &mut Match<'_>, subject: &Subject, message: &str) -> Option<bool> {
    let thinking = async {
        game.step(false).await;
        Instant::now()
    };
    let asking = async {
        tokio::time::sleep(time_to_interrupt(subject)).await;
        let asked = Instant::now();
        let answer = subject.ask(message, GRACE).await;
        (asked, answer.is_ok().then(Instant::now))
    };
    let (moved, (asked, answered)) = tokio::join!(thinking, asking);
    let soon = time_to_interrupt(subject) / 2;
    // A player that sends both after thinking may send the second answer slightly earlier; one that
    // stops thinking because of the message sends both soon after it.
    let answered_meanwhile = answered.is_some_and(|answered| answered + soon < moved);
    let answered_soon = answered.is_some_and(|answered| answered < asked + soon);
    if answered_meanwhile || (moved > asked && answered_soon) {
        return Some(true);
    }
    (moved > asked + time_to_interrupt(subject)).then_some(false)
}

const TOO_FAST: &str = "not measured: the move came before another message could be sent";

/// INFO during thought.
pub async fn info_in_thought(subject: &Subject, notes: &mut Notes) {
    let Some(mut game) = attempt(subject, notes, 0).await else { return };
    match interrupt(&mut game, subject, "( INFO )").await {
        Some(true) => notes.observe("INFO was answered during thought"),
        Some(false) => {
            let what = "INFO had to wait for a move, so hosts may consider the player unreachable";
            notes.complain(Grade::Advised, what);
        }
        None => notes.not_measured(TOO_FAST),
    }
    game.finish().await;
    end(game, notes).await;
}

/// ABORT during thought.
pub async fn give_up_in_thought(subject: &Subject, notes: &mut Notes) {
    let Some(mut game) = attempt(subject, notes, 0).await else { return };
    let message = Request::Abort { id: game.id.clone() }.to_string();
    let aborted = interrupt(&mut game, subject, &message).await;
    // Nothing has shown yet that the match is over.
    game.abort().await;
    match aborted {
        Some(true) => notes.observe("ABORT was answered during thought"),
        Some(false) => {
            let what =
                "ABORT had to wait for a move: the player keeps thinking about an aborted match";
            notes.complain(Grade::Advised, what);
        }
        None => notes.not_measured(TOO_FAST),
    }
    play(subject, notes, Wording::plain(), 0).await;
}
