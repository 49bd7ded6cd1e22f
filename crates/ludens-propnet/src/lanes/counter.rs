//! Counting in every lane at once: binary numbers of one plane a bit.

use super::plane::Plane;

/// How many bits a count has.
const BITS: usize = 40;

/// A number for each lane.
pub(super) struct Counter([Plane; BITS]);

impl Counter {
    pub(super) fn new() -> Self {
        Counter([Plane::ZERO; BITS])
    }

    /// Sets the number of a lane.
    pub(super) fn set(&mut self, lane: usize, value: u64) {
        for (bit, plane) in self.0.iter_mut().enumerate() {
            plane.set(lane, value >> bit & 1 == 1);
        }
    }

    /// Adds one in some lanes; a carry seldom goes far.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub(super) fn add(&mut self, mut lanes: Plane) {
        for plane in &mut self.0 {
            if lanes.is_zero() {
                return;
            }
            let carry = *plane & lanes;
            *plane = *plane ^ lanes;
            lanes = carry;
        }
    }

    /// Takes one off in some lanes, in which the number is not 0.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub(super) fn subtract(&mut self, mut lanes: Plane) {
        for plane in &mut self.0 {
            if lanes.is_zero() {
                return;
            }
            let borrow = !*plane & lanes;
            *plane = *plane ^ lanes;
            lanes = borrow;
        }
    }

    /// The lanes in which the number is not 0.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    pub(super) fn is_positive(&self) -> Plane {
        self.0.iter().fold(Plane::ZERO, |any, &plane| any | plane)
    }

    pub(super) fn of(&self, lane: usize) -> u64 {
        self.0.iter().rev().fold(0, |value, plane| value << 1 | u64::from(plane.get(lane)))
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    #[test]
    fn every_lane_counts_for_itself() {
        let mut rng = Rng::new(2);
        let (mut up, mut down) = (Counter::new(), Counter::new());
        (0..Plane::LANES).for_each(|lane| down.set(lane, 5000));
        let mut expected = [0u64; Plane::LANES];
        for _ in 0..3000 {
            let lanes = Plane(std::array::from_fn(|_| rng.next_u64() & rng.next_u64()));
            up.add(lanes);
            down.subtract(lanes);
            (0..Plane::LANES).filter(|&lane| lanes.get(lane)).for_each(|lane| expected[lane] += 1);
        }
        for (lane, &expected) in expected.iter().enumerate() {
            assert_eq!(up.of(lane), expected);
            assert_eq!(down.of(lane), 5000 - expected);
        }
        assert_eq!(down.is_positive(), Plane::ONES);
        assert_eq!(Counter::new().is_positive(), Plane::ZERO);
    }
}
