//! Suggests the known word that was probably meant.

use strsim::osa_distance;

/// Words longer than this are not compared.
const MAX_LENGTH: usize = 64;

/// At most this many known words are compared with an unknown one.
const MAX_CANDIDATES: usize = 20_000;

/// The known word at the smallest edit distance, if it is small for the length.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).min(2);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.take(MAX_CANDIDATES) {
        let limit = best.map_or(allowed + 1, |(distance, _)| distance);
        if let Some(distance) = distance(&word, &candidate.to_lowercase(), limit)
            && distance > 0
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A hint with the word that was probably meant.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    nearest(word, known).map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

/// The optimal string alignment distance, if it is below `limit`: the number of letters that are
/// missing, added, changed or swapped with their neighbour.
pub(crate) fn distance(one: &str, other: &str, limit: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) >= 4 * limit || one.len().max(other.len()) > MAX_LENGTH {
        return None;
    }
    if one.chars().count().abs_diff(other.chars().count()) >= limit {
        return None;
    }
    Some(osa_distance(one, other)).filter(|&distance| distance < limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted() {
        assert_eq!(distance("treu", "true", 3), Some(1));
        assert_eq!(distance("legal", "legal", 3), Some(0));
        assert_eq!(distance("colum", "columns", 3), Some(2));
        assert_eq!(distance("cell", "row", 3), None);
        assert_eq!(distance("é", "e", 2), Some(1));
    }

    #[test]
    fn the_nearest_word_is_found() {
        let known = || ["column", "colour", "row"].into_iter();
        assert_eq!(nearest("colum", known()), Some("column"));
        assert_eq!(nearest("colours", known()), Some("colour"));
        assert_eq!(nearest("ro", known()), None);
        assert_eq!(nearest("diagonal", known()), None);
    }
}
