//! Which cells of an experiment are meant.

use ludens_catalog::nearest;

use super::experiment::{Cell, Experiment};
use crate::hinted::Hinted;

/// The cells that names mean, in the order of the experiment; all if there are no names.
///
/// A name means the cell that is called so, or all that begin with it and `_`: `size6_1000` means
/// `size6_1000_rave`, but not `size6_10000_rave`.
pub fn select<'e>(experiment: &'e Experiment, names: &[String]) -> Result<Vec<&'e Cell>, Hinted> {
    if names.is_empty() {
        return Ok(experiment.cells.iter().collect());
    }
    if let Some(name) = names.iter().find(|name| !experiment.cells.iter().any(|c| means(name, c))) {
        return Err(unknown(experiment, name));
    }
    let meant = |cell: &&Cell| names.iter().any(|name| means(name, cell));
    Ok(experiment.cells.iter().filter(meant).collect())
}

fn means(name: &str, cell: &Cell) -> bool {
    let rest = cell.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn unknown(experiment: &Experiment, name: &str) -> Hinted {
    let known = beginnings(experiment);
    let hint = if let Some(meant) = nearest(name, known.iter().map(String::as_str)) {
        format!("did you mean `{meant}`?")
    } else {
        let names: Vec<_> = experiment.cells.iter().map(|cell| cell.name.as_str()).collect();
        format!("its cells are {}", names.join(", "))
    };
    Hinted::new(format!("`{}` has no cell `{name}`", experiment.name), hint)
}

/// Everything that means at least one cell.
fn beginnings(experiment: &Experiment) -> Vec<String> {
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
        let cells = select(&experiment, &names).map_err(|slip| format!("{slip:?}"))?;
        Ok(cells.iter().map(|cell| cell.name.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn names_and_beginnings_mean_cells() {
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
    fn slips_are_answered_with_what_is_nearest() {
        let slip = selected("ppafm/table2", &["breaktrough"]).unwrap_err();
        assert!(slip.contains("`ppafm/table2` has no cell `breaktrough`"), "{slip}");
        assert!(slip.contains("did you mean `breakthrough`?"), "{slip}");
        let size = selected("ppr/table1", &["size10_100"]).unwrap_err();
        assert!(size.contains("did you mean `size10_1000`?"), "{size}");
        let chess = selected("ppafm/table2", &["chess"]).unwrap_err();
        assert!(chess.contains("its cells are atarigo, breakthrough,"), "{chess}");
    }
}
