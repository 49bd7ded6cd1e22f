//! The known name closest to a misspelt one.

use strsim::osa_distance;

/// The known name closest to `name`, if it is close enough. Of several, one with the same letters:
/// swapping two is the most frequent mistake.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(name);
    let limit = (wanted.chars().count() / 3).max(1);
    let rank = |candidate: &'a str| {
        let plain = plain(candidate);
        (osa_distance(&wanted, &plain), letters(&wanted) != letters(&plain), candidate)
    };
    let near = known.into_iter().map(rank).filter(|(distance, ..)| *distance <= limit);
    near.min().map(|(.., name)| name)
}

/// The letters of a word, sorted.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// The name without case, blanks and punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_are_close_and_others_are_not() {
        let known = ["tictactoe", "connectfour", "hex", "breakthrough_6x6"];
        assert_eq!(nearest("tictacteo", known), Some("tictactoe"));
        assert_eq!(nearest("Tic-Tac-Toe", known), Some("tictactoe"));
        assert_eq!(nearest("conectfour", known), Some("connectfour"));
        assert_eq!(nearest("breakthrough6x6", known), Some("breakthrough_6x6"));
        assert_eq!(nearest("he", known), Some("hex"));
        assert_eq!(nearest("falt", ["fast", "flat", "fault"]), Some("flat"));
        assert_eq!(nearest("backgammon", known), None);
        assert_eq!(nearest("", known), None);
    }
}
