//! One question about one state: compute its successors, then ask them.

use std::mem;

use ludens_core::{Game, Move, Role, Views};

use super::bounds::Bounds;
use super::table::Known;
use super::{OutcomeSearch, Unsolved};
use crate::classic::fingerprint::Fingerprint;
use crate::classic::meter::Meter;

/// The successors of one state, in buffers that are reused for every state at that distance from the
/// root.
pub(super) struct Ply<G: Game> {
    /// Successors and their views.
    pub states: Vec<G::State>,
    /// What play needs of them.
    pub views: Views,
    /// What the search knows of them, in the order of the search.
    pub children: Vec<Child>,
    joints: Vec<Move>,
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Self {
        let (states, views) = (Vec::new(), Views::default());
        Ply { states, views, children: Vec::new(), joints: Vec::new() }
    }
}

impl<G: Game> Ply<G> {
    /// Computes the views of the states.
    pub fn look(&mut self, game: &G) {
        let states: Vec<&G::State> = self.states.iter().collect();
        game.look_many(&states, &mut self.views);
    }

    /// Whether play cannot continue in a state.
    pub fn has_ended(&self, place: usize) -> bool {
        self.views.is_terminal(place) || self.views.legal(place).any(<[Move]>::is_empty)
    }

    /// Makes each move of the deciding role in a state.
    fn make_moves(&mut self, game: &G, role: Role, parent: Parent<'_, G>) {
        let moves = parent.legal().nth(role.index()).expect("the decider is a role");
        self.joints.clear();
        for &mv in moves {
            let first = self.joints.len();
            self.joints.extend(parent.legal().map(|legal| legal[0]));
            self.joints[first + role.index()] = mv;
        }
        self.states.truncate(moves.len());
        self.states.iter_mut().for_each(|state| state.clone_from(parent.state()));
        self.states.resize(moves.len(), parent.state().clone());
        game.play_many(&mut self.states, &self.joints);
    }

    /// What is known of the state in which a role decides between these successors.
    fn bounds(&self, role: Role) -> Bounds {
        let children = self.children.iter().map(|child| child.bounds);
        Bounds::of_choice(role, children).expect("the decider has a move")
    }
}

/// A state: one of the successors of the one before it.
pub(super) struct Parent<'a, G: Game> {
    /// The successors.
    pub ply: &'a Ply<G>,
    /// Its index among them, in the order of the search.
    pub at: usize,
}

impl<G: Game> Clone for Parent<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Parent<'_, G> {}

impl<'a, G: Game> Parent<'a, G> {
    /// What the search knows of it.
    pub fn child(self) -> &'a Child {
        &self.ply.children[self.at]
    }

    fn state(self) -> &'a G::State {
        &self.ply.states[self.child().place]
    }

    fn legal(self) -> impl Iterator<Item = &'a [Move]> {
        self.ply.views.legal(self.child().place)
    }

    /// The only role that has a choice, or the first role if none has; `None` if several have one.
    pub fn decider(self) -> Option<Role> {
        let legal = Role::all(2).zip(self.legal());
        let mut deciders = legal.filter(|(_, legal)| legal.len() > 1).map(|(role, _)| role);
        let first = deciders.next().unwrap_or(Role(0));
        deciders.next().is_none().then_some(first)
    }
}

/// A successor.
pub(super) struct Child {
    /// The move of the deciding role.
    pub mv: Move,
    /// Its index among the states.
    pub place: usize,
    /// Its fingerprint.
    pub key: Fingerprint,
    /// What is known of its payoff.
    pub bounds: Bounds,
    /// Whether a search may find out more.
    pub is_open: bool,
    /// Whether it was asked the current question.
    pub was_asked: bool,
    /// How promising it is.
    pub weight: f32,
}

impl Child {
    /// A successor of which nothing is known but these bounds.
    pub fn new(mv: Move, place: usize, key: Fingerprint, bounds: Bounds) -> Self {
        Child { mv, place, key, bounds, is_open: true, was_asked: false, weight: 0.0 }
    }
}

impl Child {
    /// Whether it is what a role looks for: at least the goal for the first role, less for the other.
    fn answers(&self, role: Role, goal: f32) -> bool {
        self.bounds.reach(goal) == Some(role == Role(0))
    }
}

/// Where a question is asked.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Distance from the root.
    pub ply: usize,
    /// The payoff of the first role that is asked for.
    pub goal: f32,
}

impl<G: Game> OutcomeSearch<G> {
    /// Asks whether the first role gets at least the goal in a successor that is not terminal. The
    /// bounds are the answer; if they do not tell, the obstacle does.
    pub(super) fn ask(
        &mut self,
        meter: &mut Meter<'_>,
        place: Place,
        state: Parent<'_, G>,
    ) -> Result<Bounds, Unsolved> {
        meter.tick().map_err(|_| Unsolved::Budget)?;
        self.states = meter.spent;
        if place.ply >= Self::MAX_DEPTH {
            self.obstacle = Unsolved::Depth;
            return Ok(self.range);
        }
        if self.plies.len() <= place.ply {
            self.plies.resize_with(place.ply + 1, Ply::default);
        }
        let role = state.decider().ok_or(Unsolved::Simultaneous)?;
        let mut here = mem::take(&mut self.plies[place.ply]);
        self.path.push(state.child().key);
        let expanded = self.expand(&mut here, role, state);
        let bounds = expanded.and_then(|()| self.answer(meter, place, &mut here, (role, state)));
        self.path.pop();
        self.plies[place.ply] = here;
        bounds
    }

    /// Computes the successors of a state, and looks up what is known of them.
    pub(super) fn expand(
        &mut self,
        here: &mut Ply<G>,
        role: Role,
        parent: Parent<'_, G>,
    ) -> Result<(), Unsolved> {
        let moves = parent.legal().nth(role.index()).expect("the decider is a role");
        here.make_moves(&*self.game, role, parent);
        here.look(&*self.game);
        here.children.clear();
        for (place, &mv) in moves.iter().enumerate() {
            let key = Fingerprint::of(&here.states[place]);
            let mut child = Child::new(mv, place, key, self.range);
            if here.has_ended(place) {
                child.bounds = self.terminal(here, place)?;
            } else if let Some(known) = self.table.find(key) {
                child.bounds = known.bounds;
                child.is_open = known.stuck != Some(self.question);
            }
            if self.path.contains(key) && child.is_open {
                child.is_open = false;
                self.obstacle = Unsolved::Cycle;
            }
            here.children.push(child);
        }
        Ok(())
    }

    /// Answers the question from what is known of the successors, or asks them.
    fn answer(
        &mut self,
        meter: &mut Meter<'_>,
        place: Place,
        here: &mut Ply<G>,
        (role, parent): (Role, Parent<'_, G>),
    ) -> Result<Bounds, Unsolved> {
        let before = meter.spent;
        let mut bounds = here.bounds(role);
        if bounds.reach(place.goal).is_none() {
            self.ordering.sort(&*self.game, role, parent.state(), here);
            self.ask_successors(meter, place, here, role)?;
            bounds = here.bounds(role);
            let is_answer = |child: &Child| child.answers(role, place.goal);
            if here.children.iter().any(is_answer) {
                self.ordering.learn(&*self.game, (role, parent.state()), here, is_answer);
            }
        }
        let stuck = bounds.reach(place.goal).is_none().then_some(self.question);
        let known = Known { bounds, stuck };
        self.table.store(parent.child().key, known, meter.spent - before + 1);
        Ok(bounds)
    }

    /// Asks the successors until one has the answer that the deciding role wants.
    fn ask_successors(
        &mut self,
        meter: &mut Meter<'_>,
        place: Place,
        here: &mut Ply<G>,
        role: Role,
    ) -> Result<(), Unsolved> {
        let below = Place { ply: place.ply + 1, ..place };
        for at in 0..here.children.len() {
            let child = &here.children[at];
            if !child.is_open || child.bounds.reach(place.goal).is_some() {
                continue;
            }
            let bounds = self.ask(meter, below, Parent { ply: here, at })?;
            let child = &mut here.children[at];
            (child.bounds, child.was_asked) = (child.bounds.and(bounds), true);
            if child.answers(role, place.goal) {
                break;
            }
        }
        Ok(())
    }
}
