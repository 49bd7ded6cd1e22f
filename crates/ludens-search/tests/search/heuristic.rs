//! Agents with evaluation functions keep the contract of all agents, on every kind of game.

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Role, View};
use ludens_games::breakthrough;
use ludens_search::{
    Agent, Candidate, Chain, Construction, Greedy, Guidance, Guided, HeuristicFunction,
    HeuristicMinimax, Lesson, Mcts, ProgressiveBias, Race, Random, Search, Settings, TreePolicy,
    Ucb, Unpruning, Unvisited, Watch,
};

use crate::games::{PUZZLE, THREE_ROLES, THREE_ROUNDS, ground, logic};

fn budget(iterations: u64) -> Budget {
    Budget::unlimited().with_iterations(iterations)
}

fn lesson<G: Game>() -> Lesson<G> {
    Lesson::new(Construction::default())
}

fn mcts<G: Game>(game: &Arc<G>, unvisited: Unvisited) -> Mcts<G> {
    search(game, Box::new(Ucb { exploration: 0.7, unvisited }))
}

fn search<G: Game>(game: &Arc<G>, policy: Box<dyn TreePolicy>) -> Mcts<G> {
    Mcts::new(Arc::clone(game), policy, Chain::default(), Settings::default(), 0)
}

/// A search whose tree policy uses the estimates of the function and unprunes moves one by one.
fn biased<G: Game>(game: &Arc<G>) -> Box<dyn Agent<G>> {
    let unvisited = Unvisited::InOrder;
    let policy = Box::new(ProgressiveBias { exploration: 0.7, weight: 2.0, unvisited });
    let mcts = Box::new(search(game, Box::new(Unpruning::new(2, policy))));
    let guidance = Guidance { ordered: true, replaced: 0.0, learning: 0.5 };
    Box::new(Guided::new(Arc::clone(game), mcts, lesson(), guidance))
}

fn guided<G: Game>(game: &Arc<G>, lesson: Lesson<G>, replaced: f64) -> Box<dyn Agent<G>> {
    let guidance = Guidance { ordered: true, replaced, learning: 0.5 };
    let mcts = Box::new(mcts(game, Unvisited::InOrder));
    Box::new(Guided::new(Arc::clone(game), mcts, lesson, guidance))
}

fn minimax<G: Game>(game: &Arc<G>, lesson: Lesson<G>) -> Box<dyn Agent<G>> {
    Box::new(HeuristicMinimax::new(Arc::clone(game), lesson, 1 << 20))
}

fn race<G: Game>(game: &Arc<G>) -> Race<G> {
    let lesson = lesson();
    let named = |name: &str, agent| Candidate { name: name.to_owned(), agent, learning: 0.0 };
    let candidates = vec![
        named("uct", Box::new(mcts(game, Unvisited::First)) as Box<dyn Agent<G>>),
        named("heuristic", minimax(game, lesson.share())),
        named("guided", guided(game, lesson.share(), 0.5)),
    ];
    Race::new(Arc::clone(game), lesson, candidates)
}

/// All agents, with their names.
fn agents<G: Game>(game: &Arc<G>) -> Vec<(&'static str, Box<dyn Agent<G>>)> {
    vec![
        ("heuristic", minimax(game, lesson())),
        ("greedy", Box::new(Greedy::new(Arc::clone(game), lesson()))),
        ("ordered", guided(game, lesson(), 0.0)),
        ("biased", biased(game)),
        ("half replaced", guided(game, lesson(), 0.5)),
        ("replaced", guided(game, lesson(), 1.0)),
        ("race", Box::new(race(game))),
    ]
}

/// Plays a whole match; returns the joint moves.
fn play<G: Game>(
    game: &Arc<G>,
    agent: &mut dyn Agent<G>,
    start_clock: Option<u64>,
    seed: u64,
) -> Vec<Vec<Move>> {
    let (mut state, mut view, mut moves) = (game.initial(), View::default(), Vec::new());
    agent.begin(seed);
    if let Some(clock) = start_clock {
        agent.prepare(&state, &budget(clock));
        assert!(!agent.remarks().is_empty());
    }
    loop {
        game.look(&state, &mut view);
        if view.terminal {
            return moves;
        }
        let report = agent.think(&state, &budget(20), &mut Watch::none());
        let best = |role| report.best(role).expect("every role has a move");
        let joint: Vec<Move> = Role::all(game.roles().len()).map(best).collect();
        for (legal, mv) in view.legal.iter().zip(&joint) {
            assert!(legal.contains(mv));
        }
        game.play(&mut state, &joint);
        agent.advance(&joint);
        moves.push(joint);
    }
}

fn check_all<G: Game>(game: &Arc<G>) {
    for (name, mut agent) in agents(game) {
        for clock in [None, Some(60)] {
            let first = play(game, &mut *agent, clock, 3);
            let again = play(game, &mut *agent, clock, 3);
            assert_eq!(first, again, "{name}: the same seed gives the same game");
        }
    }
}

#[test]
fn agents_with_evaluation_functions_play_a_native_game() {
    check_all(&Arc::new(breakthrough::game(4)));
}

#[test]
fn agents_with_evaluation_functions_play_rules_with_turns() {
    check_all(&ground("tictactoe.kif", &[]));
}

#[test]
fn agents_with_evaluation_functions_play_rules_with_simultaneous_moves() {
    check_all(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1));
}

#[test]
fn agents_with_evaluation_functions_play_rules_for_three() {
    check_all(&ground(THREE_ROLES.0, THREE_ROLES.1));
}

#[test]
fn agents_with_evaluation_functions_play_rules_for_one() {
    check_all(&ground(PUZZLE.0, PUZZLE.1));
}

#[test]
fn agents_with_evaluation_functions_play_rules_that_are_not_grounded() {
    check_all(&logic("tictactoe.kif", &[]));
}

/// The mean payoff of the first of two agents over matches with alternating roles.
fn score<G: Game>(game: &Arc<G>, agents: &mut [Box<dyn Agent<G>>; 2], games: u64) -> f64 {
    let mut sum = 0.0;
    for round in 0..games {
        let swapped = round % 2 == 1;
        let (mut state, mut view) = (game.initial(), View::default());
        for (i, agent) in agents.iter_mut().enumerate() {
            agent.begin(round + 1000 * i as u64);
            agent.prepare(&state, &budget(200));
        }
        loop {
            game.look(&state, &mut view);
            if view.terminal {
                sum += f64::from(view.payoffs.as_slice()[usize::from(swapped)]);
                break;
            }
            let mut joint: Vec<Move> = view.legal.iter().map(|legal| legal[0]).collect();
            for role in Role::all(2).filter(|&role| view.legal[role].len() > 1) {
                let agent = &mut agents[role.index() ^ usize::from(swapped)];
                let best = agent.think(&state, &budget(3), &mut Watch::none()).best(role);
                joint[role.index()] = best.expect("there is a move");
            }
            game.play(&mut state, &joint);
        }
    }
    sum / games as f64
}

#[test]
fn an_evaluation_function_is_better_than_none() {
    let game = ground("breakthrough_6x6.kif", &[]);
    let random = || Box::new(Random::new(Arc::clone(&game), 1)) as Box<dyn Agent<_>>;
    let greedy = Box::new(Greedy::new(Arc::clone(&game), lesson()));
    let by_greedy = score(&game, &mut [greedy, random()], 20);
    assert!(by_greedy >= 0.7, "{by_greedy}");
    let by_minimax = score(&game, &mut [minimax(&game, lesson()), random()], 20);
    assert!(by_minimax >= 0.9, "{by_minimax}");
}

#[test]
fn the_better_candidate_wins_the_race() {
    let game = ground("breakthrough_6x6.kif", &[]);
    let lesson = lesson();
    let random = Box::new(Random::new(Arc::clone(&game), 1)) as Box<dyn Agent<_>>;
    let better = minimax(&game, lesson.share());
    let worse = Box::new(Random::new(Arc::clone(&game), 2)) as Box<dyn Agent<_>>;
    let names = ["baseline", "worse", "better"];
    let agents = [random, worse, better];
    let candidates = names.into_iter().zip(agents);
    let candidates = candidates
        .map(|(name, agent)| Candidate { name: name.to_owned(), agent, learning: 0.0 })
        .collect();
    let mut race = Race::new(Arc::clone(&game), lesson, candidates);
    race.begin(1);
    race.prepare(&game.initial(), &budget(50_000));
    assert_eq!(race.chosen(), "better", "{:?}", race.scores());
    let (baseline, challengers) = race.scores().split_first().expect("there is a baseline");
    // Each has had both roles, and the better one more games.
    assert!(challengers.iter().all(|score| score.games >= 2), "{:?}", race.scores());
    assert!(challengers[1].games > challengers[0].games, "{:?}", race.scores());
    // In a constant-sum game the baseline need not play against itself.
    assert!(baseline.games <= 2, "{:?}", race.scores());
    assert!(race.remarks()[0].contains("`better` plays"), "{:?}", race.remarks());
}

/// The values of the children of the root by each move of a role, in the order of its edges.
fn values_in_order<G: Game>(game: &Arc<G>, search: &Search<G>, role: Role) -> Vec<f64> {
    let (tree, root) = (search.tree(), search.root());
    let mut function = function(game);
    let value = |mv: &Move| {
        let joint: Vec<Move> = Role::all(tree.n_roles())
            .map(|of| if of == role { *mv } else { tree.moves(root, of)[0] })
            .collect();
        let mut next = search.state(root).clone();
        game.play(&mut next, &joint);
        function.values(&next)[role.index()]
    };
    tree.moves(root, role).iter().map(value).collect()
}

fn function<G: Game>(game: &Arc<G>) -> HeuristicFunction<G> {
    Construction::default().build(game, &game.initial(), &budget(400), 7)
}

#[test]
fn moves_are_tried_in_the_order_of_the_evaluation_function() {
    let game = ground("breakthrough_6x6.kif", &[]);
    let mut search = mcts(&game, Unvisited::InOrder);
    // A later position, in which pawns can be lost.
    let mut state = game.initial();
    let mut view = View::default();
    for ply in 0..12 {
        game.look(&state, &mut view);
        let joint: Vec<Move> = view.legal.iter().map(|legal| legal[ply % legal.len()]).collect();
        game.play(&mut state, &joint);
    }
    let searcher = &mut search.searchers()[0];
    searcher.search.order_by(Some(function(&game)));
    assert!(searcher.set_root(&state));
    let decider = searcher.search.tree().decider(searcher.search.root()).expect("turns");
    let values = values_in_order(&game, &searcher.search, decider);
    assert!(values.is_sorted_by(|before, after| before >= after), "{values:?}");
    assert!(values[0] > values[values.len() - 1], "it distinguishes moves");
    // The first simulations follow the order.
    let n_first = values.len() as u64 / 2;
    search.begin(1);
    search.searchers()[0].search.order_by(Some(function(&game)));
    search.think(&state, &budget(n_first), &mut Watch::none());
    let searcher = &search.searchers()[0];
    let visits: Vec<u32> = {
        let edges = searcher.search.tree().edges(searcher.search.root(), decider);
        edges.iter().map(|edge| edge.visits).collect()
    };
    let expected: Vec<u32> = (0..values.len() as u64).map(|i| u32::from(i < n_first)).collect();
    assert_eq!(visits, expected);
}
