//! Reproduction of published experiments: the results of the paper, our results, and whether they
//! agree.
//!
//! An *experiment* is a table or figure of a paper, described by a TOML file ([`mod@file`], [`experiment`]);
//! [`collection`] finds it. Its *cells* are matches between two agents, selected by name ([`selection`]) and
//! played by [`play`]. The networks of their agents are trained first ([`networks`], `trained`). The resources of agents have a `limit`; if it is in units of the time of a random
//! game, `unit_time` measures that. [`findings`] are the results, stored as JSON, and `verdict` compares
//! them with the paper. [`pages`] generates pages and pictures from that JSON alone. [`journal_status`]
//! computes the progress of experiments.

mod cell;
pub mod collection;
pub mod experiment;
pub mod file;
pub mod findings;
pub mod journal_status;
mod limit;
mod measured;
pub mod networks;
pub mod pages;
pub mod play;
mod published;
pub mod selection;
mod trained;
mod unit_time;
mod verdict;
