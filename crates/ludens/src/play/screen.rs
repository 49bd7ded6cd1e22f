//! The output of a match: text, or a record for each event.

use std::io::{self, Write};

use ludens_core::Role;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::listing::{PAGE_SIZE, columns};
use crate::console::Console;
use crate::report::thoughts;
use ludens_lab::Board;
use ludens_lab::analysis::{Analysis, MoveAnalysis};

/// Shows a match.
pub struct Screen<'a> {
    /// The output.
    pub console: &'a mut Console,
    /// The board.
    pub board: &'a Board,
    /// The roles in the order of the rules.
    pub roles: Vec<String>,
}

/// A move with its statistics.
#[derive(Serialize)]
pub struct Advice {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Its visits.
    pub visits: u64,
    /// Its mean payoff, from 0 to 100.
    pub value: f64,
}

/// The computer's analysis of a role's move.
#[derive(Serialize)]
struct Thought<'a> {
    role: &'a str,
    #[serde(flatten)]
    best: &'a MoveAnalysis,
}

impl Screen<'_> {
    fn record(&mut self, value: &Value) -> io::Result<()> {
        self.console.record("play", value)
    }

    fn by_role<T: Into<Value> + Clone>(&self, values: &[T]) -> Value {
        let pairs = self.roles.iter().cloned().zip(values.iter().cloned().map(Into::into));
        Value::Object(pairs.collect::<Map<_, _>>())
    }

    /// The match begins.
    pub fn begin(&mut self, title: &str, human: Option<Role>, opponent: &str) -> io::Result<()> {
        if self.console.json {
            let human = human.map(|role| self.roles[role.index()].clone());
            let roles = &self.roles;
            let record = json!({"kind": "start", "title": title, "roles": roles, "human": human,
                "against": opponent});
            return self.record(&record);
        }
        let Some(human) = human else {
            return writeln!(self.console, "{title}: {opponent} plays {}", self.roles.join(", "));
        };
        let you = self.roles[human.index()].clone();
        let others = self.roles.iter().filter(|role| **role != you).cloned().collect::<Vec<_>>();
        if others.is_empty() {
            writeln!(self.console, "{title}: you are {you}")?;
        } else {
            let others = others.join(", ");
            writeln!(self.console, "{title}: you are {you}, {opponent} plays {others}")?;
        }
        writeln!(self.console, "type a move, its number, or `help`")
    }

    /// A state, with the changes since the previous one.
    pub fn state(
        &mut self,
        step: usize,
        before: Option<&[String]>,
        facts: &[String],
    ) -> io::Result<()> {
        if self.console.json {
            return self.record(&json!({"kind": "state", "step": step, "state": facts}));
        }
        let board = self.board.draw(before, facts, self.console.board_style());
        writeln!(self.console, "\n{}", board.trim_end())
    }

    /// A page of the moves the user can choose from.
    pub fn moves(&mut self, moves: &[String], shown: &[usize], page: usize) -> io::Result<()> {
        if self.console.json {
            let names: Vec<_> = shown.iter().map(|&i| &moves[i]).collect();
            return self.record(&json!({"kind": "choices", "moves": names}));
        }
        let from = (page * PAGE_SIZE).min(shown.len());
        let to = (from + PAGE_SIZE).min(shown.len());
        write!(self.console, "\n{}", columns(moves, &shown[from..to]))?;
        match shown.len() - to {
            0 => Ok(()),
            rest => writeln!(
                self.console,
                "  … {rest} more: type `more`, or a part of a move such as `{}`",
                moves[shown[to]].trim_matches(['(', ')'])
            ),
        }
    }

    /// Asks for a move.
    pub fn prompt(&mut self, role: Role) -> io::Result<()> {
        if !self.console.json {
            write!(self.console, "\n{}> ", self.roles[role.index()])?;
        }
        self.console.flush()
    }

    /// Prints the input, if no terminal does.
    pub fn echo(&mut self, line: &str) -> io::Result<()> {
        if self.console.json { Ok(()) } else { writeln!(self.console, "{line}") }
    }

    /// A joint move, and the computer's analysis of it.
    pub fn played(&mut self, step: usize, joint: &[String], thought: &Analysis) -> io::Result<()> {
        let playouts = thought.iterations;
        if self.console.json {
            let moves = self.by_role(joint);
            let mut record =
                json!({"kind": "moves", "step": step, "moves": moves, "playouts": playouts});
            let best =
                thought.deciders().filter_map(|role| Some((&role.name, role.moves.first()?)));
            let best: Vec<_> = best.map(|(role, best)| Thought { role, best }).collect();
            if !best.is_empty() {
                record["thought"] = serde_json::to_value(best)?;
            }
            return self.record(&record);
        }
        let moves = self.roles.iter().zip(joint).map(|(role, m)| format!("{role} {m}"));
        let moves = moves.collect::<Vec<_>>().join(", ");
        let effort = if playouts > 0 { format!("  ({playouts} playouts)") } else { String::new() };
        writeln!(self.console, "\n{}. {moves}{effort}", step + 1)?;
        thoughts(thought).iter().try_for_each(|line| writeln!(self.console, "   {line}"))
    }

    /// The computer's advice for the user.
    pub fn hint(&mut self, advice: &[Advice]) -> io::Result<()> {
        if self.console.json {
            return self.record(&json!({"kind": "hint", "moves": advice}));
        }
        for Advice { name, visits, value } in advice {
            writeln!(self.console, "  {name}  expects {value:.0} ({visits} playouts)")?;
        }
        Ok(())
    }

    /// The state as facts.
    pub fn facts(&mut self, facts: &[String]) -> io::Result<()> {
        if self.console.json {
            return self.record(&json!({"kind": "facts", "state": facts}));
        }
        facts.iter().try_for_each(|fact| writeln!(self.console, "  {fact}"))
    }

    /// A remark.
    pub fn note(&mut self, text: &str) -> io::Result<()> {
        if self.console.json {
            return self.record(&json!({"kind": "note", "text": text}));
        }
        writeln!(self.console, "{text}")
    }

    /// The match is over.
    pub fn end(&mut self, step: usize, goals: &[i64], human: Option<Role>) -> io::Result<()> {
        if self.console.json {
            let goals = self.by_role(goals);
            return self.record(&json!({"kind": "end", "step": step, "goals": goals}));
        }
        let s = if step == 1 { "" } else { "s" };
        writeln!(self.console, "\nThe game is over after {step} move{s}.")?;
        for (role_idx, goal) in goals.iter().enumerate() {
            let you =
                if human.is_some_and(|role| role.index() == role_idx) { " (you)" } else { "" };
            writeln!(self.console, "  {} {goal}{you}", self.roles[role_idx])?;
        }
        writeln!(self.console, "{}", verdict(&self.roles, goals, human))
    }
}

/// The result in one sentence.
fn verdict(roles: &[String], goals: &[i64], human: Option<Role>) -> String {
    let best = goals.iter().copied().max().unwrap_or(0);
    let winners: Vec<_> = (0..goals.len()).filter(|&i| goals[i] == best).collect();
    match (human, &winners[..]) {
        (Some(_), [_]) if goals.len() == 1 => format!("You score {best} of 100."),
        (None, [_]) if goals.len() == 1 => format!("{} scores {best} of 100.", roles[0]),
        (_, all) if all.len() == goals.len() => "It is a draw.".to_owned(),
        (Some(human), [one]) if human.index() == *one => "You win.".to_owned(),
        (Some(human), several) if several.contains(&human.index()) => {
            "You share the first place.".to_owned()
        }
        (Some(_), _) => "You lose.".to_owned(),
        (None, several) => {
            let names: Vec<_> = several.iter().map(|&i| roles[i].as_str()).collect();
            format!("{} wins.", names.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_announced() {
        let roles = ["a", "b", "c"].map(String::from);
        let shown = |goals: &[i64], human: Option<u8>| verdict(&roles, goals, human.map(Role));
        assert_eq!(shown(&[100, 0], Some(0)), "You win.");
        assert_eq!(shown(&[100, 0], Some(1)), "You lose.");
        assert_eq!(shown(&[50, 50], Some(1)), "It is a draw.");
        assert_eq!(shown(&[50, 50, 0], Some(1)), "You share the first place.");
        assert_eq!(shown(&[0, 100], None), "b wins.");
        assert_eq!(shown(&[40], Some(0)), "You score 40 of 100.");
        assert_eq!(shown(&[40], None), "a scores 40 of 100.");
    }
}
