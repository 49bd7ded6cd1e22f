//! Checks that roles are stated once and together, and that each has moves and goals.

use rustc_hash::{FxHashMap, FxHashSet};

use super::keyword::Keyword;
use super::nearest::did_you_mean;
use super::outline::Outline;
use super::walk;
use crate::ast::{Name, Sentence, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;
use crate::symbol::Symbol;

/// Reports problems with roles.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let Some(roles) = gather(outline, problems) else { return };
    if outline.complete && !roles.is_empty() {
        unknown(outline, &roles, problems);
        idle(outline, &roles, problems);
    }
}

/// The roles with their positions; `None` if some are derived by rules.
fn gather(outline: &Outline<'_>, problems: &mut Problems) -> Option<FxHashMap<Symbol, Span>> {
    let mut roles = FxHashMap::default();
    let mut last = None;
    for (number, statement) in outline.description.statements.iter().enumerate() {
        if outline.keyword(&statement.head) != Some(Keyword::Role) {
            continue;
        }
        let ([Term::Constant(name)], []) = (&statement.head.args[..], walk::body(statement)) else {
            return None;
        };
        let span = statement.span;
        let first = *roles.entry(name.symbol).or_insert(span);
        if first != span {
            problems.add(Code::DuplicateRole, span, || {
                let message = format!("the role `{}` is stated twice", outline.slice(name.span));
                Diagnostic::new(Code::DuplicateRole, span, message)
                    .hint("remove one of the two")
                    .related(first, "first stated here")
            });
        } else if last.is_some_and(|last| last + 1 != number) {
            problems.add(Code::RoleOrder, span, || {
                let message = "this role is stated apart from the others";
                Diagnostic::new(Code::RoleOrder, span, message)
                    .hint("state all roles next to each other; joint moves are in their order")
            });
        }
        last = Some(number);
    }
    Some(roles)
}

/// Reports names that are used as a role and are none.
fn unknown(outline: &Outline<'_>, roles: &FxHashMap<Symbol, Span>, problems: &mut Problems) {
    let mut seen = FxHashSet::default();
    for statement in &outline.description.statements {
        walk::all_sentences(statement, &mut |sentence| {
            let Some((keyword, Term::Constant(name))) = role_argument(outline, sentence) else {
                return;
            };
            if !roles.contains_key(&name.symbol) && seen.insert(name.symbol) {
                report_unknown(outline, roles, keyword, *name, problems);
            }
        });
    }
}

fn report_unknown(
    outline: &Outline<'_>,
    roles: &FxHashMap<Symbol, Span>,
    keyword: Keyword,
    name: Name,
    problems: &mut Problems,
) {
    problems.add(Code::UnknownRole, name.span, || {
        let word = outline.slice(name.span);
        let known = roles.keys().map(|&role| outline.spelling(role));
        let message = format!("`{word}` is not a role");
        let otherwise = format!("add `(role {word})`, or use a role; write `{}`", keyword.usage());
        Diagnostic::new(Code::UnknownRole, name.span, message)
            .hint(did_you_mean(word, known, otherwise))
    });
}

fn role_argument<'a>(outline: &Outline<'_>, sentence: &'a Sentence) -> Option<(Keyword, &'a Term)> {
    let keyword = outline.keyword(sentence).filter(|keyword| keyword.begins_with_role())?;
    Some((keyword, &sentence.args[0]))
}

/// Reports roles that can never move or have no goal.
fn idle(outline: &Outline<'_>, roles: &FxHashMap<Symbol, Span>, problems: &mut Problems) {
    let mut roles: Vec<_> = roles.iter().map(|(&role, &span)| (span, role)).collect();
    roles.sort_unstable();
    for keyword in [Keyword::Legal, Keyword::Goal] {
        let Some(covered) = covered(outline, keyword) else { continue };
        for &(span, role) in roles.iter().filter(|(_, role)| !covered.contains(role)) {
            // By convention the role `random` has no interest in the outcome.
            if keyword == Keyword::Goal && outline.description.symbols.text(role) == "random" {
                continue;
            }
            let (name, word) = (outline.spelling(role), keyword.name());
            let message = format!("no rule gives the role `{name}` a `{word}`");
            let hint = format!("add a rule `(<= ({word} {name} …) …)`");
            problems.push(Diagnostic::new(Code::IdleRole, span, message).hint(hint));
        }
    }
}

/// The roles for which a keyword is stated; `None` if it can be all of them.
fn covered(outline: &Outline<'_>, keyword: Keyword) -> Option<FxHashSet<Symbol>> {
    let mut covered = FxHashSet::default();
    for statement in &outline.description.statements {
        if outline.keyword(&statement.head) == Some(keyword) {
            let Term::Constant(name) = &statement.head.args[0] else { return None };
            covered.insert(name.symbol);
        }
    }
    (!covered.is_empty()).then_some(covered)
}

#[cfg(test)]
mod tests {
    use crate::checks::{hints, shown};

    #[test]
    fn roles_are_stated_once_and_together() {
        assert_eq!(
            shown("(role white)\n(init p)\n(role black)\n(role white)", "W0601 W0602"),
            "W0602 3:1 this role is stated apart from the others\n\
             W0601 4:1 the role `white` is stated twice\n"
        );
        assert_eq!(shown("(init p) (role white) (role black)", "W0601 W0602"), "");
    }

    #[test]
    fn only_roles_act() {
        let text = "(role white)\n(legal whit m)\n(goal white 1)\n(<= p (does blue m))";
        assert_eq!(
            shown(text, "W06"),
            "W0604 1:1 no rule gives the role `white` a `legal`\n\
             W0603 2:8 `whit` is not a role\n\
             W0603 4:13 `blue` is not a role\n"
        );
        assert_eq!(
            hints(text, "W0603"),
            "did you mean `white`?\n\
             add `(role blue)`, or use a role; write `(does player move)`\n"
        );
        assert_eq!(shown("(role white) (<= (legal ?r m) (role ?r)) (goal white 1)", "W06"), "");
    }

    #[test]
    fn derived_roles_are_not_guessed() {
        assert_eq!(shown("(<= (role ?x) (player ?x)) (legal blue m)", "W06"), "");
    }
}
