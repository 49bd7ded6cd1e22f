//! Between states of one game each and planes of all games.

use super::plane::Plane;

/// Turns 64 rows of 64 bits into columns (Warren, Hacker's Delight, 7-3).
pub(super) fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffffu64);
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let moved = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= moved << width;
            rows[row + width] ^= moved;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

/// Puts states into the given lanes of planes, one lane each; at most 64. Bit `f` of a state, 64 to
/// a word, goes to plane `f`.
pub(super) fn scatter(states: &[&[u64]], lanes: Plane, planes: &mut [Plane]) {
    debug_assert!(states.len() <= 64 && states.len() == lanes.count() as usize);
    let mut rows = [0; 64];
    for (word, planes) in planes.chunks_mut(64).enumerate() {
        for (row, state) in rows.iter_mut().zip(states) {
            *row = state[word];
        }
        rows[states.len()..].fill(0);
        transpose(&mut rows);
        for (plane, &row) in planes.iter_mut().zip(&rows) {
            let mut rest = row;
            for (part, &lanes) in plane.0.iter_mut().zip(&lanes.0) {
                *part = *part & !lanes | deposit(rest, lanes);
                rest = rest.checked_shr(lanes.count_ones()).unwrap_or(0);
            }
        }
    }
}

/// Puts the lowest bits of a number at the places of the mask's bits.
fn deposit(bits: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[expect(unsafe_code, reason = "one instruction instead of a loop over the bits")]
        // SAFETY: the machine has just been found to have the instruction.
        return unsafe { std::arch::x86_64::_pdep_u64(bits, mask) };
    }
    deposit_portably(bits, mask)
}

fn deposit_portably(mut bits: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    while mask != 0 {
        let place = mask & mask.wrapping_neg();
        if bits & 1 == 1 {
            out |= place;
        }
        bits >>= 1;
        mask ^= place;
    }
    out
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    /// Reads one lane of planes as the words of a state.
    fn gather(planes: &[Plane], lane: usize, words: &mut [u64]) {
        words.fill(0);
        for (i, plane) in planes.iter().enumerate() {
            words[i / 64] |= u64::from(plane.get(lane)) << (i % 64);
        }
    }

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut rng = Rng::new(3);
        let rows: [u64; 64] = std::array::from_fn(|_| rng.next_u64());
        let mut columns = rows;
        transpose(&mut columns);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }

    #[test]
    fn states_arrive_in_their_lanes_and_disturb_no_other() {
        let mut rng = Rng::new(4);
        for n_lanes in [1usize, 7, 63, 64] {
            let mut lanes = Plane::ZERO;
            while (lanes.count() as usize) < n_lanes {
                lanes.set(rng.below(256), true);
            }
            let mut planes: Vec<Plane> =
                (0..130).map(|_| Plane(std::array::from_fn(|_| rng.next_u64()))).collect();
            let before = planes.clone();
            let states: Vec<[u64; 3]> = (0..n_lanes)
                .map(|_| [rng.next_u64(), rng.next_u64(), rng.next_u64() & 3])
                .collect();
            let words: Vec<&[u64]> = states.iter().map(|state| &state[..]).collect();
            scatter(&words, lanes, &mut planes);
            let mut expected = states.iter();
            let mut found = [0; 3];
            for lane in 0..256 {
                gather(&planes, lane, &mut found);
                if lanes.get(lane) {
                    assert_eq!(&found, expected.next().unwrap());
                } else {
                    let mut kept = [0; 3];
                    gather(&before, lane, &mut kept);
                    assert_eq!(found, kept);
                }
            }
        }
    }

    #[test]
    fn depositing_is_the_same_on_all_machines() {
        let mut rng = Rng::new(6);
        for _ in 0..1000 {
            let (bits, mask) = (rng.next_u64(), rng.next_u64() & rng.next_u64());
            assert_eq!(deposit(bits, mask), deposit_portably(bits, mask));
        }
    }
}
