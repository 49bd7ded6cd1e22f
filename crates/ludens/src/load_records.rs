//! The size of a network and the times of loading, as JSON and as text.

use std::time::Duration;

use ludens_catalog::{LoadReport, NetworkSize};
use serde::Serialize;

use ludens_lab::units;

/// The size of a network.
#[derive(Serialize)]
pub struct NetworkRecord {
    fluents: usize,
    moves: usize,
    gates: usize,
    inputs: usize,
    ands: usize,
    ors: usize,
    loops: usize,
    reads: usize,
    latches: usize,
    state_bytes: usize,
}

impl From<NetworkSize> for NetworkRecord {
    fn from(size: NetworkSize) -> Self {
        let NetworkSize { fluents, moves, gates, inputs, ands, ors, loops, reads, .. } = size;
        let NetworkSize { latches, state_bytes, .. } = size;
        NetworkRecord {
            fluents,
            moves,
            gates,
            inputs,
            ands,
            ors,
            loops,
            reads,
            latches,
            state_bytes,
        }
    }
}

impl NetworkRecord {
    /// The record as text.
    pub fn text(&self) -> String {
        let NetworkRecord { fluents, moves, gates, inputs, ands, ors, loops, .. } = self;
        format!(
            "{fluents} fluents ({} change at most once), {moves} moves, {gates} gates ({inputs} \
             inputs, {ands} and, {ors} or, {loops} recursive), {} bytes per state",
            self.latches, self.state_bytes
        )
    }
}

/// The times of loading, in milliseconds.
#[derive(Serialize)]
pub struct LoadRecord {
    load_ms: f64,
    ground_ms: Option<f64>,
    compile_ms: f64,
    cached: bool,
}

impl LoadRecord {
    /// The record of loading; `time` is the total time.
    pub fn new(time: Duration, report: &LoadReport) -> Self {
        LoadRecord {
            load_ms: units::milliseconds(time),
            ground_ms: report.ground.map(units::milliseconds),
            compile_ms: units::milliseconds(report.compile),
            cached: report.cached,
        }
    }

    /// The record as text.
    pub fn text(&self, reasoner: &str) -> String {
        let LoadRecord { load_ms, ground_ms, compile_ms, cached } = self;
        let ground = match ground_ms {
            Some(ms) if *cached => format!("{ms} ms network from the cache, "),
            Some(ms) => format!("{ms} ms grounding, "),
            None => String::new(),
        };
        format!("{load_ms} ms ({ground}{compile_ms} ms {reasoner})")
    }
}
