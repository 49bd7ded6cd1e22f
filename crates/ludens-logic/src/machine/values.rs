//! The values of sources: read from registers, constructed, or looked up.

use smallvec::SmallVec;

use super::{Frame, Machine, Run};
use crate::plan::Source;
use crate::store::{Functor, Store, Value};

impl Machine {
    /// Pushes the values of sources on the scratch stack and returns the index of the first.
    pub(super) fn push_key(&mut self, frame: &Frame<'_>, key: &[Source]) -> Run<usize> {
        let start = self.scratch.len();
        for source in key {
            let value = self.value(frame, source)?;
            self.scratch.push(value);
        }
        Ok(start)
    }

    pub(super) fn pop_key(&mut self, start: usize) -> Tuple {
        let key = SmallVec::from_slice(&self.scratch[start..]);
        self.scratch.truncate(start);
        key
    }

    /// The value of a source; a new term is added if necessary.
    #[inline]
    pub(super) fn value(&mut self, frame: &Frame<'_>, source: &Source) -> Run<Value> {
        match source {
            Source::Register(register) => Ok(self.registers[frame.base + *register as usize]),
            Source::Build(functor, args) => self.build(frame, *functor, args),
        }
    }

    fn build(&mut self, frame: &Frame<'_>, functor: Functor, args: &[Source]) -> Run<Value> {
        let start = self.push_key(frame, args)?;
        let result = match self.store.find(functor, &self.scratch[start..]) {
            Some(value) => Ok(value),
            None => match &self.shared {
                Some(shared) => shared.insert(&mut self.store, functor, &self.scratch[start..]),
                None => self.store.insert(functor, &self.scratch[start..]),
            },
        };
        self.scratch.truncate(start);
        result
    }

    /// The value of a source, if the store has it.
    #[inline]
    pub(super) fn find(&self, frame: &Frame<'_>, source: &Source) -> Option<Value> {
        known(&self.store, &self.registers[frame.base..], source)
    }

    /// The values of sources, if the store has all of them.
    #[inline]
    pub(super) fn find_all(&self, frame: &Frame<'_>, sources: &[Source]) -> Option<Tuple> {
        known_all(&self.store, &self.registers[frame.base..], sources)
    }
}

/// A few values.
pub(super) type Tuple = SmallVec<[Value; 6]>;

#[inline]
fn known(store: &Store, registers: &[Value], source: &Source) -> Option<Value> {
    match source {
        Source::Register(register) => Some(registers[*register as usize]),
        Source::Build(functor, args) => store.find(*functor, &known_all(store, registers, args)?),
    }
}

fn known_all(store: &Store, registers: &[Value], sources: &[Source]) -> Option<Tuple> {
    let mut tuple = Tuple::new();
    for source in sources {
        tuple.push(match source {
            // Nearly all arguments are registers, which need no recursive call.
            Source::Register(register) => registers[*register as usize],
            Source::Build(..) => known(store, registers, source)?,
        });
    }
    Some(tuple)
}
