//! The simulators of all reasoners choose uniformly and independently, in all lanes and by all
//! interfaces. The false-alarm rate of each test is at most 10⁻⁶, and seeds are fixed.

use std::sync::Arc;

use ludens_catalog::{ReasonerKind, WithGame};
use ludens_core::{Budget, Cut, Game, Limit};
use ludens_testkit::choice_rules::{SIZES, alone, sparse, together, walk};
use ludens_testkit::library::on_all_cores;
use ludens_testkit::sampling::{Options, check_decisions, check_simulator, some_starts};

/// Rules with the number of playouts from each of some starts.
struct Case {
    name: String,
    text: String,
    playouts: usize,
    starts: usize,
    limit: Limit,
}

/// Small numbers of moves reveal a small bias, large ones a lack of random bits.
fn cases() -> Vec<Case> {
    let limit = Limit::default();
    let case = |name: String, text, playouts, starts| Case { name, text, playouts, starts, limit };
    let mut cases: Vec<Case> = SIZES
        .iter()
        .map(|&n| case(format!("{n} moves"), alone(n), (60 * n).max(4000), 1))
        .collect();
    for sizes in [&[2, 2][..], &[3, 5], &[7, 8], &[1, 16, 3], &[2, 3, 2, 2], &[33, 31]] {
        let joint: usize = sizes.iter().product();
        let playouts = (60 * joint).max(4000);
        cases.push(case(format!("{sizes:?} together"), together(sizes), playouts, 2));
    }
    let groups = [(1, 2), (3, 1), (2, 5), (17, 1), (1, 33), (4, 4), (64, 1), (1, 101)];
    cases.push(case("few moves of 150".into(), sparse(150, &groups[..5], 7), 4000, 6));
    cases.push(case("few moves of 700".into(), sparse(700, &groups, 8), 8000, 6));
    cases.extend(cut_cases());
    cases
}

/// Playouts that are cut off at once, soon, and rarely. If lengths are equal, lanes are cut off together;
/// if they differ, they are not.
fn cut_cases() -> Vec<Case> {
    let texts =
        [("a walk", walk(7)), ("groups", sparse(100, &[(2, 1), (1, 3), (2, 2), (3, 1)], 5))];
    let mut cases = Vec::new();
    for (rules, text) in texts {
        for cut in [Cut::Nothing, Cut::Draw, Cut::Goal] {
            for plies in [1, 2, 3, 5] {
                let (limit, name) = (Limit { plies, cut }, format!("{rules} cut after {plies}"));
                cases.push(Case { name, text: text.clone(), playouts: 4000, starts: 6, limit });
            }
        }
    }
    cases
}

struct Check<'a>(&'a Case);

impl WithGame for Check<'_> {
    type Out = Result<(), String>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let starts = some_starts(&*game, self.0.starts, 1);
        let mut simulator = Arc::clone(&game).simulator();
        simulator.limit(self.0.limit);
        let many: Vec<&G::State> = starts.iter().cycle().take(2 * simulator.lanes() + 33).collect();
        check_decisions(&*game, &mut *simulator, &many, 2).map_err(|fault| fault.to_string())?;
        let (playouts, limit) = (self.0.playouts, self.0.limit);
        let options = Options { playouts, limit, ..Options::default() };
        let report = check_simulator(&*game, &mut *simulator, &starts, &options);
        report.map(|_| ()).map_err(|fault| fault.to_string())
    }
}

fn check(kind: ReasonerKind, case: &Case) -> Result<(), String> {
    let rules = ludens_gdl::load(&case.text).0.ok_or("does not load")?;
    let game = kind.load(&rules, &Budget::unlimited()).map_err(|trouble| trouble.to_string())?;
    game.with(Check(case)).map_err(|what| format!("{kind}, {}: {what}", case.name))
}

#[test]
fn every_reasoner_chooses_uniformly_and_independently() {
    let cases = cases();
    let kinds = ReasonerKind::ALL.iter().filter(|kind| **kind != ReasonerKind::Auto);
    let pairs: Vec<(ReasonerKind, &Case)> =
        kinds.flat_map(|&kind| cases.iter().map(move |case| (kind, case))).collect();
    let results = on_all_cores(&pairs, |(kind, case)| check(*kind, case));
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
