//! Checks of the invariants of the architecture. Each finding has file, line and remedy.

mod dependencies;
mod diagram;
mod libraries;
mod library;
mod links;
mod names;
mod purity;
mod sizes;
mod source;

use std::fmt;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;

use crate::workspace::{self, File};

/// A violation of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Path from the root.
    pub path: String,
    /// Line from 1; 0 for the file as a whole.
    pub line: usize,
    /// A description.
    pub what: String,
    /// The remedy.
    pub remedy: String,
    /// Whether it is only a warning.
    pub warning: bool,
}

impl Finding {
    /// An error.
    pub fn new(
        path: &str,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Finding {
            path: path.to_owned(),
            line,
            what: what.into(),
            remedy: remedy.into(),
            warning: false,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.warning { "warning" } else { "error" };
        write!(f, "{}", self.path)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {kind}: {}\n    hint: {}", self.what, self.remedy)
    }
}

/// Options.
#[derive(ClapArgs)]
pub struct Args {
    /// Rewrite the diagram of crates in ARCHITECTURE.md first
    #[arg(long)]
    write: bool,
}

/// Runs all checks.
pub fn run(args: &Args) -> Result<()> {
    let metadata = dependencies::metadata()?;
    if args.write {
        diagram::write(&metadata)?;
    }
    let files = workspace::files()?;
    let mut findings = dependencies::check(&metadata);
    let page = files.iter().find(|file| file.path == diagram::PAGE);
    let page = page.and_then(|file| file.text.as_deref()).unwrap_or_default();
    findings.extend(diagram::check(page, &metadata));
    findings.extend(library::check_totals(&files));
    for file in &files {
        findings.extend(check_file(file, &files));
    }
    findings.sort_by(|a, b| (a.warning, &a.path, a.line).cmp(&(b.warning, &b.path, b.line)));
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| !finding.warning).count();
    println!("{} files, {errors} errors, {} warnings", files.len(), findings.len() - errors);
    if errors > 0 {
        bail!("the workspace is not tidy");
    }
    Ok(())
}

fn check_file(file: &File, files: &[File]) -> Vec<Finding> {
    let Some(text) = &file.text else {
        return Vec::new();
    };
    let path = file.path.as_str();
    let mut findings = links::check_machine_paths(path, text);
    findings.extend(names::check_file_name(path));
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => {
            findings.extend(sizes::check(path, text));
            findings.extend(names::check(path, text));
            findings.extend(purity::check(path, text));
            findings.extend(libraries::check(path, text));
        }
        Some("md") => findings.extend(links::check_mentions(path, text, files)),
        Some("kif") if path.starts_with("games/") => {
            findings.extend(library::check(path, text, files));
        }
        _ => {}
    }
    findings
}
