//! Move ordering: the sooner a good move is searched, the more is pruned.

use ludens_core::{Move, Role};

/// Statistics of earlier cutoffs: the last two moves that caused one at each ply (killers; Akl and
/// Newborn, 1977) and how much each move has cut off anywhere (history; Schaeffer, 1989).
#[derive(Default)]
pub(super) struct Ordering {
    killers: Vec<[Option<Move>; 2]>,
    history: [Vec<u32>; 2],
}

impl Ordering {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.killers.clear();
        self.history.iter_mut().for_each(Vec::clear);
    }

    /// Halves the history, so that a new search can overrule it, and forgets the killers, whose
    /// plies are counted from another root.
    pub fn decay(&mut self) {
        self.killers.clear();
        self.history.iter_mut().flatten().for_each(|weight| *weight /= 2);
    }

    /// Records that a move caused a cutoff.
    pub fn record_cutoff(&mut self, role: Role, mv: Move, ply: usize, depth: u32) {
        let history = &mut self.history[role.index()];
        if history.len() <= mv.index() {
            history.resize(mv.index() + 1, 0);
        }
        history[mv.index()] = history[mv.index()].saturating_add(depth * depth);
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Writes the moves in search order: the move of the table, the killers, then by history; ties
    /// keep the order of the legal moves.
    pub fn sort(
        &self,
        role: Role,
        legal: &[Move],
        ply: usize,
        table_move: Option<Move>,
        out: &mut Vec<(u32, Move)>,
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let history = &self.history[role.index()];
        let weight = |mv: Move| match Some(mv) {
            best if best == table_move => u32::MAX,
            best if best == killers[0] => u32::MAX - 1,
            best if best == killers[1] => u32::MAX - 2,
            _ => history.get(mv.index()).map_or(0, |&weight| weight.min(u32::MAX - 3)),
        };
        out.clear();
        out.extend(legal.iter().map(|&mv| (weight(mv), mv)));
        // Insertion sort: a stable sort allocates for long lists, and this runs in every node.
        for end in 1..out.len() {
            let mut at = end;
            while at > 0 && out[at - 1].0 < out[at].0 {
                out.swap(at - 1, at);
                at -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_sorted_by_table_killers_and_history() {
        let (mut ordering, mut out) = (Ordering::default(), Vec::new());
        let role = Role(1);
        for (mv, ply, depth) in [(6, 0, 2), (7, 0, 1), (4, 3, 3), (5, 3, 1)] {
            ordering.record_cutoff(role, Move(mv), ply, depth);
        }
        let mut order = |table_move: Option<Move>, ply| {
            let legal: Vec<Move> = (1..9).map(Move).collect();
            ordering.sort(role, &legal, ply, table_move, &mut out);
            out.iter().map(|(_, mv)| mv.0).collect::<Vec<_>>()
        };
        assert_eq!(order(None, 3), [5, 4, 6, 7, 1, 2, 3, 8]);
        assert_eq!(order(Some(Move(8)), 9), [8, 4, 6, 5, 7, 1, 2, 3]);
    }
}
