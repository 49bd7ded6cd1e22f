//! Other fluents on the same board.

use std::collections::BTreeSet;

use crate::axis::Axis;
use crate::coordinate::Coordinate;
use crate::detect::{Placed, union};
use crate::fluent::{Fluent, Survey};
use crate::frame::Frame;
use crate::layer::{Layer, Panel};

/// The maximum number of fluents besides the first.
const MAX_OVERLAYS: usize = 8;

/// Fluents with more arguments are not overlaid.
const MAX_ARITY: usize = 5;

/// The minimum number of facts that can show a record.
const MIN_RECORD_FACTS: usize = 4;

/// The minimum share of places that are on the board already.
const MIN_SHARED: f64 = 0.6;

/// Adds the other fluents about cells of the board, which may grow a little.
pub(crate) fn overlays(survey: &Survey, frame: &mut Frame, placed: &mut Vec<Placed>) {
    let (main, first) = placed[0].clone();
    let ground = &survey.fluents[main];
    for (index, fluent) in survey.fluents.iter().enumerate() {
        let known = placed.iter().any(|(other, _)| *other == index);
        if known || fluent.arity > MAX_ARITY {
            continue;
        }
        let layer = match first.y {
            Some(y) if y.arg == first.x.arg => on_named(frame, &first, fluent),
            Some(y) => on_grid(survey, frame, &first, y, fluent),
            None => on_track(survey, frame, &first, fluent),
        };
        let fits = |layer: &Layer| is_sensible(survey, ground, &first, fluent, layer);
        if let Some(layer) = layer.filter(fits) {
            grow(survey, frame, fluent, &layer);
            placed.push((index, layer));
        }
        if placed.len() > MAX_OVERLAYS {
            return;
        }
    }
}

/// The arguments of the fluent for column and row, in the same order as in the first layer.
fn on_grid(
    survey: &Survey,
    frame: &Frame,
    first: &Layer,
    y: Coordinate,
    fluent: &Fluent,
) -> Option<Layer> {
    let column_first = first.x.arg < y.arg;
    let spots = (0..fluent.arity).flat_map(|a| (a + 1..fluent.arity).map(move |b| (a, b)));
    let spots = spots.map(|(a, b)| if column_first { (a, b) } else { (b, a) });
    let fits = |(x, y): &(usize, usize)| {
        belongs(survey, fluent, *x, &frame.columns) && belongs(survey, fluent, *y, &frame.rows)
    };
    // An argument that alone identifies every fact may be a name rather than a place.
    let named = |(x, y): &(usize, usize)| fluent.uniqueness(&[*x]).max(fluent.uniqueness(&[*y]));
    let (x, y) = spots.filter(fits).min_by(|a, b| named(a).total_cmp(&named(b)))?;
    let mut taken = vec![x, y];
    let across = panel(first.across, &frame.across, fluent, &mut taken)?;
    let down = panel(first.down, &frame.down, fluent, &mut taken)?;
    let layer = layer(first, fluent, &taken);
    Some(Layer { x: Coordinate::whole(x), y: Some(Coordinate::whole(y)), across, down, ..layer })
}

/// An argument that names cells like the first layer.
fn on_named(frame: &Frame, first: &Layer, fluent: &Fluent) -> Option<Layer> {
    let at = |coordinate: Coordinate, arg: usize| Coordinate { arg, ..coordinate };
    let fits = |arg: &usize| {
        let parts = |coordinate| fluent.range(at(coordinate, *arg));
        let (columns, rows) = (parts(first.x), first.y.map(parts).unwrap_or_default());
        within(&columns, &frame.columns) && within(&rows, &frame.rows)
    };
    let arg = (0..fluent.arity).find(fits)?;
    let y = first.y.map(|y| at(y, arg));
    Some(Layer { x: at(first.x, arg), y, ..layer(first, fluent, &[arg]) })
}

fn on_track(survey: &Survey, frame: &Frame, first: &Layer, fluent: &Fluent) -> Option<Layer> {
    let number = |symbol: &String| symbol.parse::<i64>().is_ok();
    let fits = |x: &usize| {
        belongs(survey, fluent, *x, &frame.columns)
            && !fluent.range(Coordinate::whole(*x)).iter().all(number)
    };
    let x = (0..fluent.arity).find(fits)?;
    Some(Layer { x: Coordinate::whole(x), ..layer(first, fluent, &[x]) })
}

/// A layer for the fluent; the other arguments are its content.
fn layer(first: &Layer, fluent: &Fluent, taken: &[usize]) -> Layer {
    Layer {
        name: fluent.name.clone(),
        arity: fluent.arity,
        content: (0..fluent.arity).filter(|arg| !taken.contains(arg)).collect(),
        ..first.clone()
    }
}

/// The argument of the other fluent that selects the block, if there are several.
fn panel(
    panel: Panel,
    symbols: &[String],
    fluent: &Fluent,
    taken: &mut Vec<usize>,
) -> Option<Panel> {
    if let Panel::Fixed(at) = panel {
        return Some(Panel::Fixed(at));
    }
    let range = |arg: &usize| fluent.range(Coordinate::whole(*arg));
    let fits = |arg: &usize| !taken.contains(arg) && within(&range(arg), symbols);
    let arg = (0..fluent.arity).find(fits)?;
    taken.push(arg);
    Some(Panel::Given(Coordinate::whole(arg)))
}

fn within(range: &BTreeSet<String>, symbols: &[String]) -> bool {
    !range.is_empty() && range.iter().all(|symbol| symbols.contains(symbol))
}

/// Whether the values of an argument are these symbols, or extend their order.
fn belongs(survey: &Survey, fluent: &Fluent, arg: usize, symbols: &[String]) -> bool {
    let range = fluent.range(Coordinate::whole(arg));
    let shared = range.iter().filter(|symbol| symbols.contains(symbol)).count();
    if shared == range.len() || (shared as f64) < range.len() as f64 * MIN_SHARED {
        return shared > 0 && shared == range.len();
    }
    let all: BTreeSet<String> = range.iter().chain(symbols).cloned().collect();
    let axis = survey.orders.axis(&all);
    axis.is_ordered() && axis.len() * 2 <= symbols.len() * 3
}

/// Extends the frame by the facts of a fluent.
fn grow(survey: &Survey, frame: &mut Frame, fluent: &Fluent, layer: &Layer) {
    let columns = fluent.range(layer.x).into_iter().collect();
    frame.columns = union(survey, &frame.columns, columns);
    if let Some(y) = layer.y {
        frame.rows = union(survey, &frame.rows, fluent.range(y).into_iter().collect());
    }
}

/// Numbers and places are not pieces, unless they name them, and roles are not places.
fn is_sensible(
    survey: &Survey,
    ground: &Fluent,
    first: &Layer,
    fluent: &Fluent,
    layer: &Layer,
) -> bool {
    let is_number = |fluent: &Fluent, arg: &usize| {
        let axis = &fluent.axes[*arg];
        let names = fluent.max_facts() > 0 && fluent.uniqueness(&[*arg]) >= 1.0;
        axis.is_ordered() && axis.len() >= 3 && !names
    };
    let numbers = layer.content.iter().any(|arg| is_number(fluent, arg));
    let usual = first.content.iter().any(|arg| is_number(ground, arg));
    let roles = |axis: &Axis| axis.symbols.iter().all(|symbol| survey.roles.contains(symbol));
    let on_roles = layer.key().iter().any(|c| roles(&fluent.axis(*c, &survey.orders)));
    !on_roles && (!numbers || usual) && !is_record(survey, fluent, layer)
}

/// Whether one coordinate takes all its values and identifies every fact: then it names objects that
/// the facts describe, not places. Pieces of roles are an exception.
fn is_record(survey: &Survey, fluent: &Fluent, layer: &Layer) -> bool {
    let of_roles = |arg: &usize| fluent.seen[*arg].iter().all(|word| survey.roles.contains(word));
    if fluent.max_facts() < MIN_RECORD_FACTS
        || layer.content.is_empty()
        || layer.content.iter().any(of_roles)
    {
        return false;
    }
    let full = |arg: usize| fluent.axes[arg].len() == fluent.max_facts();
    layer.key().iter().any(|c| fluent.uniqueness(&[c.arg]) >= 1.0 && full(c.arg))
}

/// Places fluents that each fill the whole board side by side.
pub(crate) fn twins(survey: &Survey, frame: &mut Frame, placed: &mut Vec<Placed>) {
    let (main, first) = placed[0].clone();
    let Some(y) = first.y else { return };
    if frame.across.len() > 1 || first.content.is_empty() {
        return;
    }
    let ground = &survey.fluents[main];
    let alike = |fluent: &Fluent| {
        fluent.arity == ground.arity
            && [first.x.arg, y.arg].iter().all(|arg| fluent.axes[*arg] == ground.axes[*arg])
    };
    let mut names = Vec::new();
    let mut found = Vec::new();
    for (index, fluent) in survey.fluents.iter().enumerate().filter(|(_, fluent)| alike(fluent)) {
        let across = Panel::Fixed(names.len());
        let layer = Layer { name: fluent.name.clone(), ..first.clone() };
        if fills(frame, fluent, &layer) {
            names.push(fluent.name.clone());
            found.push((index, Layer { across, ..layer }));
        }
    }
    if found.len() > 1 {
        frame.across = names;
        *placed = found;
    }
}

/// Whether the fluent has a fact for nearly every cell in every sample.
fn fills(frame: &Frame, fluent: &Fluent, layer: &Layer) -> bool {
    let cells = frame.width() * frame.height();
    let filled = |sample: &Vec<Vec<String>>| {
        let found: BTreeSet<usize> =
            sample.iter().filter_map(|row| frame.index(layer, row)).collect();
        found.len() * 10 >= cells * 9
    };
    fluent.max_facts() > 0 && fluent.samples.iter().all(filled)
}
