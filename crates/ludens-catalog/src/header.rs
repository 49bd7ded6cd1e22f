//! The header of a game file: lines `;;; key: value` at the top.
//!
//! A line `;;;   more` (at least two blanks) continues the value above it.

use crate::parameter::{Parameter, find_number};

/// The header of a game file; missing fields are empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The game's name for display.
    pub title: String,
    /// A summary of the game.
    pub description: String,
    /// The roles in the order of the rules.
    pub roles: Vec<String>,
    /// The origin of the game.
    pub provenance: String,
    /// Search words.
    pub tags: Vec<String>,
    /// How its board is drawn, one hint per item.
    pub board: Vec<String>,
    /// Adjustable numbers.
    pub parameters: Vec<Parameter>,
    /// Increased when a change alters play.
    pub version: String,
}

/// A problem of a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeaderProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Header {
    /// Reads the header of a text.
    pub fn parse(text: &str) -> (Self, Vec<HeaderProblem>) {
        let (mut header, mut problems) = (Header::default(), Vec::new());
        for (line, key, value) in fields(text) {
            if let Err(message) = header.set(&key, value, text) {
                problems.push(HeaderProblem { line, message });
            }
        }
        (header, problems)
    }

    fn set(&mut self, key: &str, value: String, text: &str) -> Result<(), String> {
        match key {
            "title" => self.title = value,
            "description" => self.description = value,
            "roles" => self.roles = list(&value),
            "provenance" => self.provenance = value,
            "tags" => self.tags = list(&value),
            "board" => self.board.push(value),
            "version" => self.version = value,
            "parameter" => {
                let mut parameter = Parameter::parse(&value)
                    .ok_or("expected `name MIN..MAX (what it means)` as a parameter")?;
                parameter.default = find_number(text, &parameter.name).map(|(_, number)| number);
                if parameter.default.is_none() {
                    return Err(format!("the rules have no fact `({} NUMBER)`", parameter.name));
                }
                self.parameters.push(parameter);
            }
            _ => return Err(format!("unknown key `{key}`")),
        }
        Ok(())
    }
}

fn list(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// The line, key and value of each field.
fn fields(text: &str) -> Vec<(usize, String, String)> {
    let mut fields: Vec<(usize, String, String)> = Vec::new();
    let lines = text.lines().map_while(|line| line.strip_prefix(";;;"));
    for (i, line) in lines.enumerate() {
        if line.starts_with("  ") {
            if let Some((_, _, value)) = fields.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((key, value)) = line.split_once(':') {
            fields.push((i + 1, key.trim().to_lowercase(), value.trim().to_owned()));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
;;; title: Small Game
;;; description: First line: with a colon
;;;   and the second.
;;; roles: left, right
;;; tags: two-player,board
;;; board: cell(x, y, piece)
;;; board: hand(role, piece)
;;; parameter: size 2..8 (side length)
;;; version: 1

;;; title: not this one
(size 4)
";

    #[test]
    fn fields_are_read_up_to_the_first_other_line() {
        let (header, problems) = Header::parse(TEXT);
        assert_eq!(problems, []);
        assert_eq!(header.title, "Small Game");
        assert_eq!(header.description, "First line: with a colon and the second.");
        assert_eq!(header.roles, ["left", "right"]);
        assert_eq!(header.tags, ["two-player", "board"]);
        assert_eq!(header.board, ["cell(x, y, piece)", "hand(role, piece)"]);
        assert_eq!(header.parameters[0].default, Some(4));
        assert_eq!((header.provenance.as_str(), header.version.as_str()), ("", "1"));
    }

    #[test]
    fn problems_have_their_line() {
        let (header, problems) = Header::parse(
            ";;; titel: X\n;;; parameter: size two\n;;; parameter: rows 1..2 (x)\n(row 1)",
        );
        assert_eq!(header, Header::default());
        let lines: Vec<_> = problems.iter().map(|p| (p.line, p.message.as_str())).collect();
        assert_eq!(lines[0], (1, "unknown key `titel`"));
        assert_eq!(lines[1].0, 2);
        assert_eq!(lines[2], (3, "the rules have no fact `(rows NUMBER)`"));
    }

    #[test]
    fn a_text_without_header_has_an_empty_one() {
        assert_eq!(Header::parse("(role you)\n;;; title: X"), (Header::default(), vec![]));
    }
}
