//! Checks that keywords are used only where allowed, with the correct number of arguments.

use super::keyword::Keyword;
use super::outline::Outline;
use super::walk;
use super::wording::arguments;
use crate::ast::{Sentence, Statement, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;

/// Reports misplaced keywords.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let mut check = Check { outline, problems };
    for statement in &outline.description.statements {
        check.head(statement);
        check.arity(&statement.head);
        walk::sentences(walk::body(statement), &mut |sentence, _| {
            check.arity(sentence);
            check.used(sentence);
        });
        walk::terms(statement, &mut |term| check.term(term));
    }
}

struct Check<'a, 'p> {
    outline: &'a Outline<'a>,
    problems: &'p mut Problems,
}

impl Check<'_, '_> {
    fn report(&mut self, code: Code, span: Span, message: String, hint: String) {
        self.problems.push(Diagnostic::new(code, span, message).hint(hint));
    }

    fn word(&self, sentence: &Sentence) -> Option<Keyword> {
        self.outline.keywords.get(&sentence.name.symbol).copied()
    }

    fn arity(&mut self, sentence: &Sentence) {
        let Some(keyword) = self.word(sentence) else { return };
        let (expected, found) = (keyword.arity(), sentence.args.len());
        if expected != found {
            let (name, usage) = (keyword.name(), keyword.usage());
            let message = format!("`{name}` takes {}, not {found}", arguments(expected));
            self.report(Code::KeywordArity, sentence.span, message, format!("write `{usage}`"));
        }
    }

    fn head(&mut self, statement: &Statement) {
        let Some(keyword) = self.word(&statement.head) else { return };
        let name = keyword.name();
        if !keyword.can_be_stated() {
            let hint = match keyword {
                Keyword::True => {
                    "define the initial state with `init` and the following ones with `next`"
                }
                _ => "players choose their moves; define with `legal` which they may choose",
            };
            let message = format!("`{name}` cannot be stated");
            self.report(Code::ReservedHead, statement.head.span, message, hint.into());
        } else if keyword == Keyword::Role && !walk::body(statement).is_empty() {
            let message = "a `role` cannot depend on conditions".into();
            let hint = "state each role as a fact, such as `(role white)`".into();
            self.report(Code::ReservedHead, statement.head.span, message, hint);
        }
    }

    fn used(&mut self, sentence: &Sentence) {
        let Some(keyword) = self.word(sentence) else { return };
        if keyword.can_be_used() {
            return;
        }
        let message = format!("`{}` cannot be used in the body of a rule", keyword.name());
        let hint = match keyword {
            Keyword::Init | Keyword::Next => "use `(true fact)` for the current state",
            Keyword::Base => {
                "define the range of facts by a relation of its own, and use it in both places"
            }
            _ => "use `legal` for possible moves and `does` for the moves that were chosen",
        };
        self.report(Code::OutputInBody, sentence.span, message, hint.into());
    }

    fn term(&mut self, term: &Term) {
        let (name, code, role) = match term {
            Term::Function { name, .. } => (name, Code::KeywordFunction, "name of a function"),
            Term::Constant(name) => (name, Code::KeywordConstant, "constant"),
            Term::Variable(_) => return,
        };
        let Some(keyword) = self.outline.keywords.get(&name.symbol) else { return };
        let message = format!("the keyword `{}` is used as {}", keyword.name(), with_article(role));
        self.report(code, name.span, message, "use another name".into());
    }
}

fn with_article(role: &str) -> String {
    if role == "constant" { format!("a {role}") } else { format!("the {role}") }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn numbers_of_arguments_are_fixed() {
        assert_eq!(
            shown("(role a b)\n(<= (terminal x) (true) (does a))", "E0201"),
            "E0201 1:1 `role` takes 1 argument, not 2\n\
             E0201 2:5 `terminal` takes no arguments, not 1\n\
             E0201 2:18 `true` takes 1 argument, not 0\n\
             E0201 2:25 `does` takes 2 arguments, not 1\n"
        );
        assert_eq!(shown("(role a) (<= terminal (true b) (does a c))", "E0201"), "");
    }

    #[test]
    fn keywords_are_neither_functions_nor_constants() {
        assert_eq!(
            shown("(init (goal a))\n(p (f next))", "E0202 W0207"),
            "E0202 1:8 the keyword `goal` is used as the name of a function\n\
             W0207 2:7 the keyword `next` is used as a constant\n"
        );
        assert_eq!(shown("(init (goals a)) (p (f nxt))", "E0202 W0207"), "");
    }

    #[test]
    fn some_keywords_cannot_be_stated() {
        assert_eq!(
            shown("(true a)\n(<= (does r m) a)\n(<= (role ?x) (p ?x))", "E0203"),
            "E0203 1:1 `true` cannot be stated\n\
             E0203 2:5 `does` cannot be stated\n\
             E0203 3:5 a `role` cannot depend on conditions\n"
        );
        assert_eq!(shown("(role a) (init b) (<= (next c) d) (base e)", "E0203"), "");
    }

    #[test]
    fn some_keywords_can_only_be_stated() {
        assert_eq!(
            shown(
                "(<= p (init a))\n(<= p (not (next a)))\n(<= p (or (base a) (input r m)))",
                "E0204"
            ),
            "E0204 1:7 `init` cannot be used in the body of a rule\n\
             E0204 2:12 `next` cannot be used in the body of a rule\n\
             E0204 3:11 `base` cannot be used in the body of a rule\n\
             E0204 3:20 `input` cannot be used in the body of a rule\n"
        );
        assert_eq!(shown("(<= p (true a) (does r m) (legal r m) terminal)", "E0204"), "");
    }
}
