//! Finds a board by the names of facts and by random games.
//!
//! Two arguments of a fluent are coordinates if their symbols have an order and if the facts of a state fill
//! an area: with a single row for each column, as in `(heap 2 5)`, one argument is a value of the other. Names of
//! cells such as `c4` count as two arguments.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ludens_core::{Game, Rng};

use super::axis::ordered;
use super::{Board, MAX_SIDE, Plane};
use crate::encoder::Encoder;
use crate::inputs::InputScratch;
use crate::random_games::visit_positions;

/// Positions of random games in which facts are observed.
const N_POSITIONS: usize = 200;

/// The minimum share of cells that exist; the others are holes.
const MIN_COVERAGE: f64 = 0.4;

/// Facts are on different cells of a position if at least this share of them is.
const MIN_UNIQUENESS: f64 = 0.9;

impl Board {
    /// The board of a game whose facts are inputs; `None` if it has none.
    pub fn find<G: Game>(game: &G, encoder: &Encoder, rng: &mut Rng) -> Option<Self> {
        let vocabulary = game.vocabulary()?;
        let (mut positions, mut scratch) = (Vec::new(), InputScratch::default());
        visit_positions(game, N_POSITIONS, rng, |state, _| {
            encoder.read_facts(vocabulary, state, &mut scratch);
            positions.push(scratch.facts.clone());
        });
        let rules = game.structure();
        let rows = rules.as_ref().map_or(&[][..], |rules| rules.rows());
        board(&encoder.names().facts, &positions, rows)
    }
}

/// The board in facts with these names, of which these hold in some positions.
pub(super) fn board(
    names: &[String],
    positions: &[Vec<u32>],
    orders: &[Vec<String>],
) -> Option<Board> {
    let fluents = fluents(names);
    let best = |fluent: &Fluent<'_>| fluent.grid(positions, orders);
    let grids = fluents.values().enumerate().filter_map(|(i, fluent)| Some((i, best(fluent)?)));
    let (_, grid) = grids.max_by_key(|(i, grid)| (grid.is_unique, grid.n_cells, Reverse(*i)))?;
    let mut planes = BTreeMap::new();
    let mut is_shown = vec![false; names.len()];
    for (key, fluent) in &fluents {
        for (input, place, others) in fluent.on_grid(&grid) {
            let n_cells = grid.columns.len() * grid.rows.len();
            let cells = planes.entry((key, others)).or_insert_with(|| vec![None; n_cells]);
            cells[place] = Some(input);
            is_shown[input as usize] = true;
        }
    }
    let others = (0..).zip(is_shown).filter(|(_, shown)| !shown);
    let others = others.map(|(input, _)| Plane::Everywhere(input));
    let planes = planes.into_values().map(Plane::Cells).chain(others).collect();
    Some(Board { columns: grid.columns.len(), rows: grid.rows.len(), planes })
}

/// The facts with the same name and number of arguments: their inputs and arguments.
struct Fluent<'a> {
    facts: BTreeMap<u32, Vec<&'a str>>,
}

/// All fluents, by the name and the number of arguments.
fn fluents(names: &[String]) -> BTreeMap<(&str, usize), Fluent<'_>> {
    let mut fluents: BTreeMap<(&str, usize), Fluent<'_>> = BTreeMap::new();
    for (input, name) in (0..).zip(names) {
        let (name, args) = parts(name);
        let fluent = fluents.entry((name, args.len()));
        fluent.or_insert_with(|| Fluent { facts: BTreeMap::new() }).facts.insert(input, args);
    }
    fluents.values_mut().for_each(Fluent::split_cells);
    fluents
}

/// The name of a term such as `(cell 1 2 (piece red))`, and its arguments.
fn parts(term: &str) -> (&str, Vec<&str>) {
    let Some(inner) = term.strip_prefix('(').and_then(|term| term.strip_suffix(')')) else {
        return (term, Vec::new());
    };
    let mut depth = 0;
    let is_blank_outside = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c.is_whitespace()
    };
    let mut words = inner.split(is_blank_outside).filter(|word| !word.is_empty());
    (words.next().unwrap_or(""), words.collect())
}

/// A rectangle of cells: two arguments of a fluent.
struct Grid {
    /// The arguments for columns and rows.
    args: [usize; 2],
    columns: Vec<String>,
    rows: Vec<String>,
    /// The number of cells that exist.
    n_cells: usize,
    /// Whether a cell has one fact in a position.
    is_unique: bool,
}

impl<'a> Fluent<'a> {
    fn arity(&self) -> usize {
        self.facts.values().next().map_or(0, Vec::len)
    }

    fn symbols(&self, arg: usize) -> BTreeSet<&'a str> {
        self.facts.values().map(|args| args[arg]).collect()
    }

    /// Makes two arguments of those that name cells, such as `c4`.
    fn split_cells(&mut self) {
        for arg in (0..self.arity()).rev() {
            let symbols = self.symbols(arg);
            let halves: Option<Vec<_>> = symbols.iter().map(|symbol| halves(symbol)).collect();
            let Some(halves) = halves else { continue };
            let n_letters = halves.iter().map(|half| half.0).collect::<BTreeSet<_>>().len();
            let n_digits = halves.iter().map(|half| half.1).collect::<BTreeSet<_>>().len();
            if n_letters < 2 || n_digits < 2 {
                continue;
            }
            let of: BTreeMap<_, _> = symbols.into_iter().zip(halves).collect();
            for args in self.facts.values_mut() {
                let (letters, digits) = of[args[arg]];
                args.splice(arg..=arg, [letters, digits]);
            }
        }
    }

    /// The best two arguments for coordinates, if any two are.
    fn grid(&self, positions: &[Vec<u32>], orders: &[Vec<String>]) -> Option<Grid> {
        let sides = |symbols: &Vec<String>| (2..=MAX_SIDE).contains(&symbols.len());
        let axis = |arg| ordered(&self.symbols(arg), orders).filter(sides);
        let axes: Vec<Option<Vec<String>>> = (0..self.arity()).map(axis).collect();
        let pairs = (0..axes.len()).flat_map(|x| (x + 1..axes.len()).map(move |y| [x, y]));
        let grids = pairs.filter_map(|[x, y]| {
            let (columns, rows) = (axes[x].clone()?, axes[y].clone()?);
            let n_cells = cells(self.facts.values(), [x, y]).len();
            let seen = self.observe(positions, [x, y]).filter(|seen| seen.fills_area)?;
            let is_covered = n_cells as f64 >= (columns.len() * rows.len()) as f64 * MIN_COVERAGE;
            let is_unique = seen.uniqueness >= MIN_UNIQUENESS;
            is_covered.then_some(Grid { args: [x, y], columns, rows, n_cells, is_unique })
        });
        grids.max_by_key(|grid| {
            let is_square = grid.columns == grid.rows;
            (grid.is_unique, is_square, grid.n_cells, Reverse(grid.args))
        })
    }

    /// What positions show about two arguments; `None` if they have no fact of the fluent.
    fn observe(&self, positions: &[Vec<u32>], [x, y]: [usize; 2]) -> Option<Seen> {
        let (mut n_facts, mut n_places, mut fills_area) = (0, 0, false);
        for position in positions {
            let facts: Vec<&Vec<&str>> =
                position.iter().filter_map(|input| self.facts.get(input)).collect();
            let n_cells = cells(facts.iter().copied(), [x, y]).len();
            let n_alone = |arg| cells(facts.iter().copied(), [arg, arg]).len();
            fills_area |= n_cells > n_alone(x) && n_cells > n_alone(y);
            (n_facts, n_places) = (n_facts + facts.len(), n_places + n_cells);
        }
        let uniqueness = n_places as f64 / n_facts as f64;
        (n_facts > 0).then_some(Seen { fills_area, uniqueness })
    }

    /// The facts whose places are on a grid: input, cell, and the other arguments.
    fn on_grid(&self, grid: &Grid) -> Vec<(u32, usize, Vec<&'a str>)> {
        let fits = |arg: usize, axis: &[String]| {
            self.symbols(arg).iter().all(|symbol| axis.iter().any(|other| other == symbol))
        };
        let n_args = self.arity();
        let pairs = (0..n_args).flat_map(|x| (x + 1..n_args).map(move |y| [x, y]));
        // The arguments of the board itself, in other fluents the first two that fit.
        let pair = pairs.filter(|&[x, y]| fits(x, &grid.columns) && fits(y, &grid.rows));
        let Some([x, y]) = pair.min_by_key(|pair| *pair != grid.args) else { return Vec::new() };
        let place = |symbol: &str, axis: &[String]| axis.iter().position(|other| other == symbol);
        let found = self.facts.iter().filter_map(|(&input, args)| {
            let (column, row) = (place(args[x], &grid.columns)?, place(args[y], &grid.rows)?);
            let others = args.iter().enumerate().filter(|(arg, _)| *arg != x && *arg != y);
            let others = others.map(|(_, symbol)| *symbol).collect();
            Some((input, row * grid.columns.len() + column, others))
        });
        found.collect()
    }
}

/// What positions show about two arguments.
struct Seen {
    /// Whether some position has several rows for a column and several columns for a row.
    fills_area: bool,
    /// The share of facts that have a cell of their own.
    uniqueness: f64,
}

/// The places of facts that two of their arguments give.
fn cells<'a, 'b: 'a>(
    facts: impl Iterator<Item = &'a Vec<&'b str>>,
    [x, y]: [usize; 2],
) -> BTreeSet<[&'b str; 2]> {
    facts.map(|args| [args[x], args[y]]).collect()
}

/// Letters and digits of a symbol such as `c4`.
fn halves(symbol: &str) -> Option<(&str, &str)> {
    let (letters, digits) = symbol.split_at(symbol.find(|c: char| c.is_ascii_digit())?);
    let fits = (1..=2).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then_some((letters, digits))
}
