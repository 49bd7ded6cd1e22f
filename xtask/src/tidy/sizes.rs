//! Checks that files stay small.

use super::Finding;

const WARN_LINES: usize = 500;
const MAX_LINES: usize = 800;

/// Files that are one long table.
const TABLES: &[&str] = &[];

/// Warns of long files and rejects very long ones.
pub fn check(path: &str, text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    if lines <= WARN_LINES || TABLES.contains(&path) {
        return None;
    }
    let what = format!("{lines} lines; the aim is 300, the limit {MAX_LINES}");
    let mut finding = Finding::new(path, 0, what, "split the file by concept");
    finding.warning = lines <= MAX_LINES;
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found() {
        let of = |lines: usize| check("a.rs", &"x\n".repeat(lines)).map(|finding| finding.warning);
        assert_eq!([of(500), of(501), of(801)], [None, Some(true), Some(false)]);
    }
}
