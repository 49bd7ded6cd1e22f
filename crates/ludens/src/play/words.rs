//! What the user types.

use ludens_lab::normalised;

/// What a line means where a move is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// The legal move with this index.
    Move(usize),
    /// The legal moves that contain the text; none or several.
    Filter(Vec<usize>),
    /// The next page of the list.
    More,
    /// The list from its beginning.
    Moves,
    /// Take back.
    Undo,
    /// What the computer would do.
    Hint,
    /// The state as facts.
    Facts,
    /// The board again.
    Board,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
    /// Nothing.
    Blank,
    /// A number that is not in the list.
    NoSuchNumber,
}

/// What can be typed, for `help`.
pub const HELP: &str = "  3               the third move of the list (also `#3`)
  mark 1 1        a move by its text, with or without parentheses
  mark            part of a move: lists the moves that contain it
  moves, more     the list of moves, and its next page
  undo            back to your last decision
  hint            what the computer would do in your place
  board, facts    the position again, drawn or as facts
  quit            the end
";

/// Reads a line. The text of a legal move comes first: games may use any word.
pub fn read(line: &str, moves: &[String]) -> Word {
    let text = normalised(line);
    if text.is_empty() {
        return Word::Blank;
    }
    if let Some(found) = moves.iter().position(|m| normalised(m) == text) {
        return Word::Move(found);
    }
    if let Ok(number) = text.trim_start_matches('#').parse::<usize>() {
        let listed = (1..=moves.len()).contains(&number);
        return if listed { Word::Move(number - 1) } else { Word::NoSuchNumber };
    }
    match text.as_str() {
        "more" => Word::More,
        "moves" | "legal" => Word::Moves,
        "undo" | "back" => Word::Undo,
        "hint" => Word::Hint,
        "facts" | "state" => Word::Facts,
        "board" => Word::Board,
        "help" | "?" => Word::Help,
        "quit" | "exit" | "q" => Word::Quit,
        _ => Word::Filter(
            (0..moves.len()).filter(|&i| normalised(&moves[i]).contains(&text)).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_texts_and_words_are_understood() {
        let moves = ["(mark 1 1)", "(mark 1 2)", "noop", "(put (cell 1 2) x)"].map(String::from);
        let read = |line| read(line, &moves);
        assert_eq!(read(" 2\n"), Word::Move(1));
        assert_eq!(read("#3"), Word::Move(2));
        assert_eq!(read("mark 1 2"), Word::Move(1));
        assert_eq!(read("( MARK  1 1 )"), Word::Move(0));
        assert_eq!(read("put (cell 1 2) x"), Word::Move(3));
        assert_eq!(read("mark 1"), Word::Filter(vec![0, 1]));
        assert_eq!(read("castle"), Word::Filter(vec![]));
        assert_eq!(read("7"), Word::NoSuchNumber);
        assert_eq!(read("0"), Word::NoSuchNumber);
        assert_eq!(read("  "), Word::Blank);
        assert_eq!(read("undo"), Word::Undo);
        assert_eq!(read("?"), Word::Help);
    }

    #[test]
    fn moves_come_before_words_and_numbers() {
        let moves = ["3", "1", "undo"].map(String::from);
        assert_eq!(read("3", &moves), Word::Move(0));
        assert_eq!(read("#3", &moves), Word::Move(2));
        assert_eq!(read("undo", &moves), Word::Move(2));
    }
}
