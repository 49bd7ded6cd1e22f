//! Random networks, and reference values of their gates.

use std::ops::Range;

use ludens_core::{Move, Rng, Role};
use ludens_propnet::net::{Block, Gate, Net, Signal};
use ludens_propnet::{Bits, Goal, Network, ones};

/// Generates random networks, with blocks and hubs that grounded rules may lack.
pub struct NetworkWriter {
    rng: Rng,
    net: Net,
}

impl NetworkWriter {
    const FLUENTS: u32 = 70;
    const DOES: u32 = 10;

    /// The network of a seed.
    pub fn write(seed: u64) -> Network {
        let fluents = (0..Self::FLUENTS).map(Gate::Fluent);
        let gates = std::iter::once(Gate::True).chain(fluents).collect();
        let mut writer = NetworkWriter { rng: Rng::new(seed), net: Net { gates, blocks: vec![] } };
        writer.layers();
        let seen = writer.net.gates.len();
        writer.net.gates.extend((0..Self::DOES).map(Gate::Does));
        writer.layers();
        let all = writer.net.gates.len();
        let mut outputs = |count: u32, below: usize| -> Vec<Signal> {
            (0..count).map(|_| writer.signal(below)).collect()
        };
        let legal = outputs(Self::DOES, seen);
        let next = outputs(Self::FLUENTS, all);
        let payoffs = outputs(5, seen);
        let goal = |signal| Goal { role: Role(0), value: 50, signal };
        Network {
            roles: vec!["you".into()],
            fluents: (0..Self::FLUENTS).map(|i| format!("f{i}")).collect(),
            moves: (0..Self::DOES).map(|i| format!("m{i}")).collect(),
            does: (0..Self::DOES).map(|i| (Role(0), Move(i))).collect(),
            terminal: outputs(1, seen)[0],
            goals: payoffs.into_iter().map(goal).collect(),
            initial: vec![1, 3, 64],
            rows: Vec::new(),
            net: writer.net,
            legal,
            next,
        }
    }

    fn layers(&mut self) {
        for _ in 0..3 {
            (0..30).for_each(|_| self.gate(self.net.gates.len()));
            self.block();
        }
    }

    /// A signal of a gate below `below`: often a late one, and sometimes one of the first, which become
    /// hubs.
    fn signal(&mut self, below: usize) -> Signal {
        let gate = match self.rng.below(4) {
            0 => 1 + self.rng.below(3),
            1 => below - 1 - self.rng.below(20),
            _ => self.rng.below(below),
        };
        let signal = Signal::of(gate);
        if self.rng.below(3) == 0 { !signal } else { signal }
    }

    /// Adds a gate over signals of gates below `below`.
    fn gate(&mut self, below: usize) {
        let count = 1 + self.rng.below(4);
        let parts: Vec<Signal> = (0..count).map(|_| self.signal(below)).collect();
        self.add(parts);
    }

    fn add(&mut self, mut parts: Vec<Signal>) {
        // As in every network, a gate reads a signal once and never together with its negation.
        parts.sort_unstable();
        parts.dedup_by_key(|part| part.gate());
        let all = self.rng.below(2) == 0;
        let gate = if all { Gate::And(parts.into()) } else { Gate::Or(parts.into()) };
        self.net.gates.push(gate);
    }

    /// Adds a block of gates that read each other without negation, and any gate before.
    fn block(&mut self) {
        let (first, n_loops) = (self.net.gates.len(), 2 + self.rng.below(6));
        self.net.gates.extend(vec![Gate::Loop; n_loops]);
        for _ in 0..3 * n_loops {
            let inside = self.net.gates.len() - first;
            let own = Signal::of(first + self.rng.below(inside));
            let parts = vec![own, self.signal(first), Signal::of(first + self.rng.below(inside))];
            self.add(parts);
        }
        let end = self.net.gates.len();
        let defined = (first..first + n_loops).map(|gate| {
            let outside = self.rng.below(8) == 0;
            let definition = Signal::of(first + n_loops + self.rng.below(end - first - n_loops));
            (gate, if outside { Signal::of(self.rng.below(first)) } else { definition })
        });
        let loops = defined.collect();
        self.net.blocks.push(Block { first, end, loops });
    }

    /// A random state of any of these networks.
    pub fn state(rng: &mut Rng) -> Bits {
        let mut state = Bits::empty(Self::FLUENTS as usize);
        let holding = (0..Self::FLUENTS as usize).filter(|_| rng.below(3) == 0);
        holding.for_each(|fluent| state.set(fluent));
        state
    }
}

/// The value of every gate in a state, computed in the simplest way.
pub struct Reference(Vec<bool>);

impl Reference {
    /// The values with some moves made.
    pub fn new(network: &Network, state: &Bits, does: &[u32]) -> Self {
        let net = &network.net;
        let mut reference = Reference(vec![false; net.gates.len()]);
        let mut first = 0;
        for block in &net.blocks {
            reference.evaluate(net, first..block.first, state, does);
            // Loops become true one by one until none is false whose definition is true.
            loop {
                reference.evaluate(net, block.first..block.end, state, does);
                let mut loops = block.loops.iter();
                let risen =
                    loops.find(|(gate, signal)| reference.holds(*signal) && !reference.0[*gate]);
                let Some(&(gate, _)) = risen else { break };
                reference.0[gate] = true;
            }
            first = block.end;
        }
        reference.evaluate(net, first..net.gates.len(), state, does);
        reference
    }

    fn evaluate(&mut self, net: &Net, gates: Range<usize>, state: &Bits, does: &[u32]) {
        for i in gates {
            self.0[i] = match &net.gates[i] {
                Gate::True => true,
                Gate::Fluent(fluent) => ones(state.words()).any(|one| one == *fluent as usize),
                Gate::Does(made) => does.contains(made),
                Gate::Loop => self.0[i],
                Gate::And(parts) => parts.iter().all(|&part| self.holds(part)),
                Gate::Or(parts) => parts.iter().any(|&part| self.holds(part)),
            };
        }
    }

    fn holds(&self, signal: Signal) -> bool {
        self.0[signal.gate()] != signal.is_negated()
    }

    /// Some signals as bits, 64 to a word.
    pub fn bits(&self, signals: &[Signal]) -> Vec<u64> {
        let word = |signals: &[Signal]| {
            let bits = signals.iter().enumerate();
            bits.fold(0, |word, (i, &signal)| word | u64::from(self.holds(signal)) << i)
        };
        signals.chunks(64).map(word).collect()
    }
}
