//! Solved positions in a file: a line about all of them, then one line for each.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use ludens_catalog::{LoadedGame, WithGame};
use ludens_core::{Game, Move, Role, View};
use ludens_learn::write_whole;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Drawn, Positions, SolvedPosition};
use crate::contest::fingerprint;
use crate::hinted::Hinted;

/// The format of the file.
const SCHEMA: &str = "ludens/positions/1";

const REMEDY: &str = "make the file again with `ludens accuracy GAME --save FILE`";

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: String,
    game: String,
    /// The fingerprint of the text of the rules.
    rules: String,
    /// The number of lines that follow.
    positions: usize,
    drawn: Drawn,
}

/// Writes positions; an interrupted process leaves no part of a file.
pub fn save(path: &Path, game: &LoadedGame, positions: &Positions) -> anyhow::Result<()> {
    let head = Head {
        schema: SCHEMA.to_owned(),
        game: game.source.name.clone(),
        rules: fingerprint(&game.source.source.text),
        positions: positions.list.len(),
        drawn: positions.drawn.clone(),
    };
    let mut text = serde_json::to_string(&head).context("a head is valid JSON")? + "\n";
    for position in &positions.list {
        let line = serde_json::to_string(position).context("a position is valid JSON")?;
        writeln!(text, "{line}").context("text grows")?;
    }
    write_whole(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads positions; a damaged file, and one of another game, are refused.
pub fn load(path: &Path, game: &LoadedGame) -> anyhow::Result<Positions> {
    let place = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| Hinted::new(format!("cannot read {place}: {error}"), REMEDY))?;
    let refuse = |line: usize, why: &str| Hinted::new(format!("{place}:{line}: {why}"), REMEDY);
    let text = std::str::from_utf8(&bytes).map_err(|_| refuse(1, "the file is not text"))?;
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(|error| refuse(1, &format!("no file of solved positions ({error})")))?;
    check_head(&head, game).map_err(|why| refuse(1, &why))?;
    let mut list = Vec::new();
    for (line, text) in (2..).zip(lines) {
        let position: SolvedPosition = serde_json::from_str(text)
            .map_err(|error| refuse(line, &format!("the line is damaged ({error})")))?;
        let checked = game.game.with(Checking { position: &position });
        checked.map_err(|error| refuse(line, &error.to_string()))?;
        list.push(position);
    }
    if list.len() != head.positions || list.is_empty() {
        let why = format!("the file has {} of {} positions", list.len(), head.positions);
        return Err(refuse(list.len() + 1, &why).into());
    }
    Ok(Positions { list, drawn: head.drawn })
}

fn check_head(head: &Head, game: &LoadedGame) -> Result<(), String> {
    if head.schema != SCHEMA {
        return Err(format!("the format is `{}`, not `{SCHEMA}`", head.schema));
    }
    if head.rules != fingerprint(&game.source.source.text) {
        let (game, other) = (&game.source.name, &head.game);
        return Err(format!("positions of `{other}`, or of other rules, not of `{game}`"));
    }
    Ok(())
}

/// Checks a position against the rules.
struct Checking<'a> {
    position: &'a SolvedPosition,
}

impl WithGame for Checking<'_> {
    type Out = anyhow::Result<()>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let position = self.position;
        let state = replay(&*game, position)?;
        let mut view = View::default();
        game.look(&state, &mut view);
        let role = game.roles().iter().position(|role| *role == position.role);
        let role = Role(role.with_context(|| format!("no role `{}`", position.role))? as u8);
        let mut legal: Vec<String> =
            view.legal[role].iter().map(|&mv| game.move_name(role, mv)).collect();
        let mut valued: Vec<&str> = position.values.iter().map(|value| &*value.mv).collect();
        legal.sort();
        valued.sort_unstable();
        anyhow::ensure!(legal == valued, "the moves are not the legal ones");
        let worst = position.values.iter().map(|value| value.value).fold(f32::INFINITY, f32::min);
        anyhow::ensure!(worst < position.value(), "no move is better than another");
        Ok(())
    }
}

/// The state after the moves of a position.
pub(super) fn replay<G: Game>(game: &G, position: &SolvedPosition) -> anyhow::Result<G::State> {
    let (mut state, mut view) = (game.initial(), View::default());
    for joint in &position.moves {
        game.look(&state, &mut view);
        anyhow::ensure!(joint.len() == game.roles().len(), "a joint move lacks a role");
        let find = |(role, text): (Role, &String)| -> anyhow::Result<Move> {
            let legal = view.legal[role].iter().copied();
            let mut named = legal.filter(|&mv| game.move_name(role, mv) == *text);
            named.next().with_context(|| format!("the move `{text}` is not legal"))
        };
        let found: anyhow::Result<Vec<Move>> =
            Role::all(joint.len()).zip(joint).map(find).collect();
        game.play(&mut state, &found?);
    }
    game.look(&state, &mut view);
    anyhow::ensure!(!view.is_over(), "the game is over");
    Ok(state)
}
