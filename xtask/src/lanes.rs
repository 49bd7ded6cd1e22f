//! Compares an evaluator of a network with the plain one, bit by bit: one state at a time, and in the
//! lanes of its simulator.

use std::any::Any;
use std::sync::Arc;

use anyhow::Result;
use ludens_catalog::{ReasonerKind, WithGame};
use ludens_core::{Game, Move, Role, View};
use ludens_propnet::{Bits, Network, PropGame, Scalar};
use ludens_testkit::same_states::{Options, same_states};
use ludens_testkit::sampling::check_decisions;

/// The number of random playouts, and the maximum number of joint moves of each.
const OPTIONS: Options = Options { games: 2, max_plies: 60, seed: 3 };

/// Longer playouts are not run in lanes.
const MAX_LENGTH: u32 = 400;

/// Compares a game with the plain evaluator of its network, and counts the states.
pub struct Compare<'a> {
    pub network: &'a Arc<Network>,
    /// The approximate number of joint moves made in lanes and replayed one by one.
    pub lane_plies: u32,
}

impl WithGame for Compare<'_> {
    type Out = Result<u64>;

    fn call<G: Game>(self, game: Arc<G>) -> Result<u64> {
        let plain = PropGame::with_engine(Arc::clone(self.network), Scalar::plain(self.network));
        let game = Arc::new(OfBits(game));
        let mut compared = same_states(&plain, &*game, &OPTIONS)?;
        let Some(length) = length(&plain) else {
            return Ok(compared);
        };
        let mut simulator = Arc::clone(&game.0).simulator();
        // A few more than the number of lanes, unless that takes too long.
        let starts = (self.lane_plies / length.max(1)).clamp(2, simulator.lanes() as u32 + 5);
        let initial = game.0.initial();
        let starts = vec![&initial; starts as usize];
        compared += check_decisions(&*game.0, &mut *simulator, &starts, 4)?;
        Ok(compared)
    }
}

/// Compares the steps of uniformly random playouts in lanes, which have their own programs.
pub fn compare_steps(network: &Arc<Network>, kind: ReasonerKind) -> Result<u64> {
    // Large networks take longer for each state.
    let n_steps = (3_000_000 / network.net.gates.len().max(1)).clamp(10, 60);
    let game = match kind {
        ReasonerKind::Lanes => PropGame::lanes(Arc::clone(network)),
        ReasonerKind::Jit => PropGame::jit(Arc::clone(network)),
        _ => return Ok(0),
    };
    game.check_steps(n_steps, 8).map_err(anyhow::Error::msg)
}

/// The length of a random playout, if it is short.
fn length(game: &PropGame) -> Option<u32> {
    let (mut state, mut view) = (game.initial(), View::default());
    let mut rng = ludens_core::Rng::new(5);
    for plies in 0..MAX_LENGTH {
        game.look(&state, &mut view);
        if view.terminal || view.legal.iter().any(Vec::is_empty) {
            return Some(plies);
        }
        let joint: Vec<Move> =
            view.legal.iter().map(|legal| legal[rng.below(legal.len())]).collect();
        game.play(&mut state, &joint);
    }
    None
}

/// A grounded game of any type. The states of all of them are bits, which the compiler does not know.
struct OfBits<G>(Arc<G>);

impl<G: Game> OfBits<G> {
    fn own(state: &Bits) -> &G::State {
        let state: &dyn Any = state;
        state.downcast_ref().expect("the states of grounded games are bits")
    }

    fn bits(state: &G::State) -> Bits {
        let state: &dyn Any = state;
        state.downcast_ref::<Bits>().expect("the states of grounded games are bits").clone()
    }
}

impl<G: Game> Game for OfBits<G> {
    type State = Bits;

    fn roles(&self) -> &[String] {
        self.0.roles()
    }

    fn initial(&self) -> Bits {
        Self::bits(&self.0.initial())
    }

    fn look(&self, state: &Bits, view: &mut View) {
        self.0.look(Self::own(state), view);
    }

    fn look_all(&self, state: &Bits, view: &mut View) {
        self.0.look_all(Self::own(state), view);
    }

    fn play(&self, state: &mut Bits, joint: &[Move]) {
        let mut own = Self::own(state).clone();
        self.0.play(&mut own, joint);
        *state = Self::bits(&own);
    }

    fn move_name(&self, role: Role, m: Move) -> String {
        self.0.move_name(role, m)
    }

    fn facts(&self, state: &Bits) -> Vec<String> {
        self.0.facts(Self::own(state))
    }
}
