//! States of grounded games: one bit for each fluent.
//!
//! A tree search makes, copies, compares and drops states by the million. Up to 256 fluents are
//! stored inline, in four words of which unused ones stay 0: copying, comparing and hashing them
//! takes a few instructions, without a call that depends on their number.

use std::hash::{Hash, Hasher};

/// A state: one bit for each fluent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits(Words);

/// How many words are stored inline.
const INLINE_WORDS: usize = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Words {
    /// The words, and how many of them are in use.
    Inline([u64; INLINE_WORDS], u8),
    Boxed(Box<[u64]>),
}

impl Hash for Bits {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match &self.0 {
            Words::Inline(words, _) => words.iter().for_each(|&word| hasher.write_u64(word)),
            Words::Boxed(words) => words.hash(hasher),
        }
    }
}

impl Bits {
    /// No fluent of `n` holds.
    pub fn empty(n: usize) -> Self {
        let n_words = n.div_ceil(64);
        if n_words <= INLINE_WORDS {
            return Bits(Words::Inline([0; INLINE_WORDS], n_words as u8));
        }
        Bits(Words::Boxed(vec![0; n_words].into()))
    }

    /// The bits, 64 to a word.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.0 {
            Words::Inline(words, n) => &words[..usize::from(*n)],
            Words::Boxed(words) => words,
        }
    }

    /// The bits, mutable.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Words::Inline(words, n) => &mut words[..usize::from(*n)],
            Words::Boxed(words) => words,
        }
    }

    /// Makes a fluent hold.
    pub fn set(&mut self, i: usize) {
        self.words_mut()[i / 64] |= 1 << (i % 64);
    }

    /// Copies the words of another state of the same game.
    #[inline]
    pub(crate) fn copy_words(&mut self, from: &[u64]) {
        match (&mut self.0, from) {
            // Words whose number is known are copied without a call.
            (Words::Inline(words, 3), &[a, b, c]) => *words = [a, b, c, 0],
            (Words::Inline(words, 4), &[a, b, c, d]) => *words = [a, b, c, d],
            _ => self.words_mut().copy_from_slice(from),
        }
    }

    /// The size of its heap memory in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        match &self.0 {
            Words::Inline(..) => 0,
            // An allocation costs about two words more than it holds.
            Words::Boxed(words) => size_of_val(&words[..]) + 16,
        }
    }
}

/// The numbers of the bits that are set, in ascending order.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors((word != 0).then_some(word), |rest| {
            let rest = rest & (rest - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |rest| i * 64 + rest.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::BuildHasher;

    #[test]
    fn few_and_many_words_behave_alike() {
        for n in [0, 1, 64, 65, 192, 256, 257, 1000] {
            let mut bits = Bits::empty(n);
            assert_eq!(bits.words().len(), n.div_ceil(64));
            assert_eq!(bits.heap_bytes() > 0, n > 256);
            let empty = bits.clone();
            for i in (0..n).step_by(7) {
                bits.set(i);
                assert!(bits.words()[i / 64] >> (i % 64) & 1 == 1);
            }
            assert_eq!(bits == empty, n == 0);
            let mut copy = empty.clone();
            copy.copy_words(bits.words());
            assert_eq!(copy, bits);
            let hash = |bits: &Bits| rustc_hash::FxBuildHasher.hash_one(bits);
            assert_eq!(hash(&copy), hash(&bits));
            assert_eq!(hash(&empty) == hash(&bits), n == 0);
        }
    }
}
