//! Which known word was probably meant?

use strsim::osa_distance;

/// Words longer than this are not compared.
const MAX_LENGTH: usize = 64;

/// At most this many known words are compared with an unknown one.
const MAX_CANDIDATES: usize = 20_000;

/// The known word with the fewest typos, if they are few for its length.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).min(2);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.take(MAX_CANDIDATES) {
        let limit = best.map_or(allowed + 1, |(slips, _)| slips);
        if let Some(slips) = slips(&word, &candidate.to_lowercase(), limit)
            && slips > 0
        {
            best = Some((slips, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A hint that names the word that was probably meant.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    nearest(word, known).map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

/// The optimal string alignment distance, if it is below `limit`: how many letters are missing,
/// added, changed or swapped with their neighbour.
pub(crate) fn slips(one: &str, other: &str, limit: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) >= 4 * limit || one.len().max(other.len()) > MAX_LENGTH {
        return None;
    }
    if one.chars().count().abs_diff(other.chars().count()) >= limit {
        return None;
    }
    Some(osa_distance(one, other)).filter(|&slips| slips < limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        assert_eq!(slips("treu", "true", 3), Some(1));
        assert_eq!(slips("legal", "legal", 3), Some(0));
        assert_eq!(slips("colum", "columns", 3), Some(2));
        assert_eq!(slips("cell", "row", 3), None);
        assert_eq!(slips("é", "e", 2), Some(1));
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
