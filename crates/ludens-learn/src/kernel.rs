//! Products of batches and weights with vector instructions, chosen at run time.
//!
//! Rows of weights and of hidden activations are padded ([`crate::weights::PAD`]), so that a row is a whole
//! number of vectors. A register block has some rows × `COLUMNS` accumulators.

#![expect(
    clippy::inline_always,
    reason = "code that is not inlined into a dispatched function has no vector instructions"
)]

use pulp::{Arch, Simd, WithSimd};

use crate::batch::Lists;

/// Rows of a register block, and of one on machines with many registers.
const ROWS: usize = 4;
const MANY_ROWS: usize = 8;

/// Vectors of a register block.
const COLUMNS: usize = 2;

/// Vectors that the sparse layer accumulates in registers.
const SPARSE_COLUMNS: usize = 8;

/// Defines a function whose loops are compiled for the vector instructions of the machine. (A closure would
/// do, if closures could be inlined always.)
macro_rules! vectorized {
    ($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),+ $(,)?) $body:block) => {
        $(#[$doc])*
        pub fn $name<'a>(arch: Arch, $($argument: $type),+) {
            struct Work<'a>($($type,)+ std::marker::PhantomData<&'a ()>);
            impl<'a> WithSimd for Work<'a> {
                type Output = ();

                #[inline(always)]
                fn with_simd<S: Simd>(self, _: S) {
                    let Work($($argument,)+ _) = self;
                    $body
                }
            }
            arch.dispatch(Work($($argument,)+ std::marker::PhantomData));
        }
    };
}

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

vectorized! {
    /// `gradients[i] += errors[b]` for the true inputs `i` of each position `b`.
    sparse_gradient(inputs: &'a Lists, errors: Matrix<'a>, gradients: &'a mut [f32]) {
        for (b, error) in errors.values.chunks_exact(errors.stride).enumerate() {
            for &i in inputs.get(b) {
                let row = &mut gradients[i as usize * errors.stride..][..errors.stride];
                row.iter_mut().zip(error).for_each(|(gradient, error)| *gradient += error);
            }
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
            while S::REGISTER_COUNT > 16 && b + MANY_ROWS <= n_rows {
                let x: [&[f32]; MANY_ROWS] = std::array::from_fn(|r| x_row(b + r));
                product(simd, x, weights, biases, &mut out[b * width..][..MANY_ROWS * width]);
                b += MANY_ROWS;
            }
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
    // All rows have this length, which the compiler sees here.
    let x = x.map(|row| &row[..n]);
    for (k, row) in weights.chunks_exact(width).take(n).enumerate() {
        let row = &row[first..first + C];
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

/// What backpropagation through a dense layer reads.
#[derive(Clone, Copy)]
pub struct DenseErrors<'a> {
    /// The values below the layer, and how many of each row are no padding.
    pub x: Matrix<'a>,
    /// See `x`.
    pub n: usize,
    /// The errors of the values above it.
    pub above: Matrix<'a>,
}

/// Backpropagation through a dense layer: `gradients[k] += Σ_b x[b][k] · above[b]`, and
/// `below[b][k] = above[b] · rows[k]` where the rectified unit `x[b][k]` is not zero.
pub fn dense_gradient(
    arch: Arch,
    errors: DenseErrors<'_>,
    rows: Matrix<'_>,
    gradients: &mut [f32],
    below: &mut [f32],
) {
    struct Gradient<'a>(DenseErrors<'a>, Matrix<'a>, &'a mut [f32], &'a mut [f32]);
    impl WithSimd for Gradient<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Gradient(DenseErrors { x, n, above }, rows, gradients, below) = self;
            let width = rows.stride / S::F32_LANES;
            let (weights, _) = S::as_simd_f32s(rows.values);
            let (gradients, _) = S::as_mut_simd_f32s(gradients);
            let (above, _) = S::as_simd_f32s(above.values);
            let mut active = vec![0; n];
            let below = below.chunks_exact_mut(x.stride);
            let batch = x.values.chunks_exact(x.stride).zip(above.chunks_exact(width)).zip(below);
            for ((x, error), below) in batch {
                let n_active = list_active(&x[..n], &mut active);
                below.fill(0.0);
                for &k in &active[..n_active] {
                    let place = k as usize * width..(k as usize + 1) * width;
                    let factor = simd.splat_f32s(x[k as usize]);
                    for (gradient, &error) in gradients[place.clone()].iter_mut().zip(error) {
                        *gradient = simd.mul_add_e_f32s(factor, error, *gradient);
                    }
                    below[k as usize] = dot_vectors(simd, error, &weights[place]);
                }
            }
        }
    }
    arch.dispatch(Gradient(errors, rows, gradients, below));
}

/// Lists the rectified units that are not zero; half of them are. Returns their number.
#[inline(always)]
fn list_active(x: &[f32], active: &mut [u32]) -> usize {
    let mut n = 0;
    // Without branches: which units are zero is unpredictable.
    for (k, &value) in (0..).zip(x) {
        active[n] = k;
        n += usize::from(value > 0.0);
    }
    n
}

vectorized! {
    /// The gradient of the outputs of a head in one position: `gradients[m] += slope · vector` and
    /// `error += slope · rows[m]` for each output `m` with its slope.
    head_gradient(
        outputs: (&'a [u32], &'a [f32]),
        rows: Matrix<'a>,
        gradients: &'a mut [f32],
        values: (&'a [f32], &'a mut [f32]),
    ) {
        let ((outputs, slopes), (vector, error)) = (outputs, values);
        for (&output, &slope) in outputs.iter().zip(slopes) {
            let place = output as usize * rows.stride..(output as usize + 1) * rows.stride;
            let own = gradients[place.clone()].iter_mut().zip(vector);
            own.for_each(|(gradient, value)| *gradient += slope * value);
            let errors = error.iter_mut().zip(&rows.values[place]);
            errors.for_each(|(error, weight)| *error += slope * weight);
        }
    }
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

vectorized! {
    /// Rectified units: negative numbers become zero.
    rectify(values: &'a mut [f32]) {
        for value in values {
            *value = value.max(0.0);
        }
    }
}

vectorized! {
    /// The gradient of rectified units: zero where the unit is zero.
    rectify_gradient(values: &'a [f32], errors: &'a mut [f32]) {
        for (error, &value) in errors.iter_mut().zip(values) {
            *error = if value > 0.0 { *error } else { 0.0 };
        }
    }
}

vectorized! {
    /// `sums += Σ_b errors[b]`.
    add_up(errors: Matrix<'a>, sums: &'a mut [f32]) {
        for error in errors.values.chunks_exact(errors.stride) {
            sums.iter_mut().zip(error).for_each(|(sum, error)| *sum += error);
        }
    }
}

vectorized! {
    /// `sums += share · values`.
    add_share(share: f32, values: &'a [f32], sums: &'a mut [f32]) {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += share * value);
    }
}

vectorized! {
    /// Moves averages towards values by a share of the distance.
    approach(share: f32, values: &'a [f32], averages: &'a mut [f32]) {
        let both = averages.iter_mut().zip(values);
        both.for_each(|(average, value)| *average += share * (value - *average));
    }
}

vectorized! {
    /// A step of Adam, whose numbers are in `rates`.
    adam(
        rates: AdamRates,
        gradient: &'a [f32],
        moments: (&'a mut [f32], &'a mut [f32]),
        parameters: &'a mut [f32],
    ) {
        let ([mean_rate, mean_gain], [square_rate, square_gain]) = (rates.mean, rates.square);
        let moments = moments.0.iter_mut().zip(moments.1);
        for ((parameter, &slope), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(moments)
        {
            *mean = mean_rate * *mean + mean_gain * slope;
            *square = square_rate * *square + square_gain * slope * slope;
            let step = rates.step * *mean / (square.sqrt() + rates.epsilon);
            *parameter = *parameter * rates.kept - step;
        }
    }
}

/// The numbers of a step of Adam.
#[derive(Clone, Copy)]
pub struct AdamRates {
    /// What is kept of the first moment, and the share of the new slope.
    pub mean: [f32; 2],
    /// The same of the second moment.
    pub square: [f32; 2],
    /// The step, corrected for the bias of both moments.
    pub step: f32,
    /// Keeps divisions finite.
    pub epsilon: f32,
    /// What is kept of a parameter; the rest is weight decay.
    pub kept: f32,
}
