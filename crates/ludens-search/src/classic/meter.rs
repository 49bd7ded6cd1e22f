//! The budget as it is spent.

use ludens_core::Budget;

/// The budget does not allow another unit of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OutOfBudget;

/// Counts units of work against a budget.
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    /// Units of work done so far.
    pub spent: u64,
}

impl<'a> Meter<'a> {
    /// Nothing is spent yet.
    pub fn new(budget: &'a Budget) -> Self {
        Meter { budget, spent: 0 }
    }

    /// Takes one unit if there is one. The clock is read every time: next to looking at a state
    /// of a game given by rules that costs little, and such a look may take long.
    pub fn tick(&mut self) -> Result<(), OutOfBudget> {
        if self.is_over() {
            return Err(OutOfBudget);
        }
        self.spent += 1;
        Ok(())
    }

    /// Whether nothing more may be done.
    pub fn is_over(&self) -> bool {
        self.budget.is_spent(self.spent) || self.budget.is_over()
    }

    /// How many units are left, time permitting.
    pub fn left(&self) -> u64 {
        self.budget.iterations.map_or(u64::MAX, |limit| limit.saturating_sub(self.spent))
    }

    /// What is left of the budget.
    pub fn rest(&self) -> Budget {
        match self.budget.iterations {
            Some(_) => self.budget.clone().with_iterations(self.left()),
            None => self.budget.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_gives_as_many_units_as_the_budget_has() {
        let budget = Budget::unlimited().with_iterations(2);
        let mut meter = Meter::new(&budget);
        assert_eq!([meter.tick(), meter.tick()], [Ok(()); 2]);
        assert_eq!((meter.tick(), meter.spent), (Err(OutOfBudget), 2));
        assert_eq!(meter.rest().iterations, Some(0));
    }
}
