//! Random positions, solved exactly.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use ludens_core::{Budget, Game, Move, Rng, View, WithGame};
use ludens_search::{OutcomeSearch, Outcomes, Unsolved};

use super::position::{can_be_wrong, solved};
use super::tactics;
use super::workers::in_order;
use super::{Drawn, Positions, Sample, SolvedPosition, Step};
use crate::stop::Stop;

/// Draws and solves positions of a game of any type.
pub(super) struct Drawing<'a> {
    pub sample: &'a Sample,
    pub threads: usize,
    pub stop: &'a Stop,
    pub show: &'a mut dyn FnMut(Step),
}

/// So many draws in a row without a new position end the drawing: there may be no more.
const MAX_FRUITLESS: usize = 5_000;

/// So many unsolved positions before the first solved one end it too: the game is too large.
const MAX_UNSOLVED: usize = 50;

/// The memory limit of the tables of all threads.
const TABLE_BYTES: usize = 512 << 20;

/// What one draw has found.
enum Draw<S> {
    /// The game was over before.
    Over,
    /// The values were not found; the number of states searched.
    Unsolved { state: S, why: Unsolved, states: u64 },
    /// The moves before a state, the values of its moves, and how soon the right one shows.
    Solved { state: S, before: Vec<Vec<Move>>, outcomes: Outcomes, plies: Option<u32> },
}

impl WithGame for Drawing<'_> {
    type Out = Result<Positions, Unsolved>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let Drawing { sample, threads, stop, show } = self;
        let bytes = TABLE_BYTES / threads.max(1);
        let worker = || {
            let mut search = OutcomeSearch::new(Arc::clone(&game), bytes);
            let game = Arc::clone(&game);
            move |number| try_one(&game, &mut search, sample, (number, stop))
        };
        let mut collection = Collection::new(&*game, sample);
        let mut refused = None;
        in_order(threads, worker, |draw| {
            if stop.is_raised() {
                return ControlFlow::Break(());
            }
            if let Err(why) = collection.add(draw) {
                refused = Some(why);
                return ControlFlow::Break(());
            }
            show(Step::Solved(collection.positions.list.len()));
            if collection.is_complete() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        refused.map_or(Ok(collection.positions), Err)
    }
}

/// Plays a random game for a random number of moves, and solves the position then.
fn try_one<G: Game>(
    game: &Arc<G>,
    search: &mut OutcomeSearch<G>,
    sample: &Sample,
    (number, stop): (usize, &Stop),
) -> Draw<G::State> {
    let mut rng = Rng::stream(sample.seed, &[number as u64]);
    let (first, last) = (*sample.plies.start(), *sample.plies.end());
    let plies = first + rng.below(last.saturating_sub(first) + 1);
    let (mut state, mut view, mut before) = (game.initial(), View::default(), Vec::new());
    game.look(&state, &mut view);
    while before.len() < plies && !view.is_over() {
        let joint = view.random_joint(&mut rng);
        game.play(&mut state, &joint);
        before.push(joint);
        game.look(&state, &mut view);
    }
    if view.is_over() {
        return Draw::Over;
    }
    let budget = Budget::unlimited().with_iterations(sample.budget).with_stop(stop.flag());
    match search.moves(&state, &budget) {
        Ok(outcomes) => {
            let wanted = sample.tactics.as_ref().filter(|_| can_be_wrong(&outcomes));
            let plies = wanted.and_then(|wanted| {
                let plies = tactics::plies(game, &state, &outcomes, *wanted.end());
                plies.filter(|plies| wanted.contains(plies))
            });
            Draw::Solved { state, before, outcomes, plies }
        }
        Err(why) => Draw::Unsolved { state, why, states: search.states() },
    }
}

/// The positions so far.
struct Collection<'a, G: Game> {
    game: &'a G,
    wanted: usize,
    is_tactical: bool,
    seen: HashSet<G::State>,
    fruitless: usize,
    positions: Positions,
}

impl<'a, G: Game> Collection<'a, G> {
    fn new(game: &'a G, sample: &Sample) -> Self {
        let drawn = Drawn {
            plies: [*sample.plies.start(), *sample.plies.end()],
            seed: sample.seed,
            budget: sample.budget,
            unsolved: 0,
            even: 0,
            strategic: 0,
            repeated: 0,
            over: 0,
            states: 0,
        };
        let positions = Positions { list: Vec::new(), drawn };
        let (wanted, is_tactical) = (sample.positions, sample.tactics.is_some());
        Collection { game, wanted, is_tactical, seen: HashSet::new(), fruitless: 0, positions }
    }

    fn is_complete(&self) -> bool {
        let Positions { list, drawn } = &self.positions;
        let is_too_large = list.is_empty() && drawn.unsolved >= MAX_UNSOLVED;
        list.len() >= self.wanted || self.fruitless >= MAX_FRUITLESS || is_too_large
    }

    /// Adds a draw; an error means that the game has no exact values.
    fn add(&mut self, draw: Draw<G::State>) -> Result<(), Unsolved> {
        self.fruitless += 1;
        let Positions { list, drawn } = &mut self.positions;
        match draw {
            Draw::Over => drawn.over += 1,
            Draw::Unsolved { state, why, states } => {
                drawn.states += states;
                if matches!(why, Unsolved::Simultaneous | Unsolved::SumVaries | Unsolved::Roles) {
                    return Err(why);
                }
                let is_new = self.seen.insert(state);
                *if is_new { &mut drawn.unsolved } else { &mut drawn.repeated } += 1;
            }
            Draw::Solved { state, before, outcomes, plies } => {
                drawn.states += outcomes.states;
                if self.seen.contains(&state) {
                    drawn.repeated += 1;
                } else if !can_be_wrong(&outcomes) {
                    drawn.even += 1;
                } else if self.is_tactical && plies.is_none() {
                    drawn.strategic += 1;
                } else {
                    let position = solved(self.game, (&state, &before), &outcomes);
                    list.push(SolvedPosition { plies, ..position });
                    self.fruitless = 0;
                }
                self.seen.insert(state);
            }
        }
        Ok(())
    }
}
