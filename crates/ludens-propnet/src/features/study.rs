//! Chooses the fluents of each move among the candidates by their values in the sampled states.

use std::ops::Range;

use ludens_core::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::ones;
use crate::network::Network;
use crate::scalar::Cone;

use super::Limits;
use super::choose::{Classes, first_novel, most_informative};
use super::effects::{Effect, Trials};
use super::planes::Planes;
use super::proximity::{BIT, Neighbour, Proximity};
use super::sample::Sample;
use super::wiring::Wiring;

/// How many signals (of 64 states each) one evaluation of all gates may read.
const EVALUATION_BUDGET: usize = 4 << 20;
/// Sampling more words of states than this adds nothing.
const MAX_WORDS: usize = 128;
/// Larger networks are not studied.
const MAX_SIZE: usize = 8 << 20;
/// How many signals (of 64 states each) may be read to find the effects of all moves.
const EFFECT_BUDGET: u64 = 64 << 20;
/// How many states in which a move is legal are examined.
const MAX_STATES: usize = 512;
/// With fewer states in which a move is legal, its surroundings are unknown.
const MIN_STATES: usize = 16;
/// A move that can change more fluents than this gets no surroundings.
const MAX_CHANGED: usize = 16;
/// Fluents this much farther away than the closest are not surroundings.
const SURROUNDING_WIDTH: u32 = 3 * BIT;
/// A fluent that is close to at most this many moves is never global.
const MIN_GLOBAL_MOVES: usize = 8;

/// How often fluents are chosen again without those that too many moves would get.
const ROUNDS: usize = 8;

/// The fluents of each of the network's `does`, the most informative first.
pub(super) fn choose_all(network: &Network, limits: &Limits) -> Vec<Vec<u32>> {
    let nothing = || vec![Vec::new(); network.does.len()];
    let wiring = Wiring::new(network);
    let size = wiring.size();
    if size > MAX_SIZE || limits.effect_fluents + limits.surrounding_fluents == 0 {
        return nothing();
    }
    let words = (EVALUATION_BUDGET / size).clamp(1, MAX_WORDS);
    let Some(sample) = Sample::new(network, words) else { return nothing() };
    let cone = Planes::cone(network);
    let (proximity, trials) = (Proximity::new(&wiring), Trials::new(&wiring));
    let global = FxHashSet::default();
    let mut study =
        Study { limits, wiring: &wiring, sample: &sample, cone, proximity, trials, global };
    let roles = network.does_of_roles().into_iter().enumerate();
    roles.flat_map(|(role, range)| study.choose_for_role(role, range)).collect()
}

struct Study<'a> {
    limits: &'a Limits,
    wiring: &'a Wiring<'a>,
    sample: &'a Sample,
    cone: Cone,
    proximity: Proximity<'a>,
    trials: Trials,
    /// Global fluents, which matter to most moves of the current role and are not used.
    global: FxHashSet<u32>,
}

/// A move while its fluents are chosen.
#[derive(Default)]
struct Draft {
    /// Its number among the network's `does`.
    does: usize,
    /// Some sampled states in which the move is legal.
    states: Vec<u32>,
    /// The fluents that it changes in them.
    changed: Vec<u32>,
    /// Whether its effect differs between them.
    is_varied: bool,
    /// The fluents of its code.
    chosen: Vec<u32>,
}

impl Study<'_> {
    fn choose_for_role(&mut self, role: usize, does: Range<usize>) -> Vec<Vec<u32>> {
        let mut planes = Planes::without_role(self.wiring, self.sample, &self.cone, role);
        let mut drafts: Vec<Draft> = does.map(|does| self.draft(&mut planes, does)).collect();
        // Counters that many moves change say nothing about a single one.
        self.global = global(drafts.iter().map(|draft| &draft.changed[..]), 3);
        for _ in 0..ROUNDS {
            self.choose_by_effects(&mut planes, &mut drafts);
            let newly = global(drafts.iter().map(|draft| &draft.chosen[..]), 3);
            if newly.is_empty() {
                break;
            }
            self.global.extend(newly);
        }
        let varied = n_states(&drafts, |draft| !draft.chosen.is_empty());
        let active = n_states(&drafts, |draft| !draft.changed.is_empty());
        // If the effects of moves differ, they are what matters.
        if varied * 8 < active {
            self.add_surroundings(&mut drafts);
        }
        drafts.into_iter().map(|draft| draft.chosen).collect()
    }

    fn choose_by_effects(&mut self, planes: &mut Planes, drafts: &mut [Draft]) {
        for draft in drafts {
            draft.changed.retain(|fluent| !self.global.contains(fluent));
            if draft.is_varied && self.trials.work < 2 * EFFECT_BUDGET {
                draft.chosen = self.informative(planes, draft.does, &draft.states);
            }
        }
    }

    /// Finds the effects of a move.
    fn draft(&mut self, planes: &mut Planes, does: usize) -> Draft {
        let legal = planes.signal(self.wiring.network.legal[does]);
        let states = sample_evenly(ones(&legal).map(|state| state as u32).collect());
        if states.is_empty() || self.trials.work > EFFECT_BUDGET {
            return Draft { does, ..Draft::default() };
        }
        let effects = self.trials.effects(self.wiring, planes, does, &legal).unwrap_or_default();
        let outcomes = outcomes(effects.iter(), &states);
        Draft {
            does,
            changed: effects.iter().map(|effect| effect.fluent).collect(),
            is_varied: outcomes.iter().any(|outcome| *outcome != outcomes[0]),
            chosen: Vec::new(),
            states,
        }
    }

    /// The fluents that are most informative about the effect of a move.
    fn informative(&mut self, planes: &mut Planes, does: usize, states: &[u32]) -> Vec<u32> {
        let legal = planes.signal(self.wiring.network.legal[does]);
        let effects = self.trials.effects(self.wiring, planes, does, &legal).unwrap_or_default();
        let own = effects.iter().filter(|effect| !self.global.contains(&effect.fluent));
        let outcome = Classes::of_keys(&outcomes(own, states));
        let near = self.near_move(does);
        let chosen =
            most_informative(outcome, &self.columns(&near, states), self.limits.effect_fluents);
        chosen.into_iter().map(|i| near[i].fluent).collect()
    }

    /// The fluents close to a move and to what makes it legal.
    fn near_move(&mut self, does: usize) -> Vec<Neighbour> {
        let mut near = self.proximity.around(std::iter::once(self.wiring.does_gates[does]));
        near.extend(self.proximity.below(self.wiring.network.legal[does]));
        self.without_global(near)
    }

    /// Each fluent that is not global, at its shortest distance, the closest first.
    fn without_global(&self, mut near: Vec<Neighbour>) -> Vec<Neighbour> {
        near.sort_unstable();
        let mut known = self.global.clone();
        near.retain(|near| known.insert(near.fluent));
        near
    }

    /// Gives moves that always have the same effect the fluents around what they change.
    fn add_surroundings(&mut self, drafts: &mut [Draft]) {
        let near: Vec<Vec<Neighbour>> =
            drafts.iter().map(|draft| self.near_effects(draft)).collect();
        let all: Vec<Vec<u32>> = near.iter().map(|near| fluents(near)).collect();
        self.global = global(all.iter().map(|fluents| &fluents[..]), 2);
        for (draft, near) in drafts.iter_mut().zip(near).filter(|(_, near)| !near.is_empty()) {
            draft.chosen = self.surroundings(draft, &self.without_global(near));
        }
    }

    /// The fluents around what a move changes. Those at the same distance are taken together or not
    /// at all.
    fn surroundings(&self, draft: &Draft, near: &[Neighbour]) -> Vec<u32> {
        let max = self.limits.surrounding_fluents;
        let novel = first_novel(&self.columns(near, &draft.states), near.len());
        let novel: Vec<Neighbour> = novel.into_iter().map(|i| near[i]).collect();
        let Some(end) = novel.get(max) else { return fluents(&novel) };
        let whole = novel.partition_point(|near| near.distance < end.distance);
        if whole > 0 {
            return fluents(&novel[..whole]);
        }
        // Too many are equally close, so only those with more paths are taken.
        let rank = |near: &Neighbour| (near.distance, near.combined);
        fluents(&novel[..novel.partition_point(|near| rank(near) < rank(end))])
    }

    /// The fluents that are closest to what a move changes, and some that are slightly farther
    /// away.
    fn near_effects(&mut self, draft: &Draft) -> Vec<Neighbour> {
        let is_known = draft.states.len() >= MIN_STATES && draft.changed.len() <= MAX_CHANGED;
        if !is_known || !draft.chosen.is_empty() {
            return Vec::new();
        }
        let gates = draft.changed.iter().map(|&fluent| self.wiring.fluent_gates[fluent as usize]);
        let near = self.proximity.around(gates);
        let mut near = self.without_global(near);
        near.retain(|&near| !first_novel(&self.columns(&[near], &draft.states), 1).is_empty());
        let nearest = near.first().map_or(0, |near| near.distance);
        near.retain(|near| near.distance <= nearest + SURROUNDING_WIDTH);
        near
    }

    /// The values of fluents in some states.
    fn columns(&self, near: &[Neighbour], states: &[u32]) -> Vec<Vec<bool>> {
        let column = |near: &Neighbour| {
            let plane = self.sample.plane(near.fluent as usize);
            states.iter().map(|&state| bit(plane, state)).collect()
        };
        near.iter().map(column).collect()
    }
}

fn fluents(near: &[Neighbour]) -> Vec<u32> {
    near.iter().map(|near| near.fluent).collect()
}

fn bit(plane: &[u64], state: u32) -> bool {
    plane[state as usize / 64] >> (state % 64) & 1 == 1
}

/// A hash of the whole effect of a move in each of some states.
fn outcomes<'a>(effects: impl Iterator<Item = &'a Effect>, states: &[u32]) -> Vec<u64> {
    let mut outcomes = vec![0_u64; states.len()];
    for effect in effects {
        let kinds =
            [false, true].map(|holds| Rng::mix(u64::from(effect.fluent) * 2 + u64::from(holds)));
        for (outcome, &state) in outcomes.iter_mut().zip(states) {
            if bit(&effect.differs, state) {
                *outcome = outcome.wrapping_add(kinds[usize::from(bit(&effect.holds, state))]);
            }
        }
    }
    outcomes
}

/// The number of states in which a move is legal, summed over the selected moves.
fn n_states(drafts: &[Draft], select: impl Fn(&Draft) -> bool) -> usize {
    drafts.iter().filter(|draft| select(draft)).map(|draft| draft.states.len()).sum()
}

/// An even sample of some states.
fn sample_evenly(states: Vec<u32>) -> Vec<u32> {
    let step = states.len().div_ceil(MAX_STATES).max(1);
    states.into_iter().step_by(step).collect()
}

/// The fluents that matter to more than one in `rate` moves, or to all of a few, such as whose turn
/// it is or a clock.
fn global<'a>(of_moves: impl Iterator<Item = &'a [u32]>, rate: usize) -> FxHashSet<u32> {
    let (mut counts, mut n_moves): (FxHashMap<u32, usize>, usize) = (FxHashMap::default(), 0);
    for fluents in of_moves.filter(|fluents| !fluents.is_empty()) {
        n_moves += 1;
        for &fluent in fluents {
            *counts.entry(fluent).or_default() += 1;
        }
    }
    let max_count = MIN_GLOBAL_MOVES.max(n_moves / rate).min(n_moves.saturating_sub(1).max(1));
    counts.into_iter().filter(|&(_, count)| count > max_count).map(|(fluent, _)| fluent).collect()
}
