//! Uniformly random playouts in 256 lanes.
//!
//! A lane whose game is over takes up another start at once, so that no lane waits for the longest
//! game. Which starts there are and who gets the payoffs is the business of a [`Supply`].

use std::sync::Arc;

use ludens_core::{Chooser, Outcomes, Playout, Rng, Simulator, Tally};

use super::engine::{Code, LaneEngine};
use super::plane::{LaneMemory, Plane};
use super::policy;
use super::programs::Task;
use super::random::PlaneRng;
use super::stream::Stream;
use super::supply::{Pinned, Single, Supply};
use crate::engine::Engine;
use crate::game::{Bits, PropGame};

/// A playout that has gone on for so long is cut. Ages are looked at once in so many steps, so that
/// a game that never ends takes up to twice as long.
pub(super) const MAX_PLIES: u32 = 100_000;
/// Games that are over wait for at most so many others if payoffs are dear.
const MOST_WAITING: u32 = 64;

/// Lanes wait for so many others before they begin new games together, because putting starts into
/// the planes costs the same for one lane and for all.
const MOST_IDLE: u32 = 8;

/// Plays 256 games side by side.
pub struct LaneSimulator<C> {
    engine: Arc<LaneEngine<C>>,
    /// For tallies, and for the stream; each is made when it is first needed.
    tallying: Option<Lanes<C>>,
    streaming: Option<(Lanes<C>, Stream)>,
}

/// The games under way.
struct Lanes<C> {
    engine: Arc<LaneEngine<C>>,
    /// The evaluator to go on with if the guesses behind shared leaves are wrong.
    careful: Arc<LaneEngine<C>>,
    memory: LaneMemory,
    /// The lanes in which a game is under way.
    live: Plane,
    /// Where games are over but not handed over yet.
    over: Plane,
    /// Lanes that have begun a game since ages were last looked at.
    fresh: Plane,
    /// How many steps were made.
    clock: u32,
    /// How many games that are over are waited for before payoffs are computed.
    threshold: u32,
}

/// Games that are over in some lanes.
pub(super) struct Ended<'a> {
    /// Where games are over.
    pub lanes: Plane,
    /// Where they ended by the rules.
    pub finished: Plane,
    /// The payoffs, a plane for each of the network's goals.
    pub goals: &'a [Plane],
}

impl<C: Code> LaneSimulator<C> {
    /// A simulator for an evaluator.
    pub fn new(engine: Arc<LaneEngine<C>>) -> Self {
        LaneSimulator { engine, tallying: None, streaming: None }
    }

    fn stream(&mut self) -> &mut (Lanes<C>, Stream) {
        let engine = &self.engine;
        self.streaming.get_or_insert_with(|| (Lanes::new(engine), Stream::new(&engine.network)))
    }
}

impl<C: Code> Lanes<C> {
    fn new(engine: &Arc<LaneEngine<C>>) -> Self {
        let careful = Arc::clone(engine);
        let engine = engine.for_playouts();
        let memory = engine.memory();
        let (live, over, fresh) = (Plane::ZERO, Plane::ZERO, Plane::ZERO);
        let threshold = if engine.programs.holds { MOST_WAITING } else { 1 };
        Lanes { engine, careful, memory, live, over, fresh, clock: 0, threshold }
    }

    /// Plays on: one move of each role in all lanes. Games that are over are handed to the supply,
    /// which gives their lanes other starts. Gives back how many games made a move.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn step(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) -> u32 {
        self.engine.run(Task::Count, &mut self.memory);
        let layout = &self.engine.programs.layout;
        let terminal = self.memory.frame[layout.terminal as usize];
        let stuck = self.memory.frame[layout.stuck as usize];
        let doubt = self.memory.frame[layout.doubt as usize];
        if !(doubt & self.live & !terminal).is_zero() {
            // Nothing has been done yet in this step; the next one does it with care.
            self.be_careful();
            return 0;
        }
        let over = (terminal | stuck | self.overdue()) & self.live;
        supply.note_end(over & !self.over, self.clock);
        self.over = over;
        let moving = (self.live & !over).count();
        let n_over = over.count();
        if n_over > 0 && (n_over >= self.threshold || moving == 0) {
            self.hand_over(over & terminal, supply);
        }
        let restarted = self.restart(moving, supply);
        if self.engine.programs.holds {
            self.memory.frame[self.engine.programs.layout.frozen as usize] = self.over;
        }
        if moving > 0 {
            supply.note_moves(self.live & !restarted & !over);
            self.draw(random);
            self.engine.run(Task::Advance, &mut self.memory);
            self.memory.step();
        }
        self.clock = self.clock.wrapping_add(1);
        supply.place(restarted, &mut self.memory.state);
        moving
    }

    /// The guesses behind shared leaves are wrong: goes on without them. States stay as they are.
    #[cold]
    fn be_careful(&mut self) {
        self.careful.doubt();
        self.engine = Arc::clone(&self.careful);
        let LaneMemory { frame, .. } = self.engine.memory();
        self.memory.frame = frame;
    }

    /// Computes the payoffs of games that are over, and frees their lanes.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn hand_over(&mut self, finished: Plane, supply: &mut impl Supply) {
        self.engine.run(Task::Payoffs, &mut self.memory);
        let first = self.engine.programs.layout.goals as usize;
        let goals = &self.memory.frame[first..][..self.engine.network.goals.len()];
        supply.credit(&Ended { lanes: self.over, finished, goals });
        self.live = self.live & !self.over;
        self.over = Plane::ZERO;
    }

    /// Lets free lanes begin new games, if there are enough of them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn restart(&mut self, moving: u32, supply: &mut impl Supply) -> Plane {
        let free = !self.live;
        let n_free = free.count();
        if n_free == 0 || (n_free < MOST_IDLE && moving > 0) || !supply.has_more() {
            return Plane::ZERO;
        }
        // A game begun now makes its first move at the next step.
        let restarted = supply.restart(free, self.clock.wrapping_add(1));
        self.live = self.live | restarted;
        self.fresh = self.fresh | restarted;
        restarted
    }

    /// Draws a number for every choice: random bits until all lanes have one.
    fn draw(&mut self, random: &mut PlaneRng) {
        let layout = &self.engine.programs.layout;
        let bits = layout.random.start as usize..layout.random.end as usize;
        let open = layout.open as usize;
        loop {
            random.fill(&mut self.memory.frame[bits.clone()]);
            self.engine.run(Task::Draw, &mut self.memory);
            if self.memory.frame[open].is_zero() {
                return;
            }
        }
    }

    fn overdue(&mut self) -> Plane {
        if !self.clock.is_multiple_of(MAX_PLIES) {
            return Plane::ZERO;
        }
        let overdue = !self.fresh;
        self.fresh = Plane::ZERO;
        overdue
    }

    /// Plays until all games of a supply are over.
    fn finish(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("popcnt") {
                #[expect(unsafe_code, reason = "counting in planes takes half the time")]
                // SAFETY: the machine has just been found to have the instructions.
                return unsafe { self.finish_wide(supply, random) };
            }
        }
        self.finish_portably(supply, random)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn finish_wide(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) -> u64 {
        self.finish_portably(supply, random)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for several kinds of machine")]
    fn finish_portably(&mut self, supply: &mut impl Supply, random: &mut PlaneRng) -> u64 {
        self.clock = 1;
        self.live = supply.restart(Plane::ONES, self.clock);
        self.fresh = Plane::ONES;
        supply.place(self.live, &mut self.memory.state);
        let mut plies = 0;
        while !self.live.is_zero() {
            plies += u64::from(self.step(supply, random));
        }
        plies
    }
}

impl<C: Code, E: Engine> Simulator<PropGame<E>> for LaneSimulator<C> {
    fn lanes(&self) -> usize {
        Plane::LANES
    }

    fn run(
        &mut self,
        starts: &[&Bits],
        chooser: &mut dyn Chooser,
        rng: &mut Rng,
        out: &mut Vec<Playout>,
    ) {
        policy::run(&self.engine, starts, chooser, rng, out);
    }

    fn tally(&mut self, starts: &[&Bits], playouts: u64, rng: &mut Rng, out: &mut [Tally]) {
        let mut random = PlaneRng::new(rng);
        let engine = &self.engine;
        let lanes = self.tallying.get_or_insert_with(|| Lanes::new(engine));
        let network = &engine.network;
        if let ([start], [tally]) = (starts, &mut out[..]) {
            let mut supply = Single::new(network, start, playouts, tally);
            let plies = lanes.finish(&mut supply, &mut random);
            tally.plies += plies;
            return;
        }
        for (starts, tallies) in starts.chunks(Plane::LANES).zip(out.chunks_mut(Plane::LANES)) {
            let mut supply = Pinned::new(network, starts, playouts);
            lanes.finish(&mut supply, &mut random);
            supply.finish(network.roles.len(), tallies);
        }
    }

    fn room(&self) -> usize {
        let streaming = self.streaming.as_ref();
        streaming.map_or(2 * Plane::LANES, |(lanes, stream)| stream.room(lanes.live))
    }

    fn offer(&mut self, tag: u32, start: &Bits) {
        self.stream().1.offer(tag, start);
    }

    fn advance(&mut self, rng: &mut Rng, out: &mut Outcomes) {
        let mut random = PlaneRng::new(rng);
        let before = out.tags.len();
        let (lanes, stream) = self.stream();
        stream.exchange(out);
        while stream.n_ended() == before && (!lanes.live.is_zero() || stream.has_more()) {
            lanes.step(stream, &mut random);
        }
        stream.exchange(out);
    }

    fn abandon(&mut self) {
        if let Some((lanes, stream)) = &mut self.streaming {
            (lanes.live, lanes.over) = (Plane::ZERO, Plane::ZERO);
            stream.abandon();
        }
    }
}
