//! The 64-bit hash FNV-1a (Fowler, Noll and Vo 1991). Journals contain its values, so it must
//! never change.

use std::hash::Hasher;

use fnv::FnvHasher;

/// The fingerprint of the bytes that were added.
#[derive(Default)]
pub(crate) struct Fingerprint(FnvHasher);

impl Fingerprint {
    /// Adds bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    /// The hash of all bytes so far.
    pub(crate) fn value(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the authors' list of test values.
    #[test]
    fn published_values_are_reproduced() {
        let of = |text: &str| {
            let mut print = Fingerprint::default();
            print.add(text.as_bytes());
            print.value()
        };
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    }
}
