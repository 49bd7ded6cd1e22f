//! Checks that keywords do not depend on the state or on moves where they must not.

use super::keyword::Keyword;
use super::outline::{Edge, Outline};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::graph::Graph;

/// Pairs of keywords of which the first must not depend on the second.
const FORBIDDEN: [(Keyword, Keyword, Code); 9] = [
    (Keyword::Init, Keyword::True, Code::StaticDependsOnState),
    (Keyword::Init, Keyword::Does, Code::StaticDependsOnState),
    (Keyword::Base, Keyword::True, Code::StaticDependsOnState),
    (Keyword::Base, Keyword::Does, Code::StaticDependsOnState),
    (Keyword::Input, Keyword::True, Code::StaticDependsOnState),
    (Keyword::Input, Keyword::Does, Code::StaticDependsOnState),
    (Keyword::Legal, Keyword::Does, Code::StateDependsOnMoves),
    (Keyword::Goal, Keyword::Does, Code::StateDependsOnMoves),
    (Keyword::Terminal, Keyword::Does, Code::StateDependsOnMoves),
];

/// Reports forbidden dependencies in the rules of keywords.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    // Rules for `true` or `does` are reported elsewhere, and would affect everything here.
    let reserved = |edge: &&Edge| outline.keyword_of(edge.head).is_none_or(Keyword::can_be_stated);
    let edges: Vec<_> =
        outline.edges.iter().filter(reserved).map(|edge| (edge.head, edge.body)).collect();
    let graph = Graph::new(outline.relations.len(), &edges);
    for source in [Keyword::True, Keyword::Does] {
        let Some(target) = outline.relation_of(source) else { continue };
        let hops = graph.hops_to(target);
        let mut last = None;
        for edge in &outline.edges {
            let Some(keyword) = outline.keyword_of(edge.head) else { continue };
            let rule = FORBIDDEN.iter().find(|(head, on, _)| *head == keyword && *on == source);
            let Some(&(_, _, code)) = rule else { continue };
            // One message per rule is enough.
            if hops[edge.body as usize].is_none() || last == Some(edge.statement) {
                continue;
            }
            last = Some(edge.statement);
            problems.add(code, edge.span, || describe(outline, edge, source, code, &hops));
        }
    }
}

fn describe(
    outline: &Outline<'_>,
    edge: &Edge,
    source: Keyword,
    code: Code,
    hops: &[Option<u32>],
) -> Diagnostic {
    let (head, on) = (outline.name(edge.head), source.name());
    let path = path(outline, edge.body, hops);
    let through = if path.is_empty() { String::new() } else { format!(", through {path}") };
    let message = format!("`{head}` must not depend on `{on}`{through}");
    let hint = match code {
        Code::StaticDependsOnState => "it is evaluated once, before the initial state",
        _ => "it is evaluated before moves are chosen; store their effects with `next`",
    };
    Diagnostic::new(code, edge.span, message).hint(hint)
}

/// The relations on the path from a sentence to the keyword that it depends on.
fn path(outline: &Outline<'_>, from: u32, hops: &[Option<u32>]) -> String {
    const MAX_SHOWN: usize = 5;
    let mut names = Vec::new();
    let mut at = from;
    while let Some(next) = hops[at as usize]
        && next != at
    {
        if names.len() == MAX_SHOWN {
            names.push("…".to_owned());
            break;
        }
        names.push(format!("`{}`", outline.name(at)));
        at = next;
    }
    names.join(" → ")
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn static_keywords_must_not_depend_on_the_state() {
        assert_eq!(
            shown("(<= (base a) (true a))\n(<= (init b) p)\n(<= p q)\n(<= q (does r m))", "E0205"),
            "E0205 1:14 `base` must not depend on `true`\n\
             E0205 2:14 `init` must not depend on `does`, through `p` → `q`\n"
        );
        assert_eq!(shown("(<= (next a) (true a)) (<= (init b) p) (<= p q)", "E0205"), "");
    }

    #[test]
    fn state_keywords_must_not_depend_on_moves() {
        assert_eq!(
            shown("(<= terminal p (not (moved)))\n(<= moved (does r m))", "W0206"),
            "W0206 1:21 `terminal` must not depend on `does`, through `moved`\n"
        );
        assert_eq!(shown("(<= (legal r m) (true x)) (<= (next x) (does r m))", "W0206"), "");
    }
}
