//! Phrases that several messages share.

/// A number of arguments in words.
pub(crate) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        _ => format!("{count} arguments"),
    }
}
