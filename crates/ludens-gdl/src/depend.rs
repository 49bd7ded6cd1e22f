//! Dependencies between relations: the order in which a reasoner can compute them, and which of them
//! change with the state and with the moves.

use crate::graph::{Components, Graph};
use crate::rules::{Literal, RelationId, Rules};

/// The dependencies between the relations of a description.
///
/// ```
/// use ludens_gdl::Dependencies;
///
/// let text = "(role you) (<= (p ?x) (q ?x) (true (at ?x))) (<= (q ?x) (role ?x) (q ?x))";
/// let rules = ludens_gdl::load(text).0.unwrap();
/// let dependencies = Dependencies::of(&rules);
/// let (p, q) = (rules.relation("p", 1).unwrap(), rules.relation("q", 1).unwrap());
/// assert!(dependencies.component_of(q) < dependencies.component_of(p));
/// assert!(dependencies.needs_state(p) && !dependencies.needs_state(q));
/// assert!(dependencies.is_recursive(q) && !dependencies.is_recursive(p));
/// ```
#[derive(Clone, Debug)]
pub struct Dependencies {
    components: Vec<Vec<RelationId>>,
    component_of: Vec<u32>,
    /// By component.
    properties: Vec<Properties>,
    negative_cycles: Vec<NegativeCycle>,
}

/// Properties of the relations of a component.
#[derive(Clone, Copy, Debug, Default)]
struct Properties {
    needs_state: bool,
    needs_moves: bool,
    recursive: bool,
}

/// A negative literal whose relation depends on the head of its own rule, so that the rules
/// have no stratified meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NegativeCycle {
    /// Index of the rule in [`Rules::rules`].
    pub rule: usize,
    /// Index of the literal in the rule's body.
    pub literal: usize,
}

impl Dependencies {
    /// Finds the dependencies of a description, in time linear in its size.
    pub fn of(rules: &Rules) -> Self {
        let edges: Vec<_> = edges(rules).map(|edge| (edge.head.0, edge.body.0)).collect();
        let graph = Graph::new(rules.relations.len(), &edges);
        let components = graph.components();
        let negative_cycles = edges_with_position(rules)
            .filter(|(edge, _)| edge.negative && same(&components, edge))
            .map(|(_, position)| position)
            .collect();
        let properties = find_properties(rules, &graph, &components);
        let members = (0..components.len())
            .map(|c| components.members(c).iter().map(|&r| RelationId(r)).collect());
        Dependencies {
            components: members.collect(),
            component_of: components.of,
            properties,
            negative_cycles,
        }
    }

    /// Groups of relations that depend on each other; every component comes after all those that it
    /// depends on.
    pub fn components(&self) -> &[Vec<RelationId>] {
        &self.components
    }

    /// Index of the relation's component in [`Dependencies::components`].
    pub fn component_of(&self, relation: RelationId) -> usize {
        self.component_of[relation.0 as usize] as usize
    }

    /// Whether the relation depends on `true`, in one or more steps, or is `true` itself.
    pub fn needs_state(&self, relation: RelationId) -> bool {
        self.properties[self.component_of(relation)].needs_state
    }

    /// Whether the relation depends on `does`, in one or more steps, or is `does` itself.
    pub fn needs_moves(&self, relation: RelationId) -> bool {
        self.properties[self.component_of(relation)].needs_moves
    }

    /// Whether the relation depends on itself.
    pub fn is_recursive(&self, relation: RelationId) -> bool {
        self.properties[self.component_of(relation)].recursive
    }

    /// The negative literals inside components, in the order of the rules; none if the rules
    /// are stratified.
    pub fn negative_cycles(&self) -> &[NegativeCycle] {
        &self.negative_cycles
    }
}

struct Edge {
    head: RelationId,
    body: RelationId,
    negative: bool,
}

fn edges(rules: &Rules) -> impl Iterator<Item = Edge> + '_ {
    edges_with_position(rules).map(|(edge, _)| edge)
}

fn edges_with_position(rules: &Rules) -> impl Iterator<Item = (Edge, NegativeCycle)> + '_ {
    rules.rules.iter().enumerate().flat_map(|(rule_idx, rule)| {
        rule.body.iter().enumerate().filter_map(move |(literal_idx, literal)| {
            let (atom, negative) = match literal {
                Literal::Positive(atom) => (atom, false),
                Literal::Negative(atom) => (atom, true),
                Literal::Distinct(..) => return None,
            };
            let edge = Edge { head: rule.head.relation, body: atom.relation, negative };
            Some((edge, NegativeCycle { rule: rule_idx, literal: literal_idx }))
        })
    })
}

fn same(components: &Components, edge: &Edge) -> bool {
    components.of[edge.head.0 as usize] == components.of[edge.body.0 as usize]
}

/// Finds the properties of components bottom up, dependencies first.
fn find_properties(rules: &Rules, graph: &Graph, components: &Components) -> Vec<Properties> {
    let mut all: Vec<Properties> = Vec::with_capacity(components.len());
    for component in 0..components.len() {
        let mut properties = Properties::default();
        for &relation in components.members(component) {
            properties.needs_state |= relation == rules.keywords.truth.0;
            properties.needs_moves |= relation == rules.keywords.does.0;
            for &target in graph.targets(relation) {
                let target = components.of[target as usize] as usize;
                if target == component {
                    properties.recursive = true;
                } else {
                    properties.needs_state |= all[target].needs_state;
                    properties.needs_moves |= all[target].needs_moves;
                }
            }
        }
        all.push(properties);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::normalise;
    use crate::parse;
    use std::fmt::Write;

    /// One line per component that a rule mentions: names, then `s` for state, `m` for moves,
    /// `r` for recursive.
    fn shown(text: &str) -> String {
        let rules = normalise(&parse(text).0).0;
        let dependencies = Dependencies::of(&rules);
        let mut out = String::new();
        for component in dependencies.components() {
            let mut names: Vec<_> = component.iter().map(|&r| rules.relation_name(r)).collect();
            names.sort();
            let flags = [
                (dependencies.needs_state(component[0]), 's'),
                (dependencies.needs_moves(component[0]), 'm'),
                (dependencies.is_recursive(component[0]), 'r'),
            ];
            let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect();
            if text.contains(names[0].split('/').next().unwrap()) {
                writeln!(out, "{} {flags}", names.join(" ")).unwrap();
            }
        }
        for at in dependencies.negative_cycles() {
            writeln!(out, "negative cycle at rule {} literal {}", at.rule, at.literal).unwrap();
        }
        out
    }

    #[test]
    fn components_come_bottom_up() {
        assert_eq!(
            shown("(<= (a1 ?x) (a2 ?x) (does ?x go)) (<= (a2 ?x) (a3 ?x)) (<= (a3 ?x) (a2 ?x) a4)"),
            "does/2 m\na4/0 \na2/1 a3/1 r\na1/1 m\n"
        );
    }

    #[test]
    fn needs_for_state_and_moves_propagate() {
        assert_eq!(
            shown("(<= (next ?x) q1 (q2 ?x)) (<= q1 (not (true b))) (<= (q2 ?x) (does ?x c))"),
            "true/1 s\ndoes/2 m\nq1/0 s\nq2/1 m\nnext/1 sm\n"
        );
    }

    #[test]
    fn negative_edges_inside_components_are_found() {
        assert_eq!(
            shown("(<= a1 b1) (<= b1 (not c1)) (<= c1 d1 (not a1)) (<= d1 (not e1))"),
            "e1/0 \nd1/0 \na1/0 b1/0 c1/0 r\n\
             negative cycle at rule 1 literal 0\nnegative cycle at rule 2 literal 1\n"
        );
        assert_eq!(shown("(<= a1 (not a1))"), "a1/0 r\nnegative cycle at rule 0 literal 0\n");
    }
}
