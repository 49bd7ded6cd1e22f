//! The part of a session that knows the type of its game.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ludens_catalog::{AgentSpec, WithGame};
use ludens_core::{Budget, Game, Move, Role, View};
use ludens_search::{Agent, Report, Watch};

use crate::analysis::Names;
use crate::prepared_game::PreparedGame;

/// A position with its history and its agents, whatever the type of the game. Methods may unwind, which
/// leaves the position unchanged.
pub(super) trait AnyPosition: Send {
    /// The legal moves or payoffs.
    fn view(&self) -> &View;

    /// The text of a move.
    fn move_name(&self, role: Role, mv: Move) -> String;

    /// The facts that held `moves_ago` joint moves ago.
    fn facts(&self, moves_ago: usize) -> Option<Vec<String>>;

    /// Plays a legal joint move.
    fn play(&mut self, joint: &[Move]);

    /// Undoes the last joint move.
    fn undo(&mut self);

    /// The same position without history and agents.
    fn fork(&self) -> Box<dyn AnyPosition>;

    /// Adds an agent; returns its number.
    fn add_agent(&mut self, spec: &AgentSpec, seed: u64) -> usize;

    /// Runs a search.
    fn think(&mut self, request: &mut Request<'_>);
}

/// A search: its agent, its budget, and the callbacks for its reports.
pub(super) struct Request<'a> {
    /// The number of the agent.
    pub agent: usize,
    /// The budget of the search.
    pub budget: Budget,
    /// How often to report.
    pub every: Duration,
    /// Receives intermediate reports.
    pub watch: &'a mut dyn FnMut(&Report, &Names<'_>) -> ControlFlow<()>,
    /// Receives the result.
    pub done: &'a mut dyn FnMut(&Report, &Names<'_>),
}

/// The initial position of a game.
pub(super) fn initial(game: &PreparedGame) -> Box<dyn AnyPosition> {
    game.loaded.game.with(Initial)
}

struct Initial;

impl WithGame for Initial {
    type Out = Box<dyn AnyPosition>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let state = game.initial();
        Box::new(Typed::new(game, state))
    }
}

/// A position of a game of a known type.
pub(super) struct Typed<G: Game> {
    game: Arc<G>,
    /// All positions so far, with their views; the last one is current.
    positions: Vec<(G::State, View)>,
    agents: Vec<Seated<G>>,
}

/// An agent, and the parameters to rebuild it.
struct Seated<G: Game> {
    spec: AgentSpec,
    seed: u64,
    /// Absent after a panic, which may have left it inconsistent.
    agent: Option<Box<dyn Agent<G>>>,
}

impl<G: Game> Typed<G> {
    /// A match that begins with a state.
    pub(super) fn new(game: Arc<G>, state: G::State) -> Self {
        let positions = vec![with_view(&*game, state)];
        Typed { game, positions, agents: Vec::new() }
    }

    fn current(&self) -> &(G::State, View) {
        self.positions.last().expect("there is always a position")
    }
}

fn with_view<G: Game>(game: &G, state: G::State) -> (G::State, View) {
    let mut view = View::default();
    game.look(&state, &mut view);
    (state, view)
}

impl<G: Game> AnyPosition for Typed<G> {
    fn view(&self) -> &View {
        &self.current().1
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.game.move_name(role, mv)
    }

    fn facts(&self, moves_ago: usize) -> Option<Vec<String>> {
        let (state, _) = self.positions.iter().nth_back(moves_ago)?;
        Some(self.game.facts(state))
    }

    fn play(&mut self, joint: &[Move]) {
        let mut state = self.current().0.clone();
        self.game.play(&mut state, joint);
        self.positions.push(with_view(&*self.game, state));
    }

    fn undo(&mut self) {
        if self.positions.len() > 1 {
            self.positions.pop();
        }
    }

    fn fork(&self) -> Box<dyn AnyPosition> {
        let positions = vec![self.current().clone()];
        Box::new(Typed { game: Arc::clone(&self.game), positions, agents: Vec::new() })
    }

    fn add_agent(&mut self, spec: &AgentSpec, seed: u64) -> usize {
        let agent = Some(spec.build(Arc::clone(&self.game), seed));
        self.agents.push(Seated { spec: spec.clone(), seed, agent });
        self.agents.len() - 1
    }

    fn think(&mut self, request: &mut Request<'_>) {
        let game = &self.game;
        let names = |role: Role, mv: Move| game.move_name(role, mv);
        let Seated { spec, seed, agent } = &mut self.agents[request.agent];
        // An agent that unwinds is not put back.
        let mut thinking = agent.take().unwrap_or_else(|| spec.build(Arc::clone(game), *seed));
        let (state, _) = self.positions.last().expect("there is always a position");
        let watcher = &mut request.watch;
        let mut show = |report: &Report| watcher(report, &names);
        let watch = &mut Watch::every(request.every, &mut show);
        let report = thinking.think(state, &request.budget, watch);
        *agent = Some(thinking);
        (request.done)(&report, &names);
    }
}
