//! Checks that every name has one arity and one kind.

use rustc_hash::{FxHashMap, FxHashSet};

use super::outline::Outline;
use super::walk;
use super::wording::arguments;
use crate::ast::{Name, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;
use crate::symbol::Symbol;

/// The first position of a name, and its number of arguments there.
type First = FxHashMap<Symbol, (usize, Span)>;

/// Reports names with several numbers of arguments, or for both relations and functions.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let relations = check_relations(outline, problems);
    let mut functions = First::default();
    let mut reported = FxHashSet::default();
    for statement in &outline.description.statements {
        walk::terms(statement, &mut |term| {
            let Term::Function { name, args, .. } = term else { return };
            let first = *functions.entry(name.symbol).or_insert((args.len(), name.span));
            if first.0 != args.len() && reported.insert((name.symbol, args.len())) {
                differs(
                    outline,
                    "function",
                    (name.symbol, name.span),
                    (args.len(), first),
                    problems,
                );
            }
            if let Some((_, relation)) = relations.get(&name.symbol)
                && first.1 == name.span
            {
                both(outline, *name, *relation, problems);
            }
        });
    }
}

fn check_relations(outline: &Outline<'_>, problems: &mut Problems) -> First {
    let mut first = First::default();
    for relation in &outline.relations {
        // Wrong use of keywords and of relations that are never stated is reported elsewhere.
        let Some(span) = relation.stated else { continue };
        if outline.keywords.contains_key(&relation.name) {
            continue;
        }
        let arity = relation.arity as usize;
        let earlier = *first.entry(relation.name).or_insert((arity, span));
        if earlier.0 != arity {
            differs(outline, "relation", (relation.name, span), (arity, earlier), problems);
        }
    }
    first
}

fn differs(
    outline: &Outline<'_>,
    kind: &str,
    (name, span): (Symbol, Span),
    (arity, first): (usize, (usize, Span)),
    problems: &mut Problems,
) {
    problems.add(Code::ArityDiffers, span, || {
        let name = outline.spelling(name);
        let message =
            format!("the {kind} `{name}` has {} here and {} elsewhere", arguments(arity), first.0);
        Diagnostic::new(Code::ArityDiffers, span, message)
            .hint(format!("they are different {kind}s; give them different names"))
            .related(first.1, format!("with {} here", first.0))
    });
}

fn both(outline: &Outline<'_>, function: Name, relation: Span, problems: &mut Problems) {
    problems.add(Code::SentenceAndFunction, function.span, || {
        let name = outline.spelling(function.symbol);
        let message =
            format!("`{name}` is the name of a function here and of a relation elsewhere");
        Diagnostic::new(Code::SentenceAndFunction, function.span, message)
            .hint("is a `true` missing there, or superfluous here? If not, rename one of them")
            .related(relation, "a relation here")
    });
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn numbers_of_arguments_agree() {
        assert_eq!(
            shown("(foo bar)\n(foo bar bar)\n(p (f a))\n(p (f a b)) (p (f b c))", "W0503"),
            "W0503 2:1 the relation `foo` has 2 arguments here and 1 elsewhere\n\
             W0503 4:5 the function `f` has 2 arguments here and 1 elsewhere\n"
        );
        assert_eq!(shown("(foo bar) (foo baz) (p (f a)) (p (f b)) (p f)", "W0503"), "");
    }

    #[test]
    fn relations_and_functions_have_different_names() {
        assert_eq!(
            shown("(cell 1)\n(<= (p ?x) (true (cell ?x)))\n(init (cell 2))", "W0504"),
            "W0504 2:19 `cell` is the name of a function here and of a relation elsewhere\n"
        );
        assert_eq!(shown("(cell 1) (<= (p ?x) (true (field ?x)) (true cell))", "W0504"), "");
    }
}
