//! 128-bit hashes of states, for tables that do not store whole states.
//!
//! Two different states collide with a probability near 2⁻¹²⁸: even in a table of 10⁹ states a
//! collision occurs only once in 10²⁰ searches, so equal fingerprints are taken as equal states,
//! and memory does not depend on what a state holds on the heap.

use std::hash::{Hash, Hasher};

use ludens_core::Rng;

/// The hash of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Fingerprint {
    /// The half that is the index into a table.
    pub low: u64,
    /// The half that distinguishes states with the same index.
    pub high: u64,
}

impl Fingerprint {
    /// The fingerprint of a state, which is the same in every run.
    pub fn of(state: &impl Hash) -> Self {
        let mut mixer = Mixer { low: 0, high: 0x5851_f42d_4c95_7f2d };
        state.hash(&mut mixer);
        Fingerprint { low: Rng::mix(mixer.low), high: Rng::mix(mixer.high) }
    }
}

/// Two chains of a strong mixing function that differ in how they absorb a word.
struct Mixer {
    low: u64,
    high: u64,
}

impl Mixer {
    fn word(&mut self, word: u64) {
        self.low = Rng::mix(self.low ^ word);
        self.high = Rng::mix(self.high.wrapping_mul(0xd134_2543_de82_ef95) ^ word.rotate_left(29));
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.word(u64::from_le_bytes(chunk.try_into().expect("chunks have eight bytes")));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            // The length is in the last byte, which a remainder never reaches.
            last[7] = rest.len() as u8;
            self.word(u64::from_le_bytes(last));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.word(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.word(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.word(word as u64);
    }

    fn finish(&self) -> u64 {
        self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Each half alone must already distinguish structured states: 40,000 pairs of small numbers
    /// collide in 64 random bits with a probability of 4·10⁻¹¹.
    #[test]
    fn structured_states_differ_in_either_half() {
        let states = || (0..200u32).flat_map(|a| (0..200u32).map(move |b| (a, [b, a ^ b])));
        let low: BTreeSet<_> = states().map(|state| Fingerprint::of(&state).low).collect();
        let high: BTreeSet<_> = states().map(|state| Fingerprint::of(&state).high).collect();
        assert_eq!((low.len(), high.len()), (40_000, 40_000));
    }

    #[test]
    fn byte_strings_of_different_lengths_differ() {
        let of = |bytes: &[u8]| {
            let mut mixer = Mixer { low: 0, high: 0 };
            mixer.write(bytes);
            (mixer.low, mixer.high)
        };
        let all: BTreeSet<_> = (0..20).map(|n| of(&vec![0; n])).collect();
        assert_eq!(all.len(), 20);
    }
}
