//! Numbers for all subsets of four cells.

use crate::pick::sum;

/// For each subset of four cells a number.
pub(super) type Subsets = [f32; 16];

/// The sums of all subsets of four weights.
#[inline]
pub(super) fn subset_sums([a, b, c, d]: [f32; 4]) -> Subsets {
    let (low, both) = ([0.0, a, b, a + b], c + d);
    let mut sums = [0.0; 16];
    for (at, low) in low.into_iter().enumerate() {
        sums[at] = low;
        sums[at + 4] = low + c;
        sums[at + 8] = low + d;
        sums[at + 12] = low + both;
    }
    sums
}

/// What the subsets with each of four members add up to.
#[inline]
fn member_shares(subsets: &Subsets) -> [f32; 4] {
    let quarter = |at: usize| -> [f32; 4] { std::array::from_fn(|i| subsets[4 * at + i]) };
    let (none, third, fourth, both) = (quarter(0), quarter(1), quarter(2), quarter(3));
    let all: [f32; 4] = std::array::from_fn(|i| (none[i] + third[i]) + (fourth[i] + both[i]));
    let both = sum(&both);
    [all[1] + all[3], all[2] + all[3], sum(&third) + both, sum(&fourth) + both]
}

/// Appends the shares of the cells of a quarter that have one; the keys of the cells are `base` and
/// every second number from there on.
pub(super) fn append_shares(fours: &[Subsets; 4], base: u32, out: &mut Vec<(u32, f32)>) {
    let mut end = out.len();
    out.resize(end + 16, (0, 0.0));
    for (subsets, first) in fours.iter().zip((0..16).step_by(4)) {
        for (share, cell) in member_shares(subsets).into_iter().zip(first..) {
            // Written in any case, counted if there is one: no machine foresees which has.
            out[end] = (base + 2 * cell, share);
            end += usize::from(share > 0.0);
        }
    }
    out.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_add_up_their_members() {
        let sums = subset_sums([1.0, 2.0, 4.0, 8.0]);
        assert!((0..16).all(|subset| sums[subset] as usize == subset), "{sums:?}");
    }

    #[test]
    fn members_get_the_shares_of_all_their_subsets() {
        let mut fours = [[0.0; 16]; 4];
        fours[0][0b0101] = 1.0;
        fours[0][0b1100] = 2.0;
        fours[0][0b0000] = 64.0;
        fours[3][0b1111] = 4.0;
        let mut shares = vec![(7, 0.5)];
        append_shares(&fours, 100, &mut shares);
        let first = [(7, 0.5), (100, 1.0), (104, 3.0), (106, 2.0)];
        let last = [124, 126, 128, 130].map(|code| (code, 4.0));
        assert_eq!(shares, [&first[..], &last].concat());
    }
}
