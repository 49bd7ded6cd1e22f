//! Tests that tests can fail: bugs planted in an evaluator of many states must be found.

use ludens_core::{Game, Move, Role, View};
use ludens_testkit::hash_game::{HashGame, Shape};
use ludens_testkit::same_states::{
    self, ManyStates, OneByOne, same_lanes, same_states as compare_states,
};

/// What is wrong with an evaluator of many states.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slip {
    None,
    /// Two lanes get each other's answers once they have gone different ways.
    SwapsLanes,
    /// The last lane stays where it is.
    ForgetsLastLane,
    /// In the states of one lane, the last move of a role is missing.
    DropsMove,
}

struct Slippery<'a> {
    inner: OneByOne<'a, HashGame>,
    slip: Slip,
}

impl ManyStates<HashGame> for Slippery<'_> {
    fn lanes(&self) -> usize {
        self.inner.lanes
    }

    fn look_all(&mut self, states: &[<HashGame as Game>::State], views: &mut [View]) {
        self.inner.look_all(states, views);
        match self.slip {
            Slip::SwapsLanes => views.swap(3, 4),
            Slip::DropsMove if views[5].legal[Role(0)].len() == 3 => {
                views[5].legal[Role(0)].pop();
            }
            _ => {}
        }
    }

    fn play(&mut self, states: &mut [<HashGame as Game>::State], joints: &[Vec<Move>]) {
        let last = states.len() - 1;
        let before = states[last];
        self.inner.play(states, joints);
        if self.slip == Slip::ForgetsLastLane {
            states[last] = before;
        }
    }
}

#[test]
fn many_states_at_once_are_compared_lane_by_lane() {
    let game = HashGame::new(Shape::turn_taking(6), 3);
    let options = same_states::Options { games: 3, ..same_states::Options::default() };
    let result = |slip| {
        same_lanes(
            &game,
            &mut Slippery { inner: OneByOne { game: &game, lanes: 8 }, slip },
            &options,
        )
    };
    assert!(result(Slip::None).unwrap() > 8 * 3 * 6);
    for slip in [Slip::SwapsLanes, Slip::ForgetsLastLane, Slip::DropsMove] {
        assert!(result(slip).is_err(), "{slip:?}");
    }
}

#[test]
fn other_rules_are_noticed_state_by_state() {
    let [same, other] =
        [3, 4].map(|branching| HashGame::new(Shape { branching, ..Shape::turn_taking(6) }, 3));
    let options = same_states::Options::default();
    assert_eq!(compare_states(&same, &same, &options), Ok(28));
    let difference = compare_states(&same, &other, &options).unwrap_err().to_string();
    assert!(difference.contains("joint moves"), "{difference}");
}
