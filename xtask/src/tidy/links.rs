//! Checks the paths in texts: no absolute paths of one machine, and only files that exist.

use super::Finding;
use crate::workspace::File;

/// Folders that exist only on some machines. The slash is separate so that this file has no such path.
const MACHINE_FOLDERS: [&str; 4] = ["work", "root", "home", "Users"];

/// Folders of the workspace whose files documents may mention.
const FOLDERS: [&str; 6] = ["crates/", "xtask/", "games/", "docs/", ".ci/", ".cargo/"];

/// Finds absolute paths of one machine.
pub fn check_machine_paths(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| has_path(line, folder)) {
            let what = format!("a path in `/{folder}`, which other machines do not have");
            findings.push(Finding::new(
                path,
                number,
                what,
                "write the path from the workspace's root",
            ));
        }
    }
    findings
}

/// Whether the line has an absolute path into the folder.
fn has_path(line: &str, folder: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-.~/}$:".contains(c);
    let needle = format!("/{folder}");
    line.match_indices(&needle).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + needle.len()..].chars().next();
        !before.is_some_and(is_part) && after.is_none_or(|c| c == '/' || !is_part(c))
    })
}

/// Finds mentions of files that do not exist, in links and in code marks.
pub fn check_mentions(path: &str, text: &str, files: &[File]) -> Vec<Finding> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let links = links(line).map(|link| join(folder, link));
        let marks = code_marks(line).filter(|mark| FOLDERS.iter().any(|f| mark.starts_with(f)));
        for target in links.chain(marks.map(str::to_owned)) {
            if !exists(&target, files) {
                let what = format!("`{target}` does not exist");
                findings.push(Finding::new(
                    path,
                    number,
                    what,
                    "correct the name, or remove the mention",
                ));
            }
        }
    }
    findings
}

/// Targets of `[…](target)` inside the workspace, without the fragment.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let inside = targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
    inside.filter_map(|target| target.split('#').next()).filter(|target| !target.is_empty())
}

/// Texts between back-quotes that look like one path.
fn code_marks(line: &str) -> impl Iterator<Item = &str> {
    let marks = line.split('`').skip(1).step_by(2);
    marks.filter(|mark| !mark.contains(|c: char| " *<>{}…$|".contains(c)) && !is_example(mark))
}

/// Whether the last part of a path is a placeholder: `NAME.kif`, `foo.rs`, `mygame.kif`.
fn is_example(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let capital = !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase());
    capital && !name.ends_with("md") || stem.starts_with("foo") || stem.starts_with("my")
}

fn join(folder: &str, link: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether the path is a file or the folder of one.
fn exists(path: &str, files: &[File]) -> bool {
    let path = path.split("::").next().unwrap_or(path).trim_end_matches('/');
    let inside = |file: &File| {
        file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    files.iter().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_are_found() {
        let count = |line: &str| check_machine_paths("a.md", line).len();
        let [work, root, home] = ["work", "root", "home"].map(|folder| format!("/{folder}"));
        assert_eq!(count(&format!("see {work}/main for it")), 1);
        assert_eq!(count(&format!("cd {root}")), 1);
        assert_eq!(count(&format!("\"{home}/me/x\"")), 1);
        assert_eq!(count("crates/work/x, ../root/y, https://a.b/home/c and /workspace"), 0);
    }

    #[test]
    fn missing_files_are_found() {
        let file = |path: &str| File { path: path.into(), text: None };
        let files = [file("docs/a.md"), file("crates/x/src/lib.rs"), file("README.md")];
        let found = |line: &str| check_mentions("docs/a.md", line, &files).len();
        assert_eq!(found("[one](../README.md#top) [two](a.md) [three](https://x.y)"), 0);
        assert_eq!(found("[four](b.md)"), 1);
        assert_eq!(found("`crates/x/src/lib.rs` and `crates/x` and `crates/*/src`"), 0);
        assert_eq!(found("`crates/y` and `games/x.kif`"), 2);
        assert_eq!(found("`games/NAME.kif` and `games/mygame.kif`"), 0);
    }
}
