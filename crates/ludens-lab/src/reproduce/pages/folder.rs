//! A folder of pages: for each experiment the numbers as JSON, the page and its pictures, and an index
//! page.

use std::path::Path;

use anyhow::Context;

use super::markdown::{self, last_part, table};
use super::pictures::pictures;
use crate::reproduce::findings::Findings;

/// The index page.
const INDEX: &str = "README.md";

/// Writes the numbers, the page and the pictures of an experiment.
pub fn write_findings(folder: &Path, findings: &Findings) -> anyhow::Result<()> {
    let path = |ending: &str| folder.join(format!("{}{ending}", findings.name));
    let pictures = pictures(findings);
    // One picture needs no number.
    let ending =
        |at: usize| if pictures.len() == 1 { ".svg".into() } else { format!("-{}.svg", at + 1) };
    let mut names = Vec::new();
    for (at, svg) in pictures.iter().enumerate() {
        write(&path(&ending(at)), svg)?;
        names.push(format!("{}{}", last_part(&findings.name), ending(at)));
    }
    write(&path(".md"), &markdown::page(findings, &names))?;
    write(&path(".json"), &findings.json()?)
}

/// Writes the index of all experiments of a folder.
pub fn write_index(folder: &Path, all: &[Findings]) -> anyhow::Result<()> {
    let mut page = "# Published experiments, played again\n\n\
                    *Made by `ludens reproduce --render`.*\n\n"
        .to_owned();
    let row = |findings: &Findings| {
        let ((played, games), (agree, compared)) = (findings.played(), findings.agreement());
        vec![
            format!("[{0}]({0}.md)", findings.name),
            findings.about.title.clone(),
            findings.about.paper.clone(),
            format!("{played} of {}", findings.cells.len()),
            games.to_string(),
            format!("{agree} of {compared}"),
        ]
    };
    let head = ["experiment", "title", "paper", "cells played", "games", "agree"];
    table(&mut page, &head, all.iter().map(row));
    page.truncate(page.trim_end().len());
    page.push('\n');
    write(&folder.join(INDEX), &page)
}

/// All findings of a folder, sorted by name.
pub fn read_all(folder: &Path) -> anyhow::Result<Vec<Findings>> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort_by(|a: &Findings, b| a.name.cmp(&b.name));
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<Findings>) -> anyhow::Result<()> {
    let within = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(within)? {
        let path = entry.with_context(within)?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(Findings::read(&path)?);
        }
    }
    Ok(())
}

/// Writes a file and creates its folders.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let within = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(within)?;
    }
    std::fs::write(path, text).with_context(within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::findings::tests::made_up;

    #[test]
    fn pages_are_regenerated_from_the_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let table = made_up("ppafm/table2", &[95, 80]);
        write_findings(folder.path(), &made_up("ppr/figure5", &[60; 8])).unwrap();
        write_findings(folder.path(), &table).unwrap();
        let page = text("ppafm/table2.md");
        std::fs::remove_file(folder.path().join("ppafm/table2.md")).unwrap();
        let all = read_all(folder.path()).unwrap();
        assert_eq!(
            all.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(),
            ["ppafm/table2", "ppr/figure5"]
        );
        assert_eq!(all[0], table);
        all.iter().try_for_each(|findings| write_findings(folder.path(), findings)).unwrap();
        write_index(folder.path(), &all).unwrap();
        assert_eq!(text("ppafm/table2.md"), page);
        assert!(page.contains("](table2.svg)") && text("ppafm/table2.svg").starts_with("<svg"));
        assert!(text("ppr/figure5.md").contains("](figure5-2.svg)"));
        let index = text("README.md");
        let row = "| [ppafm/table2](ppafm/table2.md) | PPAFM with a uniform initial policy against UCT \
                   | Cazenave and Diemert 2017, table 2 | 2 of 8 | 200 | 1 of 2 |";
        assert!(index.contains(row), "{index}");
    }
}
