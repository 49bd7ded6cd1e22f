//! What is open, dead and needed in a small puzzle, against all of its states.

use std::collections::HashMap;

use ludens_core::{Budget, Game, Structure, View};

use super::*;
use crate::PropGame;

/// Three countries, each next to the others, are coloured one by one.
fn colouring(colours: &[&str]) -> Arc<PropGame> {
    let colours: Vec<String> = colours.iter().map(|name| format!("(colour {name})")).collect();
    let text = format!(
        "(role you) (country a) (country b) (country c) {}
        (<= (init (blank ?x)) (country ?x))
        (<= (used ?c) (true (is ?x ?c)))
        (<= (legal you (paint ?x ?c)) (true (blank ?x)) (colour ?c) (not (used ?c)))
        (<= (next (is ?x ?c)) (does you (paint ?x ?c)))
        (<= (next (is ?x ?c)) (true (is ?x ?c)))
        (<= (next (blank ?x)) (true (blank ?x)) (does you (paint ?y ?c)) (distinct ?x ?y))
        (<= playable (legal you ?m)) (<= terminal (not playable))
        (<= open (true (blank ?x))) (<= (goal you 100) (not open)) (<= (goal you 0) open)",
        colours.join(" ")
    );
    let rules = ludens_gdl::load(&text).0.unwrap();
    Arc::new(PropGame::scalar(Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap())))
}

fn facts(game: &PropGame, state: &<PropGame as Game>::State) -> Vec<u32> {
    let mut facts = Vec::new();
    game.vocabulary().unwrap().fact_ids(state, &mut facts);
    facts
}

fn structure(game: &PropGame) -> Arc<dyn Structure> {
    game.structure().unwrap()
}

/// Visits all states; returns whether the best goal can be reached from this one.
fn visit(
    game: &PropGame,
    state: &<PropGame as Game>::State,
    known: &mut HashMap<Vec<u32>, bool>,
) -> bool {
    let facts = facts(game, state);
    if let Some(&known) = known.get(&facts) {
        return known;
    }
    let mut view = View::default();
    game.look(state, &mut view);
    let mut can_win = view.terminal && view.payoffs[Role(0)] >= 1.0;
    if !view.terminal {
        for &mv in &view.legal[Role(0)] {
            let mut next = state.clone();
            game.play(&mut next, &[mv]);
            can_win |= visit(game, &next, known);
        }
    }
    known.insert(facts, can_win);
    can_win
}

#[test]
fn states_from_which_the_goal_can_be_reached_are_open_and_dead_ends_are_found() {
    for (colours, wins) in [(&["red", "green", "blue"][..], true), (&["red", "green"], false)] {
        let game = colouring(colours);
        let mut known = HashMap::new();
        assert_eq!(visit(&game, &game.initial(), &mut known), wins);
        let mut outlook = structure(&game).outlook().unwrap();
        let open = known.iter().filter(|(facts, _)| outlook.is_open(facts)).count();
        let winning = known.values().filter(|&&can_win| can_win).count();
        assert!(known.iter().all(|(facts, &can_win)| !can_win || outlook.is_open(facts)));
        // With two colours the third country has none as soon as both are used, and only then is it seen.
        assert!(wins || (winning == 0 && open < known.len()), "{open} of {}", known.len());
    }
}

#[test]
fn the_moves_that_a_need_depends_on_are_needed() {
    let game = colouring(&["red", "green", "blue"]);
    let mut outlook = structure(&game).outlook().unwrap();
    let mut needed = Vec::new();
    let names = |moves: &[Move]| -> Vec<String> {
        moves.iter().map(|&mv| game.move_name(Role(0), mv)).collect()
    };
    let mut state = game.initial();
    outlook.needed(&facts(&game, &state), &mut needed);
    // One country, whichever it is.
    assert_eq!(needed.len(), 3, "{:?}", names(&needed));
    let red = game.parse_move(Role(0), "(paint a red)").unwrap();
    game.play(&mut state, &[red]);
    outlook.needed(&facts(&game, &state), &mut needed);
    let after = names(&needed);
    assert!(after.len() == 2 && after.iter().all(|name| !name.contains("red")), "{after:?}");
}

#[test]
fn games_of_several_roles_have_no_outlook() {
    let text = "(role a) (role b) (init p) (legal a x) (legal b y) (<= terminal (not (true p)))
        (goal a 100) (goal b 0)";
    let rules = ludens_gdl::load(text).0.unwrap();
    let network = Arc::new(Network::load(&rules, &Budget::unlimited()).unwrap());
    assert!(outlook(&network).is_none());
}
