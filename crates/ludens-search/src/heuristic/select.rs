//! The selection of the objects that an evaluation function counts (Mańdziuk and Świechowski 2012, section 3.1).
//!
//! Objects that change independently of moves, such as a step counter, are the same in all games at the same
//! step. So objects are compared between games at the same step, never between steps.

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, View};
use rustc_hash::FxHashSet;

use super::rows::Rows;

/// A uniformly random game in progress.
pub(super) struct RandomGame<G: Game> {
    game: Arc<G>,
    /// The current state.
    pub state: G::State,
    /// The view of the current state.
    pub view: View,
    joint: Vec<Move>,
}

impl<G: Game> RandomGame<G> {
    /// A game that starts with a state.
    pub fn new(game: &Arc<G>, state: &G::State) -> Self {
        let (state, view) = (state.clone(), View::default());
        let mut random = RandomGame { game: Arc::clone(game), state, view, joint: Vec::new() };
        random.game.look(&random.state, &mut random.view);
        random
    }

    /// Whether its state is terminal, or a role has no legal move.
    pub fn is_over(&self) -> bool {
        self.view.is_over()
    }

    /// Makes a random move for each role.
    pub fn step(&mut self, rng: &mut Rng) {
        let state = self.successor(rng);
        self.state = state;
        self.game.look(&self.state, &mut self.view);
    }

    /// The state after a random move of each role.
    fn successor(&mut self, rng: &mut Rng) -> G::State {
        self.joint.clear();
        let chosen = self.view.legal.iter().map(|legal| legal[rng.below(legal.len())]);
        self.joint.extend(chosen);
        let mut state = self.state.clone();
        self.game.play(&mut state, &self.joint);
        state
    }
}

/// The selected objects, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// The objects that are counted.
    pub changing: Vec<bool>,
    /// The objects whose rows are counted separately.
    pub varying: Vec<bool>,
}

impl Selection {
    /// Whether an object is counted.
    pub fn is_changing(&self, object: u32) -> bool {
        self.changing.get(object as usize).copied().unwrap_or(false)
    }

    /// Whether the rows of an object are counted separately.
    pub fn is_varying(&self, object: u32) -> bool {
        self.varying.get(object as usize).copied().unwrap_or(false)
    }
}

/// The number of games that are compared with each other.
pub(super) const N_COMPARED: usize = 4;

/// Longer games do not add information on what changes.
const MAX_PLIES: usize = 10_000;

/// Finds the objects that depend on moves: games are played in lockstep until at most one of them is
/// not over.
pub(super) fn find_changing<G: Game>(
    rows: &mut Rows<G>,
    (game, start): (&Arc<G>, &G::State),
    (budget, rng): (&Budget, &mut Rng),
) -> Vec<bool> {
    let mut games: Vec<_> = (0..N_COMPARED).map(|_| RandomGame::new(game, start)).collect();
    let mut changing = Vec::new();
    let mut counts = vec![Vec::new(); N_COMPARED];
    for _ in 0..MAX_PLIES {
        games.retain(|random| !random.is_over());
        if games.len() < 2 || budget.is_over() {
            break;
        }
        for random in &mut games {
            random.step(rng);
        }
        for (random, counts) in games.iter().zip(&mut counts) {
            count(rows, &random.state, counts);
        }
        let n_objects = rows.objects().len();
        changing.resize(n_objects, false);
        let counts = &mut counts[..games.len()];
        for counts in &mut *counts {
            counts.resize(n_objects, 0);
        }
        let (first, others) = counts.split_first().expect("two games are not over");
        for other in others {
            let pairs = changing.iter_mut().zip(first.iter().zip(other));
            pairs.for_each(|(changes, (a, b))| *changes |= a != b);
        }
    }
    changing
}

/// Counts all objects in a state.
fn count<G: Game>(rows: &mut Rows<G>, state: &G::State, counts: &mut Vec<u32>) {
    let held = rows.of(state).to_vec();
    counts.clear();
    counts.resize(rows.objects().len(), 0);
    for row in held {
        for &object in rows.objects_of(row) {
            counts[object as usize] += 1;
        }
    }
}

/// Finds the symbols whose rows depend most on the move: one at each step of one game, by the comparison of
/// two random successors.
pub(super) fn find_varying<G: Game>(
    rows: &mut Rows<G>,
    (game, start): (&Arc<G>, &G::State),
    (budget, rng): (&Budget, &mut Rng),
) -> Vec<bool> {
    let mut random = RandomGame::new(game, start);
    let mut varying = Vec::new();
    for _ in 0..MAX_PLIES {
        if random.is_over() || budget.is_over() {
            break;
        }
        let first = rows.of(&random.successor(rng)).to_vec();
        let second = rows.of(&random.successor(rng)).to_vec();
        varying.resize(rows.objects().len(), false);
        if let Some(object) = most_varying(rows, &first, &second) {
            varying[object] = true;
        }
        random.step(rng);
    }
    varying
}

/// The symbol whose rows in two states differ most, by 1 − 2·|A∩B| / (|A| + |B|); the first one of ties, and
/// `None` if no rows differ.
fn most_varying<G: Game>(rows: &Rows<G>, first: &[u32], second: &[u32]) -> Option<usize> {
    let mut sizes = vec![(0u32, 0u32); rows.objects().len()];
    let in_first: FxHashSet<u32> = first.iter().copied().collect();
    for &row in first {
        for &object in rows.objects_of(row) {
            sizes[object as usize].0 += 1;
        }
    }
    for &row in second {
        let both = u32::from(in_first.contains(&row));
        for &object in rows.objects_of(row) {
            sizes[object as usize].0 += 1;
            sizes[object as usize].1 += both;
        }
    }
    let symbols = rows.objects().iter().zip(&sizes).enumerate();
    let symbols = symbols.filter(|(_, (object, _))| object.symbol.is_some());
    let mut best = (None, 0.0);
    for (number, (_, &(sum, both))) in symbols {
        let variation = 1.0 - 2.0 * f64::from(both) / f64::from(sum.max(1));
        if sum > 0 && variation > best.1 {
            best = (Some(number), variation);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::rows::Object;
    use crate::heuristic::tests::{BREAKTHROUGH, TICTACTOE, ground};

    #[test]
    fn objects_that_moves_do_not_change_are_not_selected() {
        let game = ground(TICTACTOE);
        let (mut rows, mut rng) = (Rows::new(Arc::clone(&game)), Rng::new(1));
        let start = game.initial();
        let budget = Budget::unlimited();
        let changing = find_changing(&mut rows, (&game, &start), (&budget, &mut rng));
        let varying = find_varying(&mut rows, (&game, &start), (&budget, &mut rng));
        let names = |chosen: &[bool]| -> Vec<Object> {
            let chosen = chosen.iter().zip(rows.objects()).filter(|(chosen, _)| **chosen);
            chosen.map(|(_, object)| object.clone()).collect()
        };
        // The number of marked cells depends on the step alone, and the positions of the marks do not
        // change the number of cells in a row or column. So no object is counted.
        assert_eq!(names(&changing), []);
        let symbols = names(&varying);
        assert!(symbols.iter().all(|object| object.table == "cell"), "{symbols:?}");
        assert!(symbols.iter().any(|object| object.symbol == Some((2, "x".into()))), "{symbols:?}");
    }

    #[test]
    fn objects_that_moves_change_are_selected() {
        let game = ground(BREAKTHROUGH);
        let (mut rows, mut rng) = (Rows::new(Arc::clone(&game)), Rng::new(1));
        let (start, budget) = (game.initial(), Budget::unlimited());
        let changing = find_changing(&mut rows, (&game, &start), (&budget, &mut rng));
        // Pawns are captured in some games earlier than in others.
        let pawns = rows.objects().iter().zip(changing).filter(|(_, changing)| *changing);
        assert!(
            pawns
                .map(|(object, _)| &object.symbol)
                .any(|symbol| *symbol == Some((2, "white".into())))
        );
    }

    #[test]
    fn variation_is_that_of_the_formula() {
        let game = ground(TICTACTOE);
        let mut rows = Rows::new(Arc::clone(&game));
        let state = |facts: [&str; 4]| {
            game.parse_state(&facts.map(String::from)).expect("facts make a state")
        };
        let a = state(["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 o)", "(cell 2 2 o)"]);
        let b = state(["(cell 1 1 b)", "(cell 1 2 x)", "(cell 2 1 o)", "(cell 2 2 o)"]);
        let (a, b) = (rows.of(&a).to_vec(), rows.of(&b).to_vec());
        // Symbols `x`, `b` and `1` in the first column have no rows in common, and 1 − 2·0/2 = 1.
        let most = most_varying(&rows, &a, &b).expect("they differ");
        assert!(["x", "b", "1"].contains(&&*rows.objects()[most].symbol.clone().expect("one").1));
        assert_eq!(most_varying(&rows, &a, &a), None);
    }
}
