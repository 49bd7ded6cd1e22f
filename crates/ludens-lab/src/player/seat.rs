//! A seat at a match: an agent that plays one role, with the current position.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Draft, Game, Move, MoveText, PlayerError, Role, View};
use ludens_gdl::Symbols;
use ludens_search::{Agent, Report, Watch};

use ludens_catalog::{AgentSpec, WithGame};

/// A role in a match, whatever the type of the game.
pub(super) trait Seat: Send {
    /// Searches the first position; returns the number of simulations.
    fn prepare(&mut self, deadline: Instant, play_clock: Duration) -> u64;

    /// Remarks of the agent.
    fn remarks(&self) -> Vec<String>;

    /// Updates the legal moves.
    fn look(&mut self);

    /// Applies the joint move that was made.
    fn advance(&mut self, last: &[MoveText]) -> Result<(), PlayerError>;

    /// Chooses a move.
    fn choose(&mut self, deadline: Instant) -> Result<MoveText, PlayerError>;

    /// Uses the time until the flag is set.
    fn ponder(&mut self, stop: &Arc<AtomicBool>);
}

/// The parameters of a seat.
pub(super) struct SeatSetup<'a> {
    pub role: Role,
    pub spec: &'a AgentSpec,
    pub seed: u64,
    /// The spelling of the rules.
    pub symbols: Symbols,
    pub draft: Draft,
}

impl WithGame for SeatSetup<'_> {
    type Out = Box<dyn Seat>;

    fn call<G: Game>(self, game: Arc<G>) -> Box<dyn Seat> {
        let SeatSetup { role, spec, seed, symbols, draft } = self;
        let mut agent = spec.build(Arc::clone(&game), seed);
        agent.begin(seed);
        let state = game.initial();
        let view = View::default();
        Box::new(TypedSeat { game, agent, state, role, symbols, draft, view })
    }
}

/// A seat in a game of a known type.
struct TypedSeat<G: Game> {
    game: Arc<G>,
    agent: Box<dyn Agent<G>>,
    state: G::State,
    role: Role,
    /// The spelling of the rules.
    symbols: Symbols,
    draft: Draft,
    view: View,
}

/// How often the best move so far is written to the draft.
const DRAFT_INTERVAL: Duration = Duration::from_millis(50);

impl<G: Game> TypedSeat<G> {
    /// A budget until a deadline, or until the match is stopped.
    fn budget(&self, deadline: Instant) -> Budget {
        Budget::unlimited().with_deadline(deadline).with_stop(self.draft.stop_flag())
    }

    /// A move of the role in the spelling of the rules.
    fn spell(&self, mv: Move) -> MoveText {
        self.symbols.spell(&self.game.move_name(self.role, mv))
    }

    /// Parses a move, which must be legal.
    fn read(&self, role: Role, text: &str) -> Result<Move, PlayerError> {
        let known = self.game.parse_move(role, text);
        known.filter(|mv| self.view.legal[role].contains(mv)).ok_or_else(|| {
            let role = &self.game.roles()[role.index()];
            PlayerError::Moves(format!("`{text}` is not legal for `{role}`"))
        })
    }
}

impl<G: Game> Seat for TypedSeat<G> {
    fn prepare(&mut self, deadline: Instant, play_clock: Duration) -> u64 {
        self.agent.expect(Some(play_clock), None);
        let budget = self.budget(deadline);
        self.agent.prepare(&self.state, &budget).iterations
    }

    fn remarks(&self) -> Vec<String> {
        self.agent.remarks()
    }

    fn look(&mut self) {
        self.game.look(&self.state, &mut self.view);
    }

    fn advance(&mut self, last: &[MoveText]) -> Result<(), PlayerError> {
        if last.is_empty() {
            return Ok(());
        }
        let n_roles = self.game.roles().len();
        if last.len() != n_roles {
            let why = format!("{} moves for {n_roles} roles", last.len());
            return Err(PlayerError::Moves(why));
        }
        self.look();
        let moves = Role::all(n_roles).zip(last).map(|(role, text)| self.read(role, text));
        let joint: Vec<Move> = moves.collect::<Result<_, _>>()?;
        self.game.play(&mut self.state, &joint);
        self.agent.advance(&joint);
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<MoveText, PlayerError> {
        self.look();
        if self.view.terminal {
            return Err(PlayerError::OutOfOrder("the match has ended"));
        }
        let first = self.view.legal[self.role].first().copied();
        let first = first.ok_or_else(|| PlayerError::Rules("a role is without a move".into()))?;
        self.draft.write(self.spell(first));
        if self.view.legal[self.role].len() == 1 {
            return Ok(self.spell(first));
        }
        let (budget, role) = (self.budget(deadline), self.role);
        let (game, symbols, draft) = (&self.game, &self.symbols, &self.draft);
        let mut update_draft = |report: &Report| {
            if let Some(best) = report.best(role) {
                draft.write(symbols.spell(&game.move_name(role, best)));
            }
            ControlFlow::Continue(())
        };
        let watch = &mut Watch::every(DRAFT_INTERVAL, &mut update_draft);
        let report = self.agent.think(&self.state, &budget, watch);
        Ok(self.spell(report.best(role).unwrap_or(first)))
    }

    fn ponder(&mut self, stop: &Arc<AtomicBool>) {
        self.look();
        if !self.view.is_over() {
            self.agent.ponder(&self.state, &Budget::unlimited().with_stop(Arc::clone(stop)));
        }
    }
}
