//! Checks stratification: no relation depends on its own negation.
//!
//! The specification requires this of relations. Games that have been played use
//! `(not (goal ?r 100))` in a rule for `(goal ?r 0)`; there the rules, unlike the relation,
//! do not depend on themselves, and their meaning is clear. So relations are checked first,
//! and those with a negative cycle once more, rule by rule.

use super::outline::{Edge, Outline};
use super::walk;
use crate::ast::{Sentence, Term};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::graph::Graph;
use rustc_hash::FxHashMap;

/// How many names of a cycle are printed.
const MAX_SHOWN: usize = 8;

/// The number of pairs of a sentence and a head that are compared before all are assumed to match.
const MAX_PAIRS: usize = 1 << 20;

/// Reports one negative cycle for each strongly connected component.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    let negative = |edge: &&Edge| edge.negative && outline.in_cycle(edge.head, edge.body);
    let mut first: FxHashMap<u32, &Edge> = FxHashMap::default();
    let mut order = Vec::new();
    for edge in outline.edges.iter().filter(negative) {
        let component = outline.components.of[edge.head as usize];
        first.entry(component).or_insert_with(|| {
            order.push(component);
            edge
        });
    }
    if order.is_empty() {
        return;
    }
    let by_rule = Rules::gather(outline, &first).negative_cycles(outline);
    for component in order {
        problems.push(match by_rule.get(&component) {
            Some(edge) => describe(outline, edge, Code::NegativeCycle),
            None => describe(outline, first[&component], Code::NegativeCycleByName),
        });
    }
}

/// The rules of relations with a negative cycle.
struct Rules<'a> {
    /// Their heads; the index is their number.
    heads: Vec<&'a Sentence>,
    /// Rules by the relation of their head.
    by_relation: FxHashMap<u32, Vec<u32>>,
    /// Sentences of their bodies that belong to the cycles.
    sentences: Vec<(u32, &'a Sentence, Edge)>,
}

impl<'a> Rules<'a> {
    fn gather(outline: &Outline<'a>, components: &FxHashMap<u32, &Edge>) -> Self {
        let (heads, by_relation, sentences) = Default::default();
        let mut rules = Rules { heads, by_relation, sentences };
        for statement in &outline.description.statements {
            let head = outline.relation(&statement.head);
            let body = walk::body(statement);
            // Facts depend on nothing.
            if body.is_empty() || !components.contains_key(&outline.components.of[head as usize]) {
                continue;
            }
            let number = rules.heads.len() as u32;
            rules.heads.push(&statement.head);
            rules.by_relation.entry(head).or_default().push(number);
            walk::sentences(body, &mut |sentence, positive| {
                let body = outline.relation(sentence);
                if outline.in_cycle(head, body) {
                    let (negative, span) = (!positive, sentence.span);
                    let edge = Edge { statement: number, head, body, negative, span };
                    rules.sentences.push((number, sentence, edge));
                }
            });
        }
        rules
    }

    /// For each component the first negation through which a rule depends on itself.
    fn negative_cycles(&self, outline: &Outline<'_>) -> FxHashMap<u32, Edge> {
        let mut pairs = 0;
        let mut edges = Vec::new();
        for (rule, sentence, edge) in &self.sentences {
            for &other in self.by_relation.get(&edge.body).into_iter().flatten() {
                pairs += 1;
                if pairs > MAX_PAIRS {
                    return self.all(outline);
                }
                if may_match(&sentence.args, &self.heads[other as usize].args) {
                    edges.push((*rule, other, edge));
                }
            }
        }
        let plain: Vec<_> = edges.iter().map(|&(from, to, _)| (from, to)).collect();
        let of = Graph::new(self.heads.len(), &plain).components().of;
        let mut found = FxHashMap::default();
        for (from, to, edge) in edges {
            if edge.negative && of[from as usize] == of[to as usize] {
                found.entry(outline.components.of[edge.head as usize]).or_insert(*edge);
            }
        }
        found
    }

    /// The result if every sentence is assumed to match every head.
    fn all(&self, outline: &Outline<'_>) -> FxHashMap<u32, Edge> {
        let mut found = FxHashMap::default();
        for (_, _, edge) in self.sentences.iter().filter(|(_, _, edge)| edge.negative) {
            found.entry(outline.components.of[edge.head as usize]).or_insert(*edge);
        }
        found
    }
}

/// Whether two lists of terms may unify; repeated variables are ignored.
fn may_match(one: &[Term], other: &[Term]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| may_equal(a, b))
}

fn may_equal(one: &Term, other: &Term) -> bool {
    match (one, other) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(a), Term::Constant(b)) => a.symbol == b.symbol,
        (Term::Function { name: f, args: a, .. }, Term::Function { name: g, args: b, .. }) => {
            f.symbol == g.symbol && may_match(a, b)
        }
        _ => false,
    }
}

fn describe(outline: &Outline<'_>, edge: &Edge, code: Code) -> Diagnostic {
    let head = outline.name(edge.head);
    let allowed = |relation| outline.in_cycle(relation, edge.head);
    let path = outline.graph.path(edge.body, edge.head, allowed).unwrap_or_default();
    let mut names = vec![format!("`{head}` → not `{}`", outline.name(edge.body))];
    names.extend(path.iter().skip(1).take(MAX_SHOWN).map(|&id| format!("`{}`", outline.name(id))));
    if path.len() > MAX_SHOWN + 1 {
        names.push("…".into());
    }
    let message = format!("`{head}` depends on its own negation: {}", names.join(" → "));
    let hint = match code {
        Code::NegativeCycle => "break the cycle, for instance by reading the state with `true`",
        _ => {
            "define the negated case by a relation of its own; the rules can be played as they are"
        }
    };
    let mut problem = Diagnostic::new(code, edge.span, message).hint(hint);
    if let Some(span) = outline.relations[edge.body as usize].stated
        && edge.body != edge.head
    {
        problem = problem.related(span, format!("`{}` is stated here", outline.name(edge.body)));
    }
    problem
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;
    use crate::load;

    #[test]
    fn negative_cycles_are_named() {
        assert_eq!(
            shown("(<= a b (not c))\n(<= c d)\n(<= d a)\n(<= e (not e))", "E0301 W0302"),
            "E0301 1:14 `a` depends on its own negation: `a` → not `c` → `d` → `a`\n\
             E0301 4:12 `e` depends on its own negation: `e` → not `e`\n"
        );
        assert_eq!(
            shown("(<= (win ?x) (move ?x ?y) (not (win ?y)))", "E0301 W0302"),
            "E0301 1:32 `win` depends on its own negation: `win` → not `win`\n"
        );
    }

    #[test]
    fn cycles_by_name_only_can_be_played() {
        let text =
            "(role r)\n(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n(<= (goal r 100) (true p))";
        assert_eq!(
            shown(text, "E0301 W0302"),
            "W0302 2:32 `goal` depends on its own negation: `goal` → not `goal`\n"
        );
        assert!(load(text).0.is_some());
    }

    #[test]
    fn real_negative_cycles_are_left_to_the_reasoner() {
        // Which of them matter depends on the state: over an acyclic `move` there is none.
        assert!(load("(role r) (<= (win ?x) (move ?x ?y) (not (win ?y)))").0.is_some());
    }

    #[test]
    fn positive_cycles_and_negations_outside_of_them_are_fine() {
        assert_eq!(shown("(<= a b) (<= b a (not c)) (<= c (not d))", "E0301 W0302"), "");
        assert_eq!(shown("(<= a (not (not a)))", "E0301 W0302"), "");
        assert_eq!(shown("(<= (next a) (not (true a)))", "E0301 W0302"), "");
    }
}
