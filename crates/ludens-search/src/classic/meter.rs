//! Work counted against a budget.

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

    /// Spends one unit, if the budget allows it. The clock is read every time: that is cheap next
    /// to evaluating the rules in a state, which may take long.
    pub fn tick(&mut self) -> Result<(), OutOfBudget> {
        if self.is_over() {
            return Err(OutOfBudget);
        }
        self.spent += 1;
        Ok(())
    }

    /// Whether the budget is spent.
    pub fn is_over(&self) -> bool {
        self.budget.is_spent(self.spent) || self.budget.is_over()
    }

    /// The units of work that are left, if time allows.
    pub fn left(&self) -> u64 {
        self.budget.iterations.map_or(u64::MAX, |limit| limit.saturating_sub(self.spent))
    }

    /// The rest of the budget.
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
    fn a_meter_allows_as_many_units_as_the_budget() {
        let budget = Budget::unlimited().with_iterations(2);
        let mut meter = Meter::new(&budget);
        assert_eq!([meter.tick(), meter.tick()], [Ok(()); 2]);
        assert_eq!((meter.tick(), meter.spent), (Err(OutOfBudget), 2));
        assert_eq!(meter.rest().iterations, Some(0));
    }
}
