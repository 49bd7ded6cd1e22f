//! Counts the plies of each playout, if playouts are limited: a bit-sliced counter for each lane.

use super::plane::Plane;

/// Counters that overflow with the last allowed ply, so that no comparison is needed.
pub(super) struct PlyCounters {
    /// The initial value: `limit` plies before the overflow.
    first: u32,
    /// The counters of all lanes, the lowest bits first.
    bits: Vec<Plane>,
}

impl PlyCounters {
    /// Counters for playouts of at most `limit` plies; at least one.
    pub(super) fn new(limit: u32) -> Self {
        let n_bits = limit.next_power_of_two().ilog2();
        PlyCounters { first: (1 << n_bits) - limit, bits: vec![Plane::ZERO; n_bits as usize] }
    }

    /// Resets some lanes.
    pub(super) fn reset(&mut self, lanes: Plane) {
        for (bit, plane) in self.bits.iter_mut().enumerate() {
            *plane = plane.blend(Plane::all(self.first >> bit & 1 == 1), lanes);
        }
    }

    /// Counts a ply in some lanes; returns those in which it was the last allowed one.
    pub(super) fn count(&mut self, moving: Plane) -> Plane {
        let mut carry = moving;
        for plane in &mut self.bits {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        carry
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    #[test]
    fn every_counter_overflows_at_the_last_ply_and_not_before() {
        for limit in [1, 2, 3, 4, 5, 7, 8, 9, 64, 100] {
            let mut rng = Rng::new(u64::from(limit));
            let (mut counters, mut made) = (PlyCounters::new(limit), [0; Plane::LANES]);
            counters.reset(Plane::ONES);
            for _ in 0..1000 {
                let moving = Plane(std::array::from_fn(|_| rng.next_u64() | rng.next_u64()));
                let last = counters.count(moving);
                for (lane, made) in made.iter_mut().enumerate() {
                    *made += u32::from(moving.get(lane));
                    assert_eq!(last.get(lane), moving.get(lane) && *made == limit, "{limit}");
                    *made %= limit;
                }
                // Some lanes restart early, and all that reach the limit.
                let early = Plane(std::array::from_fn(|_| {
                    rng.next_u64() & rng.next_u64() & rng.next_u64()
                }));
                counters.reset(last | early);
                early.for_each_lane(|lane| made[lane] = 0);
            }
        }
    }
}
