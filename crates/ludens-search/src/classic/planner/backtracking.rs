//! Depth-first search with a look ahead, for puzzles in which early moves restrict later ones, such as sudoku.
//!
//! Dead ends are recognised by the rules ([`Outlook`]), as by forward checking in constraint satisfaction (Haralick and Elliott
//! 1980). If the goal has several needs, only the moves that may fulfil one of them are tried: the need with the fewest.
//! This loses plans in which another need must come first, so that other searches must stay complete.

use std::hash::BuildHasher;

use ludens_core::{Game, Move, Outlook, View};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Meter, Plan, ROLE};

/// After this many states, a search that knows no needs goes on only if enough states were dead ends.
const TRIAL: u32 = 256;

/// The least share of dead ends.
const MIN_DEAD_SHARE: f64 = 0.1;

/// A search from a state.
pub(super) struct Backtracking<G: Game> {
    outlook: Box<dyn Outlook>,
    /// States to be visited, with the move that leads there and its depth.
    stack: Vec<(G::State, Move, usize)>,
    /// The moves to the present state.
    path: Vec<Move>,
    /// Hashes of the facts of visited states.
    seen: FxHashSet<u64>,
    n_visited: u32,
    n_dead: u32,
    knows_needs: bool,
    needed: Vec<Move>,
}

impl<G: Game> Backtracking<G> {
    /// A search from a state.
    pub fn new(game: &G, root: &G::State, mut outlook: Box<dyn Outlook>) -> Self {
        let mut facts = Vec::new();
        if let Some(vocabulary) = game.vocabulary() {
            vocabulary.fact_ids(root, &mut facts);
        }
        let mut needed = Vec::new();
        let is_open = outlook.is_open(&facts);
        if is_open {
            outlook.needed(&facts, &mut needed);
        }
        let knows_needs = !needed.is_empty();
        let mut search = Backtracking {
            outlook,
            stack: Vec::new(),
            path: Vec::new(),
            seen: FxHashSet::default(),
            n_visited: 0,
            n_dead: 0,
            knows_needs,
            needed,
        };
        let mut view = View::default();
        game.look(root, &mut view);
        if is_open && !view.is_over() {
            search.push(game, root, &view.legal[ROLE], 0);
        }
        search
    }

    /// Searches until a plan with the best payoff is found, nothing is left, or the budget is over.
    pub fn search(
        &mut self,
        game: &G,
        counters: &[u32],
        (best, plan): (f32, &mut Plan<G>),
        meter: &mut Meter<'_>,
    ) {
        let (mut view, mut facts) = (View::default(), Vec::new());
        while plan.payoff() < best && !meter.is_over() && !self.is_useless() {
            let Some((state, mv, depth)) = self.stack.pop() else { return };
            self.path.truncate(depth);
            self.path.push(mv);
            meter.spent += 1;
            game.look(&state, &mut view);
            if view.terminal {
                plan.offer(view.payoffs[ROLE], &self.path, &[]);
            } else if !view.is_over() {
                facts.clear();
                game.vocabulary().expect("its facts are numbered").fact_ids(&state, &mut facts);
                self.visit(game, &state, (&mut facts, counters), &view.legal[ROLE]);
            }
        }
    }

    /// Pushes the successors of a state that is new and no dead end.
    fn visit(
        &mut self,
        game: &G,
        state: &G::State,
        (facts, counters): (&mut Vec<u32>, &[u32]),
        legal: &[Move],
    ) {
        self.n_visited += 1;
        let is_open = self.outlook.is_open(facts);
        if is_open {
            self.outlook.needed(facts, &mut self.needed);
        } else {
            self.n_dead += 1;
        }
        facts.retain(|fact| counters.binary_search(fact).is_err());
        if self.seen.insert(FxBuildHasher.hash_one(&*facts)) && is_open {
            self.push(game, state, legal, self.path.len());
        }
    }

    /// Pushes the successors by the moves that are needed, or by all of them.
    fn push(&mut self, game: &G, state: &G::State, legal: &[Move], depth: usize) {
        let are_legal = self.needed.iter().all(|mv| legal.contains(mv));
        let moves = if self.needed.is_empty() || !are_legal { legal } else { &self.needed };
        for &mv in moves.iter().rev() {
            let mut next = state.clone();
            game.play(&mut next, &[mv]);
            self.stack.push((next, mv, depth));
        }
    }

    /// Whether it knows too little to be better than other searches.
    fn is_useless(&self) -> bool {
        let share = f64::from(self.n_dead) / f64::from(self.n_visited.max(1));
        !self.knows_needs && self.n_visited >= TRIAL && share < MIN_DEAD_SHARE
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.stack.capacity() * size_of::<(G::State, Move, usize)>() + self.seen.capacity() * 9
    }
}
