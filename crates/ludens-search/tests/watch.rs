//! Watching a search while it runs: reports are correct, and the search is not affected.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Budget, Game, Move, Role, View};
use ludens_propnet::PropGame;
use ludens_search::{
    Agent, Chain, EvenValue, Flat, Lgrf, Mast, Mcts, Minimax, Parallel, PlayoutPolicy, Random,
    Report, Searcher, Settings, Sharing, Ucb, Unvisited, Watch,
};

fn game(name: &str) -> Arc<PropGame> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name);
    let text = std::fs::read_to_string(path).expect("the library has the game");
    let rules = ludens_gdl::load(&text).0.expect("the rules load");
    Arc::new(PropGame::load(&rules, &Budget::unlimited()).expect("it is grounded"))
}

type Make = Box<dyn Fn(&Arc<PropGame>) -> Box<dyn Agent<PropGame>>>;

fn chain(name: &str) -> Chain {
    let policy: Vec<Box<dyn PlayoutPolicy>> = match name {
        "mast" => vec![Box::new(Mast::new(0.3, 1.0))],
        "lgrf" => vec![Box::new(Lgrf::default())],
        _ => vec![],
    };
    Chain::new(policy)
}

fn searcher(game: &Arc<PropGame>, playouts: &str, batch: usize) -> Searcher<PropGame> {
    let policy = Box::new(Ucb { exploration: 0.4, unvisited: Unvisited::First });
    Searcher::new(Arc::clone(game), policy, chain(playouts), Settings::default(), batch)
}

/// A tree search with a playout policy and batches of `batch` leaves; 0 leaves the size to the searcher.
fn mcts(playouts: &'static str, batch: usize) -> Make {
    Box::new(move |game| {
        let policy = Box::new(Ucb { exploration: 0.4, unvisited: Unvisited::First });
        let chain = chain(playouts);
        Box::new(Mcts::new(Arc::clone(game), policy, chain, Settings::default(), batch))
    })
}

fn threads(n: usize, sharing: Sharing) -> Make {
    Box::new(move |game| Box::new(Parallel::new(game, || searcher(game, "", 1), n, sharing)))
}

fn minimax(game: &Arc<PropGame>) -> Box<dyn Agent<PropGame>> {
    Box::new(Minimax::new(Arc::clone(game), Box::new(EvenValue), 1 << 20))
}

/// Agents whose result depends only on the seed and the number of iterations.
fn reproducible() -> Vec<(&'static str, Make)> {
    vec![
        ("as many leaves as lanes", mcts("", 0)),
        ("one leaf at a time", mcts("", 1)),
        ("a learning policy", mcts("mast", 1)),
        ("a learning policy with many leaves", mcts("lgrf", 64)),
        ("a tree for each thread", threads(3, Sharing::Root)),
        ("flat", Box::new(|game| Box::new(Flat::new(Arc::clone(game), 0.7, 0)))),
        ("minimax", Box::new(minimax)),
        ("random", Box::new(|game| Box::new(Random::new(Arc::clone(game), 0)))),
    ]
}

/// The part of a report that does not depend on a watcher.
fn essence(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let Report { iterations, moves, variation, proven, plies, nodes, .. } = report.clone();
    (iterations, moves, variation, proven, plies, nodes)
}

/// Plays some moves with an agent; returns the report on each of them.
fn reports(
    game: &Arc<PropGame>,
    make: &Make,
    mut think: impl FnMut(&mut dyn Agent<PropGame>, &<PropGame as Game>::State) -> Report,
) -> Vec<Report> {
    let (mut agent, mut state) = (make(game), game.initial());
    agent.begin(7);
    let mut reports = Vec::new();
    for _ in 0..3 {
        let report = think(&mut *agent, &state);
        let joint: Vec<Move> =
            Role::all(game.roles().len()).map(|role| report.best(role).unwrap()).collect();
        game.play(&mut state, &joint);
        agent.advance(&joint);
        reports.push(report);
    }
    reports
}

#[test]
fn watching_changes_nothing() {
    let budget = Budget::unlimited().with_iterations(700);
    for name in ["breakthrough_6x6.kif", "connectfour_3p.kif", "rockpaperscissors.kif"] {
        let game = game(name);
        for (what, make) in reproducible() {
            let alone = reports(&game, &make, |agent, state| {
                agent.think(state, &budget, &mut Watch::none())
            });
            let mut shown = 0;
            let watched = reports(&game, &make, |agent, state| {
                let mut look = |_: &Report| {
                    shown += 1;
                    ControlFlow::Continue(())
                };
                agent.think(state, &budget, &mut Watch::every(Duration::ZERO, &mut look))
            });
            let essences = |reports: &[Report]| reports.iter().map(essence).collect::<Vec<_>>();
            assert_eq!(essences(&alone), essences(&watched), "{name}: {what}");
            // Threads may finish before the watching thread is scheduled.
            let always_shown = what != "a tree for each thread";
            assert!(shown >= 3 || !always_shown, "{name}: {what}: no report was shown");
        }
    }
}

/// Checks a report on a state.
fn check(game: &PropGame, state: &<PropGame as Game>::State, report: &Report) {
    let mut view = View::default();
    for (role, moves) in report.moves.entries() {
        assert_eq!(report.lines[role].len(), moves.len());
        for (stats, line) in moves.iter().zip(&report.lines[role]) {
            assert_eq!(line[0][role.index()], stats.mv, "a line begins with its move");
            let mut state = state.clone();
            for joint in line {
                game.look(&state, &mut view);
                let legal = view.legal.iter().zip(joint).all(|(legal, mv)| legal.contains(mv));
                assert!(!view.terminal && legal, "a line can be played");
                game.play(&mut state, joint);
            }
        }
        assert!(report.worth[role.index()].is_none_or(|worth| (0.0..=1.0).contains(&worth)));
    }
}

#[test]
fn reports_grow_and_their_lines_are_legal() {
    let budget = Budget::unlimited().with_iterations(2000);
    // The sum of payoffs: among three roles the one after the winner gets half.
    let payoff_sum = [
        ("breakthrough_6x6.kif", 1.0),
        ("connectfour_3p.kif", 1.5),
        ("rockpaperscissors.kif", 1.0),
    ];
    for (name, payoff_sum) in payoff_sum {
        let game = game(name);
        let state = game.initial();
        for make in [mcts("", 0), mcts("mast", 1), threads(2, Sharing::Tree)] {
            let mut agent = make(&game);
            agent.begin(1);
            let mut before = 0;
            let mut look = |report: &Report| {
                assert!((before..=2000).contains(&report.iterations));
                before = report.iterations;
                check(&game, &state, report);
                ControlFlow::Continue(())
            };
            let watch = &mut Watch::every(Duration::ZERO, &mut look);
            let last = agent.think(&state, &budget, watch);
            check(&game, &state, &last);
            // A few playouts end undecided, and the values of roles without a choice are those of a later move.
            let sum: f64 = last.worth.iter().map(|worth| worth.expect("the value is known")).sum();
            assert!((sum - payoff_sum).abs() < 0.3, "{name}: {:?}", last.worth);
        }
    }
}

#[test]
fn a_watcher_can_end_the_search() {
    let game = game("breakthrough_6x6.kif");
    for (what, make) in [
        ("many leaves", mcts("", 0)),
        ("one leaf", mcts("mast", 1)),
        ("a tree for each thread", threads(2, Sharing::Root)),
        ("one tree", threads(2, Sharing::Tree)),
        ("flat", Box::new(|game| Box::new(Flat::new(Arc::clone(game), 0.7, 0)))),
    ] {
        let mut agent = make(&game);
        agent.begin(1);
        // The budget has no limit.
        let mut end = |_: &Report| ControlFlow::Break(());
        let watch = &mut Watch::every(Duration::from_millis(1), &mut end);
        let report = agent.think(&game.initial(), &Budget::unlimited(), watch);
        assert!(report.iterations > 0 && report.best(Role(0)).is_some(), "{what}");
    }
}
