//! Compares the turns that policies get in the lanes of a simulator with the game itself.

use std::collections::BTreeMap;

use ludens_core::{Chooser, Game, Move, Playout, Rng, Role, Simulator, Turn, View};

use super::{Fault, Way};
use crate::contract::replay;

/// All inputs of a policy's decision.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Decision {
    role: Role,
    legal: Vec<Move>,
    codes: Vec<u32>,
    facts: Vec<u32>,
    previous: Option<Vec<Move>>,
}

/// Runs one playout from each start, replays it with the game itself, and compares the endings and
/// the decisions of all lanes. Returns the number of decisions.
pub fn check_decisions<G: Game>(
    game: &G,
    simulator: &mut dyn Simulator<G>,
    starts: &[&G::State],
    seed: u64,
) -> Result<u64, Fault> {
    let way = Way::Run;
    let mut recorder = Recorder::default();
    let mut playouts = Vec::new();
    simulator.run(starts, &mut recorder, &mut Rng::new(seed), &mut playouts);
    if playouts.len() != starts.len() {
        let what = format!("{} playouts for {} starts", playouts.len(), starts.len());
        return Err(Fault { way, start: 0, what });
    }
    let mut expected = BTreeMap::new();
    for (start, (state, playout)) in starts.iter().zip(&playouts).enumerate() {
        count_decisions(game, state, playout, &mut expected).map_err(|what| Fault {
            way,
            start,
            what,
        })?;
    }
    match first_difference(&recorder.seen, &expected) {
        None => Ok(expected.values().sum()),
        Some(what) => Err(Fault { way, start: 0, what }),
    }
}

/// A simulator may assign lanes to starts as it likes, so that decisions are compared as a
/// multiset.
fn first_difference(
    seen: &BTreeMap<Decision, u64>,
    expected: &BTreeMap<Decision, u64>,
) -> Option<String> {
    let count = |decision: &Decision| seen.get(decision).copied().unwrap_or_default();
    let missing = expected.iter().find(|(decision, times)| count(decision) != **times);
    let extra = seen.iter().find(|(decision, _)| !expected.contains_key(decision));
    missing
        .map(|(decision, times)| {
            format!("decided {} times instead of {times}: {decision:?}", count(decision))
        })
        .or_else(|| extra.map(|(decision, _)| format!("decided but not in the game: {decision:?}")))
}

fn count_decisions<G: Game>(
    game: &G,
    start: &G::State,
    playout: &Playout,
    expected: &mut BTreeMap<Decision, u64>,
) -> Result<(), String> {
    let count = |state: &G::State, view: &View, previous: Option<&[Move]>| {
        let mut facts = Vec::new();
        if let Some(vocabulary) = game.vocabulary() {
            vocabulary.fact_ids(state, &mut facts);
        }
        for (role, legal) in view.legal.entries().filter(|(_, legal)| legal.len() > 1) {
            let codes = legal.iter().map(|&m| game.code(state, role, m)).collect();
            let previous = previous.map(<[Move]>::to_vec);
            let (legal, facts) = (legal.clone(), facts.clone());
            let decision = Decision { role, legal, codes, facts, previous };
            *expected.entry(decision).or_default() += 1;
        }
    };
    replay(game, start, playout, count)
}

/// A uniform policy that records its turns.
#[derive(Default)]
struct Recorder {
    seen: BTreeMap<Decision, u64>,
}

impl Chooser for Recorder {
    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> usize {
        // A simulator may call policies for forced moves, but need not.
        if turn.legal.len() > 1 {
            let codes = turn.legal.iter().map(|&m| turn.features.code(m)).collect();
            let mut facts = Vec::new();
            turn.features.facts(&mut facts);
            let (role, legal) = (turn.role, turn.legal.to_vec());
            let previous = turn.previous().map(<[Move]>::to_vec);
            let decision = Decision { role, legal, codes, facts, previous };
            *self.seen.entry(decision).or_default() += 1;
        }
        rng.below(turn.legal.len())
    }
}
