//! Playouts as evaluations.
//!
//! Uniform playouts of which only the payoffs are needed run as a stream: a lane that finishes takes the
//! next leaf at once. Others run in rounds, one playout for each offered leaf, by the policies and random
//! numbers of its search.

use ludens_core::{Game, Rng, Simulator};

use super::rounds::Rounds;
use super::{Demand, Evaluated, Evaluator, Leaf, Policies};

/// Evaluates leaves by playouts.
pub struct Playouts<G: Game> {
    simulator: Box<dyn Simulator<G>>,
    /// Whether playouts run as a stream.
    streams: bool,
    /// The number of playouts of the stream in progress.
    n_streaming: usize,
    /// Random numbers of the stream, unless they are those of the first search.
    rng: Option<Rng>,
    rounds: Rounds<G>,
}

impl<G: Game> Playouts<G> {
    /// An evaluator that uses this simulator.
    pub fn new(simulator: Box<dyn Simulator<G>>) -> Self {
        Playouts { simulator, streams: false, n_streaming: 0, rng: None, rounds: Rounds::default() }
    }
}

impl<G: Game> Evaluator<G> for Playouts<G> {
    fn capacity(&self) -> usize {
        self.simulator.lanes()
    }

    fn room(&self) -> usize {
        if self.streams { self.simulator.room() } else { usize::MAX }
    }

    fn begin(&mut self, demand: &Demand) {
        self.simulator.limit(demand.limit);
        self.streams = demand.uniform;
        self.rng.clone_from(&demand.rng);
    }

    fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, policies: &mut Policies<'_, G>) {
        if self.streams {
            self.simulator.offer(tag, leaf.state);
            self.n_streaming += 1;
        } else {
            self.rounds.offer(tag, leaf, policies);
        }
    }

    fn collect(&mut self, policies: &mut [Policies<'_, G>], out: &mut Evaluated) {
        if !self.streams {
            return self.rounds.play(&mut *self.simulator, policies, out);
        }
        if self.n_streaming > 0 {
            let n_before = out.len();
            let rng = self.rng.as_mut().unwrap_or(&mut *policies[0].rng);
            self.simulator.advance(rng, out.outcomes());
            self.n_streaming -= out.len() - n_before;
        }
    }

    fn abandon(&mut self) {
        self.simulator.abandon();
        self.n_streaming = 0;
        self.rounds.clear();
    }
}
