//! Functions of counts that selection needs constantly, precomputed for small counts.

use std::sync::LazyLock;

/// Visits of moves below this are looked up; most nodes of a tree have few visits.
const N_ROOTS: usize = 2048;
/// Visits of nodes below this are looked up: a logarithm costs more than a root.
const N_LOGS: usize = 16384;

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| Box::new(Tables::new()));

/// For each count n: 1/√n and √(ln n).
pub struct Tables {
    roots: [f64; N_ROOTS],
    root_logs: Box<[f64]>,
}

impl Tables {
    fn new() -> Self {
        Tables {
            roots: std::array::from_fn(|n| root(n as f64)),
            root_logs: (0..N_LOGS).map(|n| root_log(n as f64)).collect(),
        }
    }

    /// The tables.
    #[inline]
    pub fn get() -> &'static Tables {
        &TABLES
    }

    /// 1/√n; 0 for no visits.
    #[inline]
    pub fn root(&self, n: u32) -> f64 {
        if (n as usize) < N_ROOTS { self.roots[n as usize] } else { root(f64::from(n)) }
    }

    /// √(ln n); 0 for no visits.
    #[inline]
    pub fn root_log(&self, n: u32) -> f64 {
        self.root_logs.get(n as usize).copied().unwrap_or_else(|| root_log(f64::from(n)))
    }
}

#[cold]
fn root(n: f64) -> f64 {
    if n > 0.0 { 1.0 / n.sqrt() } else { 0.0 }
}

#[cold]
fn root_log(n: f64) -> f64 {
    n.max(1.0).ln().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_formulas() {
        let tables = Tables::get();
        let n_roots = N_ROOTS as u32;
        for n in [1, 2, 3, n_roots - 1, n_roots, n_roots + 1, 16_383, 16_384, 1_000_000] {
            let x = f64::from(n);
            assert!((tables.root(n).powi(2) * x - 1.0).abs() < 1e-12, "{n}");
            assert!((tables.root_log(n).powi(2) - x.ln()).abs() < 1e-12, "{n}");
        }
        assert!(tables.root_log(0).abs() < 1e-12);
        assert!(tables.root(0).abs() < 1e-12);
    }
}
