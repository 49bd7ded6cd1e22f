//! Compares steps of play with the scalar evaluator, lane by lane.

use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View};

use super::engine::{Code, Compiled, LaneEngine};
use super::interpret::Interpreted;
use super::plane::{LaneMemory, Plane};
use super::programs::LanePrograms;
use super::supply::{Ended, LanePayoffs};
use super::task::Task;
use crate::bits::Bits;
use crate::engine::Engine;
use crate::game::PropGame;
use crate::network::Network;
use crate::scalar::Scalar;

impl PropGame {
    /// Plays `n_steps` uniformly random steps in all lanes and compares the first `n_lanes` of them with
    /// the plain scalar evaluator: terminal states and their payoffs, roles without moves, legality of
    /// the moves made and the states they lead to. Returns the number of steps compared, over all lanes (0
    /// if the evaluator has no lanes of its own), or a description of the difference.
    pub fn check_steps(&self, n_steps: usize, n_lanes: usize) -> Result<u64, String> {
        match &self.engine {
            Engine::Lanes(_) => check_steps::<Interpreted>(&self.network, n_steps, n_lanes),
            Engine::Jit(_) => check_steps::<Compiled>(&self.network, n_steps, n_lanes),
            Engine::Mixed(_) | Engine::Scalar(_) => Ok(0),
        }
    }
}

/// The same for any code.
fn check_steps<C: Code>(
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
            let continues = check.compare(&memory, lane);
            let continues = continues
                .map_err(|what| format!("{}, step {step}, lane {lane}: {what}", C::NAME))?;
            restart.set(lane, !continues);
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
    scalar: PropGame,
    view: View,
    /// The lanes with states that were found to be terminal, and their payoffs.
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

    /// Finds terminal states before moves are counted, if playouts do so.
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

    /// Compares one lane; returns whether its playout continues.
    fn compare(&mut self, memory: &LaneMemory, lane: usize) -> Result<bool, String> {
        let LanePrograms { layout, judges_first, judges_payoffs, .. } = &self.engine.programs;
        let is_set = |slot: u32| memory.frame[slot as usize].get(lane);
        let mut state = state_of(&memory.state, lane);
        self.scalar.look(&state, &mut self.view);
        if self.view.terminal != is_set(layout.terminal) {
            return Err("terminal differs".into());
        }
        if *judges_first && self.view.terminal != self.judged.get(lane) {
            return Err("terminal of `Judge` differs".into());
        }
        if *judges_payoffs
            && self.view.terminal
            && self.payoffs.of(lane) != self.view.payoffs.as_slice()
        {
            return Err("payoffs differ".into());
        }
        let is_stuck = self.view.legal.iter().any(Vec::is_empty);
        if self.view.terminal || is_stuck {
            let is_wrong = !self.view.terminal && !is_set(layout.stuck);
            return if is_wrong {
                Err("a role without legal moves is not stuck".into())
            } else {
                Ok(false)
            };
        }
        if is_set(layout.stuck) {
            return Err("a role with legal moves is stuck".into());
        }
        // Where the assumed exclusions are wrong, the playout continues without them.
        if is_set(layout.refuted) {
            return Ok(false);
        }
        let joint = self.made(memory, lane)?;
        self.scalar.play(&mut state, &joint);
        if state != state_of(&memory.next, lane) {
            return Err(format!("the state after {joint:?} differs"));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ludens_core::Budget;
    use ludens_testkit::library::check_every_game;

    use super::*;
    use crate::bits::ones;
    use crate::jit::{self, MachineCode, Target};
    use crate::program::{Gates, Program};

    /// Machine code without AVX-512, also on machines that have it.
    struct Avx2(MachineCode);

    impl Code for Avx2 {
        const NAME: &'static str = "avx2";

        fn gates() -> Gates {
            Gates::Two
        }

        fn compile(program: &Program, n_fluents: usize, frame_len: u32) -> Self {
            Avx2(jit::compile(program, Target::Avx2, n_fluents, frame_len).expect("supported"))
        }

        fn frame_len(&self) -> usize {
            self.0.frame_len()
        }

        fn run(&self, memory: &mut LaneMemory) {
            self.0.run(memory);
        }
    }

    /// Single states of random playouts: terminal, legal, goals and next.
    fn check_states(network: &Arc<Network>, n_states: usize) -> Result<(), String> {
        let (lanes, scalar) =
            (LaneEngine::<Avx2>::from(Arc::clone(network)), Scalar::plain(network));
        let (mut memory, mut scratch, mut rng) = (lanes.memory(), scalar.scratch(), Rng::new(3));
        let start = PropGame::scalar(Arc::clone(network)).initial();
        let mut state = start.clone();
        let [mut legal, mut expected_legal] =
            [(); 2].map(|()| vec![0; network.does.len().div_ceil(64)]);
        let [mut goals, mut expected_goals] =
            [(); 2].map(|()| vec![0; network.goals.len().div_ceil(64)]);
        for _ in 0..n_states {
            let is_terminal = scalar.look(&mut scratch, state.words(), &mut expected_legal);
            if lanes.look(&mut memory, state.words(), &mut legal) != is_terminal
                || legal != expected_legal
            {
                return Err("look differs".into());
            }
            scalar.goals(&mut scratch, state.words(), &mut expected_goals);
            lanes.goals(&mut memory, state.words(), &mut goals);
            if goals != expected_goals {
                return Err("goals differ".into());
            }
            let does = network.does_of_roles().into_iter().filter_map(|range| {
                let own: Vec<usize> = ones(&legal).filter(|does| range.contains(does)).collect();
                (!own.is_empty()).then(|| own[rng.below(own.len())] as u32)
            });
            let does: Vec<u32> = does.collect();
            let (mut next, mut expected) = (state.clone(), state.clone());
            scalar.next(&mut scratch, state.words(), &does, expected.words_mut());
            lanes.next(&mut memory, state.words(), &does, next.words_mut());
            if next != expected {
                return Err("next differs".into());
            }
            state = if is_terminal { start.clone() } else { next };
        }
        Ok(())
    }

    #[test]
    fn machine_code_without_avx_512_agrees() {
        if !Target::Avx2.is_supported() {
            return;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        check_every_game(&folder, |entry| {
            let text = std::fs::read_to_string(&entry.rules).map_err(|error| error.to_string())?;
            let rules = ludens_gdl::load(&text).0.ok_or("does not load")?;
            let network = Network::load(&rules, &Budget::unlimited())
                .map_err(|trouble| trouble.to_string())?;
            let network = Arc::new(network);
            let n_steps = if network.net.gates.len() > 20_000 { 10 } else { 40 };
            check_states(&network, 3 * n_steps)?;
            match check_steps::<Avx2>(&network, n_steps, 16)? {
                0 => Err("nothing was compared".into()),
                _ => Ok(()),
            }
        });
    }
}
