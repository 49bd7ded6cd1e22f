//! Weighted selection among a few numbers, without branches.

/// The sum of four numbers.
#[inline]
pub fn sum(four: &[f32; 4]) -> f32 {
    (four[0] + four[1]) + (four[2] + four[3])
}

/// The index at which the prefix sum exceeds `left`, and the remainder of `left` there.
#[inline]
pub fn pick<const N: usize>(numbers: &[f32; N], left: f32) -> (usize, f32) {
    let (mut bounds, mut bound) = ([0.0; N], 0.0);
    for (at, number) in numbers.iter().enumerate().take(N - 1) {
        bound += number;
        bounds[at + 1] = bound;
    }
    // Summing comparisons is cheaper than mispredicted branches.
    let at: usize = bounds[1..].iter().map(|&bound| usize::from(left >= bound)).sum();
    (at, left - bounds[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_picked_where_their_sum_is_exceeded() {
        let numbers = [1.0, 0.0, 2.0, 0.5];
        let places = [0.0, 0.5, 1.0, 2.5, 3.0, 3.25].map(|left| pick(&numbers, left).0);
        assert_eq!(places, [0, 0, 2, 2, 3, 3]);
        assert_eq!(pick(&numbers, 2.5), (2, 1.5));
        assert!((sum(&numbers) - 3.5).abs() < f32::EPSILON);
    }
}
