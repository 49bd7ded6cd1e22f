//! Tests of the tests: bugs planted in an evaluator of many states must be detected.

use ludens_core::{Game, Move, Role, View};
use ludens_testkit::hash_game::{HashGame, Shape};
use ludens_testkit::same_states::{
    self, ManyStates, OneByOne, same_lanes, same_states as compare_states,
};

/// A bug of an evaluator of many states.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Bug {
    None,
    /// Two lanes are swapped.
    SwapsLanes,
    /// The last lane does not advance.
    ForgetsLastLane,
    /// In the states of one lane, the last move of a role is missing.
    DropsMove,
}

struct Broken<'a> {
    inner: OneByOne<'a, HashGame>,
    bug: Bug,
}

impl ManyStates<HashGame> for Broken<'_> {
    fn lanes(&self) -> usize {
        self.inner.lanes
    }

    fn look_all(&mut self, states: &[<HashGame as Game>::State], views: &mut [View]) {
        self.inner.look_all(states, views);
        match self.bug {
            Bug::SwapsLanes => views.swap(3, 4),
            Bug::DropsMove if views[5].legal[Role(0)].len() == 3 => {
                views[5].legal[Role(0)].pop();
            }
            _ => {}
        }
    }

    fn play(&mut self, states: &mut [<HashGame as Game>::State], joints: &[Vec<Move>]) {
        let last = states.len() - 1;
        let before = states[last];
        self.inner.play(states, joints);
        if self.bug == Bug::ForgetsLastLane {
            states[last] = before;
        }
    }
}

#[test]
fn many_states_at_once_are_compared_lane_by_lane() {
    let game = HashGame::new(Shape::turn_taking(6), 3);
    let options = same_states::Options { games: 3, ..same_states::Options::default() };
    let result = |bug| {
        same_lanes(&game, &mut Broken { inner: OneByOne { game: &game, lanes: 8 }, bug }, &options)
    };
    assert!(result(Bug::None).unwrap() > 8 * 3 * 6);
    for bug in [Bug::SwapsLanes, Bug::ForgetsLastLane, Bug::DropsMove] {
        assert!(result(bug).is_err(), "{bug:?}");
    }
}

#[test]
fn other_rules_are_detected_state_by_state() {
    let [same, other] =
        [3, 4].map(|branching| HashGame::new(Shape { branching, ..Shape::turn_taking(6) }, 3));
    let options = same_states::Options::default();
    assert_eq!(compare_states(&same, &same, &options), Ok(28));
    let difference = compare_states(&same, &other, &options).unwrap_err().to_string();
    assert!(difference.contains("joint moves"), "{difference}");
}
