//! Features of moves, derived from the rules of any game.
//!
//! A policy that learns the values of moves learns more if it can distinguish a capture from a plain move
//! (playout policy adaptation with move features, Cazenave 2016). Here captures are not known in
//! advance: the code of a move combines the move with the values of a few fluents, chosen as
//! follows.
//!
//! - *Effects.* If the effect of a move differs from state to state, the fluents that are most
//!   informative about it: in breakthrough whether an enemy is on the target cell.
//! - *Surroundings.* If a move always has the same effect, the fluents that occur together with the
//!   changed ones in the smallest conditions: in domineering the six cells around the domino, as
//!   each of them shares a slot with a filled cell.
//!
//! Candidates are close to the move in the net; states of random playouts show which of them vary
//! while the move is legal, which follow from others, and what moves change. The search is limited
//! by work, not by time, so that a network always has the same features.

mod choose;
mod effects;
mod planes;
mod proximity;
mod sample;
mod study;
mod wiring;

use ludens_core::{Move, Role};

use crate::network::Network;

/// Limits of the search for features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many fluents may describe the effect of a move; at most 16.
    pub effect_fluents: usize,
    /// How many fluents may describe the surroundings of a move that always has the same effect; at
    /// most 16.
    pub surrounding_fluents: usize,
    /// How many codes there may be, unless there are more moves.
    pub codes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        // Eight: two colours on each of four neighbours.
        Limits { effect_fluents: 6, surrounding_fluents: 8, codes: 4 << 20 }
    }
}

impl Limits {
    /// No fluents: the code of a move is a number for the role and the move.
    pub const NONE: Limits = Limits { effect_fluents: 0, surrounding_fluents: 0, codes: 0 };

    /// The bits of a code must leave room for the numbers of moves.
    const MAX_FLUENTS: usize = 16;
}

/// The fluents in the codes of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveFeatures {
    /// For each of the network's `does` its first code, and the number of all codes.
    bases: Vec<u32>,
    /// For each of the network's `does` the start of its fluents in `fluents`, and one more entry.
    starts: Vec<u32>,
    fluents: Vec<u32>,
    /// For each role its first move and the start of its part of `does`.
    rows: Vec<(u32, usize)>,
    /// The network's `does` by role and move; moves that a role can never make get the code 0.
    does: Vec<u32>,
}

/// Derives the features of all moves of a network.
pub fn derive(network: &Network, limits: &Limits) -> MoveFeatures {
    let limit = |fluents: usize| fluents.min(Limits::MAX_FLUENTS);
    let limits = Limits {
        effect_fluents: limit(limits.effect_fluents),
        surrounding_fluents: limit(limits.surrounding_fluents),
        ..*limits
    };
    let mut chosen = study::choose_all(network, &limits);
    let max_codes = limits.codes.clamp(network.does.len(), u32::MAX as usize);
    // The fluents of a move are sorted by information, so the last are dropped first.
    let n_codes = |chosen: &[Vec<u32>]| chosen.iter().map(|fluents| 1 << fluents.len()).sum();
    let mut max_fluents = Limits::MAX_FLUENTS;
    while max_fluents > 0 && max_codes < n_codes(&chosen) {
        max_fluents -= 1;
        for fluents in &mut chosen {
            fluents.truncate(max_fluents);
        }
    }
    MoveFeatures::new(network, &chosen)
}

impl MoveFeatures {
    fn new(network: &Network, chosen: &[Vec<u32>]) -> Self {
        let (mut bases, mut starts) = (vec![0], vec![0]);
        for fluents in chosen {
            bases.push(bases[bases.len() - 1] + (1 << fluents.len()));
            starts.push(starts[starts.len() - 1] + fluents.len() as u32);
        }
        let (mut rows, mut does) = (Vec::new(), Vec::new());
        for range in network.does_of_roles() {
            let first = network.does.get(range.start).map_or(0, |&(_, m)| m.0);
            rows.push((first, does.len()));
            for i in range {
                let row = rows[rows.len() - 1].1;
                does.resize(row + (network.does[i].1.0 - first) as usize, u32::MAX);
                does.push(i as u32);
            }
        }
        rows.push((0, does.len()));
        MoveFeatures { bases, starts, fluents: chosen.concat(), rows, does }
    }

    /// All codes are below this number.
    pub fn n_codes(&self) -> usize {
        self.bases[self.bases.len() - 1] as usize
    }

    /// The code of one of the network's `does` in a state, given as bits, 64 to a word.
    pub fn code(&self, state: &[u64], does: usize) -> u32 {
        self.code_where(does, |fluent| state[fluent as usize / 64] >> (fluent % 64) & 1 == 1)
    }

    /// The code of one of the network's `does`, with a predicate for the fluents that hold; for
    /// states in lanes.
    pub fn code_where(&self, does: usize, holds: impl Fn(u32) -> bool) -> u32 {
        let add = |bits, &fluent: &u32| bits * 2 + u32::from(holds(fluent));
        self.bases[does] + self.fluents(does).iter().rev().fold(0, add)
    }

    /// The code of a move of a role in a state; 0 if the role can never make it. If no code has
    /// fluents, the number of the move is its code.
    pub fn code_of_move(&self, state: &[u64], role: Role, m: Move) -> u32 {
        if self.is_empty() {
            return m.0;
        }
        self.does(role, m).map_or(0, |does| self.code(state, does))
    }

    /// Whether no code has fluents.
    pub fn is_empty(&self) -> bool {
        self.fluents.is_empty()
    }

    /// The codes of one of the network's `does`.
    pub fn codes_of(&self, does: usize) -> std::ops::Range<u32> {
        self.bases[does]..self.bases[does + 1]
    }

    /// The fluents in the codes of one of the network's `does`: bit 0 is the first.
    pub fn fluents(&self, does: usize) -> &[u32] {
        &self.fluents[self.starts[does] as usize..self.starts[does + 1] as usize]
    }

    /// The names of these fluents.
    pub fn describe(&self, network: &Network, does: usize) -> Vec<String> {
        let name = |&fluent: &u32| network.fluents[fluent as usize].clone();
        self.fluents(does).iter().map(name).collect()
    }

    fn does(&self, role: Role, m: Move) -> Option<usize> {
        let &[(first, start), (_, end)] = self.rows.get(role.index()..)?.first_chunk()?;
        let column = m.0.checked_sub(first)? as usize;
        let does = *self.does[start..end].get(column)?;
        (does != u32::MAX).then_some(does as usize)
    }
}
