//! Golden files of the library's games: perft counts and a playthrough.
//!
//! A perft file has one line per depth: `depth paths terminals goal-sum…`, the sums over the
//! terminal states of that depth, one for each role. Sums of goals catch what counts miss.

use std::fmt::Write;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game};

use crate::perft::{Level, Perft};

/// The limits of a new perft file, which has at least one joint move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Joint moves.
    pub depth: u32,
    /// Paths at the last depth.
    pub paths: u128,
    /// Time.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 30, paths: 20_000, time: Duration::from_secs(2) }
    }
}

/// The text of a new perft file.
pub fn new_perft<G: Game>(game: &G, limits: &Limits) -> String {
    let deadline = Instant::now() + limits.time;
    let mut levels = count(game, 1, &Budget::unlimited()).unwrap_or_default();
    for depth in 2..=limits.depth {
        let deeper = count(game, depth, &Budget::unlimited().with_deadline(deadline));
        let is_small = |levels: &Vec<Level>| levels.iter().all(|level| level.paths <= limits.paths);
        let Some(deeper) = deeper.filter(is_small).filter(|deeper| deeper.len() > levels.len())
        else {
            break;
        };
        levels = deeper;
    }
    write_perft(game, &levels)
}

/// The text of a perft file that goes as deep as another one.
pub fn same_perft<G: Game>(game: &G, golden: &str) -> String {
    let deepest = golden.lines().filter_map(depth_of).max().unwrap_or(1);
    write_perft(game, &count(game, deepest, &Budget::unlimited()).unwrap_or_default())
}

/// All levels down to a depth; `None` if the budget is exhausted before.
fn count<G: Game>(game: &G, depth: u32, budget: &Budget) -> Option<Vec<Level>> {
    let mut levels = Vec::new();
    let totals = Perft::new(game, depth, budget).run(&mut |level| levels.push(level.clone()));
    totals.complete.then_some(levels)
}

fn write_perft<G: Game>(game: &G, levels: &[Level]) -> String {
    let mut text = format!("# depth paths terminals goals: {}\n", game.roles().join(" "));
    for Level { depth, paths, terminals, payoffs, .. } in levels {
        write!(text, "{depth} {paths} {terminals}").expect("strings can be written to");
        for sum in payoffs {
            write!(text, " {sum}").expect("strings can be written to");
        }
        text.push('\n');
    }
    text
}

/// The depth of a line of a perft file.
pub fn depth_of(line: &str) -> Option<u32> {
    line.split_whitespace().next()?.parse().ok()
}

/// The first line in which two texts differ: its number, from 1, and both versions.
pub fn first_difference<'a>(golden: &'a str, found: &'a str) -> Option<(usize, &'a str, &'a str)> {
    let (mut left, mut right) = (golden.lines(), found.lines());
    (1..)
        .map_while(|number| match (left.next(), right.next()) {
            (None, None) => None,
            (l, r) => Some((number, l.unwrap_or("(nothing)"), r.unwrap_or("(nothing)"))),
        })
        .find(|(_, l, r)| l != r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash_game::{HashGame, Shape};
    use crate::tree_game::TreeGame;

    #[test]
    fn paths_terminals_and_goals_are_counted() {
        let tree = "roles x o\nx a\n  x c, o e = 100 0\n  x d, o e = 25 75\nx b = 50 50\n";
        let game = TreeGame::parse(tree).unwrap();
        let text = new_perft(&game, &Limits::default());
        let lines = "# depth paths terminals goals: x o\n0 1 0 0 0\n1 2 1 50 50\n2 2 2 125 75\n";
        assert_eq!(text, lines);
        assert_eq!(same_perft(&game, &text), text);
        let changed = text.replace("125", "120");
        assert_eq!(first_difference(&changed, &text), Some((4, "2 2 2 120 75", "2 2 2 125 75")));
    }

    #[test]
    fn limits_are_kept() {
        let game = HashGame::new(Shape { branching: 1, ..Shape::simultaneous(9) }, 1);
        let deepest = |limits: &Limits| new_perft(&game, limits).lines().last().and_then(depth_of);
        assert_eq!(deepest(&Limits::default()), Some(9));
        assert_eq!(deepest(&Limits { depth: 4, ..Limits::default() }), Some(4));
        assert_eq!(deepest(&Limits { time: Duration::ZERO, ..Limits::default() }), Some(1));
    }
}
