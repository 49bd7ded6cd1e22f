//! Paths of the workspace, and loading of rules.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ludens_catalog::{CatalogError, ReasonerKind};
use ludens_core::Budget;
use ludens_gdl::Rules;
use ludens_logic::{Limits, LogicGame};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_owned(), Path::to_owned)
}

/// The target folder.
pub fn target() -> PathBuf {
    let given = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    given.unwrap_or_else(|| root().join("target"))
}

/// Whether this program is a release build.
pub fn is_release() -> bool {
    let program = std::env::current_exe();
    program.is_ok_and(|path| path.parent().is_some_and(|folder| folder.ends_with("release")))
}

/// Runs the same task with a release build of this program, for measurements.
pub fn rerun_in_release() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "-p", "xtask", "--"])
        .args(std::env::args_os().skip(1))
        .current_dir(root())
        .status()
        .context("cargo cannot be started")?;
    if status.success() { Ok(()) } else { bail!("the task failed in the release build") }
}

/// The folder of the game library.
pub fn games() -> PathBuf {
    root().join("games")
}

/// The folder of the corpus, if it exists: the one given, that of the environment variable
/// `LUDENS_CORPUS`, or `../shared/corpus` next to the workspace.
pub fn corpus(given: Option<&Path>) -> Option<PathBuf> {
    let folder =
        given.map(Path::to_owned).or_else(|| std::env::var_os("LUDENS_CORPUS").map(Into::into));
    let folder = folder.unwrap_or_else(|| root().join("../shared/corpus"));
    if folder.join("games").is_dir() {
        return Some(folder);
    }
    println!("no corpus at {}: nothing to check there", folder.display());
    None
}

/// A file of the workspace: its path from the root with forward slashes, and its text if it is text.
pub struct File {
    pub path: String,
    pub text: Option<String>,
}

/// All rule files in a folder and its subfolders, sorted.
pub fn rules_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rules_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "kif") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// All files under version control, or not ignored by it.
pub fn files() -> Result<Vec<File>> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .context("git is needed to list the files of the workspace")?;
    if !listing.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&listing.stderr));
    }
    let mut files = Vec::new();
    for path in String::from_utf8_lossy(&listing.stdout).split_terminator('\0') {
        // A deleted file may still be listed.
        if let Ok(bytes) = std::fs::read(root().join(path)) {
            files.push(File { path: path.to_owned(), text: String::from_utf8(bytes).ok() });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}

/// All reasoners to check: all names except `auto`.
pub fn reasoners() -> Vec<ReasonerKind> {
    ReasonerKind::ALL.iter().copied().filter(|kind| *kind != ReasonerKind::Auto).collect()
}

/// Parses the name of a reasoner.
pub fn parse_reasoner(name: &str) -> Result<ReasonerKind, String> {
    let hint = |error: CatalogError| match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    };
    name.parse().map_err(hint)
}

/// The rules of a file.
pub fn rules(path: &Path) -> Result<Rules> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let (source, mut problems) = ludens_gdl::Source::from_bytes(path.display().to_string(), &bytes);
    let (rules, more) = ludens_gdl::load(&source.text);
    problems.extend(more);
    rules.with_context(|| {
        let worst = problems.iter().find(|problem| problem.code.blocks_play());
        format!("does not load: {}", worst.map_or("", |problem| &problem.message))
    })
}

/// Loads the rules of a file for the reference reasoner.
pub fn load(path: &Path) -> Result<LogicGame> {
    let budget = Budget::unlimited().with_time(Duration::from_mins(1));
    let game = LogicGame::load(&rules(path)?, &budget)?;
    Ok(game.with_limits(Limits { time: Some(Duration::from_secs(30)), ..Limits::default() }))
}
