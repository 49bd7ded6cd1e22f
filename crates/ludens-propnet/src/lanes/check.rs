//! Steps of play compared with the scalar evaluator, lane by lane.

use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View};

use super::engine::{Code, LaneEngine};
use super::plane::{LaneMemory, Plane};
use super::programs::{LanePrograms, Task};
use super::supply::{Ended, LanePayoffs};
use crate::bits::Bits;
use crate::network::Network;
use crate::scalar::Scalar;
use crate::{PropGame, ScalarGame};

/// Plays `n_steps` uniformly random steps in all lanes and compares the first `n_lanes` of them with
/// the plain scalar evaluator: terminal states and their payoffs, roles without moves, legality of
/// the moves made and the states they lead to. Says how many steps of lanes were compared, or what
/// differs.
pub fn check_steps<C: Code>(
    network: &Arc<Network>,
    n_steps: usize,
    n_lanes: usize,
) -> Result<u64, String> {
    let engine = Arc::new(LaneEngine::<C>::from(Arc::clone(network))).for_playouts();
    let mut memory = engine.memory();
    for &fluent in &network.initial {
        memory.state[fluent as usize] = Plane::ONES;
    }
    let scalar = PropGame::with_engine(Arc::clone(network), Scalar::plain(network));
    let payoffs = LanePayoffs::new(network.roles.len());
    let (view, judged) = (View::default(), Plane::ZERO);
    let mut check = Check { engine, scalar, view, judged, payoffs, compared: 0 };
    let mut rng = Rng::new(7);
    for step in 0..n_steps {
        check.play(&mut memory, &mut rng);
        let mut restart = Plane::ZERO;
        for lane in 0..n_lanes {
            let goes_on = check.compare(&memory, lane);
            let goes_on =
                goes_on.map_err(|what| format!("{}, step {step}, lane {lane}: {what}", C::NAME))?;
            restart.set(lane, !goes_on);
        }
        memory.step();
        for (i, plane) in memory.state.iter_mut().enumerate() {
            let start = Plane::all(network.initial.contains(&(i as u32)));
            *plane = plane.blend(start, restart);
        }
    }
    Ok(check.compared)
}

struct Check<C> {
    engine: Arc<LaneEngine<C>>,
    scalar: ScalarGame,
    view: View,
    /// Where states were judged to be over, and what they were said to be worth.
    judged: Plane,
    payoffs: LanePayoffs,
    compared: u64,
}

impl<C: Code> Check<C> {
    /// One step in all lanes; the moves made are recorded.
    fn play(&mut self, memory: &mut LaneMemory, rng: &mut Rng) {
        self.judge(memory);
        let layout = &self.engine.programs.layout;
        self.engine.run(Task::CountForRecord, memory);
        loop {
            for slot in layout.random.clone() {
                memory.frame[slot as usize] = Plane(std::array::from_fn(|_| rng.next_u64()));
            }
            self.engine.run(Task::DrawForRecord, memory);
            if memory.frame[layout.open as usize].is_zero() {
                break;
            }
        }
        memory.frame[layout.frozen as usize] = Plane::ZERO;
        self.engine.run(Task::Record, memory);
    }

    /// Looks for states that are over before moves are counted, if play does so.
    fn judge(&mut self, memory: &mut LaneMemory) {
        let LanePrograms { layout, judges_first, judges_payoffs, .. } = &self.engine.programs;
        if *judges_first {
            self.engine.run(Task::Judge, memory);
            self.judged = memory.frame[layout.terminal as usize];
        }
        if *judges_payoffs {
            let (lanes, goals) = (self.judged, &memory.frame[layout.goals as usize..]);
            let ended = Ended::by_rules(lanes, goals);
            self.payoffs.read(&self.engine.network.goals, &ended);
        }
    }

    /// Whether the game of a lane goes on, if all is as it should be.
    fn compare(&mut self, memory: &LaneMemory, lane: usize) -> Result<bool, String> {
        let LanePrograms { layout, judges_first, judges_payoffs, .. } = &self.engine.programs;
        let says = |slot: u32| memory.frame[slot as usize].get(lane);
        let mut state = state_of(&memory.state, lane);
        self.scalar.look(&state, &mut self.view);
        if self.view.terminal != says(layout.terminal) {
            return Err("terminal differs".into());
        }
        if *judges_first && self.view.terminal != self.judged.get(lane) {
            return Err("the end is misjudged".into());
        }
        if *judges_payoffs
            && self.view.terminal
            && self.payoffs.of(lane) != self.view.payoffs.as_slice()
        {
            return Err("payoffs differ".into());
        }
        let is_stuck = self.view.legal.iter().any(Vec::is_empty);
        if self.view.terminal || is_stuck {
            let is_missed = !self.view.terminal && !says(layout.stuck);
            return if is_missed {
                Err("a role without moves is missed".into())
            } else {
                Ok(false)
            };
        }
        if says(layout.stuck) {
            return Err("a role is said to have no move".into());
        }
        // Where guesses about moves that exclude each other are wrong, play goes on without them.
        if says(layout.doubt) {
            return Ok(false);
        }
        let joint = self.made(memory, lane)?;
        self.scalar.play(&mut state, &joint);
        if state != state_of(&memory.next, lane) {
            return Err(format!("another state follows {joint:?}"));
        }
        self.compared += 1;
        Ok(true)
    }

    /// The moves made in a lane: one of each role, and legal.
    fn made(&self, memory: &LaneMemory, lane: usize) -> Result<Vec<Move>, String> {
        let (network, first) = (&self.engine.network, self.engine.programs.layout.does as usize);
        let does = network.does.iter().enumerate();
        let made = does.filter(|(i, _)| memory.frame[first + i].get(lane)).map(|(_, does)| *does);
        let made: Vec<(Role, Move)> = made.collect();
        if !made.iter().map(|&(role, _)| role).eq(Role::all(network.roles.len())) {
            return Err(format!("not one move of each role: {made:?}"));
        }
        if made.iter().any(|(role, m)| !self.view.legal[*role].contains(m)) {
            return Err(format!("an illegal move among {made:?}"));
        }
        Ok(made.into_iter().map(|(_, m)| m).collect())
    }
}

/// The state of one lane.
fn state_of(planes: &[Plane], lane: usize) -> Bits {
    let mut bits = Bits::empty(planes.len());
    for (i, _) in planes.iter().enumerate().filter(|(_, plane)| plane.get(lane)) {
        bits.set(i);
    }
    bits
}
