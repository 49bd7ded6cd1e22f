//! Conformance to the protocol: messages of a host during a match.

use super::game::Wording;
use super::play::Match;
use super::report::{Grade, Notes};
use super::subject::{GRACE, Subject};
use crate::info::{PlayerInfo, Status};
use crate::request::Request;

/// INFO is answered with name and status.
pub async fn info(subject: &Subject, notes: &mut Notes) {
    let Ok(reply) = subject.ask("( INFO )", GRACE).await else {
        return notes.complain(Grade::Required, "INFO had no answer within a second");
    };
    let info = PlayerInfo::read(&reply.text);
    let name = info.name.as_deref().unwrap_or("without a name");
    notes.observe(format!("{name}, {:?}, after {:.2?}", info.status, reply.took));
    notes.demand(Grade::Advised, info.name.is_some(), || {
        format!("no name in `{}`, so a host cannot show one", reply.text)
    });
    notes.demand(Grade::Advised, info.status == Status::Available, || {
        format!(
            "the status in `{}` is not `available`, though no match of these trials is running",
            reply.text
        )
    });
}

/// PREVIEW is answered.
pub async fn preview(subject: &Subject, notes: &mut Notes) {
    let (rules, clock) = (Wording::plain().rules, subject.options.start_clock);
    let request = Request::Preview { rules, clock };
    let Ok(reply) = subject.ask(&request.to_string(), clock + GRACE).await else {
        let what = "PREVIEW had no answer, so a host waits for the whole clock";
        return notes.complain(Grade::Advised, what);
    };
    notes.observe(format!("answered `{}` after {:.2?}", reply.text, reply.took));
}

/// A whole match in the first role.
pub async fn whole_match(subject: &Subject, notes: &mut Notes) {
    play(subject, notes, Wording::plain(), 0).await;
}

/// A whole match in the second role.
pub async fn second_role(subject: &Subject, notes: &mut Notes) {
    play(subject, notes, Wording::plain(), 1).await;
}

/// Answers use the spelling of the rules.
pub async fn spelling(subject: &Subject, notes: &mut Notes) {
    play(subject, notes, Wording::mixed(), 0).await;
}

/// Everything in upper case, as the Dresden controller writes it.
pub async fn upper_case(subject: &Subject, notes: &mut Notes) {
    play(subject, notes, Wording::upper(), 1).await;
}

/// Scrambled names.
pub async fn scrambled(subject: &Subject, notes: &mut Notes) {
    play(subject, notes, Wording::scrambled(1), 0).await;
}

/// A host may replace the player's move; the next message says which move was made.
pub async fn replaced_moves(subject: &Subject, notes: &mut Notes) {
    let Some(mut game) = attempt(subject, notes, 1).await else { return };
    while !game.game.is_over() {
        game.step(true).await;
    }
    end(game, notes).await;
}

/// Plays a whole match.
pub async fn play(subject: &Subject, notes: &mut Notes, wording: Wording, role: usize) {
    let Some(mut game) = begin(subject, notes, wording, role).await else { return };
    game.finish().await;
    end(game, notes).await;
}

/// Starts a match while no other is running: START must be accepted.
async fn begin<'a>(
    subject: &'a Subject,
    notes: &mut Notes,
    wording: Wording,
    role: usize,
) -> Option<Match<'a>> {
    let game = Match::start(subject, wording, role).await;
    notes.demand(Grade::Required, game.is_some(), || {
        "START was answered `busy` though no match was running: a host would make random moves throughout".into()
    });
    game
}

/// Starts a match for a trial of what comes later, which cannot run if START is refused: that is the fault
/// that the trials of whole matches are about.
pub async fn attempt<'a>(
    subject: &'a Subject,
    notes: &mut Notes,
    role: usize,
) -> Option<Match<'a>> {
    let game = Match::start(subject, Wording::plain(), role).await;
    if game.is_none() {
        notes.prevent("START was answered `busy`; see the trial `match`");
    }
    game
}

/// Ends a match and adds it to the notes.
pub async fn end(game: Match<'_>, notes: &mut Notes) {
    let stopped = game.stop().await;
    game.stats.report(notes);
    notes.demand(Grade::Advised, stopped, || "STOP had no answer".into());
}
