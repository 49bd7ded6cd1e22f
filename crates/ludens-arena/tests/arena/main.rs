//! Contests, journals and tables. One binary: linking takes longer than most of these tests.

mod common;
mod journal;
mod play;
mod runner;
mod scheduler;
mod tables;
