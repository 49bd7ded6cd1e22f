//! Hexagonal boards, recognised by a neighbour relation.

use std::collections::BTreeSet;

use ludens_gdl::{Rules, Symbol};

use crate::extension::Extension;
use crate::fluent::Survey;
use crate::frame::Frame;
use crate::grid::{Lean, Topology};
use crate::layer::Layer;

/// Finds a static relation that gives each cell six neighbours.
pub(crate) fn hex_topology(
    rules: &Rules,
    survey: &Survey,
    frame: &Frame,
    layer: &Layer,
) -> Option<Topology> {
    let y = layer.y?;
    let column_first = layer.x.arg < y.arg;
    if frame.across.len() * frame.down.len() > 1 || layer.x.arg == y.arg {
        return None;
    }
    let tables = survey.statics.of_width(4);
    let steps = tables.filter_map(|table| steps(rules, frame, column_first, table));
    steps.filter(|steps| steps.len() == 6).find_map(|steps| {
        let straight = steps.contains(&(1, 0)) && steps.contains(&(0, 1));
        // Steps are in coordinates, the lean is on the screen.
        let lower_right = steps.contains(&if frame.rows_down { (1, -1) } else { (1, 1) });
        let lean = if lower_right { Lean::Right } else { Lean::Left };
        straight.then_some(Topology::Hex(lean))
    })
}

/// All differences between related cells, in both directions; `None` if they are not cells or too far
/// apart.
fn steps(
    rules: &Rules,
    frame: &Frame,
    column_first: bool,
    table: &Extension,
) -> Option<BTreeSet<(i32, i32)>> {
    let (first, second) =
        if column_first { (&frame.columns, &frame.rows) } else { (&frame.rows, &frame.columns) };
    let rank = |symbols: &[String], symbol: Symbol| {
        let text = rules.symbols.text(symbol);
        symbols.iter().position(|s| s == text).and_then(|at| i32::try_from(at).ok())
    };
    let mut steps = BTreeSet::new();
    for row in table.rows() {
        let a = rank(first, row[2])? - rank(first, row[0])?;
        let b = rank(second, row[3])? - rank(second, row[1])?;
        if a.abs() > 1 || b.abs() > 1 {
            return None;
        }
        let (x, y) = if column_first { (a, b) } else { (b, a) };
        steps.extend([(x, y), (-x, -y)]);
    }
    Some(steps)
}
