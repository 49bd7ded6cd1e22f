//! The rules as the grounder runs them: static relations are separate from those to be computed.

use ludens_gdl::Dependencies;
use ludens_gdl::rules::{self, Keywords, Literal, RelationId, Rules, Term};
use ludens_logic::Statics;
use rustc_hash::FxHashSet;

/// How a positive condition is matched, and whether it occurs in the ground rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Its atoms are found during grounding; the atom occurs in the ground rule.
    Open,
    /// Its atoms are found during grounding; an atom that is found always holds, or expresses a
    /// demand, so that it does not occur in the ground rule.
    Guard,
    /// All its atoms are static, and always hold.
    Static,
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Condition {
    /// The atom must be possible.
    Positive { relation: RelationId, args: Vec<Term>, kind: Kind },
    /// The atom must not be known to hold: a test.
    Absent { relation: RelationId, args: Vec<Term> },
    /// The atom occurs negated in the ground rule.
    Negative { relation: RelationId, args: Vec<Term> },
    /// A test.
    Distinct(Term, Term),
}

impl Condition {
    /// Calls `visit` with the number of each occurrence of a variable.
    pub(super) fn variables(&self, visit: &mut impl FnMut(usize)) {
        let mut each = |term: &Term| term.variables(&mut |v| visit(v.0 as usize));
        match self {
            Condition::Positive { args, .. }
            | Condition::Absent { args, .. }
            | Condition::Negative { args, .. } => args.iter().for_each(each),
            Condition::Distinct(left, right) => {
                each(left);
                each(right);
            }
        }
    }

    /// Whether the condition binds its variables.
    pub(super) fn is_positive(&self) -> bool {
        matches!(self, Condition::Positive { .. })
    }

    /// Whether the condition is static.
    pub(super) fn is_static(&self) -> bool {
        match self {
            Condition::Positive { kind, .. } => *kind == Kind::Static,
            Condition::Negative { .. } => false,
            Condition::Absent { .. } | Condition::Distinct(..) => true,
        }
    }

    /// The relation and arguments that the condition names.
    pub(super) fn atom(&self) -> Option<(RelationId, &[Term])> {
        match self {
            Condition::Positive { relation, args, .. }
            | Condition::Absent { relation, args }
            | Condition::Negative { relation, args } => Some((*relation, args)),
            Condition::Distinct(..) => None,
        }
    }
}

/// A rule to be instantiated.
#[derive(Clone, Debug)]
pub(super) struct OpenRule {
    pub head: RelationId,
    pub head_args: Vec<Term>,
    pub body: Vec<Condition>,
    pub n_variables: usize,
    /// Whether only the atoms of the head are needed, and no ground rules.
    pub silent: bool,
}

/// Where a relation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The description names it.
    Text,
    /// It was split off a rule.
    Part,
    /// It holds the arguments with which a relation is demanded.
    Demand,
}

/// A relation of the program.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub name: String,
    pub arity: usize,
    pub origin: Origin,
}

/// The relations and the rules whose instances are to be found.
#[derive(Clone)]
pub(super) struct Program {
    pub relations: Vec<Relation>,
    /// Rules for static split-off relations, in dependency order.
    pub static_rules: Vec<OpenRule>,
    pub rules: Vec<OpenRule>,
    pub keywords: Keywords,
}

impl Program {
    /// The rules of a description except those of static relations.
    pub(super) fn new(rules: &Rules, dependencies: &Dependencies, statics: &Statics) -> Self {
        let relations = rules.relations.iter().map(|relation| Relation {
            name: rules.symbols.text(relation.name).to_owned(),
            arity: relation.arity as usize,
            origin: Origin::Text,
        });
        let exact = exact_relations(rules, dependencies, statics);
        let keywords = rules.keywords;
        let reserved = [keywords.truth, keywords.does, keywords.base, keywords.input];
        let open = rules.rules.iter().filter(|rule| {
            let head = rule.head.relation;
            statics.tuples(head).is_none() && !reserved.contains(&head)
        });
        let open = open.map(|rule| open_rule(rule, statics, &exact)).collect();
        let static_rules = Vec::new();
        Program { relations: relations.collect(), static_rules, rules: open, keywords }
    }

    /// The same relations, with static rules only.
    pub(super) fn without_rules(&self) -> Self {
        Program {
            relations: self.relations.clone(),
            static_rules: self.static_rules.clone(),
            rules: Vec::new(),
            keywords: self.keywords,
        }
    }

    /// Approximately how many bytes it takes, with the copy that others are made from.
    pub(super) fn bytes(&self) -> usize {
        let rules = self.rules.iter().map(|rule| 200 + rule.body.len() * 180);
        2 * rules.sum::<usize>() + self.relations.len() * 400
    }

    /// A new relation.
    pub(super) fn add_relation(&mut self, arity: usize, origin: Origin) -> RelationId {
        let id = RelationId(self.relations.len() as u32);
        let word = if origin == Origin::Part { "part" } else { "demand" };
        self.relations.push(Relation { name: format!("{word}*{}", id.0), arity, origin });
        id
    }

    /// Whether play needs the whole relation.
    pub(super) fn is_root(&self, relation: RelationId) -> bool {
        let k = &self.keywords;
        [k.truth, k.does, k.next, k.legal, k.goal, k.terminal, k.init, k.role].contains(&relation)
    }
}

/// The relations that depend neither on the state nor on moves and whose possible atoms all hold,
/// because they do not depend on the negation of a relation that is not static.
fn exact_relations(rules: &Rules, dependencies: &Dependencies, statics: &Statics) -> Vec<bool> {
    let mut exact = vec![false; rules.relations.len()];
    let mut rules_of = vec![Vec::new(); rules.relations.len()];
    for rule in &rules.rules {
        rules_of[rule.head.relation.0 as usize].push(rule);
    }
    for component in dependencies.components() {
        let (first, here) = (component[0], dependencies.component_of(component[0]));
        if dependencies.needs_state(first) || dependencies.needs_moves(first) {
            continue;
        }
        let is_static = |relation: RelationId| statics.tuples(relation).is_some();
        let literals = component.iter().flat_map(|r| &rules_of[r.0 as usize]);
        let is_exact = literals.flat_map(|rule| &rule.body).all(|literal| match literal {
            Literal::Positive(atom) => {
                is_static(atom.relation)
                    || exact[atom.relation.0 as usize]
                    || dependencies.component_of(atom.relation) == here
            }
            Literal::Negative(atom) => is_static(atom.relation),
            Literal::Distinct(..) => true,
        });
        for relation in component.iter().filter(|r| is_exact && !is_static(**r)) {
            exact[relation.0 as usize] = true;
        }
    }
    exact
}

fn open_rule(rule: &rules::Rule, statics: &Statics, exact: &[bool]) -> OpenRule {
    let is_static = |relation| statics.tuples(relation).is_some();
    let condition = |literal: &Literal| match literal {
        Literal::Distinct(left, right) => Condition::Distinct(left.clone(), right.clone()),
        Literal::Positive(atom) => {
            let kind = if is_static(atom.relation) {
                Kind::Static
            } else if exact[atom.relation.0 as usize] {
                Kind::Guard
            } else {
                Kind::Open
            };
            Condition::Positive { relation: atom.relation, args: atom.args.clone(), kind }
        }
        Literal::Negative(atom) if is_static(atom.relation) => {
            Condition::Absent { relation: atom.relation, args: atom.args.clone() }
        }
        Literal::Negative(atom) => {
            Condition::Negative { relation: atom.relation, args: atom.args.clone() }
        }
    };
    let mut seen = FxHashSet::default();
    OpenRule {
        head: rule.head.relation,
        head_args: rule.head.args.clone(),
        body: rule.body.iter().filter(|l| seen.insert(*l)).map(condition).collect(),
        n_variables: rule.variables.len(),
        silent: exact[rule.head.relation.0 as usize],
    }
}
