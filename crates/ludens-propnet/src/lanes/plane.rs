//! Planes of 256 bits, and the memory that programs work in.

use super::programs::Layout;

/// One bit for each of 256 games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Plane(pub [u64; 4]);

impl Plane {
    /// How many games there are.
    pub const LANES: usize = 256;
    /// False everywhere.
    pub const ZERO: Plane = Plane([0; 4]);
    /// True everywhere.
    pub const ONES: Plane = Plane([u64::MAX; 4]);

    /// The first `n` lanes.
    pub fn first(n: usize) -> Self {
        Plane(std::array::from_fn(|i| match n.saturating_sub(i * 64) {
            64.. => u64::MAX,
            n => (1 << n) - 1,
        }))
    }

    /// True everywhere, or nowhere.
    pub fn all(value: bool) -> Self {
        if value { Self::ONES } else { Self::ZERO }
    }

    /// Whether a lane holds.
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Makes a lane hold or not.
    pub fn set(&mut self, lane: usize, value: bool) {
        let bit = 1 << (lane % 64);
        if value {
            self.0[lane / 64] |= bit;
        } else {
            self.0[lane / 64] &= !bit;
        }
    }

    /// In how many lanes it holds.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether it holds nowhere.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// This plane, or the other one in the lanes of `mask`.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn blend(self, other: Plane, mask: Plane) -> Plane {
        self ^ ((self ^ other) & mask)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn map(self, other: Plane, op: impl Fn(u64, u64) -> u64) -> Plane {
        Plane(std::array::from_fn(|i| op(self.0[i], other.0[i])))
    }
}

impl std::ops::BitAnd for Plane {
    type Output = Plane;
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn bitand(self, other: Plane) -> Plane {
        self.map(other, |a, b| a & b)
    }
}

impl std::ops::BitOr for Plane {
    type Output = Plane;
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn bitor(self, other: Plane) -> Plane {
        self.map(other, |a, b| a | b)
    }
}

impl std::ops::BitXor for Plane {
    type Output = Plane;
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn bitxor(self, other: Plane) -> Plane {
        self.map(other, |a, b| a ^ b)
    }
}

impl std::ops::Not for Plane {
    type Output = Plane;
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn not(self) -> Plane {
        Plane(self.0.map(|word| !word))
    }
}

/// Takes over the planes of `from` in the lanes of `mask`.
pub(super) fn blend_all(planes: &mut [Plane], from: &[Plane], mask: Plane) {
    if mask.is_zero() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "without wide registers this takes twice as long")]
        // SAFETY: the machine has just been found to have the instructions.
        unsafe {
            blend_wide(planes, from, mask);
        }
        return;
    }
    blend_portably(planes, from, mask);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn blend_wide(planes: &mut [Plane], from: &[Plane], mask: Plane) {
    blend_portably(planes, from, mask);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled twice, for two kinds of machine")]
fn blend_portably(planes: &mut [Plane], from: &[Plane], mask: Plane) {
    for (plane, &from) in planes.iter_mut().zip(from) {
        *plane = plane.blend(from, mask);
    }
}

/// What programs read and write.
#[derive(Clone, Debug)]
pub struct LaneMemory {
    /// The fluents of the present states.
    pub state: Vec<Plane>,
    /// The fluents of the next states.
    pub next: Vec<Plane>,
    /// Everything else, and room for what does not fit into registers.
    pub frame: Vec<Plane>,
}

impl LaneMemory {
    /// Memory for a layout.
    pub fn new(n_fluents: usize, layout: &Layout) -> Self {
        LaneMemory {
            state: vec![Plane::ZERO; n_fluents],
            next: vec![Plane::ZERO; n_fluents],
            frame: vec![Plane::ZERO; layout.len as usize],
        }
    }

    /// The next states become the present ones.
    pub fn step(&mut self) {
        std::mem::swap(&mut self.state, &mut self.next);
    }
}
