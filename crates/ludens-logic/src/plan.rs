//! How rules are run: each relation, for each way of calling it, has a list of plans; a plan is
//! a list of steps over registers, with all decisions that can be made in advance already made.

use crate::relation::{IndexId, Relation};
use crate::store::{Functor, Value};

/// A register of a plan.
pub(crate) type Reg = u16;

/// A relation together with the argument positions that are known when it is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CallId(pub u32);

/// Where a value comes from.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Source {
    Constant(Value),
    Register(Reg),
    Build(Functor, Box<[Source]>),
}

/// What a value must look like.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Pattern {
    /// Anything, and nobody asks what.
    Skip,
    /// Anything; it is remembered.
    Bind(Reg),
    /// What is in the register.
    Register(Reg),
    Constant(Value),
    Apply(Functor, Box<[Pattern]>),
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
    AnyTruth(Pattern),
    /// For each move made.
    Does { role: Pattern, action: Pattern },
    /// The move must not have been made.
    NotDoes { role: Source, action: Source },
    /// The tuple must (not) be in an unchanging relation.
    HasFact { relation: u32, index: IndexId, key: Box<[Source]>, positive: bool },
    /// For each matching tuple of an unchanging relation.
    EachFact {
        relation: u32,
        index: Option<IndexId>,
        key: Box<[Source]>,
        outs: Box<[(u16, Pattern)]>,
    },
    /// For each answer of a call; its table is made if it is not there.
    Call { call: CallId, key: Box<[Source]>, outs: Box<[Pattern]> },
    /// No answer to the call may exist.
    NotCall { call: CallId, key: Box<[Source]> },
    /// The call, all of whose arguments are known, is small enough to be run on the spot.
    Check { call: CallId, key: Box<[Source]>, positive: bool },
    /// Never succeeds.
    Fail,
}

/// How to find the fluents that match a pattern.
#[derive(Clone, Debug)]
pub(crate) struct TruthScan {
    pub functor: Functor,
    /// The arguments, known ones included.
    pub pattern: Box<[Pattern]>,
    /// Register for the fluent itself.
    pub whole: Option<Reg>,
    /// Index by known columns, if there are any, and the values in these columns.
    pub index: Option<(u32, Box<[Source]>)>,
    /// The arguments that the index leaves open.
    pub rest: Box<[(u16, Pattern)]>,
}

/// A rule, called in one way.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What the known arguments must look like.
    pub ins: Box<[Pattern]>,
    pub steps: Box<[Step]>,
    /// The unknown arguments.
    pub outs: Box<[Source]>,
    /// From this step on one success is enough, since the answer is already fixed.
    pub cut: usize,
    pub registers: usize,
}

/// When the answers of a call become void.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Lifetime {
    Always,
    State,
    Moves,
}

/// A relation, called in one way.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub plans: Vec<Plan>,
    /// Number of unknown arguments.
    pub n_outs: usize,
    pub lifetime: Lifetime,
}

/// Index of fluents: functor and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TruthIndex {
    pub functor: Functor,
    pub columns: Box<[u16]>,
}

/// All calls that some questions need.
#[derive(Clone, Default)]
pub(crate) struct Program {
    pub calls: Vec<Call>,
    pub relations: Vec<Relation>,
    pub truth_indexes: Vec<TruthIndex>,
}
