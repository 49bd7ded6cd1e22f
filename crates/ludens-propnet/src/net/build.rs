//! Builds a net from ground rules.

use ludens_core::{Budget, Trouble};
use ludens_gdl::graph::Graph;
use ludens_gdl::rules::{Keywords, RelationId};
use ludens_logic::terms::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Block, Gate, Net, NetBuilder, Signal};
use crate::ground::{AtomId, GroundLiteral, Grounding};

/// The outputs of the net.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    /// The fluents, in the order of their numbers.
    pub fluents: Vec<Value>,
    /// Whether each fluent holds next.
    pub next: Vec<Signal>,
    /// Role and term of each move that can be legal, in the order of their numbers.
    pub does: Vec<(usize, Value)>,
    /// Whether each of these moves is legal.
    pub legal: Vec<Signal>,
    /// Role, value and signal of each goal.
    pub goals: Vec<(usize, i64, Signal)>,
    /// Whether the state is terminal.
    pub terminal: Option<Signal>,
}

/// The number of components of atoms built between two checks of the limits.
const COMPONENTS_BETWEEN_CHECKS: usize = 4096;

/// Builds the net of a ground description.
pub fn build(
    grounding: &Grounding,
    keywords: &Keywords,
    budget: &Budget,
) -> Result<(Net, Outputs), Trouble> {
    let mut builder = Builder::new(grounding, keywords);
    builder.define(budget)?;
    Ok(builder.finish())
}

struct Builder<'a> {
    grounding: &'a Grounding,
    keywords: &'a Keywords,
    net: NetBuilder,
    outputs: Outputs,
    signals: Vec<Option<Signal>>,
    rules_of: Vec<Vec<u32>>,
    rules: Vec<(AtomId, &'a [GroundLiteral])>,
}

impl<'a> Builder<'a> {
    fn new(grounding: &'a Grounding, keywords: &'a Keywords) -> Self {
        let rules: Vec<_> = grounding.rules().collect();
        let mut rules_of = vec![Vec::new(); grounding.atoms.len()];
        for (i, (head, _)) in rules.iter().enumerate() {
            rules_of[head.0 as usize].push(i as u32);
        }
        let signals = vec![None; grounding.atoms.len()];
        let (net, outputs) = (NetBuilder::new(), Outputs::default());
        Builder { grounding, keywords, net, outputs, signals, rules_of, rules }
    }

    /// Computes the signal of every atom.
    fn define(&mut self, budget: &Budget) -> Result<(), Trouble> {
        for (i, atom) in self.grounding.atoms.iter().enumerate() {
            self.signals[i] = self.input(atom.relation, &atom.args, atom.possible);
        }
        let graph = self.graph();
        let components = graph.components();
        for i in 0..components.len() {
            if i.is_multiple_of(COMPONENTS_BETWEEN_CHECKS) && budget.is_over() {
                return Err(Trouble::Exhausted("the time for grounding is used up".into()));
            }
            let members = components.members(i);
            let first = members[0];
            if self.signals[first as usize].is_some() {
                continue;
            }
            if members.len() == 1 && !graph.targets(first).contains(&first) {
                self.signals[first as usize] = Some(self.disjunction(first)?);
            } else {
                self.block(members)?;
            }
        }
        Ok(())
    }

    /// The dependency graph: edges from heads to the atoms in their rules.
    fn graph(&self) -> Graph {
        let rules = self.rules.iter().filter(|(head, _)| self.signals[head.0 as usize].is_none());
        let edges: Vec<(u32, u32)> =
            rules.flat_map(|(head, body)| body.iter().map(move |l| (head.0, l.atom.0))).collect();
        Graph::new(self.signals.len(), &edges)
    }

    /// The signal of an atom that no rule defines.
    fn input(&mut self, relation: RelationId, args: &[Value], possible: bool) -> Option<Signal> {
        if !possible {
            return Some(Signal::FALSE);
        }
        if relation == self.keywords.truth {
            self.outputs.fluents.push(args[0]);
            return Some(self.net.add(Gate::Fluent(self.outputs.fluents.len() as u32 - 1)));
        }
        if relation == self.keywords.does {
            let role = self.role(args[0])?;
            self.outputs.does.push((role, args[1]));
            return Some(self.net.add(Gate::Does(self.outputs.does.len() as u32 - 1)));
        }
        None
    }

    fn role(&self, term: Value) -> Option<usize> {
        self.grounding.roles.iter().position(|&role| role == term)
    }

    fn disjunction(&mut self, atom: u32) -> Result<Signal, Trouble> {
        // A possible atom without rules is a static fact.
        if self.rules_of[atom as usize].is_empty() {
            return Ok(Signal::TRUE);
        }
        let mut alternatives = Vec::with_capacity(self.rules_of[atom as usize].len());
        for i in 0..self.rules_of[atom as usize].len() {
            let (_, body) = self.rules[self.rules_of[atom as usize][i] as usize];
            let parts = body.iter().map(|literal| {
                let signal = self.signals[literal.atom.0 as usize].ok_or(Trouble::NegativeCycle)?;
                Ok(if literal.positive { signal } else { !signal })
            });
            let parts = parts.collect::<Result<Vec<_>, Trouble>>()?;
            alternatives.push(self.net.and(parts));
        }
        Ok(self.net.or(alternatives))
    }

    /// Defines atoms that depend on each other: loop gates represent them until all are defined.
    fn block(&mut self, members: &[u32]) -> Result<(), Trouble> {
        let inside: FxHashSet<u32> = members.iter().copied().collect();
        let rules = members.iter().flat_map(|&atom| &self.rules_of[atom as usize]);
        let mut literals = rules.flat_map(|&rule| self.rules[rule as usize].1);
        if literals.any(|literal| !literal.positive && inside.contains(&literal.atom.0)) {
            return Err(Trouble::NegativeCycle);
        }
        let first = self.net.len();
        for &atom in members {
            self.signals[atom as usize] = Some(self.net.add_loop());
        }
        let mut loops = Vec::with_capacity(members.len());
        for (i, &atom) in members.iter().enumerate() {
            loops.push((first + i, self.disjunction(atom)?));
        }
        self.net.net.blocks.push(Block { first, end: self.net.len(), loops });
        Ok(())
    }

    /// The signals of a relation's atoms that can hold.
    fn of_relation(&self, relation: RelationId) -> impl Iterator<Item = (&'a [Value], Signal)> {
        let atoms = self.grounding.atoms.iter().zip(&self.signals);
        let atoms = atoms.filter(move |(atom, _)| atom.relation == relation && atom.possible);
        atoms.map(|(atom, signal)| (&atom.args[..], signal.expect("all atoms are defined")))
    }

    fn finish(mut self) -> (Net, Outputs) {
        let next: FxHashMap<Value, Signal> =
            self.of_relation(self.keywords.next).map(|(args, s)| (args[0], s)).collect();
        let legal: FxHashMap<(Value, Value), Signal> = self
            .of_relation(self.keywords.legal)
            .map(|(args, s)| ((args[0], args[1]), s))
            .collect();
        let signal = |found: Option<&Signal>| found.copied().unwrap_or(Signal::FALSE);
        self.outputs.next = self.outputs.fluents.iter().map(|f| signal(next.get(f))).collect();
        let roles = &self.grounding.roles;
        let does = self.outputs.does.iter();
        self.outputs.legal = does.map(|&(role, m)| signal(legal.get(&(roles[role], m)))).collect();
        let goals: Vec<_> = self.of_relation(self.keywords.goal).collect();
        for (args, signal) in goals {
            let value = self.grounding.store.text(args[1]).parse();
            if let (Some(role), Ok(value)) = (self.role(args[0]), value) {
                self.outputs.goals.push((role, value, signal));
            }
        }
        let terminal = self.of_relation(self.keywords.terminal).map(|(_, s)| s).next();
        self.outputs.terminal = terminal;
        (self.net.net, self.outputs)
    }
}
