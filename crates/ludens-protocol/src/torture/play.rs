//! A match as a host plays it, whatever the player answers.

use std::time::Duration;

use super::game::{Game, Wording};
use super::report::{Grade, Notes};
use super::subject::{GRACE, Subject};
use super::wire::Reply;
use crate::client::AskError;
use crate::request::Request;

/// Statistics of the player's answers in one or several matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchStats {
    /// The number of requested moves.
    pub moves: u32,
    /// Lost moves: answers that were missing, late or illegal.
    pub lost: Vec<String>,
    /// The number of answers after the play clock, but within the grace period of hosts.
    pub slow: u32,
    /// The time of the slowest answer.
    pub slowest: Duration,
}

impl MatchStats {
    /// Adds another match.
    pub fn add(&mut self, other: MatchStats) {
        self.moves += other.moves;
        self.lost.extend(other.lost);
        self.slow += other.slow;
        self.slowest = self.slowest.max(other.slowest);
    }

    /// Adds the statistics to the notes.
    pub fn report(&self, notes: &mut Notes) {
        let MatchStats { moves, lost, slow, slowest } = self;
        let slowest = slowest.as_secs_f64();
        notes.observe(format!("{moves} moves requested, the slowest answer after {slowest:.2} s"));
        if let Some(first) = lost.first() {
            let what = format!(
                "{} answers lost, the first: {first}; a host would make random moves instead",
                lost.len()
            );
            notes.complain(Grade::Required, what);
        }
        notes.demand(Grade::Advised, *slow == 0, || {
            format!("{slow} of {moves} answers came after the play clock, saved by the host's grace period")
        });
    }
}

/// A running match.
pub struct Match<'a> {
    subject: &'a Subject,
    /// Its id.
    pub id: String,
    /// Its state.
    pub game: Game,
    role: usize,
    last: Vec<String>,
    /// The answers so far.
    pub stats: MatchStats,
}

impl<'a> Match<'a> {
    /// Starts a match whatever the player answers, as hosts do; `None` if it answers `busy`.
    pub async fn start(subject: &'a Subject, wording: Wording, role: usize) -> Option<Self> {
        let id = subject.fresh_id();
        let question = start(subject, &id, &wording, role);
        let answer = subject.ask(&question, subject.options.start_clock + GRACE).await;
        let mut stats = MatchStats::default();
        match answer {
            Ok(Reply { text, .. }) if text.eq_ignore_ascii_case("busy") => {
                subject.open.remove(&id);
                return None;
            }
            Ok(_) => {}
            Err(error) => stats.lost.push(format!("START got {}", missing(error))),
        }
        let game = Game::new(wording);
        Some(Match { subject, id, game, role, last: Vec::new(), stats })
    }

    /// Requests a move and makes it, or another one in its place.
    pub async fn step(&mut self, replace: bool) {
        let request = Request::Play { id: self.id.clone(), last: self.last.clone() };
        let patience = self.subject.options.play_clock + GRACE;
        let answer = self.subject.ask(&request.to_string(), patience).await;
        let chosen = self.word_of(answer);
        // The other role never says the same word, so that the order of moves matters.
        let own = chosen.map_or(0, |word| if replace { (word + 1) % 3 } else { word });
        let other = (own + 1) % 3;
        let words = if self.role == 0 { [own, other] } else { [other, own] };
        self.last = self.game.say(words).to_vec();
    }

    /// The word of an answer; faults are counted.
    fn word_of(&mut self, answer: Result<Reply, AskError>) -> Option<usize> {
        self.stats.moves += 1;
        let number = self.stats.moves;
        let reply = match answer {
            Ok(reply) => reply,
            Err(error) => {
                self.stats.lost.push(format!("move {number} got {}", missing(error)));
                return None;
            }
        };
        self.stats.slowest = self.stats.slowest.max(reply.took);
        self.stats.slow += u32::from(reply.took > self.subject.options.play_clock);
        let word = self.game.understand(&reply.text);
        if word.is_none() {
            let why = if self.game.is_misspelt(&reply.text) {
                "is not spelt as the rules are"
            } else {
                "is not legal"
            };
            let text: String = reply.text.chars().take(80).collect();
            self.stats.lost.push(format!("move {number}, `{text}`, {why} (IL)"));
        }
        word
    }

    /// Plays the match to its end.
    pub async fn finish(&mut self) {
        while !self.game.is_over() {
            self.step(false).await;
        }
    }

    /// Sends STOP; returns whether it was answered.
    pub async fn stop(&self) -> bool {
        let request = Request::Stop { id: self.id.clone(), last: self.last.clone() };
        let patience = self.subject.options.play_clock + GRACE;
        let answered = self.subject.ask(&request.to_string(), patience).await.is_ok();
        if answered {
            self.subject.open.remove(&self.id);
        }
        answered
    }

    /// Sends ABORT; returns whether it was answered.
    pub async fn abort(&self) -> bool {
        abort(self.subject, &self.id).await
    }
}

/// Sends ABORT for a match; returns whether it was answered.
pub async fn abort(subject: &Subject, id: &str) -> bool {
    let request = Request::Abort { id: id.to_owned() };
    let answered = subject.ask(&request.to_string(), GRACE).await.is_ok();
    if answered {
        subject.open.remove(id);
    }
    answered
}

/// The START message of the trial game.
pub fn start(subject: &Subject, id: &str, wording: &Wording, role: usize) -> String {
    start_with(subject, id, &wording.roles[role], &wording.rules)
}

/// A START message with any rules; the match counts as running from now on.
pub fn start_with(subject: &Subject, id: &str, role: &str, rules: &str) -> String {
    subject.open.add(id);
    let request = Request::Start {
        id: id.to_owned(),
        role: role.to_owned(),
        rules: rules.to_owned(),
        start_clock: subject.options.start_clock,
        play_clock: subject.options.play_clock,
    };
    request.to_string()
}

/// The fault that a host would record.
fn missing(error: AskError) -> &'static str {
    match error {
        AskError::Late => "no answer in time (TO)",
        AskError::Connection => "no answer because the connection failed (CE)",
    }
}
