//! Finds relations that can never hold, because a relation they depend on is never stated.

use super::outline::Outline;
use super::walk;
use crate::ast::Formula;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::graph::Graph;

/// Reports rules that need a relation that can never hold.
pub(crate) fn check(outline: &Outline<'_>, problems: &mut Problems) {
    if !outline.complete {
        return;
    }
    let undefined: Vec<u32> =
        (0..outline.relations.len() as u32).filter(|&id| is_undefined(outline, id)).collect();
    if undefined.is_empty() {
        return;
    }
    let dead = Dead::given(outline, &undefined);
    let mut last = None;
    for edge in &outline.edges {
        let reason = outline.relations[edge.body as usize];
        let can_fire = edge.negative
            || !dead.relations[edge.body as usize]
            || reason.stated.is_none()
            || !dead.statements[edge.statement as usize]
            || last == Some(edge.statement);
        if !can_fire {
            last = Some(edge.statement);
            problems.add(Code::NeverFires, edge.span, || {
                let name = outline.name(edge.body);
                let message = format!("this rule can never fire, since `{name}` can never hold");
                let problem = Diagnostic::new(Code::NeverFires, edge.span, message)
                    .hint(format!("all rules for `{name}` need a relation that is never stated"));
                match reason.stated {
                    Some(span) => problem.related(span, "one of its rules"),
                    None => problem,
                }
            });
        }
    }
}

/// Whether a relation is used and never stated; false for keywords, since GDL defines them.
pub(crate) fn is_undefined(outline: &Outline<'_>, relation: u32) -> bool {
    let known = outline.relations[relation as usize];
    known.stated.is_none() && !outline.keywords.contains_key(&known.name)
}

/// The relations and bodies that can never hold.
pub(crate) struct Dead {
    /// By relation.
    pub relations: Vec<bool>,
    /// By statement: whether its body can never hold.
    pub statements: Vec<bool>,
}

impl Dead {
    /// Computes what can never hold if these relations cannot.
    pub fn given(outline: &Outline<'_>, undefined: &[u32]) -> Self {
        let mut gates = Gates::new(outline);
        for &relation in undefined {
            gates.kill(relation);
        }
        let n_relations = outline.relations.len();
        let n_statements = outline.description.statements.len();
        Dead {
            statements: gates.dead[n_relations..n_relations + n_statements].to_vec(),
            relations: gates.dead[..n_relations].to_vec(),
        }
    }
}

/// A circuit through which deadness propagates: a relation dies with the last of its rules, an `or`
/// with the last of its parts, a rule and an `and` with the first of theirs.
struct Gates {
    /// The readers of each gate.
    outputs: Graph,
    /// The number of inputs that must still die before the gate dies.
    remaining: Vec<u32>,
    dead: Vec<bool>,
}

impl Gates {
    fn new(outline: &Outline<'_>) -> Self {
        let statements = &outline.description.statements;
        let n_relations = outline.relations.len() as u32;
        let mut remaining = vec![0; outline.relations.len()];
        remaining.resize(outline.relations.len() + statements.len(), 1);
        let mut builder = Builder { outline, remaining, edges: Vec::new() };
        for (number, statement) in statements.iter().enumerate() {
            let gate = n_relations + number as u32;
            let head = outline.relation(&statement.head);
            builder.remaining[head as usize] += 1;
            builder.edges.push((gate, head));
            builder.parts(walk::body(statement), true, gate);
        }
        let n = builder.remaining.len();
        Gates {
            outputs: Graph::new(n, &builder.edges),
            remaining: builder.remaining,
            dead: vec![false; n],
        }
    }

    fn kill(&mut self, gate: u32) {
        let mut work = vec![gate];
        while let Some(gate) = work.pop() {
            if std::mem::replace(&mut self.dead[gate as usize], true) {
                continue;
            }
            for &output in self.outputs.targets(gate) {
                let remaining = &mut self.remaining[output as usize];
                *remaining = remaining.saturating_sub(1);
                if *remaining == 0 {
                    work.push(output);
                }
            }
        }
    }
}

struct Builder<'a> {
    outline: &'a Outline<'a>,
    remaining: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl Builder<'_> {
    fn parts(&mut self, parts: &[Formula], positive: bool, output: u32) {
        for part in parts {
            self.formula(part, positive, output);
        }
    }

    fn formula(&mut self, formula: &Formula, positive: bool, output: u32) {
        match formula {
            Formula::Sentence(sentence) if positive => {
                self.edges.push((self.outline.relation(sentence), output));
            }
            // A negation is never blocked by what can never hold.
            Formula::Sentence(_) | Formula::Distinct(..) => {}
            Formula::Not(inner, _) => self.formula(inner, !positive, output),
            Formula::Or(parts, _) | Formula::And(parts, _) => {
                let any = matches!(formula, Formula::Or(..)) == positive;
                let gate = self.remaining.len() as u32;
                self.remaining.push(if any { parts.len() as u32 } else { 1 });
                self.edges.push((gate, output));
                self.parts(parts, positive, gate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::shown;

    #[test]
    fn deadness_propagates() {
        let text = "(<= a (b x) z)\n(<= (b ?x) (c ?x))\n(<= (c ?x) (nowhere ?x))\n(z)";
        assert_eq!(
            shown(text, "W0508"),
            "W0508 1:7 this rule can never fire, since `b` can never hold\n\
             W0508 2:12 this rule can never fire, since `c` can never hold\n"
        );
    }

    #[test]
    fn another_rule_or_alternative_keeps_alive() {
        assert_eq!(shown("(<= a b) (<= b nowhere) b", "W0508"), "");
        assert_eq!(shown("(<= a b) (<= b (or nowhere z)) z", "W0508"), "");
        assert_eq!(shown("(<= a b) (<= b (not nowhere))", "W0508"), "");
        assert_eq!(shown("(<= a b) (<= b (not (or nowhere c))) c", "W0508"), "");
    }

    #[test]
    fn all_alternatives_must_die() {
        let text = "(<= a b)\n(<= b (or nowhere (and never z)))\nz";
        assert_eq!(
            shown(text, "W0508"),
            "W0508 1:7 this rule can never fire, since `b` can never hold\n"
        );
    }
}
