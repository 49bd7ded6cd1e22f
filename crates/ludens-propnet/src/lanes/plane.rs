//! Planes of 256 bits, and the memory of programs.

use super::layout::Layout;

/// One bit for each of 256 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Plane(pub [u64; 4]);

impl Plane {
    /// The number of lanes.
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

    /// The bit of a lane.
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Sets the bit of a lane.
    pub fn set(&mut self, lane: usize, value: bool) {
        let bit = 1 << (lane % 64);
        if value {
            self.0[lane / 64] |= bit;
        } else {
            self.0[lane / 64] &= !bit;
        }
    }

    /// Calls `work` for each lane that is set, in ascending order. Faster than an iterator, which
    /// keeps its state in memory.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub(super) fn for_each_lane(self, mut work: impl FnMut(usize)) {
        for (part, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                work(part * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }

    /// The number of lanes that are set.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn count(&self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// The lowest `n` of the lanes that are set.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn lowest(self, n: u64) -> Plane {
        let mut rest = self;
        let mut excess = u64::from(self.count()).saturating_sub(n);
        for word in rest.0.iter_mut().rev() {
            while excess > 0 && *word != 0 {
                *word &= !(1 << word.ilog2());
                excess -= 1;
            }
        }
        rest
    }

    /// Whether no lane is set.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn is_zero(&self) -> bool {
        let [a, b, c, d] = self.0;
        (a | b) | (c | d) == 0
    }

    /// This plane, or the other one in the lanes of `mask`.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub fn blend(self, other: Plane, mask: Plane) -> Plane {
        self ^ ((self ^ other) & mask)
    }

    /// Written out, because closures of library functions are not compiled for the target features
    /// of their caller.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn map(self, other: Plane, op: impl Fn(u64, u64) -> u64) -> Plane {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Plane([op(a, e), op(b, f), op(c, g), op(d, h)])
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
        self ^ Plane::ONES
    }
}

/// Copies the planes of `from` in the lanes of `mask`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
pub(super) fn blend_all(planes: &mut [Plane], from: &[Plane], mask: Plane) {
    for (plane, &from) in planes.iter_mut().zip(from) {
        *plane = plane.blend(from, mask);
    }
}

/// The memory that programs read and write.
#[derive(Clone, Debug)]
pub struct LaneMemory {
    /// The fluents of the present states.
    pub state: Vec<Plane>,
    /// The fluents of the next states.
    pub next: Vec<Plane>,
    /// Everything else, and spilled values.
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
