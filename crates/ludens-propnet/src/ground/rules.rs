//! The rules as the grounder runs them: what is known completely apart from what is found.

use ludens_gdl::rules::{self, Literal, RelationId, Rules, Term};
use ludens_logic::Statics;

/// A condition of a rule.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The atom must be possible; it stands in the ground rule unless it is known to hold.
    Positive { relation: RelationId, args: Vec<Term>, known: bool },
    /// The atom must not be known to hold: a test.
    Absent { relation: RelationId, args: Vec<Term> },
    /// The atom stands negated in the ground rule.
    Negative { relation: RelationId, args: Vec<Term> },
    /// A test.
    Distinct(Term, Term),
}

/// A rule to be instantiated.
#[derive(Clone, Debug)]
pub(super) struct OpenRule {
    pub head: RelationId,
    pub head_args: Vec<Term>,
    pub body: Vec<Condition>,
    pub n_variables: usize,
}

/// The rules whose instances must be found: all but those for relations that are known already.
pub(super) fn open_rules(rules: &Rules, statics: &Statics) -> Vec<OpenRule> {
    let keywords = &rules.keywords;
    let reserved = [keywords.truth, keywords.does, keywords.base, keywords.input];
    let open = rules.rules.iter().filter(|rule| {
        let head = rule.head.relation;
        statics.tuples(head).is_none() && !reserved.contains(&head)
    });
    open.map(|rule| open_rule(rule, statics)).collect()
}

fn open_rule(rule: &rules::Rule, statics: &Statics) -> OpenRule {
    let condition = |literal: &Literal| match literal {
        Literal::Distinct(left, right) => Condition::Distinct(left.clone(), right.clone()),
        Literal::Positive(atom) => Condition::Positive {
            relation: atom.relation,
            args: atom.args.clone(),
            known: statics.tuples(atom.relation).is_some(),
        },
        Literal::Negative(atom) if statics.tuples(atom.relation).is_some() => {
            Condition::Absent { relation: atom.relation, args: atom.args.clone() }
        }
        Literal::Negative(atom) => {
            Condition::Negative { relation: atom.relation, args: atom.args.clone() }
        }
    };
    OpenRule {
        head: rule.head.relation,
        head_args: rule.head.args.clone(),
        body: rule.body.iter().map(condition).collect(),
        n_variables: rule.variables.len(),
    }
}
