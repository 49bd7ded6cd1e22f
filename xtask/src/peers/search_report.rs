//! Speeds of tree search, their ratios and floors, as tables and as JSON.

use std::collections::BTreeMap;

use ludens_lab::speed::SearchLap;
use serde::Serialize;

use super::report::{cell, floor_line, line};

/// The search speed of a program; unknown figures are absent.
#[derive(Clone, Serialize)]
pub struct SearchFigure {
    pub program: String,
    pub simulations_per_s: f64,
    /// Joint moves in trees and random playouts.
    pub plies_per_s: Option<f64>,
    pub bytes_per_node: Option<f64>,
}

impl SearchFigure {
    /// The figures of a lap.
    pub fn new(program: &str, lap: &SearchLap) -> Self {
        SearchFigure {
            program: program.to_owned(),
            simulations_per_s: lap.simulations_per_second(),
            plies_per_s: (lap.plies > 0).then(|| lap.plies_per_second()),
            bytes_per_node: (lap.nodes > 0).then(|| lap.bytes_per_node()),
        }
    }
}

/// All figures of one game.
pub struct SearchRow {
    pub game: String,
    pub figures: Vec<SearchFigure>,
    /// Target ratios of simulations, as `fast/slow`.
    pub floors: BTreeMap<String, f64>,
    /// Target ratios of joint moves.
    pub plies_floors: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    game: &'a str,
    figures: &'a [SearchFigure],
    ratios: BTreeMap<&'a str, f64>,
    floors: &'a BTreeMap<String, f64>,
    plies_ratios: BTreeMap<&'a str, f64>,
    plies_floors: &'a BTreeMap<String, f64>,
}

impl SearchRow {
    /// The ratio of two figures, written as `fast/slow`.
    fn ratio(&self, ratio: &str, of: impl Fn(&SearchFigure) -> Option<f64>) -> Option<f64> {
        let (fast, slow) = ratio.split_once('/')?;
        let figure = |name| of(self.figures.iter().find(|figure| figure.program == name)?);
        Some(figure(fast)? / figure(slow)?)
    }

    fn simulations_ratio(&self, ratio: &str) -> Option<f64> {
        self.ratio(ratio, |figure| Some(figure.simulations_per_s))
    }

    fn plies_ratio(&self, ratio: &str) -> Option<f64> {
        self.ratio(ratio, |figure| figure.plies_per_s)
    }

    /// The row as a line of JSON.
    pub fn json(&self) -> String {
        let SearchRow { game, figures, floors, plies_floors } = self;
        let ratio = |ratio| Some((ratio, self.simulations_ratio(ratio)?));
        let plies_ratio = |ratio| Some((ratio, self.plies_ratio(ratio)?));
        let record = JsonRow {
            game,
            figures,
            ratios: floors.keys().map(String::as_str).filter_map(ratio).collect(),
            floors,
            plies_ratios: plies_floors.keys().map(String::as_str).filter_map(plies_ratio).collect(),
            plies_floors,
        };
        serde_json::to_string(&record).unwrap_or_default()
    }

    fn floor_lines(&self) -> Vec<String> {
        let simulations = self.floors.iter().map(|(ratio, floor)| {
            floor_line(&self.game, ratio, self.simulations_ratio(ratio), *floor, 0)
        });
        let plies = self.plies_floors.iter().map(|(ratio, floor)| {
            let what = format!("{ratio} plies");
            floor_line(&self.game, &what, self.plies_ratio(ratio), *floor, 2)
        });
        simulations.chain(plies).collect()
    }
}

/// Prints all rows: speeds, then floors.
pub fn print(rows: &[SearchRow], simulations: u64) {
    println!(
        "{simulations} simulations from the initial state with an empty tree, by CPU time, one thread"
    );
    let titles = ["program", "simulations/s", "plies/s", "bytes/node"];
    println!("{}", line("game", titles.into_iter().map(str::to_owned)));
    for row in rows {
        for figure in &row.figures {
            let cells = [
                figure.program.clone(),
                cell(Some(figure.simulations_per_s), 0),
                cell(figure.plies_per_s, 0),
                cell(figure.bytes_per_node, 0),
            ];
            println!("{}", line(&row.game, cells.into_iter()));
        }
    }
    println!("\nfloors");
    rows.iter().flat_map(SearchRow::floor_lines).for_each(|line| println!("{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> SearchRow {
        let figure = |program: &str, simulations, plies| {
            let lap = SearchLap { simulations, plies, seconds: 2.0, ..SearchLap::default() };
            SearchFigure::new(program, &lap)
        };
        SearchRow {
            game: "nim".into(),
            figures: vec![
                figure("native", 900, 1000),
                figure("ppaf", 300, 250),
                figure("openspiel", 100, 0),
            ],
            floors: [("native/openspiel".into(), 8.0), ("rules/openspiel".into(), 20.0)].into(),
            plies_floors: [("ppaf/native".into(), 0.333)].into(),
        }
    }

    #[test]
    fn floors_are_compared_with_ratios() {
        let lines = row().floor_lines();
        let endings =
            ["9.0 of     8: reached", "- of    20: not measured", "0.250 of  0.33: not reached"];
        assert!(lines.iter().zip(endings).all(|(line, end)| line.ends_with(end)), "{lines:?}");
    }

    #[test]
    fn json_has_the_known_figures() {
        let json: serde_json::Value = serde_json::from_str(&row().json()).unwrap();
        assert_eq!(json["figures"][0]["simulations_per_s"], 450.0);
        assert_eq!(json["figures"][2]["plies_per_s"], serde_json::Value::Null);
        assert_eq!(json["ratios"], serde_json::json!({ "native/openspiel": 9.0 }));
        assert_eq!(json["plies_ratios"], serde_json::json!({ "ppaf/native": 0.25 }));
    }
}
