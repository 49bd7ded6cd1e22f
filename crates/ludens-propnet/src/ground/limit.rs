//! Limits of grounding.

use ludens_core::{Budget, Trouble};
use ludens_gdl::rules::RelationId;
use ludens_logic::terms::Store;

use super::Effort;
use super::program::Program;

/// Why grounding is interrupted.
#[derive(Debug)]
pub(super) enum Stop {
    /// These relations have exploded and should be computed on demand.
    Exploded(Vec<RelationId>),
    /// It takes more steps or conditions than the effort allows.
    EffortExceeded,
    /// The budget is used up.
    Trouble(Trouble),
}

/// Limits are checked once in this many steps.
const STEPS_BETWEEN_CHECKS: u64 = 4096;

/// A relation with more instances than this is computed on demand, if possible.
const DEMAND_THRESHOLD: u32 = 200_000;

/// When one relation explodes, others beyond the threshold divided by this are computed on demand too.
const DEMAND_MARGIN: u32 = 8;

/// The limits of grounding, and what is used of them.
pub(super) struct Limits<'a> {
    budget: &'a Budget,
    effort: Effort,
    /// Whether a relation can be computed on demand.
    can_demand: &'a dyn Fn(RelationId) -> bool,
    pub steps: u64,
    n_conditions: usize,
    bytes: usize,
    /// How many instances each relation has.
    counts: Vec<u32>,
}

impl<'a> Limits<'a> {
    pub(super) fn new(
        budget: &'a Budget,
        effort: Effort,
        can_demand: &'a dyn Fn(RelationId) -> bool,
    ) -> Self {
        Limits {
            budget,
            effort,
            can_demand,
            steps: 0,
            n_conditions: 0,
            bytes: 0,
            counts: Vec::new(),
        }
    }

    /// Counts a step.
    #[inline]
    pub(super) fn step(&mut self, store: &Store) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_BETWEEN_CHECKS) { self.check(store) } else { Ok(()) }
    }

    #[cold]
    fn check(&mut self, store: &Store) -> Result<(), Stop> {
        let exhausted = |what: &str| {
            Err(Stop::Trouble(Trouble::Exhausted(format!("the {what} for grounding is used up"))))
        };
        if self.budget.is_over() {
            return exhausted("time");
        }
        // Numbers of conditions are kept in 32 bits.
        let full = self.n_conditions > (u32::MAX - (1 << 20)) as usize;
        if full || self.budget.is_full(store.bytes() + self.bytes) {
            return exhausted("memory");
        }
        if self.steps > self.effort.steps || self.n_conditions > self.effort.conditions {
            return Err(Stop::EffortExceeded);
        }
        Ok(())
    }

    /// Adds allocated bytes.
    #[inline]
    pub(super) fn add_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Adds the conditions of an instance.
    #[inline]
    pub(super) fn add_conditions(&mut self, n: usize) {
        self.n_conditions += n;
    }

    /// Counts an instance of a relation.
    #[inline]
    pub(super) fn count(&mut self, program: &Program, relation: RelationId) -> Result<(), Stop> {
        if self.counts.is_empty() {
            self.counts.resize(program.relations.len(), 0);
        }
        let count = &mut self.counts[relation.0 as usize];
        *count += 1;
        if *count == DEMAND_THRESHOLD { self.explode(relation) } else { Ok(()) }
    }

    #[cold]
    fn explode(&mut self, relation: RelationId) -> Result<(), Stop> {
        if !(self.can_demand)(relation) {
            return Ok(());
        }
        let others = (0..self.counts.len() as u32).map(RelationId);
        let large = others.filter(|other| {
            *other == relation
                || (self.counts[other.0 as usize] > DEMAND_THRESHOLD / DEMAND_MARGIN
                    && (self.can_demand)(*other))
        });
        Err(Stop::Exploded(large.collect()))
    }

    /// The error for a term of the relation that is nested too deeply; perhaps it is never demanded.
    #[cold]
    pub(super) fn too_deep(&mut self, relation: RelationId) -> Stop {
        if (self.can_demand)(relation) {
            Stop::Exploded(vec![relation])
        } else {
            Stop::Trouble(too_deep())
        }
    }
}

/// The error for a term that is nested too deeply.
pub(super) fn too_deep() -> Trouble {
    Trouble::Exhausted("a term is nested too deeply to be grounded".into())
}
