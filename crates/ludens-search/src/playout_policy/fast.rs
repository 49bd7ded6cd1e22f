//! FAST, the features-to-action sampling technique (Finnsson and Björnsson 2010, "Learning Simulation
//! Control in General Game-Playing Agents"): what states are worth is learnt as a sum over their features by
//! TD(λ), and a move is drawn with probability in proportion to exp(Q / τ), where Q is what it makes of them.
//!
//! In the paper features are pieces and squares that templates find in rules of board games, and Q is the
//! worth of the piece that is taken or of the square that is entered. Rules have no pieces in general. Here
//! features are the facts of a state, and what a move makes of them is counted in simulations: Q is the sum
//! over all facts of their weight times the rate at which the move made them appear, less the rate at which it
//! made them vanish. So a capture is worth what the facts of the captured piece are, in any game that tells its facts.

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

/// Weights of facts, and what moves make of facts.
#[derive(Clone, Debug)]
pub struct Fast {
    /// How little differences of worth matter (τ).
    pub temperature: f32,
    /// Part of the way that the worth of a state goes towards what it is found to be (α).
    pub alpha: f32,
    /// How much later states count against the next one (λ).
    pub lambda: f32,
    /// How much of what was learnt is kept from one move of the game to the next.
    pub keep: f32,
    /// By role.
    tables: Vec<Table>,
    /// How often weights have changed.
    version: u64,
    /// By the number of the playout.
    traces: Vec<Trace>,
    /// A whole simulation.
    simulation: Trace,
    drawn: Vec<f32>,
}

/// What is known to one role.
#[derive(Clone, Debug, Default)]
struct Table {
    /// By fact.
    thetas: Vec<f32>,
    /// By number.
    moves: Vec<Effects>,
}

/// What a move makes of facts.
#[derive(Clone, Debug, Default)]
struct Effects {
    /// How often it was made and a decision followed.
    plays: f32,
    /// How often facts appeared then, less how often they vanished; sorted by fact.
    changes: Vec<(u32, f32)>,
    /// exp(Q / τ) as it was with the weights of a version.
    weight: f32,
    version: u64,
}

/// What a state is worth of which nothing is known.
const EVEN: f32 = 0.5;

/// Exponents beyond this would leave the range of numbers.
const STEEPEST: f32 = 60.0;

impl Table {
    fn theta(&self, fact: u32) -> f32 {
        self.thetas.get(fact as usize).copied().unwrap_or_default()
    }

    /// What a state with these facts is worth.
    fn worth(&self, facts: &[u32]) -> f32 {
        EVEN + facts.iter().map(|&fact| self.theta(fact)).sum::<f32>()
    }

    /// TD(λ) by its forward view, last state first: a state moves towards the worth of the next one as far as
    /// λ is small, and towards what that one moved to as far as λ is large; the last one towards the payoff. As
    /// the step is shared out between the facts of a state, none moves beyond its target, however long games are.
    fn learn_worth(&mut self, simulation: &Trace, payoff: f32, (alpha, lambda): (f32, f32)) {
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

    /// Counts what became of the facts when a move was made.
    fn learn_effects(&mut self, mv: Move, before: &[u32], after: &[u32]) {
        if self.moves.len() <= mv.index() {
            self.moves.resize(mv.index() + 1, Effects::default());
        }
        let effects = &mut self.moves[mv.index()];
        effects.plays += 1.0;
        each_change(before, after, |fact, by| effects.add(fact, by));
        // Rates stay what they are, and small numbers can still be counted.
        if effects.plays >= MOST {
            effects.fade(0.5);
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

    /// The weight of a move, worked out again if weights of facts have changed since.
    fn weight(&mut self, mv: Move, temperature: f32, version: u64) -> f32 {
        match self.moves.get(mv.index()) {
            Some(effects) if effects.version == version => effects.weight,
            Some(_) => {
                let exponent = self.value(mv) / temperature;
                let weight = exponent.clamp(-STEEPEST, STEEPEST).exp();
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

    /// All that was counted is worth only a part of it from now on.
    fn fade(&mut self, part: f32) {
        self.plays *= part;
        self.changes.iter_mut().for_each(|change| change.1 *= part);
    }
}

impl Fast {
    /// A policy without experience.
    pub fn new(temperature: f32, alpha: f32, lambda: f32, keep: f32) -> Self {
        Fast {
            temperature,
            alpha,
            lambda,
            keep,
            tables: Vec::new(),
            // That of moves that were never asked about is 0.
            version: 1,
            traces: Vec::new(),
            simulation: Trace::default(),
            drawn: Vec::new(),
        }
    }

    /// What a state in which some facts hold is taken to be worth to a role.
    pub fn worth(&self, role: Role, facts: &[u32]) -> f32 {
        self.tables.get(role.index()).map_or(EVEN, |table| table.worth(facts))
    }

    /// By how much a role's move is taken to change what the state is worth to it (Q).
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
        let Fast { tables, drawn, temperature, version, .. } = self;
        let Some(table) = tables.get_mut(turn.role.index()) else {
            return Some(rng.below(turn.legal.len()));
        };
        drawn.clear();
        drawn.extend(turn.legal.iter().map(|&mv| table.weight(mv, *temperature, *version)));
        Some(roulette(drawn, rng))
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
        simulation.append_way(episode);
        let trace = self.trace(episode.game);
        simulation.append(trace);
        trace.clear();
        self.tables.resize(episode.payoffs.len().max(self.tables.len()), Table::default());
        for (table, &payoff) in self.tables.iter_mut().zip(episode.payoffs) {
            table.learn_worth(&simulation, payoff, (self.alpha, self.lambda));
        }
        // The facts after the last decision were never seen.
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
                effects.fade(keep);
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
