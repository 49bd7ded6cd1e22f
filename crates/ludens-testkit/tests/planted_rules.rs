//! Wrong semantics of compound terms, planted into rules: random descriptions must reveal each of them soon.

use ludens_core::Rng;
use ludens_gdl::Rules;
use ludens_gdl::rules::{Literal, Term, Variable};
use ludens_testkit::lockstep::{Aspect, Options, lockstep};
use ludens_testkit::naive::Naive;
use ludens_testkit::random_rules::{self, RandomRules};

/// The number of random descriptions among which each bug must be detected.
const DESCRIPTIONS: u64 = 200;

/// The effect of a bug on a condition.
type Change = fn(&Literal) -> Vec<Literal>;

fn rewrite(rules: &Rules, change: Change) -> Rules {
    let mut planted = rules.clone();
    for rule in &mut planted.rules {
        rule.body = rule.body.iter().flat_map(change).collect();
    }
    planted
}

/// The arguments of two compound terms with the same function that must differ.
fn compounds(literal: &Literal) -> Option<(&[Term], &[Term])> {
    match literal {
        Literal::Distinct(Term::Function(f, left), Term::Function(g, right)) if f == g => {
            Some((left, right))
        }
        _ => None,
    }
}

/// A condition that never holds.
fn never() -> Vec<Literal> {
    let term = Term::Variable(Variable(0));
    vec![Literal::Distinct(term.clone(), term)]
}

fn correct(literal: &Literal) -> Vec<Literal> {
    vec![literal.clone()]
}

/// All arguments must differ, where one that differs is enough.
fn every_argument_differs(literal: &Literal) -> Vec<Literal> {
    let Some((left, right)) = compounds(literal) else { return correct(literal) };
    let pairs = left.iter().zip(right);
    pairs.map(|(l, r)| Literal::Distinct(l.clone(), r.clone())).collect()
}

/// Only the first arguments are compared.
fn first_argument_differs(literal: &Literal) -> Vec<Literal> {
    let Some((left, right)) = compounds(literal) else { return correct(literal) };
    vec![Literal::Distinct(left[0].clone(), right[0].clone())]
}

/// Compound terms are considered equal, like two terms that occur nowhere else and have no number.
fn compounds_are_equal(literal: &Literal) -> Vec<Literal> {
    if compounds(literal).is_some() { never() } else { correct(literal) }
}

/// A term inside a negated sentence is not found, so that the sentence is considered false.
fn negated_compounds_never_hold(literal: &Literal) -> Vec<Literal> {
    let is_compound = |term: &Term| matches!(term, Term::Function(..));
    match literal {
        Literal::Negative(atom) if atom.args.iter().any(is_compound) => Vec::new(),
        other => correct(other),
    }
}

/// The number of the first random description in which a bug is detected.
fn found(change: Change) -> Option<u64> {
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
fn random_rules_reveal_every_wrong_comparison_of_terms() {
    let bugs: [(&str, Change); 4] = [
        ("every argument differs", every_argument_differs),
        ("first argument differs", first_argument_differs),
        ("compounds are equal", compounds_are_equal),
        ("negated compounds never hold", negated_compounds_never_hold),
    ];
    for (name, change) in bugs {
        assert!(found(change).is_some(), "{name}: not found in {DESCRIPTIONS} descriptions");
    }
    assert_eq!(found(correct), None);
}
