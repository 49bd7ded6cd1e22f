//! Sets of up to 64 cells as bits of a word.
//!
//! Counting and selecting bits use arithmetic on all bytes at once, since the oldest supported
//! processors have no instructions for either.

use ludens_core::{Move, Rng};

/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGHS: u64 = ONES << 7;

/// For each byte the positions of its set bits, lowest first, in the bytes of a word.
static PLACES: [u64; 256] = places();

/// The number of set bits of each byte.
static COUNTS: [u8; 256] = counts();

const fn counts() -> [u8; 256] {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    counts
}

const fn places() -> [u64; 256] {
    let mut places = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte] |= bit << (8 * count);
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
}

/// A set with counts of its members, for fast selection of the n-th.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    set: u64,
    /// In each byte, the number of members in this byte of the set and all below.
    below: u64,
}

impl Counted {
    /// Counts a set.
    #[inline]
    pub fn new(set: u64) -> Self {
        let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Counted { set, below: bytes.wrapping_mul(ONES) }
    }

    /// The number of members.
    #[inline]
    pub fn count(self) -> u32 {
        (self.below >> 56) as u32
    }

    /// The member with the number `k` in ascending order, from 0; `k` must be below the count.
    #[inline]
    pub fn nth(self, k: u32) -> u32 {
        debug_assert!(k < self.count(), "the set has a member of that number");
        // A byte keeps its high bit if it and those below have at least `k + 1` members.
        let reached = ((self.below | HIGHS) - ONES * u64::from(k + 1)) & HIGHS;
        let shift = reached.trailing_zeros() - 7;
        let before = (self.below << 8) >> shift & 0xff;
        let byte = (self.set >> shift & 0xff) as usize;
        shift + (PLACES[byte] >> (8 * (u64::from(k) - before)) & 0xff) as u32
    }

    /// A uniformly random member; the set must not be empty.
    #[inline]
    pub fn draw(self, rng: &mut Rng) -> u32 {
        self.nth(rng.below(self.count() as usize) as u32)
    }
}

/// A reusable list of the members of some sets.
#[derive(Clone, Debug)]
pub struct Listing([u8; 4 * 64 + 8]);

impl Default for Listing {
    fn default() -> Self {
        Listing([0; 4 * 64 + 8])
    }
}

impl Listing {
    /// The members of up to four sets, each set offset by `stride` (at most 64) from the one before.
    ///
    /// Eight entries are written at a time, and only those with members are kept: the end of a loop
    /// over single members would be mispredicted.
    #[inline]
    pub fn list(&mut self, sets: &[u64], stride: u32) -> &[u8] {
        debug_assert!(sets.len() <= 4 && stride <= 64, "numbers fit into bytes");
        let mut end = 0;
        for (&set, start) in sets.iter().zip((0..).step_by(stride as usize)) {
            for shift in (0..64).step_by(8) {
                let byte = (set >> shift & 0xff) as usize;
                // No kept byte of the sum overflows, and the others do not matter.
                let eight = PLACES[byte].wrapping_add(ONES.wrapping_mul(start + shift));
                self.0[end..end + 8].copy_from_slice(&eight.to_le_bytes());
                end += COUNTS[byte] as usize;
            }
        }
        &self.0[..end]
    }
}

/// Appends the members of up to four sets as moves: the first set is offset by `base`, each other by
/// `stride` (at most 64) from the one before.
#[inline]
pub fn append_members(sets: &[u64], base: u32, stride: u32, out: &mut Vec<Move>) {
    let mut listing = Listing::default();
    let numbers = listing.list(sets, stride);
    out.extend(numbers.iter().map(|&number| Move(base + u32::from(number))));
}

/// The members of a set in ascending order.
pub fn members(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_choosing_agree_with_listing() {
        let mut rng = Rng::new(1);
        let dense = |rng: &mut Rng| rng.next_u64() | rng.next_u64();
        let sparse = |rng: &mut Rng| rng.next_u64() & rng.next_u64() & rng.next_u64();
        let random = (0..2000).flat_map(|_| [dense(&mut rng), sparse(&mut rng), rng.next_u64()]);
        for set in [0, 1, 1 << 63, u64::MAX, u64::MAX >> 1].into_iter().chain(random) {
            let listed: Vec<u32> = members(set).collect();
            let counted = Counted::new(set);
            assert_eq!(counted.count(), set.count_ones());
            let chosen: Vec<u32> = (0..counted.count()).map(|k| counted.nth(k)).collect();
            assert_eq!(listed, chosen, "{set:x}");
            let mut appended = vec![Move(7)];
            append_members(&[set, 0, 5], 300, 60, &mut appended);
            let moves = listed.iter().map(|m| m + 300).chain([420, 422]);
            let expected = [7].into_iter().chain(moves).map(Move);
            assert!(expected.eq(appended), "{set:x}");
        }
    }
}
