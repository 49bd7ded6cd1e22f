//! Evaluation functions of small games given by rules.

use std::sync::Arc;

use ludens_core::{Budget, Game, Role, View};
use ludens_logic::LogicGame;
use ludens_propnet::{Network, PropGame};

use super::*;
use crate::testgames::Nim;
use crate::{Agent, Watch};

pub(super) const TICTACTOE: &str = include_str!("../../../../games/tictactoe.kif");
pub(super) const BREAKTHROUGH: &str = include_str!("../../../../games/breakthrough_6x6.kif");

/// Loads rules as a grounded game.
pub(super) fn ground(text: &str) -> Arc<PropGame> {
    let rules = ludens_gdl::load(text).0.expect("the rules load");
    let network = Network::load(&rules, &Budget::unlimited()).expect("the rules are grounded");
    Arc::new(PropGame::scalar(Arc::new(network)))
}

fn build<G: Game>(game: &Arc<G>, guided: bool, games: u64) -> HeuristicFunction<G> {
    let construction = Construction { guided, ..Construction::default() };
    let budget = Budget::unlimited().with_iterations(games);
    construction.build(game, &game.initial(), &budget, 7)
}

#[test]
fn more_pawns_are_better() {
    let game = ground(BREAKTHROUGH);
    for guided in [false, true] {
        let mut evaluator = build(&game, guided, 400);
        let heuristic = Arc::clone(evaluator.heuristic());
        assert!(!heuristic.is_blank());
        assert!(heuristic.decided.iter().all(|decided| decided.total() > 300), "no draws");
        // White without three of its pawns against black without three.
        let facts = game.facts(&game.initial());
        let without = |colour: &str| {
            let mut left = 3;
            let kept = facts.iter().filter(|fact| {
                let drop =
                    left > 0 && fact.contains("cell") && fact.ends_with(&format!("{colour})"));
                left -= usize::from(drop);
                !drop
            });
            game.parse_state(&kept.cloned().collect::<Vec<_>>()).expect("facts make a state")
        };
        let (few_white, few_black) = (without("white"), without("black"));
        assert_ne!(few_white, few_black);
        for (role, worse, better) in [(0, &few_white, &few_black), (1, &few_black, &few_white)] {
            let values = [worse, better].map(|state| evaluator.values(state)[role]);
            assert!(values[0] < values[1], "{guided} {role}: {values:?}");
        }
    }
}

#[test]
fn the_value_of_a_state_is_the_weighted_sum_of_its_counts() {
    let game = ground(TICTACTOE);
    let mut evaluator = build(&game, false, 200);
    let mut state = game.initial();
    let mut view = View::default();
    game.look(&state, &mut view);
    let joint: Vec<_> = view.legal.iter().map(|legal| legal[0]).collect();
    game.play(&mut state, &joint);
    let facts = game.facts(&state);
    let heuristic = Arc::clone(evaluator.heuristic());
    for role in Role::all(2) {
        let counted = |term: &Term| {
            let holds = |fact: &&String| match &term.counted {
                Counted::Row(row) => row == *fact,
                Counted::Object(object) => {
                    let words: Vec<&str> = fact.trim_matches(['(', ')']).split(' ').collect();
                    let fits = |(column, symbol): &(usize, String)| words[column + 1] == symbol;
                    words[0] == object.table
                        && words.len() == object.n_columns + 1
                        && object.symbol.as_ref().is_none_or(fits)
                }
            };
            facts.iter().filter(holds).count() as f64
        };
        let sum: f64 = heuristic.terms.iter().map(|term| term.weights[role] * counted(term)).sum();
        let value = evaluator.values(&state)[role.index()];
        assert!((sum - value).abs() < 1e-5, "{sum} {value}");
    }
}

#[test]
fn all_reasoners_lead_to_similar_functions() {
    let rules = ludens_gdl::load(TICTACTOE).0.expect("the rules load");
    let logic = Arc::new(LogicGame::load(&rules, &Budget::unlimited()).expect("they run"));
    let network = Arc::clone(&ground(TICTACTOE).network);
    let mixed = Arc::new(PropGame::mixed(network));
    // The middle is good for the role that has it, whatever the reasoner and its random numbers.
    let middle = |heuristic: &Heuristic| {
        let term =
            heuristic.terms.iter().find(|t| t.counted == Counted::Row("(cell 2 2 o)".into()));
        term.map(|term| term.weights[Role(1)]).expect("marks vary")
    };
    let by_logic = build(&logic, false, 1500);
    let by_mixed = build(&mixed, false, 3000);
    assert!(middle(by_logic.heuristic()) > 0.0);
    assert!(middle(by_mixed.heuristic()) > 0.0);
    let again = build(&mixed, false, 3000);
    assert_eq!(by_mixed.heuristic(), again.heuristic(), "the same seed gives the same function");
}

#[test]
fn only_a_lesson_with_several_agents_can_be_resumed() {
    let game = ground(TICTACTOE);
    let budget = Budget::unlimited().with_iterations(50);
    let lesson = Lesson::new(Construction::default());
    let games =
        |evaluator: &HeuristicFunction<PropGame>| evaluator.heuristic().decided[Role(0)].total();
    let learn = || games(&lesson.learn(&game, &game.initial(), &budget, 7));
    assert_eq!(learn(), learn(), "the second one starts anew");
    let alone = learn();
    let _other = lesson.share();
    learn();
    assert!(learn() > alone, "the second one adds games to those of the first");
}

#[test]
fn nobody_has_a_best_move_after_the_end() {
    let game = Arc::new(Nim(3));
    let mut greedy = Greedy::new(Arc::clone(&game), Lesson::new(Construction::default()));
    let budget = Budget::unlimited().with_iterations(50);
    greedy.prepare(&game.initial(), &budget);
    let report = greedy.think(&(0, 1), &budget, &mut Watch::none());
    assert_eq!(Role::all(2).map(|role| report.best(role)).collect::<Vec<_>>(), [None; 2]);
}
