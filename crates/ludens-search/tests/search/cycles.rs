//! Rules with cycles: selection terminates, and the search finds the winning move.

use std::sync::{Arc, OnceLock};

use ludens_core::{Budget, Cut, Game, Limit, Move, Role, View};
use ludens_search::{Playouts, Searcher, Settings};

use crate::policies::{PLAYOUT_POLICIES, TREE_POLICIES};
use crate::thinker::{check_counts, is_proven, run, searcher};

/// Two roles take turns to push a stone along a line of cells, to the left (1), to the right (2) or not
/// at all (3). The first wins at the right end, the second at the left one. The position does not include
/// the number of moves, so that the rules allow infinite play.
struct Push(i32);

impl Game for Push {
    type State = (i32, u8);

    fn roles(&self) -> &[String] {
        static ROLES: OnceLock<Vec<String>> = OnceLock::new();
        ROLES.get_or_init(|| ["right", "left"].map(String::from).to_vec())
    }

    fn initial(&self) -> Self::State {
        (0, 0)
    }

    fn look(&self, &(cell, mover): &Self::State, view: &mut View) {
        view.clear(2);
        view.terminal = cell.abs() == self.0;
        if view.terminal {
            let won = if cell > 0 { 1.0 } else { 0.0 };
            view.pay(Role(0), won);
            view.pay(Role(1), 1.0 - won);
            return;
        }
        view.legal[Role(mover)].extend([1, 2, 3].map(Move));
        view.legal[Role(1 - mover)].push(Move(0));
    }

    fn play(&self, (cell, mover): &mut Self::State, joint: &[Move]) {
        *cell += [0, -1, 1, 0][joint[*mover as usize].index()];
        *mover = 1 - *mover;
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        ["wait", "left", "right", "stay"][m.index()].into()
    }

    fn facts(&self, (cell, mover): &Self::State) -> Vec<String> {
        vec![format!("(at {cell} {mover})")]
    }
}

/// Searches a position with `iterations` simulations; returns the number made.
fn think(searcher: &mut Searcher<Push>, state: (i32, u8), iterations: u64) -> u64 {
    let game = Arc::clone(searcher.search.game());
    // A position that was proven before is not searched.
    if !searcher.set_root(&state) {
        return 0;
    }
    let budget = Budget::unlimited().with_iterations(iterations);
    run(&mut Playouts::new(game.simulator()), searcher, &budget)
}

#[test]
fn simulations_end_in_rules_with_cycles() {
    let game = Arc::new(Push(3));
    for (name, tree) in TREE_POLICIES {
        for (playout, chain) in PLAYOUT_POLICIES {
            for (batch, solver) in [(1, false), (1, true), (64, false), (64, true)] {
                let limit = Limit { plies: 40, cut: Cut::Nothing };
                let settings = Settings { solver, limit, ..Settings::default() };
                let mut searcher = searcher(&game, (tree, chain), settings, batch, 2);
                let counted = think(&mut searcher, (0, 0), 400);
                let context = format!("{name} + {playout}, batch {batch}, solver {solver}");
                assert!(counted == 400 || is_proven(&searcher), "{context}: {counted}");
                check_counts(searcher.search.tree());
                // There are at most 14 positions, and the variation ends too.
                let report = searcher.report(counted);
                assert!(report.nodes <= 14 && report.variation.len() <= 14, "{context}");
                // One step from the end the winning move is found, with the statistics from before. Policies with
                // all-moves-as-first statistics are misled if a move can be repeated again and again.
                let counted = think(&mut searcher, (2, 0), 400);
                let best = searcher.report(counted).best(Role(0));
                assert!(best == Some(Move(2)) || name != "ucb", "{context}: {best:?}");
            }
        }
    }
}
