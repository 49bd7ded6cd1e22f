//! Players and hosts over HTTP. One binary: linking takes longer than most of these tests.

mod host;
mod http;
mod messages;
mod player;
mod reset;
mod start;
mod torture;
