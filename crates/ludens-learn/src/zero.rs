//! Search with a network, which is given, or learnt in the start clock and between moves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Game, Move};
use ludens_search::{
    Agent, Batch, MakeEvaluator, Mcts, Parallel, Report, Searcher, Sharing, Watch,
};

use crate::encoder::Encoder;
use crate::evaluator::NetworkEvaluator;
use crate::learner::{GameLearner, Learner, Learning};
use crate::network::Network;
use crate::playout_mix::Mix;
use crate::published::Published;
use crate::trial::Worth;

/// The leaves that a network evaluates at once.
const CAPACITY: usize = 64;

/// A tree search whose leaves are evaluated by the newest weights of a network. A batch that is not chosen begins with one leaf
/// and grows slowly.
pub fn search_with<G: Game>(
    game: &Arc<G>,
    encoder: &Arc<Encoder>,
    published: &Published,
    searcher: impl Fn() -> Searcher<G>,
    mix: Mix,
    (n_threads, sharing): (usize, Sharing),
) -> Box<dyn Agent<G>> {
    let searcher = || {
        let mut searcher = searcher();
        searcher.batch.get_or_insert(Batch::growing_slowly(CAPACITY));
        searcher
    };
    let (game, encoder, published) = (Arc::clone(game), Arc::clone(encoder), published.clone());
    let make: MakeEvaluator<G> = Arc::new(move || {
        let (game, encoder) = (Arc::clone(&game), Arc::clone(&encoder));
        let network = Network::new(published.newest());
        let evaluator = NetworkEvaluator::new(game, encoder, network, CAPACITY);
        Box::new(evaluator.with_newest(published.clone()).with_playouts(mix))
    });
    if n_threads > 1 {
        return Box::new(Parallel::with_evaluator(searcher, &make, n_threads, sharing));
    }
    Box::new(Mcts::with_evaluator(searcher(), make))
}

/// Makes an agent with the newest weights of a network.
pub type MakeAgent<G> = Box<dyn Fn(&Arc<Encoder>, &Published) -> Box<dyn Agent<G>> + Send>;

/// Makes a learner with a seed, or says why the game cannot be learnt.
pub type MakeLearner<G> = Box<dyn Fn(u64) -> Result<Box<dyn GameLearner<G>>, String> + Send>;

/// An agent with a network that is learnt in the start clock; until then it is another agent. While others
/// think, it learns more from games that begin in the current state.
pub struct Zero<G: Game> {
    make_learner: MakeLearner<G>,
    /// Plays as long as nothing is learnt.
    fallback: Box<dyn Agent<G>>,
    make_agent: MakeAgent<G>,
    learnt: Option<Learnt<G>>,
    /// Why the game cannot be learnt.
    refusal: Option<String>,
    /// The budget of each move of the match, as far as it is known.
    expected: (Option<Duration>, Option<u64>),
    seed: u64,
}

/// A network that was learnt, and who plays with it.
struct Learnt<G: Game> {
    learner: Box<dyn GameLearner<G>>,
    published: Published,
    agent: Box<dyn Agent<G>>,
}

impl<G: Game> Zero<G> {
    /// An agent that has learnt nothing yet.
    pub fn new(
        game: Arc<G>,
        learning: Learning,
        fallback: Box<dyn Agent<G>>,
        make_agent: MakeAgent<G>,
    ) -> Self {
        let make_learner = move |seed| {
            let learning = Learning { seed, ..learning.clone() };
            let why = "facts or moves of this game are not known in advance, so that no network can learn it";
            let learner = Learner::new(&game, learning).ok_or_else(|| why.to_owned())?;
            Ok(Box::new(learner) as Box<dyn GameLearner<G>>)
        };
        Zero::with_learner(Box::new(make_learner), fallback, make_agent)
    }

    /// An agent that has learnt nothing yet, and will learn in this way.
    pub fn with_learner(
        make_learner: MakeLearner<G>,
        fallback: Box<dyn Agent<G>>,
        make_agent: MakeAgent<G>,
    ) -> Self {
        let (learnt, refusal, expected) = (None, None, (None, None));
        Zero { make_learner, fallback, make_agent, learnt, refusal, expected, seed: 0 }
    }

    /// Who plays now.
    fn agent(&mut self) -> &mut dyn Agent<G> {
        match &mut self.learnt {
            Some(learnt) => &mut *learnt.agent,
            None => &mut *self.fallback,
        }
    }

    /// Learns until the budget is over. Units of work are simulations of self-play.
    fn learn(&mut self, budget: &Budget) {
        let (whole, began) = (budget.time_left(), Instant::now());
        if whole.is_none() && budget.iterations.is_none() {
            return;
        }
        if let Some(learnt) = &mut self.learnt {
            return learnt.learn_more(budget);
        }
        let mut learner = match (self.make_learner)(self.seed) {
            Ok(learner) => learner,
            Err(why) => {
                self.refusal = Some(why);
                return;
            }
        };
        loop {
            let by_time = whole.map_or(0.0, |whole| share(began.elapsed(), whole));
            let n_done = learner.state().played.simulations as f64;
            let by_units = budget.iterations.map_or(0.0, |n| n_done / n.max(1) as f64);
            if by_units >= 1.0 || budget.is_over() {
                break;
            }
            learner.iterate(by_time.max(by_units), budget);
        }
        let state = learner.state();
        if state.n_steps > 0 {
            let worth = Worth { playouts: state.share, ..Worth::default() };
            let published = Published::new(learner.weights(), worth);
            let mut agent = (self.make_agent)(learner.encoder(), &published);
            agent.begin(self.seed);
            agent.expect(self.expected.0, self.expected.1);
            self.learnt = Some(Learnt { learner, published, agent });
        }
    }
}

impl<G: Game> Learnt<G> {
    /// Learns on with the rate of the end of a training. Units of work are simulations of self-play.
    fn learn_more(&mut self, budget: &Budget) {
        let before = self.learner.state().played.simulations;
        while !budget.is_over()
            && !budget.is_spent(self.learner.state().played.simulations - before)
        {
            self.learner.iterate(1.0, budget);
        }
        let playouts = self.learner.state().share;
        // A trial of older weights says more than none.
        let worth = Worth { playouts, ..self.published.worth() };
        self.published.replace(self.learner.weights(), worth);
    }
}

/// The share of a whole.
fn share(part: Duration, whole: Duration) -> f64 {
    part.as_secs_f64() / whole.as_secs_f64().max(1e-9)
}

/// The part of the start clock for learning; in the rest the search is prepared.
const LEARNING_SHARE: f64 = 0.85;

impl<G: Game> Agent<G> for Zero<G> {
    fn think(&mut self, state: &G::State, budget: &Budget, watch: &mut Watch<'_>) -> Report {
        self.agent().think(state, budget, watch)
    }

    fn expect(&mut self, time: Option<Duration>, units: Option<u64>) {
        self.expected = (time, units);
        self.fallback.expect(time, units);
    }

    fn prepare(&mut self, state: &G::State, budget: &Budget) -> Report {
        self.learn(&budget.part(LEARNING_SHARE));
        // Units of work are simulations of self-play.
        let mut rest = budget.clone();
        rest.iterations = rest.iterations.map(|_| 1);
        match &mut self.learnt {
            Some(learnt) => learnt.agent.prepare(state, &rest),
            None => self.fallback.prepare(state, budget),
        }
    }

    /// Learns from games that begin here. The tree is kept: its values are those of slightly older weights.
    fn ponder(&mut self, state: &G::State, budget: &Budget) {
        let Some(learnt) = &mut self.learnt else {
            return self.fallback.ponder(state, budget);
        };
        learnt.learner.begin_in(state);
        learnt.learn_more(budget);
    }

    fn remarks(&self) -> Vec<String> {
        let Some(learnt) = &self.learnt else { return self.refusal.clone().into_iter().collect() };
        let state = learnt.learner.state();
        let (games, n_steps) = (state.played.games, state.n_steps);
        let mut remarks =
            vec![format!("learnt from {games} games of self-play in {n_steps} steps")];
        remarks.extend(learnt.agent.remarks());
        remarks
    }

    fn handicap(&self) -> f64 {
        self.learnt.as_ref().map_or(1.0, |learnt| learnt.agent.handicap())
    }

    fn advance(&mut self, joint: &[Move]) {
        self.agent().advance(joint);
    }

    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        (self.learnt, self.refusal) = (None, None);
        self.fallback.begin(seed);
    }

    fn begin_again(&mut self, seed: u64) {
        match &mut self.learnt {
            Some(learnt) => learnt.agent.begin(seed),
            None => self.fallback.begin(seed),
        }
    }
}
