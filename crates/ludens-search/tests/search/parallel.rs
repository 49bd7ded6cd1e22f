//! Several threads: every simulation is counted exactly once, and wins are found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Role};
use ludens_games::breakthrough;
use ludens_search::{Agent, Mcts, Parallel, Report, Searcher, Settings, Sharing, Watch};

use crate::games::{THREE_ROLES, THREE_ROUNDS, ground, win_in_one};
use crate::policies::{MakeChain, PLAYOUT_POLICIES, ppa, uct};

const UNIFORM: MakeChain = PLAYOUT_POLICIES[0].1;

fn agent<G: Game>(
    game: &Arc<G>,
    (threads, sharing): (usize, Sharing),
    chain: MakeChain,
    seed: u64,
) -> Parallel<G> {
    let make = || Searcher::new(Arc::clone(game), uct(), chain(), Settings::default(), 0);
    let mut agent = Parallel::new(game, make, threads, sharing);
    agent.begin(seed);
    agent
}

/// Checks that the visits of each role that decides add up to the number of simulations.
fn check_sums(report: &Report, simulations: u64) {
    assert_eq!(report.iterations, simulations);
    for moves in report.moves.iter().filter(|moves| moves.len() > 1) {
        assert_eq!(moves.iter().map(|stats| stats.visits).sum::<u64>(), simulations);
        assert!(moves.iter().all(|stats| (0.0..=1.0).contains(&stats.mean)));
    }
}

fn counts_add_up<G: Game>(game: &Arc<G>) {
    for sharing in [Sharing::Root, Sharing::Tree] {
        for chain in [UNIFORM, ppa] {
            // Numbers that cannot be divided evenly, and fewer simulations than threads.
            for (threads, simulations) in [(1, 100), (3, 1001), (4, 3)] {
                let mut agent = agent(game, (threads, sharing), chain, 7);
                let budget = Budget::unlimited().with_iterations(simulations);
                check_sums(&agent.think(&game.initial(), &budget, &mut Watch::none()), simulations);
            }
        }
    }
}

#[test]
fn simulations_add_up_whatever_the_threads_share() {
    counts_add_up(&Arc::new(breakthrough::game(5)));
    counts_add_up(&ground("connectfour.kif", &[]));
    counts_add_up(&ground(THREE_ROUNDS.0, THREE_ROUNDS.1));
    counts_add_up(&ground(THREE_ROLES.0, THREE_ROLES.1));
}

#[test]
fn threads_with_separate_trees_are_reproducible() {
    let game = Arc::new(breakthrough::game(5));
    let budget = Budget::unlimited().with_iterations(500);
    let think = |seed| {
        agent(&game, (3, Sharing::Root), ppa, seed).think(
            &game.initial(),
            &budget,
            &mut Watch::none(),
        )
    };
    assert_eq!(think(1), think(1));
    assert_ne!(think(1), think(2), "the seed is used");
}

#[test]
fn one_thread_is_a_search_without_threads() {
    let game = ground("connectfour.kif", &[]);
    let budget = Budget::unlimited().with_iterations(700);
    let mut plain = Mcts::new(Arc::clone(&game), uct(), ppa(), Settings::default(), 0);
    plain.begin(5);
    let expected = plain.think(&game.initial(), &budget, &mut Watch::none());
    for sharing in [Sharing::Root, Sharing::Tree] {
        let found =
            agent(&game, (1, sharing), ppa, 5).think(&game.initial(), &budget, &mut Watch::none());
        assert_eq!(found.moves, expected.moves, "{sharing:?}");
    }
}

#[test]
fn every_kind_of_sharing_finds_a_win_and_reuses_the_tree() {
    let game = Arc::new(breakthrough::game(5));
    let (state, role, winning) = win_in_one(&*game, 3);
    for sharing in [Sharing::Root, Sharing::Tree] {
        let mut agent = agent(&game, (2, sharing), UNIFORM, 1);
        let budget = Budget::unlimited().with_iterations(4000);
        assert_eq!(
            agent.think(&state, &budget, &mut Watch::none()).best(role),
            Some(winning),
            "{sharing:?}"
        );
        // The next position is searched with the reused tree.
        let mut next = game.initial();
        let first =
            agent.think(&next, &budget, &mut Watch::none()).best(Role(0)).expect("there are moves");
        game.play(&mut next, &[first, game.noop()]);
        let kept = agent.think(&next, &budget, &mut Watch::none());
        assert!(kept.iterations == 4000 && kept.nodes > 1000, "{sharing:?}: {kept:?}");
    }
}

#[test]
fn a_deadline_ends_all_threads_and_leaves_no_pending_visit() {
    let game = ground("connectfour.kif", &[]);
    for sharing in [Sharing::Root, Sharing::Tree] {
        let mut agent = agent(&game, (3, sharing), UNIFORM, 2);
        let deadline = Instant::now() + Duration::from_millis(30);
        let report = agent.think(
            &game.initial(),
            &Budget::unlimited().with_deadline(deadline),
            &mut Watch::none(),
        );
        // An abandoned visit must not be counted: the sums are those of the simulations.
        check_sums(&report, report.iterations);
        assert!(report.iterations > 0, "{sharing:?}");
    }
}
