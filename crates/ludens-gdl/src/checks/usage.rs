//! Checks that used relations are stated, and stated ones used.

use super::dead::is_undefined;
use super::keyword::Keyword;
use super::nearest::{did_you_mean, distance};
use super::outline::{Outline, Relation};
use super::wording::arguments;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::source::Span;

/// Connectives that a typo can turn into the name of a relation.
const CONNECTIVES: [&str; 3] = ["not", "and", "distinct"];

/// Relations that need no use: the percepts of games with hidden information.
const OUTPUTS: [&str; 1] = ["sees"];

/// Reports relations that are never stated or never used.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    if !outline.complete {
        return;
    }
    let needed = needed(outline);
    for id in 0..outline.relations.len() as u32 {
        if is_undefined(outline, id) {
            undefined(outline, id, problems);
        } else if !needed[id as usize] {
            unused(outline, id, problems);
        }
    }
}

/// The relations on which a keyword depends.
fn needed(outline: &Outline<'_>) -> Vec<bool> {
    let is_root = |id: &u32| {
        let name = outline.relations[*id as usize].name;
        let text = outline.description.symbols.text(name);
        outline.keywords.contains_key(&name) || OUTPUTS.contains(&text)
    };
    let mut work: Vec<u32> = (0..outline.relations.len() as u32).filter(is_root).collect();
    let mut needed = vec![false; outline.relations.len()];
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut needed[id as usize], true) {
            work.extend(outline.graph.targets(id));
        }
    }
    needed
}

fn undefined(outline: &Outline<'_>, id: u32, problems: &mut Problems) {
    let Some(span) = outline.relations[id as usize].used else { return };
    let name = outline.name(id);
    let usable = Keyword::ALL.into_iter().filter(|keyword| keyword.can_be_used());
    if let Some(keyword) = typo(name, usable.map(Keyword::name).chain(CONNECTIVES)) {
        let problem = Diagnostic::new(Code::KeywordTypo, span, format!("`{name}` is never stated"));
        problems.push(problem.hint(format!("did you mean `{keyword}`?")));
        return;
    }
    problems.add(Code::UndefinedRelation, span, || {
        let message = format!("`{name}` is never stated, so it is always false");
        let problem = Diagnostic::new(Code::UndefinedRelation, span, message);
        match other_arity(outline, id) {
            Some((other, span)) => problem
                .hint(format!("it is stated with {}", arguments(other.arity as usize)))
                .related(span, "stated here"),
            None => {
                problem.hint(did_you_mean(name, stated(outline), "state it, or remove its use"))
            }
        }
    });
}

fn unused(outline: &Outline<'_>, id: u32, problems: &mut Problems) {
    let relation = outline.relations[id as usize];
    let Some(span) = relation.stated else { return };
    let name = outline.name(id);
    let keywords = Keyword::ALL.into_iter().filter(|keyword| keyword.can_be_stated());
    if let Some(keyword) = typo(name, keywords.map(Keyword::name))
        && relation.used.is_none()
    {
        let problem = Diagnostic::new(Code::KeywordTypo, span, format!("`{name}` is never used"));
        problems.push(problem.hint(format!("did you mean `{keyword}`?")));
        return;
    }
    problems.add(Code::UnusedRelation, span, || {
        let message = match relation.used {
            None => format!("`{name}` is never used"),
            Some(_) => format!("`{name}` is used only by rules that the game does not need"),
        };
        Diagnostic::new(Code::UnusedRelation, span, message).hint("remove it, or use it")
    });
}

/// The word that is one typo away.
fn typo<'a>(name: &str, mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    words.find(|word| name.len() > 2 && distance(&name, word, 2) == Some(1))
}

/// A stated relation of the same name.
fn other_arity(outline: &Outline<'_>, id: u32) -> Option<(Relation, Span)> {
    let name = outline.relations[id as usize].name;
    let mut same = outline.relations.iter().filter(|relation| relation.name == name);
    same.find_map(|relation| Some((*relation, relation.stated?)))
}

fn stated<'a>(outline: &'a Outline<'_>) -> impl Iterator<Item = &'a str> {
    let ids = 0..outline.relations.len() as u32;
    ids.filter(|&id| outline.relations[id as usize].stated.is_some()).map(|id| outline.name(id))
}

#[cfg(test)]
mod tests {
    use crate::checks::{hints, shown};

    #[test]
    fn used_relations_are_stated() {
        let text = "(<= (legal r m) (colum ?x) (cell 1))\n(column 1)\n(cell 1 2)";
        assert_eq!(
            shown(text, "W0505"),
            "W0505 1:17 `colum` is never stated, so it is always false\n\
             W0505 1:28 `cell` is never stated, so it is always false\n"
        );
        assert_eq!(hints(text, "W0505"), "did you mean `column`?\nit is stated with 2 arguments\n");
        assert_eq!(shown("(<= (legal r m) (p ?x) (true q) (does r m)) (p 1)", "W0505"), "");
    }

    #[test]
    fn stated_relations_are_used() {
        assert_eq!(
            shown("(p 1)\n(<= (next ?x) (q ?x))\n(q 1)\n(<= (r ?x) (s ?x))\n(s 1)", "W0506"),
            "W0506 1:1 `p` is never used\n\
             W0506 4:5 `r` is never used\n\
             W0506 5:1 `s` is used only by rules that the game does not need\n"
        );
        assert_eq!(shown("(<= (next ?x) (q ?x)) (q 1) (role r) (base b)", "W0506"), "");
    }

    #[test]
    fn typos_in_keywords_are_found() {
        let text = "(<= (nxet p) (treu p) (nto (q)))\n(gaol r 100)\n(q)";
        assert_eq!(
            shown(text, "W0507"),
            "W0507 1:5 `nxet` is never used\n\
             W0507 1:14 `treu` is never stated\n\
             W0507 1:23 `nto` is never stated\n\
             W0507 2:1 `gaol` is never used\n"
        );
        assert_eq!(
            hints(text, "W0507"),
            "did you mean `next`?\ndid you mean `true`?\ndid you mean `not`?\ndid you mean `goal`?\n"
        );
        assert_eq!(shown("(<= (next p) (rule 1)) (rule 1) (step 2)", "W0507"), "");
    }
}
