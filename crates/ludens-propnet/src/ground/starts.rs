//! The joins that a new atom starts, indexed by the constants in their patterns.
//!
//! Most conditions are on `true` and `does`, and differ in the function inside and in a constant or
//! two; without the index every atom would be matched with all of them.

use ludens_logic::terms::{Functor, Store, Value};
use rustc_hash::FxHashMap;

use super::join::{Pattern, Start};

/// The joins that atoms of one relation start.
#[derive(Clone, Default)]
pub(super) struct Starts {
    /// Those that match any last argument.
    any: Vec<u32>,
    by_functor: FxHashMap<Functor, Inner>,
}

/// The joins that start from atoms whose last argument has one functor.
#[derive(Clone, Default)]
struct Inner {
    any: Vec<u32>,
    /// For each argument position at which patterns have constants, the joins by constant.
    by_constant: Vec<(u16, FxHashMap<Value, Vec<u32>>)>,
}

impl Starts {
    /// Adds a join.
    pub(super) fn add(&mut self, store: &Store, start: &Start, join: u32) {
        match start.patterns.last() {
            Some((_, Pattern::Constant(value))) => {
                let inner = self.by_functor.entry(store.functor_of(*value)).or_default();
                inner.add(store.args(*value).first().map(|&first| (0, first)), join);
            }
            Some((_, Pattern::Application(functor, parts))) => {
                let constants =
                    parts.iter().enumerate().filter_map(|(position, part)| match part {
                        Pattern::Constant(value) => Some((position as u16, *value)),
                        _ => None,
                    });
                let first = constants.take(1).next();
                self.by_functor.entry(*functor).or_default().add(first, join);
            }
            _ => self.any.push(join),
        }
    }

    /// Appends the joins that an atom with these arguments may start.
    pub(super) fn of(&self, store: &Store, tuple: &[Value], out: &mut Vec<u32>) {
        out.extend_from_slice(&self.any);
        let Some(&last) = tuple.last() else { return };
        let Some(inner) = self.by_functor.get(&store.functor_of(last)) else { return };
        out.extend_from_slice(&inner.any);
        for (position, joins) in &inner.by_constant {
            if let Some(joins) = joins.get(&store.args(last)[*position as usize]) {
                out.extend_from_slice(joins);
            }
        }
    }
}

impl Inner {
    fn add(&mut self, constant: Option<(u16, Value)>, join: u32) {
        let Some((position, value)) = constant else { return self.any.push(join) };
        let found = self.by_constant.iter().position(|(other, _)| *other == position);
        let at = found.unwrap_or_else(|| {
            self.by_constant.push((position, FxHashMap::default()));
            self.by_constant.len() - 1
        });
        self.by_constant[at].1.entry(value).or_default().push(join);
    }
}
