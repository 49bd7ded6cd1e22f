//! FAST, the features-to-action sampling technique (Finnsson and Björnsson 2010, "Learning Simulation
//! Control in General Game-Playing Agents"): the value of a state is learnt as a linear function of its
//! features by TD(λ), and a move is drawn with probability proportional to exp(Q / τ), where Q is the change
//! of that value by the move.
//!
//! In the paper features are pieces and squares that templates find in rules of board games, and Q is the
//! value of the captured piece or of the target square. Rules have no pieces in general. Here features are
//! the facts of a state, and the effects of a move on them are counted in simulations: Q is the sum over all
//! facts of their weight times the rate at which the move made them appear, minus the rate at which it made
//! them vanish. So the value of a capture is that of the facts of the captured piece, in any game with
//! numbered facts.

mod trace;

#[cfg(test)]
mod tests;

use ludens_core::{Move, Rng, Role, Turn};

use self::trace::{Trace, each_change};
use super::sample::roulette;
use super::{PlayoutPolicy, Position};
use crate::counting::MOST;
use crate::episode::{Episode, Path};
use crate::tree::Tree;

/// Weights of facts, and the effects of moves on facts.
#[derive(Clone, Debug)]
pub struct Fast {
    /// Temperature of the softmax over values (τ).
    pub temperature: f32,
    /// Step size: the fraction by which the value of a state moves towards its target (α).
    pub alpha: f32,
    /// Weight of later states against the next one (λ).
    pub lambda: f32,
    /// The fraction of what was learnt that is kept from one move of the match to the next.
    pub keep: f32,
    /// By role.
    tables: Vec<Table>,
    /// The version of the weights of facts.
    version: u64,
    /// By the number of the playout.
    traces: Vec<Trace>,
    /// The trace of a whole simulation.
    simulation: Trace,
    weights: Vec<f32>,
}

/// What one role has learnt.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The weights of facts, by fact.
    thetas: Vec<f32>,
    /// By move.
    moves: Vec<Effects>,
}

/// The effects of a move on facts.
#[derive(Clone, Debug, Default)]
struct Effects {
    /// How often it was played and a decision followed.
    plays: f32,
    /// How often facts then appeared, minus how often they vanished; sorted by fact.
    changes: Vec<(u32, f32)>,
    /// exp(Q / τ) with the weights of `version`.
    weight: f32,
    version: u64,
}

/// The value of a state about which nothing is known.
const EVEN: f32 = 0.5;

/// Larger exponents could overflow or underflow.
const MAX_EXPONENT: f32 = 60.0;

impl Table {
    fn theta(&self, fact: u32) -> f32 {
        self.thetas.get(fact as usize).copied().unwrap_or_default()
    }

    /// The value of a state with these facts.
    fn worth(&self, facts: &[u32]) -> f32 {
        EVEN + facts.iter().map(|&fact| self.theta(fact)).sum::<f32>()
    }

    /// TD(λ) in its forward view, last state first: the target of a state is the mean of the value of the
    /// next one, with weight 1 − λ, and of its target, with weight λ; the target of the last one is the payoff.
    /// Since the step is divided among the facts of a state, no value overshoots its target, however long
    /// matches are.
    fn learn_values(&mut self, simulation: &Trace, payoff: f32, (alpha, lambda): (f32, f32)) {
        let (mut target, mut next) = (payoff, payoff);
        for i in (0..simulation.len()).rev() {
            let facts = simulation.facts(i);
            let worth = self.worth(facts);
            target = (1.0 - lambda) * next + lambda * target;
            let step = alpha * (target - worth) / facts.len().max(1) as f32;
            if let Some(&highest) = facts.last()
                && self.thetas.len() <= highest as usize
            {
                self.thetas.resize(highest as usize + 1, 0.0);
            }
            for &fact in facts {
                self.thetas[fact as usize] += step;
            }
            next = worth;
        }
    }

    /// Counts the changes of the facts by a move.
    fn learn_effects(&mut self, mv: Move, before: &[u32], after: &[u32]) {
        if self.moves.len() <= mv.index() {
            self.moves.resize(mv.index() + 1, Effects::default());
        }
        let effects = &mut self.moves[mv.index()];
        effects.plays += 1.0;
        each_change(before, after, |fact, by| effects.add(fact, by));
        // Halving keeps the rates, and counts stay small enough to be incremented.
        if effects.plays >= MOST {
            effects.decay(0.5);
        }
    }

    /// Q of a move.
    fn value(&self, mv: Move) -> f32 {
        let Some(effects) = self.moves.get(mv.index()).filter(|known| known.plays > 0.0) else {
            return 0.0;
        };
        let changes = effects.changes.iter();
        changes.map(|&(fact, by)| by * self.theta(fact)).sum::<f32>() / effects.plays
    }

    /// The weight of a move, recomputed if weights of facts have changed.
    fn weight(&mut self, mv: Move, temperature: f32, version: u64) -> f32 {
        match self.moves.get(mv.index()) {
            Some(effects) if effects.version == version => effects.weight,
            Some(_) => {
                let exponent = self.value(mv) / temperature;
                let weight = exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT).exp();
                let effects = &mut self.moves[mv.index()];
                (effects.weight, effects.version) = (weight, version);
                weight
            }
            None => 1.0,
        }
    }
}

impl Effects {
    fn add(&mut self, fact: u32, by: f32) {
        match self.changes.binary_search_by_key(&fact, |change| change.0) {
            Ok(place) => self.changes[place].1 += by,
            Err(place) => self.changes.insert(place, (fact, by)),
        }
    }

    /// Multiplies all counts by a factor.
    fn decay(&mut self, factor: f32) {
        self.plays *= factor;
        self.changes.iter_mut().for_each(|change| change.1 *= factor);
    }
}

impl Fast {
    /// A policy that has learnt nothing.
    pub fn new(temperature: f32, alpha: f32, lambda: f32, keep: f32) -> Self {
        Fast {
            temperature,
            alpha,
            lambda,
            keep,
            tables: Vec::new(),
            // New moves have version 0.
            version: 1,
            traces: Vec::new(),
            simulation: Trace::default(),
            weights: Vec::new(),
        }
    }

    /// The estimated value for a role of a state in which these facts hold.
    pub fn worth(&self, role: Role, facts: &[u32]) -> f32 {
        self.tables.get(role.index()).map_or(EVEN, |table| table.worth(facts))
    }

    /// The estimated change of the state's value for a role by its move (Q).
    pub fn value(&self, role: Role, mv: Move) -> f32 {
        self.tables.get(role.index()).map_or(0.0, |table| table.value(mv))
    }

    fn trace(&mut self, game: usize) -> &mut Trace {
        if self.traces.len() <= game {
            self.traces.resize(game + 1, Trace::default());
        }
        &mut self.traces[game]
    }
}

impl PlayoutPolicy for Fast {
    fn begin(&mut self, _tree: &Tree, _path: &Path, game: usize) {
        self.trace(game).clear();
    }

    fn choose(&mut self, turn: &Turn<'_>, _: Option<&[Move]>, rng: &mut Rng) -> Option<usize> {
        let Fast { tables, weights, temperature, version, .. } = self;
        let Some(table) = tables.get_mut(turn.role.index()) else {
            return Some(rng.below(turn.legal.len()));
        };
        weights.clear();
        weights.extend(turn.legal.iter().map(|&mv| table.weight(mv, *temperature, *version)));
        Some(roulette(weights, rng))
    }

    fn decided(&mut self, turn: &Turn<'_>, chosen: usize, _asked: bool) {
        let made = turn.history.len();
        let trace = self.trace(turn.game);
        // Roles that move at the same time decide in the same state.
        if !trace.is_at(made) {
            trace.open(made, |facts| turn.features.facts(facts));
        }
        trace.decide(turn.role, turn.legal[chosen]);
    }

    fn learn(&mut self, episode: &Episode<'_>) {
        let mut simulation = std::mem::take(&mut self.simulation);
        simulation.clear();
        simulation.append_path(episode);
        let trace = self.trace(episode.game);
        simulation.append(trace);
        trace.clear();
        self.tables.resize(episode.payoffs.len().max(self.tables.len()), Table::default());
        for (table, &payoff) in self.tables.iter_mut().zip(episode.payoffs) {
            table.learn_values(&simulation, payoff, (self.alpha, self.lambda));
        }
        // The facts after the last decision are unknown.
        for next in 1..simulation.len() {
            let (before, after) = (simulation.facts(next - 1), simulation.facts(next));
            for &(role, mv) in simulation.decisions(next - 1) {
                self.tables[role.index()].learn_effects(mv, before, after);
            }
        }
        self.version += 1;
        self.simulation = simulation;
    }

    fn next_move(&mut self, _position: &Position<'_>) {
        let keep = self.keep;
        if keep >= 1.0 {
            return;
        }
        for Table { thetas, moves } in &mut self.tables {
            for theta in thetas {
                *theta *= keep;
            }
            for effects in moves {
                effects.decay(keep);
            }
        }
        self.version += 1;
    }

    fn new_game(&mut self) {
        self.tables.clear();
        self.traces.iter_mut().for_each(Trace::clear);
    }

    fn bytes(&self) -> usize {
        let of_move = |effects: &Effects| {
            size_of_val(effects) + effects.changes.capacity() * size_of::<(u32, f32)>()
        };
        let of_table = |table: &Table| {
            table.thetas.capacity() * size_of::<f32>()
                + table.moves.iter().map(of_move).sum::<usize>()
        };
        self.tables.iter().map(of_table).sum()
    }

    fn fresh(&self) -> Box<dyn PlayoutPolicy> {
        Box::new(Fast::new(self.temperature, self.alpha, self.lambda, self.keep))
    }
}
