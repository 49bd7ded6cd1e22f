//! Matching and building of terms during joins.

use ludens_logic::terms::{Functor, Store, Value};

use super::join::{Pattern, Source};

/// Matches arguments with patterns, and binds variables.
#[inline]
pub(super) fn match_all(
    store: &Store,
    registers: &mut [Value],
    patterns: &[(u16, Pattern)],
    tuple: &[Value],
) -> bool {
    patterns
        .iter()
        .all(|(i, pattern)| matches_pattern(store, registers, pattern, tuple[*i as usize]))
}

pub(super) fn matches_pattern(
    store: &Store,
    registers: &mut [Value],
    pattern: &Pattern,
    value: Value,
) -> bool {
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
                    .all(|(part, &value)| matches_pattern(store, registers, part, value))
        }
    }
}

/// The values of terms; returns false if one is not in the store.
#[inline]
pub(super) fn lookup_all(
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

/// The value of a term, if it is in the store.
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

/// Whether two terms are the same. Terms are compared part by part, since a term that occurs nowhere
/// but in a `distinct` has no value.
pub(super) fn is_same(store: &Store, registers: &[Value], left: &Source, right: &Source) -> bool {
    match (left, right) {
        (Source::Application(f, left), Source::Application(g, right)) => {
            f == g
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| is_same(store, registers, left, right))
        }
        (Source::Application(functor, parts), other)
        | (other, Source::Application(functor, parts)) => {
            has_value(store, registers, (*functor, parts), value_of(registers, other))
        }
        _ => value_of(registers, left) == value_of(registers, right),
    }
}

/// Whether a compound term has this value.
fn has_value(
    store: &Store,
    registers: &[Value],
    (functor, parts): (Functor, &[Source]),
    value: Value,
) -> bool {
    store.functor_of(value) == functor
        && parts.iter().zip(store.args(value)).all(|(part, &arg)| match part {
            Source::Application(functor, parts) => {
                has_value(store, registers, (*functor, parts), arg)
            }
            simple => value_of(registers, simple) == arg,
        })
}

/// The value of a constant or variable.
fn value_of(registers: &[Value], source: &Source) -> Value {
    match source {
        Source::Constant(value) => *value,
        Source::Register(register) => registers[*register as usize],
        Source::Application(..) => unreachable!("compound terms are compared part by part"),
    }
}

/// Builds a term, a new one if needed; `None` if it is nested too deeply.
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
