//! Sessions through their public interface.

use std::time::Duration;

use ludens_arena::clock::Allowance;
use ludens_catalog::{Cache, LoadedSource, ReasonerKind, load_agent};
use ludens_core::Panicked;

use super::*;
use crate::load::LoadSettings;

fn session(spec: &str) -> Session {
    let game = PreparedGame::load(spec, &LoadSettings::default(), &Cache::off(), &mut |_| {});
    Session::new(game.unwrap()).unwrap()
}

fn unwatched(_: &Analysis) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn input(error: SessionError) -> InputError {
    match error {
        SessionError::Input(error) => error,
        SessionError::Panicked(panicked) => panic!("{panicked}"),
    }
}

#[test]
fn undo_restores_the_position_before() {
    let mut session = session("tictactoe");
    let (facts, legal) = (session.facts().unwrap(), session.legal(0));
    assert_eq!(
        (session.roles(), session.turn()),
        (&["xplayer", "oplayer"].map(String::from)[..], 0)
    );
    assert_eq!((session.title(), session.header().tags.is_empty()), ("Tic-tac-toe", false));
    session.play(&["MARK 1 2", "noop"]).unwrap();
    session.play_turn(&Turn::Mover("( mark 2 2 )".into())).unwrap();
    assert_eq!(session.moves(), [["(mark 1 2)", "noop"], ["noop", "(mark 2 2)"]]);
    let before = session.facts_before().unwrap().unwrap();
    assert!(before.contains(&"(cell 1 2 x)".into()) && !before.contains(&"(cell 2 2 o)".into()));
    assert!(session.undo() && session.undo() && !session.undo());
    assert_eq!((session.facts().unwrap(), session.legal(0)), (facts, legal));
    assert_eq!(session.facts_before().unwrap(), None);
}

#[test]
fn numbers_in_moves_are_in_numeric_order() {
    let names = session("connectfour(columns=12)").legal(0);
    assert_eq!((names.len(), &names[1][..], &names[11][..]), (12, "(drop 2)", "(drop 12)"));
}

#[test]
fn a_match_ends_with_goals() {
    let mut session = session("tictactoe");
    for turn in ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"] {
        assert_eq!((session.goals(), session.stuck_role()), (None, None));
        session.play_turn(&Turn::Mover(turn.into())).unwrap();
    }
    assert_eq!((session.is_terminal(), session.goals()), (true, Some(vec![100, 0])));
    let error = input(session.play(&["noop", "(mark 3 3)"]).unwrap_err());
    assert_eq!(error.error, "the game is over");
    let settings = ThinkSettings::new(Allowance::of_iterations(10));
    let analysis = session.analyse((&load_agent("uct").unwrap(), 1), &settings, &mut unwatched);
    assert_eq!(analysis.unwrap().proven, Some(vec![100.0, 0.0]));
}

#[test]
fn invalid_moves_and_facts_are_errors_that_change_nothing() {
    let mut session = session("tictactoe");
    for (joint, error, hint) in [
        (&["mark 1 1"][..], "turn 0 has 1 moves, but there are 2 roles: xplayer, oplayer", ""),
        (&["mark 1 4", "noop"], "`mark 1 4` is not legal for `xplayer` in turn 0", "(mark 1 1)"),
        (&["mark 1 1", "pass"], "`pass` is not legal for `oplayer` in turn 0", "legal moves: noop"),
    ] {
        let found = input(session.play(joint).unwrap_err());
        assert_eq!((found.error.as_str(), found.field.as_deref()), (error, Some(MOVES)));
        assert!(found.hint.unwrap_or_default().contains(hint));
    }
    assert_eq!(session.turn(), 0);
    let game = Arc::clone(session.game());
    let facts = ["(cell 1 1 y)", "(control xplayer)"].map(String::from);
    let error = input(Session::from_facts(Arc::clone(&game), &facts).err().unwrap());
    assert_eq!(error.field.as_deref(), Some(INITIAL));
    let facts = session.facts().unwrap();
    assert_eq!(Session::from_facts(game, &facts).unwrap().legal(0), session.legal(0));
}

#[test]
fn the_board_is_data() {
    let mut session = session("tictactoe");
    session.play(&["(mark 2 3)", "noop"]).unwrap();
    let grid = session.board().unwrap().expect("it has a board");
    assert_eq!((grid.columns, grid.rows), (3, 3));
    let cells = session.game().board().cells_of_move("(mark 2 3)");
    let [(column, row)] = cells[..] else { panic!("one cell: {cells:?}") };
    assert_eq!(grid.cell(column, row).unwrap().contents, ["x"]);
    assert_eq!(grid.cells.iter().filter(|cell| !cell.contents.is_empty()).count(), 1);
    assert!(session.draw(Style::Plain).unwrap().contains('x'));
}

#[test]
fn watching_changes_nothing_and_can_end_a_search() {
    let agent = load_agent("uct").unwrap();
    let think = |every: Option<Duration>, watch: &mut Watch<'_>, iterations: u64| {
        let mut session = session("tictactoe");
        let id = session.add_agent(&agent, 7).unwrap();
        let allowance = Allowance::of_iterations(iterations);
        let settings = ThinkSettings { every, ..ThinkSettings::new(allowance) };
        session.think(id, &settings, watch).unwrap()
    };
    let (alone, mut seen) = (think(None, &mut unwatched, 300), Vec::new());
    let watched = think(
        Some(Duration::ZERO),
        &mut |so_far| {
            seen.push(so_far.iterations);
            ControlFlow::Continue(())
        },
        300,
    );
    assert_eq!((alone.iterations, watched.iterations), (300, 300));
    let visits = |analysis: &Analysis| -> Vec<(String, u64)> {
        analysis.roles[0].moves.iter().map(|mv| (mv.name.clone(), mv.visits)).collect()
    };
    assert_eq!(visits(&alone), visits(&watched));
    assert!(!seen.is_empty() && seen.is_sorted(), "{seen:?}");
    let ended = think(Some(Duration::ZERO), &mut |_| ControlFlow::Break(()), 1_000_000);
    assert!(ended.iterations < 1_000_000, "{}", ended.iterations);
}

#[test]
fn a_raised_flag_ends_a_search() {
    let mut session = session("tictactoe");
    let id = session.add_agent(&load_agent("uct").unwrap(), 1).unwrap();
    let settings = ThinkSettings::new(Allowance::of_iterations(1_000_000));
    settings.stop.raise();
    let analysis = session.think(id, &settings, &mut unwatched).unwrap();
    assert!(analysis.iterations < 1_000_000 && analysis.roles[0].best().is_some());
}

#[test]
fn a_reasoner_that_gives_up_leaves_the_session_unchanged() {
    let rules =
        "(role x) (init calm) (<= (legal x boom) (true calm)) (<= (legal x wait) (true calm))
        (<= (next (n z)) (does x boom)) (<= (next calm) (does x wait)) (goal x 0)
        (<= (legal x ?t) (n ?t)) (<= (n ?t) (true (n ?t))) (<= (n (f ?s ?t)) (n ?s) (n ?t))
        (<= terminal (true never))";
    let source = LoadedSource::from_bytes("endless", rules.as_bytes());
    let settings = LoadSettings::from(ReasonerKind::Logic);
    let loaded = settings.load_source(source, &Cache::off(), &mut |_| {}).unwrap();
    let game = PreparedGame::new(loaded, Duration::from_millis(50));
    let mut session = Session::new(game).unwrap();
    let gave_up =
        |error: SessionError| matches!(error, SessionError::Panicked(Panicked::GaveUp(_)));
    assert!(gave_up(session.play(&["boom"]).unwrap_err()));
    assert_eq!((session.turn(), session.legal(0)), (0, vec!["boom".into(), "wait".into()]));
    let id = session.add_agent(&load_agent("uct").unwrap(), 1).unwrap();
    let think = ThinkSettings::new(Allowance::of_iterations(100));
    for _ in 0..2 {
        assert!(gave_up(session.think(id, &think, &mut unwatched).unwrap_err()));
    }
    session.play(&["wait"]).unwrap();
    assert_eq!((session.turn(), session.facts().unwrap()), (1, vec!["calm".to_owned()]));
}
