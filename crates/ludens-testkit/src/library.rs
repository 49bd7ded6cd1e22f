//! The games of the library with their golden files: `x.kif`, `x.perft` and `x.play`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use ludens_core::{Game, Reasoner};

use crate::golden::{self, Limits};
use crate::playthrough::playthrough;

/// The seed of playthroughs, and the number of joint moves after which they are cut off.
const SEED: u64 = 1;
const MAX_PLIES: usize = 1000;

/// A game of the library.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// Its name: the stem of its file name.
    pub name: String,
    /// The file of its rules.
    pub rules: PathBuf,
}

/// One of the two kinds of golden files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Golden {
    /// Counts of paths, terminal states and goals.
    Perft,
    /// A random playthrough.
    Play,
}

impl Golden {
    /// Both kinds.
    pub const ALL: [Golden; 2] = [Golden::Perft, Golden::Play];

    fn extension(self) -> &'static str {
        match self {
            Golden::Perft => "perft",
            Golden::Play => "play",
        }
    }
}

/// Checks every game of a folder on all cores, and panics with a list of all failures.
pub fn check_every_game(folder: &Path, check: impl Fn(&Entry) -> Result<(), String> + Sync) {
    let games = entries(folder).expect("the library is there");
    assert!(games.len() > 5, "the library has only {} games", games.len());
    let results = games.iter().zip(on_all_cores(&games, check));
    let failures: Vec<String> = results
        .filter_map(|(entry, result)| result.err().map(|why| format!("{}: {why}", entry.name)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The games of a folder, sorted by name.
pub fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let rules = file?.path();
        if rules.extension().is_some_and(|extension| extension == "kif") {
            let name = rules.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            entries.push(Entry { name, rules });
        }
    }
    entries.sort();
    Ok(entries)
}

impl Entry {
    /// The file of a golden text.
    pub fn golden(&self, kind: Golden) -> PathBuf {
        self.rules.with_extension(kind.extension())
    }

    /// The expected contents of the golden file, given its current ones: a perft file keeps its depth.
    pub fn expected<G: Game + Reasoner>(
        &self,
        kind: Golden,
        game: &G,
        now: Option<&str>,
    ) -> Result<String, String> {
        match (kind, now) {
            (Golden::Perft, Some(now)) => Ok(golden::same_perft(game, now)),
            (Golden::Perft, None) => Ok(golden::new_perft(game, &Limits::default())),
            (Golden::Play, _) => playthrough(&self.name, game, SEED, MAX_PLIES)
                .map_err(|trouble| trouble.to_string()),
        }
    }

    /// Compares a golden file with the game.
    pub fn check_golden<G: Game + Reasoner>(&self, kind: Golden, game: &G) -> Result<(), String> {
        let path = self.golden(kind);
        let remedy =
            format!("hint: `cargo xtask bless {}` writes it, then read the diff", self.name);
        let name = format!("{}.{}", self.name, kind.extension());
        let Ok(now) = std::fs::read_to_string(path) else {
            return Err(format!("{name} is missing\n{remedy}"));
        };
        let found = self.expected(kind, game, Some(&now))?;
        match golden::first_difference(&now, &found) {
            None => Ok(()),
            Some((line, golden, found)) => Err(format!(
                "{name}:{line} says\n  {golden}\nbut the game says\n  {found}\n{remedy}"
            )),
        }
    }
}

/// Maps items on all cores; the results are in the order of the items.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    side_by_side(cores, items, work)
}

/// Maps items, `at_a_time` at a time; the results are in the order of the items.
pub fn side_by_side<T: Sync, R: Send>(
    at_a_time: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let worker = || {
        // The lock is released before the work starts.
        let next = || queue.lock().ok().and_then(|mut queue| queue.next());
        while let Some((at, item)) = next() {
            let result = work(item);
            done.lock().expect("no worker panics with the lock").push((at, result));
        }
    };
    thread::scope(|scope| {
        (0..at_a_time.clamp(1, items.len().max(1))).for_each(|_| drop(scope.spawn(worker)));
    });
    let mut done = done.into_inner().expect("no worker panics with the lock");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(
            on_all_cores(&items, |n| n * n),
            items.iter().map(|n| n * n).collect::<Vec<_>>()
        );
    }
}
