//! Neighbourhood patterns: which of the six neighbours of a stone have its colour, as six bits in
//! circular order.

/// The runs of a pattern. Adjacent stones belong to one group, so one stone represents each run; the
/// pattern is circular.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// One place of each run; the first `n_runs` are valid.
    pub runs: [u8; 3],
    /// The number of runs, up to three.
    pub n_runs: u8,
    /// The places whose stone has stones on both sides.
    pub middles: u8,
}

/// All patterns.
pub static PATTERNS: [Pattern; 64] = patterns();

const fn patterns() -> [Pattern; 64] {
    let mut patterns = [Pattern { runs: [0; 3], n_runs: 0, middles: 0 }; 64];
    let mut bits = 0;
    while bits < 64 {
        patterns[bits] = pattern(bits);
        bits += 1;
    }
    patterns
}

const fn pattern(bits: usize) -> Pattern {
    let mut pattern = Pattern { runs: [0; 3], n_runs: 0, middles: 0 };
    let mut place = 0;
    while place < 6 {
        let (here, next) = (bits >> place & 1, bits >> ((place + 1) % 6) & 1);
        let before = bits >> ((place + 5) % 6) & 1;
        if here == 1 && before == 0 {
            pattern.runs[pattern.n_runs as usize] = place as u8;
            pattern.n_runs += 1;
        }
        if before & here & next == 1 {
            pattern.middles |= 1 << place;
        }
        place += 1;
    }
    // A full circle is one run.
    if bits == 63 {
        pattern.n_runs = 1;
    }
    pattern
}

impl Pattern {
    /// One place of each run.
    #[inline]
    pub fn runs(&self) -> &[u8] {
        &self.runs[..usize::from(self.n_runs)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_around_the_circle() {
        let runs = |bits: usize| PATTERNS[bits].runs().to_vec();
        assert_eq!(runs(0), []);
        assert_eq!(runs(0b01_0101), [0, 2, 4]);
        assert_eq!(runs(0b10_0001), [5]);
        assert_eq!(runs(0b11_0110), [1, 4]);
        assert_eq!(runs(0b11_1111), [0]);
        assert_eq!(PATTERNS[0b10_0011].middles, 0b00_0001);
        assert_eq!(PATTERNS[0b11_1111].middles, 0b11_1111);
        assert_eq!(PATTERNS[0b11_0110].middles, 0);
    }
}
