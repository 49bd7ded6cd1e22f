//! The command line, as users run it. One binary: linking takes longer than most of these tests.

mod accuracy;
mod agents;
mod analyze;
mod bench_search;
mod common;
mod contest;
mod contest_usage;
mod ground;
mod host;
mod library;
mod player;
mod playing;
mod reproduce;
mod rules;
mod torture;
mod tournament;
mod train;
