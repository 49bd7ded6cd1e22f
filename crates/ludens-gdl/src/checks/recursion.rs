//! Checks that recursion is restricted, so that it ends.
//!
//! The restriction is that of the GDL specification (Love, Hinrichs, Haley, Schkufza and
//! Genesereth 2008): an argument of a sentence in a cycle with the head is ground, is an
//! argument of the head too, or occurs in a sentence outside of the cycle.

use rustc_hash::FxHashSet;

use super::flow::{Flow, Leaf};
use super::key::Key;
use super::outline::Outline;
use super::walk;
use crate::ast::Statement;
use crate::diagnostic::{Code, Diagnostic, Problems};

/// Reports arguments of recursive sentences that can grow without bound.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let mut last = None;
    for edge in &outline.edges {
        let recursive = !edge.negative && outline.in_cycle(edge.head, edge.body);
        if recursive && last != Some(edge.statement) {
            last = Some(edge.statement);
            let rule = &outline.description.statements[edge.statement as usize];
            check_rule(outline, rule, problems);
        }
    }
}

fn check_rule(outline: &Outline<'_>, rule: &Statement, problems: &mut Problems) {
    let head = outline.relation(&rule.head);
    let head_args: FxHashSet<_> = rule.head.args.iter().map(Key::of_term).collect();
    let body = Flow::of_body(walk::body(rule), &|leaf, flow| {
        let Leaf::Positive(sentence) = leaf else { return };
        if !outline.in_cycle(head, outline.relation(sentence)) {
            walk::variables(sentence, &mut |name| {
                flow.binds.insert(name.symbol);
            });
            return;
        }
        for arg in &sentence.args {
            if !head_args.contains(&Key::of_term(arg)) {
                arg.variables(&mut |name| flow.need(name));
            }
        }
    });
    for (_, span) in body.unbound() {
        problems.add(Code::Recursion, span, || {
            let name = outline.slice(span);
            let relation = outline.name(head);
            let message = format!("`{name}` is unrestricted in the recursion of `{relation}`");
            Diagnostic::new(Code::Recursion, span, message).hint(format!(
                "bind `{name}` by a sentence that does not depend on `{relation}`, \
                 or make the term an argument of the head"
            ))
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn recursive_arguments_are_restricted() {
        assert_eq!(
            shown("(<= (p (s ?x)) (p ?x))", "W0303"),
            "W0303 1:19 `?x` is unrestricted in the recursion of `p`\n"
        );
        assert_eq!(
            shown("(<= (p ?x) (q ?x))\n(<= (q (s ?x)) (or (p ?x) r))", "W0303"),
            "W0303 2:23 `?x` is unrestricted in the recursion of `q`\n"
        );
    }

    #[test]
    fn usual_recursions_are_fine() {
        assert_eq!(shown("(<= (less ?x ?y) (less ?x ?z) (succ ?z ?y))", "W0303"), "");
        assert_eq!(shown("(<= (p ?x) (p ?x)) (<= (q ?y ?x) (q ?x ?y))", "W0303"), "");
        assert_eq!(shown("(<= (r ?v (f ?v)) (r ?w ?v) (q ?w))", "W0303"), "");
        assert_eq!(shown("(<= (p (s ?x)) (p ?x) (true (bound ?x)))", "W0303"), "");
        assert_eq!(shown("(<= (next (s ?x)) (true ?x))", "W0303"), "");
    }
}
