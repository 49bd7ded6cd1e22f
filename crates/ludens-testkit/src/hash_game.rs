//! Hash games: no rules to write, trees of any shape, the same on every machine.
//!
//! The idea is that of mctx's tests (`DeepMind`, 2021): a search can be tested on a "game" whose
//! states are random keys, since a search does not know the rules.

use std::fmt::Write;

use ludens_core::{Game, Move, Rng, Role, View};

/// The shape of a hash game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of roles.
    pub n_roles: usize,
    /// The largest number of moves of a role that has a choice.
    pub branching: u32,
    /// The maximum number of joint moves.
    pub depth: u32,
    /// One state in this many is terminal before that; 0 for none.
    pub early_end: u64,
    /// Whether all roles have a choice at every turn; otherwise they take turns.
    pub simultaneous: bool,
    /// Whether the payoffs of all roles add up to 1.
    pub constant_sum: bool,
}

/// A game whose states are hashes.
///
/// ```
/// use ludens_core::{Game, View};
/// use ludens_testkit::hash_game::{HashGame, Shape};
///
/// let shape = Shape { n_roles: 3, branching: 4, ..Shape::turn_taking(5) };
/// let (game, mut view) = (HashGame::new(shape, 1), View::default());
/// game.look(&game.initial(), &mut view);
/// assert_eq!(view.legal.as_slice()[1].len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct HashGame {
    shape: Shape,
    seed: u64,
    roles: Vec<String>,
}

/// A state: the ply, and a hash of all moves so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    ply: u32,
    hash: u64,
}

/// The move of a role that has no choice.
const NOOP: Move = Move(0);

impl Shape {
    /// Two roles that take turns, up to three moves each, constant sum.
    pub fn turn_taking(depth: u32) -> Self {
        Shape {
            n_roles: 2,
            branching: 3,
            depth,
            early_end: 0,
            simultaneous: false,
            constant_sum: true,
        }
    }

    /// The same with both roles moving at every turn.
    pub fn simultaneous(depth: u32) -> Self {
        Shape { simultaneous: true, ..Shape::turn_taking(depth) }
    }
}

impl HashGame {
    /// The game of this shape and seed.
    pub fn new(shape: Shape, seed: u64) -> Self {
        assert!(shape.n_roles > 0 && shape.branching > 0, "some role must have a move");
        let roles = (0..shape.n_roles).map(|i| format!("r{i}")).collect();
        HashGame { shape, seed, roles }
    }

    fn is_terminal(&self, state: State) -> bool {
        let early = self.shape.early_end;
        let ends = early > 0 && state.ply > 0 && draw(state, 1, 0).is_multiple_of(early);
        state.ply >= self.shape.depth || ends
    }

    fn has_choice(&self, state: State, role: Role) -> bool {
        self.shape.simultaneous || state.ply as usize % self.shape.n_roles == role.index()
    }

    /// Some moves out of twice as many, so that the same move is legal in some states and not in others.
    fn moves(&self, state: State, role: Role) -> impl Iterator<Item = Move> {
        let branching = u64::from(self.shape.branching);
        let count = 1 + draw(state, 2, role.0) % branching;
        let first = draw(state, 3, role.0) % (branching + 1);
        (first..first + count).map(|number| Move(number as u32 + 1))
    }

    fn pay(&self, state: State, view: &mut View) {
        let n_roles = self.shape.n_roles;
        let shares: Vec<u64> = Role::all(n_roles).map(|r| draw(state, 4, r.0) % 101).collect();
        let total = if self.shape.constant_sum { shares.iter().sum::<u64>().max(1) } else { 100 };
        for (role, share) in Role::all(n_roles).zip(shares) {
            view.pay(role, share as f32 / total as f32);
        }
    }
}

impl Game for HashGame {
    type State = State;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> State {
        State { ply: 0, hash: Rng::mix(self.seed) }
    }

    fn look(&self, state: &State, view: &mut View) {
        view.clear(self.shape.n_roles);
        view.terminal = self.is_terminal(*state);
        if view.terminal {
            return self.pay(*state, view);
        }
        for role in Role::all(self.shape.n_roles) {
            if self.has_choice(*state, role) {
                view.legal[role].extend(self.moves(*state, role));
            } else {
                view.legal[role].push(NOOP);
            }
        }
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        state.ply += 1;
        state.hash =
            joint.iter().fold(state.hash, |hash, m| Rng::mix(hash ^ Rng::mix(u64::from(m.0) + 1)));
    }

    fn move_name(&self, _role: Role, m: Move) -> String {
        if m == NOOP { "noop".into() } else { format!("m{}", m.0) }
    }

    fn parse_move(&self, _role: Role, text: &str) -> Option<Move> {
        if text == "noop" {
            return Some(NOOP);
        }
        text.strip_prefix('m')?.parse().ok().map(Move)
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut fact = String::new();
        write!(fact, "(at {} {:016x})", state.ply, state.hash).expect("strings can be written to");
        vec![fact]
    }

    fn parse_state(&self, facts: &[String]) -> Option<State> {
        let [fact] = facts else { return None };
        let (ply, hash) = fact.strip_prefix("(at ")?.strip_suffix(')')?.split_once(' ')?;
        Some(State { ply: ply.parse().ok()?, hash: u64::from_str_radix(hash, 16).ok()? })
    }
}

/// A random number for a state, a purpose and a role.
fn draw(state: State, purpose: u64, role: u8) -> u64 {
    Rng::mix(state.hash ^ Rng::mix(purpose << 8 | u64::from(role)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::{Options, check_game};

    #[test]
    fn all_shapes_fulfil_the_contract() {
        for n_roles in 1..=4 {
            for (seed, simultaneous) in [(1, true), (2, false)] {
                for early_end in [0, 5] {
                    let shape = Shape {
                        n_roles,
                        early_end,
                        simultaneous,
                        constant_sum: n_roles > 1,
                        ..Shape::turn_taking(7)
                    };
                    let game = Arc::new(HashGame::new(shape, seed));
                    let report = check_game(&game, &Options::default()).unwrap();
                    assert!(report.games == 10 && report.longest <= 7);
                }
            }
        }
    }

    #[test]
    fn constant_sums_add_up() {
        let game = HashGame::new(Shape { n_roles: 3, ..Shape::turn_taking(0) }, 9);
        let mut view = View::default();
        game.look(&game.initial(), &mut view);
        assert!((view.payoffs.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}
