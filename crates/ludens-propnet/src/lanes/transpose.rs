//! Transposes between states and planes.

use super::plane::Plane;

/// Transposes 64 rows of 64 bits (Warren, Hacker's Delight, 7-3).
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
pub(super) fn transpose(rows: &mut [u64; 64]) {
    exchange::<32>(rows, 0x0000_0000_ffff_ffff);
    exchange::<16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<2>(rows, 0x3333_3333_3333_3333);
    exchange::<1>(rows, 0x5555_5555_5555_5555);
}

/// In every square of twice the width, swaps the two off-diagonal quarters.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn exchange<const WIDTH: usize>(rows: &mut [u64; 64], mask: u64) {
    for square in rows.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = square.split_at_mut(WIDTH);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let moved = (*upper >> WIDTH ^ *lower) & mask;
            *upper ^= moved << WIDTH;
            *lower ^= moved;
        }
    }
}

/// Copies states into the given lanes of planes, one lane each; at most 64. Bit `f` of a state, 64
/// to a word, goes to plane `f`.
pub(super) fn scatter(states: &[&[u64]], lanes: Plane, planes: &mut [Plane]) {
    debug_assert!(states.len() <= 64 && states.len() == lanes.count() as usize);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("bmi2") && has!("popcnt") {
            #[expect(unsafe_code, reason = "one instruction instead of a loop over the bits")]
            // SAFETY: the machine supports the instructions, as just checked.
            return unsafe { scatter_wide(states, lanes, planes) };
        }
    }
    scatter_with(states, lanes, planes, deposit_portably);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn scatter_wide(states: &[&[u64]], lanes: Plane, planes: &mut [Plane]) {
    scatter_with(states, lanes, planes, |bits, mask| std::arch::x86_64::_pdep_u64(bits, mask));
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn scatter_with(
    states: &[&[u64]],
    lanes: Plane,
    planes: &mut [Plane],
    deposit: impl Fn(u64, u64) -> u64,
) {
    // The states of earlier words of the lanes come first.
    let mut shifts = [0; 4];
    for quarter in 1..4 {
        shifts[quarter] = shifts[quarter - 1] + lanes.0[quarter - 1].count_ones();
    }
    let mut rows = [0; 64];
    for (word, planes) in planes.chunks_mut(64).enumerate() {
        for (row, state) in rows.iter_mut().zip(states) {
            *row = state[word];
        }
        rows[states.len()..].fill(0);
        transpose(&mut rows);
        for (plane, &row) in planes.iter_mut().zip(&rows) {
            let mut placed = Plane::ZERO;
            for ((placed, &lanes), &shift) in placed.0.iter_mut().zip(&lanes.0).zip(&shifts) {
                // After all 64 states there is nothing left to deposit.
                *placed = deposit(row.checked_shr(shift).unwrap_or(0), lanes);
            }
            *plane = *plane & !lanes | placed;
        }
    }
}

/// Copies up to 256 states into the first lanes of planes; the lanes after them are unspecified.
pub(super) fn load_states<'a>(states: impl Iterator<Item = &'a [u64]>, planes: &mut [Plane]) {
    let mut states = states.fuse();
    for quarter in 0..4 {
        let (mut rows, mut n): ([&[u64]; 64], usize) = ([&[]; 64], 0);
        for (row, state) in rows.iter_mut().zip(states.by_ref()) {
            *row = state;
            n += 1;
        }
        if n == 0 {
            break;
        }
        load_quarter(&rows[..n], quarter, planes);
    }
}

/// Copies up to 64 states into a quarter of the lanes.
fn load_quarter(states: &[&[u64]], quarter: usize, planes: &mut [Plane]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "without wide registers this takes twice as long")]
        // SAFETY: the machine supports the instructions, as just checked.
        return unsafe { load_quarter_wide(states, quarter, planes) };
    }
    load_quarter_portably(states, quarter, planes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn load_quarter_wide(states: &[&[u64]], quarter: usize, planes: &mut [Plane]) {
    load_quarter_portably(states, quarter, planes);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn load_quarter_portably(states: &[&[u64]], quarter: usize, planes: &mut [Plane]) {
    let mut rows = [0; 64];
    for (word, planes) in planes.chunks_mut(64).enumerate() {
        for (row, state) in rows.iter_mut().zip(states) {
            *row = state[word];
        }
        rows[states.len()..].fill(0);
        transpose(&mut rows);
        for (plane, &row) in planes.iter_mut().zip(&rows) {
            plane.0[quarter] = row;
        }
    }
}

/// Reads the first lanes of planes as states, `words` words each, one after the other.
pub(super) fn gather(planes: &[Plane], words: usize, states: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "without wide registers this takes twice as long")]
        // SAFETY: the machine supports the instructions, as just checked.
        return unsafe { gather_wide(planes, words, states) };
    }
    gather_portably(planes, words, states);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn gather_wide(planes: &[Plane], words: usize, states: &mut [u64]) {
    gather_portably(planes, words, states);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
fn gather_portably(planes: &[Plane], words: usize, states: &mut [u64]) {
    debug_assert!(planes.len().div_ceil(64) <= words);
    let mut rows = [0; 64];
    for (word, planes) in planes.chunks(64).enumerate() {
        for (quarter, states) in states.chunks_mut(64 * words).enumerate() {
            let mut any = 0;
            for (row, plane) in rows.iter_mut().zip(planes) {
                *row = plane.0[quarter];
                any |= *row;
            }
            rows[planes.len()..].fill(0);
            // If there are many moves, most are legal in no lane.
            if any != 0 {
                transpose(&mut rows);
            }
            for (state, &row) in states.chunks_mut(words).zip(&rows) {
                state[word] = row;
            }
        }
    }
}

/// Deposits the lowest bits of a number at the bits of the mask.
fn deposit_portably(mut bits: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        if bits & 1 == 1 {
            out |= bit;
        }
        bits >>= 1;
        mask ^= bit;
    }
    out
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    /// Reads one lane of planes as the words of a state.
    fn read(planes: &[Plane], lane: usize, words: &mut [u64]) {
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
    fn states_are_scattered_to_their_lanes_only() {
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
                read(&planes, lane, &mut found);
                if lanes.get(lane) {
                    assert_eq!(&found, expected.next().unwrap());
                } else {
                    let mut kept = [0; 3];
                    read(&before, lane, &mut kept);
                    assert_eq!(found, kept);
                }
            }
        }
    }

    #[test]
    fn gathered_states_equal_the_lanes() {
        let mut rng = Rng::new(8);
        for n_states in [1usize, 64, 100, 256] {
            let n_planes = 1 + rng.below(200);
            let planes: Vec<Plane> =
                (0..n_planes).map(|_| Plane(std::array::from_fn(|_| rng.next_u64()))).collect();
            let words = n_planes.div_ceil(64);
            let mut states = vec![1; n_states * words];
            gather(&planes, words, &mut states);
            let mut expected = vec![0; words];
            for (lane, state) in states.chunks(words).enumerate() {
                read(&planes, lane, &mut expected);
                assert_eq!(state, expected);
            }
        }
    }

    #[test]
    fn scattering_is_the_same_on_all_machines() {
        let mut rng = Rng::new(6);
        for n_lanes in [1usize, 30, 64] {
            let mut lanes = Plane::ZERO;
            while (lanes.count() as usize) < n_lanes {
                lanes.set(rng.below(256), true);
            }
            let states: Vec<[u64; 2]> =
                (0..n_lanes).map(|_| [rng.next_u64(), rng.next_u64()]).collect();
            let words: Vec<&[u64]> = states.iter().map(|state| &state[..]).collect();
            let (mut best, mut portable) = ([Plane::ONES; 128], [Plane::ONES; 128]);
            scatter(&words, lanes, &mut best);
            scatter_with(&words, lanes, &mut portable, deposit_portably);
            assert_eq!(best, portable);
        }
    }
}
