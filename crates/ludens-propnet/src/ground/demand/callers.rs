//! The arguments that are bound where demanded relations are called.

use ludens_gdl::graph::Graph;
use ludens_gdl::rules::{RelationId, Term};

use super::super::order::{Order, Sizes, is_bound};
use super::super::program::{Condition, OpenRule, Program};

/// The arguments of a relation that are bound at every call, as a bit mask; `None` if no rule calls
/// it.
type Binding = Option<u64>;

/// The binding patterns of the demanded relations.
pub(super) struct Callers<'a> {
    pub(super) program: &'a Program,
    pub(super) sizes: Sizes,
    pub(super) bindings: Vec<Binding>,
    /// The strongly connected component of each relation in the dependency graph.
    pub(super) components: Vec<u32>,
}

/// A call of a demanded relation in a rule.
pub(super) struct Call {
    pub(super) condition: usize,
    /// The conditions that come before it.
    pub(super) before: Vec<usize>,
    pub(super) bound: u64,
}

impl<'a> Callers<'a> {
    pub(super) fn new(program: &'a Program, sizes: &[f64], demanded: Vec<bool>) -> Self {
        let edges: Vec<(u32, u32)> = program
            .rules
            .iter()
            .flat_map(|rule| rule.body.iter().filter_map(|c| Some((rule.head.0, c.atom()?.0.0))))
            .collect();
        let components = Graph::new(program.relations.len(), &edges).components().of;
        let bindings = vec![None; program.relations.len()];
        let sizes = Sizes { atoms: sizes.to_vec(), demanded };
        let mut callers = Callers { program, sizes, bindings, components };
        while callers.propagate() {}
        callers
    }

    pub(super) fn is_demanded(&self, relation: RelationId) -> bool {
        self.sizes.demanded[relation.0 as usize]
    }

    /// Examines the calls of all rules that are called themselves; returns whether any binding has
    /// changed.
    fn propagate(&mut self) -> bool {
        let mut changed = false;
        for rule in &self.program.rules {
            if self.is_demanded(rule.head) && self.bindings[rule.head.0 as usize].is_none() {
                continue;
            }
            for call in self.calls(rule) {
                let (relation, _) = rule.body[call.condition].atom().expect("calls name atoms");
                let binding = &mut self.bindings[relation.0 as usize];
                let common = binding.map_or(call.bound, |binding| binding & call.bound);
                changed |= *binding != Some(common);
                *binding = Some(common);
            }
        }
        changed
    }

    /// The calls of a rule, in the order in which its conditions are joined.
    pub(super) fn calls(&self, rule: &OpenRule) -> Vec<Call> {
        let is_call =
            |condition: &Condition| condition.atom().is_some_and(|a| self.is_demanded(a.0));
        if !rule.body.iter().any(is_call) {
            return Vec::new();
        }
        let mut order = Order::new(&rule.body, rule.n_variables, &self.sizes, None);
        if self.is_demanded(rule.head) {
            for arg in self.bound_args(rule.head, &rule.head_args) {
                arg.variables(&mut |v| order.bound[v.0 as usize] = true);
            }
        }
        let (mut calls, mut before, mut negative) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(i) = order.take() {
            let condition = &rule.body[i];
            if let Condition::Negative { .. } = condition {
                negative.push(i);
                continue;
            }
            if is_call(condition) {
                calls.push(self.call(rule, i, &before, &order.bound));
            }
            if condition.is_positive() {
                order.bind(condition);
            }
            before.push(i);
        }
        // Negated conditions demand last, when all variables are bound.
        for i in negative.into_iter().filter(|&i| is_call(&rule.body[i])) {
            calls.push(self.call(rule, i, &before, &order.bound));
        }
        calls
    }

    fn call(&self, rule: &OpenRule, condition: usize, before: &[usize], bound: &[bool]) -> Call {
        let (relation, args) = rule.body[condition].atom().expect("calls name atoms");
        let component = |relation: RelationId| self.components[relation.0 as usize];
        // In a recursive call a newly built term does not count as bound: otherwise larger and
        // larger terms could be demanded where the rules have finitely many consequences.
        let recursive = component(relation) == component(rule.head);
        let grows = |arg: &Term| recursive && matches!(arg, Term::Function(..)) && !arg.is_ground();
        let args = args.iter().take(64).enumerate();
        let args = args.filter(|(_, arg)| is_bound(arg, bound) && !grows(arg));
        let bound = args.fold(0, |mask, (i, _)| mask | 1 << i);
        Call { condition, before: before.to_vec(), bound }
    }

    /// The arguments of a relation that are bound at every call.
    pub(super) fn bound_args<'t>(
        &self,
        relation: RelationId,
        args: &'t [Term],
    ) -> impl Iterator<Item = &'t Term> + use<'t> {
        let mask = self.bindings[relation.0 as usize].unwrap_or(0);
        args.iter().take(64).enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, a)| a)
    }
}
