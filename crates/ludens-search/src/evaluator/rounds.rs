//! Playouts in rounds: one for each leaf, by the policies of its search.

use ludens_core::{Chooser, Game, Playout, Rng, Simulator, Turn};

use super::{Evaluated, Leaf, Policies};

/// A leaf waiting for its playout.
#[derive(Clone, Copy)]
struct Start {
    tag: u32,
    search_idx: usize,
    /// The number by which the policies of its search identify the playout.
    game: usize,
    /// The index of its state.
    state: usize,
}

/// The leaves of a round.
pub(super) struct Rounds<G: Game> {
    starts: Vec<Start>,
    /// States, the first `starts.len()` of which are in use; the others keep their allocations for reuse.
    states: Vec<G::State>,
    played: Vec<Playout>,
}

impl<G: Game> Default for Rounds<G> {
    fn default() -> Self {
        Rounds { starts: Vec::new(), states: Vec::new(), played: Vec::new() }
    }
}

impl<G: Game> Rounds<G> {
    /// Adds a leaf to the round.
    pub(super) fn offer(&mut self, tag: u32, leaf: &Leaf<'_, G>, policies: &mut Policies<'_, G>) {
        policies.chain.begin(leaf.tree(), leaf.path, leaf.game);
        let state = self.starts.len();
        match self.states.get_mut(state) {
            Some(old) => old.clone_from(leaf.state),
            None => self.states.push(leaf.state.clone()),
        }
        let Leaf { search_idx, game, .. } = *leaf;
        self.starts.push(Start { tag, search_idx, game, state });
    }

    /// Plays the round, in the order of the searches.
    pub(super) fn play(
        &mut self,
        simulator: &mut dyn Simulator<G>,
        policies: &mut [Policies<'_, G>],
        out: &mut Evaluated,
    ) {
        if self.starts.is_empty() {
            return;
        }
        self.played.clear();
        self.starts.sort_by_key(|start| start.search_idx);
        let Rounds { starts, states, played } = self;
        if simulator.lanes() == 1 {
            // Playouts are sequential anyway, and a chain that is passed directly may offer fixed weights.
            for group in starts.chunk_by(|a, b| a.search_idx == b.search_idx) {
                play_of_one(group, states, simulator, &mut policies[group[0].search_idx], played);
            }
        } else if starts[0].search_idx == starts[starts.len() - 1].search_idx {
            play_of_one(starts, states, simulator, &mut policies[starts[0].search_idx], played);
        } else {
            play_of_many(starts, states, simulator, policies, played);
        }
        for (start, playout) in self.starts.drain(..).zip(&self.played) {
            out.add_playout(start.tag, playout);
        }
    }

    /// Discards the leaves.
    pub(super) fn clear(&mut self) {
        self.starts.clear();
    }
}

/// Runs playouts from leaves of one search.
fn play_of_one<G: Game>(
    starts: &[Start],
    states: &[G::State],
    simulator: &mut dyn Simulator<G>,
    policies: &mut Policies<'_, G>,
    played: &mut Vec<Playout>,
) {
    if let [start] = starts
        && start.game == 0
    {
        let state = &states[start.state];
        return simulator.run(&[state], policies.chain, policies.rng, played);
    }
    let own: Vec<&G::State> = starts.iter().map(|start| &states[start.state]).collect();
    if starts.iter().enumerate().all(|(i, start)| start.game == i) {
        return simulator.run(&own, policies.chain, policies.rng, played);
    }
    let mut renumbered = Renumbered { starts, policies };
    simulator.run(&own, &mut renumbered, &mut Rng::new(0), played);
}

/// Runs playouts from leaves of several searches in parallel.
fn play_of_many<G: Game>(
    starts: &[Start],
    states: &[G::State],
    simulator: &mut dyn Simulator<G>,
    policies: &mut [Policies<'_, G>],
    played: &mut Vec<Playout>,
) {
    let all: Vec<&G::State> = starts.iter().map(|start| &states[start.state]).collect();
    // Every search has its own random numbers; the simulator needs none.
    simulator.run(&all, &mut Many { starts, policies }, &mut Rng::new(0), played);
}

/// The policies of one search whose leaves are not numbered consecutively, because some are evaluated by
/// other means.
struct Renumbered<'a, 'p, G: Game> {
    starts: &'a [Start],
    policies: &'a mut Policies<'p, G>,
}

impl<G: Game> Chooser for Renumbered<'_, '_, G> {
    fn choose(&mut self, turn: &Turn<'_>, _: &mut Rng) -> usize {
        let Policies { chain, rng, .. } = &mut *self.policies;
        chain.choose(&Turn { game: self.starts[turn.game].game, ..*turn }, rng)
    }
}

/// The policies of several searches.
struct Many<'a, 'p, G: Game> {
    starts: &'a [Start],
    policies: &'a mut [Policies<'p, G>],
}

impl<G: Game> Chooser for Many<'_, '_, G> {
    fn choose(&mut self, turn: &Turn<'_>, _: &mut Rng) -> usize {
        let Start { search_idx, game, .. } = self.starts[turn.game];
        let Policies { chain, rng, .. } = &mut self.policies[search_idx];
        chain.choose(&Turn { game, ..*turn }, rng)
    }
}
