//! Expands formulas to disjunctive normal form.

use crate::ast::{Formula, Sentence, Term};

/// A rule whose disjunctions expand to more rules than this is rejected.
pub(super) const MAX_ALTERNATIVES: usize = 65_536;

/// A rule whose alternatives have more conditions than this in total is rejected.
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

/// The disjunctive normal form, in the order of the text; `None` if it would be too large.
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

/// The conjunctions of each alternative of `left` with each of `right`.
fn multiply<T: Clone>(mut left: Vec<Vec<T>>, mut right: Vec<Vec<T>>) -> Option<Vec<Vec<T>>> {
    // The common case; without it a long body would be copied for each of its conditions.
    if let ([prefix], [choice]) = (&mut left[..], &mut right[..]) {
        prefix.append(choice);
        return Some(left);
    }
    if left.len() * right.len() > MAX_ALTERNATIVES {
        return None;
    }
    if conditions(&left) * right.len() + conditions(&right) * left.len() > MAX_CONDITIONS {
        return None;
    }
    if let [choice] = &right[..] {
        for prefix in &mut left {
            prefix.extend_from_slice(choice);
        }
        return Some(left);
    }
    let pairs = left.iter().flat_map(|prefix| right.iter().map(move |choice| (prefix, choice)));
    Some(pairs.map(|(prefix, choice)| [&prefix[..], &choice[..]].concat()).collect())
}

fn conditions<T>(alternatives: &[Vec<T>]) -> usize {
    alternatives.iter().map(Vec::len).sum()
}
