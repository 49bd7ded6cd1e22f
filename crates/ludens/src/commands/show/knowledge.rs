//! What the rules show about a game without play, and who uses it.

use std::io::Write;
use std::sync::Arc;

use ludens_catalog::{AnyGame, LoadedGame};
use ludens_core::{Game, Structure, Symmetry};
use ludens_propnet::{Latch, PropGame, latches, structure};
use serde::Serialize;

use crate::Outcome;
use crate::console::Console;
use ludens_lab::Hinted;

/// The least number of facts of a line.
const LINE: usize = 3;

/// The maximum number of facts that the text lists.
const MAX_LISTED: usize = 4;

/// The knowledge as JSON.
#[derive(Serialize)]
struct Record<'a> {
    name: &'a str,
    /// Symmetries besides the identity, and those of them that exchange roles.
    symmetries: usize,
    exchanging: usize,
    /// Facts that only count moves.
    counters: Vec<&'a str>,
    /// Facts that hold for ever once they hold, and those that never hold again once they do not.
    stay: usize,
    vanish: usize,
    /// Conjunctions of three or more facts that goals and the end of the game depend on, and their groups.
    lines: usize,
    line_groups: usize,
    /// Whether decisive moves are recognised.
    decisive: bool,
    /// In games of one role: whether dead ends are recognised, and how many moves may be the next that the goal needs.
    dead_ends: bool,
    needed: usize,
}

/// Prints what the rules show.
pub(super) fn print(loaded: &LoadedGame, console: &mut Console) -> anyhow::Result<Outcome> {
    let AnyGame::Ground(game) = &loaded.game else {
        let hint =
            "it is read off ground rules; `--reasoner auto` grounds them if that is possible";
        return Err(Hinted::new("the rules are not grounded", hint).into());
    };
    let structure = structure(Arc::clone(&game.network));
    let record = Record::new(&loaded.source.name, game, &*structure);
    if console.json {
        console.record("knowledge", &record)?;
    } else {
        console.write_all(record.text().as_bytes())?;
    }
    Ok(Outcome::Fine)
}

impl<'a> Record<'a> {
    fn new(name: &'a str, game: &'a PropGame, structure: &dyn Structure) -> Self {
        let network = &game.network;
        let symmetries = structure.symmetries();
        let exchanges = |s: &&Symmetry| s.roles.entries().any(|(role, image)| role != *image);
        let lines = structure.conjunctions(LINE);
        let mut groups: Vec<u32> = lines.iter().map(|line| line.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let latches = latches(network);
        let kept = |kind: Latch| latches.iter().filter(|(_, latch)| *latch == kind).count();
        let (mut outlook, mut needed) = (structure.outlook(), Vec::new());
        if let Some(outlook) = &mut outlook
            && outlook.is_open(&network.initial)
        {
            outlook.needed(&network.initial, &mut needed);
        }
        let text = |&fact: &u32| network.fluents[fact as usize].as_str();
        Record {
            name,
            symmetries: symmetries.len(),
            exchanging: symmetries.iter().filter(exchanges).count(),
            counters: structure.counters().iter().map(text).collect(),
            stay: kept(Latch::Holds),
            vanish: kept(Latch::Fails),
            lines: lines.len(),
            line_groups: groups.len(),
            decisive: game.decisive().is_some(),
            dead_ends: outlook.is_some(),
            needed: needed.len(),
        }
    }

    fn text(&self) -> String {
        let Record { symmetries, exchanging, stay, vanish, lines, line_groups, needed, .. } = self;
        let mut rows = vec![
            (
                "symmetries",
                format!(
                    "{symmetries} besides the identity, {exchanging} of them exchange roles; learning multiplies positions by them"
                ),
            ),
            ("counters", self.counters()),
            ("latches", format!("{stay} facts stay once they hold, {vanish} never come back")),
        ];
        if *lines > 0 {
            let what = format!(
                "{lines} conjunctions of {LINE} facts or more, in {line_groups} groups, decide about goals and the end; inputs of networks"
            );
            rows.push(("lines", what));
        }
        let recognised = if self.decisive { "recognised" } else { "not recognised" };
        let used = if self.decisive { "; `decisive` of tree searches makes them" } else { "" };
        rows.push((
            "winning",
            format!("moves that win at once are {recognised} by the rules{used}"),
        ));
        if self.dead_ends {
            let needed = match needed {
                0 => "no moves are known to be needed".to_owned(),
                n => format!("the goal seems to need one of {n} moves in the initial position"),
            };
            rows.push((
                "dead ends",
                format!(
                    "recognised where the goal cannot be reached; {needed}; `planner` uses both"
                ),
            ));
        }
        let title = format!("{}: what the rules show\n\n", self.name);
        rows.iter().fold(title, |text, (name, what)| text + &format!("{name:<12} {what}\n"))
    }

    fn counters(&self) -> String {
        if self.counters.is_empty() {
            return "no facts only count moves".to_owned();
        }
        let shown = self.counters.iter().take(MAX_LISTED).copied().collect::<Vec<_>>().join(", ");
        let more = if self.counters.len() > MAX_LISTED { ", …" } else { "" };
        let n = self.counters.len();
        format!(
            "{n} facts only count moves ({shown}{more}); `planner` ignores them when it compares positions"
        )
    }
}
