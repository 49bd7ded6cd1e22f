//! Sampled counts of the fluents of each functor.

use ludens_gdl::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::store::{Store, Value};

/// A function name with its arity.
type Kind = (Symbol, usize);

/// The number of fluents, and the values seen in each column.
type Seen = (usize, Vec<FxHashSet<Value>>);

/// Mean counts over sample states.
#[derive(Clone, Default)]
pub(crate) struct Statistics {
    fluents: FxHashMap<Kind, (f64, Vec<f64>)>,
    pub total: f64,
}

impl Statistics {
    /// Counts the fluents of sample states.
    pub(crate) fn of_states(store: &Store, states: &[Vec<Value>]) -> Self {
        let mut statistics = Statistics::default();
        let share = 1.0 / states.len().max(1) as f64;
        for state in states {
            statistics.total += state.len() as f64 * share;
            let mut columns: FxHashMap<Kind, Seen> = FxHashMap::default();
            for &fluent in state {
                let args = store.args(fluent);
                let key = (store.name_of(fluent), args.len());
                let (count, sets) = columns
                    .entry(key)
                    .or_insert_with(|| (0, vec![FxHashSet::default(); args.len()]));
                *count += 1;
                for (set, &arg) in sets.iter_mut().zip(args) {
                    set.insert(arg);
                }
            }
            for (key, (count, sets)) in columns {
                let entry =
                    statistics.fluents.entry(key).or_insert_with(|| (0.0, vec![0.0; key.1]));
                entry.0 += count as f64 * share;
                entry
                    .1
                    .iter_mut()
                    .zip(sets)
                    .for_each(|(sum, set)| *sum += set.len() as f64 * share);
            }
        }
        statistics
    }

    /// The mean count of a functor's fluents, and of distinct values in each of their columns. Fluents that
    /// occur in no sample are assumed to be few.
    pub(crate) fn of(&self, name: Symbol, arity: usize) -> (f64, Vec<f64>) {
        self.fluents.get(&(name, arity)).cloned().unwrap_or_else(|| (4.0, vec![3.0; arity]))
    }
}
