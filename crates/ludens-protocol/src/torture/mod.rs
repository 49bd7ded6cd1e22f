//! Trials for any player: whether it conforms to the protocol, and whether it survives hostile input.
//! Each trial is a function and an entry of [`TRIALS`]; its complaints distinguish requirements from
//! advice.

mod background;
mod conformance;
mod game;
mod hostile;
mod interference;
mod memory;
mod play;
mod poison;
mod report;
mod reset;
mod subject;
mod transport;
mod wire;

use std::pin::Pin;

pub use background::BackgroundMatches;
pub use memory::Footprint;
pub use play::MatchStats;
pub use report::{Complaint, Grade, Notes, Outcome, Verdict};
pub use subject::{Options, Subject};

/// The function of a trial.
type Run = for<'a> fn(&'a Subject, &'a mut Notes) -> Running<'a>;
type Running<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A trial of a player.
pub struct Trial {
    /// Its name.
    pub name: &'static str,
    /// What it tests, in one line.
    pub about: &'static str,
    /// Whether matches are played in the background, without losing a move.
    pub accompanied: bool,
    /// Whether it runs with a player that is silent or busy too.
    unconditional: bool,
    run: Run,
}

const fn alone(name: &'static str, about: &'static str, run: Run) -> Trial {
    Trial { name, about, accompanied: false, unconditional: false, run }
}

const fn unconditional(name: &'static str, about: &'static str, run: Run) -> Trial {
    Trial { unconditional: true, ..alone(name, about, run) }
}

const fn accompanied(name: &'static str, about: &'static str, run: Run) -> Trial {
    Trial { accompanied: true, ..alone(name, about, run) }
}

/// A trial for each line: its kind, its name, what it tests, its function.
macro_rules! trials {
    ($($kind:ident $name:literal: $about:literal => $run:path;)*) => {
        &[$($kind($name, $about, |subject, notes| Box::pin($run(subject, notes)))),*]
    };
}

/// All trials, in running order.
pub const TRIALS: &[Trial] = trials! {
    unconditional "info": "INFO is answered within a second" => conformance::info;
    alone "preview": "PREVIEW is answered" => conformance::preview;
    alone "heads": "the headers of all hosts are accepted" => transport::heads;
    alone "layouts": "white space and case may vary" => transport::layouts;
    alone "get": "a message may come in the URL" => transport::get;
    alone "options": "OPTIONS is answered" => transport::options;
    alone "bytewise": "a message may come byte by byte" => transport::bytewise;
    alone "chunked": "a message may come in chunks" => transport::chunked;
    alone "match": "a match is played by the rules" => conformance::whole_match;
    alone "second-role": "the second role is played too" => conformance::second_role;
    alone "replaced-moves": "the host's moves count, not the player's own" => conformance::replaced_moves;
    alone "spelling": "moves are spelt as the rules are" => conformance::spelling;
    alone "upper-case": "rules may be in upper case throughout" => conformance::upper_case;
    alone "scrambled": "names may be scrambled" => conformance::scrambled;
    alone "unknown-match": "messages about unknown matches do no harm" => interference::unknown_match;
    alone "start-while-playing": "another START does not disturb a match" => interference::start_while_playing;
    alone "two-matches": "two matches are played at once" => interference::two_matches;
    alone "abort": "an aborted match makes room" => interference::give_up;
    alone "info-in-thought": "INFO is answered during thought" => interference::info_in_thought;
    alone "abort-in-thought": "ABORT is answered during thought" => interference::give_up_in_thought;
    accompanied "idle": "idle connections" => hostile::idle;
    accompanied "crowds": "connections that come and go" => hostile::crowds;
    accompanied "slow-loris": "messages that never end" => hostile::slow_loris;
    accompanied "huge-length": "a message of two billion bytes" => hostile::huge_length;
    accompanied "wrong-length": "invalid lengths" => hostile::wrong_length;
    accompanied "garbage": "random bytes" => hostile::garbage;
    accompanied "truncated": "messages that are cut off" => hostile::truncated;
    accompanied "huge-head": "headers of 16 MiB" => hostile::huge_head;
    accompanied "parentheses": "deeply nested parentheses" => poison::parentheses;
    accompanied "broken-rules": "invalid rules" => poison::broken_rules;
    alone "endless-rules": "rules with too many consequences" => poison::endless_rules;
    accompanied "endless-rules-meanwhile": "rules with too many consequences during a match" => poison::endless_rules;
    alone "memory": "memory stays bounded" => memory::bounded;
};
