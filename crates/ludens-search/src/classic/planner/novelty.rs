//! How new a state is: whether it has a fact, or a pair of facts, that no state had before (Lipovetzky and
//! Geffner 2012). States are compared with those that are about as near to the goal (2017).

/// Classes of nearness that are compared among themselves.
const CLASSES: usize = 32;

/// In games with more facts, or states with more, pairs are not compared.
const MAX_FACTS: usize = 1024;
const MAX_TRUE: usize = 96;

/// The facts and pairs of facts that were seen.
pub(super) struct Novelty {
    n_facts: usize,
    single: Vec<Bits>,
    pairs: Vec<Bits>,
}

type Bits = Vec<u64>;

impl Novelty {
    /// Nothing was seen.
    pub fn new(n_facts: usize) -> Self {
        let n_pairs = if n_facts <= MAX_FACTS { CLASSES } else { 0 };
        Novelty { n_facts, single: vec![Bits::new(); CLASSES], pairs: vec![Bits::new(); n_pairs] }
    }

    /// Adds a state. Returns 1 if it has a new fact, 2 if it has a new pair, and 3 otherwise.
    pub fn add(&mut self, facts: &[u32], nearness: f32) -> u8 {
        let class = ((nearness * CLASSES as f32) as usize).min(CLASSES - 1);
        let single = sized(&mut self.single[class], self.n_facts);
        let mut novelty = 3;
        for &fact in facts {
            if insert(single, fact as usize) {
                novelty = 1;
            }
        }
        let Some(pairs) = self.pairs.get_mut(class).filter(|_| facts.len() <= MAX_TRUE) else {
            return novelty;
        };
        let pairs = sized(pairs, self.n_facts * self.n_facts);
        for (i, &first) in facts.iter().enumerate() {
            for &second in &facts[i + 1..] {
                if insert(pairs, first as usize * self.n_facts + second as usize) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.single.iter().chain(&self.pairs).map(|bits| bits.capacity() * 8).sum()
    }
}

fn sized(bits: &mut Bits, n: usize) -> &mut Bits {
    if bits.is_empty() {
        bits.resize(n.div_ceil(64), 0);
    }
    bits
}

/// Sets a bit. Returns whether it was not set.
fn insert(bits: &mut Bits, i: usize) -> bool {
    let (word, bit) = (&mut bits[i / 64], 1 << (i % 64));
    let new = *word & bit == 0;
    *word |= bit;
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_facts_count_more_than_new_pairs() {
        let mut novelty = Novelty::new(4);
        assert_eq!(novelty.add(&[0, 1], 0.5), 1);
        assert_eq!(novelty.add(&[2, 3], 0.5), 1);
        assert_eq!(novelty.add(&[0, 1], 0.5), 3);
        assert_eq!(novelty.add(&[0, 2], 0.5), 2);
        assert_eq!(novelty.add(&[0, 2], 0.5), 3);
        assert_eq!(novelty.add(&[0, 2], 0.9), 1, "nearer states are compared among themselves");
    }
}
