//! Selects the most informative of several fluents, in sampled states.
//!
//! Information gain is measured in bits: the reduction of the entropy of an outcome given the fluent.
//! Few samples underestimate entropies; the correction is that of Miller and Madow (1955).

use std::f64::consts::LN_2;

use rustc_hash::FxHashMap;

/// A partition of states into classes by what is known about them so far.
pub(super) struct Classes {
    class_of: Vec<u32>,
    n_classes: usize,
}

/// The least information gain of a fluent about the effect of a move, in bits.
const MIN_GAIN: f64 = 0.03;
/// The least share of a move's effect that its fluents must explain together.
const MIN_SHARE: f64 = 0.25;
/// The least conditional entropy of a fluent, in bits: about that of a difference in one state of
/// 175.
const MIN_ENTROPY: f64 = 0.05;

impl Classes {
    /// All `n` states in one class.
    fn one(n: usize) -> Self {
        Classes { class_of: vec![0; n], n_classes: 1 }
    }

    /// States with equal keys share a class.
    pub fn of_keys(keys: &[u64]) -> Self {
        let mut numbers = FxHashMap::default();
        let mut number = |&key: &u64| {
            let new = numbers.len() as u32;
            *numbers.entry(key).or_insert(new)
        };
        let class_of = keys.iter().map(&mut number).collect();
        Classes { class_of, n_classes: numbers.len() }
    }

    /// Splits each class by a bit; some of the results may be empty.
    fn split(&self, bits: &[bool]) -> Classes {
        let split = |(class, bit): (&u32, &bool)| class * 2 + u32::from(*bit);
        Classes {
            class_of: self.class_of.iter().zip(bits).map(split).collect(),
            n_classes: self.n_classes * 2,
        }
    }

    /// Renumbers the classes without the empty ones.
    fn compacted(self) -> Classes {
        let keys: Vec<u64> = self.class_of.iter().map(|&class| u64::from(class)).collect();
        Classes::of_keys(&keys)
    }

    /// The entropy of the classes in bits.
    fn entropy(&self) -> Entropy {
        let mut counts = vec![0_u32; self.n_classes];
        self.class_of.iter().for_each(|&class| counts[class as usize] += 1);
        Entropy::of(&counts, self.class_of.len())
    }

    /// The entropy after a split by a bit; `counts` is scratch memory.
    fn entropy_of_split(&self, bits: &[bool], counts: &mut Vec<u32>) -> Entropy {
        counts.clear();
        counts.resize(self.n_classes * 2, 0);
        for (&class, &bit) in self.class_of.iter().zip(bits) {
            counts[class as usize * 2 + usize::from(bit)] += 1;
        }
        Entropy::of(counts, self.class_of.len())
    }
}

#[derive(Clone, Copy)]
struct Entropy {
    /// The entropy of the observed frequencies.
    plug_in: f64,
    correction: f64,
}

impl Entropy {
    fn of(counts: &[u32], n: usize) -> Self {
        let seen = counts.iter().filter(|&&count| count > 0);
        let (cells, sum) = seen.fold((0_u32, 0.0), |(cells, sum), &count| {
            (cells + 1, sum + f64::from(count) * f64::from(count).log2())
        });
        let n = n.max(1) as f64;
        Entropy { plug_in: n.log2() - sum / n, correction: f64::from(cells) / (2.0 * n * LN_2) }
    }

    /// The conditional entropy of this partition, given one that it refines.
    fn given(self, known: Entropy) -> f64 {
        self.plug_in - known.plug_in + self.correction - known.correction
    }
}

/// The most informative candidates about an outcome, the best first: at most `max`, and none if
/// they explain too little. A candidate is its value in each of the states.
pub(super) fn most_informative(
    outcome: Classes,
    candidates: &[Vec<bool>],
    max: usize,
) -> Vec<usize> {
    let mut known = Classes::one(outcome.class_of.len());
    let mut joint = outcome;
    let mut counts = Vec::new();
    let initial = joint.entropy().given(known.entropy());
    let (mut unexplained, mut chosen) = (initial, Vec::new());
    while chosen.len() < max && joint.n_classes > 1 {
        let mut best: Option<(f64, usize)> = None;
        for (i, bits) in candidates.iter().enumerate() {
            let with = known.entropy_of_split(bits, &mut counts);
            let left = joint.entropy_of_split(bits, &mut counts).given(with);
            // Closer candidates come first, and are not replaced for a negligible gain.
            if best.is_none_or(|(least, _)| left < least - MIN_GAIN / 2.0) {
                best = Some((left, i));
            }
        }
        let Some((left, i)) = best.filter(|(left, _)| unexplained - left >= MIN_GAIN) else {
            break;
        };
        joint = joint.split(&candidates[i]).compacted();
        known = known.split(&candidates[i]).compacted();
        unexplained = left;
        chosen.push(i);
    }
    if initial - unexplained < MIN_SHARE * initial {
        chosen.clear();
    }
    chosen
}

/// The first novel candidates: those that vary and do not follow from the ones before.
pub(super) fn first_novel(candidates: &[Vec<bool>], max: usize) -> Vec<usize> {
    let n = candidates.first().map_or(0, Vec::len);
    let (mut known, mut counts, mut chosen) = (Classes::one(n), Vec::new(), Vec::new());
    for (i, bits) in candidates.iter().enumerate() {
        let novelty = known.entropy_of_split(bits, &mut counts).plug_in - known.entropy().plug_in;
        if chosen.len() < max && novelty >= MIN_ENTROPY {
            known = known.split(bits).compacted();
            chosen.push(i);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> Vec<bool> {
        text.chars().map(|c| c == '1').collect()
    }

    fn outcome(text: &str) -> Classes {
        Classes::of_keys(&text.bytes().map(u64::from).collect::<Vec<_>>())
    }

    #[test]
    fn deciding_candidates_are_chosen_and_no_others() {
        let candidates = [bits("01010101"), bits("00110011"), bits("00001111")];
        assert_eq!(most_informative(outcome("aabbaabb"), &candidates, 3), [1]);
        assert_eq!(most_informative(outcome("aabbccdd"), &candidates, 3), [1, 2]);
        assert_eq!(most_informative(outcome("aaaaaaaa"), &candidates, 3), [0; 0]);
        assert_eq!(most_informative(outcome("aabbccdd"), &candidates, 1), [1]);
    }

    #[test]
    fn candidates_that_explain_little_are_dropped() {
        let one_of_many = bits("1000000000000000");
        assert_eq!(most_informative(outcome("abcdefghijklmnop"), &[one_of_many], 4), [0; 0]);
    }

    #[test]
    fn constants_and_implied_candidates_are_not_novel() {
        let candidates =
            [bits("00000000"), bits("00110011"), bits("11001100"), bits("00010001"), bits("0101")];
        assert_eq!(first_novel(&candidates[..4], 8), [1, 3]);
        assert_eq!(first_novel(&candidates[..4], 1), [1]);
        assert_eq!(first_novel(&[], 8), [0; 0]);
    }
}
