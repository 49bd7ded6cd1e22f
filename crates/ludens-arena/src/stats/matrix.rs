//! Small symmetric matrices.

/// Standard deviations of values minus their mean, from their covariances. Games do not determine
/// the common offset, so it must not widen the errors.
pub(super) fn centred_deviations(covariance: Vec<Vec<f64>>) -> Vec<f64> {
    let n = covariance.len() as f64;
    let rows: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / n).collect();
    let all = rows.iter().sum::<f64>() / n;
    let deviation = |(i, row): (usize, Vec<f64>)| (row[i] - 2.0 * rows[i] + all).max(0.0).sqrt();
    covariance.into_iter().enumerate().map(deviation).collect()
}

pub(super) fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// The inverse of a positive definite matrix by Gauss–Jordan elimination, which needs no pivoting.
pub(super) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for pivot in 0..n {
        let mut row = std::mem::take(&mut matrix[pivot]);
        let scale = 1.0 / row[pivot];
        for value in &mut row {
            *value *= scale;
        }
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(value, row)| *value -= factor * row);
        }
        matrix[pivot] = row;
    }
    matrix.into_iter().map(|mut row| row.split_off(n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let matrix = vec![vec![4.0, 1.0, -0.5], vec![1.0, 3.0, 0.25], vec![-0.5, 0.25, 2.0]];
        let inverse = inverse(matrix.clone());
        for i in 0..3 {
            let row = times(&matrix, &inverse.iter().map(|row| row[i]).collect::<Vec<_>>());
            for (j, value) in row.into_iter().enumerate() {
                assert!((value - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {value}");
            }
        }
        // Deviations from the mean of two values with variances 4 and 1 and covariance 1: both
        // are half their difference, whose variance is 4 + 1 − 2.
        let found = centred_deviations(vec![vec![4.0, 1.0], vec![1.0, 1.0]]);
        assert!(found.iter().all(|d| (d - 0.75f64.sqrt()).abs() < 1e-12), "{found:?}");
    }
}
