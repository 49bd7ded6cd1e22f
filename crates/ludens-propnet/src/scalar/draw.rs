//! Draws random moves from bit sets.

use std::ops::Range;

use ludens_core::Rng;

/// Draws a move for each role, whose moves are the bits of a range; returns false if a role has none.
///
/// A forced move takes no random number, and if one role cannot move, nothing is drawn at all:
/// so the draws are those of [`ludens_core::ScalarSimulator`].
pub fn draw(legal: &[u64], ranges: &[Range<usize>], rng: &mut Rng, does: &mut Vec<u32>) -> bool {
    does.clear();
    for range in ranges {
        let count = count_ones(legal, range);
        if count == 0 {
            return false;
        }
        does.push(count);
    }
    for (does, range) in does.iter_mut().zip(ranges) {
        let chosen = if *does == 1 { 0 } else { rng.below(*does as usize) as u32 };
        *does = nth_one(legal, range, chosen);
    }
    true
}

/// The words of a range of bits, each with the index of its first bit; other bits are masked.
fn words_within<'a>(
    words: &'a [u64],
    range: &Range<usize>,
) -> impl Iterator<Item = (usize, u64)> + use<'a> {
    let (start, end) = (range.start, range.end);
    (start / 64..end.div_ceil(64)).map(move |i| {
        let from = u64::MAX << start.saturating_sub(i * 64);
        let to = u64::MAX >> (64 - (end - i * 64).min(64));
        (i * 64, words[i] & from & to)
    })
}

fn count_ones(words: &[u64], range: &Range<usize>) -> u32 {
    words_within(words, range).map(|(_, word)| word.count_ones()).sum()
}

/// The index of the `n`th set bit, from 0, in a range, which has more than `n`.
pub fn nth_one(words: &[u64], range: &Range<usize>, mut n: u32) -> u32 {
    for (first, mut word) in words_within(words, range) {
        let count = word.count_ones();
        if n < count {
            (0..n).for_each(|_| word &= word - 1);
            return first as u32 + word.trailing_zeros();
        }
        n -= count;
    }
    unreachable!("the range has more than `n` bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::ones;

    #[test]
    fn bits_of_ranges_are_counted_and_found() {
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            let words: [u64; 4] = std::array::from_fn(|_| rng.next_u64() & rng.next_u64());
            let start = rng.below(256);
            let range = start..start + rng.below(257 - start);
            let within: Vec<usize> = ones(&words).filter(|bit| range.contains(bit)).collect();
            assert_eq!(count_ones(&words, &range) as usize, within.len());
            for (n, &bit) in within.iter().enumerate() {
                assert_eq!(nth_one(&words, &range, n as u32) as usize, bit);
            }
        }
    }

    #[test]
    fn forced_moves_draw_nothing() {
        let (mut rng, mut does) = (Rng::new(1), Vec::new());
        assert!(draw(&[0b100_0010], &[0..4, 4..8], &mut rng, &mut does));
        assert_eq!(does, [1, 6]);
        assert!(!draw(&[0b000_0110], &[0..4, 4..8], &mut rng, &mut does));
        assert_eq!(rng, Rng::new(1));
    }
}
