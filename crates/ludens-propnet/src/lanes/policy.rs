//! Playouts whose moves a policy chooses, in 256 lanes. The policy chooses lane by lane, and the
//! moves made are recorded.

use std::cell::OnceCell;
use std::sync::Arc;

use ludens_core::{Chooser, Features, Limit, Move, Playout, Rng, Role, Turn};

use super::engine::{Code, LaneEngine, lanes_of};
use super::plane::{LaneMemory, Plane};
use super::supply::{Ended, LanePayoffs};
use super::task::Task;
use super::transpose::{gather, scatter};
use crate::bits::{Bits, ones};
use crate::features::MoveFeatures;

/// Runs one playout from each start.
pub(super) fn run<C: Code>(
    engine: &LaneEngine<C>,
    (find_features, limit): (&dyn Fn() -> Arc<MoveFeatures>, Limit),
    starts: &[&Bits],
    chooser: &mut dyn Chooser,
    rng: &mut Rng,
    out: &mut Vec<Playout>,
) {
    let first = out.len();
    out.resize(first + starts.len(), Playout::default());
    let mut play = PolicyPlay::new(engine, (find_features, limit), starts, &mut out[first..]);
    play.start();
    while !play.live.is_zero() {
        play.look();
        play.choose(chooser, rng);
        play.advance();
    }
}

/// The playouts in progress.
struct PolicyPlay<'a, C> {
    engine: &'a LaneEngine<C>,
    memory: LaneMemory,
    starts: &'a [&'a Bits],
    playouts: &'a mut [Playout],
    /// The number of steps so far.
    steps: u32,
    /// The next start to be played.
    next_start: usize,
    /// The playout of each lane.
    playing: [usize; Plane::LANES],
    live: Plane,
    /// The legal moves of each lane, as bits of `does`, lane after lane.
    legal: Vec<u64>,
    words: usize,
    moves: Vec<Move>,
    payoffs: LanePayoffs,
    /// The features in the codes of moves, derived when a policy first needs codes.
    features: OnceCell<Arc<MoveFeatures>>,
    find_features: &'a dyn Fn() -> Arc<MoveFeatures>,
    limit: Limit,
}

impl<'a, C: Code> PolicyPlay<'a, C> {
    fn new(
        engine: &'a LaneEngine<C>,
        (find_features, limit): (&'a dyn Fn() -> Arc<MoveFeatures>, Limit),
        starts: &'a [&'a Bits],
        playouts: &'a mut [Playout],
    ) -> Self {
        let words = engine.network.does.len().div_ceil(64);
        PolicyPlay {
            engine,
            memory: engine.memory(),
            starts,
            playouts,
            steps: 0,
            next_start: 0,
            playing: [0; Plane::LANES],
            live: Plane::ZERO,
            legal: vec![0; words * Plane::LANES],
            words,
            moves: engine.network.does.iter().map(|&(_, m)| m).collect(),
            payoffs: LanePayoffs::new(engine.network.roles.len()),
            features: OnceCell::new(),
            find_features,
            limit,
        }
    }

    /// Starts playouts in free lanes.
    fn start(&mut self) {
        let mut free = lanes_of(!self.live);
        while self.next_start < self.starts.len() {
            let batch: Vec<usize> =
                free.by_ref().take(64.min(self.starts.len() - self.next_start)).collect();
            if batch.is_empty() {
                return;
            }
            let mut lanes = Plane::ZERO;
            let states = &self.starts[self.next_start..][..batch.len()];
            for (&lane, start) in batch.iter().zip(self.next_start..) {
                lanes.set(lane, true);
                self.playing[lane] = start;
            }
            let states: Vec<&[u64]> = states.iter().map(|state| state.words()).collect();
            scatter(&states, lanes, &mut self.memory.state);
            self.live = self.live | lanes;
            self.next_start += batch.len();
        }
    }

    /// Evaluates all states; replaces playouts that are over until none is.
    fn look(&mut self) {
        loop {
            self.engine.run(Task::Look, &mut self.memory);
            let layout = &self.engine.programs.layout;
            let terminal = self.memory.frame[layout.terminal as usize];
            let overdue = self.overdue();
            let over = (terminal | self.stuck() | overdue) & self.live;
            if over.is_zero() {
                return;
            }
            self.end(over, over & terminal, over & overdue & !terminal);
            self.start();
        }
    }

    fn legal_planes(&self) -> &[Plane] {
        let first = self.engine.programs.layout.legal as usize;
        &self.memory.frame[first..][..self.engine.network.does.len()]
    }

    /// Where a role has no legal move.
    fn stuck(&self) -> Plane {
        let legal = self.legal_planes();
        let roles = self.engine.network.does_of_roles();
        let any = |range: std::ops::Range<usize>| {
            legal[range].iter().fold(Plane::ZERO, |any, &plane| any | plane)
        };
        !roles.into_iter().fold(Plane::ONES, |all, range| all & any(range))
    }

    fn overdue(&self) -> Plane {
        let mut overdue = Plane::ZERO;
        if self.steps < self.limit.plies {
            return overdue;
        }
        for lane in lanes_of(self.live) {
            overdue.set(lane, self.playouts[self.playing[lane]].plies >= self.limit.plies);
        }
        overdue
    }

    fn end(&mut self, lanes: Plane, finished: Plane, cut: Plane) {
        self.engine.run(Task::Goals, &mut self.memory);
        let first = self.engine.programs.layout.goals as usize;
        let goals = &self.memory.frame[first..][..self.engine.network.goals.len()];
        let ended = Ended { lanes, finished, cut, cut_worth: self.limit.cut, goals };
        self.payoffs.read(&self.engine.network.goals, &ended);
        for lane in lanes_of(lanes) {
            let playout = &mut self.playouts[self.playing[lane]];
            playout.payoffs = self.payoffs.of(lane).to_vec().into();
            playout.finished = finished.get(lane);
        }
        self.live = self.live & !lanes;
    }

    /// Lets the policy choose the moves, one role after the other.
    fn choose(&mut self, chooser: &mut dyn Chooser, rng: &mut Rng) {
        if self.live.is_zero() {
            return;
        }
        self.transpose_legal();
        let n_does = self.engine.network.does.len();
        let first = self.engine.programs.layout.does as usize;
        self.memory.frame[first..][..n_does].fill(Plane::ZERO);
        for (role_idx, range) in self.engine.network.does_of_roles().into_iter().enumerate() {
            let mut turns = RoleTurns {
                play: self,
                role: Role(role_idx as u8),
                range,
                undecided: Plane::ZERO,
                lane: usize::MAX,
                options: Vec::new(),
                legal: Vec::new(),
            };
            turns.make_forced_moves();
            turns.decide_all(chooser, rng);
        }
    }

    /// Turns the legal planes into bits of each lane.
    fn transpose_legal(&mut self) {
        let first = self.engine.programs.layout.legal as usize;
        let planes = &self.memory.frame[first..][..self.engine.network.does.len()];
        gather(planes, self.words, &mut self.legal);
    }

    fn advance(&mut self) {
        if self.live.is_zero() {
            return;
        }
        self.engine.run(Task::Next, &mut self.memory);
        self.memory.step();
        self.steps = self.steps.saturating_add(1);
        for lane in lanes_of(self.live) {
            self.playouts[self.playing[lane]].plies += 1;
        }
    }
}

/// The decisions of one role in all lanes.
struct RoleTurns<'g, 'a, C> {
    play: &'g mut PolicyPlay<'a, C>,
    role: Role,
    /// The role's part of `does`.
    range: std::ops::Range<usize>,
    /// The lanes in which the role has not moved yet.
    undecided: Plane,
    /// The current lane, and its legal moves as numbers of `does` and as moves.
    lane: usize,
    options: Vec<u32>,
    legal: Vec<Move>,
}

impl<C: Code> RoleTurns<'_, '_, C> {
    /// Makes forced moves, which are no decisions; the other live lanes are undecided.
    fn make_forced_moves(&mut self) {
        for lane in lanes_of(self.play.live) {
            let mut legal = self.legal_does(lane);
            let (first, second) = (legal.next(), legal.next());
            drop(legal);
            match (first, second) {
                (Some(does), None) => self.make_move(lane, does),
                _ => self.undecided.set(lane, true),
            }
        }
    }

    /// The legal ones of the role's `does` in a lane.
    fn legal_does(&self, lane: usize) -> impl Iterator<Item = usize> {
        let (start, end) = (self.range.start, self.range.end);
        let (first, last) = (start / 64, end.div_ceil(64));
        let words = &self.play.legal[lane * self.play.words..][first..last];
        ones(words)
            .map(move |bit| bit + first * 64)
            .skip_while(move |&bit| bit < start)
            .take_while(move |&bit| bit < end)
    }

    fn make_move(&mut self, lane: usize, does: usize) {
        let first = self.play.engine.programs.layout.does as usize;
        self.play.memory.frame[first + does].set(lane, true);
        let playout = &mut self.play.playouts[self.play.playing[lane]];
        playout.moves.push(self.play.moves[does]);
    }

    /// The code of one of the role's `does` in the current lane.
    fn code_of(&self, does: usize) -> u32 {
        let features = self.play.features.get_or_init(self.play.find_features);
        if features.is_empty() {
            return self.play.moves[does].0;
        }
        let state = &self.play.memory.state;
        features.code_where(does, |fluent| state[fluent as usize].get(self.lane))
    }

    /// Makes a lane the current one, and finds its legal moves.
    fn select(&mut self, lane: usize) {
        let mut options = std::mem::take(&mut self.options);
        options.clear();
        options.extend(self.legal_does(lane).map(|does| does as u32));
        self.legal.clear();
        self.legal.extend(options.iter().map(|&does| self.play.moves[does as usize]));
        self.options = options;
        self.lane = lane;
    }
}

/// The codes of moves in the current lane.
impl<C: Code> Features for RoleTurns<'_, '_, C> {
    fn code(&self, m: Move) -> u32 {
        let position = self.legal.iter().position(|&legal| legal == m);
        position.map_or(m.0, |i| self.code_of(self.options[i] as usize))
    }

    fn codes(&self, moves: &[Move], out: &mut Vec<u32>) {
        if moves == self.legal {
            out.extend(self.options.iter().map(|&does| self.code_of(does as usize)));
        } else {
            out.extend(moves.iter().map(|&m| self.code(m)));
        }
    }

    fn facts(&self, out: &mut Vec<u32>) {
        let fluents = self.play.memory.state.iter().zip(0..self.play.engine.network.fluents.len());
        let holding = fluents.filter(|(plane, _)| plane.get(self.lane));
        out.extend(holding.map(|(_, fluent)| fluent as u32));
    }
}

impl<C: Code> RoleTurns<'_, '_, C> {
    /// Lets the policy choose a move in each undecided lane.
    fn decide_all(&mut self, chooser: &mut dyn Chooser, rng: &mut Rng) {
        for word in 0..self.undecided.0.len() {
            let mut undecided = self.undecided.0[word];
            while undecided != 0 {
                let lane = word * 64 + undecided.trailing_zeros() as usize;
                undecided &= undecided - 1;
                self.select(lane);
                let choice = chooser.choose(&self.turn(), rng);
                self.make_move(lane, self.options[choice] as usize);
                self.undecided.set(lane, false);
            }
        }
    }

    /// The decision in the current lane.
    fn turn(&self) -> Turn<'_> {
        let game = self.play.playing[self.lane];
        let made = &self.play.playouts[game].moves;
        // The moves of this turn's earlier roles are at the end of the record.
        let complete = made.len() - self.role.index();
        Turn {
            game,
            role: self.role,
            legal: &self.legal,
            history: &made[..complete],
            n_roles: self.play.engine.network.roles.len(),
            features: self,
        }
    }
}
