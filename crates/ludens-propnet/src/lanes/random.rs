//! Random planes: four generators in parallel, so that one vector operation yields 256 bits.

use ludens_core::Rng;

use super::plane::Plane;

/// A stream of random planes (xoshiro256++, as [`Rng`], in each of four columns).
#[derive(Clone, Debug)]
pub struct PlaneRng([[u64; 4]; 4]);

impl PlaneRng {
    /// A stream seeded by the generator.
    pub fn new(rng: &mut Rng) -> Self {
        PlaneRng(std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u64())))
    }

    /// Fills planes with random bits.
    pub fn fill(&mut self, planes: &mut [Plane]) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512f") && has!("avx512vl") {
                #[expect(unsafe_code, reason = "rotations are one instruction instead of three")]
                // SAFETY: the machine supports the instructions, as just checked.
                return unsafe { self.fill_rotating(planes) };
            }
            if has!("avx2") {
                #[expect(unsafe_code, reason = "without wide registers this takes twice as long")]
                // SAFETY: the machine supports the instructions, as just checked.
                return unsafe { self.fill_wide(planes) };
            }
        }
        self.fill_portably(planes);
    }

    /// Without intrinsics the compiler packs two unrelated steps into one wider register here, and
    /// moving between halves of registers takes most of the time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn fill_rotating(&mut self, planes: &mut [Plane]) {
        use std::arch::x86_64::{
            __m256i, _mm256_add_epi64, _mm256_rol_epi64, _mm256_slli_epi64, _mm256_xor_si256,
        };
        #[expect(unsafe_code, reason = "there is no safe way between numbers and registers")]
        // SAFETY: both types are 1,024 bits, of which every pattern is valid.
        let [mut a, mut b, mut c, mut d]: [__m256i; 4] = unsafe { std::mem::transmute(self.0) };
        for plane in planes {
            let sum = _mm256_rol_epi64::<23>(_mm256_add_epi64(a, d));
            let out = _mm256_add_epi64(sum, a);
            #[expect(unsafe_code, reason = "there is no safe way between numbers and registers")]
            // SAFETY: both types are 256 bits, of which every pattern is valid.
            let words: [u64; 4] = unsafe { std::mem::transmute(out) };
            plane.0 = words;
            let shifted = _mm256_slli_epi64::<17>(b);
            c = _mm256_xor_si256(c, a);
            d = _mm256_xor_si256(d, b);
            b = _mm256_xor_si256(b, c);
            a = _mm256_xor_si256(a, d);
            c = _mm256_xor_si256(c, shifted);
            d = _mm256_rol_epi64::<45>(d);
        }
        #[expect(unsafe_code, reason = "there is no safe way between numbers and registers")]
        // SAFETY: as above.
        let words: [[u64; 4]; 4] = unsafe { std::mem::transmute([a, b, c, d]) };
        self.0 = words;
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_wide(&mut self, planes: &mut [Plane]) {
        self.fill_portably(planes);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn fill_portably(&mut self, planes: &mut [Plane]) {
        let [mut a, mut b, mut c, mut d] = self.0;
        for plane in planes {
            for i in 0..4 {
                plane.0[i] = a[i].wrapping_add(d[i]).rotate_left(23).wrapping_add(a[i]);
                let shifted = b[i] << 17;
                c[i] ^= a[i];
                d[i] ^= b[i];
                b[i] ^= c[i];
                a[i] ^= d[i];
                c[i] ^= shifted;
                d[i] = d[i].rotate_left(45);
            }
        }
        self.0 = [a, b, c, d];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_code_equals_portable_code() {
        let mut columns = PlaneRng::new(&mut Rng::new(5));
        let mut scalar = columns.clone();
        let mut planes = [Plane::ZERO; 100];
        columns.fill(&mut planes);
        let mut expected = [Plane::ZERO; 100];
        scalar.fill_portably(&mut expected);
        assert_eq!(planes, expected);
        assert_eq!(columns.0, scalar.0);
        let ones: u32 = planes.iter().map(Plane::count).sum();
        // 25,600 fair bits: six standard deviations are 480.
        assert!(ones.abs_diff(12_800) < 480, "{ones} of 25600 bits are set");
    }
}
