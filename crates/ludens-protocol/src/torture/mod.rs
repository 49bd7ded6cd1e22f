//! Trials for any player: whether it does what hosts expect, and what it does when somebody means harm.
//! Each trial is a line of [`TRIALS`] and a function; what is required and what is merely advised, its
//! complaints say.

mod companion;
mod conformance;
mod game;
mod hostile;
mod interference;
mod memory;
mod play;
mod poison;
mod report;
mod subject;
mod transport;
mod wire;

use std::pin::Pin;

pub use companion::Company;
pub use memory::Footprint;
pub use play::Course;
pub use report::{Complaint, Grade, Notes, Outcome, Verdict};
pub use subject::{Options, Subject};

/// What a trial does.
type Run = for<'a> fn(&'a Subject, &'a mut Notes) -> Doing<'a>;
type Doing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Something that a player is put through.
pub struct Trial {
    /// Its name.
    pub name: &'static str,
    /// What it looks at, in a line.
    pub about: &'static str,
    /// Whether matches are played meanwhile, of which no move may be lost.
    pub accompanied: bool,
    run: Run,
}

const fn alone(name: &'static str, about: &'static str, run: Run) -> Trial {
    Trial { name, about, accompanied: false, run }
}

const fn accompanied(name: &'static str, about: &'static str, run: Run) -> Trial {
    Trial { name, about, accompanied: true, run }
}

/// All trials, in the order in which they are run.
pub const TRIALS: &[Trial] = &[
    alone("info", "INFO is answered within a second", |s, n| Box::pin(conformance::info(s, n))),
    alone("preview", "PREVIEW is answered", |s, n| Box::pin(conformance::preview(s, n))),
    alone("heads", "heads of all hosts are understood", |s, n| Box::pin(transport::heads(s, n))),
    alone("layouts", "blanks and letters may vary", |s, n| Box::pin(transport::layouts(s, n))),
    alone("get", "a message may stand in an address", |s, n| Box::pin(transport::get(s, n))),
    alone("options", "OPTIONS is answered", |s, n| Box::pin(transport::options(s, n))),
    alone("bytewise", "a message may come byte by byte", |s, n| {
        Box::pin(transport::bytewise(s, n))
    }),
    alone("chunked", "a message may come in chunks", |s, n| Box::pin(transport::chunked(s, n))),
    alone("match", "a match is played by the rules", |s, n| {
        Box::pin(conformance::whole_match(s, n))
    }),
    alone("second-role", "another role is played as well", |s, n| {
        Box::pin(conformance::second_role(s, n))
    }),
    alone("replaced-moves", "the moves of the host count, not one's own", |s, n| {
        Box::pin(conformance::replaced_moves(s, n))
    }),
    alone("spelling", "moves are spelt as the rules are", |s, n| {
        Box::pin(conformance::spelling(s, n))
    }),
    alone("upper-case", "rules may be in upper case throughout", |s, n| {
        Box::pin(conformance::upper_case(s, n))
    }),
    alone("scrambled", "names may mean nothing", |s, n| Box::pin(conformance::scrambled(s, n))),
    alone("unknown-match", "messages about no match do no harm", |s, n| {
        Box::pin(interference::unknown_match(s, n))
    }),
    alone("start-while-playing", "another START does not disturb a match", |s, n| {
        Box::pin(interference::start_while_playing(s, n))
    }),
    alone("two-matches", "two matches are played at once", |s, n| {
        Box::pin(interference::two_matches(s, n))
    }),
    alone("abort", "a match that is given up makes room", |s, n| {
        Box::pin(interference::give_up(s, n))
    }),
    alone("info-in-thought", "INFO is answered during thought", |s, n| {
        Box::pin(interference::info_in_thought(s, n))
    }),
    alone("abort-in-thought", "ABORT is answered during thought", |s, n| {
        Box::pin(interference::give_up_in_thought(s, n))
    }),
    accompanied("idle", "connections that send nothing", |s, n| Box::pin(hostile::idle(s, n))),
    accompanied("crowds", "connections that come and go", |s, n| Box::pin(hostile::crowds(s, n))),
    accompanied("slow-loris", "messages that never end", |s, n| {
        Box::pin(hostile::slow_loris(s, n))
    }),
    accompanied("huge-length", "a message of two billion bytes", |s, n| {
        Box::pin(hostile::huge_length(s, n))
    }),
    accompanied("wrong-length", "lengths that are none", |s, n| {
        Box::pin(hostile::wrong_length(s, n))
    }),
    accompanied("garbage", "random bytes", |s, n| Box::pin(hostile::garbage(s, n))),
    accompanied("truncated", "messages that are cut off", |s, n| {
        Box::pin(hostile::truncated(s, n))
    }),
    accompanied("huge-head", "heads of 16 MiB", |s, n| Box::pin(hostile::huge_head(s, n))),
    accompanied("parentheses", "parentheses without end", |s, n| {
        Box::pin(poison::parentheses(s, n))
    }),
    accompanied("broken-rules", "rules that are wrong", |s, n| {
        Box::pin(poison::broken_rules(s, n))
    }),
    alone("endless-rules", "rules without an end", |s, n| Box::pin(poison::endless_rules(s, n))),
    accompanied("endless-rules-meanwhile", "rules without an end during a match", |s, n| {
        Box::pin(poison::endless_rules(s, n))
    }),
    alone("memory", "memory is bounded all the time", |s, n| Box::pin(async { s.weigh(n) })),
];
