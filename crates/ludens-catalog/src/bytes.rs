//! Sizes in bytes with units: `512M`, `2GiB`, `1024`.

/// Units with their sizes in bytes, the largest first.
pub(crate) const UNITS: [(&str, u64); 4] =
    [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1)];

/// The number of a size, and its unit in bytes; `None` for an unknown unit. `G`, `GB` and `GiB` are the
/// same, in upper or lower case.
pub fn split_size(text: &str) -> Option<(&str, u64)> {
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let known = |(name, _): &&(&str, u64)| {
        let short = name.trim_end_matches("iB");
        [*name, short, &format!("{short}B")].iter().any(|name| name.eq_ignore_ascii_case(unit))
    };
    let (_, scale) = UNITS.iter().find(known)?;
    Some((number.trim(), *scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_short_and_long_names() {
        for text in ["2G", "2gb", "2GiB", "2 g"] {
            assert_eq!(split_size(text), Some(("2", 1 << 30)), "{text}");
        }
        assert_eq!(split_size("1.5k"), Some(("1.5", 1 << 10)));
        assert_eq!((split_size("7"), split_size("7B")), (Some(("7", 1)), Some(("7", 1))));
        assert_eq!((split_size("2T"), split_size("2G2")), (None, None));
    }
}
