//! The contract of every tree policy with every playout policy, on every kind of game.

use std::sync::Arc;

use ludens_core::{Budget, Cut, Game, Limit, Move, Role, View};
use ludens_games::breakthrough;
use ludens_search::{Agent, Batch, Mcts, NodeId, Report, Settings, Watch};
use ludens_testkit::tree_game::TreeGame;

use crate::games::{PUZZLE, THREE_ROLES, THREE_ROUNDS, ground, logic, tree, win_in_one};
use crate::policies::{MakeChain, MakeTree, PLAYOUT_POLICIES, combinations, uct};
use crate::print::print;
use crate::thinker::Thinker;

/// One combination, with its name, on one game.
struct Case<'a, G> {
    game: &'a Arc<G>,
    name: &'a str,
    tree: MakeTree,
    chain: MakeChain,
    batch: usize,
}

impl<G: Game> Case<'_, G> {
    fn thinker(&self, settings: Settings, seed: u64) -> Thinker<G> {
        let mut thinker =
            Thinker::new(self.game, (self.tree)(), (self.chain)(), settings, self.batch);
        thinker.searcher.begin(seed);
        thinker
    }

    /// The whole tree after a search of the initial position.
    fn tree(&self, iterations: u64, seed: u64) -> String {
        let mut thinker = self.thinker(Settings::default(), seed);
        thinker.think(&self.game.initial(), iterations);
        print(&thinker.searcher.search)
    }

    /// Checks that the same seed gives the same tree, and other seeds give others.
    fn check_reproducible(&self, iterations: u64) {
        let first = self.tree(iterations, 1);
        assert!(first == self.tree(iterations, 1), "{} {}: two trees", self.name, self.batch);
        let differs = (2..5).any(|seed| self.tree(iterations, seed) != first);
        assert!(differs, "{} {}: seeds do not matter", self.name, self.batch);
    }

    /// Plays a whole match.
    fn play_match(&self, iterations: u64, settings: Settings) {
        let mut thinker = self.thinker(settings, 7);
        let (mut state, mut view) = (self.game.initial(), View::default());
        loop {
            self.game.look(&state, &mut view);
            let report = thinker.think(&state, iterations);
            if view.terminal {
                assert_eq!(report.iterations, 0, "{}: a terminal state is not searched", self.name);
                return;
            }
            let best = |role| report.best(role).expect("every role has a move");
            let joint: Vec<Move> = Role::all(self.game.roles().len()).map(best).collect();
            self.game.play(&mut state, &joint);
        }
    }
}

/// The settings of the search in whole matches.
const SETTINGS: [Settings; 6] = [
    settings(false, false, None),
    settings(false, true, None),
    settings(true, false, None),
    settings(true, true, None),
    settings(false, true, Some(Limit { plies: 1, cut: Cut::Draw })),
    settings(true, true, Some(Limit { plies: 3, cut: Cut::Goal })),
];

const fn settings(solver: bool, reuse: bool, limit: Option<Limit>) -> Settings {
    let limit = match limit {
        Some(limit) => limit,
        None => Limit { plies: Limit::LONGEST, cut: Cut::Nothing },
    };
    Settings { solver, reuse, max_bytes: 1 << 30, limit, max_simulations: u64::MAX }
}

/// Checks all combinations, with one leaf and with many leaves at a time.
fn check_all<G: Game>(game: &Arc<G>) {
    for (i, (name, tree, chain)) in combinations().enumerate() {
        for (batch, iterations, short) in [(1, 30, 12), (256, 270, 40)] {
            let case = Case { game, name: &name, tree, chain, batch };
            case.check_reproducible(iterations);
            // Each combination is tested with two of the settings, and each setting with all policies.
            for half in 0..2 {
                case.play_match(short, SETTINGS[(i + i / PLAYOUT_POLICIES.len() + 3 * half) % 6]);
            }
        }
    }
}

#[test]
fn all_policies_play_a_native_game() {
    check_all(&Arc::new(breakthrough::game(4)));
}

#[test]
fn all_policies_play_rules_with_turns() {
    check_all(&ground("tictactoe.kif", &[]));
}

#[test]
fn all_policies_play_rules_with_simultaneous_moves() {
    check_all(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1));
}

#[test]
fn all_policies_play_rules_for_three() {
    check_all(&ground(THREE_ROLES.0, THREE_ROLES.1));
}

#[test]
fn all_policies_play_rules_for_one() {
    check_all(&ground(PUZZLE.0, PUZZLE.1));
}

#[test]
fn all_policies_play_rules_that_are_not_grounded() {
    check_all(&logic(THREE_ROUNDS.0, &[("(rounds 9)", "(rounds 2)")]));
    let heaps =
        [("(size b 3)", "(size b 2)"), ("(size c 5)", "(size c 2)"), ("(size d 7)", "(size d 0)")];
    check_all(&logic("nim.kif", &heaps));
}

fn best<G: Game>(case: &Case<'_, G>, state: &G::State, settings: Settings) -> Report {
    case.thinker(settings, 3).think(state, if case.batch == 1 { 300 } else { 4000 })
}

fn each_case<G: Game>(game: &Arc<G>, mut check: impl FnMut(&Case<'_, G>, Settings)) {
    for (name, tree, chain) in combinations() {
        for batch in [1, 256] {
            for settings in [SETTINGS[1], SETTINGS[3]] {
                check(&Case { game, name: &name, tree, chain, batch }, settings);
            }
        }
    }
}

/// Checks that all combinations find the only best move of a role.
fn finds(game: &Arc<TreeGame>, role: u8, best_move: &str) {
    let best_move = game.parse_move(Role(role), best_move).expect("the tree has the move");
    each_case(game, |case, settings| {
        let report = best(case, &game.initial(), settings);
        let context = || format!("{}, batch {}, {settings:?}", case.name, case.batch);
        assert_eq!(report.best(Role(role)), Some(best_move), "{}: {:?}", context(), report.moves);
    });
}

#[test]
fn all_policies_find_a_win_in_one() {
    let turns = "roles x o\nx a\n  o c = 100 0\n  o d = 0 100\nx b = 50 50\nx win = 100 0\n\
                 x e\n  o c = 50 50\n  o d = 0 100\n";
    finds(&tree(turns), 0, "win");
    finds(
        &tree("roles you\nyou a\n  you b = 20\n  you c = 90\nyou win = 100\nyou d = 60\n"),
        0,
        "win",
    );
    let three = "roles x y z\ny a\n  z c = 0 100 0\n  z d = 50 0 100\n\
                 y b = 50 60 50\ny win = 0 100 0\n";
    finds(&tree(three), 1, "win");
}

#[test]
fn all_policies_find_the_move_that_dominates() {
    let both = "roles x o\nx a, o stay = 0 60\nx a, o b = 50 0\nx win, o stay = 100 50\n\
                x win, o b = 100 30\n";
    let game = tree(both);
    finds(&game, 0, "win");
    finds(&game, 1, "stay");
}

#[test]
fn all_policies_avoid_a_loss_in_two() {
    let loss = "roles x o\nx a\n  o c = 100 0\n  o d = 0 100\nx b\n  o c = 100 0\n  o d = 0 100\n\
                x stay\n  o c = 50 50\n  o d = 60 40\n";
    finds(&tree(loss), 0, "stay");
}

#[test]
fn all_playout_policies_find_a_win_in_one_in_a_game_with_many_moves() {
    let game = Arc::new(breakthrough::game(6));
    for seed in 0..3 {
        let (state, role, win) = win_in_one(&*game, seed);
        for (name, chain) in PLAYOUT_POLICIES {
            let case = Case { game: &game, name, tree: uct, chain, batch: 1 };
            let report = case.thinker(SETTINGS[1], 3).think(&state, 1500);
            assert_eq!(report.best(role), Some(win), "{name}, seed {seed}");
        }
    }
}

#[test]
fn no_move_is_selected_twice_before_every_move_was_selected_once() {
    let game = Arc::new(breakthrough::game(5));
    let case = Case { game: &game, name: "uct", tree: uct, chain: PLAYOUT_POLICIES[0].1, batch: 1 };
    let mut thinker = case.thinker(Settings::default(), 5);
    thinker.think(&game.initial(), 500);
    let tree = thinker.searcher.search.tree();
    for id in (0..tree.n_nodes() as u32).map(NodeId) {
        for role in Role::all(2) {
            let visits = || tree.edges(id, role).iter().map(|edge| edge.visits);
            assert!(visits().min() != Some(0) || visits().max() <= Some(1));
        }
    }
}

#[test]
fn an_agent_fills_the_lanes_and_searches_for_all_roles() {
    let game = ground("tictactoe.kif", &[]);
    let mut mcts = Mcts::new(Arc::clone(&game), uct(), PLAYOUT_POLICIES[0].1(), SETTINGS[1], 0);
    assert_eq!(mcts.searcher().batch, Some(Batch::growing(256)));
    let learner = Mcts::new(Arc::clone(&game), uct(), PLAYOUT_POLICIES[1].1(), SETTINGS[1], 0);
    assert_eq!(learner.searcher().batch, Some(Batch::fixed(1)));
    mcts.begin(1);
    let report =
        mcts.think(&game.initial(), &Budget::unlimited().with_iterations(1000), &mut Watch::none());
    let visits = |role| report.moves[Role(role)].iter().map(|stats| stats.visits).sum::<u64>();
    assert_eq!((report.iterations, visits(0), visits(1)), (1000, 1000, 1000));
    assert!(report.variation.len() > 1 && report.bytes > 0 && report.nodes > 1);
    let again =
        mcts.think(&game.initial(), &Budget::unlimited().with_iterations(10), &mut Watch::none());
    assert_eq!(again.moves[Role(1)][0].visits, 1010);
}
