//! The text of one random playthrough, for golden files that are reviewed.
//!
//! Moves are chosen from the sorted texts of the legal moves, so that every reasoner plays the
//! same. The first turns are printed in full, later ones abbreviated, so that a file has at most
//! [`MAX_LINES`] lines; what is omitted is still part of a hash.

use std::fmt::Write;
use std::hash::Hasher;

use fnv::FnvHasher;
use ludens_core::{Answer, Reasoner, Rng, Trouble};

/// The largest number of lines of a playthrough.
pub const MAX_LINES: usize = 200;

/// Turns are printed in full up to this many lines,
const FULL_LINES: usize = 110;

/// and then on one line each up to this many.
const SHORT_LINES: usize = 160;

/// The initial and the final state take at most this many lines each.
const STATE_LINES: usize = 30;

/// Lines are broken here.
const WIDTH: usize = 120;

/// Plays at random with a seed and prints the turns; play is cut off after `max_plies` joint moves.
pub fn playthrough(
    name: &str,
    reasoner: &dyn Reasoner,
    seed: u64,
    max_plies: usize,
) -> Result<String, Trouble> {
    let mut writer = Writer { roles: reasoner.roles(), lines: Vec::new(), skipped: None };
    writer.head(name, seed);
    let (mut rng, mut facts, mut ply) = (Rng::new(seed), reasoner.initial()?, 0);
    writer.facts("init", &facts);
    loop {
        let answer = reasoner.answer(&facts)?;
        if answer.terminal || ply == max_plies || answer.legal.iter().any(Vec::is_empty) {
            writer.end(ply, &facts, &answer);
            return Ok(writer.finish());
        }
        let choose = |legal: &Vec<String>| legal[rng.below(legal.len())].clone();
        let joint: Vec<String> = answer.legal.iter().map(choose).collect();
        let next = reasoner.next(&facts, &joint)?;
        writer.turn(ply, &answer, &joint, (&facts, &next));
        (facts, ply) = (next, ply + 1);
    }
}

struct Writer<'a> {
    roles: &'a [String],
    lines: Vec<String>,
    /// Turns that are omitted: the first one, their number, and a hash of all.
    skipped: Option<(usize, usize, u64)>,
}

impl Writer<'_> {
    fn head(&mut self, name: &str, seed: u64) {
        self.lines.push(format!("game {name}, seed {seed}"));
        self.lines.push(format!("roles {}", self.roles.join(" ")));
    }

    fn facts(&mut self, label: &str, facts: &[String]) {
        let mut lines = wrapped(&format!("{label}:"), facts);
        if lines.len() > STATE_LINES {
            lines.truncate(STATE_LINES - 1);
            lines.push(format!("    … {} facts in all, hash {}", facts.len(), short(hash(facts))));
        }
        self.lines.append(&mut lines);
    }

    fn turn(
        &mut self,
        ply: usize,
        answer: &Answer,
        joint: &[String],
        (old, new): (&[String], &[String]),
    ) {
        if self.lines.len() < FULL_LINES {
            self.full_turn(ply, answer, joint, (old, new));
        } else if self.lines.len() < SHORT_LINES {
            let counts: Vec<_> = answer.legal.iter().map(|legal| legal.len().to_string()).collect();
            let hash = short(turn_hash(answer, joint, new));
            self.lines.push(clipped(format!(
                "{ply}: {} of {} legal, hash {hash}",
                joint.join(" "),
                counts.join(" ")
            )));
        } else {
            let (first, count, hash) = self.skipped.unwrap_or((ply, 0, 0));
            let hash = hash.rotate_left(7) ^ turn_hash(answer, joint, new);
            self.skipped = Some((first, count + 1, hash));
        }
    }

    fn full_turn(
        &mut self,
        ply: usize,
        answer: &Answer,
        joint: &[String],
        (old, new): (&[String], &[String]),
    ) {
        for (role, legal) in self.roles.iter().zip(&answer.legal) {
            // The only move of a role is printed as the move made.
            if legal.len() > 1 {
                self.lines.push(list(&format!("    legal {role}"), legal));
            }
        }
        self.lines.push(clipped(format!("{ply}: {}", joint.join(" "))));
        let without = |list: &[String], other: &[String]| -> Vec<String> {
            list.iter().filter(|fact| other.binary_search(fact).is_err()).cloned().collect()
        };
        for (sign, changed) in [("-", without(old, new)), ("+", without(new, old))] {
            if !changed.is_empty() {
                self.lines.push(list(&format!("    {sign}"), &changed));
            }
        }
    }

    fn end(&mut self, ply: usize, facts: &[String], answer: &Answer) {
        if let Some((first, count, hash)) = self.skipped {
            let last = first + count - 1;
            self.lines.push(format!("{first} to {last}: hash {}", short(hash)));
        }
        let how = if answer.terminal { "terminal" } else { "cut" };
        self.facts(&format!("{how} after {ply}"), facts);
        for (role, goals) in self.roles.iter().zip(&answer.goals) {
            let goals: Vec<_> = goals.iter().map(ToString::to_string).collect();
            self.lines.push(format!("goal {role} {}", goals.join(" ")));
        }
    }

    fn finish(self) -> String {
        debug_assert!(self.lines.len() <= MAX_LINES, "{} lines", self.lines.len());
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}

/// The items after a label, on as many lines as they need.
fn wrapped(label: &str, items: &[String]) -> Vec<String> {
    let mut lines = vec![label.to_owned()];
    for item in items {
        let line = lines.last_mut().expect("there is always one line");
        if line.len() + item.len() < WIDTH {
            write!(line, " {item}").expect("strings can be written to");
        } else {
            lines.push(format!("    {item}"));
        }
    }
    lines
}

/// The items after a label on one line; those that do not fit are counted and hashed.
fn list(label: &str, items: &[String]) -> String {
    let whole = format!("{label} {}: {}", items.len(), items.join(" "));
    if whole.chars().count() <= WIDTH {
        return whole;
    }
    let mut line = format!("{label} {}:", items.len());
    for item in items {
        if line.chars().count() + item.chars().count() + 12 > WIDTH {
            break;
        }
        write!(line, " {item}").expect("strings can be written to");
    }
    write!(line, " … {}", short(hash(items))).expect("strings can be written to");
    line
}

/// Truncates very long moves, with a hash of the whole.
fn clipped(line: String) -> String {
    if line.chars().count() <= 2 * WIDTH {
        return line;
    }
    let start: String = line.chars().take(2 * WIDTH - 12).collect();
    format!("{start} … {}", short(hash(&[line])))
}

fn turn_hash(answer: &Answer, joint: &[String], next: &[String]) -> u64 {
    let legal = answer.legal.iter().map(|legal| hash(legal));
    legal.chain([hash(joint), hash(next)]).fold(0, |sum, part| sum.rotate_left(9) ^ part)
}

/// FNV-1a, 64 bits: golden files must not depend on the choice of a default hash.
fn hash(items: &[String]) -> u64 {
    let mut hasher = FnvHasher::default();
    for item in items {
        hasher.write(item.as_bytes());
        hasher.write(&[0]);
    }
    hasher.finish()
}

fn short(hash: u64) -> String {
    format!("{:08x}", (hash ^ hash >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_core::TextGame;

    use super::*;
    use crate::hash_game::{HashGame, Shape};
    use crate::tree_game::TreeGame;

    #[test]
    fn a_short_playthrough_is_printed_in_full() {
        let tree = "roles x o\nx left\n  x in, o in = 100 0\n  x in, o out = 0 100\n";
        let game = TextGame(Arc::new(TreeGame::parse(tree).unwrap()));
        assert_eq!(
            playthrough("tree", &game, 1, 10).unwrap(),
            "game tree, seed 1\nroles x o\ninit: (node 0)\n\
             0: left noop\n    - 1: (node 0)\n    + 1: (node 1)\n\
             \x20   legal o 2: in out\n1: in out\n    - 1: (node 1)\n    + 1: (node 3)\n\
             terminal after 2: (node 3)\ngoal x 0\ngoal o 100\n"
        );
    }

    #[test]
    fn a_long_playthrough_keeps_the_limit_and_reflects_every_change() {
        let long = |depth, seed| {
            let shape = Shape { n_roles: 4, ..Shape::simultaneous(depth) };
            let game = TextGame(Arc::new(HashGame::new(shape, 3)));
            playthrough("hash", &game, seed, 10_000).unwrap()
        };
        assert!(long(1000, 1).lines().count() <= MAX_LINES);
        assert_eq!(long(1000, 1), long(1000, 1));
        assert_ne!(long(1000, 1), long(1001, 1));
    }

    #[test]
    fn hashes_are_short() {
        assert_eq!(short(hash(&["a".into()])).len(), 8);
        assert_ne!(short(hash(&["a".into(), "b".into()])), short(hash(&["ab".into()])));
    }
}
