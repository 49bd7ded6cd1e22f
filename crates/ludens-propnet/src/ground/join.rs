//! Join plans: how the instances of a rule are found from a new atom of one of its conditions, the
//! delta of semi-naive evaluation.

use ludens_gdl::rules::{RelationId, Term};
use ludens_logic::terms::{Functor, Store, Value, ground_value};

use super::order::{Order, Sizes, is_bound};
use super::program::{Condition, Kind, OpenRule};
use super::table::{Path, Table};

/// The register of a variable.
pub(super) type Register = u16;

/// A pattern for an argument position of an atom.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// Anything.
    Any,
    /// This term.
    Constant(Value),
    /// Anything; its value is stored in the register.
    Bind(Register),
    /// The value of the register.
    Same(Register),
    /// A compound term.
    Application(Functor, Box<[Pattern]>),
}

/// A term whose variables are bound.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Constant(Value),
    Register(Register),
    Application(Functor, Box<[Source]>),
}

/// The action of a step.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Enumerates the atoms that match.
    Scan(Scan),
    /// The atom must be possible.
    Lookup { slot: usize, relation: RelationId, args: Box<[Source]>, before_start: bool },
    /// The atom, of a static relation, must not hold.
    Absent { relation: RelationId, args: Box<[Source]> },
    /// The terms must differ.
    Distinct(Source, Source),
}

/// A condition whose matching atoms are enumerated.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    pub slot: usize,
    pub relation: RelationId,
    /// The index by which the atoms are found, and the values of its key.
    pub index: Option<(usize, Box<[Source]>)>,
    pub patterns: Box<[(u16, Pattern)]>,
    /// Whether the atom that starts the join must be excluded here: the join that starts from this
    /// condition finds that instance.
    pub before_start: bool,
}

/// A step of a join.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub action: Action,
    /// The last scan before it.
    pub back: Option<usize>,
}

/// The condition whose new atom starts a join.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub slot: usize,
    pub relation: RelationId,
    pub patterns: Box<[(u16, Pattern)]>,
}

/// A condition that occurs in the ground rule.
#[derive(Clone, Debug)]
pub(super) enum Emitted {
    /// The atom that matched this condition.
    Matched(usize, RelationId),
    /// The negation of an atom.
    Negated(RelationId, Box<[Source]>),
}

/// The join plan of a rule from one of its conditions.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub start: Option<Start>,
    pub steps: Vec<Step>,
    pub head: RelationId,
    pub head_args: Box<[Source]>,
    pub emitted: Box<[Emitted]>,
    pub silent: bool,
    /// Whether each instance is found only once.
    pub unique: bool,
    /// From this step on the head is bound.
    pub head_bound_at: usize,
    /// The scan to backtrack to after an instance.
    pub resume: Option<usize>,
    pub n_registers: usize,
    pub n_slots: usize,
}

impl Join {
    /// Approximately how many bytes the join takes.
    pub(super) fn bytes(&self) -> usize {
        200 + self.steps.len() * 200
    }
}

/// Plans the join of a rule from one of its conditions.
pub(super) fn plan(
    rule: &OpenRule,
    start: Option<usize>,
    sizes: &Sizes,
    (tables, store): (&mut [Table], &mut Store),
) -> Join {
    let mut order = Order::new(&rule.body, rule.n_variables, sizes, start);
    let first = start.map(|i| {
        let (relation, args) = rule.body[i].atom().expect("joins start from atoms");
        let patterns = patterns(args, &[], &mut order.bound, store);
        Start { slot: i, relation, patterns }
    });
    let head_is_bound = |bound: &[bool]| rule.head_args.iter().all(|arg| is_bound(arg, bound));
    let mut steps: Vec<Step> = Vec::with_capacity(rule.body.len());
    let (mut back, mut head_bound_at) = (None, 0);
    while let Some(i) = order.take() {
        let start_relation = first.as_ref().map(|start| start.relation);
        let before_start = start.is_some_and(|start| i < start);
        let before_start = before_start && rule.body[i].atom().map(|a| a.0) == start_relation;
        let is_head_open = !head_is_bound(&order.bound);
        if let Some(action) = action(rule, i, before_start, &mut order.bound, tables, store) {
            let is_scan = matches!(action, Action::Scan(_));
            steps.push(Step { action, back });
            back = if is_scan { Some(steps.len() - 1) } else { back };
        }
        if is_head_open {
            head_bound_at = steps.len();
        }
    }
    let resume = if rule.silent { last_scan(&steps[..head_bound_at]) } else { back };
    Join {
        start: first,
        steps,
        head: rule.head,
        head_args: sources(&rule.head_args, store),
        emitted: emitted(rule, store),
        silent: rule.silent,
        unique: false,
        head_bound_at,
        resume,
        n_registers: rule.n_variables,
        n_slots: rule.body.len(),
    }
}

fn last_scan(steps: &[Step]) -> Option<usize> {
    steps.iter().rposition(|step| matches!(step.action, Action::Scan(_)))
}

/// The action for a condition; `None` for one that only occurs in the ground rule.
fn action(
    rule: &OpenRule,
    slot: usize,
    before_start: bool,
    bound: &mut [bool],
    tables: &mut [Table],
    store: &mut Store,
) -> Option<Action> {
    match &rule.body[slot] {
        Condition::Distinct(left, right) => {
            Some(Action::Distinct(source(left, store), source(right, store)))
        }
        Condition::Absent { relation, args } => {
            Some(Action::Absent { relation: *relation, args: sources(args, store) })
        }
        Condition::Negative { .. } => None,
        Condition::Positive { relation, args, .. } => {
            let relation = *relation;
            if args.iter().all(|arg| is_bound(arg, bound)) {
                let args = sources(args, store);
                return Some(Action::Lookup { slot, relation, args, before_start });
            }
            let (paths, keys) = bound_positions(args, bound, store);
            let index = (!paths.is_empty())
                .then(|| (tables[relation.0 as usize].index(store, &paths), keys.into()));
            let patterns = patterns(args, &paths, bound, store);
            Some(Action::Scan(Scan { slot, relation, index, patterns, before_start }))
        }
    }
}

/// The conditions of a rule that occur in its ground instances.
fn emitted(rule: &OpenRule, store: &mut Store) -> Box<[Emitted]> {
    if rule.silent {
        return Box::default();
    }
    let emitted = rule.body.iter().enumerate().filter_map(|(slot, condition)| match condition {
        Condition::Positive { relation, kind: Kind::Open, .. } => {
            Some(Emitted::Matched(slot, *relation))
        }
        Condition::Negative { relation, args } => {
            Some(Emitted::Negated(*relation, sources(args, store)))
        }
        _ => None,
    });
    emitted.collect()
}

/// The bound argument positions of an atom, and the terms that give their values.
fn bound_positions(args: &[Term], bound: &[bool], store: &mut Store) -> (Vec<Path>, Vec<Source>) {
    let (mut paths, mut keys) = (Vec::new(), Vec::new());
    for (i, arg) in args.iter().enumerate() {
        if is_bound(arg, bound) {
            paths.push(Path::Argument(i as u16));
            keys.push(source(arg, store));
        } else if let Term::Function(name, inner) = arg {
            let functor = store.functor(*name, inner.len());
            for (j, part) in inner.iter().enumerate().filter(|(_, part)| is_bound(part, bound)) {
                paths.push(Path::Inside(i as u16, functor, j as u16));
                keys.push(source(part, store));
            }
        }
    }
    (paths, keys)
}

/// The patterns of the arguments that the index does not cover; their variables become bound.
fn patterns(
    args: &[Term],
    indexed: &[Path],
    bound: &mut [bool],
    store: &mut Store,
) -> Box<[(u16, Pattern)]> {
    let mut patterns = Vec::new();
    for (i, arg) in args.iter().enumerate() {
        if indexed.contains(&Path::Argument(i as u16)) {
            continue;
        }
        let pattern = match arg {
            Term::Function(name, inner) if !arg.is_ground() => {
                let functor = store.functor(*name, inner.len());
                let is_indexed =
                    |j: usize| indexed.contains(&Path::Inside(i as u16, functor, j as u16));
                let parts = inner.iter().enumerate().map(|(j, part)| {
                    if is_indexed(j) { Pattern::Any } else { pattern(part, bound, store) }
                });
                Pattern::Application(functor, parts.collect())
            }
            _ => pattern(arg, bound, store),
        };
        patterns.push((i as u16, pattern));
    }
    patterns.into()
}

fn pattern(term: &Term, bound: &mut [bool], store: &mut Store) -> Pattern {
    match term {
        Term::Variable(v) if std::mem::replace(&mut bound[v.0 as usize], true) => {
            Pattern::Same(v.0 as Register)
        }
        Term::Variable(v) => Pattern::Bind(v.0 as Register),
        _ if term.is_ground() => Pattern::Constant(ground_value(store, term)),
        Term::Constant(_) => unreachable!("constants are ground"),
        Term::Function(name, args) => {
            let functor = store.functor(*name, args.len());
            let parts = args.iter().map(|arg| pattern(arg, bound, store));
            Pattern::Application(functor, parts.collect())
        }
    }
}

fn sources(terms: &[Term], store: &mut Store) -> Box<[Source]> {
    terms.iter().map(|term| source(term, store)).collect()
}

fn source(term: &Term, store: &mut Store) -> Source {
    match term {
        Term::Variable(v) => Source::Register(v.0 as Register),
        _ if term.is_ground() => Source::Constant(ground_value(store, term)),
        Term::Constant(_) => unreachable!("constants are ground"),
        Term::Function(name, args) => {
            let functor = store.functor(*name, args.len());
            Source::Application(functor, sources(args, store))
        }
    }
}
