//! From what the user wrote to a game that can be played.

use ludens_core::Budget;
use ludens_gdl::{Diagnostic, Rules};

use crate::error::CatalogError;
use crate::reasoner::{AnyGame, ReasonerKind};
use crate::source::{LoadedSource, load_source};

/// A game that can be played, with what it was made from.
pub struct LoadedGame {
    /// The text.
    pub source: LoadedSource,
    /// The rules.
    pub rules: Rules,
    /// What is odd about them.
    pub problems: Vec<Diagnostic>,
    /// The game.
    pub game: AnyGame,
}

/// Loads the game that `spec` means: a name of the library with or without parameters, a file,
/// or `-` for the standard input.
pub fn load_game(
    spec: &str,
    reasoner: ReasonerKind,
    budget: &Budget,
) -> Result<LoadedGame, CatalogError> {
    load_text(load_source(spec)?, reasoner, budget)
}

/// Loads a game from its text.
pub fn load_text(
    source: LoadedSource,
    reasoner: ReasonerKind,
    budget: &Budget,
) -> Result<LoadedGame, CatalogError> {
    let (rules, more) = ludens_gdl::load(&source.source.text);
    let mut problems = source.problems.clone();
    problems.extend(more);
    let Some(rules) = rules.filter(|_| source.problems.is_empty()) else {
        return Err(CatalogError::Rules { source: Box::new(source.source), problems });
    };
    let game = reasoner.load(&rules, budget).map_err(|trouble| CatalogError::Reasoner {
        game: source.name.clone(),
        reasoner: reasoner.name(),
        trouble,
    })?;
    Ok(LoadedGame { source, rules, problems, game })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::library;

    fn refused(text: &[u8]) -> CatalogError {
        let source = LoadedSource::from_bytes("t.kif", text);
        let loaded = load_text(source, ReasonerKind::Auto, &Budget::unlimited());
        loaded.err().expect("the rules cannot be played")
    }

    #[test]
    fn every_game_of_the_library_loads_with_the_roles_it_promises() {
        for entry in library() {
            let loaded = load_game(entry.name, ReasonerKind::Auto, &Budget::unlimited());
            let loaded = loaded.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert_eq!(loaded.game.roles(), entry.header.roles, "{}", entry.name);
            let initial = loaded.game.reasoner().initial().unwrap();
            assert!(loaded.game.reasoner().answer(&initial).is_ok(), "{}", entry.name);
        }
    }

    #[test]
    fn the_ends_of_every_parameter_load() {
        for entry in library() {
            for parameter in &entry.header.parameters {
                for value in [parameter.min, parameter.max] {
                    let spec = format!("{}({}={value})", entry.name, parameter.name);
                    load_game(&spec, ReasonerKind::Auto, &Budget::unlimited())
                        .unwrap_or_else(|error| panic!("{spec}: {error}"));
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        assert!(matches!(refused(b"(role you"), CatalogError::Rules { .. }));
        assert!(matches!(refused(b"(role you) \xff"), CatalogError::Rules { .. }));
        let text = refused(b"(role you").to_string();
        assert_eq!(text, "t.kif cannot be played: 1 error in the rules");
    }
}
