//! The page of an experiment as Markdown. It has no date, so that the same findings give the same
//! page.

use std::fmt::Write;

use super::texts::{HEAD, commands, commits, common, differing, explanation, row};
use crate::reproduce::findings::Findings;

/// The page; `pictures` are the names of files beside it.
pub fn page(findings: &Findings, pictures: &[String]) -> String {
    let mut page = format!("# {}\n\n", findings.about.title);
    let name = &findings.name;
    // Writing to a string cannot fail.
    let _ = writeln!(
        page,
        "*{}. Made by `ludens reproduce {name}` from the numbers in `{}.json`.*\n",
        findings.about.paper,
        last_part(name)
    );
    table(&mut page, &HEAD, findings.cells.iter().map(|finding| row(finding).to_vec()));
    let _ = writeln!(page, "{}\n", explanation(findings).join(" "));
    for picture in pictures {
        let _ = writeln!(page, "![{}]({picture})\n", findings.about.title);
    }
    matches(&mut page, findings);
    reproduction(&mut page, findings);
    if let Some(notes) = &findings.about.notes {
        let _ = writeln!(page, "## Notes\n\n{}\n", notes.trim());
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// The agents and games of the matches.
fn matches(page: &mut String, findings: &Findings) {
    page.push_str("## Matches\n\n");
    for (name, value) in common(findings) {
        let _ = writeln!(page, "- {name}: `{value}`");
    }
    page.push('\n');
    let (names, rows) = differing(findings);
    if !names.is_empty() {
        let head: Vec<_> = std::iter::once("cell").chain(names).collect();
        let code =
            |(at, value): (usize, String)| if at == 0 { value } else { format!("`{value}`") };
        let rows = rows.into_iter().map(|row| row.into_iter().enumerate().map(code).collect());
        table(page, &head, rows);
    }
}

/// How to reproduce the results.
fn reproduction(page: &mut String, findings: &Findings) {
    let commands = commands(findings);
    if commands.is_empty() {
        return;
    }
    let _ = writeln!(page, "## Play it again\n\n```sh\n{}\n```\n", commands.join("\n"));
    let commits = commits(findings);
    if !commits.is_empty() {
        let _ = writeln!(page, "Played with the version {}.\n", commits.join(", "));
    }
}

/// A table.
pub fn table(page: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    page.push_str(&line(&head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>()));
    page.extend(["|", &"---|".repeat(head.len()), "\n"]);
    for row in rows {
        let cells: Vec<_> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        page.push_str(&line(&cells));
    }
    page.push('\n');
}

/// The name without its folder.
pub fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::findings::tests::made_up;

    #[test]
    fn a_page_looks_like_this() {
        let mut findings = made_up("ppafm/table4", &[95, 80, 95]);
        findings.cells.truncate(4);
        findings.about.notes = Some("Nobody knows why.\n".to_owned());
        findings.cells[0].ours.as_mut().unwrap().commit = Some("abc".to_owned());
        findings.cells[1].ours.as_mut().unwrap().duplicates = 3;
        insta::assert_snapshot!(page(&findings, &["table4.svg".to_owned()]));
    }
}
