//! Figures, ratios and floors as tables and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

/// The speed of a program on a game.
#[derive(Clone, Serialize)]
pub struct Figure {
    pub program: String,
    /// Random playouts per CPU second.
    #[serde(rename = "playouts_per_s")]
    pub rate: f64,
    pub mean_plies: Option<f64>,
}

/// All figures of one game.
pub struct Row {
    pub game: String,
    pub figures: Vec<Figure>,
    /// Target ratios, as `fast/slow`.
    pub floors: BTreeMap<String, f64>,
}

/// The ratios that are printed besides those with a floor.
const RATIOS: [&str; 5] = ["jit/scalar", "lanes/scalar", "scalar/swi", "jit/swi", "jit/openspiel"];

#[derive(Serialize)]
struct JsonRow<'a> {
    game: &'a str,
    figures: &'a [Figure],
    ratios: BTreeMap<&'a str, f64>,
    floors: &'a BTreeMap<String, f64>,
}

impl Row {
    fn figure(&self, program: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.program == program)
    }

    /// The ratio of two speeds, written as `fast/slow`.
    fn ratio(&self, ratio: &str) -> Option<f64> {
        let (fast, slow) = ratio.split_once('/')?;
        Some(self.figure(fast)?.rate / self.figure(slow)?.rate)
    }

    /// The row as a line of JSON.
    pub fn json(&self) -> String {
        let all = RATIOS.into_iter().chain(self.floors.keys().map(String::as_str));
        let ratios = all.filter_map(|ratio| Some((ratio, self.ratio(ratio)?))).collect();
        let Row { game, figures, floors } = self;
        serde_json::to_string(&JsonRow { game, figures, ratios, floors }).unwrap_or_default()
    }
}

/// Prints all rows: speeds, ratios, floors and lengths.
pub fn print(rows: &[Row], seconds: f64) {
    let programs = programs(rows);
    println!("random playouts from the initial state per CPU second, one thread, {seconds} s each");
    println!("{}", line("game", programs.iter().map(|program| (*program).to_owned())));
    for row in rows {
        let rate = |program: &&str| cell(row.figure(program).map(|figure| figure.rate), 1);
        println!("{}", line(&row.game, programs.iter().map(rate)));
    }
    println!("\nratios of speeds");
    println!("{}", line("game", RATIOS.iter().map(|ratio| (*ratio).to_owned())));
    for row in rows {
        println!("{}", line(&row.game, RATIOS.iter().map(|ratio| cell(row.ratio(ratio), 1))));
    }
    println!("\nmean joint moves per playout: different lengths mean different rules");
    for row in rows {
        let length =
            |program: &&str| cell(row.figure(program).and_then(|figure| figure.mean_plies), 2);
        println!("{}", line(&row.game, programs.iter().map(length)));
    }
    println!("\nfloors");
    rows.iter().flat_map(floor_lines).for_each(|line| println!("{line}"));
}

fn floor_lines(row: &Row) -> Vec<String> {
    let verdict =
        |(ratio, floor): (&String, &f64)| floor_line(&row.game, ratio, row.ratio(ratio), *floor, 0);
    row.floors.iter().map(verdict).collect()
}

/// The result of a floor, with this number of decimals.
pub fn floor_line(game: &str, what: &str, found: Option<f64>, floor: f64, digits: usize) -> String {
    let result = match found {
        None => "not measured",
        Some(found) if found >= floor => "reached",
        Some(_) => "not reached",
    };
    let found = cell(found, digits + 1);
    format!("{game:16} {what:18} {found:>9} of {floor:5.digits$}: {result}")
}

/// All programs in order of first occurrence.
fn programs(rows: &[Row]) -> Vec<&str> {
    let mut programs = Vec::new();
    for figure in rows.iter().flat_map(|row| &row.figures) {
        if !programs.contains(&figure.program.as_str()) {
            programs.push(figure.program.as_str());
        }
    }
    programs
}

/// A line of a table.
pub fn line(first: &str, cells: impl Iterator<Item = String>) -> String {
    let mut line = format!("{first:16}");
    for cell in cells {
        let _ = write!(line, " {cell:>13}");
    }
    line
}

/// A number, or a dash if there is none.
pub fn cell(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let figure =
            |program: &str, rate, mean_plies| Figure { program: program.into(), rate, mean_plies };
        let figures = vec![figure("jit", 3000.0, Some(9.0)), figure("scalar", 20.0, None)];
        let floors = [("jit/scalar".into(), 100.0), ("jit/openspiel".into(), 80.0)];
        Row { game: "nim".into(), figures, floors: floors.into() }
    }

    #[test]
    fn floors_are_compared_with_ratios() {
        let lines = floor_lines(&row());
        assert!(
            lines[0].ends_with("jit/openspiel              - of    80: not measured"),
            "{lines:?}"
        );
        assert!(lines[1].ends_with("jit/scalar             150.0 of   100: reached"), "{lines:?}");
    }

    #[test]
    fn json_has_the_known_ratios() {
        let json: serde_json::Value = serde_json::from_str(&row().json()).unwrap();
        assert_eq!(json["ratios"]["jit/scalar"], 150.0);
        assert_eq!(json["ratios"].as_object().unwrap().len(), 1);
        assert_eq!(json["figures"][0]["playouts_per_s"], 3000.0);
    }
}
