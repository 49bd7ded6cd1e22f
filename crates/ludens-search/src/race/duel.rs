//! Games between two agents that tell by how much one of them is better.

use std::time::Duration;

use ludens_core::{Budget, Game, Rng};

use super::game::Seating;
use super::standings::Standings;
use crate::agent::Agent;

/// Games between a challenger and a baseline, scored as those of a race.
pub struct Duel<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// Where games begin.
    pub start: &'a G::State,
    /// The time of a move.
    pub move_time: Duration,
    /// The maximum number of games.
    pub max_games: u32,
    /// The seed of the agents.
    pub seed: u64,
}

/// What a duel has shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lead {
    /// The games of the challenger.
    pub games: u32,
    /// Its mean payoff over its roles, minus that of the baseline in the same roles.
    pub lead: f64,
}

impl<G: Game> Duel<'_, G> {
    /// Plays games until the budget is over; `None` if the challenger has not had every role then.
    pub fn play(
        &self,
        baseline: &mut dyn Agent<G>,
        challenger: &mut dyn Agent<G>,
        budget: &Budget,
    ) -> Option<Lead> {
        let n_roles = self.game.roles().len();
        let (mut standings, mut rng) = (Standings::new(2, n_roles), Rng::new(self.seed));
        let move_budget = || {
            let time = budget.time_left().map_or(self.move_time, |left| left.min(self.move_time));
            budget.clone().with_time(time)
        };
        while standings.scores()[1].games < self.max_games {
            let Some((nth, role)) = standings.next() else { break };
            baseline.begin_again(rng.next_u64());
            challenger.begin_again(rng.next_u64());
            let mut seats = vec![0; n_roles];
            seats[role.index()] = nth;
            let seating = Seating { seats: &seats, move_budget: &move_budget, budget };
            let played =
                seating.play(self.game, self.start, &mut [&mut *baseline, &mut *challenger]);
            let Some((payoffs, _)) = played else { break };
            standings.record(nth, role, &payoffs);
        }
        let lead = standings.lead(1)?;
        Some(Lead { games: standings.scores()[1].games, lead })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{MoveStats, Report};
    use crate::testgames::Nim;
    use crate::watch::Watch;
    use ludens_core::{PerRole, Role, View};

    /// Plays Nim perfectly, or takes one at a time.
    struct Player(bool);

    impl Agent<Nim> for Player {
        fn think(&mut self, state: &(u32, usize), _: &Budget, _: &mut Watch<'_>) -> Report {
            let (game, mut view) = (Nim(0), View::default());
            game.look(state, &mut view);
            let best = |role: Role| {
                let legal = &view.legal[role];
                let wanted = if self.0 { (state.0 % 4).max(1) } else { 1 };
                let mv = *legal.get(wanted as usize - 1).unwrap_or(&legal[0]);
                vec![MoveStats { mv, visits: 1, mean: 0.5 }]
            };
            let moves: Vec<_> = Role::all(2).map(best).collect();
            Report { moves: PerRole::from(moves), ..Report::default() }
        }

        fn begin(&mut self, _: u64) {}
    }

    fn duel(first: bool, second: bool, max_games: u32, budget: &Budget) -> Option<Lead> {
        let (game, move_time) = (Nim(11), Duration::from_millis(1));
        let duel = Duel { game: &game, start: &game.initial(), move_time, max_games, seed: 1 };
        duel.play(&mut Player(first), &mut Player(second), budget)
    }

    #[test]
    fn the_better_agent_leads_and_equal_ones_are_level() {
        let unlimited = Budget::unlimited();
        for (first, second, expected) in [(false, true, 1), (true, false, -1), (true, true, 0)] {
            let Lead { games, lead } = duel(first, second, 8, &unlimited).unwrap();
            assert_eq!(games, 8);
            let sign = if lead.abs() < 1e-9 { 0 } else { lead.signum() as i32 };
            assert_eq!(sign, expected, "{first} {second}: {lead}");
        }
    }

    #[test]
    fn without_a_game_in_every_role_nothing_is_known() {
        assert_eq!(duel(true, true, 1, &Budget::unlimited()), None);
        assert_eq!(duel(true, true, 8, &Budget::unlimited().with_time(Duration::ZERO)), None);
    }
}
