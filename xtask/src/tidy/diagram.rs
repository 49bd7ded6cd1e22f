//! The diagram of crates in ARCHITECTURE.md, generated from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use anyhow::{Context, Result};

use super::Finding;
use super::dependencies::Metadata;
use crate::workspace;

/// The page with the diagram.
pub const PAGE: &str = "ARCHITECTURE.md";

/// The lines around the diagram.
const BEGIN: &str = "<!-- crates: made by `cargo xtask tidy --write` -->";
const END: &str = "<!-- end of crates -->";

/// Direct dependencies by crate.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// Checks that the page has the diagram of the workspace.
pub fn check(page: &str, metadata: &Metadata) -> Option<Finding> {
    let expected = diagram(&metadata.graph());
    let found = diagram_range(page).map(|range| &page[range]);
    let line = page.lines().position(|line| line == BEGIN).map_or(0, |at| at + 1);
    let what = "the diagram of crates is out of date";
    (found != Some(expected.as_str()))
        .then(|| Finding::new(PAGE, line, what, "`cargo xtask tidy --write` rewrites it"))
}

/// Rewrites the diagram in the page.
pub fn write(metadata: &Metadata) -> Result<()> {
    let path = workspace::root().join(PAGE);
    let mut page = std::fs::read_to_string(&path)?;
    let range =
        diagram_range(&page).with_context(|| format!("{PAGE} has no lines `{BEGIN}` … `{END}`"))?;
    page.replace_range(range, &diagram(&metadata.graph()));
    Ok(std::fs::write(path, page)?)
}

/// The range of the diagram in the page.
fn diagram_range(page: &str) -> Option<Range<usize>> {
    let start = page.find(BEGIN)? + BEGIN.len() + 1;
    Some(start..start + page.get(start..)?.find(END)?)
}

/// A line for each crate, those of the highest level first. Transitive dependencies are omitted.
fn diagram(graph: &Graph) -> String {
    let levels: BTreeMap<&str, usize> =
        graph.keys().map(|krate| (krate.as_str(), level(graph, krate))).collect();
    let mut crates: Vec<&str> = levels.keys().copied().collect();
    crates.sort_by_key(|krate| (std::cmp::Reverse(levels[krate]), *krate));
    let width = crates.iter().map(|krate| krate.len()).max().unwrap_or(0);
    let mut out = "```\n".to_owned();
    let mut above = None;
    for krate in crates {
        let level = levels[krate];
        let shown = if above == Some(level) { String::new() } else { format!("level {level}") };
        above = Some(level);
        let used: Vec<&str> = reduced(graph, krate).iter().map(|used| short(used)).collect();
        let arrow =
            if used.is_empty() { String::new() } else { format!("─→ {}", used.join(", ")) };
        let line = format!("{shown:7}  {krate:width$}  {arrow}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push_str("```\n");
    out
}

fn short(krate: &str) -> &str {
    krate.strip_prefix("ludens-").unwrap_or(krate)
}

/// The number of layers of crates below one.
fn level(graph: &Graph, krate: &str) -> usize {
    graph[krate].iter().map(|used| 1 + level(graph, used)).max().unwrap_or(0)
}

/// The direct dependencies that no other direct dependency implies.
fn reduced<'g>(graph: &'g Graph, krate: &str) -> Vec<&'g str> {
    let direct = &graph[krate];
    let implied =
        |used: &&String| direct.iter().any(|other| other != *used && reaches(graph, other, used));
    direct.iter().filter(|used| !implied(used)).map(String::as_str).collect()
}

fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    graph[from].iter().any(|used| used == to || reaches(graph, used, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> Graph {
        let crates = [
            ("ludens", &["ludens-lab", "ludens-core"][..]),
            ("ludens-lab", &["ludens-core", "ludens-gdl"]),
            ("ludens-core", &[]),
            ("ludens-gdl", &[]),
        ];
        let owned = |used: &[&str]| used.iter().map(|used| (*used).to_owned()).collect();
        crates.iter().map(|(krate, used)| ((*krate).to_owned(), owned(used))).collect()
    }

    #[test]
    fn crates_are_ordered_by_level_without_implied_dependencies() {
        let expected = "```\n\
            level 2  ludens       ─→ lab\n\
            level 1  ludens-lab   ─→ core, gdl\n\
            level 0  ludens-core\n         ludens-gdl\n```\n";
        assert_eq!(diagram(&graph()), expected);
    }

    #[test]
    fn an_outdated_diagram_is_found() {
        let metadata = Metadata::of_graph(&graph());
        let page = |diagram: &str| format!("# A\n{BEGIN}\n{diagram}{END}\n");
        assert_eq!(check(&page(&diagram(&graph())), &metadata), None);
        let found = check(&page("```\nludens\n```\n"), &metadata).unwrap();
        assert_eq!((found.line, found.warning), (2, false));
        assert!(found.remedy.contains("cargo xtask tidy --write"));
        assert!(check("# A\n", &metadata).is_some());
    }
}
