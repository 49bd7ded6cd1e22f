//! A game as a network: plain data, all that evaluators need and a cache must store.

use ludens_core::{Budget, Move, Role, RoleSet, Trouble};
use ludens_gdl::Rules;
use ludens_logic::terms::{Store, Value};
use rustc_hash::FxHashMap;

use crate::ground::{Grounding, ground};
use crate::net::{Gate, Net, Outputs, Signal, build};

/// A payoff that the rules may give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The role.
    pub role: Role,
    /// The value, in hundredths.
    pub value: i64,
    /// The signal that is true when the payoff is given.
    pub signal: Signal,
}

/// The rules of a game as gates over fluents and moves, with their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// The roles in the order of the rules.
    pub roles: Vec<String>,
    /// The fluents as text, sorted; a state has one bit for each.
    pub fluents: Vec<String>,
    /// The moves as text, sorted; a move's number is its index.
    pub moves: Vec<String>,
    /// All pairs of role and move, sorted: the bits of a legal set and the inputs of `next`.
    pub does: Vec<(Role, Move)>,
    /// The gates.
    pub net: Net,
    /// Whether each of `does` is legal.
    pub legal: Vec<Signal>,
    /// Whether each fluent holds next.
    pub next: Vec<Signal>,
    /// The payoffs, by role and value.
    pub goals: Vec<Goal>,
    /// Whether the state is terminal.
    pub terminal: Signal,
    /// The fluents that hold initially, in ascending order.
    pub initial: Vec<u32>,
    /// Symbols that a static relation such as `succ` puts in a row.
    pub rows: Vec<Vec<String>>,
}

impl Network {
    /// Grounds rules and builds their network.
    pub fn load(rules: &Rules, budget: &Budget) -> Result<Self, Trouble> {
        let grounding = ground(rules, budget)?;
        let n_roles = grounding.roles.len();
        if n_roles == 0 || n_roles > RoleSet::MAX_ROLES {
            return Err(Trouble::Rules(format!("the rules name {n_roles} roles")));
        }
        let (net, outputs) = build(&grounding, &rules.keywords, budget)?;
        Ok(Self::named(net, &outputs, &grounding))
    }

    /// Sorts fluents and moves by their texts.
    fn named(mut net: Net, outputs: &Outputs, grounding: &Grounding) -> Self {
        let store = &grounding.store;
        let text = |&value: &Value| store.text(value);
        let (fluents, fluent_positions) = sorted_texts(&outputs.fluents, store);
        let mut moves: Vec<Value> = outputs.does.iter().map(|&(_, term)| term).collect();
        moves.sort_unstable();
        moves.dedup();
        let (move_texts, move_positions) = sorted_texts(&moves, store);
        let move_of: FxHashMap<Value, Move> =
            moves.into_iter().zip(move_positions).map(|(term, i)| (term, Move(i))).collect();
        let does = outputs.does.iter().map(|(role, term)| (Role(*role as u8), move_of[term]));
        let (does, does_positions) = sorted(does.collect());
        for gate in &mut net.gates {
            match gate {
                Gate::Fluent(i) => *i = fluent_positions[*i as usize],
                Gate::Does(i) => *i = does_positions[*i as usize],
                _ => {}
            }
        }
        let fluent_of: FxHashMap<Value, u32> =
            outputs.fluents.iter().copied().zip(fluent_positions.iter().copied()).collect();
        let mut initial: Vec<u32> = grounding.initial.iter().map(|f| fluent_of[f]).collect();
        initial.sort_unstable();
        let goal = |&(role, value, signal): &_| Goal { role: Role(role as u8), value, signal };
        let mut goals: Vec<Goal> = outputs.goals.iter().map(goal).collect();
        goals.sort_unstable_by_key(|goal| (goal.role, goal.value));
        Network {
            roles: grounding.roles.iter().map(text).collect(),
            fluents,
            moves: move_texts,
            legal: permuted(&outputs.legal, &does_positions),
            next: permuted(&outputs.next, &fluent_positions),
            terminal: outputs.terminal.unwrap_or(Signal::FALSE),
            does,
            net,
            goals,
            initial,
            rows: grounding.rows.clone(),
        }
    }

    /// The goals of a role with the highest value; empty if it has no goal.
    pub(crate) fn best_goals(&self, role: Role) -> Vec<Signal> {
        let goals = || self.goals.iter().filter(|goal| goal.role == role);
        let best = goals().map(|goal| goal.value).max();
        goals().filter(|goal| Some(goal.value) == best).map(|goal| goal.signal).collect()
    }

    /// The range of each role in `does`.
    pub fn does_of_roles(&self) -> Vec<std::ops::Range<usize>> {
        let end = |role: Role| self.does.partition_point(|&(other, _)| other <= role);
        let mut start = 0;
        let range = |role| {
            let range = start..end(role);
            start = range.end;
            range
        };
        Role::all(self.roles.len()).map(range).collect()
    }
}

/// The sorted texts of some terms, and the new index of each.
fn sorted_texts(terms: &[Value], store: &Store) -> (Vec<String>, Vec<u32>) {
    sorted(terms.iter().map(|&term| store.text(term)).collect())
}

/// Sorted items, and the new index of each.
fn sorted<T: Ord>(items: Vec<T>) -> (Vec<T>, Vec<u32>) {
    let mut numbered: Vec<(T, usize)> = items.into_iter().zip(0..).collect();
    numbered.sort_unstable();
    let mut positions = vec![0; numbered.len()];
    for (position, (_, i)) in numbered.iter().enumerate() {
        positions[*i] = position as u32;
    }
    (numbered.into_iter().map(|(item, _)| item).collect(), positions)
}

/// The signals in their new order.
fn permuted(signals: &[Signal], positions: &[u32]) -> Vec<Signal> {
    let mut out = vec![Signal::FALSE; signals.len()];
    for (signal, &position) in signals.iter().zip(positions) {
        out[position as usize] = *signal;
    }
    out
}
