//! Pictures of findings.

use ludens_arena::plot::{Estimate, Level, LinePlot, Row, RowPlot, Series};

use super::by_ply;
use crate::reproduce::experiment::Point;
use crate::reproduce::file::Kind;
use crate::reproduce::findings::{Finding, Findings};

/// The label of the axis.
const AXIS: &str = "score of the first agent in %";

/// From this ratio between the ends on, an axis is logarithmic.
pub const LOGARITHMIC_RATIO: f64 = 20.0;

/// The pictures of an experiment, as SVG: those of its scores, then simulations by ply if it asks for
/// them. Cells that were not played are left out.
pub fn pictures(findings: &Findings) -> Vec<String> {
    let mut pictures = scores(findings);
    pictures.extend(by_ply::pictures(findings));
    pictures
}

/// Rows for a table, one picture per curve for a figure.
fn scores(findings: &Findings) -> Vec<String> {
    let played = || findings.cells.iter().filter(|finding| finding.ours.is_some());
    match findings.about.kind {
        _ if played().next().is_none() => Vec::new(),
        Kind::Table => vec![rows(findings, played())],
        Kind::Figure => {
            let mut names: Vec<&str> = Vec::new();
            for point in played().filter_map(|finding| finding.cell.point.as_ref()) {
                if !names.contains(&point.series.as_str()) {
                    names.push(&point.series);
                }
            }
            names.into_iter().map(|name| curve(findings, name)).collect()
        }
    }
}

fn rows<'f>(findings: &Findings, played: impl Iterator<Item = &'f Finding>) -> String {
    let row = |finding: &Finding| Row {
        label: finding.cell.name.clone(),
        estimate: estimate(finding),
        published: finding.cell.paper_score,
        note: format!("{} games", finding.games()),
    };
    let rows = played.map(row).collect();
    let (title, axis) = (findings.about.title.clone(), AXIS.to_owned());
    RowPlot { title, axis, level: Some(Level(50.0)), rows }.svg()
}

fn curve(findings: &Findings, name: &str) -> String {
    let point = |finding: &&Finding| finding.cell.point.clone().filter(|p| p.series == name);
    let cells: Vec<(Point, &Finding)> =
        findings.cells.iter().filter_map(|finding| Some((point(&finding)?, finding))).collect();
    let measured = cells.iter().filter(|(_, finding)| finding.ours.is_some());
    let mut points: Vec<_> = measured.map(|(at, finding)| (at.x, estimate(finding))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let published =
        cells.iter().filter_map(|(at, finding)| Some((at.x, finding.cell.paper_score?))).collect();
    let ends = (points.first().map_or(0.0, |p| p.0), points.last().map_or(0.0, |p| p.0));
    LinePlot {
        title: findings.about.title.clone(),
        x_axis: name.to_owned(),
        y_axis: AXIS.to_owned(),
        doublings: ends.0 > 0.0 && ends.1 / ends.0 >= LOGARITHMIC_RATIO,
        logarithmic: false,
        level: Some(Level(50.0)),
        series: vec![Series { name: "measured".to_owned(), points, published }],
    }
    .svg()
}

fn estimate(finding: &Finding) -> Estimate {
    match &finding.ours {
        Some(ours) => Estimate { value: ours.score, low: ours.interval[0], high: ours.interval[1] },
        None => Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::findings::tests::made_up;

    #[test]
    fn tables_are_rows_and_figures_are_curves() {
        let table = pictures(&made_up("ppafm/table2", &[95, 80]));
        assert_eq!(table.len(), 1);
        assert!(table[0].contains(">breakthrough</text>") && !table[0].contains("domineering"));
        assert!(table[0].contains(">published</text>"));
        // Seven points of the first curve and one of the second.
        let figure = pictures(&made_up("ppr/figure5", &[60; 8]));
        assert_eq!(figure.len(), 2);
        assert_eq!(figure[0].matches("<circle").count(), 7 + 1, "seven marks and their meaning");
        assert!(figure[1].contains(">T_w'</text>"));
        assert!(pictures(&made_up("ppr/figure5", &[])).is_empty());
    }
}
