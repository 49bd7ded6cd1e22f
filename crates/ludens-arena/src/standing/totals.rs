//! Totals of one agent.

use super::stages::{self, Stages};
use super::{AgentStanding, SeatScore};
use crate::record::{EPSILON, GameRecord, IncidentKind};
use crate::stats::wilson;

/// Sums over the games of an agent.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentTotals {
    games: u64,
    points: f64,
    /// Losses, draws, wins.
    results: [u64; 3],
    /// Games and points in each seat.
    seats: Vec<(u64, f64)>,
    /// Illegal moves, crashes, timeouts.
    incidents: [u64; 3],
    decisions: u64,
    iterations: u64,
    micros: u64,
    /// Of games whose moves had a time limit.
    pub(super) stages: Stages,
}

impl AgentTotals {
    /// Adds a game that the agent, one of `n_agents`, played.
    pub(super) fn add(&mut self, (agent, n_agents): (usize, usize), game: &GameRecord) {
        let own = |seat: &usize| game.slot.seats[*seat] == agent;
        for seat in (0..game.slot.seats.len()).filter(own) {
            let effort = &game.efforts[seat];
            self.decisions += effort.decisions;
            self.iterations += effort.iterations;
            self.micros += effort.micros;
            stages::add(&mut self.stages, effort);
            if let Some(payoff) = game.payoffs.get(seat) {
                self.add_seat(seat, *payoff);
            }
        }
        for incident in game.incidents.iter().filter(|incident| own(&incident.seat)) {
            self.incidents[match incident.kind {
                IncidentKind::Illegal => 0,
                IncidentKind::Crash => 1,
                IncidentKind::Timeout => 2,
            }] += 1;
        }
        if let Some(payoff) = game.payoff_of(agent) {
            self.games += 1;
            self.points += payoff;
            self.results[result((agent, n_agents), payoff, game)] += 1;
        }
    }

    fn add_seat(&mut self, seat: usize, payoff: f64) {
        if self.seats.len() <= seat {
            self.seats.resize(seat + 1, (0, 0.0));
        }
        self.seats[seat].0 += 1;
        self.seats[seat].1 += payoff;
    }

    /// The standing without comparison to others.
    pub(super) fn standing(&self, name: &str) -> AgentStanding {
        let mean = |games: u64, points: f64| if games == 0 { 0.0 } else { points / games as f64 };
        let seat = |&(games, points): &(u64, f64)| SeatScore { games, score: mean(games, points) };
        let [losses, draws, wins] = self.results;
        let [illegal, crashes, timeouts] = self.incidents;
        AgentStanding {
            name: name.to_owned(),
            games: self.games,
            score: mean(self.games, self.points),
            interval: wilson(self.points, self.games as f64),
            wins,
            draws,
            losses,
            elo: None,
            elo_interval: [None; 2],
            superiority: None,
            seats: self.seats.iter().map(seat).collect(),
            illegal,
            crashes,
            timeouts,
            decisions: self.decisions,
            iterations: self.iterations,
            seconds: self.micros as f64 / 1e6,
        }
    }
}

/// 2 for a win, 1 for a draw, 0 for a loss. Only agents are opponents, not a role that moves at random.
fn result((agent, n_agents): (usize, usize), payoff: f64, game: &GameRecord) -> usize {
    let is_opponent = |other: &usize| *other != agent && *other < n_agents;
    let mut others: Vec<usize> = game.slot.seats.iter().copied().filter(is_opponent).collect();
    others.sort_unstable();
    others.dedup();
    if others.is_empty() {
        return usize::from(payoff > EPSILON) + usize::from(payoff > 1.0 - EPSILON);
    }
    // A win beats all others; a draw loses to none.
    let against = others.iter().filter_map(|&other| game.half_points(agent, other));
    against.min().unwrap_or(1)
}
