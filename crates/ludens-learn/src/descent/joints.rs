//! The joint moves of a state that are searched.

use ludens_core::{Move, Rng, Role};

/// Where several roles decide and there are more joint moves than this, as many are sampled, or as many as
/// the role with the most moves has.
const MAX_JOINTS: usize = 64;

/// Which joint moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joints {
    /// The role that decides; the first role if none has a choice; `None` if several have one.
    pub decider: Option<Role>,
    /// How many there are; none if some role has no legal move.
    pub count: usize,
}

impl Joints {
    /// Appends joint moves of a state with these legal moves of each role, one after the other.
    pub fn write<'a>(
        legal: &(impl Iterator<Item = &'a [Move]> + Clone),
        out: &mut Vec<Move>,
    ) -> Self {
        let sizes = || legal.clone().map(<[Move]>::len);
        let roles = Role::all(sizes().count());
        let mut deciders = roles.zip(sizes()).filter(|(_, len)| *len > 1).map(|(role, _)| role);
        let first = deciders.next().unwrap_or(Role(0));
        let decider = deciders.next().is_none().then_some(first);
        let product = sizes().fold(1, usize::saturating_mul);
        let sampled = decider.is_none() && product > MAX_JOINTS;
        let widest = sizes().max().unwrap_or(0);
        let count = if sampled { MAX_JOINTS.max(widest) } else { product };
        for number in 0..count {
            let mut rest = number;
            for (role_idx, moves) in legal.clone().enumerate() {
                let n = moves.len();
                let pick = if sampled { sampled_pick(number, n, role_idx) } else { rest % n };
                rest /= n;
                out.push(moves[pick]);
            }
        }
        Joints { decider, count }
    }
}

/// Each block of `n` numbers contains every move once, rotated by a random offset.
fn sampled_pick(number: usize, n: usize, role_idx: usize) -> usize {
    let shift = Rng::mix(((number / n) as u64) << 8 | role_idx as u64);
    (number + (shift % n as u64) as usize) % n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joints(sizes: &[u32]) -> (Joints, Vec<Vec<u32>>) {
        let legal: Vec<Vec<Move>> = sizes.iter().map(|&n| (0..n).map(Move).collect()).collect();
        let mut out = Vec::new();
        let joints = Joints::write(&legal.iter().map(Vec::as_slice), &mut out);
        let numbers = |joint: &[Move]| joint.iter().map(|m| m.0).collect();
        (joints, out.chunks(sizes.len()).map(numbers).collect())
    }

    #[test]
    fn one_role_decides_or_none_or_several() {
        let (found, moves) = joints(&[1, 3]);
        assert_eq!(found.decider, Some(Role(1)));
        assert_eq!(moves, [[0, 0], [0, 1], [0, 2]]);
        assert_eq!(joints(&[1, 1, 1]).0.decider, Some(Role(0)));
        let (found, moves) = joints(&[2, 1, 2]);
        assert_eq!(found.decider, None);
        assert_eq!(moves, [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]]);
        assert_eq!(joints(&[2, 0]).0.count, 0, "a role has no legal move");
    }

    #[test]
    fn a_sample_contains_every_move_of_every_role() {
        for sizes in [[30, 50], [3, 200], [9, 9]] {
            let (found, moves) = joints(&sizes);
            assert_eq!(found.count, 64.max(sizes[1] as usize));
            for (role_idx, &n) in sizes.iter().enumerate() {
                assert!((0..n).all(|m| moves.iter().any(|joint| joint[role_idx] == m)));
            }
        }
    }
}
