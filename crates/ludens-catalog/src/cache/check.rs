//! Validation of a decoded network.
//!
//! Evaluators rely on all of these invariants: an index out of range would panic, and a block with
//! negative recursion would be iterated forever.

use ludens_core::RoleSet;
use ludens_propnet::Network;
use ludens_propnet::net::{Block, Gate, Net, Signal};

/// Whether all invariants hold that evaluators rely on.
pub(super) fn is_sound(network: &Network) -> bool {
    let Network {
        roles,
        fluents,
        moves,
        does,
        net,
        legal,
        next,
        goals,
        terminal,
        initial,
        rows: _,
    } = network;
    let (n_roles, n_gates) = (roles.len(), net.gates.len());
    let known = |signal: &Signal| signal.gate() < n_gates;
    (1..=RoleSet::MAX_ROLES).contains(&n_roles)
        && is_ascending(fluents)
        && is_ascending(moves)
        && is_ascending(does)
        && does.iter().all(|(role, m)| role.index() < n_roles && m.index() < moves.len())
        && is_ascending(initial)
        && initial.iter().all(|&fluent| (fluent as usize) < fluents.len())
        && legal.len() == does.len()
        && next.len() == fluents.len()
        && goals.is_sorted_by_key(|goal| (goal.role, goal.value))
        && goals.iter().all(|goal| goal.role.index() < n_roles)
        && legal.iter().chain(next).chain([terminal]).all(known)
        && goals.iter().all(|goal| known(&goal.signal))
        && has_sound_inputs(net, fluents.len(), does.len())
        && has_sound_gates(net)
        && has_sound_blocks(net)
}

fn is_ascending<T: Ord>(items: &[T]) -> bool {
    items.is_sorted_by(|a, b| a < b)
}

/// Whether each input exists and has no more than one gate.
fn has_sound_inputs(net: &Net, n_fluents: usize, n_does: usize) -> bool {
    let (mut fluents, mut does) = (vec![false; n_fluents], vec![false; n_does]);
    net.gates.iter().all(|gate| {
        let seen = match gate {
            Gate::Fluent(i) => fluents.get_mut(*i as usize),
            Gate::Does(i) => does.get_mut(*i as usize),
            _ => return true,
        };
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

/// Whether only the first gate is the constant, and gates read earlier gates only.
fn has_sound_gates(net: &Net) -> bool {
    net.gates.first() == Some(&Gate::True)
        && net.gates.iter().enumerate().skip(1).all(|(i, gate)| match gate {
            Gate::True => false,
            Gate::And(parts) | Gate::Or(parts) => {
                !parts.is_empty() && parts.iter().all(|part| part.gate() < i)
            }
            Gate::Fluent(_) | Gate::Does(_) | Gate::Loop => true,
        })
}

/// Whether blocks are disjoint and in order, define every loop once, and are monotone.
fn has_sound_blocks(net: &Net) -> bool {
    let mut end = 0;
    let mut n_loops = 0;
    for block in &net.blocks {
        if block.first < end || block.first >= block.end || block.end > net.gates.len() {
            return false;
        }
        if !has_sound_loops(net, block) || !is_monotone(net, block) {
            return false;
        }
        end = block.end;
        n_loops += block.loops.len();
    }
    // The loops of each block are distinct and inside it, so none is undefined if the counts agree.
    n_loops == net.gates.iter().filter(|gate| **gate == Gate::Loop).count()
}

fn has_sound_loops(net: &Net, block: &Block) -> bool {
    let mut defined = vec![false; block.end - block.first];
    block.loops.iter().all(|&(gate, definition)| {
        (block.first..block.end).contains(&gate)
            && net.gates[gate] == Gate::Loop
            && definition.gate() < block.end
            && !std::mem::replace(&mut defined[gate - block.first], true)
    })
}

/// How a gate depends on the loops of its block: a loop that becomes true may make it true, may
/// make it false, or either.
#[derive(Clone, Copy, Default)]
struct Influence {
    rises: bool,
    falls: bool,
}

/// Whether no loop depends on the negation of a loop, so that iteration terminates.
fn is_monotone(net: &Net, block: &Block) -> bool {
    let mut influences = vec![Influence::default(); block.end - block.first];
    let of = |influences: &[Influence], signal: Signal| {
        let inside = signal.gate().checked_sub(block.first).and_then(|i| influences.get(i));
        let Influence { rises, falls } = inside.copied().unwrap_or_default();
        if signal.is_negated() {
            Influence { rises: falls, falls: rises }
        } else {
            Influence { rises, falls }
        }
    };
    for gate in block.first..block.end {
        let mut influence = Influence::default();
        match &net.gates[gate] {
            Gate::Loop => influence.rises = true,
            Gate::And(parts) | Gate::Or(parts) => {
                for &part in parts {
                    let part = of(&influences, part);
                    influence.rises |= part.rises;
                    influence.falls |= part.falls;
                }
            }
            Gate::True | Gate::Fluent(_) | Gate::Does(_) => {}
        }
        influences[gate - block.first] = influence;
    }
    block.loops.iter().all(|&(_, definition)| !of(&influences, definition).falls)
}

#[cfg(test)]
mod tests {
    use ludens_core::{Budget, Move, Role};

    use super::*;

    /// A network with a recursive block.
    fn network() -> Network {
        let text = "(role you) (init (at a)) (edge a b) (edge b a) (edge b c)
            (<= (reached ?x) (true (at ?x))) (<= (reached ?y) (reached ?x) (edge ?x ?y) (true go))
            (<= (legal you (to ?x)) (reached ?x)) (<= (next (at ?x)) (does you (to ?x)))
            (<= (next go) (not (reached b))) (<= terminal (reached c)) (goal you 100)";
        let rules = ludens_gdl::load(text).0.unwrap();
        Network::load(&rules, &Budget::unlimited()).unwrap()
    }

    fn is_sound_after(change: impl FnOnce(&mut Network)) -> bool {
        let mut network = network();
        change(&mut network);
        is_sound(&network)
    }

    fn first_and(network: &mut Network) -> &mut Gate {
        let is_and = |gate: &&mut Gate| matches!(gate, Gate::And(_));
        network.net.gates.iter_mut().find(is_and).expect("the rules have conditions")
    }

    #[test]
    fn a_built_network_is_sound() {
        assert!(!network().net.blocks.is_empty());
        assert!(is_sound_after(|_| ()));
    }

    #[test]
    fn indices_out_of_range_are_detected() {
        let far = Signal::of(1 << 20);
        assert!(!is_sound_after(|n| n.terminal = far));
        assert!(!is_sound_after(|n| n.legal[0] = far));
        assert!(!is_sound_after(|n| n.next[0] = far));
        assert!(!is_sound_after(|n| n.goals[0].signal = far));
        assert!(!is_sound_after(|n| n.goals[0].role = Role(1)));
        assert!(!is_sound_after(|n| n.does[0] = (Role(0), Move(99))));
        assert!(!is_sound_after(|n| n.initial = vec![99]));
        assert!(!is_sound_after(|n| *first_and(n) = Gate::And([far].into())));
        assert!(!is_sound_after(|n| *first_and(n) = Gate::Fluent(99)));
        assert!(!is_sound_after(|n| n.net.blocks[0].end = 1 << 20));
        assert!(!is_sound_after(|n| n.net.blocks[0].loops[0].1 = far));
    }

    #[test]
    fn inconsistent_lists_are_detected() {
        assert!(!is_sound_after(|n| n.roles.clear()));
        assert!(!is_sound_after(|n| n.roles = vec!["you".into(); 65]));
        assert!(!is_sound_after(|n| n.fluents.swap(0, 1)));
        assert!(!is_sound_after(|n| n.moves[1] = n.moves[0].clone()));
        assert!(!is_sound_after(|n| n.does.swap(0, 1)));
        assert!(!is_sound_after(|n| n.legal.truncate(1)));
        assert!(!is_sound_after(|n| n.next.push(Signal::TRUE)));
        assert!(!is_sound_after(|n| n.initial = vec![1, 0]));
    }

    #[test]
    fn gates_out_of_order_are_detected() {
        assert!(!is_sound_after(|n| n.net.gates.clear()));
        assert!(!is_sound_after(|n| n.net.gates[0] = Gate::Loop));
        assert!(!is_sound_after(|n| n.net.gates.push(Gate::True)));
        assert!(!is_sound_after(|n| n.net.gates.push(Gate::Fluent(0))), "twice the same");
        assert!(!is_sound_after(|n| *first_and(n) = Gate::Or([].into())));
        assert!(!is_sound_after(|n| {
            let itself = Signal::of(n.net.gates.len());
            n.net.gates.push(Gate::Or([itself].into()));
        }));
    }

    #[test]
    fn unsound_blocks_are_detected() {
        assert!(!is_sound_after(|n| n.net.gates.push(Gate::Loop)), "outside of blocks");
        assert!(!is_sound_after(|n| n.net.blocks.clear()));
        assert!(!is_sound_after(|n| n.net.blocks.push(n.net.blocks[0].clone())));
        assert!(!is_sound_after(|n| n.net.blocks[0].loops.truncate(1)));
        assert!(!is_sound_after(|n| n.net.blocks[0].loops[1] = n.net.blocks[0].loops[0]));
        assert!(!is_sound_after(|n| {
            let gate = n.net.blocks[0].loops[0].0;
            n.net.blocks[0].loops[0].1 = !Signal::of(gate);
        }));
    }
}
