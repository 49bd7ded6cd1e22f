//! Products of batches and weights with vector instructions, chosen at run time.
//!
//! Rows of weights and of hidden activations are padded ([`crate::weights::PAD`]), so that a row is a whole
//! number of vectors. A register block has `ROWS` × `COLUMNS` accumulators.

#![expect(
    clippy::inline_always,
    reason = "code that is not inlined into a dispatched function has no vector instructions"
)]

use pulp::{Arch, Simd, WithSimd};

use crate::batch::Lists;

/// Rows of a register block.
const ROWS: usize = 4;

/// Vectors of a register block.
const COLUMNS: usize = 2;

/// Vectors that the sparse layer accumulates in registers.
const SPARSE_COLUMNS: usize = 8;

/// A matrix with padded rows.
#[derive(Clone, Copy)]
pub struct Matrix<'a> {
    /// All rows.
    pub values: &'a [f32],
    /// The length of a row.
    pub stride: usize,
}

/// `out[b] = biases + Σ rows[i]` over the true inputs `i` of each position `b`.
pub fn sparse(arch: Arch, inputs: &Lists, rows: Matrix<'_>, biases: &[f32], out: &mut [f32]) {
    struct Sparse<'a>(&'a Lists, Matrix<'a>, &'a [f32], &'a mut [f32]);
    impl WithSimd for Sparse<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Sparse(inputs, Matrix { values, stride }, biases, out) = self;
            let (rows, _) = S::as_simd_f32s(values);
            let (biases, _) = S::as_simd_f32s(&biases[..stride]);
            for (b, out) in out.chunks_exact_mut(stride).enumerate() {
                let (out, _) = S::as_mut_simd_f32s(out);
                add_rows(simd, inputs.get(b), rows, biases, out);
            }
        }
    }
    arch.dispatch(Sparse(inputs, rows, biases, out));
}

#[inline(always)]
fn add_rows<S: Simd>(
    simd: S,
    active: &[u32],
    rows: &[S::f32s],
    biases: &[S::f32s],
    out: &mut [S::f32s],
) {
    let n = biases.len();
    let mut first = 0;
    while first + SPARSE_COLUMNS <= n {
        let mut sums: [S::f32s; SPARSE_COLUMNS] = std::array::from_fn(|c| biases[first + c]);
        for &i in active {
            let row = &rows[i as usize * n + first..][..SPARSE_COLUMNS];
            for c in 0..SPARSE_COLUMNS {
                sums[c] = simd.add_f32s(sums[c], row[c]);
            }
        }
        out[first..first + SPARSE_COLUMNS].copy_from_slice(&sums);
        first += SPARSE_COLUMNS;
    }
    for c in first..n {
        let add = |sum, &i: &u32| simd.add_f32s(sum, rows[i as usize * n + c]);
        out[c] = active.iter().fold(biases[c], add);
    }
}

/// `gradients[i] += errors[b]` for the true inputs `i` of each position `b`.
pub fn sparse_gradient(inputs: &Lists, errors: Matrix<'_>, gradients: &mut [f32]) {
    for (b, error) in errors.values.chunks_exact(errors.stride).enumerate() {
        for &i in inputs.get(b) {
            let row = &mut gradients[i as usize * errors.stride..][..errors.stride];
            row.iter_mut().zip(error).for_each(|(gradient, error)| *gradient += error);
        }
    }
}

/// `out[b] = biases + Σ x[b][k] · rows[k]`, for `n` inputs `k`.
pub fn dense(
    arch: Arch,
    (x, n): (Matrix<'_>, usize),
    rows: Matrix<'_>,
    biases: &[f32],
    out: &mut [f32],
) {
    struct Dense<'a>(Matrix<'a>, usize, Matrix<'a>, &'a [f32], &'a mut [f32]);
    impl WithSimd for Dense<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Dense(x, n, rows, biases, out) = self;
            let width = rows.stride / S::F32_LANES;
            let (weights, _) = S::as_simd_f32s(rows.values);
            let (biases, _) = S::as_simd_f32s(&biases[..rows.stride]);
            let (out, _) = S::as_mut_simd_f32s(out);
            let x_row = |b: usize| &x.values[b * x.stride..][..n];
            let n_rows = out.len() / width;
            let mut b = 0;
            while b + ROWS <= n_rows {
                let x: [&[f32]; ROWS] = std::array::from_fn(|r| x_row(b + r));
                product(simd, x, weights, biases, &mut out[b * width..][..ROWS * width]);
                b += ROWS;
            }
            while b < n_rows {
                product(simd, [x_row(b)], weights, biases, &mut out[b * width..][..width]);
                b += 1;
            }
        }
    }
    arch.dispatch(Dense(x, n, rows, biases, out));
}

/// Rows of `x` times weights: as many columns in registers as there are registers.
#[inline(always)]
fn product<S: Simd, const R: usize>(
    simd: S,
    x: [&[f32]; R],
    weights: &[S::f32s],
    biases: &[S::f32s],
    out: &mut [S::f32s],
) {
    let width = biases.len();
    let mut first = 0;
    while first + COLUMNS <= width {
        block::<S, R, COLUMNS>(simd, x, weights, biases, out, first);
        first += COLUMNS;
    }
    while first < width {
        block::<S, R, 1>(simd, x, weights, biases, out, first);
        first += 1;
    }
}

#[inline(always)]
fn block<S: Simd, const R: usize, const C: usize>(
    simd: S,
    x: [&[f32]; R],
    weights: &[S::f32s],
    biases: &[S::f32s],
    out: &mut [S::f32s],
    first: usize,
) {
    let width = biases.len();
    let start: [S::f32s; C] = std::array::from_fn(|c| biases[first + c]);
    let mut sums = [start; R];
    let n = x[0].len();
    for k in 0..n {
        let row = &weights[k * width + first..][..C];
        for r in 0..R {
            let factor = simd.splat_f32s(x[r][k]);
            for c in 0..C {
                sums[r][c] = simd.mul_add_e_f32s(factor, row[c], sums[r][c]);
            }
        }
    }
    for r in 0..R {
        out[r * width + first..][..C].copy_from_slice(&sums[r]);
    }
}

/// `out[b][k] = errors[b] · rows[k]`, for `n` inputs `k`.
pub fn dense_input_gradient(
    arch: Arch,
    errors: Matrix<'_>,
    rows: Matrix<'_>,
    (out, out_stride, n): (&mut [f32], usize, usize),
) {
    struct Gradient<'a>(Matrix<'a>, Matrix<'a>, &'a mut [f32], usize, usize);
    impl WithSimd for Gradient<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Gradient(errors, rows, out, out_stride, n) = self;
            let (weights, _) = S::as_simd_f32s(rows.values);
            let width = rows.stride / S::F32_LANES;
            let batch = errors.values.chunks_exact(errors.stride);
            for (error, out) in batch.zip(out.chunks_exact_mut(out_stride)) {
                let (error, _) = S::as_simd_f32s(error);
                let rows = weights.chunks_exact(width);
                for (out, row) in out[..n].iter_mut().zip(rows) {
                    *out = dot_vectors(simd, error, row);
                }
            }
        }
    }
    arch.dispatch(Gradient(errors, rows, out, out_stride, n));
}

/// `gradients[k] += Σ_b x[b][k] · errors[b]`, for `n` inputs `k`.
pub fn dense_weight_gradient(
    arch: Arch,
    (x, n): (Matrix<'_>, usize),
    errors: Matrix<'_>,
    gradients: &mut [f32],
) {
    struct Gradient<'a>(Matrix<'a>, usize, Matrix<'a>, &'a mut [f32]);
    impl WithSimd for Gradient<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Gradient(x, n, errors, gradients) = self;
            let width = errors.stride / S::F32_LANES;
            let (errors, _) = S::as_simd_f32s(errors.values);
            let (gradients, _) = S::as_mut_simd_f32s(gradients);
            for (b, error) in errors.chunks_exact(width).enumerate() {
                let x = &x.values[b * x.stride..][..n];
                for (&x, row) in x.iter().zip(gradients.chunks_exact_mut(width)) {
                    // Half of the rectified units are zero.
                    if x != 0.0 {
                        let factor = simd.splat_f32s(x);
                        for (gradient, &error) in row.iter_mut().zip(error) {
                            *gradient = simd.mul_add_e_f32s(factor, error, *gradient);
                        }
                    }
                }
            }
        }
    }
    arch.dispatch(Gradient(x, n, errors, gradients));
}

/// The scalar product of each of some rows with a vector, plus a bias.
pub fn scores(
    arch: Arch,
    vector: &[f32],
    rows: Matrix<'_>,
    biases: &[f32],
    chosen: &[u32],
    out: &mut [f32],
) {
    struct Scores<'a>(&'a [f32], Matrix<'a>, &'a [f32], &'a [u32], &'a mut [f32]);
    impl WithSimd for Scores<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Scores(vector, Matrix { values, stride }, biases, chosen, out) = self;
            let (vector, _) = S::as_simd_f32s(vector);
            for (&row, out) in chosen.iter().zip(out) {
                let (weights, _) = S::as_simd_f32s(&values[row as usize * stride..][..stride]);
                *out = biases[row as usize] + dot_vectors(simd, vector, weights);
            }
        }
    }
    arch.dispatch(Scores(vector, rows, biases, chosen, out));
}

#[inline(always)]
fn dot_vectors<S: Simd>(simd: S, a: &[S::f32s], b: &[S::f32s]) -> f32 {
    let zero = simd.splat_f32s(0.0);
    let mut sums = [zero; 2];
    let (a_pairs, a_rest) = a.as_chunks::<2>();
    let (b_pairs, b_rest) = b.as_chunks::<2>();
    for (a, b) in a_pairs.iter().zip(b_pairs) {
        sums[0] = simd.mul_add_e_f32s(a[0], b[0], sums[0]);
        sums[1] = simd.mul_add_e_f32s(a[1], b[1], sums[1]);
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        sums[0] = simd.mul_add_e_f32s(a, b, sums[0]);
    }
    simd.reduce_sum_f32s(simd.add_f32s(sums[0], sums[1]))
}

/// Rectified units: negative numbers become zero.
pub fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

/// The gradient of rectified units: zero where the unit is zero.
pub fn rectify_gradient(values: &[f32], errors: &mut [f32]) {
    for (error, &value) in errors.iter_mut().zip(values) {
        *error = if value > 0.0 { *error } else { 0.0 };
    }
}

/// `sums += Σ_b errors[b]`.
pub fn add_up(errors: Matrix<'_>, sums: &mut [f32]) {
    for error in errors.values.chunks_exact(errors.stride) {
        sums.iter_mut().zip(error).for_each(|(sum, error)| *sum += error);
    }
}
