//! Orders the conditions of a rule for a join: tests as soon as their variables are known, then the
//! condition with the lowest estimated cost.

use ludens_gdl::rules::Term;

use super::program::{Condition, Standing};

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

/// Conditions left to be joined, and the variables known so far.
pub(super) struct Order<'a> {
    body: &'a [Condition],
    sizes: &'a Sizes,
    pub(super) bound: Vec<bool>,
    left: Vec<usize>,
}

impl<'a> Order<'a> {
    /// All conditions but some, with no variable known.
    pub(super) fn new(
        body: &'a [Condition],
        n_variables: usize,
        sizes: &'a Sizes,
        without: Option<usize>,
    ) -> Self {
        let left = (0..body.len()).filter(|&i| Some(i) != without).collect();
        Order { body, sizes, bound: vec![false; n_variables], left }
    }

    /// Takes the best condition that is left; its variables are not yet noted as known.
    pub(super) fn take(&mut self) -> Option<usize> {
        let costs = self.left.iter().take(WINDOW).map(|&i| self.cost(&self.body[i]));
        let best = costs.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        // If a test is not ready, what makes it ready lies beyond the window.
        if best.1 < f64::MAX {
            return Some(self.left.remove(best.0));
        }
        let ready = self.left.iter().position(|&i| self.body[i].is_positive());
        Some(self.left.remove(ready.unwrap_or(0)))
    }

    /// The expected factor by which a condition multiplies the work; tests that are not ready come
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
            Condition::Positive { relation, args, standing } => {
                let demanded = self.sizes.demanded.get(relation.0 as usize) == Some(&true);
                let size = self.sizes.atoms[relation.0 as usize].max(1.0);
                let size = if demanded { size.max(DEMANDED_SIZE) } else { size };
                let open = args.iter().map(|arg| openness(arg, &self.bound)).sum::<f64>();
                let width = args.iter().map(weight).sum::<f64>().max(1.0);
                let cost = size.powf(open / width) * if demanded { DEMAND_COST } else { 1.0 };
                // Of two equal estimates prefer the relation whose size is known.
                if *standing == Standing::Known { cost * 0.99 } else { cost }
            }
        }
    }

    /// Records the variables of a condition as known.
    pub(super) fn bind(&mut self, condition: &Condition) {
        condition.variables(&mut |v| self.bound[v] = true);
    }
}

/// How many positions of a term are variables or constants.
fn weight(term: &Term) -> f64 {
    match term {
        Term::Function(_, args) => args.iter().map(weight).sum(),
        _ => 1.0,
    }
}

fn openness(term: &Term, bound: &[bool]) -> f64 {
    match term {
        Term::Constant(_) => 0.0,
        Term::Variable(v) => f64::from(u8::from(!bound[v.0 as usize])),
        Term::Function(_, args) => args.iter().map(|arg| openness(arg, bound)).sum(),
    }
}

/// Whether all variables of a term are known.
pub(super) fn is_bound(term: &Term, bound: &[bool]) -> bool {
    let mut all = true;
    term.variables(&mut |v| all &= bound[v.0 as usize]);
    all
}
