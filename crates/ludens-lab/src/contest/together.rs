//! Many searches that share one evaluator.
//!
//! Where playouts run side by side, one search with its textbook leaf at a time would leave most
//! lanes empty. The searches of all games of a worker fill them together, and each computes what
//! it would compute alone. A search that learns from its playouts has random numbers of its own,
//! so that it is the same search move by move, whoever else is there. Uniform playouts are a
//! stream with common random numbers: what one search draws depends on who else draws, and only
//! the distribution is the same.

use std::sync::Arc;
use std::time::Duration;

use ludens_arena::clock::Pace;
use ludens_arena::play::{Request, Thinker};
use ludens_core::{Budget, Game, Limit};
use ludens_search::{Agent, Mind, Playouts, Report};

/// A tree search that needs no evaluator of its own as long as there is one for all of a worker.
pub(super) struct Member<G: Game> {
    mind: Mind<G>,
    /// Made when it thinks alone.
    own: Option<Playouts<G>>,
}

impl<G: Game> Member<G> {
    /// A search with this mind.
    pub(super) fn new(mind: Mind<G>) -> Self {
        Member { mind, own: None }
    }
}

impl<G: Game> Agent<G> for Member<G> {
    fn think(&mut self, state: &G::State, budget: &Budget) -> Report {
        let game = Arc::clone(self.mind.search.game());
        let playouts = self.own.get_or_insert_with(|| Playouts::new(game.simulator()));
        let counted = if self.mind.set_root_within(state, budget) {
            playouts.run(&mut self.mind, budget)
        } else {
            0
        };
        self.mind.report(counted)
    }

    fn begin(&mut self, seed: u64) {
        self.mind.begin(seed);
    }

    fn mind(&mut self) -> Option<&mut Mind<G>> {
        Some(&mut self.mind)
    }
}

/// How a mind thinks beside others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// With a common stream of uniform playouts, all of which have the same limit.
    Plain(Limit),
    /// With playouts of its own policies, which run beside those of others that have the same limit.
    Learning(Limit),
    /// By itself.
    Alone,
}

impl Manner {
    /// How this mind thinks.
    pub(super) fn of<G: Game>(mind: &Mind<G>) -> Self {
        // A batch that the user asked for is another search than many with one leaf each. And
        // what a move looks like on the board, which is the key that features go by, is known
        // where states are looked at one by one only.
        let limit = mind.search.settings().limit;
        if mind.batch > 1 || mind.chain.needs().codes {
            Manner::Alone
        } else if mind.is_plain() {
            Manner::Plain(limit)
        } else {
            Manner::Learning(limit)
        }
    }
}

/// Lets the searches of a worker share an evaluator. Others think in turn.
pub(super) struct Together<G: Game> {
    game: Arc<G>,
    /// Absent at first, and after a panic that may have left it half-way.
    playouts: Option<Playouts<G>>,
}

impl<G: Game> Together<G> {
    /// A thinker for a game.
    pub(super) fn new(game: Arc<G>) -> Self {
        Together { game, playouts: None }
    }

    /// Lets those think together that think in the same manner.
    fn think_in(&mut self, manner: Manner, requests: &mut [Request<'_, G>], pace: &Pace<'_>) {
        let (begin, budget) = (pace.clock.now(), pace.budget());
        let mut minds = Vec::new();
        let mut members = Vec::new();
        for (at, request) in requests.iter_mut().enumerate() {
            let state = request.state;
            let Some(mind) = request.agent.mind().filter(|mind| Manner::of(mind) == manner) else {
                continue;
            };
            let thinks = mind.set_root_within(state, &budget);
            members.push((at, thinks.then_some(minds.len())));
            if thinks {
                minds.push(mind);
            }
        }
        if members.is_empty() {
            return;
        }
        let game = &self.game;
        let fresh = || Playouts::new(Arc::clone(game).simulator());
        let mut playouts = self.playouts.take().unwrap_or_else(fresh);
        let counted = playouts.run_together(&mut minds, &budget);
        self.playouts = Some(playouts);
        let passed = pace.clock.now().saturating_duration_since(begin);
        let share = passed / members.len() as u32;
        for (at, number) in members {
            answer(&mut requests[at], number.map_or(0, |number| counted[number]), share);
        }
    }
}

/// Hands in what a mind thinks after so many simulations, in its share of the time.
fn answer<G: Game>(request: &mut Request<'_, G>, iterations: u64, time: Duration) {
    if let Some(report) = request.agent.mind().map(|mind| mind.report(iterations)) {
        request.answer(report, time);
    }
}

impl<G: Game> Thinker<G> for Together<G> {
    fn think_all(&mut self, requests: &mut [Request<'_, G>], pace: &Pace<'_>) {
        let mut manners = Vec::new();
        for request in requests.iter_mut() {
            let manner = request.agent.mind().map_or(Manner::Alone, |mind| Manner::of(mind));
            if manner == Manner::Alone {
                request.think(pace);
            } else if !manners.contains(&manner) {
                manners.push(manner);
            }
        }
        for manner in manners {
            self.think_in(manner, requests, pace);
        }
    }
}
