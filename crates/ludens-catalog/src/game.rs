//! From what the user wrote to a game that can be played.

use ludens_core::Budget;
use ludens_gdl::{Diagnostic, Rules};

use crate::error::CatalogError;
use crate::loader::{LoadReport, Loader};
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
    /// How loading went.
    pub report: LoadReport,
}

/// Loads the game that `spec` means: a name of the library with or without parameters, a file,
/// or `-` for the standard input.
pub fn load_game(
    spec: &str,
    reasoner: ReasonerKind,
    budget: &Budget,
) -> Result<LoadedGame, CatalogError> {
    Loader::new(reasoner, budget.clone()).load_game(spec)
}

/// Loads a game from its text.
pub fn load_text(
    source: LoadedSource,
    reasoner: ReasonerKind,
    budget: &Budget,
) -> Result<LoadedGame, CatalogError> {
    Loader::new(reasoner, budget.clone()).load_text(source)
}

impl Loader {
    /// Loads the game that `spec` means, as [`load_game`] does.
    pub fn load_game(&self, spec: &str) -> Result<LoadedGame, CatalogError> {
        self.load_text(load_source(spec)?)
    }

    /// Loads a game from its text.
    pub fn load_text(&self, source: LoadedSource) -> Result<LoadedGame, CatalogError> {
        let (rules, problems) = read_rules(&source)?;
        let (game, report) = self.load(&rules, Some(&source.source.text)).map_err(|trouble| {
            CatalogError::Reasoner { game: source.name.clone(), reasoner: self.reasoner, trouble }
        })?;
        Ok(LoadedGame { source, rules, problems, game, report })
    }
}

/// Reads the rules of a text, and what is odd about them.
pub fn read_rules(source: &LoadedSource) -> Result<(Rules, Vec<Diagnostic>), CatalogError> {
    let (rules, more) = ludens_gdl::load(&source.source.text);
    let mut problems = source.problems.clone();
    problems.extend(more);
    match rules.filter(|_| source.problems.is_empty()) {
        Some(rules) => Ok((rules, problems)),
        None => Err(CatalogError::Rules { source: Box::new(source.source.clone()), problems }),
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Trouble;
    use ludens_testkit::library::on_all_cores;

    use super::*;
    use crate::library::{Entry, library};
    use crate::loader::GroundLimits;

    fn refused(text: &[u8]) -> CatalogError {
        let source = LoadedSource::from_bytes("t.kif", text);
        let loaded = load_text(source, ReasonerKind::Auto, &Budget::unlimited());
        loaded.err().expect("the rules cannot be played")
    }

    #[test]
    fn every_game_of_the_library_loads_with_the_roles_it_promises() {
        for entry in library() {
            let loaded = load_game(entry.name, ReasonerKind::Logic, &Budget::unlimited());
            let loaded = loaded.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert_eq!(loaded.game.roles(), entry.header.roles, "{}", entry.name);
            let initial = loaded.game.reasoner().initial().unwrap();
            assert!(loaded.game.reasoner().answer(&initial).is_ok(), "{}", entry.name);
        }
    }

    #[test]
    fn every_game_of_the_library_grounds() {
        let ground = |entry: &Entry| {
            let loaded = load_game(entry.name, ReasonerKind::Scalar, &Budget::unlimited());
            loaded.map(|loaded| loaded.report.ground.is_some()).map_err(|error| error.to_string())
        };
        let results = on_all_cores(library(), ground);
        for (entry, result) in library().iter().zip(results) {
            assert_eq!(result, Ok(true), "{}", entry.name);
        }
    }

    #[test]
    fn the_ends_of_every_parameter_load() {
        for entry in library() {
            for parameter in &entry.header.parameters {
                for value in [parameter.min, parameter.max] {
                    let spec = format!("{}({}={value})", entry.name, parameter.name);
                    load_game(&spec, ReasonerKind::Logic, &Budget::unlimited())
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

    /// Loads with next to no memory for grounding.
    fn load_poorly(reasoner: ReasonerKind) -> Result<LoadedGame, CatalogError> {
        let mut loader = Loader::new(reasoner, Budget::unlimited());
        loader.ground = GroundLimits { bytes: 1, ..GroundLimits::default() };
        loader.load_game("checkers")
    }

    #[test]
    fn auto_takes_the_fastest_that_works() {
        let easy = load_game("tictactoe", ReasonerKind::Auto, &Budget::unlimited()).unwrap();
        assert_eq!(easy.game.kind(), ReasonerKind::ALL[1]);
        assert_eq!(easy.report.fallback, None);
        let poor = load_poorly(ReasonerKind::Auto).unwrap();
        assert_eq!(poor.game.kind(), ReasonerKind::Logic);
        assert!(matches!(poor.report.fallback, Some(Trouble::Exhausted(_))));
        let error = load_poorly(ReasonerKind::Scalar).err().expect("there is too little memory");
        assert!(error.hint().unwrap().contains("--reasoner logic"), "{error}");
        let logic = load_poorly(ReasonerKind::Logic).unwrap();
        assert_eq!((logic.report.ground, logic.report.fallback), (None, None));
    }
}
