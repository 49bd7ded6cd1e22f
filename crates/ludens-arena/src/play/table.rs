//! A game in progress.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Game, Move, Rng, Role, View};
use ludens_search::Agent;

use super::guard::guarded;
use super::pool::AgentPool;
use super::think::{Request, Task, Thought};
use super::{Terms, opening};
use crate::clock::Allowance;
use crate::record::{Effort, Ending, GameRecord, Incident, IncidentKind};
use crate::schedule::Slot;

/// Streams of random numbers of a game: openings, agents, and moves in place of wrong ones.
pub(super) const OPENING: u64 = 0;
const AGENT: u64 = 1;
const SUBSTITUTE: u64 = 2;

/// A game in progress, with the agents at it.
pub struct Table<G: Game> {
    game: Arc<G>,
    terms: Terms,
    state: G::State,
    view: View,
    seats: Vec<Seat<G>>,
    record: GameRecord,
    /// Random first moves that are not made yet.
    opening: Vec<Vec<Move>>,
    over: bool,
}

struct Seat<G: Game> {
    /// Absent after a panic, until the pool gives another.
    agent: Option<Box<dyn Agent<G>>>,
    thought: Option<Thought>,
}

/// A wrong that is not yet tied to a ply and a seat.
struct Wrong {
    kind: IncidentKind,
    text: String,
    late: Option<Duration>,
}

impl Wrong {
    fn new(kind: IncidentKind, text: impl Into<String>) -> Self {
        Wrong { kind, text: text.into(), late: None }
    }
}

impl<G: Game> Table<G> {
    /// Sets up a game: its agents take their seats. A game whose rules fail at once is over with a
    /// void record.
    pub fn open(
        game: Arc<G>,
        slot: Slot,
        terms: &Terms,
        pool: &mut AgentPool<'_, G>,
    ) -> Result<Self, Box<GameRecord>> {
        assert_eq!(slot.seats.len(), game.roles().len(), "every role has a seat");
        let mut record = blank(slot);
        let begun = guarded(|| {
            let (state, mut view) = (game.initial(), View::default());
            game.look(&state, &mut view);
            (state, view, opening::draw(&*game, terms.opening, record.slot.seed))
        });
        let (state, view, opening) = match begun {
            Ok(begun) => begun,
            Err(text) => {
                record.ending = Ending::Void(text);
                return Err(Box::new(record));
            }
        };
        let seats = record.slot.seats.iter().map(|_| Seat { agent: None, thought: None }).collect();
        let terms = terms.clone();
        let mut table = Table { game, terms, state, view, seats, record, opening, over: false };
        table.check_end();
        table.fill_seats(pool);
        Ok(table)
    }

    /// Adds a request for every agent to get ready, if that is allowed and there is a game to get
    /// ready for.
    pub fn ask_to_prepare<'t>(&'t mut self, out: &mut Vec<Request<'t, G>>) {
        if self.terms.start.is_none() || self.over {
            return;
        }
        let Allowance { time, iterations, .. } = self.terms.allowance;
        for agent in self.seats.iter_mut().filter_map(|seat| seat.agent.as_mut()) {
            agent.expect(time, iterations);
        }
        self.request(Task::Prepare, |_| true, out);
    }

    /// Begins the game: notes what went wrong while agents got ready, and makes the random first
    /// moves.
    pub fn begin(&mut self) {
        if let Some(start) = self.terms.start.filter(|_| !self.over) {
            (0..self.seats.len()).for_each(|seat| self.judge_preparation(seat, start));
        }
        for joint in std::mem::take(&mut self.opening) {
            if self.over {
                break;
            }
            self.play(&joint);
            self.record.opening += 1;
        }
    }

    /// Whether there is nothing left to play.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Adds a request for every seat that has a choice.
    pub fn ask<'t>(&'t mut self, pool: &mut AgentPool<'_, G>, out: &mut Vec<Request<'t, G>>) {
        self.fill_seats(pool);
        self.request(Task::Choose, |legal| legal.len() > 1, out);
    }

    /// Adds a request for every agent whose legal moves are such that it has something to do.
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
                let (slot, agent, thought) = (slot.index, &mut **agent, &mut seat.thought);
                out.push(Request { slot, agent_idx, role, task, state, agent, thought });
            }
        }
    }

    /// Makes the moves that the answers say, and random ones where they are wrong.
    pub fn make_moves(&mut self) {
        let joint: Vec<Move> = Role::all(self.seats.len()).map(|role| self.choose(role)).collect();
        self.play(&joint);
    }

    /// Ends the game, and gives the agents back.
    pub fn close(self, pool: &mut AgentPool<'_, G>) -> GameRecord {
        for (seat, &number) in self.seats.into_iter().zip(&self.record.slot.seats) {
            if let Some(agent) = seat.agent {
                pool.take_back(number, agent);
            }
        }
        self.record
    }

    /// Gives every empty seat an agent; where that fails, the crash is its thought.
    fn fill_seats(&mut self, pool: &mut AgentPool<'_, G>) {
        let (slot, ply) = (&self.record.slot, self.record.moves.len());
        for (number, (seat, &agent)) in self.seats.iter_mut().zip(&slot.seats).enumerate() {
            if seat.agent.is_some() {
                continue;
            }
            // Both the agent and its seat tell its numbers apart from those of other seats of the
            // round: equal agents that swap seats must not repeat the same game.
            let path = [AGENT, agent as u64, number as u64, ply as u64];
            match pool.lend(agent, Rng::stream(slot.seed, &path).next_u64()) {
                Ok(agent) => seat.agent = Some(agent),
                Err(text) => seat.thought = Some(Thought::Crash(text)),
            }
        }
    }

    /// Notes what went wrong while an agent got ready. What it spent is not counted, since nothing was
    /// decided.
    fn judge_preparation(&mut self, seat: usize, start: Allowance) {
        if self.seats[seat].agent.is_none() {
            // It could not be made, and is asked for again when it has to move.
            return;
        }
        let wrong = match self.seats[seat].thought.take() {
            Some(Thought::Answer { time, .. }) => self.lateness(start, time),
            Some(Thought::Crash(text)) => Some(Wrong::new(IncidentKind::Crash, text)),
            None => Some(Wrong::new(IncidentKind::Crash, "there was no answer")),
        };
        if let Some(wrong) = wrong {
            if wrong.kind == IncidentKind::Crash {
                self.discard(seat);
            }
            self.note(seat, wrong);
        }
    }

    /// The wrong of an answer that took longer than it may.
    fn lateness(&self, allowance: Allowance, time: Duration) -> Option<Wrong> {
        let late = allowance.time.and_then(|allowed| time.checked_sub(allowed));
        let late = late.filter(|late| *late > self.terms.tolerance)?;
        let text = format!("the answer was {} ms late", late.as_millis());
        Some(Wrong { kind: IncidentKind::Timeout, text, late: Some(late) })
    }

    fn choose(&mut self, role: Role) -> Move {
        let thought = self.seats[role.index()].thought.take();
        if let [only] = self.view.legal[role][..] {
            return only;
        }
        match self.judge(role, thought) {
            Ok(chosen) => chosen,
            Err(wrong) => {
                if wrong.kind == IncidentKind::Crash {
                    self.discard(role.index());
                }
                self.note(role.index(), wrong);
                self.substitute(role)
            }
        }
    }

    /// The move of an answer, unless something is wrong with it.
    fn judge(&mut self, role: Role, thought: Option<Thought>) -> Result<Move, Wrong> {
        let (best, time) = match thought {
            Some(Thought::Answer { best, iterations, time }) => {
                self.record.efforts[role.index()].add(iterations, time);
                (best, time)
            }
            Some(Thought::Crash(text)) => return Err(Wrong::new(IncidentKind::Crash, text)),
            None => return Err(Wrong::new(IncidentKind::Crash, "there was no answer")),
        };
        if let Some(wrong) = self.lateness(self.terms.allowance, time) {
            return Err(wrong);
        }
        match best {
            Some(best) if self.view.legal[role].contains(&best) => Ok(best),
            Some(best) => {
                let name = guarded(|| self.game.move_name(role, best));
                let name = name.unwrap_or_else(|_| format!("move number {}", best.0));
                Err(Wrong::new(IncidentKind::Illegal, name))
            }
            None => Err(Wrong::new(IncidentKind::Illegal, "no move was chosen")),
        }
    }

    fn substitute(&self, role: Role) -> Move {
        let path = [SUBSTITUTE, self.record.moves.len() as u64, u64::from(role.0)];
        let legal = &self.view.legal[role];
        legal[Rng::stream(self.record.slot.seed, &path).below(legal.len())]
    }

    /// Makes a joint move and tells the agents of it.
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
        for number in 0..self.seats.len() {
            let Some(agent) = &mut self.seats[number].agent else { continue };
            if let Err(text) = guarded(|| agent.advance(joint)) {
                self.discard(number);
                self.note_at(ply, number, Wrong::new(IncidentKind::Crash, text));
            }
        }
        self.check_end();
    }

    fn check_end(&mut self) {
        if self.view.terminal {
            // Payoffs are hundredths; this way they are written as such.
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

    /// Throws away an agent that panicked, which may panic as well.
    fn discard(&mut self, seat: usize) {
        let agent = self.seats[seat].agent.take();
        // The first panic was noted, and the agent is gone either way.
        let _ = guarded(|| drop(agent));
    }

    fn note(&mut self, seat: usize, wrong: Wrong) {
        self.note_at(self.record.moves.len(), seat, wrong);
    }

    fn note_at(&mut self, ply: usize, seat: usize, wrong: Wrong) {
        let late_micros = wrong.late.map(|late| late.as_micros() as u64);
        let Wrong { kind, text, .. } = wrong;
        self.record.incidents.push(Incident { ply, seat, kind, text, late_micros });
    }
}

/// The record of a game that has not begun.
fn blank(slot: Slot) -> GameRecord {
    let efforts = vec![Effort::default(); slot.seats.len()];
    GameRecord {
        slot,
        ending: Ending::Terminal,
        payoffs: Vec::new(),
        moves: Vec::new(),
        opening: 0,
        efforts,
        incidents: Vec::new(),
    }
}
