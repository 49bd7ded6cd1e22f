//! The summary of all games.

use ludens_catalog::ReasonerKind;

use super::game::{Checked, Verdict};
use super::mebibytes;

/// A line or two for one game.
pub fn print_verdict(verdict: &Verdict) {
    let mut parts = Vec::new();
    if let Some(size) = &verdict.network {
        let memory = mebibytes(size.peak);
        parts.push(format!("{} gates in {:.2} s, {memory}", size.gates, size.seconds));
    }
    if let Some(given_up) = &verdict.given_up {
        parts.push(format!("not grounded: {} after {:.1} s", given_up.why, given_up.seconds));
    }
    for checked in &verdict.reasoners {
        let Checked { reasoner, states, check_seconds, compared, .. } = checked;
        let result = checked.problem.as_deref().unwrap_or("ok");
        parts.push(format!("{reasoner} {states}+{compared} states {check_seconds:.2} s {result}"));
    }
    parts.extend(verdict.problem.clone());
    println!("{:34} {}", verdict.name, parts.join("; "));
}

/// The summary of all games.
pub fn print(verdicts: &[Verdict], kinds: &[ReasonerKind]) {
    if kinds.iter().any(|kind| kind.is_ground()) {
        print_given_up(verdicts);
        print_grounding(verdicts);
    }
    for kind in kinds {
        print_reasoner(verdicts, kind.name());
    }
}

/// The games that could not be grounded, and the time to the first answer of the reference reasoner.
fn print_given_up(verdicts: &[Verdict]) {
    for verdict in verdicts {
        if let Some(given_up) = &verdict.given_up {
            println!(
                "not grounded: {:24} {} after {:.1} s with {}; the reference reasoner answered {:.2} s \
                 later (CPU {:.2} s)",
                verdict.name,
                given_up.why,
                given_up.seconds,
                mebibytes(given_up.peak),
                given_up.answer_seconds,
                given_up.answer_cpu_seconds
            );
        }
    }
}

fn print_grounding(verdicts: &[Verdict]) {
    let sizes = || verdicts.iter().filter_map(|verdict| verdict.network.as_ref());
    let clock = quantiles(sizes().map(|size| size.seconds).collect());
    let cpu = quantiles(sizes().map(|size| size.cpu_seconds).collect());
    println!("grounded: {} of {} games", sizes().count(), verdicts.len());
    // The limit is checked during grounding only, which is not all of the work.
    let is_late = |verdict: &&Verdict| verdict.network.as_ref().is_some_and(|size| size.late);
    let late: Vec<&str> = verdicts.iter().filter(is_late).map(|v| v.name.as_str()).collect();
    if !late.is_empty() {
        println!("of these, {} exceeded the time limit: {}", late.len(), late.join(", "));
    }
    for (what, (median, p90, max)) in [("wall-clock time", clock), ("CPU time", cpu)] {
        let (median, p90) = (median * 1e3, p90 * 1e3);
        println!("{what}: median {median:.1} ms, 90th percentile {p90:.1} ms, maximum {max:.1} s");
    }
    let mut largest: Vec<_> =
        verdicts.iter().filter_map(|v| v.network.as_ref().map(|size| (size.peak, v))).collect();
    largest.sort_by_key(|(peak, _)| std::cmp::Reverse(*peak));
    let show = |(peak, verdict): &(u64, &Verdict)| format!("{} {}", verdict.name, mebibytes(*peak));
    let largest: Vec<String> = largest.iter().take(5).map(show).collect();
    println!("most memory for grounding: {}", largest.join(", "));
    let given_up: Vec<_> =
        verdicts.iter().filter_map(|verdict| verdict.given_up.as_ref()).collect();
    let (_, _, clock) = quantiles(given_up.iter().map(|g| g.answer_seconds).collect());
    let (_, _, cpu) = quantiles(given_up.iter().map(|g| g.answer_cpu_seconds).collect());
    println!(
        "given up: {}, each answered by the reference reasoner within {clock:.2} s (CPU {cpu:.2} s)",
        given_up.len()
    );
}

fn print_reasoner(verdicts: &[Verdict], name: &str) {
    let all = verdicts.iter().flat_map(|verdict| {
        let own = verdict.reasoners.iter().filter(|checked| checked.reasoner == name);
        own.map(|checked| (verdict.name.as_str(), checked))
    });
    let all: Vec<(&str, &Checked)> = all.collect();
    let exact = all.iter().filter(|(_, checked)| checked.problem.is_none()).count();
    let states: usize = all.iter().map(|(_, checked)| checked.states).sum();
    let compared: u64 = all.iter().map(|(_, checked)| checked.compared).sum();
    let load = quantiles(all.iter().map(|(_, checked)| checked.load_seconds).collect());
    let cost = |checked: &Checked| checked.load_seconds + checked.check_seconds;
    let slowest = all.iter().max_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
    let slowest = slowest.map_or(String::new(), |(game, checked)| {
        format!("; {game} took longest with {:.1} s", cost(checked))
    });
    println!(
        "{name}: {exact} of {} games exact, {states} recorded states, {compared} states compared with the \
         plain evaluator; load median {:.1} ms, 90th percentile {:.1} ms, maximum {:.1} s{slowest}",
        all.len(),
        load.0 * 1e3,
        load.1 * 1e3,
        load.2
    );
}

/// The median, the 90th percentile and the maximum.
fn quantiles(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let rank = (share * values.len() as f64).ceil() as usize;
        values.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    };
    (at(0.5), at(0.9), at(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        assert_eq!(quantiles(vec![3.0, 1.0, 2.0]), (2.0, 3.0, 3.0));
        assert_eq!(quantiles((1..=10).map(f64::from).collect()), (5.0, 9.0, 10.0));
        assert_eq!(quantiles(Vec::new()), (0.0, 0.0, 0.0));
    }
}
