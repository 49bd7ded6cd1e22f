//! Finds experiments: in `experiments/` of the current folder, embedded in the program, or in any file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use include_dir::{Dir, include_dir};
use ludens_catalog::nearest;

use super::experiment::Experiment;
use crate::hinted::Hinted;

/// The experiments embedded in the program.
static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// The folder that takes precedence.
const FOLDER: &str = "experiments";

/// The text of an experiment, with the path that messages name.
struct Entry {
    path: String,
    text: String,
}

/// The experiment of a name such as `ppafm/table2`, or of a path to a file.
pub fn find(name: &str) -> anyhow::Result<Experiment> {
    if Path::new(name).extension().is_some_and(|extension| extension == "toml") {
        let text = std::fs::read_to_string(name).with_context(|| format!("cannot read {name}"))?;
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        return Experiment::parse(stem, &text, name);
    }
    let entries = entries()?;
    let Some(Entry { path, text }) = entries.get(name) else {
        let hint = match nearest(name, entries.keys().map(String::as_str)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "`ludens reproduce` lists all; a path to a file ends in `.toml`".to_owned(),
        };
        return Err(Hinted::new(format!("no experiment is called `{name}`"), hint).into());
    };
    Experiment::parse(name, text, path)
}

/// All experiments, sorted by name.
pub fn all() -> anyhow::Result<Vec<Experiment>> {
    let entries = entries()?;
    entries.iter().map(|(name, entry)| Experiment::parse(name, &entry.text, &entry.path)).collect()
}

/// The texts by name; those of the folder replace embedded ones.
fn entries() -> anyhow::Result<BTreeMap<String, Entry>> {
    let mut entries = BTreeMap::new();
    collect_embedded(&EMBEDDED, &mut entries);
    if Path::new(FOLDER).is_dir() {
        collect_folder(Path::new(FOLDER), "", &mut entries)?;
    }
    Ok(entries)
}

fn collect_embedded(folder: &Dir<'_>, entries: &mut BTreeMap<String, Entry>) {
    for file in folder.files() {
        let text = file.contents_utf8().filter(|text| is_experiment(text));
        if let (Some(name), Some(text)) = (name_of(file.path()), text) {
            let path = format!("{FOLDER}/{name}.toml (embedded)");
            entries.insert(name, Entry { path, text: text.to_owned() });
        }
    }
    folder.dirs().for_each(|below| collect_embedded(below, entries));
}

fn collect_folder(
    folder: &Path,
    prefix: &str,
    entries: &mut BTreeMap<String, Entry>,
) -> anyhow::Result<()> {
    let within = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(within)? {
        let path = entry.with_context(within)?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        let name = format!("{prefix}{stem}");
        if path.is_dir() {
            collect_folder(&path, &format!("{name}/"), entries)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            let shown = path.display().to_string();
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
            if is_experiment(&text) {
                entries.insert(name, Entry { path: shown, text });
            }
        }
    }
    Ok(())
}

/// Other files of the folder, such as tournaments, name no paper.
fn is_experiment(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("paper"))
}

fn name_of(path: &Path) -> Option<String> {
    let name = path.to_str()?.strip_suffix(".toml")?;
    Some(name.replace('\\', "/"))
}

/// An embedded experiment.
#[cfg(test)]
pub fn embedded(name: &str) -> Option<Experiment> {
    let text = EMBEDDED.get_file(format!("{name}.toml"))?.contents_utf8()?;
    Some(Experiment::parse(name, text, name).expect("embedded experiments can be read"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::experiment::Cell;
    use crate::reproduce::play::check;

    #[test]
    fn all_embedded_experiments_can_be_played() {
        let experiments = all().unwrap();
        let names: Vec<_> = experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        let expected = [
            "beyond/ablation",
            "beyond/auto",
            "beyond/auto_time",
            "beyond/clocks",
            "beyond/playouts",
            "fast/babel",
            "fast/breakthrough",
            "fast/connectfour",
            "fast/descent",
            "fast/games",
            "fast/time",
            "gaz/figure5",
            "gaz/figure6",
            "gaz/figure7",
            "gaz/figure8",
            "ggpzero/babel",
            "ggpzero/figure2",
            "ggpzero/figure3",
            "ggpzero/figure4a",
            "ggpzero/figure4b",
            "ggpzero/table1",
            "ggpzero/table2",
            "heuristic/table1",
            "heuristic/table2",
            "heuristic/time",
            "ppafm/table1",
            "ppafm/table2",
            "ppafm/table3",
            "ppafm/table4",
            "ppr/figure5",
            "ppr/figure6",
            "ppr/table1",
        ];
        assert_eq!(names, expected);
        for experiment in &experiments {
            let cells: Vec<&Cell> = experiment.cells.iter().collect();
            check(experiment, &cells).unwrap_or_else(|why| panic!("{}: {why:#}", experiment.name));
        }
    }

    #[test]
    fn unknown_experiments_are_errors_with_hints() {
        // Only the debug format has hints.
        let error = |name: &str| format!("{:?}", find(name).unwrap_err().downcast::<Hinted>());
        assert!(error("ppafm/tabel2").contains("did you mean `ppafm/table2`?"));
        assert!(error("sorcery").contains("`ludens reproduce` lists all"));
        assert!(
            find("no/such.toml").unwrap_err().to_string().starts_with("cannot read no/such.toml")
        );
    }
}
