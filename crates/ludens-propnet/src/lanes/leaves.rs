//! Finds moves that can share a leaf of a choice.
//!
//! The cost of choosing grows with the number of leaves, and most moves exclude each other: those
//! of the role whose turn it is not, those of a piece that is not there. Moves that are never legal
//! at once can share a leaf. Exclusions are estimated from states of a few playouts; since an
//! estimate may be wrong, every step of a playout checks them for its own states
//! (`Leaves::exactly_one`, `Leaves::at_most_one`) and falls back to a leaf for each move.

use rustc_hash::FxHashMap;

use super::exclusion::{Literal, MutexGroups, necessary};
use crate::network::Network;

/// A choice between leaves, each of which stands for some of the network's `does`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Leaves {
    /// The choices: for each its leaves, for each leaf its moves with their guards.
    pub choices: Vec<Vec<Vec<Shared>>>,
    /// Forced moves, which are made whenever they are legal, because their role then has no other.
    pub forced: Vec<Shared>,
    /// The fluents that determine the turn: exactly one holds, or the exclusions are wrong.
    pub exactly_one: Vec<u32>,
    /// Groups of fluents of which no two hold at once, or the exclusions are wrong.
    pub at_most_one: Vec<Vec<u32>>,
    /// For each role, the fluents of `exactly_one` with which it takes part in the first choice; with
    /// the others it takes part in its own choice or makes a forced move.
    pub turns: Vec<Vec<u32>>,
    /// The choice of each role's other moves, if it has one.
    pub others: Vec<Option<usize>>,
}

/// A move that shares a leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shared {
    /// Which of the network's `does`.
    pub does: u32,
    /// If other moves share the leaf, the fluents that select this one: whose turn it is, and the
    /// piece on a cell.
    pub guards: [Option<u32>; 2],
    /// When the move belongs to this leaf; a move such as passing can be legal in every turn, and
    /// then belongs to several.
    pub when: When,
}

/// When a move belongs to a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Whenever it is legal.
    Legal,
    /// When it is legal and this fluent holds.
    Turn(u32),
    /// When it is legal and it is not its role's turn.
    OtherTurn,
}

impl Shared {
    fn unguarded(does: u32) -> Self {
        Shared { does, guards: [None; 2], when: When::Legal }
    }
}

impl Leaves {
    /// A choice for each role, with a leaf for each of its moves.
    pub fn plain(network: &Network) -> Self {
        let leaf = |does: usize| vec![Shared::unguarded(does as u32)];
        let roles = network.does_of_roles();
        Leaves {
            others: (0..roles.len()).map(Some).collect(),
            turns: vec![Vec::new(); roles.len()],
            choices: roles.into_iter().map(|range| range.map(leaf).collect()).collect(),
            ..Leaves::default()
        }
    }

    /// Shared leaves, if that reduces their number; `samples` are states of the game.
    pub fn shared(network: &Network, samples: &[Vec<u64>]) -> Option<Self> {
        let mutexes = MutexGroups::new(network, samples);
        let needed = necessary(network);
        // Turns must matter to most moves.
        let matters = |group: &&Vec<u32>| {
            let names = |literals: &&Vec<Literal>| {
                literals.iter().any(|literal| group.contains(&literal.fluent))
            };
            group.len() <= MAX_TURNS && needed.iter().filter(names).count() * 2 > needed.len()
        };
        let sharing =
            |group: &Vec<u32>| Some(Sharing::new(network, &mutexes, &needed, group)?.build());
        let candidates = mutexes.exactly_one_groups().filter(matters).filter_map(sharing);
        let best = candidates.min_by_key(Leaves::n_leaves);
        let mut best = best.unwrap_or_else(|| Sharing::without_turns(network, &mutexes, &needed));
        best.drop_redundant_guards();
        (best.n_leaves() * 4 < network.does.len() * 3).then_some(best)
    }

    /// Drops redundant guards: a guard is needed only if a leaf has several moves.
    fn drop_redundant_guards(&mut self) {
        for leaf in self.choices.iter_mut().flatten() {
            let all = leaf.clone();
            for shared in leaf {
                let others = || all.iter().filter(|other| *other != shared);
                let [turn, piece] = shared.guards;
                let turn_differs = others().any(|other| other.guards[0] != turn);
                let same_turn = others().any(|other| other.guards[0] == turn);
                shared.guards = [turn.filter(|_| turn_differs), piece.filter(|_| same_turn)];
            }
        }
    }

    fn n_leaves(&self) -> usize {
        self.choices.iter().map(Vec::len).sum()
    }
}

/// Larger groups of fluents are counters, not turns.
const MAX_TURNS: usize = 64;

/// How moves share leaves if a group of fluents determines whose turn it is.
struct Sharing<'a> {
    mutexes: &'a MutexGroups,
    needed: &'a [Vec<Literal>],
    turn: &'a [u32],
    n_roles: usize,
    /// The moves of the role whose turn it is, for each fluent of `turn`.
    blocks: Vec<Vec<u32>>,
    /// Moves that belong to several leaves.
    split: Vec<bool>,
    /// The role whose turn each fluent of `turn` is.
    movers: Vec<usize>,
    /// The moves of each role when it is not its turn.
    others: Vec<Vec<u32>>,
}

impl<'a> Sharing<'a> {
    /// `None` if the fluents do not determine whose turn it is.
    fn new(
        network: &Network,
        mutexes: &'a MutexGroups,
        needed: &'a [Vec<Literal>],
        turn: &'a [u32],
    ) -> Option<Self> {
        let n_roles = network.roles.len();
        let role_of = |does: u32| network.does[does as usize].0.index();
        let mut moves: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); n_roles]; turn.len()];
        let mut turns_of = Vec::with_capacity(network.does.len());
        for does in 0..network.does.len() as u32 {
            let turns = possible_turns(&needed[does as usize], turn);
            for &i in &turns {
                moves[i][role_of(does)].push(does);
            }
            turns_of.push(turns);
        }
        let mover = |by_role: &Vec<Vec<u32>>| {
            (0..n_roles).max_by_key(|&role| (by_role[role].len(), std::cmp::Reverse(role)))
        };
        let movers: Vec<usize> = moves.iter().map(mover).collect::<Option<_>>()?;
        let mut sharing = Sharing {
            mutexes,
            needed,
            turn,
            n_roles,
            blocks: vec![Vec::new(); turn.len()],
            others: vec![Vec::new(); n_roles],
            split: vec![false; network.does.len()],
            movers,
        };
        for (does, turns) in (0u32..).zip(turns_of) {
            let role = role_of(does);
            let (own, other): (Vec<usize>, Vec<usize>) =
                turns.into_iter().partition(|&i| sharing.movers[i] == role);
            sharing.split[does as usize] = own.len() + usize::from(!other.is_empty()) > 1;
            for i in own {
                sharing.blocks[i].push(does);
            }
            if !other.is_empty() {
                sharing.others[role].push(does);
            }
        }
        // If most moves are legal in every turn, these fluents do not determine turns.
        let n_split = sharing.split.iter().filter(|split| **split).count();
        (n_split * 4 < network.does.len()).then_some(sharing)
    }

    /// A choice for each role, if no fluents determine whose turn it is.
    fn without_turns(network: &Network, mutexes: &MutexGroups, needed: &[Vec<Literal>]) -> Leaves {
        let mut leaves = Leaves::plain(network);
        let (turn, n_roles) = (&[][..], network.roles.len());
        let sharing = Sharing {
            mutexes,
            needed,
            turn,
            n_roles,
            blocks: Vec::new(),
            split: Vec::new(),
            movers: Vec::new(),
            others: Vec::new(),
        };
        let shared = |(does, piece)| Shared { guards: [None, piece], ..Shared::unguarded(does) };
        for (choice, range) in leaves.choices.iter_mut().zip(network.does_of_roles()) {
            let block: Vec<u32> = range.map(|does| does as u32).collect();
            let packed = sharing.packed(&block, &mut leaves.at_most_one).into_iter();
            *choice = packed.map(|moves| moves.into_iter().map(shared).collect()).collect();
        }
        leaves
    }

    fn build(self) -> Leaves {
        let mut used: Vec<Vec<u32>> = Vec::new();
        let mut main: Vec<Vec<Shared>> = Vec::new();
        for (i, block) in self.blocks.iter().enumerate() {
            for (leaf, moves) in self.packed(block, &mut used).into_iter().enumerate() {
                if main.len() <= leaf {
                    main.push(Vec::new());
                }
                let turn = self.turn[i];
                let shared = |(does, piece)| Shared {
                    does,
                    guards: [Some(turn), piece],
                    when: if self.split[does as usize] { When::Turn(turn) } else { When::Legal },
                };
                main[leaf].extend(moves.into_iter().map(shared));
            }
        }
        let mut leaves = Leaves {
            choices: vec![main],
            exactly_one: self.turn.to_vec(),
            at_most_one: used,
            others: vec![None; self.n_roles],
            turns: vec![Vec::new(); self.n_roles],
            forced: Vec::new(),
        };
        for (&fluent, &role) in self.turn.iter().zip(&self.movers) {
            leaves.turns[role].push(fluent);
        }
        for (role, others) in self.others.iter().enumerate() {
            match others[..] {
                [] => {}
                [only] => leaves.forced.push(self.other(only)),
                _ => {
                    leaves.others[role] = Some(leaves.choices.len());
                    leaves
                        .choices
                        .push(others.iter().map(|&does| vec![self.other(does)]).collect());
                }
            }
        }
        leaves
    }

    /// A move when it is not its role's turn.
    fn other(&self, does: u32) -> Shared {
        let when = if self.split[does as usize] { When::OtherTurn } else { When::Legal };
        Shared { when, ..Shared::unguarded(does) }
    }

    /// The moves of one turn, packed into leaves: a move may share a leaf with others that need
    /// another fluent of the same mutex group. Each move has the fluent that selects it.
    fn packed(&self, block: &[u32], used: &mut Vec<Vec<u32>>) -> Vec<Vec<(u32, Option<u32>)>> {
        let groups_of = |does: u32| {
            let fluents = self.needed[does as usize].iter();
            let fluents = fluents.filter(|literal| literal.holds).map(|literal| literal.fluent);
            let fluents = fluents.filter(|fluent| !self.turn.contains(fluent));
            fluents.filter_map(|fluent| Some((self.mutexes.group_of(fluent)?, fluent)))
        };
        let mut weight: FxHashMap<usize, u32> = FxHashMap::default();
        for &does in block {
            groups_of(does).for_each(|(group, _)| *weight.entry(group).or_default() += 1);
        }
        let mut lists: Vec<(usize, Members)> = Vec::new();
        let mut leaves = Vec::new();
        for &does in block {
            let best = groups_of(does).max_by_key(|(group, _)| (weight[group], *group));
            let Some((group, fluent)) = best else {
                leaves.push(vec![(does, None)]);
                continue;
            };
            let at = lists.iter().position(|(other, _)| *other == group).unwrap_or_else(|| {
                lists.push((group, Vec::new()));
                lists.len() - 1
            });
            let members = &mut lists[at].1;
            match members.iter_mut().find(|(other, _)| *other == fluent) {
                Some((_, moves)) => moves.push(does),
                None => members.push((fluent, vec![does])),
            }
        }
        for (group, members) in lists {
            if members.len() > 1 && !used.contains(&self.mutexes.groups[group]) {
                used.push(self.mutexes.groups[group].clone());
            }
            let n = members.iter().map(|(_, moves)| moves.len()).max().unwrap_or(0);
            for i in 0..n {
                let moves = members.iter().filter_map(|(fluent, moves)| {
                    Some((*moves.get(i)?, (members.len() > 1).then_some(*fluent)))
                });
                leaves.push(moves.collect());
            }
        }
        leaves
    }
}

/// The moves that need each of some fluents.
type Members = Vec<(u32, Vec<u32>)>;

/// The fluents of a turn group with which a move can be legal, if exactly one of them holds.
fn possible_turns(needed: &[Literal], turn: &[u32]) -> Vec<usize> {
    let allows = |fluent: u32| {
        let mut about_turns = needed.iter().filter(|literal| turn.contains(&literal.fluent));
        about_turns.all(|literal| (literal.fluent == fluent) == literal.holds)
    };
    (0..turn.len()).filter(|&i| allows(turn[i])).collect()
}
