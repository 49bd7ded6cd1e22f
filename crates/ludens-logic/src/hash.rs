//! The hash of all tables of values: multiply and rotate, good enough for small dense numbers.

use crate::store::Value;

const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

/// The hash of some values.
#[inline]
pub fn hash(values: impl Iterator<Item = Value>) -> u64 {
    hash_from(0, values)
}

/// The hash of some values together with a number.
#[inline]
pub(crate) fn hash_from(seed: u32, values: impl Iterator<Item = Value>) -> u64 {
    let start = u64::from(seed).wrapping_mul(FACTOR);
    let hash = values.fold(start, |hash, value| {
        (hash.rotate_left(23) ^ u64::from(value.0)).wrapping_mul(FACTOR)
    });
    hash ^ (hash >> 32)
}
