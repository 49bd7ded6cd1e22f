//! Compares two games with the same states and the same numbers of moves, such as two evaluators of
//! one network, state by state. Nothing is converted to text, so that every bit counts.
//!
//! [`same_states`] evaluates one state at a time, [`same_lanes`] as many different states as the
//! second game takes at once.

use std::fmt;

use ludens_core::{Game, Move, Rng, View};

use crate::contract::{joint_names, random_joint};

/// The extent of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of random playouts; with many states at once, the number in each lane.
    pub games: u32,
    /// A playout is cut off after this many joint moves.
    pub max_plies: u32,
    /// The seed of the playouts.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { games: 4, max_plies: 300, seed: 1 }
    }
}

/// The first difference, and how to reach it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// A description.
    pub what: String,
    /// The joint moves of the playout so far.
    pub moves: Vec<Vec<String>>,
    /// The facts of the state.
    pub facts: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} joint moves:", self.what, self.moves.len())?;
        self.moves.iter().try_for_each(|joint| write!(f, " ({})", joint.join(", ")))?;
        write!(f, "; state: {}", self.facts.join(" "))
    }
}

impl std::error::Error for Difference {}

/// Evaluates many different states at once, one in each lane.
pub trait ManyStates<G: Game> {
    /// The number of states at once.
    fn lanes(&self) -> usize;

    /// Evaluates each state, as [`Game::look_all`] does for one.
    fn look_all(&mut self, states: &[G::State], views: &mut [View]);

    /// Makes a joint move in each state.
    fn play(&mut self, states: &mut [G::State], joints: &[Vec<Move>]);
}

/// Evaluates lane by lane, so that any game can be compared as if it had lanes.
pub struct OneByOne<'a, G> {
    /// The game.
    pub game: &'a G,
    /// The number of simulated lanes.
    pub lanes: usize,
}

impl<G: Game> ManyStates<G> for OneByOne<'_, G> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn look_all(&mut self, states: &[G::State], views: &mut [View]) {
        states.iter().zip(views).for_each(|(state, view)| self.game.look_all(state, view));
    }

    fn play(&mut self, states: &mut [G::State], joints: &[Vec<Move>]) {
        states.iter_mut().zip(joints).for_each(|(state, joint)| self.game.play(state, joint));
    }
}

/// Runs random playouts with the first game, evaluates every state with both, and returns the number
/// of states. Sometimes an earlier state is evaluated too, since an incremental evaluator must not
/// depend on the previous query.
pub fn same_states<A: Game, B: Game<State = A::State>>(
    first: &A,
    second: &B,
    options: &Options,
) -> Result<u64, Difference> {
    let mut states = 0;
    let mut old = first.initial();
    for number in 0..options.games {
        let mut rng = Rng::stream(options.seed, &[u64::from(number)]);
        let mut playout = Playout::new(first);
        loop {
            states += 1;
            let view = playout.compare(second)?;
            if playout.is_over(&view, options) {
                break;
            }
            if rng.below(8) == 0 {
                playout.compare_state(second, &old)?;
                old = playout.state.clone();
            }
            let joint = random_joint(&view, &mut rng);
            let mut found = playout.state.clone();
            second.play(&mut found, &joint);
            playout.step(&joint, &found)?;
        }
    }
    Ok(states)
}

/// Runs different random playouts in parallel, one in each lane, evaluates all states with the game
/// and with the evaluator of many states, and returns the number of states.
pub fn same_lanes<G: Game>(
    game: &G,
    many: &mut dyn ManyStates<G>,
    options: &Options,
) -> Result<u64, Difference> {
    let lanes = many.lanes();
    let mut rng = Rng::stream(options.seed, &[lanes as u64]);
    let mut playouts: Vec<Playout<'_, G>> = (0..lanes).map(|_| Playout::new(game)).collect();
    let mut left = vec![options.games; lanes];
    let (mut found, mut expected) = (vec![View::default(); lanes], View::default());
    let mut states = 0;
    while left.iter().any(|&games| games > 0) {
        let mut now: Vec<G::State> = playouts.iter().map(|playout| playout.state.clone()).collect();
        many.look_all(&now, &mut found);
        let mut joints = Vec::with_capacity(lanes);
        for (lane, playout) in playouts.iter_mut().enumerate() {
            states += 1;
            game.look_all(&playout.state, &mut expected);
            playout.same("the states look", &expected, &found[lane])?;
            if playout.is_over(&expected, options) {
                // The lane restarts while the others continue, so that lanes diverge.
                left[lane] = left[lane].saturating_sub(1);
                *playout = Playout::new(game);
                now[lane] = playout.state.clone();
                game.look_all(&playout.state, &mut expected);
            }
            let stuck = expected.terminal || expected.legal.iter().any(Vec::is_empty);
            if stuck {
                return Ok(states);
            }
            joints.push(random_joint(&expected, &mut rng));
        }
        many.play(&mut now, &joints);
        for ((playout, joint), next) in playouts.iter_mut().zip(&joints).zip(&now) {
            playout.step(joint, next)?;
        }
    }
    Ok(states)
}

/// A random playout in progress.
struct Playout<'a, G: Game> {
    game: &'a G,
    state: G::State,
    moves: Vec<Vec<Move>>,
}

impl<'a, G: Game> Playout<'a, G> {
    fn new(game: &'a G) -> Self {
        Playout { game, state: game.initial(), moves: Vec::new() }
    }

    fn is_over(&self, view: &View, options: &Options) -> bool {
        let stuck = view.legal.iter().any(Vec::is_empty);
        view.terminal || stuck || self.moves.len() as u32 >= options.max_plies
    }

    /// Evaluates the state with both games, and returns its view.
    fn compare<B: Game<State = G::State>>(&self, second: &B) -> Result<View, Difference> {
        self.compare_state(second, &self.state)
    }

    fn compare_state<B>(&self, second: &B, state: &G::State) -> Result<View, Difference>
    where
        B: Game<State = G::State>,
    {
        let (mut expected, mut found) = (View::default(), View::default());
        self.game.look_all(state, &mut expected);
        second.look_all(state, &mut found);
        self.same("the states look", &expected, &found)?;
        self.game.look(state, &mut expected);
        second.look(state, &mut found);
        self.same("for play, the states look", &expected, &found)?;
        Ok(expected)
    }

    /// Makes a joint move, which must lead to the state that the other game reached.
    fn step(&mut self, joint: &[Move], found: &G::State) -> Result<(), Difference> {
        self.game.play(&mut self.state, joint);
        self.moves.push(joint.to_vec());
        let facts = |state: &G::State| self.game.facts(state).join(" ");
        if self.state == *found {
            return Ok(());
        }
        let what = format!("the second reaches the state [{}]", facts(found));
        Err(self.difference(what))
    }

    fn same(&self, what: &str, expected: &View, found: &View) -> Result<(), Difference> {
        if expected == found {
            return Ok(());
        }
        Err(self.difference(format!("{what} like {expected:?} and like {found:?}")))
    }

    fn difference(&self, what: String) -> Difference {
        let moves = self.moves.iter().map(|joint| joint_names(self.game, joint)).collect();
        Difference { what, moves, facts: self.game.facts(&self.state) }
    }
}
