//! The speed of a reasoner, as JSON and as a row of a table.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use ludens_core::Role;
use ludens_lab::speed::{self, Lap, Track};
use serde::Serialize;

use super::reasoner::{Entrant, VERB};
use super::short;
use crate::console::Console;
use ludens_lab::units;

/// The speed of one reasoner on one game, by CPU time of one thread.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    kind: &'static str,
    game: &'a str,
    reasoner: &'static str,
    playouts_per_s: f64,
    plies_per_s: f64,
    /// The speed relative to `scalar` in the same run.
    ratio: Option<f64>,
    playouts: u64,
    finished: u64,
    mean_plies: f64,
    mean_payoffs: BTreeMap<&'a str, f64>,
    ground_ms: Option<f64>,
    compile_ms: f64,
    gates: Option<usize>,
    state_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<LeafRecord>,
}

/// The same from many states.
#[derive(Serialize)]
struct LeafRecord {
    /// The number of states.
    n: usize,
    playouts_per_s: f64,
    plies_per_s: f64,
    /// Plies per second, relative to those from the initial state alone.
    ratio: f64,
}

impl LeafRecord {
    fn new(track: &dyn Track, entrant: &Entrant) -> Self {
        let speed = speed::median(entrant.leaf_laps.clone());
        // Games from leaves are shorter, so plies are compared.
        let plies = |laps: &[Lap]| -> Vec<Lap> {
            laps.iter().map(|lap| Lap { playouts: lap.plies, ..*lap }).collect()
        };
        LeafRecord {
            n: track.n_starts(),
            playouts_per_s: rounded(speed.playouts_per_second(), 10.0),
            plies_per_s: rounded(speed.plies as f64 / speed.seconds.max(f64::MIN_POSITIVE), 10.0),
            ratio: ratio(&plies(&entrant.leaf_laps), &plies(&entrant.laps)),
        }
    }
}

/// The ratio of speeds in the median round.
fn ratio(laps: &[Lap], baseline: &[Lap]) -> f64 {
    let pairs = laps.iter().zip(baseline);
    let mut ratios: Vec<f64> = pairs
        .map(|(lap, baseline)| lap.playouts_per_second() / baseline.playouts_per_second())
        .collect();
    ratios.sort_by(f64::total_cmp);
    rounded(ratios.get(ratios.len() / 2).copied().unwrap_or(0.0), 1e3)
}

fn rounded(number: f64, scale: f64) -> f64 {
    (number * scale).round() / scale
}

impl<'a> Record<'a> {
    /// The record of a reasoner; `ground` is the time of grounding.
    pub(super) fn new(
        game: &'a str,
        entrant: &'a Entrant,
        ground: Option<Duration>,
        baseline: Option<&Entrant>,
    ) -> Self {
        let sum = entrant.track.sum();
        let per_playout = |number: f64| rounded(number / sum.playouts.max(1) as f64, 1e4);
        let roles = Role::all(entrant.roles.len()).zip(&entrant.roles);
        let speed = speed::median(entrant.laps.clone());
        let leaves = entrant.leaf_track.as_ref().map(|track| LeafRecord::new(&**track, entrant));
        let ground = ground.filter(|_| entrant.size.is_some());
        Record {
            kind: "speed",
            game,
            reasoner: entrant.kind.name(),
            playouts_per_s: rounded(speed.playouts_per_second(), 10.0),
            plies_per_s: rounded(speed.plies as f64 / speed.seconds.max(f64::MIN_POSITIVE), 10.0),
            ratio: baseline.map(|baseline| ratio(&entrant.laps, &baseline.laps)),
            playouts: sum.playouts,
            finished: sum.finished,
            mean_plies: per_playout(sum.plies as f64),
            mean_payoffs: roles
                .map(|(role, name)| (&**name, per_playout(sum.payoffs[role])))
                .collect(),
            ground_ms: ground.map(units::milliseconds),
            compile_ms: units::milliseconds(entrant.compile),
            gates: entrant.size.map(|size| size.gates),
            state_bytes: entrant.size.map(|size| size.state_bytes),
            leaves,
        }
    }

    /// The titles of the columns.
    pub(super) fn head(leaves: bool) -> String {
        let more = if leaves {
            format!(" {:>8} {:>12} {:>6}", "LEAVES", "PLIES/S", "RATIO")
        } else {
            String::new()
        };
        format!(
            "{:<22} {:<8} {:>12} {:>12} {:>9} {:>8} {:>10} {:>10} {:>9} {:>6}{more}",
            "GAME",
            "REASONER",
            "PLAYOUTS/S",
            "PLIES/S",
            "RATIO",
            "LENGTH",
            "GROUND ms",
            "COMPILE ms",
            "GATES",
            "BYTES"
        )
    }

    fn row(&self) -> String {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let leaves = self.leaves.as_ref().map_or(String::new(), |leaves| {
            format!(" {:>8} {:>12.0} {:>6.2}", leaves.n, leaves.plies_per_s, leaves.ratio)
        });
        format!(
            "{:<22} {:<8} {:>12.1} {:>12.0} {:>9} {:>8.1} {:>10} {:>10} {:>9} {:>6}{leaves}",
            short(self.game),
            self.reasoner,
            self.playouts_per_s,
            self.plies_per_s,
            or_dash(self.ratio.map(|ratio| format!("{ratio:.2}"))),
            self.mean_plies,
            or_dash(self.ground_ms.map(|ms| format!("{ms:.1}"))),
            format!("{:.1}", self.compile_ms),
            or_dash(self.gates.map(|gates| gates.to_string())),
            or_dash(self.state_bytes.map(|bytes| bytes.to_string())),
        )
    }

    /// Prints the record, or a row of the table.
    pub(super) fn print(&self, console: &mut Console) -> io::Result<()> {
        if console.json {
            return console.record(VERB, self);
        }
        writeln!(console, "{}", self.row())
    }
}
