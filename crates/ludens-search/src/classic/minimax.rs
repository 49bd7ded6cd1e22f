//! Minimax for two roles that decide in turn: iterative deepening α–β (Knuth and Moore, 1975;
//! Slate and Atkin, 1977) with a transposition table.
//!
//! Payoffs stay a vector: instead of a window of one number, each role has a payoff that it has
//! already secured nearer to the root. As long as the payoffs of all finished games seen add up to
//! the same number, a state is left as soon as the mover gets so much that the other role, who
//! has secured the rest, will avoid it; that is α–β. The first game that adds up to something
//! else shows that the roles are not plain enemies: everything is forgotten, and the search continues
//! as max-n without cuts (ties as in `preference.rs`). Games that no search has reached could still
//! break the sum, so a proof says: as far as games of constant sum are concerned.
//!
//! Other games, of another number of roles or with several roles deciding at the same time, are
//! left to [`MaxN`].

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

/// Payoffs that differ by less are the same: sums of fractions are not exact.
const CLOSE: f32 = 1e-6;

/// A minimax search.
pub struct Minimax<G: Game> {
    game: Arc<G>,
    /// Searches what this search cannot, and holds the estimate for both.
    maxn: MaxN<G>,
    plies: Vec<Ply<G>>,
    table: Table,
    ordering: Ordering,
    sum: Sum,
    /// Whether the game is left to max-n.
    unsuited: bool,
    estimated: Payoffs,
    verdict: Option<Verdict>,
}

/// Why a search ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// The budget is spent.
    Budget,
    /// The payoffs add up to something else than was thought.
    OtherSum,
    /// Several roles decide at the same time.
    Simultaneous,
}

impl From<OutOfBudget> for Stop {
    fn from(_: OutOfBudget) -> Self {
        Stop::Budget
    }
}

/// What the payoffs of finished games add up to.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Sum {
    /// No game was seen yet; nearly all games share 1 out.
    Assumed,
    /// The same in all games seen so far.
    Constant(f32),
    /// Not always the same.
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

    fn learn(&mut self, payoffs: Pair) -> Result<(), Stop> {
        let (sum, believed) = (payoffs[0] + payoffs[1], *self);
        let differs = believed.constant().is_some_and(|known| (known - sum).abs() > CLOSE);
        *self = match believed {
            Sum::Assumed => Sum::Constant(sum),
            Sum::Constant(_) if differs => Sum::Varies,
            known => known,
        };
        if differs { Err(Stop::OtherSum) } else { Ok(()) }
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
    /// The memory of the table that suits a desktop computer.
    pub const TABLE_BYTES: usize = 64 << 20;
    /// The deepest search: beyond it the stack could overflow, and no tree is looked through so far.
    const MAX_DEPTH: u32 = 512;

    /// A search that asks `value` what states at the depth limit are worth and remembers states in
    /// at most so many bytes.
    pub fn new(game: Arc<G>, value: Box<dyn StateValue<G>>, table_bytes: usize) -> Self {
        Minimax {
            maxn: MaxN::new(Arc::clone(&game), value),
            unsuited: game.roles().len() != 2,
            game,
            plies: Vec::new(),
            table: Table::new(table_bytes),
            ordering: Ordering::default(),
            sum: Sum::Assumed,
            estimated: Payoffs::default(),
            verdict: None,
        }
    }

    /// How deep the last search came and what it found; a win or a loss is sure if it is proven.
    /// `None` if there was nothing to decide or no time to look one move ahead.
    pub fn verdict(&self) -> Option<&Verdict> {
        if self.unsuited { self.maxn.verdict() } else { self.verdict.as_ref() }
    }

    /// An estimate; where payoffs add up to a constant, so do estimates.
    fn estimate(&mut self, state: &G::State) -> Pair {
        self.maxn.estimate(state, &mut self.estimated);
        let worth = [self.estimated[Role(0)], self.estimated[Role(1)]];
        let Some(sum) = self.sum.constant() else { return worth };
        let first = sum * (1.0 + worth[0] - worth[1]) / 2.0;
        [first, sum - first]
    }

    /// Searches deeper and deeper; the moves are kept in the order of their merits throughout.
    fn deepen(
        &mut self,
        meter: &mut Meter<'_>,
        role: Role,
        moves: &mut [RootMove],
        seen: &mut dyn FnMut(&[RootMove], u64) -> bool,
    ) -> Result<(), Stop> {
        let mut depth = 1;
        while depth <= Self::MAX_DEPTH {
            match self.iterate(meter, role, depth, moves) {
                Ok(proven) => {
                    let payoffs = PerRole::from(moves[0].worth.to_vec());
                    self.verdict = Some(Verdict { depth, payoffs, proven });
                    if proven || !seen(moves, meter.spent) {
                        return Ok(());
                    }
                    depth += 1;
                }
                Err(Stop::OtherSum) => {
                    self.table.clear();
                    depth = 1;
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Searches all moves of the root to a depth and says whether the result is proven. The best
    /// move of the last iteration comes first, and a move that turns out better goes before it at
    /// once, so that an iteration cut short has not been in vain. A move that only equals it stays
    /// behind, so that of several lost moves the one whose loss was seen last is kept.
    fn iterate(
        &mut self,
        meter: &mut Meter<'_>,
        role: Role,
        depth: u32,
        moves: &mut [RootMove],
    ) -> Result<bool, Stop> {
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
                if found.proven && self.is_top(role, found.worth) {
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
    /// Looks deeper and deeper until the budget is spent or the outcome is proven; a unit of the
    /// budget is a state. Visits are the states below a move; the mean of the best move is its
    /// value, that of the others a bound that it does not exceed. A watcher sees every completed
    /// iteration, however long it took, because the next one may take much longer.
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.verdict = None;
        if self.unsuited {
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
        self.table.grow_older();
        self.ordering.fade();
        let role = lone_decider(&view);
        let start = |&mv: &Move| RootMove { mv, worth: [0.0; 2], effort: 0 };
        let legal = &view.legal[role.unwrap_or(Role(0))];
        let mut moves: Vec<_> = legal.iter().map(start).collect();
        let ended = role.map(|role| {
            let seen = &mut |moves: &[RootMove], spent| {
                watch.show(&Self::report(&view, role, moves, spent))
            };
            self.deepen(&mut meter, role, &mut moves, seen)
        });
        if let (Some(role), Some(Ok(()) | Err(Stop::Budget | Stop::OtherSum))) = (role, ended) {
            let proven = self.verdict.as_ref().and_then(Verdict::proven_payoffs);
            return Report { proven, ..Self::report(&view, role, &moves, meter.spent) };
        }
        self.unsuited = true;
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
        self.unsuited = self.game.roles().len() != 2;
        self.verdict = None;
    }
}

#[cfg(test)]
mod tests;
