//! Running totals, and the standings they give.

use std::collections::{BTreeMap, BTreeSet};

use super::totals::AgentTotals;
use super::{AgentStanding, EloAgainst, Stages, Standing};
use crate::fingerprint::Fingerprint;
use crate::record::GameRecord;
use crate::stats::{Elo, Moments, Ranking, ScoreTally, likelihood_of_superiority};

/// The running score. Adding a game is cheap; [`Scoreboard::standing`] does the statistics.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    names: Vec<String>,
    totals: Vec<AgentTotals>,
    /// Losses, draws and wins of each agent against each other agent.
    versus: Vec<Vec<[u64; 3]>>,
    ranking: Ranking,
    /// Games of the first agent against the second.
    singles: ScoreTally,
    /// Complete rounds of the first agent against the second, by their size.
    rounds: BTreeMap<usize, ScoreTally>,
    /// Incomplete rounds: how many games were played, and their half points.
    open_rounds: BTreeMap<(usize, usize), (usize, usize)>,
    seen: BTreeSet<u64>,
    games: u64,
    void: u64,
    duplicates: u64,
}

impl Scoreboard {
    /// No games yet.
    pub fn new(names: &[String]) -> Self {
        let n = names.len();
        Scoreboard {
            names: names.to_vec(),
            totals: vec![AgentTotals::default(); n],
            versus: vec![vec![[0; 3]; n]; n],
            ranking: Ranking::new(n),
            singles: ScoreTally::new(1),
            rounds: BTreeMap::new(),
            open_rounds: BTreeMap::new(),
            seen: BTreeSet::new(),
            games: 0,
            void: 0,
            duplicates: 0,
        }
    }

    /// The score of these games.
    pub fn of<'r>(names: &[String], games: impl IntoIterator<Item = &'r GameRecord>) -> Self {
        let mut board = Scoreboard::new(names);
        games.into_iter().for_each(|game| board.add(game));
        board
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        let n_agents = self.names.len();
        for (agent, totals) in self.totals.iter_mut().enumerate() {
            if game.slot.seats.contains(&agent) {
                totals.add((agent, n_agents), game);
            }
        }
        if !game.is_valid() {
            self.void += 1;
            return;
        }
        self.games += 1;
        self.duplicates += u64::from(!self.seen.insert(fingerprint(game)));
        let seats = game.slot.seats.iter().copied().zip(game.payoffs.iter().copied());
        let (seats, payoffs): (Vec<usize>, Vec<f64>) =
            seats.filter(|(agent, _)| *agent < n_agents).unzip();
        self.ranking.add(&seats, &payoffs);
        self.compare(game);
        if let Some(half_points) = game.half_points(0, 1) {
            self.singles.add(half_points);
            self.add_to_round(game, half_points);
        }
    }

    fn compare(&mut self, game: &GameRecord) {
        for (agent, row) in self.versus.iter_mut().enumerate() {
            for (other, counts) in row.iter_mut().enumerate().filter(|(other, _)| *other != agent) {
                if let Some(half_points) = game.half_points(agent, other) {
                    counts[half_points] += 1;
                }
            }
        }
    }

    fn add_to_round(&mut self, game: &GameRecord, half_points: usize) {
        let (key, size) = ((game.slot.meeting, game.slot.round), game.slot.round_games);
        let open = self.open_rounds.entry(key).or_default();
        *open = (open.0 + 1, open.1 + half_points);
        if open.0 == size {
            self.rounds.entry(size).or_insert_with(|| ScoreTally::new(size)).add(open.1);
            self.open_rounds.remove(&key);
        }
    }

    /// The number of games with a result.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of games, including void ones.
    pub fn played(&self) -> u64 {
        self.games + self.void
    }

    /// Losses, draws and wins of an agent in games with another.
    pub fn versus(&self, agent: usize, other: usize) -> [u64; 3] {
        self.versus[agent][other]
    }

    /// The work of an agent by the stage of the game; without stages if moves had no time limit.
    pub fn stages(&self, agent: usize) -> &Stages {
        &self.totals[agent].stages
    }

    /// Whether an agent has played against any other.
    fn has_met(&self, agent: usize) -> bool {
        self.versus[agent].iter().flatten().any(|count| *count > 0)
    }

    /// The scores of the first agent against the second, grouped by rounds. Incomplete rounds are
    /// smaller groups; before there are two complete rounds, every game is a group.
    pub fn scores(&self) -> Moments {
        if self.rounds.values().map(ScoreTally::groups).sum::<u64>() < 2 {
            return Moments::from(&self.singles);
        }
        let mut tallies = self.rounds.clone();
        for &(games, half_points) in self.open_rounds.values() {
            tallies.entry(games).or_insert_with(|| ScoreTally::new(games)).add(half_points);
        }
        Moments::of(tallies.values())
    }

    /// The current standings.
    pub fn standing(&self) -> Standing {
        let totals = self.totals.iter().zip(&self.names);
        let mut agents: Vec<AgentStanding> =
            totals.map(|(totals, name)| totals.standing(name)).collect();
        let elo_against = self.rate(&mut agents);
        let &Scoreboard { games, void, duplicates, .. } = self;
        Standing { agents, games, void, duplicates, elo_against }
    }

    fn rate(&self, agents: &mut [AgentStanding]) -> EloAgainst {
        match agents {
            // Agents that never met cannot be compared.
            _ if !(0..self.names.len()).any(|agent| self.has_met(agent)) => EloAgainst::Nobody,
            [first, second] if self.singles.groups() > 0 => {
                let scores = self.scores();
                let (elo, superiority) = (Elo::of(scores), likelihood_of_superiority(scores));
                let reverse = Elo { value: -elo.value, low: -elo.high, high: -elo.low };
                rate_one(first, elo, Some(superiority));
                rate_one(second, reverse, Some(1.0 - superiority));
                EloAgainst::Opponent
            }
            [_, _, _, ..] => {
                let rated = agents.iter_mut().zip(self.ranking.ratings()).enumerate();
                for (_, (agent, rating)) in rated.filter(|(number, _)| self.has_met(*number)) {
                    let (low, high) = (rating.elo - rating.error, rating.elo + rating.error);
                    rate_one(agent, Elo { value: rating.elo, low, high }, None);
                }
                EloAgainst::Mean
            }
            _ => EloAgainst::Nobody,
        }
    }
}

fn rate_one(agent: &mut AgentStanding, elo: Elo, superiority: Option<f64>) {
    // Adding 0 turns -0 into 0.
    let finite = |value: f64| value.is_finite().then_some(value + 0.0);
    agent.elo = finite(elo.value);
    agent.elo_interval = [finite(elo.low), finite(elo.high)];
    agent.superiority = superiority;
}

/// A hash that is equal for games with the same moves by the same agents.
fn fingerprint(game: &GameRecord) -> u64 {
    let mut print = Fingerprint::default();
    print.add(&game.slot.game.to_le_bytes());
    game.slot.seats.iter().for_each(|seat| print.add(&seat.to_le_bytes()));
    for text in game.moves.iter().flatten() {
        print.add(text.as_bytes());
        print.add(b"\n");
    }
    print.value()
}
