//! What the others do when a role decides alone.

use std::ops::Range;
use std::sync::Arc;

use crate::bits::ones;
use crate::lanes::{Literal, necessary};
use crate::net::{Gate, NetBuilder, Signal};
use crate::network::Network;
use crate::scalar::Scalar;

/// More moves than this are not checked one by one.
const MAX_CHECKED: usize = 64;

/// When only one role has a choice, and what the others do then.
pub(super) struct Alone {
    /// The moves of the others, as numbers of `does`.
    pub forced: Vec<u32>,
    /// What must hold so that the others have these moves and no others.
    conditions: Vec<Condition>,
}

enum Condition {
    /// A move is legal.
    Legal(u32),
    /// None of these is legal.
    NoneLegal(Vec<u32>),
    /// A literal fails that all other moves of a role need.
    Fails(Literal),
}

impl Alone {
    /// When each role decides alone, as far as sampled states show it: all other roles made the same moves in all of
    /// them in which it had a choice. `None` for a role for which that is not so.
    pub fn of_roles(network: &Arc<Network>, samples: &[Vec<u64>]) -> Vec<Option<Self>> {
        let scalar = Scalar::from(Arc::clone(network));
        let (mut scratch, roles) = (scalar.scratch(), network.does_of_roles());
        let mut legal = vec![0; network.does.len().div_ceil(64)];
        let mut seen: Vec<Seen> = roles.iter().map(|_| Seen::default()).collect();
        for (i, state) in samples.iter().enumerate() {
            scalar.look(&mut scratch, state, &mut legal);
            let of_role = |range: &Range<usize>| -> Vec<u32> {
                ones(&legal).filter(|does| range.contains(does)).map(|does| does as u32).collect()
            };
            let moves: Vec<Vec<u32>> = roles.iter().map(of_role).collect();
            for (role_idx, seen) in seen.iter_mut().enumerate() {
                if moves[role_idx].len() > 1 {
                    seen.add(i, only_moves(&moves, role_idx));
                }
            }
        }
        let needed = necessary(network);
        let alone = |seen: Seen| {
            let states: Vec<&[u64]> = seen.states.iter().map(|&i| &samples[i][..]).collect();
            let forced = seen.forced?;
            let conditions = forced.iter().map(|&does| {
                let range = roles.iter().find(|range| range.contains(&(does as usize)))?.clone();
                let others = range.map(|other| other as u32).filter(|&other| other != does);
                let no_other = Condition::excluding(others.collect(), &needed, &states)?;
                Some([Condition::Legal(does), no_other])
            });
            let conditions: Vec<[Condition; 2]> = conditions.collect::<Option<_>>()?;
            let conditions = conditions.into_iter().flatten().collect();
            Some(Alone { forced, conditions })
        };
        seen.into_iter().map(alone).collect()
    }

    /// The conditions as signals.
    pub fn conditions(&self, network: &Network, net: &mut NetBuilder) -> Vec<Signal> {
        let legal = |does: &u32| network.legal[*does as usize];
        let condition = |condition: &Condition| match condition {
            Condition::Legal(does) => legal(does),
            Condition::NoneLegal(moves) => !net.or(moves.iter().map(legal).collect()),
            Condition::Fails(Literal { fluent, holds }) => {
                net.add(Gate::Fluent(*fluent)).negated_if(*holds)
            }
        };
        self.conditions.iter().map(condition).collect()
    }
}

impl Condition {
    /// What must hold so that none of some moves is legal. A literal is cheaper than all moves; it must fail in the
    /// states in which they were not legal. `None` if there are too many moves.
    fn excluding(moves: Vec<u32>, needed: &[Vec<Literal>], states: &[&[u64]]) -> Option<Self> {
        let holds = |state: &[u64], literal: &Literal| {
            let bit = state[literal.fluent as usize / 64] >> (literal.fluent % 64) & 1 == 1;
            bit == literal.holds
        };
        let is_shared = |literal: &&Literal| {
            moves.iter().all(|&does| needed[does as usize].contains(literal))
                && !states.iter().any(|state| holds(state, literal))
        };
        let first = moves.first().map_or(&[][..], |&does| &needed[does as usize]);
        match first.iter().find(is_shared) {
            Some(&literal) => Some(Condition::Fails(literal)),
            None => (moves.len() <= MAX_CHECKED).then_some(Condition::NoneLegal(moves)),
        }
    }
}

/// The moves of all other roles, if each has only one.
fn only_moves(moves: &[Vec<u32>], role_idx: usize) -> Option<Vec<u32>> {
    let others = moves.iter().enumerate().filter(|&(other, _)| other != role_idx);
    let only = others.map(|(_, moves)| match moves[..] {
        [only] => Some(only),
        _ => None,
    });
    only.collect()
}

/// What the others did so far in states in which a role had a choice.
#[derive(Default)]
struct Seen {
    states: Vec<usize>,
    /// The same moves in all of them.
    forced: Option<Vec<u32>>,
}

impl Seen {
    fn add(&mut self, state: usize, forced: Option<Vec<u32>>) {
        if self.states.is_empty() {
            self.forced = forced;
        } else if self.forced != forced {
            self.forced = None;
        }
        self.states.push(state);
    }
}
