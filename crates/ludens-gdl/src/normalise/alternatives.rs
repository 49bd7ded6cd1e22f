//! Formulas to alternatives: negations pushed inwards, disjunctions written out.

use crate::ast::{Formula, Sentence, Term};

/// A rule whose disjunctions write out to more rules than this is refused.
pub(super) const MAX_ALTERNATIVES: usize = 65_536;

/// A rule whose alternatives have more conditions than this in all is refused.
const MAX_CONDITIONS: usize = 1 << 20;

/// A formula with negations pushed inwards.
pub(super) enum Normal<'a> {
    All(Vec<Normal<'a>>),
    Any(Vec<Normal<'a>>),
    Sentence(&'a Sentence, bool),
    Distinct(&'a Term, &'a Term),
    Equal(&'a Term, &'a Term),
}

/// Pushes negations inwards.
pub(super) fn push_inwards(formula: &Formula, positive: bool) -> Normal<'_> {
    match formula {
        Formula::Sentence(sentence) => Normal::Sentence(sentence, positive),
        Formula::Not(inner, _) => push_inwards(inner, !positive),
        Formula::Distinct(left, right, _) if positive => Normal::Distinct(left, right),
        Formula::Distinct(left, right, _) => Normal::Equal(left, right),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            let any = matches!(formula, Formula::Or(..)) == positive;
            let parts = parts.iter().map(|part| push_inwards(part, positive)).collect();
            if any { Normal::Any(parts) } else { Normal::All(parts) }
        }
    }
}

/// Disjunctive normal form, in the order of the text; `None` when it would be too large.
pub(super) fn alternatives<'a, 'f>(normal: &'a Normal<'f>) -> Option<Vec<Vec<&'a Normal<'f>>>> {
    match normal {
        Normal::All(parts) => {
            let mut product = vec![Vec::new()];
            for part in parts {
                product = multiply(product, alternatives(part)?)?;
            }
            Some(product)
        }
        Normal::Any(parts) => {
            let mut sum = Vec::new();
            for part in parts {
                sum.extend(alternatives(part)?);
                if sum.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            Some(sum)
        }
        leaf => Some(vec![vec![leaf]]),
    }
}

/// Each way to continue after each way to begin.
fn multiply<T: Clone>(mut begin: Vec<Vec<T>>, mut end: Vec<Vec<T>>) -> Option<Vec<Vec<T>>> {
    // The usual case; without it a long body would be copied for each of its conditions.
    if let ([prefix], [choice]) = (&mut begin[..], &mut end[..]) {
        prefix.append(choice);
        return Some(begin);
    }
    if begin.len() * end.len() > MAX_ALTERNATIVES {
        return None;
    }
    if conditions(&begin) * end.len() + conditions(&end) * begin.len() > MAX_CONDITIONS {
        return None;
    }
    if let [choice] = &end[..] {
        for prefix in &mut begin {
            prefix.extend_from_slice(choice);
        }
        return Some(begin);
    }
    let pairs = begin.iter().flat_map(|prefix| end.iter().map(move |choice| (prefix, choice)));
    Some(pairs.map(|(prefix, choice)| [&prefix[..], &choice[..]].concat()).collect())
}

fn conditions<T>(alternatives: &[Vec<T>]) -> usize {
    alternatives.iter().map(Vec::len).sum()
}
