//! Checks that formulas have the forms of the specification.

use super::key::Key;
use super::outline::Outline;
use super::walk;
use crate::ast::{Formula, Sentence, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;

/// Reports odd formulas and bodies.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let mut check = Check { outline, problems };
    for statement in &outline.description.statements {
        if statement.body.as_ref().is_some_and(Vec::is_empty) {
            let hint = "write it as a fact, without `<=`";
            check.report(Code::EmptyBody, statement.span, "the rule has no conditions", hint);
        }
        check.sentence(&statement.head);
        walk::formulas(walk::body(statement), &mut |formula| check.formula(formula));
        walk::terms(statement, &mut |term| check.term(term));
    }
}

struct Check<'a, 'p> {
    outline: &'a Outline<'a>,
    problems: &'p mut Problems,
}

impl Check<'_, '_> {
    fn report(&mut self, code: Code, span: Span, message: &str, hint: &str) {
        self.problems.add(code, span, || Diagnostic::new(code, span, message).hint(hint));
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Sentence(sentence) => self.sentence(sentence),
            Formula::Not(inner, span) => self.negation(inner, *span),
            Formula::Or(parts, span) => self.disjunction(parts, *span),
            Formula::And(_, span) => {
                let hint = "omit `and`, or give the conjunction a relation of its own";
                self.report(Code::AndFormula, *span, "`and` is not a keyword of GDL", hint);
            }
            Formula::Distinct(left, right, span) => self.distinct(left, right, *span),
        }
    }

    fn negation(&mut self, inner: &Formula, span: Span) {
        let (what, hint) = match inner {
            Formula::Sentence(_) => return,
            Formula::Not(..) => ("another `not`", "remove both"),
            Formula::Distinct(..) => ("`distinct`", "use the same variable or constant twice"),
            Formula::Or(..) => ("`or`", "negate each alternative on its own"),
            Formula::And(..) => ("`and`", "write `(or (not …) (not …))`"),
        };
        let message = format!("`not` is applied to {what}, not to a sentence");
        self.report(Code::NegatedFormula, span, &message, hint);
    }

    fn disjunction(&mut self, parts: &[Formula], span: Span) {
        match parts {
            [] => {
                let hint = "remove the rule, or write the alternatives";
                self.report(Code::EmptyOr, span, "`or` without alternatives is never true", hint);
            }
            [_] => {
                let hint = "write the alternative without `or`";
                self.report(Code::NestedOr, span, "`or` has only one alternative", hint);
            }
            _ => {}
        }
        for part in parts {
            if let Formula::Or(_, inner) = part {
                let hint = "move its alternatives to the outer `or`";
                self.report(Code::NestedOr, *inner, "`or` is nested directly in `or`", hint);
            }
        }
    }

    fn distinct(&mut self, left: &Term, right: &Term, span: Span) {
        let message = if Key::of_term(left) == Key::of_term(right) {
            "this `distinct` is never true, since both terms are the same"
        } else if let (Term::Constant(_), Term::Constant(_)) = (left, right) {
            "this `distinct` is always true, since the constants differ"
        } else {
            return;
        };
        self.report(Code::ConstantDistinct, span, message, "compare with a variable, or remove it");
    }

    fn sentence(&mut self, sentence: &Sentence) {
        if sentence.parenthesised && sentence.args.is_empty() {
            self.zero_arity(sentence.span);
        }
    }

    fn term(&mut self, term: &Term) {
        if let Term::Constant(name) = term
            && self.outline.text.get(name.span.range()).is_some_and(|text| text.starts_with('('))
        {
            self.zero_arity(name.span);
        }
    }

    fn zero_arity(&mut self, span: Span) {
        let outline = self.outline;
        // The arguments may be in the part that could not be parsed.
        if !outline.complete {
            return;
        }
        self.problems.add(Code::ZeroArity, span, || {
            let name = outline.slice(span);
            let message = format!("`{name}` has no arguments and needs no parentheses");
            Diagnostic::new(Code::ZeroArity, span, message).hint(format!("write `{name}`"))
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn negations_stand_before_sentences() {
        assert_eq!(
            shown(
                "(<= p (not (not a)) (not (or a b))\n  (not (and a b)) (not (distinct a b)))",
                "W0401"
            ),
            "W0401 1:7 `not` is applied to another `not`, not to a sentence\n\
             W0401 1:21 `not` is applied to `or`, not to a sentence\n\
             W0401 2:3 `not` is applied to `and`, not to a sentence\n\
             W0401 2:19 `not` is applied to `distinct`, not to a sentence\n"
        );
        assert_eq!(shown("(<= p (not a) (or (not (b ?x)) (distinct a b)))", "W0401"), "");
    }

    #[test]
    fn disjunctions_have_alternatives() {
        assert_eq!(
            shown(
                "(<= p (or))\n(<= p (or a))\n(<= p (or a (or b c)))\n(<= p (and a b))",
                "E03 W040"
            ),
            "E0306 1:7 `or` without alternatives is never true\n\
             W0402 2:7 `or` has only one alternative\n\
             W0402 3:13 `or` is nested directly in `or`\n\
             W0403 4:7 `and` is not a keyword of GDL\n"
        );
        assert_eq!(shown("(<= p (or a b c))", "E03 W040"), "");
    }

    #[test]
    fn empty_bodies_and_needless_parentheses() {
        assert_eq!(
            shown("(<= (goal r 100))\n(<= (p) q)\n(<= q (p) (r (c)))", "W0404 W0405"),
            "W0404 1:1 the rule has no conditions\n\
             W0405 2:5 `p` has no arguments and needs no parentheses\n\
             W0405 3:7 `p` has no arguments and needs no parentheses\n\
             W0405 3:14 `c` has no arguments and needs no parentheses\n"
        );
        assert_eq!(shown("(goal r 100) (<= p q) (<= q p (r c))", "W0404 W0405"), "");
    }

    #[test]
    fn comparisons_can_differ() {
        assert_eq!(
            shown("(<= p (distinct ?x ?x) (distinct a b) (distinct (f ?x) (f ?x)))", "W0406"),
            "W0406 1:7 this `distinct` is never true, since both terms are the same\n\
             W0406 1:24 this `distinct` is always true, since the constants differ\n\
             W0406 1:39 this `distinct` is never true, since both terms are the same\n"
        );
        assert_eq!(shown("(<= p (distinct ?x ?y) (distinct a ?x))", "W0406"), "");
    }
}
