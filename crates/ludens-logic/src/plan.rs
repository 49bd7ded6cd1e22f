//! Plans: each relation has a list of plans for each binding pattern of its calls; a plan is a list of steps
//! over registers, in which all static decisions are already made.

use crate::relation::{IndexId, Relation};
use crate::store::{Functor, Store, Value};

/// A register of a plan.
pub(crate) type Reg = u32;

/// A relation with a binding pattern: the argument positions that are bound when it is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CallId(pub u32);

/// Where a value comes from. Constants are in registers too, filled when the plan is entered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Source {
    Register(Reg),
    Build(Functor, Box<[Source]>),
}

/// A pattern that a value must match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Pattern {
    /// Anything; the value is not needed.
    Skip,
    /// Anything; the value is stored.
    Bind(Reg),
    /// The value of the register.
    Register(Reg),
    Apply(Functor, Box<[Pattern]>),
}

impl Pattern {
    /// Whether a value matches the pattern; binds registers.
    fn fits(&self, store: &Store, registers: &mut [Value], value: Value) -> bool {
        match self {
            Pattern::Skip => true,
            Pattern::Bind(register) => {
                registers[*register as usize] = value;
                true
            }
            Pattern::Register(register) => registers[*register as usize] == value,
            Pattern::Apply(functor, patterns) => {
                store.functor_of(value) == *functor
                    && patterns
                        .iter()
                        .zip(store.args(value))
                        .all(|(p, &v)| p.fits(store, registers, v))
            }
        }
    }
}

/// A pattern for tuples, with the cheap tests first.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Fields {
    /// Columns compared with registers that were filled before.
    checks: Box<[(u16, Reg)]>,
    /// Columns that fill registers.
    binds: Box<[(u16, Reg)]>,
    /// Columns compared with registers that `binds` fills.
    repeats: Box<[(u16, Reg)]>,
    /// Columns that must be compound terms.
    deep: Box<[(u16, Pattern)]>,
}

impl Fields {
    /// The pattern for some columns; `filled` is whether a register was filled before.
    pub(crate) fn new(patterns: Vec<(u16, Pattern)>, filled: impl Fn(Reg) -> bool) -> Self {
        let (mut checks, mut binds, mut repeats, mut deep) = (vec![], vec![], vec![], vec![]);
        for (column, pattern) in patterns {
            match pattern {
                Pattern::Skip => {}
                Pattern::Bind(register) => binds.push((column, register)),
                Pattern::Register(register) if filled(register) => checks.push((column, register)),
                Pattern::Register(register) => repeats.push((column, register)),
                Pattern::Apply(..) => deep.push((column, pattern)),
            }
        }
        // A register that a compound term fills can only be used by a later column.
        if !deep.is_empty() {
            let late = std::mem::take(&mut repeats).into_iter();
            deep.extend(late.map(|(column, register)| (column, Pattern::Register(register))));
            deep.sort_by_key(|(column, _)| *column);
            let early: Vec<_> = std::mem::take(&mut binds);
            deep.extend(
                early.into_iter().map(|(column, register)| (column, Pattern::Bind(register))),
            );
            deep.sort_by_key(|(column, _)| *column);
        }
        Fields {
            checks: checks.into(),
            binds: binds.into(),
            repeats: repeats.into(),
            deep: deep.into(),
        }
    }

    /// Whether a tuple matches; fills registers.
    #[inline]
    pub(crate) fn fit(&self, store: &Store, registers: &mut [Value], tuple: &[Value]) -> bool {
        for &(column, register) in &self.checks {
            if tuple[column as usize] != registers[register as usize] {
                return false;
            }
        }
        for &(column, register) in &self.binds {
            registers[register as usize] = tuple[column as usize];
        }
        self.repeats.iter().all(|&(c, r)| tuple[c as usize] == registers[r as usize])
            && self.deep.iter().all(|(c, p)| p.fits(store, registers, tuple[*c as usize]))
    }

    /// The patterns with their columns, for `ludens dump`.
    pub(crate) fn patterns(&self) -> Vec<(u16, Pattern)> {
        let tests =
            self.checks.iter().chain(&self.repeats).map(|&(c, r)| (c, Pattern::Register(r)));
        let binds = self.binds.iter().map(|&(c, r)| (c, Pattern::Bind(r)));
        let mut all: Vec<_> = tests.chain(binds).chain(self.deep.iter().cloned()).collect();
        all.sort_by_key(|(column, _)| *column);
        all
    }
}

/// One step of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The two values must differ.
    Distinct(Source, Source),
    /// The fluent must (not) hold.
    HasTruth { term: Source, positive: bool },
    /// For each fluent that holds, of one functor.
    EachTruth(TruthScan),
    /// For each fluent that holds.
    AnyTruth(Fields),
    /// For each move made.
    Does(Fields),
    /// The move must not have been made.
    NotDoes { role: Source, action: Source },
    /// The tuple must (not) be in a static relation.
    HasFact { relation: u32, index: IndexId, key: Box<[Source]>, positive: bool },
    /// The matching tuple of a static relation that has at most one.
    OneFact { relation: u32, index: IndexId, key: Box<[Source]>, outs: Fields },
    /// For each matching tuple of a static relation.
    EachFact { relation: u32, index: Option<IndexId>, key: Box<[Source]>, outs: Fields },
    /// For each answer of a call, which is evaluated if it has no table.
    Call { call: CallId, key: Box<[Source]>, outs: Fields },
    /// The call must have no answer.
    NotCall { call: CallId, key: Box<[Source]> },
    /// The call must (not) have an answer; it is small enough to be run inline.
    Check { call: CallId, key: Box<[Source]>, positive: bool },
    /// Always succeeds.
    Pass,
    /// Never succeeds.
    Fail,
}

/// How to find the fluents that match a pattern.
#[derive(Clone, Debug)]
pub(crate) struct TruthScan {
    pub functor: Functor,
    /// The arguments, including bound ones.
    pub pattern: Fields,
    /// Register for the fluent itself.
    pub whole: Option<Reg>,
    /// The index by bound columns, if there are any, and the values in these columns.
    pub index: Option<(u32, Box<[Source]>)>,
    /// The arguments that the index does not cover.
    pub rest: Fields,
}

impl TruthScan {
    /// Whether a fluent's arguments match; fills registers.
    #[inline]
    pub(crate) fn fit(
        &self,
        fields: &Fields,
        store: &Store,
        registers: &mut [Value],
        fluent: Value,
    ) -> bool {
        let fits = fields.fit(store, registers, store.args(fluent));
        if let (true, Some(whole)) = (fits, self.whole) {
            registers[whole as usize] = fluent;
        }
        fits
    }
}

/// A rule with a binding pattern.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The patterns of the bound arguments.
    pub ins: Fields,
    /// Registers that hold constants.
    pub constants: Box<[(Reg, Value)]>,
    pub steps: Box<[Step]>,
    /// The free arguments.
    pub outs: Box<[Source]>,
    /// From this step on, one success is enough, since the answer is already determined.
    pub cut: usize,
    pub registers: usize,
}

/// When the answers of a call become invalid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Lifetime {
    Always,
    State,
    Moves,
}

/// A relation with a binding pattern.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub plans: Vec<Plan>,
    /// The number of free arguments.
    pub n_outs: usize,
    pub lifetime: Lifetime,
}

/// An index of fluents: functor and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TruthIndex {
    pub functor: Functor,
    pub columns: Box<[u16]>,
}

/// All calls that are needed for some queries.
#[derive(Clone, Default)]
pub(crate) struct Program {
    pub calls: Vec<Call>,
    pub relations: Vec<Relation>,
    pub truth_indexes: Vec<TruthIndex>,
}
