//! Valid messages with harmful contents.

use super::play::{abort, start_with};
use super::report::{Grade, Notes};
use super::subject::{GRACE, Subject};
use super::wire::Reply;
use crate::client::AskError;

fn shown(answer: Result<Reply, AskError>) -> String {
    let text = |reply: Reply| format!("`{}`", reply.text.chars().take(40).collect::<String>());
    answer.map_or("nothing".into(), text)
}

/// Deeply nested parentheses: open, closed, and as rules.
pub async fn parentheses(subject: &Subject, notes: &mut Notes) {
    let count = subject.options.parentheses;
    let (open, close) = ("(".repeat(count), ")".repeat(count));
    let id = subject.fresh_id();
    let rules = start_with(subject, &id, "left", &format!("{open} role left {close}"));
    let mut answers = Vec::new();
    for message in [open.clone(), format!("{open}{close}"), close, rules] {
        answers.push(shown(subject.ask(&message, subject.hold()).await));
    }
    abort(subject, &id).await;
    notes.observe(format!("{count} parentheses four times got {}", answers.join(", ")));
}

/// Invalid rules.
const BROKEN: [&str; 6] = [
    "",
    "( role left ) ( <= ) ( <= ( legal ?x ) )",
    "( role left ) ( <= ( legal left ?m ) ( not ( true ?m ) ) )",
    "( role left ) ( <= p ( not q ) ) ( <= q ( not p ) ) ( <= ( legal left a ) p )",
    "( role left ) ( legal left ) ( legal left a b ) ( <= terminal ( or ) )",
    "role left ( ( ( ) ) ) ( ?x ?y ) ( <= ?x ?y ) ( not )",
];

/// Rules with infinitely or far too many consequences: growing terms, and a huge product.
const ENDLESS: [&str; 3] = [
    "( role left ) ( number zero ) ( <= ( number ( s ?x ) ) ( number ?x ) ) ( init start )
     ( <= ( legal left ?x ) ( number ?x ) ) ( <= terminal ( not ( true start ) ) ) ( goal left 0 )",
    "( role left ) ( init ( pile zero ) ) ( <= ( legal left ( put ?x ) ) ( pile ?x ) )
     ( <= ( pile ?x ) ( true ( pile ?x ) ) ) ( <= ( pile ( f ?x ?y ) ) ( pile ?x ) ( pile ?y ) )
     ( <= ( next ( pile ?x ) ) ( does left ( put ?x ) ) ) ( <= terminal ( true done ) ) ( goal left 0 )",
    "( role left ) ( thing 1 ) ( thing 2 ) ( thing 3 ) ( thing 4 ) ( thing 5 ) ( thing 6 ) ( thing 7 )
     ( thing 8 ) ( init start ) ( <= terminal ( not ( true start ) ) ) ( goal left 0 )
     ( <= ( legal left ( move ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ) ) ( thing ?a ) ( thing ?b ) ( thing ?c )
     ( thing ?d ) ( thing ?e ) ( thing ?f ) ( thing ?g ) ( thing ?h ) ( thing ?i ) ( thing ?j ) )",
];

/// Rules that cannot be played because they are invalid.
pub async fn broken_rules(subject: &Subject, notes: &mut Notes) {
    start_and_abort(subject, notes, &BROKEN).await;
}

/// Rules that cannot be played because they have too many consequences.
pub async fn endless_rules(subject: &Subject, notes: &mut Notes) {
    start_and_abort(subject, notes, &ENDLESS).await;
}

/// Starts matches with rules that cannot be played, and aborts them.
async fn start_and_abort(subject: &Subject, notes: &mut Notes, all: &[&str]) {
    let mut answers = Vec::new();
    for rules in all {
        let id = subject.fresh_id();
        let message = start_with(subject, &id, "left", rules);
        let answer = subject.ask(&message, subject.options.start_clock + GRACE).await;
        notes.demand(Grade::Advised, answer.is_ok(), || {
            format!("START had no answer in time for rules {rules:.40}…, so a host waits")
        });
        answers.push(shown(answer));
        abort(subject, &id).await;
    }
    notes.observe(format!("START got {}", answers.join(", ")));
}
