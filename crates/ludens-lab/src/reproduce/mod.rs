//! Experiments of published papers, played again: what the paper says, what we measure, and whether
//! the two agree.
//!
//! An *experiment* is a table or figure of a paper, written down as TOML ([`mod@file`], [`experiment`]);
//! the [`shelf`] knows where they are. Its *cells* are matches between two agents, found by name
//! ([`selection`]) and played by [`play`]; policies that agents begin with are learnt by [`initial`].
//! What agents may spend is a [`limit`]; if it is in units of the time of a random game, [`t`] measures that.
//! [`findings`] are what came of it, kept as JSON, and [`verdict`] compares them with the paper.
//! [`pages`] makes pages and pictures of them, from nothing but that JSON. [`done`] tells how far
//! experiments are.

pub mod done;
pub mod experiment;
pub mod file;
pub mod findings;
pub mod initial;
mod limit;
pub mod pages;
pub mod play;
pub mod selection;
pub mod shelf;
mod t;
mod verdict;
