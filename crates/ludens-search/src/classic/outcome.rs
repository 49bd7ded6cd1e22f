//! Exact outcomes, without the distance to the end: α–β that looks for payoffs alone.
//!
//! A question is whether the first role gets at least some payoff; a search with a null window
//! answers it, and a few questions give the value (Plaat, Schaeffer, Pijls and de Bruin, 1996). All
//! successors of a state are computed at once, where batches are faster: a move that ends the game,
//! or leads to a known state that answers the question, makes the search of the others unnecessary
//! (enhanced transposition cutoffs; Schaeffer and Plaat, 1996).
//!
//! Bounds are proven by terminal states alone, so they hold however a state is reached. A line
//! that repeats a state, or is too long, proves nothing; a question that depends on it has no
//! answer. As in [`Minimax`](super::Minimax), payoffs of two roles must have the same sum in all
//! terminal states, and a sum that varies is an error when it is seen.

mod bounds;
mod node;
mod ordering;
mod path;
mod table;

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Payoffs, PerRole, Role};

use self::bounds::Bounds;
use self::node::{Child, Parent, Place, Ply};
use self::ordering::Ordering;
use self::path::Path;
use self::table::Table;
use super::fingerprint::Fingerprint;
use super::meter::Meter;
use super::solver::Unsolved;

/// The moves of a state with their exact outcomes.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcomes {
    /// The role that decides.
    pub decider: Role,
    /// Its moves in the order of the rules, and the payoffs of all roles after each under perfect
    /// play.
    pub moves: Vec<(Move, Payoffs)>,
    /// The number of states expanded.
    pub states: u64,
}

impl Outcomes {
    /// The payoffs under perfect play.
    pub fn best(&self) -> &Payoffs {
        let all = self.moves.iter().map(|(_, payoffs)| payoffs);
        let best = all.max_by(|a, b| a[self.decider].total_cmp(&b[self.decider]));
        best.expect("the decider has a move")
    }
}

/// A search for exact outcomes, for games of two roles whose payoffs have a constant sum, and of one.
pub struct OutcomeSearch<G: Game> {
    game: Arc<G>,
    plies: Vec<Ply<G>>,
    path: Path,
    table: Table,
    ordering: Ordering,
    /// The bounds that the rules imply.
    range: Bounds,
    /// The sum of the payoffs in the terminal states seen so far.
    sum: Option<f32>,
    /// The number of the current question.
    question: u32,
    /// Why the last question has no answer.
    obstacle: Unsolved,
    /// The number of states expanded by the last search.
    states: u64,
    /// Whether bounds are kept for other searches.
    keeps_bounds: bool,
}

impl<G: Game> OutcomeSearch<G> {
    /// A size of the table that suits a desktop computer.
    pub const TABLE_BYTES: usize = 256 << 20;
    /// The length limit of lines: a deeper recursion could overflow the stack.
    const MAX_DEPTH: usize = 512;
    /// Sums of fractions are not exact: those that differ by less are equal.
    const EPSILON: f32 = 1e-6;

    /// A search with a table of at most `table_bytes` bytes.
    pub fn new(game: Arc<G>, table_bytes: usize) -> Self {
        game.expect_batches();
        let (low, high) = game.payoff_range(Role(0));
        // A role without a payoff gets 0.
        let (low, high) = (low.min(0.0), high.max(0.0));
        OutcomeSearch {
            game,
            plies: Vec::new(),
            path: Path::new(),
            table: Table::new(table_bytes),
            ordering: Ordering::default(),
            range: Bounds { low, high },
            sum: None,
            question: 0,
            obstacle: Unsolved::Cycle,
            states: 0,
            keeps_bounds: false,
        }
    }

    /// Keeps proven bounds from search to search, as far as the table has room. Results are the same, and whether a
    /// budget is enough depends on earlier searches.
    #[must_use]
    pub fn keeping_bounds(mut self) -> Self {
        self.keeps_bounds = true;
        self
    }

    /// The payoffs of a state under perfect play. A unit of the budget is a state whose successors
    /// are computed.
    pub fn value(&mut self, state: &G::State, budget: &Budget) -> Result<Payoffs, Unsolved> {
        let root = self.begin(state)?;
        let bounds = self.solve(&mut Meter::new(budget), Parent { ply: &root, at: 0 }, 0)?;
        Ok(self.payoffs(bounds.low))
    }

    /// The exact outcome of each move of a state that is not terminal.
    pub fn moves(&mut self, state: &G::State, budget: &Budget) -> Result<Outcomes, Unsolved> {
        let (root, mut meter) = (self.begin(state)?, Meter::new(budget));
        assert!(!root.has_ended(0), "a terminal state has no moves");
        let top = Parent { ply: &root, at: 0 };
        let decider = top.decider().ok_or(Unsolved::Simultaneous)?;
        let mut here = Ply::default();
        self.expand(&mut here, decider, top)?;
        self.path.push(top.child().key);
        let mut moves = Vec::new();
        for at in 0..here.children.len() {
            let bounds = self.solve(&mut meter, Parent { ply: &here, at }, 1)?;
            moves.push((here.children[at].mv, self.payoffs(bounds.low)));
        }
        Ok(Outcomes { decider, moves, states: meter.spent })
    }

    /// The number of states expanded by the last search, whether it had a result or not.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Forgets other searches, unless their bounds are kept, and makes a state the root.
    fn begin(&mut self, state: &G::State) -> Result<Ply<G>, Unsolved> {
        if self.game.roles().len() > 2 {
            return Err(Unsolved::Roles);
        }
        if !self.keeps_bounds {
            self.table.clear();
            self.ordering = Ordering::default();
            self.question = 0;
        }
        self.path = Path::new();
        self.states = 0;
        let mut root = Ply::default();
        root.states.push(state.clone());
        root.look(&*self.game);
        root.children.push(Child::new(Move(0), 0, Fingerprint::of(state), self.range));
        if root.has_ended(0) {
            root.children[0].bounds = self.terminal(&root, 0)?;
        }
        Ok(root)
    }

    /// The bounds of a state, which are exact.
    fn solve(
        &mut self,
        meter: &mut Meter<'_>,
        state: Parent<'_, G>,
        ply: usize,
    ) -> Result<Bounds, Unsolved> {
        let child = state.child();
        let mut bounds = child.bounds;
        if let Some(known) = self.table.find(child.key) {
            bounds = bounds.and(known.bounds);
        }
        while !bounds.are_exact() {
            if self.path.contains(child.key) {
                return Err(Unsolved::Cycle);
            }
            let goal = bounds.question();
            self.question += 1;
            bounds = bounds.and(self.ask(meter, Place { ply, goal }, state)?);
            if bounds.reach(goal).is_none() {
                return Err(self.obstacle);
            }
        }
        Ok(bounds)
    }

    /// The payoffs of all roles if the first one gets this.
    fn payoffs(&self, first: f32) -> Payoffs {
        let mut payoffs = vec![first];
        if self.game.roles().len() == 2 {
            payoffs.push(self.sum.unwrap_or(1.0) - first);
        }
        PerRole::from(payoffs)
    }

    /// The bounds of a successor that is terminal.
    fn terminal(&mut self, from: &Ply<G>, place: usize) -> Result<Bounds, Unsolved> {
        let payoffs = from.views.payoffs(place);
        let sum: f32 = payoffs.iter().sum();
        let varies = (*self.sum.get_or_insert(sum) - sum).abs() > Self::EPSILON;
        if varies && payoffs.len() > 1 {
            return Err(Unsolved::SumVaries);
        }
        Ok(Bounds::exactly(payoffs[0]))
    }
}

#[cfg(test)]
mod tests;
