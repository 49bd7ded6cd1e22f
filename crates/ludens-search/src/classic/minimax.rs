//! Minimax for two roles that move in turn: iterative deepening α–β (Knuth and Moore, 1975;
//! Slate and Atkin, 1977) with a transposition table.
//!
//! Values stay payoff vectors: instead of a window (α, β), each role has the payoff that it has
//! already secured nearer to the root. As long as the payoffs of all terminal states seen have the
//! same sum, a node is cut off as soon as the mover gets so much that the other role, which has
//! secured the rest, will avoid it; that is α–β. If the sum turns out to vary, the roles are not
//! strict opponents: the table is cleared, and the search continues as max-n without cutoffs (ties
//! as in `preference.rs`). Terminal states that no search has reached could still have another sum,
//! so a proof holds under the assumption of a constant sum.
//!
//! Games with another number of roles or with simultaneous moves are searched by [`MaxN`].

mod node;
mod ordering;
mod table;

use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Payoffs, PerRole, Role, View};

use self::node::{Place, Ply};
use self::ordering::Ordering;
use self::table::Table;
use super::maxn::MaxN;
use super::meter::{Meter, OutOfBudget};
use super::root::{Verdict, lone_decider, nothing_to_decide};
use super::value::StateValue;
use crate::agent::{Agent, MoveStats, Report};
use crate::watch::Watch;

/// A payoff for each of the two roles.
type Pair = [f32; 2];

/// Payoffs that differ by less are equal: sums of fractions are not exact.
const EPSILON: f32 = 1e-6;

/// A minimax search.
pub struct Minimax<G: Game> {
    game: Arc<G>,
    /// The search for games that do not suit this one; it holds the estimate for both.
    maxn: MaxN<G>,
    plies: Vec<Ply<G>>,
    table: Table,
    ordering: Ordering,
    sum: Sum,
    /// Whether the game is searched by max-n.
    uses_maxn: bool,
    estimated: Payoffs,
    verdict: Option<Verdict>,
}

/// Why a search is interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interrupt {
    /// The budget is spent.
    Budget,
    /// The sum of payoffs is not what was assumed.
    SumChanged,
    /// Several roles decide at the same time.
    Simultaneous,
}

impl From<OutOfBudget> for Interrupt {
    fn from(_: OutOfBudget) -> Self {
        Interrupt::Budget
    }
}

/// The sum of the payoffs in terminal states.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Sum {
    /// No terminal state was seen yet; in nearly all games the sum is 1.
    Assumed,
    /// The same in all terminal states seen so far.
    Constant(f32),
    /// Not constant.
    Varies,
}

impl Sum {
    fn constant(self) -> Option<f32> {
        match self {
            Sum::Assumed => Some(1.0),
            Sum::Constant(sum) => Some(sum),
            Sum::Varies => None,
        }
    }

    fn observe(&mut self, payoffs: Pair) -> Result<(), Interrupt> {
        let (sum, before) = (payoffs[0] + payoffs[1], *self);
        let differs = before.constant().is_some_and(|known| (known - sum).abs() > EPSILON);
        *self = match before {
            Sum::Assumed => Sum::Constant(sum),
            Sum::Constant(_) if differs => Sum::Varies,
            known => known,
        };
        if differs { Err(Interrupt::SumChanged) } else { Ok(()) }
    }
}

/// A move at the root.
#[derive(Clone, Copy)]
struct RootMove {
    mv: Move,
    worth: Pair,
    /// States searched below it.
    effort: u64,
}

impl<G: Game> Minimax<G> {
    /// A size of the transposition table that suits a desktop computer.
    pub const TABLE_BYTES: usize = 64 << 20;
    /// The depth limit: a deeper recursion could overflow the stack, and no tree is searched that far.
    const MAX_DEPTH: u32 = 512;

    /// A search that evaluates states at the depth limit by `value`, with a transposition table of
    /// at most `table_bytes` bytes.
    pub fn new(game: Arc<G>, value: Box<dyn StateValue<G>>, table_bytes: usize) -> Self {
        Minimax {
            maxn: MaxN::new(Arc::clone(&game), value),
            uses_maxn: game.roles().len() != 2,
            game,
            plies: Vec::new(),
            table: Table::new(table_bytes),
            ordering: Ordering::default(),
            sum: Sum::Assumed,
            estimated: Payoffs::default(),
            verdict: None,
        }
    }

    /// The depth and the value of the last search; `None` if there was nothing to decide or no time
    /// to complete depth 1.
    pub fn verdict(&self) -> Option<&Verdict> {
        if self.uses_maxn { self.maxn.verdict() } else { self.verdict.as_ref() }
    }

    /// An estimate of the value of a state; if the sum of payoffs is constant, so is that of estimates.
    fn estimate(&mut self, state: &G::State) -> Pair {
        self.maxn.estimate(state, &mut self.estimated);
        let worth = [self.estimated[Role(0)], self.estimated[Role(1)]];
        let Some(sum) = self.sum.constant() else { return worth };
        let first = sum * (1.0 + worth[0] - worth[1]) / 2.0;
        [first, sum - first]
    }

    /// Deepens iteratively and keeps the best move first throughout.
    fn deepen(
        &mut self,
        meter: &mut Meter<'_>,
        role: Role,
        moves: &mut [RootMove],
        on_iteration: &mut dyn FnMut(&[RootMove], u64) -> bool,
    ) -> Result<(), Interrupt> {
        let mut depth = 1;
        while depth <= Self::MAX_DEPTH {
            match self.iterate(meter, role, depth, moves) {
                Ok(proven) => {
                    let payoffs = PerRole::from(moves[0].worth.to_vec());
                    self.verdict = Some(Verdict { depth, payoffs, proven });
                    if proven || !on_iteration(moves, meter.spent) {
                        return Ok(());
                    }
                    depth += 1;
                }
                Err(Interrupt::SumChanged) => {
                    self.table.clear();
                    depth = 1;
                }
                Err(interrupt) => return Err(interrupt),
            }
        }
        Ok(())
    }

    /// Searches all moves of the root to a depth and returns whether the result is proven. The best
    /// move of the last iteration comes first, and a better move replaces it at once, so that an
    /// interrupted iteration is not wasted. A move that only equals it does not, so that of several
    /// losing moves the one whose loss was found last is kept.
    fn iterate(
        &mut self,
        meter: &mut Meter<'_>,
        role: Role,
        depth: u32,
        moves: &mut [RootMove],
    ) -> Result<bool, Interrupt> {
        if self.plies.len() <= depth as usize {
            self.plies.resize_with(depth as usize + 1, Ply::default);
        }
        let mut place = Place { ply: 1, depth: depth - 1, secured: [f32::NEG_INFINITY; 2] };
        let mut all_proven = true;
        for at in 0..moves.len() {
            let before = meter.spent;
            let mut root = std::mem::take(&mut self.plies[0]);
            self.step(&mut root, 0, role, moves[at].mv);
            self.plies[0] = root;
            let found = self.node(meter, place)?;
            all_proven &= found.proven;
            moves[at].worth = found.worth;
            moves[at].effort += meter.spent - before;
            if at == 0 || self.is_better(role, found.worth, moves[0].worth) {
                moves[..=at].rotate_right(1);
                place.secured[role.index()] = found.worth[role.index()];
                if found.proven && self.is_maximal(role, found.worth) {
                    return Ok(true);
                }
            }
        }
        Ok(all_proven)
    }

    /// The report on a state in which a role decides.
    fn report(view: &View, role: Role, moves: &[RootMove], iterations: u64) -> Report {
        let stats = |mv, visits, worth: f32| MoveStats { mv, visits, mean: f64::from(worth) };
        let list = |(of, legal): (Role, &Vec<Move>)| -> Vec<MoveStats> {
            if of != role {
                let worth = moves[0].worth[of.index()];
                return legal.iter().map(|&mv| stats(mv, iterations, worth)).collect();
            }
            moves.iter().map(|m| stats(m.mv, m.effort, m.worth[of.index()])).collect()
        };
        let moves: Vec<_> = view.legal.entries().map(list).collect();
        let moves = PerRole::from(moves);
        Report { iterations, plies: iterations, moves, ..Report::default() }
    }
}

impl<G: Game> Agent<G> for Minimax<G> {
    /// Deepens iteratively until the budget is spent or the outcome is proven; a unit of the budget
    /// is a state. Visits are the states searched below a move; the mean of the best move is its
    /// value, that of any other move an upper bound. A watcher sees every complete iteration,
    /// however long it took, because the next one may take much longer.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.verdict = None;
        if self.uses_maxn {
            return self.maxn.think(state, budget, watch);
        }
        let mut root = Ply::default();
        root.state = Some(state.clone());
        self.game.look(state, &mut root.view);
        if let Some(report) = nothing_to_decide(&root.view) {
            return report;
        }
        let (view, mut meter) = (root.view.clone(), Meter::new(budget));
        self.plies.resize_with(self.plies.len().max(1), Ply::default);
        self.plies[0] = root;
        self.table.next_generation();
        self.ordering.decay();
        let role = lone_decider(&view);
        let start = |&mv: &Move| RootMove { mv, worth: [0.0; 2], effort: 0 };
        let legal = &view.legal[role.unwrap_or(Role(0))];
        let mut moves: Vec<_> = legal.iter().map(start).collect();
        let ended = role.map(|role| {
            let on_iteration = &mut |moves: &[RootMove], spent| {
                watch.show(&Self::report(&view, role, moves, spent))
            };
            self.deepen(&mut meter, role, &mut moves, on_iteration)
        });
        if let (Some(role), Some(Ok(()) | Err(Interrupt::Budget | Interrupt::SumChanged))) =
            (role, ended)
        {
            let proven = self.verdict.as_ref().and_then(Verdict::proven_payoffs);
            return Report { proven, ..Self::report(&view, role, &moves, meter.spent) };
        }
        self.uses_maxn = true;
        let mut report = self.maxn.think(state, &meter.rest(), watch);
        report.iterations += meter.spent;
        report.plies += meter.spent;
        report
    }

    fn begin(&mut self, seed: u64) {
        self.maxn.begin(seed);
        self.table.clear();
        self.ordering.clear();
        self.sum = Sum::Assumed;
        self.uses_maxn = self.game.roles().len() != 2;
        self.verdict = None;
    }
}

#[cfg(test)]
mod tests;
