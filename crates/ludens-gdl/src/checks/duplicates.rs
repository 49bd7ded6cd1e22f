//! Checks that no statement is repeated.

use rustc_hash::FxHashMap;

use super::key::Key;
use super::keyword::Keyword;
use super::outline::Outline;
use crate::diagnostic::{Code, Diagnostic, Problems};

/// Reports repeated statements, also if the names of variables differ.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let mut first = FxHashMap::default();
    for statement in &outline.description.statements {
        // Roles have a check of their own.
        if outline.keyword(&statement.head) == Some(Keyword::Role) {
            continue;
        }
        let earlier = *first.entry(Key::of_statement(statement)).or_insert(statement.span);
        if earlier == statement.span {
            continue;
        }
        problems.add(Code::Duplicate, statement.span, || {
            let kind = if statement.body.is_some() { "rule" } else { "fact" };
            let name = outline.spelling(statement.head.name.symbol);
            let message = format!("this {kind} for `{name}` was stated before");
            Diagnostic::new(Code::Duplicate, statement.span, message)
                .hint("remove one of the two")
                .related(earlier, "first stated here")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn statements_are_made_once() {
        assert_eq!(
            shown("(p a)\n(<= (p ?x) (q ?x ?y))\n(<= (p ?y) (q ?y ?z))\n(p  A)", "W0408"),
            "W0408 3:1 this rule for `p` was stated before\n\
             W0408 4:1 this fact for `p` was stated before\n"
        );
    }

    #[test]
    fn similar_statements_differ() {
        assert_eq!(
            shown("(p a) (p (a a)) (<= (p ?x) (q ?x ?y)) (<= (p ?x) (q ?y ?x))", "W0408"),
            ""
        );
        assert_eq!(
            shown("(<= p (or a b)) (<= p (and a b)) (<= p a b) (<= p (not a))", "W0408"),
            ""
        );
    }
}
