//! Rewrites golden files and generated pages. Review the diff before committing it.

use std::path::PathBuf;

use anyhow::{Result, bail};
use ludens_testkit::golden::first_difference;
use ludens_testkit::library::{Entry, Golden, entries, on_all_cores};

use crate::workspace;

/// What to rewrite.
#[derive(clap::Args)]
pub struct Args {
    /// Names of library games; default all of them, and the pages in docs
    names: Vec<String>,
    /// Extend existing perft files to the depth of new ones
    #[arg(long)]
    deepen: bool,
    /// Folder of the games
    #[arg(long)]
    games: Option<PathBuf>,
}

/// Rewrites the golden files of the games.
pub fn run(args: &Args) -> Result<()> {
    if args.names.is_empty() && args.games.is_none() {
        bless_pages()?;
    }
    let folder = args.games.clone().unwrap_or_else(workspace::games);
    let mut games = entries(&folder)?;
    for name in &args.names {
        if !games.iter().any(|entry| entry.name == *name) {
            bail!("the library has no game `{name}`\nhint: `ludens games` lists all");
        }
    }
    games.retain(|entry| args.names.is_empty() || args.names.contains(&entry.name));
    let results = on_all_cores(&games, |entry| {
        let result = bless(entry, args.deepen);
        match &result {
            Ok(lines) => lines.iter().for_each(|line| println!("{line}")),
            Err(error) => println!("{}: {error:#}", entry.name),
        }
        result
    });
    let changed: usize = results.iter().flatten().map(Vec::len).sum();
    println!("{} games, {changed} files changed; read the diff before you commit it", games.len());
    let failed = results.iter().filter(|result| result.is_err()).count();
    if failed > 0 {
        bail!("{failed} games have no golden files");
    }
    Ok(())
}

/// Rewrites the pages generated from the catalog.
fn bless_pages() -> Result<()> {
    let (path, new) = (workspace::root().join("docs/agents.md"), ludens_catalog::reference_page());
    let old = std::fs::read_to_string(&path).ok();
    if old.as_deref() != Some(&new) {
        std::fs::write(&path, &new)?;
        println!("{}", change("docs/agents.md", old.as_deref(), &new));
    }
    Ok(())
}

/// Rewrites both files of a game and returns a line for each change.
fn bless(entry: &Entry, deepen: bool) -> Result<Vec<String>> {
    let game = workspace::load(&entry.rules)?;
    let mut lines = Vec::new();
    for kind in Golden::ALL {
        let path = entry.golden(kind);
        let old = std::fs::read_to_string(&path).ok();
        let kept = old.as_deref().filter(|_| !deepen);
        let new = entry.expected(kind, &game, kept).map_err(anyhow::Error::msg)?;
        if old.as_deref() == Some(&new) {
            continue;
        }
        std::fs::write(&path, &new)?;
        lines.push(change(
            &path.file_name().unwrap_or_default().to_string_lossy(),
            old.as_deref(),
            &new,
        ));
    }
    Ok(lines)
}

fn change(name: &str, old: Option<&str>, new: &str) -> String {
    let Some(old) = old else {
        return format!("{name}: new, {} lines", new.lines().count());
    };
    match first_difference(old, new) {
        Some((line, old, new)) => format!("{name}:{line}: `{old}` is now `{new}`"),
        None => format!("{name}: only line endings changed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_described_by_their_first_line() {
        assert_eq!(change("x.perft", None, "a\nb\n"), "x.perft: new, 2 lines");
        assert_eq!(change("x.perft", Some("a\nb\n"), "a\nc\n"), "x.perft:2: `b` is now `c`");
    }

    #[test]
    fn a_game_is_blessed_once() {
        let folder = std::env::temp_dir().join(format!("ludens-bless-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let rules = folder.join("one.kif");
        let text = "(role you) (legal you go) (<= (next done) (does you go))
            (<= terminal (true done)) (goal you 100)";
        std::fs::write(&rules, text).unwrap();
        let entry = Entry { name: "one".into(), rules };
        let first = bless(&entry, false).unwrap();
        assert_eq!(first, ["one.perft: new, 3 lines", "one.play: new, 7 lines"]);
        assert_eq!(bless(&entry, true).unwrap(), Vec::<String>::new());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
