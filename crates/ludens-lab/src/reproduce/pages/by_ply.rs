//! Pictures of simulations by the stage of the game.

use std::collections::BTreeMap;

use ludens_arena::plot::{Estimate, LinePlot, Series};
use ludens_arena::standing::STAGE_PLIES;

use super::pictures::LOGARITHMIC_RATIO;
use crate::reproduce::experiment::Cell;
use crate::reproduce::findings::{Finding, Findings, StageMean};
use crate::reproduce::limit::Limit;

/// One picture for each game and limit, with a line for each agent.
pub fn pictures(findings: &Findings) -> Vec<String> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings.cells.iter().filter(|finding| has_stages(findings, finding)) {
        let is_alike =
            |group: &&mut Vec<&Finding>| subject(&group[0].cell) == subject(&finding.cell);
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups.iter().map(|group| picture(group)).collect()
}

/// What the pictures show; nothing without pictures.
pub fn explanation(findings: &Findings) -> Option<String> {
    findings.cells.iter().any(|finding| has_stages(findings, finding)).then(|| {
        format!(
            "The pictures of the page also show simulations by ply: the mean of each agent over groups of \
             {STAGE_PLIES} plies, in all its games with the same time. Few games reach the last groups."
        )
    })
}

fn has_stages(findings: &Findings, finding: &Finding) -> bool {
    findings.about.by_ply && finding.ours.as_ref().is_some_and(|ours| !ours.by_ply.is_empty())
}

/// What all games of a picture share.
fn subject(cell: &Cell) -> (&str, Limit) {
    (&cell.game, cell.limit)
}

fn picture(group: &[&Finding]) -> String {
    let (game, limit) = subject(&group[0].cell);
    let limit = match limit {
        Limit::Iterations { iterations } => format!("{iterations} iterations a move"),
        Limit::Time { time } => format!("{time} a move"),
        Limit::Clocks { clocks, .. } => format!("clocks {clocks}"),
    };
    let series = lines(group);
    LinePlot {
        title: format!("Simulations by ply: {game}, {limit}"),
        x_axis: format!("first ply of a group of {STAGE_PLIES}"),
        y_axis: "simulations of a decision".to_owned(),
        doublings: false,
        logarithmic: is_wide(&series),
        level: None,
        series,
    }
    .svg()
}

/// The line of each agent, over all its games with the same game and limit.
fn lines(group: &[&Finding]) -> Vec<Series> {
    let mut sums: Vec<(&str, StageSums)> = Vec::new();
    for finding in group {
        let stages = finding.ours.iter().flat_map(|ours| &ours.by_ply);
        for (agent, stages) in finding.cell.agents().zip(stages) {
            let at = sums.iter().position(|(name, _)| name == agent).unwrap_or_else(|| {
                sums.push((agent, StageSums::new()));
                sums.len() - 1
            });
            add(&mut sums[at].1, stages);
        }
    }
    let line = |(name, sums): (&str, StageSums)| {
        let points = sums.into_iter().map(|(ply, sums)| (ply as f64, mean(sums))).collect();
        Series { name: name.to_owned(), points, published: Vec::new() }
    };
    sums.into_iter().map(line).collect()
}

/// The number of decisions and the sum of their simulations, by the first ply of a stage.
type StageSums = BTreeMap<usize, (u64, f64)>;

fn add(sums: &mut StageSums, stages: &[StageMean]) {
    for &StageMean { ply, decisions, simulations } in stages {
        let sums = sums.entry(ply).or_default();
        *sums = (sums.0 + decisions, sums.1 + decisions as f64 * simulations);
    }
}

/// A mean without an interval, since the decisions of a game are not independent.
fn mean((decisions, simulations): (u64, f64)) -> Estimate {
    Estimate { value: simulations / decisions.max(1) as f64, low: f64::NAN, high: f64::NAN }
}

/// Whether the means differ so much that their axis should be logarithmic, where 0 is at the lower end: a
/// search that has proven its root makes no simulations.
fn is_wide(series: &[Series]) -> bool {
    let points = || series.iter().flat_map(|series| &series.points);
    let values = || points().map(|(_, at)| at.value).filter(|value| *value > 0.0);
    let (least, greatest) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    greatest / least >= LOGARITHMIC_RATIO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::findings::tests::made_up;

    fn stages(means: &[(usize, u64, f64)]) -> Vec<StageMean> {
        let of = |&(ply, decisions, simulations): &_| StageMean { ply, decisions, simulations };
        means.iter().map(of).collect()
    }

    /// Two cells with 0.5 s a move and one with 1 s; they have `uct` in common.
    fn timed() -> Findings {
        let mut findings = made_up("ggpzero/figure4b", &[50; 5]);
        assert!(findings.about.by_ply);
        for (at, ours) in findings.cells.iter_mut().filter_map(|f| f.ours.as_mut()).enumerate() {
            let decisions = 1 + at as u64;
            ours.by_ply = match at {
                0 | 1 | 4 => vec![
                    stages(&[(0, decisions, 100.0), (5, 2, 90.0)]),
                    stages(&[(0, decisions, 5000.0 - 500.0 * at as f64), (5, 1, 7000.0)]),
                ],
                _ => Vec::new(),
            };
        }
        findings
    }

    #[test]
    fn each_time_has_a_picture_and_each_agent_a_line() {
        let pictures = pictures(&timed());
        assert_eq!(pictures.len(), 2);
        let [half, one] = &pictures[..] else { unreachable!() };
        assert!(half.contains(">Simulations by ply: breakthrough, 0.5s a move</text>"), "{half}");
        assert!(one.contains("breakthrough, 1s a move"), "{one}");
        let n_lines = |svg: &str| svg.matches("<polyline").count();
        assert_eq!((n_lines(half), n_lines(one)), (3, 2));
        let agents = ["zero(file={breakthrough_100}, solver=false)", "uct"];
        assert!(agents.iter().all(|agent| half.contains(&format!(">{agent}</text>"))), "{half}");
        assert!(
            half.contains(">200</text>") && half.contains(">5000</text>"),
            "logarithmic: {half}"
        );
    }

    #[test]
    fn means_of_cells_are_weighted_by_decisions() {
        let findings = timed();
        let lines = lines(&[&findings.cells[0], &findings.cells[4]]);
        let uct = lines.iter().find(|line| line.name == "uct").unwrap();
        // One decision of 5000 simulations, and five of 3000.
        let values: Vec<_> = uct.points.iter().map(|(ply, at)| (*ply, at.value.round())).collect();
        assert_eq!(values, [(0.0, 3333.0), (5.0, 7000.0)]);
    }

    #[test]
    fn experiments_that_do_not_ask_have_no_pictures() {
        let mut findings = timed();
        let shown = explanation(&findings).unwrap();
        assert!(shown.contains("over groups of 5 plies"), "{shown}");
        findings.about.by_ply = false;
        assert_eq!((pictures(&findings), explanation(&findings)), (Vec::new(), None));
        // As in a journal of an earlier version.
        let without = made_up("ggpzero/figure4b", &[50]);
        assert_eq!((pictures(&without), explanation(&without)), (Vec::new(), None));
    }

    #[test]
    fn means_that_are_close_have_a_linear_axis() {
        let mut findings = timed();
        for ours in findings.cells.iter_mut().filter_map(|finding| finding.ours.as_mut()) {
            ours.by_ply.truncate(1);
        }
        assert!(pictures(&findings)[0].contains(">92</text>"), "{}", pictures(&findings)[0]);
    }
}
