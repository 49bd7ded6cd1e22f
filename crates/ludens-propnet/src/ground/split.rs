//! Splits rules: conditions whose variables are used nowhere else become a relation of their own,
//! so that the choices for these variables do not multiply with all others.
//!
//! This is variable elimination, known from queries of bounded treewidth; variables that join the
//! fewest others are eliminated first.

use std::borrow::Cow;

use ludens_gdl::rules::{RelationId, Term, Variable};
use rustc_hash::FxHashMap;

use super::order::{Order, Sizes, UNKNOWN_SIZE};
use super::program::{Condition, Kind, OpenRule, Origin, Program};

/// Rules with more non-static conditions than this are joined piece by piece, because each of them
/// would start a join with all the others.
const MAX_OPEN: usize = 24;

/// Variables of rules with more conditions than this are not eliminated: finding the best one takes
/// quadratic time.
const MAX_SPLIT: usize = 200;

/// The program with its long rules cut, and all rules split if `split`.
pub(super) fn prepare(program: &Program, split: bool) -> Cow<'_, Program> {
    if !split && !program.rules.iter().any(is_long) {
        return Cow::Borrowed(program);
    }
    let mut out = program.without_rules();
    let mut parts = Parts { program: &mut out, by_body: FxHashMap::default() };
    for rule in &program.rules {
        let mut rule = rule.clone();
        if split && rule.body.len() <= MAX_SPLIT {
            while let Some(group) = best_group(&rule) {
                parts.replace(&mut rule, &group);
            }
        }
        while is_long(&rule) {
            let group = first_piece(&rule);
            parts.replace(&mut rule, &group);
        }
        parts.program.rules.push(rule);
    }
    Cow::Owned(out)
}

/// Conditions to be split off.
struct Group {
    /// The conditions, in ascending order.
    members: Vec<usize>,
    /// The variables that the rest of the rule needs, in ascending order.
    shared: Vec<usize>,
}

/// The conditions in which each variable occurs, and whether it occurs in the head.
struct Uses {
    conditions: Vec<Vec<usize>>,
    in_head: Vec<bool>,
}

impl Uses {
    fn of(rule: &OpenRule) -> Self {
        let mut uses = Uses {
            conditions: vec![Vec::new(); rule.n_variables],
            in_head: vec![false; rule.n_variables],
        };
        for arg in &rule.head_args {
            arg.variables(&mut |v| uses.in_head[v.0 as usize] = true);
        }
        for (i, condition) in rule.body.iter().enumerate() {
            condition.variables(&mut |v| {
                if uses.conditions[v].last() != Some(&i) {
                    uses.conditions[v].push(i);
                }
            });
        }
        uses
    }

    /// Whether a variable occurs in the head or in a condition that is not a member.
    fn is_shared(&self, variable: usize, members: &[usize]) -> bool {
        let inside = |i: &usize| members.binary_search(i).is_ok();
        self.in_head[variable] || !self.conditions[variable].iter().all(inside)
    }
}

fn variables_of(rule: &OpenRule, members: &[usize]) -> Vec<usize> {
    let mut all = Vec::new();
    for &i in members {
        rule.body[i].variables(&mut |v| all.push(v));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The conditions to split off next: those of the variable that joins the fewest others.
fn best_group(rule: &OpenRule) -> Option<Group> {
    let uses = Uses::of(rule);
    let candidates = (0..rule.n_variables)
        .filter(|&v| !uses.in_head[v] && !uses.conditions[v].is_empty())
        .map(|v| &uses.conditions[v]);
    let groups = candidates.filter_map(|members| {
        let variables = variables_of(rule, members);
        let (width, size) = (variables.len(), members.len());
        let group = group(rule, &uses, members, &variables)?;
        Some(((width, size, members[0]), group))
    });
    groups.min_by_key(|(key, _)| *key).map(|(_, group)| group)
}

/// The group of these conditions, if splitting them off is possible and useful.
fn group(rule: &OpenRule, uses: &Uses, members: &[usize], variables: &[usize]) -> Option<Group> {
    let is_safe = |v: &usize| {
        members.iter().any(|i| rule.body[*i].is_positive() && uses.conditions[*v].contains(i))
    };
    if members.len() == rule.body.len() || !variables.iter().all(is_safe) {
        return None;
    }
    let shared: Vec<usize> =
        variables.iter().copied().filter(|&v| uses.is_shared(v, members)).collect();
    // A relation with more variables than any of its conditions may be larger than the whole rule.
    let widest = members.iter().map(|&i| variables_of(rule, &[i]).len()).max()?;
    let is_static = members.iter().all(|&i| rule.body[i].is_static());
    let rest = (0..rule.body.len()).filter(|i| members.binary_search(i).is_err());
    // The rest must multiply the instances, or there is nothing to gain.
    let multiplies = rest.clone().any(|i| {
        let mut new = !rule.body[i].is_static();
        rule.body[i].variables(&mut |v| new |= variables.binary_search(&v).is_err());
        new
    });
    (shared.len() <= widest && (is_static || multiplies))
        .then(|| Group { members: members.to_vec(), shared })
}

fn is_long(rule: &OpenRule) -> bool {
    let open = |condition: &&Condition| condition.is_positive() && !condition.is_static();
    rule.body.iter().filter(open).count() > MAX_OPEN
}

/// The conditions of a long rule that are joined first.
fn first_piece(rule: &OpenRule) -> Group {
    let n_relations = rule.body.iter().filter_map(Condition::atom).map(|a| a.0.0).max();
    let n_relations = n_relations.map_or(0, |n| n as usize + 1);
    let sizes = Sizes { atoms: vec![UNKNOWN_SIZE; n_relations], demanded: Vec::new() };
    let mut order = Order::new(&rule.body, rule.n_variables, &sizes, None);
    let mut members = Vec::new();
    let mut n_open = 0;
    while n_open < MAX_OPEN {
        let Some(i) = order.take() else { break };
        let condition = &rule.body[i];
        if condition.is_positive() {
            order.bind(condition);
            n_open += usize::from(!condition.is_static());
            members.push(i);
        }
    }
    members.sort_unstable();
    let uses = Uses::of(rule);
    let mut shared = variables_of(rule, &members);
    shared.retain(|&v| uses.is_shared(v, &members));
    Group { members, shared }
}

/// The split-off relations so far; equal ones are shared.
struct Parts<'a> {
    program: &'a mut Program,
    by_body: FxHashMap<(Vec<Condition>, Vec<Term>), (RelationId, Kind)>,
}

impl Parts<'_> {
    /// Replaces a group by one condition.
    fn replace(&mut self, rule: &mut OpenRule, group: &Group) {
        let mut renaming = Renaming::new(rule.n_variables);
        let members = group.members.iter().map(|&i| &rule.body[i]);
        let body: Vec<Condition> = members.map(|c| renaming.condition(c)).collect();
        let mut shared: Vec<(u32, usize)> =
            group.shared.iter().map(|&v| (renaming.name(v), v)).collect();
        shared.sort_unstable();
        let variable = |v: u32| Term::Variable(Variable(v));
        let head: Vec<Term> = shared.iter().map(|&(name, _)| variable(name)).collect();
        let args: Vec<Term> = shared.iter().map(|&(_, v)| variable(v as u32)).collect();
        let (relation, kind) = self.part(body, head, renaming.count());
        let mut i = 0;
        rule.body.retain(|_| {
            i += 1;
            group.members.binary_search(&(i - 1)).is_err()
        });
        rule.body.insert(0, Condition::Positive { relation, args, kind });
    }

    fn part(
        &mut self,
        body: Vec<Condition>,
        head: Vec<Term>,
        n_variables: usize,
    ) -> (RelationId, Kind) {
        let key = (body, head);
        if let Some(&found) = self.by_body.get(&key) {
            return found;
        }
        let relation = self.program.add_relation(key.1.len(), Origin::Part);
        let kind = kind(&key.0);
        let rule = OpenRule {
            head: relation,
            head_args: key.1.clone(),
            body: key.0.clone(),
            n_variables,
            silent: kind != Kind::Open,
        };
        if kind == Kind::Static {
            self.program.static_rules.push(rule);
        } else {
            self.program.rules.push(rule);
        }
        self.by_body.insert(key, (relation, kind));
        (relation, kind)
    }
}

/// The kind of a condition that replaces all of these.
fn kind(body: &[Condition]) -> Kind {
    let one = |condition: &Condition| match condition {
        _ if condition.is_static() => Kind::Static,
        Condition::Positive { kind, .. } => *kind,
        _ => Kind::Open,
    };
    let rank = |kind: Kind| match kind {
        Kind::Open => 0,
        Kind::Guard => 1,
        Kind::Static => 2,
    };
    body.iter().map(one).min_by_key(|s| rank(*s)).unwrap_or(Kind::Static)
}

/// Renumbers variables in order of appearance.
pub(super) struct Renaming {
    names: Vec<Option<u32>>,
    count: u32,
}

impl Renaming {
    pub(super) fn new(n_variables: usize) -> Self {
        Renaming { names: vec![None; n_variables], count: 0 }
    }

    /// The number of variables seen so far.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    pub(super) fn condition(&mut self, condition: &Condition) -> Condition {
        let mut terms = |terms: &[Term]| terms.iter().map(|term| self.term(term)).collect();
        match condition {
            Condition::Positive { relation, args, kind } => {
                Condition::Positive { relation: *relation, args: terms(args), kind: *kind }
            }
            Condition::Absent { relation, args } => {
                Condition::Absent { relation: *relation, args: terms(args) }
            }
            Condition::Negative { relation, args } => {
                Condition::Negative { relation: *relation, args: terms(args) }
            }
            Condition::Distinct(left, right) => {
                Condition::Distinct(self.term(left), self.term(right))
            }
        }
    }

    pub(super) fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Constant(name) => Term::Constant(*name),
            Term::Variable(v) => Term::Variable(Variable(self.name(v.0 as usize))),
            Term::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| self.term(arg)).collect())
            }
        }
    }

    fn name(&mut self, variable: usize) -> u32 {
        *self.names[variable].get_or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }
}
