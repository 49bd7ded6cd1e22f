//! Roulette-wheel selection for both roles: cells are drawn with probabilities proportional to their
//! weights, which change during a playout.
//!
//! Weights are integers ([`Scaled`](super::scaled::Scaled)), so that sums remain exact. Each row of
//! cells and each word of rows has its sum, and a draw searches the words, the rows of one word and
//! the cells of one row.

use ludens_core::Rng;

/// The number of cells of a row, and of rows of a word.
const ROW: usize = 8;

/// The weights of a cell for each role, together since they change together.
pub(super) type Pair = [u64; 2];

/// The weights of cells, 64 for each word of a set.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Roulette<const WORDS: usize> {
    cells: [[[Pair; ROW]; ROW]; WORDS],
    rows: [[Pair; ROW]; WORDS],
    words: [Pair; WORDS],
}

impl<const WORDS: usize> Default for Roulette<WORDS> {
    fn default() -> Self {
        let row = [[0; 2]; ROW];
        Roulette { cells: [[row; ROW]; WORDS], rows: [row; WORDS], words: [[0; 2]; WORDS] }
    }
}

fn plus(a: Pair, b: Pair) -> Pair {
    std::array::from_fn(|role_idx| a[role_idx].wrapping_add(b[role_idx]))
}

impl<const WORDS: usize> Roulette<WORDS> {
    /// Sets the weights of the first cells, and 0 for the others.
    pub(super) fn fill(&mut self, weights: impl Iterator<Item = Pair>) {
        let (cells, mut n_filled) = (self.cells.as_flattened_mut().as_flattened_mut(), 0);
        for (cell, weights) in cells.iter_mut().zip(weights) {
            *cell = weights;
            n_filled += 1;
        }
        cells[n_filled..].fill([0; 2]);
        for ((cells, rows), word) in self.cells.iter().zip(&mut self.rows).zip(&mut self.words) {
            *word = [0; 2];
            for (row, cells) in rows.iter_mut().zip(cells) {
                *row = cells.iter().fold([0; 2], |sum, &weights| plus(sum, weights));
                *word = plus(*word, *row);
            }
        }
    }

    /// Changes the weights of a cell.
    #[inline]
    pub(super) fn set(&mut self, cell: usize, weights: Pair) {
        let before = &mut self.cells.as_flattened_mut().as_flattened_mut()[cell];
        let change = plus(weights, before.map(u64::wrapping_neg));
        *before = weights;
        let row = &mut self.rows.as_flattened_mut()[cell / ROW];
        *row = plus(*row, change);
        let word = &mut self.words[cell / (ROW * ROW)];
        *word = plus(*word, change);
    }

    /// Draws a cell with a probability proportional to its weight for a role, and returns the sum of all
    /// weights; any cell if the sum is 0.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a draw")]
    #[inline(always)]
    pub(super) fn draw(&self, role_idx: usize, rng: &mut Rng) -> (usize, u64) {
        let total: u64 = self.words.iter().map(|word| word[role_idx]).sum();
        let left = rng.below(total.max(1) as usize) as u64;
        let (word, left) = pick(&self.words, role_idx, left);
        let (row, left) = pick(&self.rows[word], role_idx, left);
        let (cell, _) = pick(&self.cells[word][row], role_idx, left);
        (ROW * (ROW * word + row) + cell, total)
    }
}

/// The index at which the prefix sum of the weights for a role exceeds `left`, and the remainder of
/// `left` there.
#[inline]
fn pick<const N: usize>(weights: &[Pair; N], role_idx: usize, left: u64) -> (usize, u64) {
    let (mut at, mut bound, mut before) = (0, 0, 0);
    for weights in &weights[..N - 1] {
        bound += weights[role_idx];
        // Summing comparisons is cheaper than mispredicted branches.
        at += usize::from(bound <= left);
        before = if bound <= left { bound } else { before };
    }
    (at, left - before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_testkit::chi_square::chi_square;

    #[test]
    fn cells_are_drawn_in_proportion_to_their_weights() {
        let (mut rng, mut roulette) = (Rng::new(1), Roulette::<3>::default());
        let mut weights = vec![[5, 7]; 150];
        roulette.fill(weights.iter().copied());
        weights.resize(192, [0; 2]);
        // Weights are set, changed and removed.
        for round in 0..300 {
            let cell = rng.below(192);
            let below = |rng: &mut Rng| rng.below(1000) as u64;
            weights[cell] =
                if round % 3 == 0 { [0; 2] } else { [below(&mut rng), below(&mut rng)] };
            roulette.set(cell, weights[cell]);
        }
        for role_idx in 0..2 {
            let weights: Vec<u64> = weights.iter().map(|weights| weights[role_idx]).collect();
            let mut counts = vec![0; 192];
            for _ in 0..100_000 {
                let (cell, total) = roulette.draw(role_idx, &mut rng);
                counts[cell] += 1;
                assert_eq!(total, weights.iter().sum::<u64>());
            }
            let weights: Vec<f64> = weights.into_iter().map(|weight| weight as f64).collect();
            assert!(chi_square(&counts, &weights).fits());
        }
    }

    #[test]
    fn cells_without_weight_are_never_drawn() {
        let (mut rng, mut roulette) = (Rng::new(2), Roulette::<1>::default());
        roulette.fill(std::iter::repeat_n([9, 1 << 50], 64));
        (0..64).filter(|cell| cell % 9 != 4).for_each(|cell| roulette.set(cell, [0; 2]));
        roulette.set(13, [1, 0]);
        for role_idx in [0, 1] {
            for _ in 0..10_000 {
                let (cell, _) = roulette.draw(role_idx, &mut rng);
                assert!(cell % 9 == 4 && (role_idx == 0 || cell != 13), "{cell}");
            }
        }
    }
}
