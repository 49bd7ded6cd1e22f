//! Checks safety: every variable is bound by a positive sentence.

use super::flow::{Flow, Leaf};
use super::outline::Outline;
use super::walk;
use crate::ast::Statement;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;

/// Reports variables that no positive sentence binds.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    for statement in &outline.description.statements {
        if statement.body.is_some() {
            check_rule(outline, statement, problems);
        } else {
            check_fact(outline, statement, problems);
        }
    }
}

fn check_fact(outline: &Outline<'_>, fact: &Statement, problems: &mut Problems) {
    let mut head = Flow::default();
    walk::variables(&fact.head, &mut |name| head.need(name));
    for (_, span) in head.unbound() {
        problems.add(Code::VariableInFact, span, || {
            let message = format!("the fact contains the variable `{}`", outline.slice(span));
            Diagnostic::new(Code::VariableInFact, span, message)
                .hint("make it a rule that says what the variable ranges over")
        });
    }
}

fn check_rule(outline: &Outline<'_>, rule: &Statement, problems: &mut Problems) {
    let body = Flow::of_body(walk::body(rule), &binds_and_needs);
    let mut head = Flow::default();
    walk::variables(&rule.head, &mut |name| head.need(name));
    for (symbol, span) in head.unbound() {
        if !body.binds.contains(&symbol) {
            problems.add(Code::UnsafeVariable, span, || describe(outline, span, "in the head "));
        }
    }
    for (symbol, span) in body.unbound() {
        // One message per variable is enough.
        if !head.needs.contains_key(&symbol) {
            problems.add(Code::UnsafeVariable, span, || describe(outline, span, ""));
        }
    }
}

fn binds_and_needs<'a>(leaf: Leaf<'a>, flow: &mut Flow<'a>) {
    match leaf {
        Leaf::Positive(sentence) => walk::variables(sentence, &mut |name| {
            flow.binds.insert(name.symbol);
        }),
        Leaf::Negative(sentence) => walk::variables(sentence, &mut |name| flow.need(name)),
        Leaf::Compared(term) => term.variables(&mut |name| flow.need(name)),
    }
}

fn describe(outline: &Outline<'_>, span: Span, place: &str) -> Diagnostic {
    let name = outline.slice(span);
    let message = format!("`{name}` {place}is not bound by a positive sentence of the body");
    Diagnostic::new(Code::UnsafeVariable, span, message)
        .hint(format!("add a sentence that says what `{name}` ranges over"))
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn facts_have_no_variables() {
        assert_eq!(
            shown("(error ?here is ?here)", "E03"),
            "E0305 1:8 the fact contains the variable `?here`\n"
        );
        assert_eq!(shown("(error is notHere)", "E03"), "");
    }

    #[test]
    fn variables_need_a_positive_sentence() {
        assert_eq!(
            shown(
                "(<= (p ?x ?y)\n    (q ?y)\n    (not (r ?z (f ?w)))\n    (distinct ?v a))",
                "E03"
            ),
            "E0304 1:8 `?x` in the head is not bound by a positive sentence of the body\n\
             E0304 3:13 `?z` is not bound by a positive sentence of the body\n\
             E0304 3:19 `?w` is not bound by a positive sentence of the body\n\
             E0304 4:15 `?v` is not bound by a positive sentence of the body\n"
        );
        assert_eq!(shown("(<= (p ?x) (distinct ?x ?y) (not (r ?x)) (q ?x (f ?y)))", "E03"), "");
    }

    #[test]
    fn a_variable_is_reported_once_per_rule() {
        assert_eq!(
            shown("(<= (p ?x ?x) (not (q ?x)))", "E03"),
            "E0304 1:8 `?x` in the head is not bound by a positive sentence of the body\n"
        );
    }

    #[test]
    fn all_alternatives_must_bind() {
        assert_eq!(
            shown("(<= (p ?x) (or (q ?x) (r ?y)))", "E03"),
            "E0304 1:8 `?x` in the head is not bound by a positive sentence of the body\n"
        );
        assert_eq!(shown("(<= (p ?x) (or (q ?x) (and (r ?x) (not (q ?x)))))", "E03"), "");
        assert_eq!(shown("(<= (p ?x) (q ?x ?y) (or (distinct ?x a) (not (q ?y))))", "E03"), "");
        assert_eq!(
            shown("(<= p (or (not (q ?x)) (r ?x)))", "E03"),
            "E0304 1:19 `?x` is not bound by a positive sentence of the body\n"
        );
    }

    #[test]
    fn equalities_bind_variables() {
        assert_eq!(shown("(<= (p ?x) (q ?y) (not (distinct ?x ?y)))", "E03"), "");
        assert_eq!(shown("(<= (p ?x) (not (distinct ?x a)))", "E03"), "");
        assert_eq!(
            shown("(<= (p ?x) (not (distinct ?x ?y)))", "E03"),
            "E0304 1:8 `?x` in the head is not bound by a positive sentence of the body\n\
             E0304 1:30 `?y` is not bound by a positive sentence of the body\n"
        );
        assert_eq!(shown("(<= (p ?x) (not (not (q ?x))))", "E03"), "");
    }
}
