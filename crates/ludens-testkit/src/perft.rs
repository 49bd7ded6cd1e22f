//! Perft: counts the paths of a game, depth by depth, with their payoffs.
//!
//! Plain perft counts paths; terminal counts and payoff sums also catch errors in `terminal` and
//! `goal`, and the number of distinct states catches states that are not equal although their
//! future is.

use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use ludens_core::{Budget, Game, Move, PerRole, View};

type Map<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FxHasher>>;
type Set<K> = std::collections::HashSet<K, BuildHasherDefault<FxHasher>>;

/// The counts of one depth. Terminal nodes are counted, not expanded. Counts saturate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// Joint moves from the start.
    pub depth: u32,
    /// Sequences of joint moves of this length.
    pub paths: u128,
    /// Those that end in a terminal state.
    pub terminals: u128,
    /// Those that end in a nonterminal state in which a role has no legal move.
    pub stuck: u128,
    /// The goal values of each role, summed over the terminal paths.
    pub payoffs: Vec<i128>,
    /// Distinct states; `None` if they were too many to be stored.
    pub states: Option<u64>,
}

/// The totals of all depths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Totals {
    /// Paths that end in a terminal state.
    pub games: u128,
    /// Distinct states; `None` if they were too many to be stored.
    pub states: Option<u64>,
    /// Whether all depths were counted within the budget.
    pub complete: bool,
}

/// A count of one game.
///
/// States are stored with their number of paths, so that transpositions are expanded once. When
/// they exceed the budget's bytes, the rest is counted depth first, path by path.
pub struct Perft<'a, G: Game> {
    game: &'a G,
    depth: u32,
    budget: &'a Budget,
    view: View,
    bytes_per_state: usize,
}

impl<'a, G: Game> Perft<'a, G> {
    /// A count down to `depth` within the time and the bytes of the budget.
    pub fn new(game: &'a G, depth: u32, budget: &'a Budget) -> Self {
        // The heap memory of states is not known; a fact is assumed to need a machine word or two.
        let n_facts = game.facts(&game.initial()).len();
        let bytes_per_state = size_of::<(G::State, u128)>() + 16 * n_facts + 16;
        Perft { game, depth, budget, view: View::default(), bytes_per_state }
    }

    /// Counts, and reports each depth as soon as it is complete.
    pub fn run(mut self, report: &mut dyn FnMut(&Level)) -> Totals {
        let mut totals = Totals { games: 0, states: None, complete: true };
        let mut seen = Set::default();
        let mut frontier = Map::default();
        frontier.insert(self.game.initial(), 1);
        for depth in 0..=self.depth {
            let mut level = self.level(depth);
            let next = self.expand(&frontier, seen.len(), &mut level);
            if self.budget.is_over() {
                return Totals { complete: false, ..totals };
            }
            totals.games = totals.games.saturating_add(level.terminals);
            level.states = Some(frontier.len() as u64);
            report(&level);
            let Some(next) = next else {
                drop(seen);
                return self.count_below(&frontier, depth, totals, report);
            };
            seen.extend(frontier.into_keys());
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        totals.states = Some(seen.len() as u64);
        totals
    }

    fn level(&self, depth: u32) -> Level {
        Level { depth, payoffs: vec![0; self.game.roles().len()], ..Level::default() }
    }

    /// Counts the states of a depth and returns those of the next one, unless they are too many.
    fn expand(
        &mut self,
        frontier: &Map<G::State, u128>,
        n_seen: usize,
        level: &mut Level,
    ) -> Option<Map<G::State, u128>> {
        let mut next: Option<Map<G::State, u128>> = Some(Map::default());
        for (state, &paths) in frontier {
            self.game.look(state, &mut self.view);
            count(&self.view, paths, level);
            if self.view.terminal || level.depth == self.depth {
                continue;
            }
            let Some(map) = &mut next else { continue };
            for_each_joint(&self.view.legal, |joint| {
                let mut state = state.clone();
                self.game.play(&mut state, joint);
                let total = map.entry(state).or_default();
                *total = total.saturating_add(paths);
            });
            let n_stored = frontier.len() + map.len() + n_seen;
            if self.budget.is_full(n_stored.saturating_mul(self.bytes_per_state)) {
                next = None;
            }
            if self.budget.is_over() {
                return None;
            }
        }
        next
    }

    /// Counts all depths below the frontier path by path, without storing further states.
    fn count_below(
        &self,
        frontier: &Map<G::State, u128>,
        depth: u32,
        mut totals: Totals,
        report: &mut dyn FnMut(&Level),
    ) -> Totals {
        let mut levels: Vec<_> = (depth + 1..=self.depth).map(|depth| self.level(depth)).collect();
        for (state, &paths) in frontier {
            let mut view = View::default();
            self.game.look(state, &mut view);
            self.descend(state, &view, paths, &mut levels);
        }
        if self.budget.is_over() {
            return Totals { complete: false, ..totals };
        }
        for level in levels.iter().take_while(|level| level.paths > 0) {
            totals.games = totals.games.saturating_add(level.terminals);
            report(level);
        }
        totals
    }

    fn descend(&self, state: &G::State, view: &View, paths: u128, levels: &mut [Level]) {
        let Some((level, deeper)) = levels.split_first_mut() else { return };
        if view.terminal || self.budget.is_over() {
            return;
        }
        let mut below = View::default();
        for_each_joint(&view.legal, |joint| {
            let mut state = state.clone();
            self.game.play(&mut state, joint);
            self.game.look(&state, &mut below);
            count(&below, paths, level);
            self.descend(&state, &below, paths, deeper);
        });
    }
}

fn count(view: &View, paths: u128, level: &mut Level) {
    level.paths = level.paths.saturating_add(paths);
    if view.terminal {
        level.terminals = level.terminals.saturating_add(paths);
        let times = i128::try_from(paths).unwrap_or(i128::MAX);
        for (sum, payoff) in level.payoffs.iter_mut().zip(&view.payoffs) {
            let goal = (payoff * 100.0).round() as i128;
            *sum = sum.saturating_add(goal.saturating_mul(times));
        }
    } else if view.legal.iter().any(Vec::is_empty) {
        level.stuck = level.stuck.saturating_add(paths);
    }
}

/// Calls `visit` with every combination of one legal move for each role; the last role's
/// moves change fastest.
pub fn for_each_joint(legal: &PerRole<Vec<Move>>, mut visit: impl FnMut(&[Move])) {
    let Some(mut joint) =
        legal.iter().map(|moves| moves.first().copied()).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let mut picks = vec![0; joint.len()];
    loop {
        visit(&joint);
        let mut role_idx = joint.len();
        loop {
            let Some(previous) = role_idx.checked_sub(1) else { return };
            role_idx = previous;
            let moves = &legal.as_slice()[role_idx];
            picks[role_idx] = (picks[role_idx] + 1) % moves.len();
            joint[role_idx] = moves[picks[role_idx]];
            if picks[role_idx] > 0 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Role;

    /// Two roles simultaneously take 1 or 2 from a heap of five, until it is empty. The role that takes
    /// more at the end gets 100; both get 50 if they take the same.
    struct Heap;

    impl Game for Heap {
        type State = (i32, i32);

        fn roles(&self) -> &[String] {
            static ROLES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
            ROLES.get_or_init(|| vec!["left".into(), "right".into()])
        }

        fn initial(&self) -> (i32, i32) {
            (5, 0)
        }

        fn look(&self, &(heap, lead): &(i32, i32), view: &mut View) {
            view.clear(2);
            view.terminal = heap <= 0;
            let payoff = 0.5 + 0.5 * lead.signum() as f32;
            view.pay(Role(0), payoff);
            view.pay(Role(1), 1.0 - payoff);
            view.legal.iter_mut().for_each(|legal| legal.extend([Move(1), Move(2)]));
        }

        fn play(&self, state: &mut (i32, i32), joint: &[Move]) {
            let [left, right] = [joint[0], joint[1]].map(|m| m.0.cast_signed());
            *state = (state.0 - left - right, left - right);
        }

        fn move_name(&self, _role: Role, m: Move) -> String {
            m.0.to_string()
        }

        fn facts(&self, state: &(i32, i32)) -> Vec<String> {
            vec![format!("(heap {} {})", state.0, state.1)]
        }
    }

    fn counted(budget: &Budget) -> (Vec<Level>, Totals) {
        let mut levels = Vec::new();
        let totals = Perft::new(&Heap, 9, budget).run(&mut |level| levels.push(level.clone()));
        (levels, totals)
    }

    #[test]
    fn paths_terminals_payoffs_and_states_are_counted() {
        let (levels, totals) = counted(&Budget::unlimited());
        // Taking 1+1 leaves 3, 1+2 and 2+1 leave 2 (with different leads), 2+2 leaves 1.
        // 2+2 empties nothing at depth 1; at depth 2 only 1+1 after 1+1 leaves something.
        let paths: Vec<_> = levels.iter().map(|level| level.paths).collect();
        assert_eq!(paths, [1, 4, 16, 4]);
        let terminals: Vec<_> = levels.iter().map(|level| level.terminals).collect();
        assert_eq!(terminals, [0, 0, 15, 4]);
        assert_eq!(levels[2].payoffs, [750, 750]);
        let states: Vec<_> = levels.iter().map(|level| level.states.unwrap()).collect();
        assert_eq!(states, [1, 4, 11, 4]);
        // (1, 0) occurs at depths 1 and 2, and all of depth 3 also at depth 2.
        assert_eq!((totals.games, totals.states), (19, Some(15)));
        assert!(totals.complete);
    }

    #[test]
    fn limited_memory_gives_the_same_counts_without_states() {
        let (stored, totals) = counted(&Budget::unlimited());
        let (counted, other) = counted(&Budget::unlimited().with_bytes(1));
        assert_eq!(other, Totals { states: None, ..totals });
        let without = |levels: &[Level]| -> Vec<_> {
            levels.iter().map(|level| Level { states: None, ..level.clone() }).collect()
        };
        assert_eq!(without(&counted), without(&stored));
        assert_eq!(counted[3].states, None);
    }

    #[test]
    fn every_joint_move_is_visited_once() {
        let legal =
            PerRole::from(vec![vec![Move(1), Move(2)], vec![Move(7)], vec![Move(3), Move(4)]]);
        let mut seen = Vec::new();
        for_each_joint(&legal, |joint| seen.push(joint.iter().map(|m| m.0).collect::<Vec<_>>()));
        assert_eq!(seen, [[1, 7, 3], [1, 7, 4], [2, 7, 3], [2, 7, 4]]);
        for_each_joint(&PerRole::from(vec![vec![Move(1)], vec![]]), |_| panic!("no joint move"));
    }
}
