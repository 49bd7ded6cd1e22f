//! Commands of the user in a match.

use ludens_lab::normalised;

/// A line of the user in response to a request for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UserCommand {
    /// The legal move with this index.
    Move(usize),
    /// The legal moves that contain the text; none or several.
    Filter(Vec<usize>),
    /// The next page of the list.
    More,
    /// The list from its beginning.
    Moves,
    /// Undo.
    Undo,
    /// A hint of the computer.
    Hint,
    /// The state as facts.
    Facts,
    /// The board again.
    Board,
    /// Help.
    Help,
    /// Quit.
    Quit,
    /// An empty line.
    Blank,
    /// A number that is not in the list.
    NoSuchNumber,
}

/// The text of `help`.
pub const HELP: &str = "  3               the third move of the list (also `#3`)
  mark 1 1        a move by its text, with or without parentheses
  mark            part of a move: lists the moves that contain it
  moves, more     the list of moves, and its next page
  undo            back to your last decision
  hint            the computer's best moves for you
  board, facts    the position again, drawn or as facts
  quit            end the game
";

/// Parses a line. The text of a legal move takes precedence: games may use any word.
pub fn read(line: &str, moves: &[String]) -> UserCommand {
    let text = normalised(line);
    if text.is_empty() {
        return UserCommand::Blank;
    }
    if let Some(found) = moves.iter().position(|m| normalised(m) == text) {
        return UserCommand::Move(found);
    }
    if let Ok(number) = text.trim_start_matches('#').parse::<usize>() {
        let listed = (1..=moves.len()).contains(&number);
        return if listed { UserCommand::Move(number - 1) } else { UserCommand::NoSuchNumber };
    }
    match text.as_str() {
        "more" => UserCommand::More,
        "moves" | "legal" => UserCommand::Moves,
        "undo" | "back" => UserCommand::Undo,
        "hint" => UserCommand::Hint,
        "facts" | "state" => UserCommand::Facts,
        "board" => UserCommand::Board,
        "help" | "?" => UserCommand::Help,
        "quit" | "exit" | "q" => UserCommand::Quit,
        _ => UserCommand::Filter(
            (0..moves.len()).filter(|&i| normalised(&moves[i]).contains(&text)).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_texts_and_commands_are_parsed() {
        let moves = ["(mark 1 1)", "(mark 1 2)", "noop", "(put (cell 1 2) x)"].map(String::from);
        let read = |line| read(line, &moves);
        assert_eq!(read(" 2\n"), UserCommand::Move(1));
        assert_eq!(read("#3"), UserCommand::Move(2));
        assert_eq!(read("mark 1 2"), UserCommand::Move(1));
        assert_eq!(read("( MARK  1 1 )"), UserCommand::Move(0));
        assert_eq!(read("put (cell 1 2) x"), UserCommand::Move(3));
        assert_eq!(read("mark 1"), UserCommand::Filter(vec![0, 1]));
        assert_eq!(read("castle"), UserCommand::Filter(vec![]));
        assert_eq!(read("7"), UserCommand::NoSuchNumber);
        assert_eq!(read("0"), UserCommand::NoSuchNumber);
        assert_eq!(read("  "), UserCommand::Blank);
        assert_eq!(read("undo"), UserCommand::Undo);
        assert_eq!(read("?"), UserCommand::Help);
    }

    #[test]
    fn moves_take_precedence_over_commands_and_numbers() {
        let moves = ["3", "1", "undo"].map(String::from);
        assert_eq!(read("3", &moves), UserCommand::Move(0));
        assert_eq!(read("#3", &moves), UserCommand::Move(2));
        assert_eq!(read("undo", &moves), UserCommand::Move(2));
    }
}
