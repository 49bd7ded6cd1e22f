//! Speeds of self-play, their ratios and floors, as tables and as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::report::{cell, floor_line, line};

/// What a program did in a lap.
#[derive(Clone, Copy, Default, Serialize)]
pub struct SelfPlayLap {
    /// Finished games.
    pub games: u64,
    /// Moves of finished games.
    pub moves: u64,
    /// Simulations, in all games.
    pub simulations: u64,
    /// Calls of the network, if they are counted.
    pub calls: Option<u64>,
    /// By the clock.
    pub seconds: f64,
    /// CPU time of all threads and processes.
    pub cpu_seconds: f64,
    /// The share of the time for self-play; the rest is training.
    pub playing: f64,
    /// The threads or processes that play.
    pub n_threads: u64,
    /// Steps of training.
    pub steps: u64,
    /// Parameters of the network.
    pub parameters: u64,
}

impl SelfPlayLap {
    /// Games a second by the clock, training included.
    pub fn games_per_s(&self) -> f64 {
        self.games as f64 / self.seconds.max(1e-9)
    }

    /// Games for each second of CPU time, training included.
    fn games_per_core_s(&self) -> f64 {
        self.games as f64 / self.cpu_seconds.max(1e-9)
    }

    fn moves_per_game(&self) -> f64 {
        self.moves as f64 / self.games.max(1) as f64
    }

    /// Simulations for each second of CPU time, training included.
    fn simulations_per_core_s(&self) -> f64 {
        self.simulations as f64 / self.cpu_seconds.max(1e-9)
    }

    /// Simulations a second of self-play by the clock, for each core. Other load on the machine makes it less.
    fn simulations_per_core_s_by_clock(&self) -> f64 {
        self.simulations as f64 / (self.seconds * self.playing * self.n_threads as f64).max(1e-9)
    }
}

/// The laps of a program.
#[derive(Clone, Serialize)]
pub struct SelfPlayFigure {
    pub program: String,
    pub doc: String,
    pub laps: Vec<SelfPlayLap>,
}

/// A median with the least and the greatest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub greatest: f64,
}

impl Spread {
    /// `None` if there are no numbers.
    fn of(numbers: impl Iterator<Item = f64>) -> Option<Spread> {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_by(f64::total_cmp);
        let median = *numbers.get(numbers.len() / 2)?;
        Some(Spread { median, least: *numbers.first()?, greatest: *numbers.last()? })
    }

    fn cell(&self) -> String {
        format!("{:.0} ({:.0} – {:.0})", self.median, self.least, self.greatest)
    }
}

/// A rate of a lap.
type Rate = fn(&SelfPlayLap) -> f64;

impl SelfPlayFigure {
    /// Without laps.
    pub fn new(program: &str, doc: &str) -> Self {
        SelfPlayFigure { program: program.to_owned(), doc: doc.to_owned(), laps: Vec::new() }
    }

    fn spread(&self, rate: Rate) -> Option<Spread> {
        Spread::of(self.laps.iter().map(rate))
    }

    fn median(&self, rate: Rate) -> Option<f64> {
        self.spread(rate).map(|spread| spread.median)
    }

    fn cells(&self) -> [String; 8] {
        [
            cell(self.median(SelfPlayLap::games_per_s), 2),
            cell(self.median(SelfPlayLap::games_per_core_s), 2),
            cell(self.median(SelfPlayLap::moves_per_game), 1),
            cell(self.median(SelfPlayLap::simulations_per_core_s), 0),
            cell(self.median(SelfPlayLap::simulations_per_core_s_by_clock), 0),
            cell(self.median(|lap| 100.0 * lap.playing), 0),
            cell(self.median(|lap| lap.steps as f64), 0),
            cell(self.median(|lap| lap.parameters as f64), 0),
        ]
    }
}

/// The titles of cells.
const TITLES: [&str; 8] = [
    "games/s",
    "games/core-s",
    "moves/game",
    "sims/core-s",
    "by the clock",
    "% self-play",
    "steps",
    "parameters",
];

/// All figures of one game.
pub struct SelfPlayRow {
    pub game: String,
    pub simulations: u64,
    /// The length of a lap.
    pub seconds: f64,
    pub n_cores: usize,
    /// The versions of the other program.
    pub versions: Option<String>,
    pub figures: Vec<SelfPlayFigure>,
    /// The names of its networks.
    pub theirs: Vec<String>,
    /// Target ratios of games per core-second, as `fast/slow`.
    pub floors: BTreeMap<String, f64>,
    /// Target simulations per core-second, training included.
    pub simulations_floors: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    game: &'a str,
    simulations: u64,
    lap_seconds: f64,
    cores: usize,
    versions: Option<&'a str>,
    figures: &'a [SelfPlayFigure],
    games_ratios: BTreeMap<String, Spread>,
    games_ratios_by_clock: BTreeMap<String, Spread>,
    simulations_ratios: BTreeMap<String, Spread>,
    simulations_per_core_s: BTreeMap<&'a str, Spread>,
    floors: &'a BTreeMap<String, f64>,
    simulations_floors: &'a BTreeMap<String, f64>,
}

/// What else differs, for readers of the table.
const NOTES: &str = "\
games/core-s, sims/core-s: for each second of CPU time, training included; by the clock: for each second of
  self-play and core, as `ludens train` shows it, which other load makes less.
moves/game: all moves, random ones at the beginning included. Our unfinished games count as simulations alone;
  OpenSpiel finishes its last games after the time is over, and that time counts.
ours: Rust, one thread for each core; the network evaluates a batch of all games of a group; the tree is kept
  after a move. `fast` and `whole` also train, and run random playouts as far as results suggest.
OpenSpiel: Python, one actor process for each core; JAX on the CPU with one position a call; positions that were
  evaluated before are read from a cache. The network is not trained, and compilation is not counted.
both: a simulation may end in a terminal position without an evaluation.";

impl SelfPlayRow {
    fn figure(&self, program: &str) -> Option<&SelfPlayFigure> {
        self.figures.iter().find(|figure| figure.program == program)
    }

    /// The ratio of two rates, written as `fast/slow`, lap by lap.
    fn ratio(&self, ratio: &str, rate: Rate) -> Option<Spread> {
        let (fast, slow) = ratio.split_once('/')?;
        let (fast, slow) = (self.figure(fast)?, self.figure(slow)?);
        Spread::of(fast.laps.iter().zip(&slow.laps).map(|(fast, slow)| rate(fast) / rate(slow)))
    }

    /// The names of all ratios of ours to theirs that were measured.
    fn pairs(&self) -> Vec<String> {
        let is_theirs = |figure: &&SelfPlayFigure| self.theirs.contains(&figure.program);
        let ours = self.figures.iter().filter(|figure| !is_theirs(figure));
        let pairs = ours.flat_map(|fast| {
            let slow = self.figures.iter().filter(is_theirs);
            slow.map(move |slow| format!("{}/{}", fast.program, slow.program))
        });
        pairs.collect()
    }

    fn ratios(&self, rate: Rate) -> BTreeMap<String, Spread> {
        let pairs = self.pairs().into_iter();
        pairs.filter_map(|pair| self.ratio(&pair, rate).map(|spread| (pair, spread))).collect()
    }

    /// The row as a line of JSON.
    pub fn json(&self) -> String {
        let rate = |figure: &SelfPlayFigure| figure.spread(SelfPlayLap::simulations_per_core_s);
        let rates = self.figures.iter().filter_map(|own| Some((own.program.as_str(), rate(own)?)));
        let record = JsonRow {
            game: &self.game,
            simulations: self.simulations,
            lap_seconds: self.seconds,
            cores: self.n_cores,
            versions: self.versions.as_deref(),
            figures: &self.figures,
            games_ratios: self.ratios(SelfPlayLap::games_per_core_s),
            games_ratios_by_clock: self.ratios(SelfPlayLap::games_per_s),
            simulations_ratios: self.ratios(SelfPlayLap::simulations_per_core_s),
            simulations_per_core_s: rates.collect(),
            floors: &self.floors,
            simulations_floors: &self.simulations_floors,
        };
        serde_json::to_string(&record).unwrap_or_default()
    }

    fn floor_lines(&self) -> Vec<String> {
        let games = self.floors.iter().map(|(ratio, floor)| {
            let found = self.ratio(ratio, SelfPlayLap::games_per_core_s);
            floor_line(&self.game, ratio, found.map(|spread| spread.median), *floor, 0)
        });
        let simulations = self.simulations_floors.iter().map(|(program, floor)| {
            let figure = self.figure(program);
            let found = figure.and_then(|own| own.median(SelfPlayLap::simulations_per_core_s));
            floor_line(&self.game, &format!("{program} sims"), found, *floor, 0)
        });
        games.chain(simulations).collect()
    }
}

/// Prints speeds, ratios, what differs, and floors.
pub fn print(row: &SelfPlayRow) {
    let SelfPlayRow { game, simulations, seconds, n_cores, .. } = row;
    println!(
        "{game}: self-play with networks, {simulations} simulations a move, {n_cores} cores, medians of laps of {seconds:.0} s"
    );
    println!("{}", line("program", TITLES.into_iter().map(str::to_owned)));
    for figure in &row.figures {
        println!("{}", line(&figure.program, figure.cells().into_iter()));
    }
    println!("\nratios, median (least – greatest) of laps");
    println!("{:16} {:>24} {:>24} {:>24}", "", "games/core-s", "games/s", "sims/core-s");
    for pair in row.pairs() {
        let spread = |rate| row.ratio(&pair, rate).map_or("-".to_owned(), |found| found.cell());
        let games = spread(SelfPlayLap::games_per_core_s);
        let by_clock = spread(SelfPlayLap::games_per_s);
        let simulations = spread(SelfPlayLap::simulations_per_core_s);
        println!("{pair:16} {games:>24} {by_clock:>24} {simulations:>24}");
    }
    println!();
    for figure in &row.figures {
        println!("{}: {}", figure.program, figure.doc);
    }
    println!("{NOTES}");
    println!("versions: ludens {}{}", env!("CARGO_PKG_VERSION"), versions(row));
    println!("\nfloors");
    row.floor_lines().into_iter().for_each(|line| println!("{line}"));
}

fn versions(row: &SelfPlayRow) -> String {
    row.versions.as_ref().map_or_else(String::new, |versions| format!(", {versions}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lap(games: u64, playing: f64) -> SelfPlayLap {
        let (moves, simulations) = (20 * games, 640 * games);
        let (seconds, cpu_seconds, n_threads) = (10.0, 16.0, 2);
        let parameters = 7;
        SelfPlayLap {
            games,
            moves,
            simulations,
            seconds,
            cpu_seconds,
            playing,
            n_threads,
            parameters,
            ..SelfPlayLap::default()
        }
    }

    fn figure(program: &str, games: [u64; 3], playing: f64) -> SelfPlayFigure {
        let laps = games.map(|games| lap(games, playing)).to_vec();
        SelfPlayFigure { laps, ..SelfPlayFigure::new(program, "") }
    }

    fn row() -> SelfPlayRow {
        SelfPlayRow {
            game: "nim".into(),
            simulations: 32,
            seconds: 10.0,
            n_cores: 2,
            versions: None,
            figures: vec![figure("fast", [1600, 800, 3200], 0.5), figure("mlp", [4, 4, 8], 1.0)],
            theirs: vec!["mlp".into(), "resnet".into()],
            floors: [("fast/mlp".into(), 300.0), ("fast/resnet".into(), 10.0)].into(),
            simulations_floors: [("fast".into(), 50_000.0)].into(),
        }
    }

    #[test]
    fn rates_are_those_of_self_play() {
        let lap = lap(1600, 0.5);
        let rates = (lap.games_per_s(), lap.games_per_core_s(), lap.moves_per_game());
        assert_eq!(rates, (160.0, 100.0, 20.0));
        let by_clock = lap.simulations_per_core_s_by_clock();
        assert_eq!((lap.simulations_per_core_s(), by_clock), (64_000.0, 102_400.0));
    }

    #[test]
    fn ratios_are_of_laps_side_by_side() {
        let found = row().ratio("fast/mlp", SelfPlayLap::games_per_core_s);
        assert_eq!(found, Some(Spread { median: 400.0, least: 200.0, greatest: 400.0 }));
        assert_eq!(found.unwrap().cell(), "400 (200 – 400)");
        assert_eq!(row().ratio("fast/resnet", SelfPlayLap::games_per_core_s), None);
        assert_eq!(row().pairs(), ["fast/mlp"]);
    }

    #[test]
    fn floors_are_compared_with_medians() {
        let lines = row().floor_lines();
        let endings =
            ["400.0 of   300: reached", "- of    10: not measured", "64000.0 of 50000: reached"];
        assert!(lines.iter().zip(endings).all(|(line, end)| line.ends_with(end)), "{lines:?}");
    }

    #[test]
    fn json_has_laps_and_spreads() {
        let json: serde_json::Value = serde_json::from_str(&row().json()).unwrap();
        assert_eq!(json["figures"][0]["laps"][2]["games"], 3200);
        assert_eq!(json["games_ratios"]["fast/mlp"]["median"], 400.0);
        assert_eq!(json["simulations_per_core_s"]["mlp"]["greatest"], 320.0);
        assert_eq!(json["versions"], serde_json::Value::Null);
    }
}
