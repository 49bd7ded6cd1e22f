//! Variables of a rule and the terms they stand for during a join.

use ludens_gdl::rules::Term;
use ludens_logic::terms::{Store, Value};

use super::table::Key;

/// Variables that were bound, to be freed again.
pub(super) struct Trail(pub(super) Key);

impl Trail {
    pub(super) fn new() -> Self {
        Trail(Key::new())
    }

    pub(super) fn undo(self, registers: &mut [Option<Value>]) {
        for variable in self.0 {
            registers[variable.0 as usize] = None;
        }
    }
}

/// Whether a term can be the value; binds its free variables and notes them.
pub(super) fn fit(
    store: &Store,
    registers: &mut [Option<Value>],
    term: &Term,
    value: Value,
    trail: &mut Trail,
) -> bool {
    match term {
        Term::Variable(v) => {
            let bound = *registers[v.0 as usize].get_or_insert_with(|| {
                trail.0.push(Value(v.0));
                value
            });
            bound == value
        }
        Term::Constant(name) => store.is_constant(value, *name),
        Term::Function(name, args) => {
            store.is_application(value, *name, args.len())
                && args
                    .iter()
                    .zip(store.args(value))
                    .all(|(arg, &v)| fit(store, registers, arg, v, trail))
        }
    }
}

/// The value of a term whose variables are bound, if it was met before.
pub(super) fn value(store: &Store, registers: &[Option<Value>], term: &Term) -> Option<Value> {
    match term {
        Term::Variable(v) => registers[v.0 as usize],
        Term::Constant(name) => store.find(store.functor_named(*name, 0)?, &[]),
        Term::Function(name, args) => {
            let values: Key =
                args.iter().map(|arg| value(store, registers, arg)).collect::<Option<_>>()?;
            store.find(store.functor_named(*name, args.len())?, &values)
        }
    }
}
