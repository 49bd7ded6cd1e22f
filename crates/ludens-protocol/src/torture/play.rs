//! A match as hosts lead it, move by move, whatever the player does.

use std::time::Duration;

use super::game::{Game, Wording};
use super::report::{Grade, Notes};
use super::subject::{GRACE, Subject};
use super::wire::Reply;
use crate::client::AskError;
use crate::request::Request;

/// How the player did in one or several matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// How many moves were asked for.
    pub moves: u32,
    /// What was lost: answers that did not come, came too late, or were no legal moves.
    pub lost: Vec<String>,
    /// How many answers came after the play clock, but within the grace that hosts give.
    pub slow: u32,
    /// The slowest answer that came.
    pub slowest: Duration,
}

impl Course {
    /// Takes what happened in another match too.
    pub fn add(&mut self, other: Course) {
        self.moves += other.moves;
        self.lost.extend(other.lost);
        self.slow += other.slow;
        self.slowest = self.slowest.max(other.slowest);
    }

    /// Notes what happened.
    pub fn settle(&self, notes: &mut Notes) {
        let Course { moves, lost, slow, slowest } = self;
        let slowest = slowest.as_secs_f64();
        notes.observe(format!("{moves} moves asked, the slowest answer after {slowest:.2} s"));
        if let Some(first) = lost.first() {
            let what = format!(
                "{} answers lost, the first: {first}; a host would draw moves instead",
                lost.len()
            );
            notes.complain(Grade::Required, what);
        }
        notes.demand(Grade::Advised, *slow == 0, || {
            format!("{slow} of {moves} answers came after the play clock, saved by a host's grace")
        });
    }
}

/// A match that is being played.
pub struct Match<'a> {
    subject: &'a Subject,
    /// Its name.
    pub id: String,
    /// Where it stands.
    pub game: Game,
    role: usize,
    last: Vec<String>,
    /// How it went so far.
    pub course: Course,
}

impl<'a> Match<'a> {
    /// Begins a match, as hosts do whatever is answered; nothing if the player says that it is busy.
    pub async fn start(subject: &'a Subject, wording: Wording, role: usize) -> Option<Self> {
        let id = subject.fresh_id();
        let question = start(subject, &id, &wording, role);
        let answer = subject.ask(&question, subject.options.start_clock + GRACE).await;
        let mut course = Course::default();
        match answer {
            Ok(Reply { text, .. }) if text.eq_ignore_ascii_case("busy") => return None,
            Ok(_) => {}
            Err(error) => course.lost.push(format!("START got {}", missing(error))),
        }
        let game = Game::new(wording);
        Some(Match { subject, id, game, role, last: Vec::new(), course })
    }

    /// Asks for a move and goes on with it, or with another one in its place.
    pub async fn step(&mut self, replace: bool) {
        let request = Request::Play { id: self.id.clone(), last: self.last.clone() };
        let patience = self.subject.options.play_clock + GRACE;
        let answer = self.subject.ask(&request.to_string(), patience).await;
        let chosen = self.judge(answer);
        // The other role never says the same, so that the order of moves always matters.
        let own = chosen.map_or(0, |word| if replace { (word + 1) % 3 } else { word });
        let other = (own + 1) % 3;
        let words = if self.role == 0 { [own, other] } else { [other, own] };
        self.last = self.game.say(words).to_vec();
    }

    /// The word that an answer says; what is wrong with it is noted.
    fn judge(&mut self, answer: Result<Reply, AskError>) -> Option<usize> {
        self.course.moves += 1;
        let number = self.course.moves;
        let reply = match answer {
            Ok(reply) => reply,
            Err(error) => {
                self.course.lost.push(format!("move {number} got {}", missing(error)));
                return None;
            }
        };
        self.course.slowest = self.course.slowest.max(reply.took);
        self.course.slow += u32::from(reply.took > self.subject.options.play_clock);
        let word = self.game.understand(&reply.text);
        if word.is_none() {
            let why = if self.game.is_misspelt(&reply.text) {
                "is not spelt as the rules are"
            } else {
                "is not legal"
            };
            let text: String = reply.text.chars().take(80).collect();
            self.course.lost.push(format!("move {number}, `{text}`, {why} (IL)"));
        }
        word
    }

    /// Plays to the end.
    pub async fn finish(&mut self) {
        while !self.game.is_over() {
            self.step(false).await;
        }
    }

    /// Tells that the match has ended; whether that was answered.
    pub async fn stop(&self) -> bool {
        let request = Request::Stop { id: self.id.clone(), last: self.last.clone() };
        let patience = self.subject.options.play_clock + GRACE;
        self.subject.ask(&request.to_string(), patience).await.is_ok()
    }

    /// Gives the match up; whether that was answered.
    pub async fn abort(&self) -> bool {
        abort(self.subject, &self.id).await
    }
}

/// Gives a match up; whether that was answered.
pub async fn abort(subject: &Subject, id: &str) -> bool {
    subject.ask(&Request::Abort { id: id.to_owned() }.to_string(), GRACE).await.is_ok()
}

/// The message that begins a match.
pub fn start(subject: &Subject, id: &str, wording: &Wording, role: usize) -> String {
    start_with(subject, id, &wording.roles[role], &wording.rules)
}

/// The message that begins a match with any rules.
pub fn start_with(subject: &Subject, id: &str, role: &str, rules: &str) -> String {
    let request = Request::Start {
        id: id.to_owned(),
        role: role.to_owned(),
        rules: rules.to_owned(),
        start_clock: subject.options.start_clock,
        play_clock: subject.options.play_clock,
    };
    request.to_string()
}

/// What a host would write down.
fn missing(error: AskError) -> &'static str {
    match error {
        AskError::Late => "no answer in time (TO)",
        AskError::Connection => "no answer because the connection failed (CE)",
    }
}
