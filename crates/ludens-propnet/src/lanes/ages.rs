//! How many moves games have made, where playouts have a limit: a number for each lane, in planes.

use super::plane::Plane;

/// Numbers that overflow with the last move that is allowed, so that nothing need be compared.
pub(super) struct Ages {
    /// The number with which a game begins: as far from the overflow as there are moves allowed.
    first: u32,
    /// The numbers of all lanes, the lowest bits first.
    bits: Vec<Plane>,
}

impl Ages {
    /// Games may make so many moves, one at least.
    pub(super) fn new(limit: u32) -> Self {
        let n_bits = limit.next_power_of_two().ilog2();
        Ages { first: (1 << n_bits) - limit, bits: vec![Plane::ZERO; n_bits as usize] }
    }

    /// Games begin in some lanes.
    pub(super) fn begin(&mut self, lanes: Plane) {
        for (bit, plane) in self.bits.iter_mut().enumerate() {
            *plane = plane.blend(Plane::all(self.first >> bit & 1 == 1), lanes);
        }
    }

    /// A move is made in some lanes; those of them in which it was the last one that is allowed.
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
    fn every_lane_is_told_at_its_last_move_and_not_before() {
        for limit in [1, 2, 3, 4, 5, 7, 8, 9, 64, 100] {
            let mut rng = Rng::new(u64::from(limit));
            let (mut ages, mut made) = (Ages::new(limit), [0; Plane::LANES]);
            ages.begin(Plane::ONES);
            for _ in 0..1000 {
                let moving = Plane(std::array::from_fn(|_| rng.next_u64() | rng.next_u64()));
                let last = ages.count(moving);
                for (lane, made) in made.iter_mut().enumerate() {
                    *made += u32::from(moving.get(lane));
                    assert_eq!(last.get(lane), moving.get(lane) && *made == limit, "{limit}");
                    *made %= limit;
                }
                // Some lanes begin anew before their time, and all whose time is up.
                let early = Plane(std::array::from_fn(|_| {
                    rng.next_u64() & rng.next_u64() & rng.next_u64()
                }));
                ages.begin(last | early);
                early.for_each_lane(|lane| made[lane] = 0);
            }
        }
    }
}
