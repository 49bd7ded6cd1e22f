//! Selection of the cells of an experiment.

use ludens_catalog::nearest;

use super::experiment::{Cell, Experiment};
use crate::hinted::Hinted;

/// The cells that names select, in the order of the experiment; all if there are no names.
///
/// A name selects the cell of this name, and all cells that begin with it and `_`: `size6_1000`
/// selects `size6_1000_rave`, but not `size6_10000_rave`.
pub fn select<'e>(experiment: &'e Experiment, names: &[String]) -> Result<Vec<&'e Cell>, Hinted> {
    if names.is_empty() {
        return Ok(experiment.cells.iter().collect());
    }
    if let Some(name) = names.iter().find(|name| !experiment.cells.iter().any(|c| selects(name, c)))
    {
        return Err(unknown(experiment, name));
    }
    let selected = |cell: &&Cell| names.iter().any(|name| selects(name, cell));
    Ok(experiment.cells.iter().filter(selected).collect())
}

fn selects(name: &str, cell: &Cell) -> bool {
    let rest = cell.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn unknown(experiment: &Experiment, name: &str) -> Hinted {
    let known = prefixes(experiment);
    let hint = if let Some(nearest) = nearest(name, known.iter().map(String::as_str)) {
        format!("did you mean `{nearest}`?")
    } else {
        let names: Vec<_> = experiment.cells.iter().map(|cell| cell.name.as_str()).collect();
        format!("its cells are {}", names.join(", "))
    };
    Hinted::new(format!("`{}` has no cell `{name}`", experiment.name), hint)
}

/// All names that select at least one cell.
fn prefixes(experiment: &Experiment) -> Vec<String> {
    let of_cell = |cell: &Cell| {
        let ends = cell.name.match_indices('_').map(|(at, _)| at).chain([cell.name.len()]);
        ends.map(|end| cell.name[..end].to_owned()).collect::<Vec<_>>()
    };
    experiment.cells.iter().flat_map(of_cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::collection;

    fn selected(experiment: &str, names: &[&str]) -> Result<String, String> {
        let experiment = collection::embedded(experiment).expect("it comes with the program");
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let cells = select(&experiment, &names).map_err(|error| format!("{error:?}"))?;
        Ok(cells.iter().map(|cell| cell.name.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn names_and_prefixes_select_cells() {
        let table1 = |names: &[&str]| selected("ppr/table1", names).unwrap();
        let rows = "size6_1000_rave size6_1000_poolrave size6_1000_lgrf1 size6_1000_mast \
                    size6_1000_nast2";
        assert_eq!(table1(&["size6_1000"]), rows);
        assert_eq!(table1(&["size6_1000_mast", "size6_1000"]), rows);
        assert_eq!(table1(&[]).split(' ').count(), 30);
        let table2 = selected("ppafm/table2", &["misere_knightthrough", "breakthrough"]);
        assert_eq!(table2.unwrap(), "breakthrough misere_knightthrough");
    }

    #[test]
    fn unknown_names_are_answered_with_the_nearest() {
        let error = selected("ppafm/table2", &["breaktrough"]).unwrap_err();
        assert!(error.contains("`ppafm/table2` has no cell `breaktrough`"), "{error}");
        assert!(error.contains("did you mean `breakthrough`?"), "{error}");
        let size = selected("ppr/table1", &["size10_100"]).unwrap_err();
        assert!(size.contains("did you mean `size10_1000`?"), "{size}");
        let chess = selected("ppafm/table2", &["chess"]).unwrap_err();
        assert!(chess.contains("its cells are atarigo, breakthrough,"), "{chess}");
    }
}
