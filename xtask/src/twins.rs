//! Library games in lockstep with other authors' rules of the same game. The table is
//! `data/twins.toml`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludens_testkit::library::on_all_cores;
use ludens_testkit::lockstep::{Counts, Options, lockstep};
use serde::Deserialize;

use crate::workspace;

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Only library games whose name contains this
    filter: Option<String>,
    /// Folder with `games`
    #[arg(long)]
    corpus: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TwinTable {
    twin: Vec<Twin>,
}

/// Two descriptions of the same game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Twin {
    /// The library's name.
    ours: String,
    /// The name of the other author's file.
    theirs: String,
    /// Whether facts agree too, not only moves, goals and terminal states.
    #[serde(default)]
    states: bool,
    /// Whether goals in non-terminal states and moves in terminal ones agree too.
    #[serde(default)]
    everywhere: bool,
    /// The number of random playouts.
    #[serde(default = "default_games")]
    games: u32,
}

fn default_games() -> u32 {
    20
}

/// Compares the twins whose library name contains the filter.
pub fn run(args: &Args) -> Result<()> {
    let Some(folder) = workspace::corpus(args.corpus.as_deref()) else {
        return Ok(());
    };
    let failed = check(&folder, args.filter.as_deref().unwrap_or(""))?;
    if failed > 0 {
        bail!("{failed} twins differ");
    }
    Ok(())
}

/// Compares twins and counts those that differ.
pub fn check(folder: &Path, filter: &str) -> Result<usize> {
    let mut twins = table()?;
    twins.retain(|twin| twin.ours.contains(filter));
    let results = on_all_cores(&twins, |twin| {
        let start = Instant::now();
        let result = compare(folder, twin);
        print_result(twin, start.elapsed(), &result);
        result
    });
    let failed = results.iter().filter(|result| result.is_err()).count();
    let states: u64 = results.iter().flatten().map(|counts| counts.states).sum();
    println!("{} pairs of twins, {states} states compared, {failed} pairs differ", twins.len());
    Ok(failed)
}

fn table() -> Result<Vec<Twin>> {
    let table: TwinTable = toml::from_str(include_str!("../data/twins.toml"))?;
    Ok(table.twin)
}

fn compare(folder: &Path, twin: &Twin) -> Result<Counts> {
    let ours = workspace::games().join(format!("{}.kif", twin.ours));
    let theirs = folder.join("games").join(format!("{}.kif", twin.theirs));
    let ours = workspace::load(&ours).context("ours")?;
    let theirs = workspace::load(&theirs).context("theirs")?;
    let (states, everywhere) = (twin.states, twin.everywhere);
    let options = Options { games: twin.games, states, everywhere, ..Options::default() };
    Ok(lockstep(&theirs, &ours, &options)?)
}

fn print_result(twin: &Twin, time: Duration, result: &Result<Counts>) {
    let verdict = match result {
        Ok(counts) => format!("{} games, {} states: ok", counts.games, counts.states),
        Err(error) => format!("{error:#}"),
    };
    println!("{:22} {:32} {time:6.1?}  {verdict}", twin.ours, twin.theirs);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_library_games() {
        let twins = table().unwrap();
        for twin in &twins {
            assert!(
                workspace::games().join(format!("{}.kif", twin.ours)).exists(),
                "{}",
                twin.ours
            );
            assert!(twin.games > 0);
        }
    }
}
