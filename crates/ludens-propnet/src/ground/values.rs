//! Terms matched and built during joins.

use ludens_logic::terms::{Store, Value};

use super::join::{Pattern, Source};

/// Whether arguments are as they must be; keeps the values of variables.
#[inline]
pub(super) fn fit_all(
    store: &Store,
    registers: &mut [Value],
    patterns: &[(u16, Pattern)],
    tuple: &[Value],
) -> bool {
    patterns.iter().all(|(i, pattern)| fit(store, registers, pattern, tuple[*i as usize]))
}

pub(super) fn fit(store: &Store, registers: &mut [Value], pattern: &Pattern, value: Value) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Constant(constant) => *constant == value,
        Pattern::Bind(register) => {
            registers[*register as usize] = value;
            true
        }
        Pattern::Same(register) => registers[*register as usize] == value,
        Pattern::Application(functor, parts) => {
            store.functor_of(value) == *functor
                && parts
                    .iter()
                    .zip(store.args(value))
                    .all(|(part, &value)| fit(store, registers, part, value))
        }
    }
}

/// The values of terms that were met before.
#[inline]
pub(super) fn fill(
    out: &mut Vec<Value>,
    store: &Store,
    registers: &[Value],
    sources: &[Source],
) -> bool {
    out.clear();
    for source in sources {
        match lookup(store, registers, source) {
            Some(value) => out.push(value),
            None => return false,
        }
    }
    true
}

/// The value of a term, if it was met before.
pub(super) fn lookup(store: &Store, registers: &[Value], source: &Source) -> Option<Value> {
    match source {
        Source::Constant(value) => Some(*value),
        Source::Register(register) => Some(registers[*register as usize]),
        Source::Application(functor, parts) => {
            let mut args = smallvec::SmallVec::<[Value; 8]>::new();
            for part in parts {
                args.push(lookup(store, registers, part)?);
            }
            store.find(*functor, &args)
        }
    }
}

/// The value of a term, as a new term if need be; `None` if it is nested too deeply.
pub(super) fn build(store: &mut Store, registers: &[Value], source: &Source) -> Option<Value> {
    match source {
        Source::Constant(value) => Some(*value),
        Source::Register(register) => Some(registers[*register as usize]),
        Source::Application(functor, parts) => {
            let mut args = smallvec::SmallVec::<[Value; 8]>::new();
            for part in parts {
                args.push(build(store, registers, part)?);
            }
            store.intern(*functor, &args)
        }
    }
}
