//! Join order: tests as soon as their variables are bound, then the condition with the lowest
//! estimated cost.

use ludens_gdl::rules::Term;

use super::program::{Condition, Kind};

/// Estimates for each relation, by its number.
pub(super) struct Sizes {
    /// How many atoms it has.
    pub atoms: Vec<f64>,
    /// Whether it is computed on demand; empty if none is.
    pub demanded: Vec<bool>,
}

/// The least estimate for a demanded relation, since it was too large to be computed as a whole.
const DEMANDED_SIZE: f64 = 3000.0;

/// The cost factor of calling a demanded relation: the more conditions come before the call, the
/// less is demanded.
const DEMAND_COST: f64 = 10.0;

/// The estimate for an unknown relation.
pub(super) const UNKNOWN_SIZE: f64 = 300.0;

/// Only this many conditions are compared at a time, which keeps very long rules affordable.
const WINDOW: usize = 48;

/// Conditions left to be joined, and the variables bound so far.
pub(super) struct Order<'a> {
    body: &'a [Condition],
    sizes: &'a Sizes,
    pub(super) bound: Vec<bool>,
    left: Vec<usize>,
}

impl<'a> Order<'a> {
    /// All conditions but one, with no variable bound.
    pub(super) fn new(
        body: &'a [Condition],
        n_variables: usize,
        sizes: &'a Sizes,
        without: Option<usize>,
    ) -> Self {
        let left = (0..body.len()).filter(|&i| Some(i) != without).collect();
        Order { body, sizes, bound: vec![false; n_variables], left }
    }

    /// Takes the best condition that is left; does not bind its variables.
    pub(super) fn take(&mut self) -> Option<usize> {
        let costs = self.left.iter().take(WINDOW).map(|&i| self.cost(&self.body[i]));
        let best = costs.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        // If only tests with unbound variables are in the window, what binds them lies beyond it.
        if best.1 < f64::MAX {
            return Some(self.left.remove(best.0));
        }
        let ready = self.left.iter().position(|&i| self.body[i].is_positive());
        Some(self.left.remove(ready.unwrap_or(0)))
    }

    /// The expected factor by which a condition multiplies the work; tests with unbound variables come
    /// last.
    fn cost(&self, condition: &Condition) -> f64 {
        let ready = |args: &[Term]| args.iter().all(|arg| is_bound(arg, &self.bound));
        match condition {
            Condition::Distinct(left, right) => {
                if is_bound(left, &self.bound) && is_bound(right, &self.bound) {
                    0.0
                } else {
                    f64::MAX
                }
            }
            Condition::Absent { args, .. } | Condition::Negative { args, .. } => {
                if ready(args) {
                    0.01
                } else {
                    f64::MAX
                }
            }
            Condition::Positive { relation, args, kind } => {
                let demanded = self.sizes.demanded.get(relation.0 as usize) == Some(&true);
                let size = self.sizes.atoms[relation.0 as usize].max(1.0);
                let size = if demanded { size.max(DEMANDED_SIZE) } else { size };
                let open = args.iter().map(|arg| n_unbound(arg, &self.bound)).sum::<f64>();
                let width = args.iter().map(n_positions).sum::<f64>().max(1.0);
                let cost = size.powf(open / width) * if demanded { DEMAND_COST } else { 1.0 };
                // Of two equal estimates prefer the relation whose size is known.
                if *kind == Kind::Static { cost * 0.99 } else { cost }
            }
        }
    }

    /// Binds the variables of a condition.
    pub(super) fn bind(&mut self, condition: &Condition) {
        condition.variables(&mut |v| self.bound[v] = true);
    }
}

/// The number of variables and constants in a term.
fn n_positions(term: &Term) -> f64 {
    match term {
        Term::Function(_, args) => args.iter().map(n_positions).sum(),
        _ => 1.0,
    }
}

/// The number of unbound variables in a term.
fn n_unbound(term: &Term, bound: &[bool]) -> f64 {
    match term {
        Term::Constant(_) => 0.0,
        Term::Variable(v) => f64::from(u8::from(!bound[v.0 as usize])),
        Term::Function(_, args) => args.iter().map(|arg| n_unbound(arg, bound)).sum(),
    }
}

/// Whether all variables of a term are bound.
pub(super) fn is_bound(term: &Term, bound: &[bool]) -> bool {
    let mut all = true;
    term.variables(&mut |v| all &= bound[v.0 as usize]);
    all
}
