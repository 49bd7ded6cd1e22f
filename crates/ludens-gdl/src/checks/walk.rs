//! Traversals of statements.

use crate::ast::{Formula, Name, Sentence, Statement, Term};

/// The formulas of the body; none for a fact.
pub(crate) fn body(statement: &Statement) -> &[Formula] {
    statement.body.as_deref().unwrap_or_default()
}

/// Calls `visit` for each formula, outer ones first.
pub(crate) fn formulas<'a>(parts: &'a [Formula], visit: &mut impl FnMut(&'a Formula)) {
    for part in parts {
        visit(part);
        match part {
            Formula::Not(inner, _) => formulas(std::slice::from_ref(&**inner), visit),
            Formula::Or(parts, _) | Formula::And(parts, _) => formulas(parts, visit),
            Formula::Sentence(_) | Formula::Distinct(..) => {}
        }
    }
}

/// Calls `visit` for each sentence of a body, with whether it must hold.
pub(crate) fn sentences<'a>(parts: &'a [Formula], visit: &mut impl FnMut(&'a Sentence, bool)) {
    for part in parts {
        signed(part, true, visit);
    }
}

fn signed<'a>(formula: &'a Formula, positive: bool, visit: &mut impl FnMut(&'a Sentence, bool)) {
    match formula {
        Formula::Sentence(sentence) => visit(sentence, positive),
        Formula::Not(inner, _) => signed(inner, !positive, visit),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            for part in parts {
                signed(part, positive, visit);
            }
        }
        Formula::Distinct(..) => {}
    }
}

/// Calls `visit` for each term of a statement and each term inside of it, outer ones first.
pub(crate) fn terms<'a>(statement: &'a Statement, visit: &mut impl FnMut(&'a Term)) {
    for arg in &statement.head.args {
        subterms(arg, visit);
    }
    formulas(body(statement), &mut |formula| match formula {
        Formula::Sentence(sentence) => sentence.args.iter().for_each(|arg| subterms(arg, visit)),
        Formula::Distinct(left, right, _) => {
            subterms(left, visit);
            subterms(right, visit);
        }
        Formula::Not(..) | Formula::Or(..) | Formula::And(..) => {}
    });
}

fn subterms<'a>(term: &'a Term, visit: &mut impl FnMut(&'a Term)) {
    visit(term);
    if let Term::Function { args, .. } = term {
        for arg in args {
            subterms(arg, visit);
        }
    }
}

/// Calls `visit` for each sentence of a statement, its head first.
pub(crate) fn all_sentences<'a>(statement: &'a Statement, visit: &mut impl FnMut(&'a Sentence)) {
    visit(&statement.head);
    sentences(body(statement), &mut |sentence, _| visit(sentence));
}

/// Calls `visit` for each word of a statement that is not a connective.
pub(crate) fn names(statement: &Statement, visit: &mut impl FnMut(Name)) {
    all_sentences(statement, &mut |sentence| visit(sentence.name));
    terms(statement, &mut |term| match term {
        Term::Constant(name) | Term::Variable(name) | Term::Function { name, .. } => visit(*name),
    });
}

/// Calls `visit` for each variable of a sentence.
pub(crate) fn variables(sentence: &Sentence, visit: &mut impl FnMut(Name)) {
    for arg in &sentence.args {
        arg.variables(visit);
    }
}
