//! Computes relations only for the arguments that some rule demands.
//!
//! This is the magic-sets transformation with supplementary relations (Beeri and Ramakrishnan
//! 1991), for chosen relations only. A demanded relation gets a magic relation that holds the
//! arguments bound where it is called, with one binding pattern for all callers. The magic relation
//! follows from the conditions before the call; it limits which instances are found and never occurs
//! in the ground rules. Negative conditions demand as well.

mod callers;

use std::borrow::Cow;

use ludens_gdl::rules::{RelationId, Term, Variable};
use rustc_hash::FxHashMap;

use super::program::{Condition, Kind, OpenRule, Origin, Program};
use super::split::Renaming;
use callers::Callers;

/// Whether a relation can be computed on demand in addition to those that are.
pub(super) fn can_demand(
    program: &Program,
    sizes: &[f64],
    demanded: &[bool],
    relation: RelationId,
) -> bool {
    let i = relation.0 as usize;
    if i >= demanded.len() || demanded[i] || program.is_root(relation) {
        return false;
    }
    let mut more = demanded.to_vec();
    more[i] = true;
    let callers = Callers::new(program, sizes, more);
    callers.bindings[i] != Some(0)
}

/// The program in which some relations are computed on demand.
pub(super) fn restrict<'p>(
    program: &'p Program,
    sizes: &[f64],
    demanded: &[bool],
) -> Cow<'p, Program> {
    if !demanded.contains(&true) {
        return Cow::Borrowed(program);
    }
    let mut callers = Callers::new(program, sizes, demanded.to_vec());
    // A relation with a caller that binds no argument must be computed as a whole, which leaves
    // less bound at the calls after it.
    while let Some(whole) = (0..demanded.len()).find(|&i| callers.bindings[i] == Some(0)) {
        let mut fewer = std::mem::take(&mut callers.sizes.demanded);
        fewer[whole] = false;
        callers = Callers::new(program, sizes, fewer);
    }
    Cow::Owned(Restriction::of(&callers))
}

/// The transformed program under construction.
struct Restriction<'a> {
    callers: &'a Callers<'a>,
    out: Program,
    /// The magic relation of each demanded relation.
    magic_relations: FxHashMap<RelationId, RelationId>,
    /// The supplementary relations so far; equal ones are shared.
    supplements: FxHashMap<(Vec<Condition>, Vec<Term>), RelationId>,
}

impl<'a> Restriction<'a> {
    fn of(callers: &'a Callers<'a>) -> Program {
        let out = callers.program.without_rules();
        let (magic_relations, supplements) = (FxHashMap::default(), FxHashMap::default());
        let mut restriction = Restriction { callers, out, magic_relations, supplements };
        for rule in &callers.program.rules {
            let uncalled = callers.bindings[rule.head.0 as usize].is_none();
            if !(callers.is_demanded(rule.head) && uncalled) {
                restriction.add(rule);
            }
        }
        restriction.out
    }

    /// The magic atom for a call of a relation with these arguments.
    fn magic_atom(&mut self, relation: RelationId, args: &[Term]) -> (RelationId, Vec<Term>) {
        let args: Vec<Term> = self.callers.bound_args(relation, args).cloned().collect();
        let out = &mut self.out;
        let magic_relation = *self
            .magic_relations
            .entry(relation)
            .or_insert_with(|| out.add_relation(args.len(), Origin::Demand));
        (magic_relation, args)
    }

    /// Adds a rule, limited to what is demanded, and its own demands.
    fn add(&mut self, rule: &OpenRule) {
        let guard = self.callers.is_demanded(rule.head).then(|| {
            let (relation, args) = self.magic_atom(rule.head, &rule.head_args);
            Condition::Positive { relation, args, kind: Kind::Guard }
        });
        for call in self.callers.calls(rule) {
            let (relation, args) = rule.body[call.condition].atom().expect("calls name atoms");
            let (head, head_args) = self.magic_atom(relation, args);
            let before = call.before.iter().map(|&i| rule.body[i].clone());
            let body: Vec<Condition> = guard.iter().cloned().chain(before).collect();
            let body = connected(body, &head_args, rule.n_variables, guard.is_some());
            let is_trivial =
                guard.as_ref().and_then(Condition::atom) == Some((head, &head_args[..]));
            if !is_trivial {
                self.add_demand(head, &head_args, body, rule.n_variables);
            }
        }
        let body = guard.into_iter().chain(rule.body.iter().cloned()).collect();
        self.out.rules.push(OpenRule { body, ..rule.clone() });
    }

    /// Adds the rule that derives a magic atom from some conditions, in this order. A supplementary
    /// relation drops variables that are no longer needed.
    fn add_demand(
        &mut self,
        head: RelationId,
        args: &[Term],
        body: Vec<Condition>,
        n_variables: usize,
    ) {
        let mut last_use = vec![0; n_variables];
        for (i, condition) in body.iter().enumerate() {
            condition.variables(&mut |v| last_use[v] = i);
        }
        for arg in args {
            arg.variables(&mut |v| last_use[v.0 as usize] = usize::MAX);
        }
        let end = body.len();
        let mut segment: Vec<Condition> = Vec::new();
        for (i, condition) in body.into_iter().enumerate() {
            segment.push(condition);
            let (mut needed, mut drops) = (Vec::new(), false);
            for condition in &segment {
                condition.variables(&mut |v| {
                    if last_use[v] > i { needed.push(v) } else { drops = true }
                });
            }
            if drops && i + 1 < end {
                needed.sort_unstable();
                needed.dedup();
                let supplement = self.supplement(&segment, &needed, n_variables);
                segment = vec![supplement];
            }
        }
        let head_args = args.to_vec();
        self.out.rules.push(OpenRule { head, head_args, body: segment, n_variables, silent: true });
    }

    fn supplement(
        &mut self,
        body: &[Condition],
        needed: &[usize],
        n_variables: usize,
    ) -> Condition {
        let mut renaming = Renaming::new(n_variables);
        let body: Vec<Condition> = body.iter().map(|c| renaming.condition(c)).collect();
        let variable = |v: usize| Term::Variable(Variable(v as u32));
        let head: Vec<Term> = needed.iter().map(|&v| renaming.term(&variable(v))).collect();
        let args = needed.iter().map(|&v| variable(v)).collect();
        let n_variables = renaming.count();
        let key = (body, head);
        let relation = if let Some(&relation) = self.supplements.get(&key) {
            relation
        } else {
            let relation = self.out.add_relation(needed.len(), Origin::Demand);
            let (body, head_args) = key.clone();
            let rule = OpenRule { head: relation, head_args, body, n_variables, silent: true };
            self.out.rules.push(rule);
            self.supplements.insert(key, relation);
            relation
        };
        Condition::Positive { relation, args, kind: Kind::Guard }
    }
}

/// The conditions that share variables with some terms, directly or through other conditions; and
/// the first if `keep_first`.
fn connected(
    body: Vec<Condition>,
    args: &[Term],
    n_variables: usize,
    keep_first: bool,
) -> Vec<Condition> {
    let mut relevant = vec![false; n_variables];
    for arg in args {
        arg.variables(&mut |v| relevant[v.0 as usize] = true);
    }
    let mut kept = vec![false; body.len()];
    loop {
        let mut changed = false;
        for (i, condition) in body.iter().enumerate() {
            let mut touches = keep_first && i == 0;
            condition.variables(&mut |v| touches |= relevant[v]);
            if touches && !kept[i] {
                condition.variables(&mut |v| relevant[v] = true);
                (kept[i], changed) = (true, true);
            }
        }
        if !changed {
            break;
        }
    }
    body.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(c, _)| c).collect()
}
