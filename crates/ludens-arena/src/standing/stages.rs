//! The work of an agent by the stage of the game.

use std::collections::BTreeMap;

use crate::record::Effort;

/// How many plies a stage has. Games of 10 to 200 plies have 2 to 40 stages: enough for a curve, and few
/// enough that a hundred games have many decisions in each.
pub const STAGE_PLIES: usize = 5;

/// Sums over the decisions of an agent in a stage of its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// How many moves it chose.
    pub decisions: u64,
    /// Units of work done.
    pub iterations: u64,
}

/// The stages in which an agent made decisions, by their first ply.
pub type Stages = BTreeMap<usize, Stage>;

/// Adds the decisions of a seat whose plies are known.
pub(super) fn add(stages: &mut Stages, effort: &Effort) {
    for (ply, iterations) in &effort.by_ply {
        let stage = stages.entry(ply - ply % STAGE_PLIES).or_default();
        stage.decisions += 1;
        stage.iterations += iterations;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_begin_at_multiples_of_their_length() {
        let mut stages = Stages::new();
        let by_ply =
            |by_ply: &[(usize, u64)]| Effort { by_ply: by_ply.to_vec(), ..Effort::default() };
        add(&mut stages, &by_ply(&[(0, 10), (4, 20), (5, 7), (199, 1)]));
        add(&mut stages, &by_ply(&[]));
        add(&mut stages, &by_ply(&[(3, 30), (9, 0)]));
        let found: Vec<_> =
            stages.iter().map(|(ply, stage)| (*ply, stage.decisions, stage.iterations)).collect();
        assert_eq!(found, [(0, 3, 60), (5, 2, 7), (195, 1, 1)]);
    }
}
