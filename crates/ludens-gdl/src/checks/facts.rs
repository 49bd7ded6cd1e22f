//! Checks that the facts and moves in bodies can ever occur.

use rustc_hash::{FxHashMap, FxHashSet};

use super::keyword::Keyword;
use super::nearest::did_you_mean;
use super::outline::Outline;
use super::walk;
use super::wording::arguments;
use crate::ast::{Name, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::symbol::Symbol;

/// Reports facts that no `init` or `next` gives, and moves that no `legal` allows.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    if !outline.complete {
        return;
    }
    for (used, givers) in
        [(Keyword::True, &[Keyword::Init, Keyword::Next][..]), (Keyword::Does, &[Keyword::Legal])]
    {
        if let Some(given) = given(outline, givers) {
            check_used(outline, used, &given, problems);
        }
    }
}

/// A constant or a function with its number of arguments.
type Form = (Symbol, usize);

fn form(term: &Term) -> Option<(Form, Name)> {
    match term {
        Term::Constant(name) => Some(((name.symbol, 0), *name)),
        Term::Function { name, args, .. } => Some(((name.symbol, args.len()), *name)),
        Term::Variable(_) => None,
    }
}

/// The forms in the heads of these keywords; `None` if a head can give any form, or there is none.
fn given(outline: &Outline<'_>, givers: &[Keyword]) -> Option<FxHashMap<Form, Name>> {
    let mut forms = FxHashMap::default();
    for statement in &outline.description.statements {
        if outline.keyword(&statement.head).is_some_and(|keyword| givers.contains(&keyword)) {
            let (found, name) = form(statement.head.args.last()?)?;
            forms.insert(found, name);
        }
    }
    (!forms.is_empty()).then_some(forms)
}

fn check_used(
    outline: &Outline<'_>,
    used: Keyword,
    given: &FxHashMap<Form, Name>,
    problems: &mut Problems,
) {
    let mut seen = FxHashSet::default();
    for statement in &outline.description.statements {
        walk::sentences(walk::body(statement), &mut |sentence, _| {
            let term = sentence.args.last().filter(|_| outline.keyword(sentence) == Some(used));
            let Some((found, name)) = term.and_then(form) else { return };
            if !given.contains_key(&found) && seen.insert(found) {
                problems.add(Code::UnstatedFact, name.span, || {
                    describe(outline, used, found, name, given)
                });
            }
        });
    }
}

fn describe(
    outline: &Outline<'_>,
    used: Keyword,
    (symbol, _): Form,
    name: Name,
    given: &FxHashMap<Form, Name>,
) -> Diagnostic {
    let word = outline.slice(name.span);
    let (message, otherwise) = match used {
        Keyword::True => (
            format!("`{word}` is never true, since no `init` or `next` gives it"),
            "add a rule for it, or remove its use",
        ),
        _ => (
            format!("`{word}` is never done, since no `legal` allows it"),
            "add a rule `(<= (legal …) …)` for it, or remove its use",
        ),
    };
    let problem = Diagnostic::new(Code::UnstatedFact, name.span, message);
    let mut others: Vec<_> = given.iter().filter(|((other, _), _)| *other == symbol).collect();
    others.sort_by_key(|(_, other)| other.span);
    if let Some(((_, arity), other)) = others.first() {
        return problem
            .hint(format!("it is given with {}", arguments(*arity)))
            .related(other.span, "given here");
    }
    let mut known: Vec<_> = given.keys().map(|(other, _)| *other).collect();
    known.sort_unstable();
    let known = known.into_iter().map(|other| outline.spelling(other));
    problem.hint(did_you_mean(word, known, otherwise))
}

#[cfg(test)]
mod tests {
    use crate::checks::{hints, shown};

    #[test]
    fn facts_come_from_somewhere() {
        let text =
            "(init (control a))\n(<= (next p) (true (contrl ?x)) (true (control b c)) (true q))";
        assert_eq!(
            shown(text, "W0509"),
            "W0509 2:21 `contrl` is never true, since no `init` or `next` gives it\n\
             W0509 2:40 `control` is never true, since no `init` or `next` gives it\n\
             W0509 2:60 `q` is never true, since no `init` or `next` gives it\n"
        );
        assert_eq!(
            hints(text, "W0509"),
            "did you mean `control`?\nit is given with 1 argument\n\
             add a rule for it, or remove its use\n"
        );
        assert_eq!(
            shown("(init (p 1)) (<= (next (q ?x)) (true (p ?x)) (true (q ?x)))", "W0509"),
            ""
        );
        assert_eq!(shown("(init (p 1)) (<= (next ?f) (keep ?f) (true (q ?x)))", "W0509"), "");
    }

    #[test]
    fn moves_are_allowed_somewhere() {
        assert_eq!(
            shown("(legal r (mark 1))\n(<= (next p) (does r (marc ?x)))", "W0509"),
            "W0509 2:23 `marc` is never done, since no `legal` allows it\n"
        );
        assert_eq!(shown("(legal r (mark 1)) (<= (next p) (does r (mark ?x)))", "W0509"), "");
    }
}
