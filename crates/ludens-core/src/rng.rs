//! Seeded random numbers: the same seed gives the same numbers on every machine, forever.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, 2019), seeded through splitmix64. It is
//! written out here because recorded experiments depend on its exact numbers, which a library
//! may change from one version to the next.

/// A stream of random numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut mixer = seed;
        Rng(std::array::from_fn(|_| splitmix(&mut mixer)))
    }

    /// An independent stream, fixed by the seed and a path of numbers such as match, seat and
    /// thread.
    pub fn stream(seed: u64, path: &[u64]) -> Self {
        let mut mixer = seed;
        for &step in path {
            mixer = splitmix(&mut mixer) ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Rng::new(splitmix(&mut mixer))
    }

    /// The state of the stream, from which it can be continued.
    pub fn state(&self) -> [u64; 4] {
        self.0
    }

    /// The stream with a state.
    pub fn from_state(state: [u64; 4]) -> Self {
        Rng(state)
    }

    /// A hash of a value: the first number of its splitmix64 stream.
    pub fn mix(mut value: u64) -> u64 {
        splitmix(&mut value)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `n`, each with the same probability (Lemire, 2019); `n` must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        debug_assert!(n > 0, "no number is below 0");
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(n);
            // The low half shows whether this draw would be biased; the expensive division is rarely
            // needed to decide that.
            let low = wide as u64;
            if low >= n || low >= n.wrapping_neg() % n {
                return (wide >> 64) as usize;
            }
        }
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// χ² over `below`: the bound has a false-alarm rate below 10⁻⁶, and the seed is fixed.
    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        for n in [2usize, 3, 7, 10, 100] {
            let draws = 20_000 * n;
            let mut counts = vec![0f64; n];
            (0..draws).for_each(|_| counts[rng.below(n)] += 1.0);
            let expected = draws as f64 / n as f64;
            let chi2: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
            let freedom = (n - 1) as f64;
            // Wilson–Hilferty: the cube root of χ²/k is close to normal; 4.9 sigma is one in 2·10⁶.
            let z = ((chi2 / freedom).cbrt() - (1.0 - 2.0 / (9.0 * freedom)))
                / (2.0 / (9.0 * freedom)).sqrt();
            assert!(z < 4.9, "n = {n}: χ² = {chi2}, z = {z}");
        }
    }

    #[test]
    fn streams_differ_and_repeat() {
        assert_eq!(Rng::stream(7, &[1, 2]), Rng::stream(7, &[1, 2]));
        assert_ne!(Rng::stream(7, &[1, 2]), Rng::stream(7, &[2, 1]));
        assert_ne!(Rng::stream(7, &[1]), Rng::stream(8, &[1]));
    }

    #[test]
    fn the_numbers_never_change() {
        let mut rng = Rng::new(42);
        assert_eq!(rng.next_u64(), 0xd076_4d4f_4476_689f);
    }
}
