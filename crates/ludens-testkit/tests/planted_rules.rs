//! Wrong ways to read compound terms, planted into rules: random descriptions must show each of them soon.

use ludens_core::Rng;
use ludens_gdl::Rules;
use ludens_gdl::rules::{Literal, Term};
use ludens_testkit::lockstep::{Aspect, Options, lockstep};
use ludens_testkit::naive::Naive;
use ludens_testkit::random_rules::{self, RandomRules};

/// Random descriptions among which each bug must show.
const DESCRIPTIONS: u64 = 200;

/// Rewrites the conditions of every rule; a condition that never holds is `None`.
fn rewrite(rules: &Rules, change: impl Fn(&Literal) -> Option<Vec<Literal>>) -> Rules {
    let mut planted = rules.clone();
    planted.rules.retain_mut(|rule| {
        let body: Option<Vec<Vec<Literal>>> = rule.body.iter().map(&change).collect();
        let holds = body.is_some();
        rule.body = body.unwrap_or_default().concat();
        holds
    });
    planted
}

fn compounds(literal: &Literal) -> Option<(&[Term], &[Term])> {
    match literal {
        Literal::Distinct(Term::Function(f, left), Term::Function(g, right)) if f == g => {
            Some((left, right))
        }
        _ => None,
    }
}

/// All arguments must differ, where one that differs is enough.
fn every_argument_differs(literal: &Literal) -> Option<Vec<Literal>> {
    let Some((left, right)) = compounds(literal) else { return Some(vec![literal.clone()]) };
    let pairs = left.iter().zip(right);
    Some(pairs.map(|(l, r)| Literal::Distinct(l.clone(), r.clone())).collect())
}

/// Only the first arguments are compared.
fn first_argument_differs(literal: &Literal) -> Option<Vec<Literal>> {
    let Some((left, right)) = compounds(literal) else { return Some(vec![literal.clone()]) };
    Some(vec![Literal::Distinct(left[0].clone(), right[0].clone())])
}

/// Compound terms are taken for equal, as two terms are that occur nowhere else and have no number.
fn compounds_are_equal(literal: &Literal) -> Option<Vec<Literal>> {
    compounds(literal).is_none().then(|| vec![literal.clone()])
}

/// Functions are not compared, only their arguments.
fn functions_are_ignored(literal: &Literal) -> Option<Vec<Literal>> {
    match literal {
        Literal::Distinct(Term::Function(_, left), Term::Function(_, right))
            if left.len() == right.len() =>
        {
            (left != right).then(|| vec![literal.clone()]).filter(|_| compounds(literal).is_some())
        }
        other => Some(vec![other.clone()]),
    }
}

/// A compound term inside a negated sentence is forgotten, so that the sentence is taken not to hold.
fn negated_compounds_never_hold(literal: &Literal) -> Option<Vec<Literal>> {
    let is_compound = |term: &Term| matches!(term, Term::Function(..));
    match literal {
        Literal::Negative(atom) if atom.args.iter().any(is_compound) => Some(Vec::new()),
        other => Some(vec![other.clone()]),
    }
}

/// The number of the first random description in which a bug shows.
fn found(change: fn(&Literal) -> Option<Vec<Literal>>) -> Option<u64> {
    let options = Options { games: 2, max_plies: 5, ..Options::default() };
    (0..DESCRIPTIONS).find(|&seed| {
        let kind = random_rules::Options { unsafe_rules: false };
        let text = RandomRules::new(&mut Rng::stream(19, &[seed]), kind).text;
        let rules = ludens_gdl::load(&text).0.expect("random rules load");
        let planted = rewrite(&rules, change);
        let (Ok(naive), Ok(wrong)) = (Naive::new(rules), Naive::new(planted)) else {
            return false;
        };
        let difference = lockstep(&naive, &wrong, &options).err();
        difference.is_some_and(|difference| difference.aspect != Aspect::FirstStopped)
    })
}

#[test]
fn random_rules_show_every_wrong_way_to_compare_terms() {
    for (name, change) in [
        ("every argument differs", every_argument_differs as fn(&_) -> _),
        ("first argument differs", first_argument_differs),
        ("compounds are equal", compounds_are_equal),
        ("functions are ignored", functions_are_ignored),
        ("negated compounds never hold", negated_compounds_never_hold),
    ] {
        assert!(found(change).is_some(), "{name}: not found in {DESCRIPTIONS} descriptions");
    }
    assert_eq!(found(|literal| Some(vec![literal.clone()])), None);
}
