//! One node of the search: look it up in the table, evaluate the rules, search its moves.

use std::mem;

use ludens_core::{Game, Move, Role, View};

use super::table::{Bound, Found};
use super::{EPSILON, Interrupt, Minimax, Pair};
use crate::classic::fingerprint::Fingerprint;
use crate::classic::meter::Meter;
use crate::classic::preference::{compare, is_unbeatable};
use crate::classic::root::{has_ended, lone_decider};

/// The buffers of one ply, reused for every state at that distance from the root.
pub(super) struct Ply<G: Game> {
    /// The state, which the parent writes.
    pub state: Option<G::State>,
    /// The view of the state.
    pub view: View,
    joint: Vec<Move>,
    order: Vec<(u32, Move)>,
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Self {
        Ply { state: None, view: View::default(), joint: Vec::new(), order: Vec::new() }
    }
}

/// Where in the tree a state is searched, and the search window there.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Distance from the root.
    pub ply: usize,
    /// The remaining search depth.
    pub depth: u32,
    /// The payoff that each role has secured by moves nearer to the root, as α and β: lower values
    /// are irrelevant to it.
    pub secured: Pair,
}

impl Place {
    fn below(self) -> Place {
        Place { ply: self.ply + 1, depth: self.depth - 1, ..self }
    }
}

impl<G: Game> Minimax<G> {
    /// Searches the state at a ply.
    pub(super) fn node(&mut self, meter: &mut Meter<'_>, place: Place) -> Result<Found, Interrupt> {
        meter.tick()?;
        let state = self.plies[place.ply].state.as_ref().expect("the parent put a state here");
        let key = Fingerprint::of(state);
        let stored = self.table.find(key).copied();
        if let Some(entry) = stored {
            let deep = entry.found.proven || entry.depth >= place.depth;
            if deep && self.is_sufficient(&entry.found, place.secured) {
                return Ok(entry.found);
            }
        }
        let mut here = mem::take(&mut self.plies[place.ply]);
        let found = self.expand(meter, &mut here, place, stored.and_then(|entry| entry.found.best));
        self.plies[place.ply] = here;
        if let Ok(found) = found {
            self.table.store(key, place.depth, found);
        }
        found
    }

    /// Whether an entry of the table replaces a search here.
    fn is_sufficient(&self, found: &Found, secured: Pair) -> bool {
        match found.bound {
            Bound::Exact => true,
            Bound::AtLeast(role) => self.cuts(Role(role), found.worth, secured),
            Bound::AtMost(role) => found.worth[role as usize] <= secured[role as usize] + EPSILON,
        }
    }

    /// Whether the other role avoids this outcome, since it has secured as much. That is known only
    /// if the sum of the two payoffs is constant.
    pub(super) fn cuts(&self, role: Role, worth: Pair, secured: Pair) -> bool {
        let other = 1 - role.index();
        self.sum.constant().is_some_and(|sum| worth[role.index()] + secured[other] >= sum - EPSILON)
    }

    /// Whether the role prefers the first outcome.
    pub(super) fn is_better(&self, role: Role, a: Pair, b: Pair) -> bool {
        match self.sum.constant() {
            Some(_) => a[role.index()] > b[role.index()] + EPSILON,
            None => compare(role, &a, &b).is_gt(),
        }
    }

    /// Whether no other move of the role can have a better outcome.
    pub(super) fn is_maximal(&self, role: Role, worth: Pair) -> bool {
        match self.sum.constant() {
            Some(sum) => worth[role.index()] >= sum.min(1.0) - EPSILON,
            None => is_unbeatable(role, &worth),
        }
    }

    fn expand(
        &mut self,
        meter: &mut Meter<'_>,
        here: &mut Ply<G>,
        place: Place,
        table_move: Option<Move>,
    ) -> Result<Found, Interrupt> {
        let state = here.state.as_ref().expect("the parent put a state here");
        self.game.look(state, &mut here.view);
        if has_ended(&here.view) {
            let worth = [here.view.payoffs[Role(0)], here.view.payoffs[Role(1)]];
            self.sum.observe(worth)?;
            return Ok(Found { worth, bound: Bound::Exact, proven: true, best: None });
        }
        if place.depth == 0 {
            let worth = self.estimate(state);
            return Ok(Found { worth, bound: Bound::Exact, proven: false, best: None });
        }
        let role = lone_decider(&here.view).ok_or(Interrupt::Simultaneous)?;
        let Ply { view, order, .. } = here;
        self.ordering.sort(role, &view.legal[role], place.ply, table_move, order);
        self.search_children(meter, here, place, role)
    }

    /// Searches the moves of a state until a cutoff.
    fn search_children(
        &mut self,
        meter: &mut Meter<'_>,
        here: &mut Ply<G>,
        place: Place,
        role: Role,
    ) -> Result<Found, Interrupt> {
        let mut best: Option<Found> = None;
        let mut all_proven = true;
        let mut below = place.below();
        for at in 0..here.order.len() {
            let mv = here.order[at].1;
            self.step(here, place.ply, role, mv);
            let found = self.node(meter, below)?;
            all_proven &= found.proven;
            if best.is_none_or(|best| self.is_better(role, found.worth, best.worth)) {
                best = Some(Found { best: Some(mv), ..found });
                let secured = &mut below.secured[role.index()];
                *secured = secured.max(found.worth[role.index()]);
                let maximal = self.is_maximal(role, found.worth);
                if maximal || self.cuts(role, found.worth, place.secured) {
                    self.ordering.record_cutoff(role, mv, place.ply, place.depth);
                    let bound = if maximal { Bound::Exact } else { Bound::AtLeast(role.0) };
                    return Ok(Found { bound, best: Some(mv), ..found });
                }
            }
        }
        let best = best.expect("the decider has a move");
        Ok(Found { bound: self.bound(role, best.worth, place.secured), proven: all_proven, ..best })
    }

    /// The kind of bound that the best value is after all moves were searched.
    fn bound(&self, role: Role, worth: Pair, secured: Pair) -> Bound {
        let fails_low = worth[role.index()] <= secured[role.index()] + EPSILON;
        if fails_low && self.sum.constant().is_some() {
            Bound::AtMost(role.0)
        } else {
            Bound::Exact
        }
    }

    /// Writes the successor for a move into the next ply.
    pub(super) fn step(&mut self, here: &mut Ply<G>, ply: usize, role: Role, mv: Move) {
        here.joint.clear();
        here.joint.extend(here.view.legal.iter().map(|legal| legal[0]));
        here.joint[role.index()] = mv;
        let child = &mut self.plies[ply + 1].state;
        child.clone_from(&here.state);
        self.game.play(child.as_mut().expect("the parent has a state"), &here.joint);
    }
}
