//! Loading games: from a spec to a game that can be played.

use std::time::Instant;

use ludens_core::{Budget, Trouble};
use ludens_gdl::{Diagnostic, Rules};

use crate::error::CatalogError;
use crate::loader::{LoadReport, Loader};
use crate::native::AnyNative;
use crate::reasoner::{AnyGame, ReasonerKind};
use crate::source::{LoadedSource, load_source};

/// A game that can be played, with its source.
pub struct LoadedGame {
    /// The text.
    pub source: LoadedSource,
    /// The rules.
    pub rules: Rules,
    /// Problems of the rules.
    pub problems: Vec<Diagnostic>,
    /// The game.
    pub game: AnyGame,
    /// How it was loaded.
    pub report: LoadReport,
}

/// Loads the game of a spec: a name of the library with or without parameters, a file, or `-` for
/// the standard input.
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
    /// Loads the game of a spec, as [`load_game`] does.
    pub fn load_game(&self, spec: &str) -> Result<LoadedGame, CatalogError> {
        self.load_text(load_source(spec)?)
    }

    /// Loads a game from its text.
    pub fn load_text(&self, source: LoadedSource) -> Result<LoadedGame, CatalogError> {
        let (rules, problems) = read_rules(&source)?;
        let loaded = match self.reasoner {
            ReasonerKind::Native => native(&source),
            _ => self.load(&rules, Some(&source.source.text)),
        };
        let (game, report) = loaded.map_err(|trouble| CatalogError::Reasoner {
            game: source.name.clone(),
            reasoner: self.reasoner,
            trouble,
        })?;
        Ok(LoadedGame { source, rules, problems, game, report })
    }
}

/// The native twin of a game; the rules are only used for other purposes, such as the board.
fn native(source: &LoadedSource) -> Result<(AnyGame, LoadReport), Trouble> {
    let begun = Instant::now();
    let none = || Trouble::Rules("it has no native implementation".into());
    let game = source.native.and_then(AnyNative::new).ok_or_else(none)?;
    Ok((AnyGame::Native(game), LoadReport { compile: begun.elapsed(), ..LoadReport::default() }))
}

/// Loads the rules of a text, with their problems.
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
    use ludens_testkit::library::on_all_cores;
    use ludens_testkit::lockstep::{Options, lockstep};

    use super::*;
    use crate::library::{Entry, library};
    use crate::loader::GroundLimits;

    fn refused(text: &[u8]) -> CatalogError {
        let source = LoadedSource::from_bytes("t.kif", text);
        let loaded = load_text(source, ReasonerKind::Auto, &Budget::unlimited());
        loaded.err().expect("the rules cannot be played")
    }

    #[test]
    fn every_game_of_the_library_loads_with_the_roles_of_its_header() {
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
    fn a_small_loading_budget_does_not_change_the_game() {
        let options = Options { games: 1, max_plies: 40, ..Options::default() };
        let differ = |entry: &Entry| {
            let small = Budget::unlimited().with_iterations(100);
            let load = |budget| load_game(entry.name, ReasonerKind::Logic, budget).unwrap().game;
            let (small, unlimited) = (load(&small), load(&Budget::unlimited()));
            lockstep(&*small.reasoner(), &*unlimited.reasoner(), &options).err()
        };
        for (entry, result) in library().iter().zip(on_all_cores(library(), differ)) {
            assert!(result.is_none(), "{}: {result:?}", entry.name);
        }
    }

    #[test]
    fn the_bounds_of_every_parameter_load() {
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
    fn invalid_rules_are_refused() {
        assert!(matches!(refused(b"(role you"), CatalogError::Rules { .. }));
        assert!(matches!(refused(b"(role you) \xff"), CatalogError::Rules { .. }));
        let text = refused(b"(role you").to_string();
        assert_eq!(text, "t.kif cannot be played: 1 error in the rules");
    }

    #[test]
    fn native_twins_play_as_their_rules_do() {
        for game in ludens_games::GAMES {
            let spec = format!("{}({}={})", game.name, game.size.name, game.size.range.start());
            let load = |kind| load_game(&spec, kind, &Budget::unlimited()).unwrap().game;
            let (rules, native) = (load(ReasonerKind::Auto), load(ReasonerKind::Native));
            assert_eq!(native.kind(), ReasonerKind::Native);
            assert_ne!(rules.kind(), ReasonerKind::Native, "native games are used only on request");
            let options = Options { games: 5, ..Options::default() };
            let result = lockstep(&*rules.reasoner(), &*native.reasoner(), &options);
            assert!(result.is_ok_and(|counts| counts.finished == 5), "{spec}");
        }
    }

    #[test]
    fn games_without_native_twins_are_refused() {
        let native = |spec| load_game(spec, ReasonerKind::Native, &Budget::unlimited()).err();
        for spec in ["hex", "breakthrough(size=12)", "../../games/breakthrough.kif"] {
            let error = native(spec).expect("it has no twin");
            assert!(error.to_string().ends_with("it has no native implementation"), "{error}");
            assert!(error.hint().unwrap().contains("breakthrough(size=4..8)"));
        }
        assert!(native("breakthrough(size=6)").is_none());
    }

    #[test]
    fn native_twins_refuse_moves_that_are_not_legal() {
        let loaded = load_game("breakthrough", ReasonerKind::Native, &Budget::unlimited());
        let reasoner = loaded.unwrap().game.reasoner();
        let initial = reasoner.initial().unwrap();
        for text in ["noop", "(move 5 5 5 6)", "(move 1 8 1 9)", "jump"] {
            let moves = [text.to_owned(), "noop".to_owned()];
            assert_eq!(reasoner.next(&initial, &moves).unwrap_err().code(), "move", "{text}");
        }
    }

    /// Loads with almost no memory for grounding.
    fn load_without_memory(reasoner: ReasonerKind) -> Result<LoadedGame, CatalogError> {
        let mut loader = Loader::new(reasoner, Budget::unlimited());
        loader.ground = GroundLimits { bytes: 1, ..GroundLimits::default() };
        loader.load_game("checkers")
    }

    #[test]
    fn auto_chooses_the_fastest_reasoner_that_works() {
        let easy = load_game("tictactoe", ReasonerKind::Auto, &Budget::unlimited()).unwrap();
        assert_eq!(easy.game.kind(), ReasonerKind::ALL[1]);
        assert_eq!(easy.report.fallback, None);
        let poor = load_without_memory(ReasonerKind::Auto).unwrap();
        assert_eq!(poor.game.kind(), ReasonerKind::Logic);
        assert!(matches!(poor.report.fallback, Some(Trouble::Exhausted(_))));
        let error =
            load_without_memory(ReasonerKind::Scalar).err().expect("there is too little memory");
        assert!(error.hint().unwrap().contains("--reasoner logic"), "{error}");
        let logic = load_without_memory(ReasonerKind::Logic).unwrap();
        assert_eq!((logic.report.ground, logic.report.fallback), (None, None));
    }
}
