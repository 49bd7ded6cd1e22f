//! The known name that an unknown one was probably meant to be.

/// The known name nearest to `name`, if one is near enough to be worth mentioning. Of several, one with the same
/// letters: to swap two is the most frequent slip.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(name);
    let limit = (wanted.len() / 3).max(1);
    let rank = |candidate: &'a str| {
        let plain = plain(candidate);
        (distance(&wanted, &plain), letters(&wanted) != letters(&plain), candidate)
    };
    let near = known.into_iter().map(rank).filter(|(distance, ..)| *distance <= limit);
    near.min().map(|(.., name)| name)
}

/// The letters of a word, in their own order.
fn letters(word: &[char]) -> Vec<char> {
    let mut letters = word.to_vec();
    letters.sort_unstable();
    letters
}

/// Case, blanks and underscores are no difference worth a slip.
fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
}

/// Edits between two words: a character put in, left out or replaced, or two neighbours swapped.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = a[i - 1] == b[j - 1];
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1);
            best = best.min(rows[i - 1][j - 1] + usize::from(!same));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_other_words_are_not() {
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
