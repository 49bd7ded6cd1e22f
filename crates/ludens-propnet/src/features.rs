//! Features of moves, found in the rules of any game.
//!
//! A policy that learns how good moves are learns more if it may tell a capture from a plain move
//! (playout policy adaptation with move features, Cazenave 2016). Here nobody says what a capture
//! is. The code of a move is the move with the values of a few fluents, chosen so:
//!
//! - *What it does.* Where the effect of a move differs from state to state, the fluents that tell
//!   most about it: in breakthrough whether an enemy stands on the target cell.
//! - *What surrounds it.* Where moves of a role always do the same, the fluents that stand together
//!   with the changed ones in the smallest conditions: in domineering the six cells around the
//!   domino, as each of them shares a slot with a cell that is filled.
//!
//! Candidates are near in the net; states of random games tell which of them vary
//! while the move is legal, which follow from others, and what moves do. All of it is counted in
//! work, not in time, so that the same network always has the same features.

mod choose;
mod effects;
mod planes;
mod proximity;
mod sample;
mod study;
mod wiring;

use ludens_core::{Move, Role};

use crate::network::Network;

/// How far the search for features goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// So many fluents at most tell what a move does; at most 16.
    pub effect_fluents: usize,
    /// So many fluents at most tell what surrounds a move that always does the same; at most 16.
    pub surrounding_fluents: usize,
    /// So many codes at most, unless there are more moves.
    pub codes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        // Eight are two colours on each of four neighbours.
        Limits { effect_fluents: 6, surrounding_fluents: 8, codes: 4 << 20 }
    }
}

impl Limits {
    /// No fluents: the code of a move is a number for the role and the move.
    pub const NONE: Limits = Limits { effect_fluents: 0, surrounding_fluents: 0, codes: 0 };

    /// Codes are gathered bit by bit, and more bits would leave no room for moves.
    const MAX_FLUENTS: usize = 16;
}

/// Which fluents the codes of moves tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveFeatures {
    /// For each of the network's `does` its first code, and the number of all codes.
    bases: Vec<u32>,
    /// For each of the network's `does` where its fluents begin in `fluents`, and one entry more.
    starts: Vec<u32>,
    fluents: Vec<u32>,
    /// For each role its first move and where the numbers of its `does` begin in `does`.
    rows: Vec<(u32, usize)>,
    /// The numbers of `does` by role and move; moves that a role never makes have the code 0.
    does: Vec<u32>,
}

/// Finds the features of all moves of a network.
pub fn derive(network: &Network, limits: &Limits) -> MoveFeatures {
    let limit = |fluents: usize| fluents.min(Limits::MAX_FLUENTS);
    let limits = Limits {
        effect_fluents: limit(limits.effect_fluents),
        surrounding_fluents: limit(limits.surrounding_fluents),
        ..*limits
    };
    let mut chosen = study::choose_all(network, &limits);
    let room = limits.codes.clamp(network.does.len(), u32::MAX as usize);
    // The fluents of a move are in the order of their worth, so the last are given up first.
    let n_codes = |chosen: &[Vec<u32>]| chosen.iter().map(|fluents| 1 << fluents.len()).sum();
    let mut most = Limits::MAX_FLUENTS;
    while most > 0 && room < n_codes(&chosen) {
        most -= 1;
        for fluents in &mut chosen {
            fluents.truncate(most);
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

    /// The code of one of the network's `does` where some fluents hold; for states that are not
    /// rows of bits, such as the lanes of planes.
    pub fn code_where(&self, does: usize, holds: impl Fn(u32) -> bool) -> u32 {
        let add = |bits, &fluent: &u32| bits * 2 + u32::from(holds(fluent));
        self.bases[does] + self.fluents(does).iter().rev().fold(0, add)
    }

    /// The code of a move of a role in a state; 0 if the role never makes it. Where no move's code
    /// tells anything, the number of the move is its code.
    pub fn code_of_move(&self, state: &[u64], role: Role, m: Move) -> u32 {
        if self.is_empty() {
            return m.0;
        }
        self.does(role, m).map_or(0, |does| self.code(state, does))
    }

    /// Whether no move's code tells anything.
    pub fn is_empty(&self) -> bool {
        self.fluents.is_empty()
    }

    /// The codes of one of the network's `does`.
    pub fn codes_of(&self, does: usize) -> std::ops::Range<u32> {
        self.bases[does]..self.bases[does + 1]
    }

    /// The fluents that the codes of one of the network's `does` tell: bit 0 is the first.
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
