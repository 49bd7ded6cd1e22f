//! A game in progress.

use std::sync::Arc;

use ludens_core::{Game, Move, Rng, Role, View};
use ludens_search::Agent;

use super::fault::{Fault, check_time, legal_choice, received};
use super::guard::guarded;
use super::pool::AgentPool;
use super::think::{Answer, Request, Task, Thought};
use super::{Terms, opening, stream};
use crate::clock::Allowance;
use crate::record::{Decision, Ending, GameRecord, Incident, IncidentKind};
use crate::schedule::Slot;

/// A game in progress, with its agents.
pub(crate) struct OngoingGame<G: Game> {
    game: Arc<G>,
    terms: Terms,
    state: G::State,
    view: View,
    seats: Vec<Seat<G>>,
    record: GameRecord,
    /// Random first moves still to be made.
    opening: Vec<Vec<Move>>,
    over: bool,
}

struct Seat<G: Game> {
    /// Absent after a panic, until the pool lends another.
    agent: Option<Box<dyn Agent<G>>>,
    answer: Option<Answer>,
}

impl<G: Game> OngoingGame<G> {
    /// Sets up a game and its agents. If the rules fail at once, the error is a void record.
    pub(crate) fn open(
        game: Arc<G>,
        slot: Slot,
        terms: &Terms,
        pool: &mut AgentPool<'_, G>,
    ) -> Result<Self, Box<GameRecord>> {
        assert_eq!(slot.seats.len(), game.roles().len(), "every role has a seat");
        let begun = guarded(|| {
            let (state, mut view) = (game.initial(), View::default());
            game.look(&state, &mut view);
            (state, view, opening::draw(&*game, terms.opening, slot.seed))
        });
        let (state, view, opening) = match begun {
            Ok(begun) => begun,
            Err(text) => return Err(Box::new(GameRecord::void(slot, text))),
        };
        let record = GameRecord::new(slot);
        let seats = record.slot.seats.iter().map(|_| Seat { agent: None, answer: None }).collect();
        let terms = terms.clone();
        let mut ongoing =
            OngoingGame { game, terms, state, view, seats, record, opening, over: false };
        ongoing.check_end();
        ongoing.fill_seats(pool);
        Ok(ongoing)
    }

    /// Adds a request to prepare for every agent, if the terms allow preparation.
    pub(crate) fn request_preparation<'t>(&'t mut self, out: &mut Vec<Request<'t, G>>) {
        if self.terms.start.is_none() || self.over {
            return;
        }
        let Allowance { time, iterations, .. } = self.terms.allowance;
        for agent in self.seats.iter_mut().filter_map(|seat| seat.agent.as_mut()) {
            agent.expect(time, iterations);
        }
        self.request(Task::Prepare, |_| true, out);
    }

    /// Begins the game: records faults of preparation and makes the random first moves.
    pub(crate) fn begin(&mut self) {
        if let Some(start) = self.terms.start.filter(|_| !self.over) {
            (0..self.seats.len()).for_each(|seat| self.check_preparation(seat, start));
        }
        for joint in std::mem::take(&mut self.opening) {
            if self.over {
                break;
            }
            self.play(&joint);
            self.record.opening += 1;
        }
    }

    /// Whether the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Adds a request for every seat that has a choice.
    pub(crate) fn request_moves<'t>(
        &'t mut self,
        pool: &mut AgentPool<'_, G>,
        out: &mut Vec<Request<'t, G>>,
    ) {
        self.fill_seats(pool);
        self.request(Task::Choose, |legal| legal.len() > 1, out);
    }

    /// Adds a request for every agent whose legal moves satisfy the condition.
    fn request<'t>(
        &'t mut self,
        task: Task,
        concerned: impl Fn(&[Move]) -> bool,
        out: &mut Vec<Request<'t, G>>,
    ) {
        let (slot, state, legal) = (&self.record.slot, &self.state, &self.view.legal);
        let roles = Role::all(self.seats.len());
        for ((role, seat), &agent_idx) in roles.zip(&mut self.seats).zip(&slot.seats) {
            if !concerned(&legal[role]) {
                continue;
            }
            if let Some(agent) = &mut seat.agent {
                let (slot, agent, answer) = (slot.index, &mut **agent, &mut seat.answer);
                out.push(Request { slot, agent_idx, role, task, state, agent, answer });
            }
        }
    }

    /// Makes the moves that the agents chose, and random ones in place of faults.
    pub(crate) fn make_moves(&mut self) {
        let joint: Vec<Move> = Role::all(self.seats.len()).map(|role| self.choose(role)).collect();
        self.play(&joint);
    }

    /// Ends the game and returns the agents to the pool.
    pub(crate) fn close(self, pool: &mut AgentPool<'_, G>) -> GameRecord {
        for (seat, &number) in self.seats.into_iter().zip(&self.record.slot.seats) {
            if let Some(agent) = seat.agent {
                pool.take_back(number, agent);
            }
        }
        self.record
    }

    /// Gives every empty seat an agent; where that fails, the panic is its answer.
    fn fill_seats(&mut self, pool: &mut AgentPool<'_, G>) {
        let (slot, ply) = (&self.record.slot, self.record.moves.len());
        for (number, (seat, &agent)) in self.seats.iter_mut().zip(&slot.seats).enumerate() {
            if seat.agent.is_some() {
                continue;
            }
            // The seed depends on the agent and the seat: equal agents that swap seats within a
            // round must not repeat the game.
            let path = [stream::AGENT, agent as u64, number as u64, ply as u64];
            match pool.lend(agent, Rng::stream(slot.seed, &path).next_u64()) {
                Ok(agent) => seat.agent = Some(agent),
                Err(text) => seat.answer = Some(Err(text)),
            }
        }
    }

    /// Records a fault of preparation. Its effort is not counted, since nothing was decided.
    fn check_preparation(&mut self, seat: usize, start: Allowance) {
        if self.seats[seat].agent.is_none() {
            // It could not be created; another attempt is made before its first move.
            return;
        }
        let answer = received(self.seats[seat].answer.take());
        let checked = answer.and_then(|a| check_time(a.time, start, self.terms.tolerance));
        if let Err(fault) = checked {
            self.report_fault(seat, fault);
        }
    }

    fn choose(&mut self, role: Role) -> Move {
        let answer = self.seats[role.index()].answer.take();
        if let [only] = self.view.legal[role][..] {
            return only;
        }
        self.accept(role, answer).unwrap_or_else(|fault| {
            self.report_fault(role.index(), fault);
            self.substitute(role)
        })
    }

    /// The move of an answer, if the answer is valid.
    fn accept(&mut self, role: Role, answer: Option<Answer>) -> Result<Move, Fault> {
        let thought = received(answer)?;
        self.add_effort(role, &thought);
        check_time(thought.time, self.terms.allowance, self.terms.tolerance)?;
        let chosen = legal_choice(&*self.game, role, &self.view.legal[role], &thought)?;
        if self.terms.keep_decisions {
            self.keep_decision(role, &thought)?;
        }
        Ok(chosen)
    }

    fn add_effort(&mut self, role: Role, thought: &Thought) {
        let ply = self.record.moves.len();
        let effort = &mut self.record.efforts[role.index()];
        effort.add(thought.iterations, thought.time);
        if self.terms.allowance.time.is_some() {
            effort.by_ply.push((ply, thought.iterations));
        }
    }

    fn keep_decision(&mut self, role: Role, thought: &Thought) -> Result<(), Fault> {
        let (ply, Thought { moves, iterations, .. }) = (self.record.moves.len(), thought);
        // The agent may have reported moves that do not exist, which have no name.
        let decision = guarded(|| Decision::new(&*self.game, ply, role, *iterations, moves));
        self.record.decisions.push(decision.map_err(Fault::crash)?);
        Ok(())
    }

    /// A random legal move.
    fn substitute(&self, role: Role) -> Move {
        let path = [stream::SUBSTITUTE, self.record.moves.len() as u64, u64::from(role.0)];
        let legal = &self.view.legal[role];
        legal[Rng::stream(self.record.slot.seed, &path).below(legal.len())]
    }

    /// Makes a joint move and advances the agents.
    fn play(&mut self, joint: &[Move]) {
        let ply = self.record.moves.len();
        let played = guarded(|| {
            let name = |(role, &m): (Role, &Move)| self.game.move_name(role, m);
            let names = Role::all(joint.len()).zip(joint).map(name).collect();
            self.game.play(&mut self.state, joint);
            self.game.look(&self.state, &mut self.view);
            names
        });
        match played {
            Ok(names) => self.record.moves.push(names),
            Err(text) => return self.end(Ending::Void(text), Vec::new()),
        }
        for seat in 0..self.seats.len() {
            let Some(agent) = &mut self.seats[seat].agent else { continue };
            if let Err(text) = guarded(|| agent.advance(joint)) {
                self.discard(seat);
                self.record_fault(ply, seat, Fault::crash(text));
            }
        }
        self.check_end();
    }

    fn check_end(&mut self) {
        if self.view.terminal {
            // Payoffs are hundredths; rounding removes the noise of single precision.
            let payoff = |&payoff: &f32| (f64::from(payoff) * 1e6).round() / 1e6;
            let payoffs = self.view.payoffs.iter().map(payoff).collect();
            self.end(Ending::Terminal, payoffs);
        } else if let Some(stuck) = self.view.legal.iter().position(Vec::is_empty) {
            let text = format!("`{}` has no legal move", self.game.roles()[stuck]);
            self.end(Ending::Void(text), Vec::new());
        } else if self.record.moves.len() >= self.terms.ply_limit {
            self.end(Ending::PlyLimit, vec![0.5; self.seats.len()]);
        }
    }

    fn end(&mut self, ending: Ending, payoffs: Vec<f64>) {
        self.over = true;
        (self.record.ending, self.record.payoffs) = (ending, payoffs);
    }

    /// Records a fault of the current ply, and drops the agent if it panicked.
    fn report_fault(&mut self, seat: usize, fault: Fault) {
        if fault.kind == IncidentKind::Crash {
            self.discard(seat);
        }
        self.record_fault(self.record.moves.len(), seat, fault);
    }

    /// Drops an agent that panicked.
    fn discard(&mut self, seat: usize) {
        let agent = self.seats[seat].agent.take();
        // The drop may panic too; the first panic is recorded already.
        let _ = guarded(|| drop(agent));
    }

    fn record_fault(&mut self, ply: usize, seat: usize, fault: Fault) {
        let late_micros = fault.late.map(|late| late.as_micros() as u64);
        let Fault { kind, text, .. } = fault;
        self.record.incidents.push(Incident { ply, seat, kind, text, late_micros });
    }
}
